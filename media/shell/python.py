# Glass TTY's integration for Python's REPL (3.6 and later), started as `python` with PYTHONSTARTUP naming this file.
# The marks are listed in README.md. All of it is in one function, so that nothing of it shows in the REPL's namespace.


def _glass_tty():
    import __future__
    import ast
    import atexit
    import builtins
    import linecache
    import os
    import shutil
    import sys
    import traceback
    import types

    environ = os.environ
    main = sys.modules["__main__"].__dict__
    nonce = environ.pop("GLASS_TTY_NONCE", "")
    exports = environ.pop("GLASS_TTY_EXPORTS", "")
    # Kept apart from what the REPL's own code does to its standard output; not inherited by its children.
    terminal = os.dup(1)
    MAX_SHOWN = 40  # lines
    state = {"failures": None, "flags": 0}
    sources = []  # names of the last submissions, whose lines tracebacks show

    def restore(name):
        value = environ.pop("GLASS_TTY_" + name, None)
        if value is None:
            environ.pop(name, None)
        else:
            environ[name] = value

    def escape(text):
        return "".join(
            "\\\\" if char == "\\" else "\\x%02x" % ord(char) if char <= " " or char in ";\x7f" else char for char in text
        )

    def mark(fields):
        return "\x1b]633;%s;%s\x07" % (fields, nonce)

    def say(text):
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        data = text.encode("utf-8", "surrogateescape")
        while data:
            data = data[os.write(terminal, data) :]

    def failures():
        # Each uncaught error leaves new ones, whatever has become of sys.excepthook.
        return getattr(sys, "last_value", None), getattr(sys, "last_traceback", None)

    def directory():
        try:
            return mark("P;Cwd=" + escape(os.getcwd()))
        except OSError:  # it has been removed
            return ""

    class Prompt:
        """A prompt with marks. Python asks for both as text once for each statement, just before it reads it."""

        def __init__(self, text):
            self.text = text

        # readline does not count what stands between \x01 and \x02.
        def around(self, begin, end):
            return "\x01%s\x02%s\x01%s\x02" % (mark(begin) if begin else "", self.text, mark(end))

    class First(Prompt):
        def __str__(self):
            # Not part of the prompt, which readline may draw again.
            say(ended() + directory() + mark("A"))
            return self.around("", "B")

    class Continuation(Prompt):
        def __str__(self):
            return self.around("F", "G")

    def ended():
        before, state["failures"] = state["failures"], failures()
        if before is None:
            # Python reads it only after this file. It is not meant for children.
            restore("PYTHON_BASIC_REPL")
            return ""
        # An error that is raised again has another traceback.
        return mark("D;%d" % any(new is not old for new, old in zip(state["failures"], before)))

    prompts = {"ps1": First, "ps2": Continuation}

    class System(types.ModuleType):
        """sys, which takes a new prompt with the marks around it."""

        def __setattr__(self, name, value):
            if name in prompts and not isinstance(value, Prompt):
                value = prompts[name](value)
            types.ModuleType.__setattr__(self, name, value)

    def show(path, source):
        """Puts the code in the place of the call that runs it, for whoever watches."""
        first, other = str(sys.ps1.text), str(sys.ps2.text)
        columns = shutil.get_terminal_size().columns or 80
        rows = -(-len("%sglass_tty('%s')" % (first, path)) // columns)
        lines = source.rstrip("\n").split("\n")
        if len(lines) > MAX_SHOWN:
            lines[MAX_SHOWN:] = ["(%d more lines)" % (len(lines) - MAX_SHOWN)]
        shown = "".join((other if index else first) + line + "\n" for index, line in enumerate(lines))
        say("\x1b[%dA\r\x1b[J" % rows + shown.replace("\x1b", "^["))

    def remember(source):
        name = "<input %d>" % (int(sources[-1][7:-1]) + 1 if sources else 1)
        sources.append(name)
        if len(sources) > 100:
            linecache.cache.pop(sources.pop(0), None)
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        return name

    def report():
        kind, value, trace = sys.exc_info()
        # Without the frame of `glass_tty`, and without those of the compiler.
        trace = None if isinstance(value, SyntaxError) and not trace.tb_next else trace.tb_next
        value.__traceback__ = trace
        sys.last_type, sys.last_value, sys.last_traceback = kind, value, trace
        sys.last_exc = value
        if sys.excepthook is sys.__excepthook__:
            # Knows the lines of our sources, which the other one would look for in files.
            traceback.print_exception(kind, value, trace)
        else:
            sys.excepthook(kind, value, trace)

    def glass_tty(path):
        """Runs a file as if it were typed: each statement by itself, whose value is shown."""
        with open(path, encoding="utf-8") as file:
            source = file.read()
        show(path, source)
        say(mark("C"))
        name = remember(source)
        try:
            for statement in compile(source, name, "exec", state["flags"] | ast.PyCF_ONLY_AST, True).body:
                if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                    for feature in statement.names:
                        state["flags"] |= getattr(__future__, feature.name).compiler_flag
                exec(compile(ast.Interactive([statement]), name, "single", state["flags"], True), main)
        except SystemExit:
            raise
        except BaseException:
            report()

    def run_theirs(path):
        try:
            with open(path, "rb") as file:
                exec(compile(file.read(), path, "exec"), main)
        except SystemExit:
            raise
        except BaseException:
            traceback.print_exc()

    def without_history(hook):
        """The hook reads the person's history, and would write it with the agent's lines at the end."""

        def interactive():
            register = atexit.register
            atexit.register = lambda function, *_, **__: function
            try:
                hook()
            finally:
                atexit.register = register

        return interactive

    restore("PYTHONSTARTUP")
    if environ.get("PYTHONSTARTUP"):
        run_theirs(environ["PYTHONSTARTUP"])
    if hasattr(sys, "__interactivehook__"):
        sys.__interactivehook__ = without_history(sys.__interactivehook__)
    builtins.glass_tty = glass_tty
    sys.__class__ = System
    sys.ps1 = getattr(sys, "ps1", ">>> ")
    sys.ps2 = getattr(sys, "ps2", "... ")
    exec(exports, {"os": os, "sys": sys})
    say(mark("P;Shell=" + escape("python %d.%d.%d" % sys.version_info[:3])))


_glass_tty()
del _glass_tty
