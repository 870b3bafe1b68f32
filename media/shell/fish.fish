# Glass TTY's shell integration for fish, run by --init-command after the user's files. The marks are listed in README.md.

set -g __glass_nonce $GLASS_TTY_NONCE
set -g __glass_exports $GLASS_TTY_EXPORTS
set -e GLASS_TTY_NONCE
set -e GLASS_TTY_EXPORTS
eval $__glass_exports
set -e __glass_exports

set -g __glass_due no # a command has started and its end was not reported yet
set -g __glass_idle no # a prompt was shown and nothing has started since
set -g __glass_wrapped 0 # how many prompts got a wrapper
set -g __glass_bindings - # the key bindings in which Enter is wrapped

function __glass_mark # letter, value
    set -l fields $argv $__glass_nonce
    printf '\e]633;%s\a' (string join ';' -- $fields)
end

function __glass_escape
    set -l text (string replace -a '\\' '\\\\' -- $argv[1] | string collect)
    set text (string replace -a \n '\\x0a' -- $text | string collect)
    while set -l byte (string match -r '[\x01-\x20;\x7f]' -- $text)
        set text (string replace -a -- $byte (printf '\\\\x%02x' "'$byte") $text)
    end
    printf %s $text
end

# Before the prompt. B is in the prompt itself, since only the end of that is where the line editor reads.
function __glass_prompt_start
    __glass_mark P Cwd=(__glass_escape $PWD)
    __glass_mark A
    set -g __glass_idle yes
end

function __glass_prompt --on-event fish_prompt
    if test $__glass_due = yes -o $__glass_idle = yes # Enter alone, or an end that was missed
        __glass_mark D ''
    end
    set -g __glass_due no
    __glass_wrap_prompt
    if test "$__glass_bindings" != "$fish_key_bindings"
        set -g __glass_bindings $fish_key_bindings
        __glass_wrap_enter \r
        __glass_wrap_enter \n
    end
    __glass_prompt_start
end

function __glass_preexec --on-event fish_preexec
    set -g __glass_due yes
    set -g __glass_idle no
    __glass_mark E (__glass_escape $argv[1])
    __glass_mark C
end

function __glass_postexec --on-event fish_postexec
    set -l code $status
    __glass_mark D $code
    set -g __glass_due no
end

# ctrl+c: fish draws the same prompt again, without fish_prompt.
function __glass_cancel --on-event fish_cancel
    __glass_mark D ''
    __glass_prompt_start
end

# fish has refused the line and said why.
function __glass_refused --on-event fish_posterror
    __glass_mark D 127
    __glass_prompt_start
end

# The user's prompt runs first, for it may look at $status. Each wrapper calls a prompt of its own: what was wrapped may be
# copied and called from a new prompt, as virtual environments do.
function __glass_wrap_prompt
    if functions fish_prompt | string match -q '*__glass_mark B*'
        return
    end
    set -g __glass_wrapped (math $__glass_wrapped + 1)
    functions -c fish_prompt __glass_prompt_$__glass_wrapped
    eval "function fish_prompt; __glass_prompt_$__glass_wrapped; __glass_mark B; end"
end

# Binds Enter, in every mode where it is bound but for the inside of a paste, to a function that looks at the line and then does what Enter did before.
function __glass_wrap_enter # key
    for mode in (string match -v paste (bind --list-modes))
        set -l bound (bind --user -M $mode $argv[1] 2>/dev/null; or bind --preset -M $mode $argv[1] 2>/dev/null)
        if test -n "$bound"; and not string match -q '*__glass_enter*' -- $bound
            eval __glass_bind (string escape -- $argv[1]) $mode (string replace -r '^bind ' '' -- $bound[1])
        end
    end
end

function __glass_bind # key, mode, then the arguments of the old binding
    set -l key $argv[1]
    set -l mode $argv[2]
    argparse -i preset user s/silent 'M/mode=' 'm/sets-mode=' -- $argv[3..]
    set -l sets
    if set -q _flag_sets_mode
        set sets -m $_flag_sets_mode
    end
    bind -M $mode $sets $key "__glass_enter "(string join ' ' -- (string escape -- $argv[2..]))
end

function __glass_enter # the commands of the old binding
    set -l line (commandline | string collect)
    set -l refused no
    if string match -qr '\S' -- $line
        commandline --is-valid
        switch $status
            case 1
                set refused yes
                __glass_mark E (__glass_escape $line)
                __glass_mark C
            case 2
                __glass_mark F
                __glass_mark G
        end
    end
    for command in $argv
        if contains -- $command (bind --function-names)
            commandline -f $command
        else
            eval $command
        end
    end
    if test $refused = yes
        # fish leaves the line in the editor, where an agent's next line would be added to it. A person can still yank it.
        commandline -f beginning-of-buffer begin-selection end-of-buffer kill-selection end-selection
    end
end

__glass_mark P Shell=(__glass_escape "fish $version")
