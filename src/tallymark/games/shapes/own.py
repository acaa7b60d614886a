"""Columns of a canonical name, however it is spelt: as it stands in the list, or like it in letters and digits."""

import re
from typing import Final

from tallymark.errors import InputError, ReadError
from tallymark.games.shapes.head import Choice, Head, choices
from tallymark.games.shapes.results import NOTHING, plainly
from tallymark.games.shapes.spellings import GAME_IDS, plain
from tallymark.games.vocabulary import Source

_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]+(?:[.,]0+)?")
_NUMBERS: Final = {"komi": _NUMBER, **dict.fromkeys(("board", "handicap", "band_a", "band_b", "steps"), _WHOLE)}


def find_own(choice: Choice, head: Head, name: str) -> None:
    """Takes the column of this canonical name, else the one that is spelt like it, if any of its cells may be one.

    Files use Board, Source and the like for other things too, so that a spelling counts by its cells. ReadError where
    two columns are spelt like the name and neither has it.

    >>> choice = Choice(frozenset(), {})
    >>> find_own(choice, Head(["Board"], [["9"]], "x.csv"), "board")
    >>> choice.said
    {'board': 'Board'}
    """
    taken = {at for several in choice.columns.values() for at in several}
    others = [at for at in head.spelt(plain(name)) if head.names[at] != name and at not in taken]
    if name in head.names:
        choice.take(head, name, head.once(name))
        choice.notes.extend(f"{head.names[at]} is not read: {name} is" for at in others)
        return
    if name in GAME_IDS:  # by what the rows share
        return
    fitting = [at for at in others if _fits(name, head.texts(at))]
    if len(fitting) > 1:
        raise ReadError(
            f"{head.file} has several columns for {name}: {', '.join(head.names[at] for at in fitting)}",
            hint=f"say which one counts: {choices(head, [{name: at} for at in fitting])}",
        )
    choice.notes.extend(
        f"{head.names[at]} is not read: its cells are no {name} ({head.texts(at)[0][:20]!r})"
        for at in others
        if at not in fitting
    )
    if fitting:
        choice.take(head, name, fitting[0])


def note_match(choice: Choice, head: Head) -> None:
    """Names a column spelt like match whose rows share it: it may be the number of a round as well, and is not read.

    >>> choice = Choice(frozenset(), {})
    >>> note_match(choice, Head(["Match"], [["1"], ["1"]], "x.csv"))
    >>> choice.notes
    ["Match is not read: columns={'match': 'Match'} rates together the games that share it"]
    """
    taken = {at for several in choice.columns.values() for at in several}
    for at in head.spelt("match"):
        cells = head.texts(at)
        if choice.wants("match") and at not in taken and len(set(cells)) < len(cells):
            choice.notes.append(
                f"{head.names[at]} is not read: columns={ {'match': head.names[at]} } rates together the games that "
                "share it"
            )


def _fits(name: str, cells: list[str]) -> bool:
    """Whether any cell may be of the column of this name; none at all say nothing against it."""
    told = [cell.strip() for cell in cells if plainly(cell) not in NOTHING]
    if not told:
        return True
    if name == "source":
        return any(map(_is_source, told))
    pattern = _NUMBERS.get(name)
    return pattern is None or any(map(pattern.fullmatch, told))


def _is_source(word: str) -> bool:
    try:
        Source.spelt(word)
    except InputError:
        return False
    return True
