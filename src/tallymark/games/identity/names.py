"""Ids that look alike, and ids and names that do not go together one to one."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from tallymark.checked import shortened
from tallymark.games.byes import is_bye
from tallymark.games.columns import Cells
from tallymark.games.ids import Id, exact_items

NAMES: Final = (("player_a", "name_a"), ("player_b", "name_b"), ("player", "name"))
"""Columns of ids, and those of the names that go with them."""

_EXAMPLES: Final = 3
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_BLANKS: Final = re.compile(r"\s+")


def lookalikes(ids: Iterable[Id]) -> list[str]:
    """A note for each thing in which alone ids differ: characters nobody sees, Unicode form, blanks, case, an umlaut
    that is spelt out, punctuation, the order of words. Words for a bye may be spelt as they like.

    >>> lookalikes(["Ann", "ann", "Bob", 7])
    ["ids that differ only in case: 'Ann' and 'ann'; aliases says which are one"]
    """
    texts = [one for one in ids if isinstance(one, str)]
    whole = "\n".join(texts)
    if whole.isascii() and "".join(texts).isalnum() and len(set(whole.lower().split("\n"))) == len(texts):
        return []  # nothing but case could be overlooked
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_folded(text), []).append(text)
    seen: set[str] = set()
    twice: set[str] = set()
    for folded in groups:
        for key in _spellings(folded):
            (twice if key in seen else seen).add(key)
    alike = [
        folded for folded, own in groups.items() if len(own) > 1 or (twice and not twice.isdisjoint(_spellings(folded)))
    ]
    found: dict[str, list[list[str]]] = {}
    for keys in together(alike, _spellings):
        group = [text for key in keys for text in groups[key]]
        if len(group) > 1 and not any(map(is_bye, group)):
            kinds = _difference(group) if len(keys) == 1 else _loose_difference(group)
            found.setdefault(kinds, []).append(group)
    return [_note(kinds, several) for kinds, several in found.items()]


def alike(new: Iterable[Id], known: Iterable[Id]) -> list[tuple[str, str]]:
    """The new ids that are none of the known ones, each with the first of them that it looks like: but for blanks,
    case, accents, punctuation, what nobody sees.

    >>> alike(["ANNA", "Jos\u00e9", "bob", "bo"], ["anna", "jose", "bob"])
    [('ANNA', 'anna'), ('José', 'jose')]
    """
    fresh = {one for one in new if isinstance(one, str)}
    first: dict[str, str] = {}
    for one in known:
        if isinstance(one, str):
            fresh.discard(one)
            first.setdefault(_bare(one), one)
    return [(one, first[_bare(one)]) for one in sorted(fresh) if _bare(one) in first]


def together(texts: Iterable[str], keys_of: Callable[[str], tuple[str, ...]]) -> list[list[str]]:
    """The texts in groups: those that have one of their keys in common, or are in a chain of such.

    >>> together(["ab", "bc", "d"], tuple)
    [['ab', 'bc'], ['d']]
    """
    group_of: dict[str, list[str]] = {}
    groups: dict[int, list[str]] = {}
    for text in texts:
        keys = keys_of(text)
        met = list({id(group_of[key]): group_of[key] for key in keys if key in group_of}.values())
        group = min(met, key=lambda one: one[0]) if len(met) > 1 else met[0] if met else []
        for other in met:
            if other is not group:
                group += other
                del groups[id(other)]
                for key in [key for one in other for key in keys_of(one)]:
                    group_of[key] = group
        group.append(text)
        groups[id(group)] = group
        for key in keys:
            group_of[key] = group
    return list(groups.values())


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


def _loose_difference(group: list[str]) -> str:
    """The same for a group that is one only where spellings of a name are: the umlauts, punctuation, order of it."""
    kinds = [*(kind for kind in _STEPS if kind != "blanks"), _LETTERS, _MARKS, _ORDER]
    needed = [kind for kind in kinds if len(together(group, partial(_without, kind))) > 1]
    return " and ".join(needed) or f"{_MARKS} and {_ORDER}"


def _without(kind: str, text: str) -> tuple[str, ...]:
    """What an id has in common with other spellings of a name, where things of this kind count."""
    for other, step in _STEPS.items():
        text = text if other == kind else step(text)
    return _spellings(text, kind)


def _spellings(folded: str, counts: str = "") -> tuple[str, ...]:
    """What a folded id has in common with other spellings of a name: its letters in a row, and its words in order.

    `counts` is a kind of thing that is not overlooked.
    """
    plain = folded if folded.isascii() or counts == _LETTERS else folded.translate(_UMLAUTS)
    if plain.isalnum():
        return (plain,)
    if counts == _MARKS:
        return (_sorted(plain),)
    inside = _BETWEEN_DIGITS.sub("\0", plain)  # 1.5 is not 15
    letters = _PUNCTUATION.sub("", inside)
    if not letters:
        return (plain,)
    return (letters,) if counts == _ORDER else (letters, f" {_sorted(_PUNCTUATION.sub(' ', inside))}")


def _sorted(text: str) -> str:
    """The words of a text by themselves, whatever their order; where one is no word, as they are."""
    words = text.split()
    return " ".join(sorted(words) if all(map(str.isalpha, words)) else words)


def _folded(text: str) -> str:
    """A text as it is when nothing counts but what is read."""
    if text.isascii():
        return " ".join(text.split()).lower()
    if text.isprintable() and unicodedata.is_normalized("NFKC", text):  # then the first steps leave it as it is
        return unicodedata.normalize("NFKC", _spaced(text).casefold())
    for step in _STEPS.values():
        text = step(text)
    return unicodedata.normalize("NFKC", text)


def _bare(text: str) -> str:
    """A folded text without its accents and punctuation."""
    folded = _folded(text)
    if not folded.isascii():
        folded = "".join(one for one in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(one))
    return _spellings(folded)[0]


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
    "case": lambda text: "\u00df".join(map(str.casefold, text.replace("\u1e9e", "\u00df").split("\u00df"))),
    "\u00df for ss": lambda text: text.replace("\u00df", "ss"),
}
"""What is overlooked, one thing after the other, until ids that look alike are one."""
_PUNCTUATION: Final = re.compile(r"[\s.,;:'`\"\u00b4\u2018\u2019()/_\u2010-\u2014-]+")
_BETWEEN_DIGITS: Final = re.compile(r"(?<=[0-9])" + _PUNCTUATION.pattern + r"(?=[0-9])")
_UMLAUTS: Final = str.maketrans({"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00df": "ss"})
_LETTERS: Final = "letters spelt out (\u00fc as ue)"
_MARKS: Final = "punctuation or blanks"
_ORDER: Final = "the order of words"


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
