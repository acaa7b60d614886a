"""What a shell may offer for a word that is being typed: names of ours, never of files, and cheap to find."""

from tallymark.cli.endings import usage

OPTIONS = ("--install-completion", "--show-completion")
"""The options of the program that are about completion."""
_SHELLS = ("bash", "zsh", "fish", "pwsh", "powershell")


def check_shell() -> None:
    """Refuses where nobody can tell which shell is asking, or where it is another: typer's own words are no error."""
    import shellingham  # what typer asks, and brings with it

    try:
        name = str(shellingham.detect_shell()[0])
    except (shellingham.ShellDetectionFailure, OSError):
        raise usage("cannot tell which shell this is", "run it in bash, zsh or fish itself") from None
    if name not in _SHELLS:
        raise usage(f"{name} is a shell without completion here", "there is completion for bash, zsh and fish")


def methodology_names(incomplete: str) -> list[tuple[str, str]]:
    """The shipped methodologies that begin so, by name and by id, with their titles.

    >>> methodology_names("lich")
    [('lichess', 'Glicko-2 as lichess.org runs it'), ('lichess-1', 'Glicko-2 as lichess.org runs it')]
    """
    from tallymark.methodology import latest, shipped

    titles = {rules.id: rules.title for rules in shipped()}
    names = {**{name: titles[id_] for name, id_ in latest().items()}, **titles}
    return [(name, names[name]) for name in sorted(names) if name.startswith(incomplete)]


def column_names(incomplete: str) -> list[str]:
    """The canonical names of columns that begin so, ready for the file's own.

    >>> column_names("score")
    ['score_a=']
    """
    from tallymark.games.shapes.names import COLUMNS

    return [f"{name}=" for name in COLUMNS if name.startswith(incomplete)]


def tie_break_names(incomplete: str) -> list[str]:
    """The last word of a list of tie-breaks, each with the words before it.

    >>> tie_break_names("wins,b")
    ['wins,buchholz']
    """
    from tallymark.standings import TieBreak

    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    return [f"{before}{comma}{one}" for one in TieBreak if one.startswith(last) and one not in taken]
