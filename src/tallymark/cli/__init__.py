"""The command line: one module a command, thin. Commands import the library inside, so that `--help` starts at once."""

import sys


def main() -> None:
    """The program `tallymark`: takes its words from `sys.argv` and ends the process with an exit code of `endings`."""
    from tallymark.cli import signals

    try:
        signals.listen()
        from tallymark.cli.program import app

        app()
    except KeyboardInterrupt:  # while the program itself was still loading; `Program` sees to the rest
        sys.exit(128 + (signals.caught() or 2))
