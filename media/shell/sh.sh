# Glass TTY's shell integration for sh: dash, busybox ash, ksh, or bash as sh. They read it because ENV names it.
# Prompts are all there is: no mark tells where output starts, and after an empty line the last code comes again.

__glass_nonce=${GLASS_TTY_NONCE-}
__glass_exports=${GLASS_TTY_EXPORTS-}
if [ -n "${GLASS_TTY_ENV-}" ]; then ENV=$GLASS_TTY_ENV; else unset ENV; fi
unset GLASS_TTY_NONCE GLASS_TTY_EXPORTS GLASS_TTY_ENV

# The user's own, as the shell would have read it: expanded, and no complaint when it is not there.
if [ -n "${ENV-}" ]; then
  eval "__glass_file=\"$ENV\""
  if [ -r "$__glass_file" ]; then . "$__glass_file"; fi
fi
eval "$__glass_exports"

# What takes no room on the line stands between these, where the shell has a line editor that counts.
__glass_open='' __glass_close='' __glass_first=''
case ${BASH_VERSION-}${KSH_VERSION-}$(readlink "/proc/$$/exe" 2>/dev/null) in
  *MIRBSD*) # mksh takes any byte for it that PS1 starts with, CR following
    __glass_open=$(printf '\001') __glass_close=$__glass_open __glass_first=$__glass_open$(printf '\r')
    ;;
  [0-9]* | *busybox*) __glass_open='\[' __glass_close='\]' ;;
esac

# The nonce stays a variable: an exported PS1 does not carry it then, and shows nothing in a child shell.
__glass_osc=$(printf '\033]633;') __glass_bell=$(printf '\007')
__glass_mark() { # to __glass_text
  __glass_text="$__glass_open\${__glass_nonce:+$__glass_osc$1;\$__glass_nonce$__glass_bell}$__glass_close"
}
__glass_mark 'D;$?'
__glass_first=$__glass_first$__glass_text
__glass_mark 'P;Cwd=$PWD'
__glass_first=$__glass_first$__glass_text
__glass_mark A
__glass_first=$__glass_first$__glass_text
__glass_mark B
PS1=$__glass_first${PS1-\$ }$__glass_text

if [ -n "${KSH_VERSION-}" ]; then # expands nothing in PS2
  PS2="${__glass_osc}F;$__glass_nonce$__glass_bell${PS2-> }${__glass_osc}G;$__glass_nonce$__glass_bell"
else
  __glass_mark F
  __glass_first=$__glass_text
  __glass_mark G
  PS2=$__glass_first${PS2-> }$__glass_text
fi
unset __glass_exports __glass_file __glass_open __glass_close __glass_first __glass_osc __glass_bell __glass_text
