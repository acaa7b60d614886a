"""Ids that look alike, and ids and names that do not go together one to one."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from tallymark.checked import shortened
from tallymark.games.columns import Cells
from tallymark.games.ids import Id, exact_items

NAMES: Final = (("player_a", "name_a"), ("player_b", "name_b"), ("player", "name"))
"""Columns of ids, and those of the names that go with them."""

_EXAMPLES: Final = 3
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_BLANKS: Final = re.compile(r"\s+")


def lookalikes(ids: Iterable[Id]) -> list[str]:
    """A note for each thing in which alone ids differ: characters nobody sees, Unicode form, blanks, case.

    >>> lookalikes(["Ann", "ann", "Bob", 7])
    ["ids that differ only in case: 'Ann' and 'ann'; aliases says which are one"]
    """
    texts = [one for one in ids if isinstance(one, str)]
    folded = list(map(_folded, texts))
    if len(set(folded)) == len(texts):
        return []
    groups: dict[str, list[str]] = {}
    for key, text in zip(folded, texts, strict=True):
        groups.setdefault(key, []).append(text)
    found: dict[str, list[list[str]]] = {}
    for group in groups.values():
        if len(group) > 1:
            found.setdefault(_difference(group), []).append(group)
    return [_note(kinds, alike) for kinds, alike in found.items()]


def name_pairs(cells: Mapping[str, Cells]) -> set[tuple[object, object]]:
    """The pairs of an id and a name that the rows have, where there are columns of both."""
    pairs: set[tuple[object, object]] = set()
    for player, name in NAMES:
        if player in cells and name in cells:
            pairs |= set(zip(exact_items(cells[player], player), exact_items(cells[name], name), strict=True))
    return {(one, name) for one, name in pairs if one not in (None, "") and name not in (None, "")}


def several(pairs: Iterable[tuple[object, object]]) -> list[str]:
    """A note for ids that have several names, and one for names that several ids have; `pairs` are (id, name).

    >>> several([(1, "Ann"), (1, "Anne"), (2, "Bob")])
    ["ids with several names: 1 is 'Ann' and 'Anne'"]
    """
    names_of: dict[object, list[object]] = {}
    ids_of: dict[object, list[object]] = {}
    for one, name in sorted(pairs, key=lambda pair: (str(pair[0]), str(pair[1]))):
        names_of.setdefault(one, []).append(name)
        ids_of.setdefault(name, []).append(one)
    notes = []
    for title, found in (("ids with several names", names_of), ("names of several ids", ids_of)):
        many = [(one, others) for one, others in found.items() if len(others) > 1]
        if many:
            shown = [f"{_written(one)} is {_listed(map(_written, others))}" for one, others in many[:_EXAMPLES]]
            notes.append(f"{_counted(title, len(many))}: {'; '.join(shown)}")
    return notes


def _difference(group: list[str]) -> str:
    """What has to be overlooked for a group of ids to be one: without it they are not."""
    kinds = []
    for kind in _STEPS:
        texts = set(group)
        for other, step in _STEPS.items():
            texts = texts if other == kind else set(map(step, texts))
        if len(texts) > 1:
            kinds.append(kind)
    return " and ".join(kinds) or "Unicode form"


def _folded(text: str) -> str:
    """A text as it is when nothing counts but what is read."""
    if text.isascii():
        return " ".join(text.split()).lower()
    if text.isprintable() and unicodedata.is_normalized("NFKC", text):  # then the first steps leave it as it is
        return unicodedata.normalize("NFKC", _spaced(text).casefold())
    for step in _STEPS.values():
        text = step(text)
    return unicodedata.normalize("NFKC", text)


def _unhidden(text: str) -> str:
    return text.translate(_INVISIBLE)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _compatible(text: str) -> str:
    # Blanks are left as they are, for they are a thing of their own.
    return "".join(one if one.isspace() else unicodedata.normalize("NFKC", one) for one in re.split(r"(\s)", text))


def _spaced(text: str) -> str:
    return _BLANKS.sub(" ", text).strip(" ")


_STEPS: Final[Mapping[str, Callable[[str], str]]] = {
    "characters that are not seen": _unhidden,
    "Unicode form": lambda text: _compatible(_composed(text)),
    "blanks": _spaced,
    "case": str.casefold,
}
"""What is overlooked, one thing after the other, until ids that look alike are one."""


def _note(kinds: str, groups: list[list[str]]) -> str:
    written = ascii if "Unicode" in kinds else _written
    shown = "; ".join(_listed(map(written, group)) for group in groups[:_EXAMPLES])
    return f"{_counted(f'ids that differ only in {kinds}', len(groups))}: {shown}; aliases says which are one"


def _counted(title: str, count: int) -> str:
    return title if count == 1 else f"{title} ({count:,})"


def _listed(items: Iterable[str]) -> str:
    shown = list(items)
    more = f" and {len(shown) - _EXAMPLES:,} more" if len(shown) > _EXAMPLES else ""
    return " and ".join(shown[:_EXAMPLES]) + more


def _written(item: object) -> str:
    """An id or a name, with what nobody sees spelled out."""
    return ascii(item) if isinstance(item, str) and not item.isprintable() else shortened(item)
