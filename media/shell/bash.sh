# Glass TTY's shell integration for bash, started as `bash --init-file bash.sh -i`. The marks are listed in README.md.
# PS0 and PS1 do most of it: their side effects cost no fork, and neither xtrace nor a DEBUG trap sees them.
# All functions stand above the user's files, whose aliases would otherwise change them.

__glass_nonce=${GLASS_TTY_NONCE-} __glass_exports=${GLASS_TTY_EXPORTS-}
# No PS0 before bash 4.4 (macOS has 3.2): there a DEBUG trap starts a command. The variable is for our tests.
__glass_old=$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404 || ${GLASS_TTY_OLD_BASH:-0}))
unset GLASS_TTY_NONCE GLASS_TTY_EXPORTS GLASS_TTY_OLD_BASH

__glass_on=('' 1)     # ${__glass_on[x]:+text}: text if x is 1. ${__glass_on[x=1,0]}: nothing, but sets x.
__glass_due=0         # a command has started and its end was not reported yet
__glass_idle=0        # a prompt was shown and nothing has started since
__glass_code=0        # $? at that prompt
__glass_hist=0        # HISTCMD at that prompt
__glass_seen=0        # HISTCMD when the last command started
__glass_person=0      # what was entered at that prompt went into the history: a person's, not an agent's
__glass_ps0=- __glass_ps1=- __glass_ps2=- __glass_pwd= __glass_cwd= __glass_text=

__glass_first_hook='{ __glass_first "$?" || :; __glass_status; } >/dev/null 2>&1'
__glass_last_hook='{ __glass_last || :; } >/dev/null 2>&1'

# Around the prompts. The nonce stays a variable, so an exported PS1 does not carry it; a child shell shows nothing then.
# PS1 reports an end only where our prompt commands were lost. In a paste it is expanded for each command, but not shown.
__glass_d='${__glass_on[__glass_due]:+\e]633;D;$?;$__glass_nonce\a}'
__glass_a='\[${__glass_nonce:+'$__glass_d
__glass_a+='\e]633;P;Cwd=$__glass_cwd;$__glass_nonce\a\e]633;A;$__glass_nonce\a}\]'
__glass_b='\[${__glass_nonce:+\e]633;B;$__glass_nonce\a}\]'
__glass_f='\[${__glass_nonce:+\e]633;F;$__glass_nonce\a}\]'
__glass_g='\[${__glass_nonce:+\e]633;G;$__glass_nonce\a}\]'

# Before each command. Later commands of one paste come here too, from bash 5.2 on without our prompt commands between.
__glass_whose='${__glass_on[(__glass_idle ? (__glass_person=HISTCMD>__glass_hist) : 0),(__glass_idle=0)]}'
__glass_say='${__glass_on[__glass_person && HISTCMD>__glass_seen]:+$({ __glass_line; } 2>/dev/null)}'
__glass_c='${__glass_nonce:+'$__glass_d$__glass_whose$__glass_say
__glass_c+='${__glass_on[__glass_seen=HISTCMD,__glass_due=1,0]}\e]633;C;$__glass_nonce\a}'

__glass_escape() { # to __glass_text
  local LC_ALL=C rest=$1 char hex
  rest=${rest//\\/\\\\} __glass_text=
  while [[ $rest =~ [[:cntrl:]\ \;] ]]; do
    char=${BASH_REMATCH[0]}
    builtin printf -v hex '\\x%02x' "'$char"
    __glass_text+=${rest%%"$char"*}$hex
    rest=${rest#*"$char"}
  done
  __glass_text+=$rest
}

__glass_line() { # prints the newest history entry as an E mark, if it is new
  local line HISTTIMEFORMAT=
  line=$(builtin history 1)
  [[ $line =~ [0-9]+ ]] && ((BASH_REMATCH[0] >= __glass_hist)) || return 0
  __glass_escape "${line#*[0-9][* ] }"
  builtin printf '\e]633;E;%s;%s\a' "$__glass_text" "$__glass_nonce"
}

# The first prompt command, given $?. Marks go to the terminal itself: stdout is closed against what other people's traps say.
__glass_first() {
  local code=$1 before=$__glass_code
  __glass_code=$1
  if ((!__glass_due)); then
    ((__glass_idle)) || return 0
    # Nothing has started: Enter, ctrl+c, or a line that bash refused, which alone brings a code of its own.
    [[ $1 != "$before" && $1 != 130 ]] || code=
  fi
  __glass_forget
  __glass_idle=0
  # Not in front any more, so $? may be another's: PS1 reports it then.
  [[ ${PROMPT_COMMAND-} == "$__glass_first_hook"* || -z $code ]] || return 0
  __glass_due=0
  builtin printf '\e]633;D;%s;%s\a' "$code" "$__glass_nonce" >/dev/tty
}

# Gives the user's prompt commands their $? back where they share a string with ours; under `set -e` that would end the shell.
__glass_status() {
  [[ $- == *e* ]] || return "$__glass_code"
}

# Of an agent's paste bash ignores only the first line, by its space. The later ones have to go too: commands, and comments
# after the last one.
__glass_forget() {
  ((__glass_due && !__glass_person && HISTCMD >= __glass_seen)) || return 0
  local HISTTIMEFORMAT= comment='^ *[0-9]+[* ] *#'
  while ((HISTCMD > __glass_seen)) && [[ $(builtin history 1) =~ $comment ]]; do
    builtin history -d $((HISTCMD - 1))
  done
  while ((__glass_seen > __glass_hist)); do
    builtin history -d $((--__glass_seen))
  done
}

# The last prompt command: whatever the user's have changed gets its marks again.
__glass_last() {
  if [[ $PWD != "$__glass_pwd" ]]; then
    __glass_pwd=$PWD
    __glass_escape "$PWD"
    __glass_cwd=$__glass_text
  fi
  __glass_idle=1 __glass_seen=$HISTCMD __glass_hist=$HISTCMD
  case :${HISTCONTROL-}: in
    *:ignorespace:* | *:ignoreboth:*) ;;
    *) HISTCONTROL=ignorespace${HISTCONTROL:+:$HISTCONTROL} ;;
  esac
  if [[ ${PS1-} != "$__glass_ps1" ]]; then
    shopt -s promptvars
    PS1=${PS1//"$__glass_a"/}
    PS1=$__glass_a${PS1//"$__glass_b"/}$__glass_b
    __glass_ps1=$PS1
  fi
  if [[ ${PS2-} != "$__glass_ps2" ]]; then
    PS2=${PS2//"$__glass_f"/}
    PS2=$__glass_f${PS2//"$__glass_g"/}$__glass_g
    __glass_ps2=$PS2
  fi
  if ((!__glass_old)) && [[ ${PS0-} != "$__glass_ps0" ]]; then
    PS0=${PS0-}
    PS0=${PS0//"$__glass_c"/}$__glass_c
    __glass_ps0=$PS0
  fi
  __glass_hook
}

# Puts our prompt commands first and last.
__glass_hook() {
  # bash-preexec takes what comes after its own last prompt command for the user's next command line: become one of its hooks.
  if [[ -n ${bash_preexec_imported-}${__bp_imported-} ]]; then
    [[ " ${precmd_functions[*]-}" == *' __glass_last' ]] || precmd_functions+=(__glass_last)
    [[ $__glass_old == 0 || " ${preexec_functions[*]-} " == *' __glass_debug '* ]] || preexec_functions+=(__glass_debug)
    return 0
  fi
  local count=${#PROMPT_COMMAND[@]} each nl=$'\n'
  local -a kept
  if [[ ${PROMPT_COMMAND-} == "$__glass_first_hook"* && $count -gt 0 &&
    ${PROMPT_COMMAND[count - 1]} == *"$__glass_last_hook" ]]; then return 0; fi
  kept=()
  for each in ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"}; do
    each=${each//"$__glass_first_hook"/:}
    each=${each//"$__glass_last_hook"/:}
    case $each in '' | : | ":$nl:") ;; *) kept+=("$each") ;; esac
  done
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501 && !__glass_old)); then
    PROMPT_COMMAND=("$__glass_first_hook" ${kept[@]+"${kept[@]}"} "$__glass_last_hook")
  else
    PROMPT_COMMAND=$__glass_first_hook$nl${kept[0]:+${kept[0]}$nl}$__glass_last_hook
  fi
}

# In place of PS0, given the first command that a DEBUG trap sees after a prompt. HISTCMD means another thing in each version
# here, so the history itself is asked, at the cost of a fork.
__glass_debug() {
  ((__glass_idle)) && [[ -z ${COMP_LINE-} && $1 != __glass_* && ${FUNCNAME[1]-} != __glass_* ]] || return 0
  __glass_idle=0 __glass_due=1 __glass_person=1
  builtin printf '%s\e]633;C;%s\a' "$(__glass_line)" "$__glass_nonce" >/dev/tty
}

__glass_start() {
  builtin set +H
  builtin eval "$__glass_exports"
  unset __glass_exports
  __glass_hook
  __glass_escape "bash $BASH_VERSION"
  builtin printf '\e]633;P;Shell=%s;%s\a' "$__glass_text" "$__glass_nonce" >/dev/tty
}

if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
{ __glass_start || :; } >/dev/null 2>&1

# A DEBUG trap of the user's must not hear of our commands. A function cannot see the trap, so this stands here.
{
  __glass_text=$(builtin trap -p DEBUG)
  __glass_text=${__glass_text#trap -- } __glass_text=${__glass_text% DEBUG}
  builtin eval "__glass_text=$__glass_text"
  if [[ -n $__glass_text ]]; then
    __glass_text='case ${FUNCNAME-}$BASH_COMMAND in (__glass_*) ;; (*) '$__glass_text$'\n;; esac'
  fi
  if ((__glass_old)); then
    __glass_text='{ __glass_debug "$BASH_COMMAND" || :; } >/dev/null 2>&1'$'\n'$__glass_text
  fi
  if [[ -n $__glass_text ]]; then builtin trap -- "$__glass_text" DEBUG; fi
} 2>/dev/null
