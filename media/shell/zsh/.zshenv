# Glass TTY's shell integration for zsh, found because ZDOTDIR points here. The marks are listed in ../README.md.
# ZDOTDIR is put right at once, so zsh itself reads all other files of the user's; the rest happens before the first prompt.
# All functions stand above the user's files, whose aliases would otherwise change them.
# Each hook starts with a block whose trace goes nowhere, so that `set -x` and the user's options do not meet our code.
# A paste is one event for zsh, however many lines it has.

typeset -g __glass_nonce=$GLASS_TTY_NONCE __glass_exports=$GLASS_TTY_EXPORTS
if [[ -n $GLASS_TTY_ZDOTDIR ]]; then export ZDOTDIR=$GLASS_TTY_ZDOTDIR; else unset ZDOTDIR; fi
unset GLASS_TTY_NONCE GLASS_TTY_EXPORTS GLASS_TTY_ZDOTDIR

typeset -gi __glass_due=0   # a command has started and its end was not reported yet
typeset -gi __glass_code=0  # $? at the last prompt
typeset -g __glass_eol_mark __glass_ps1=- __glass_ps2=-
typeset -g __glass_a=$'%{\e]633;A;'$__glass_nonce$'\a%}' __glass_b=$'%{\e]633;B;'$__glass_nonce$'\a%}'
typeset -g __glass_f=$'%{\e]633;F;'$__glass_nonce$'\a%}' __glass_g=$'%{\e]633;G;'$__glass_nonce$'\a%}'

__glass_print() { # text; to the terminal itself, wherever stdout goes
  builtin print -rn -- "$1" >/dev/tty
}

__glass_escape() { # to REPLY; needs extendedglob and nomultibyte
  REPLY=${1//\\/\\\\}
  REPLY=${REPLY//(#m)[$'\x01'-$'\x20'\;$'\x7f']/\\x${(L)${(l:2::0:)$(([##16]#MATCH))}}}
}

# The first precmd hook.
__glass_first() {
  { local -i code=$?; builtin emulate -L zsh -o extendedglob -o noxtrace -o noerrexit -o noerrreturn } 2>/dev/null
  local reported=$code
  # When nothing has started: Enter, ctrl+c, or a line that zsh refused, which alone brings a code of its own.
  if ((!__glass_due && (code == __glass_code || code == 130))); then reported=; fi
  __glass_print $'\e]633;D;'"$reported;$__glass_nonce"$'\a'
  __glass_due=0 __glass_code=code
  __glass_end_line
}

# PROMPT_SP, which zsh would do before any hook runs, and so within the command's output: marks a line without an end.
__glass_end_line() {
  [[ -n $__glass_eol_mark && -o promptcr && ! -o promptsp ]] || return 0
  local mark=${(%)${PROMPT_EOL_MARK-%B%S%#%s%b}}
  local -i width=${(m)#${mark//$'\e'(\[[0-9;]#m|\(?)}}
  __glass_print "$mark${(l:COLUMNS - width:)}"$'\r'"${(l:width:)}"$'\r'
}

# The last precmd hook: whatever the user's have changed gets its marks again.
__glass_last() {
  { builtin emulate -L zsh -o extendedglob -o nomultibyte -o noxtrace -o noerrexit -o noerrreturn } 2>/dev/null
  local REPLY
  __glass_escape "$PWD"
  __glass_print $'\e]633;P;Cwd='"$REPLY;$__glass_nonce"$'\a'
  if [[ $PS1 != "$__glass_ps1" ]]; then
    PS1=${${PS1//"$__glass_a"}//"$__glass_b"}
    PS1=$__glass_a$PS1$__glass_b
    __glass_ps1=$PS1
    typeset -g +x PS1 # or the nonce would be in the environment
  fi
  if [[ $PS2 != "$__glass_ps2" ]]; then
    PS2=${${PS2//"$__glass_f"}//"$__glass_g"}
    PS2=$__glass_f$PS2$__glass_g
    __glass_ps2=$PS2
    typeset -g +x PS2
  fi
  __glass_hook
}

# The last preexec hook.
__glass_preexec() {
  { builtin emulate -L zsh -o extendedglob -o nomultibyte -o noxtrace -o noerrexit -o noerrreturn } 2>/dev/null
  local REPLY
  __glass_escape "${1:-$3}"
  __glass_due=1
  __glass_print $'\e]633;E;'"$REPLY;$__glass_nonce"$'\a\e]633;C;'"$__glass_nonce"$'\a'
}

# Puts our hooks first and last.
__glass_hook() {
  if [[ $precmd_functions[1] != __glass_first || $precmd_functions[-1] != __glass_last ]]; then
    precmd_functions=(__glass_first ${precmd_functions:#__glass_(first|last|start)} __glass_last)
  fi
  if [[ $preexec_functions[-1] != __glass_preexec ]]; then
    preexec_functions=(${preexec_functions:#__glass_preexec} __glass_preexec)
  fi
}

# The hook before the first prompt, when all of the user's files have been read.
__glass_start() {
  {
    if [[ -o promptsp ]]; then __glass_eol_mark=1; fi
    builtin setopt nobanghist interactivecomments histignorespace nopromptsp
    builtin eval "$__glass_exports"
    builtin unset __glass_exports
    if [[ $functions[zsh-newuser-install] == *__glass* ]]; then builtin unfunction zsh-newuser-install; fi
  } 2>/dev/null
  __glass_print $'\e]633;P;Shell=zsh\\x20'"$ZSH_VERSION;$__glass_nonce"$'\a'
  __glass_last
}

typeset -ga precmd_functions
precmd_functions+=(__glass_start)
zsh-newuser-install() { : __glass } # its questions would wait for a person
setopt nobanghist                   # from the first line on; that was begun before the first hook runs

if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then . "${ZDOTDIR:-$HOME}/.zshenv"; fi
