"""The page about files lists every spelling and every word, and none that is not known."""

import re

from pages import REPOSITORY

from tallymark.games.shapes import results, spellings
from tallymark.games.vocabulary import ENDINGS

PAGE = (REPOSITORY / "docs" / "guide" / "files.md").read_text(encoding="utf-8")


def part(title: str, following: str) -> str:
    return PAGE[PAGE.index(f"## {title}") : PAGE.index(f"## {following}")]


def words(text: str) -> set[str]:
    rows = [line.split(" | ", 1)[1] for line in text.splitlines() if line.startswith("| ") and " | " in line]
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


def test_pairs_of_sides() -> None:
    rows = dict(re.findall(r"^\| ([^|]+) \| (`[^|]+) \|$", part("Two sides", "Everything else"), re.MULTILINE))
    listed = {label: re.findall(r"`(\w+)`/`(\w+)`", row) for label, row in rows.items()}
    assert listed == {sides.label: list(sides.pairs) for sides in spellings.SIDES}


NAMES = {
    "two scores": [name for pair in spellings.SCORES for name in pair],
    "a result in words": spellings.RESULTS,
    "a score of both in one cell": spellings.SCORELINES,
    "a score beside winner and loser": spellings.LINES,
    "a pairing": spellings.PAIRINGS,
    "the time": [name for tier in spellings.TIMES for name in tier],
    "an ending": spellings.ENDINGS,
    "an id of a game": spellings.GAME_IDS,
    "a player of an entry": [*spellings.PLAYERS, *spellings.TEAMS],
    "a match of entries": spellings.MATCHES,
    "a rank": spellings.RANKS,
    "points of an entry": spellings.POINTS,
    "the side of an entry": spellings.SIDE,
    "counts": [
        *(*spellings.WINS, *spellings.LOSSES, *spellings.DRAWS),
        *(*spellings.COUNTED, *spellings.OPPONENTS),
    ],
}


def test_other_spellings() -> None:
    rows = dict(re.findall(r"^\| ([^|]+) \| (`[^|]+) \|$", part("Everything else", "Asked"), re.MULTILINE))
    assert set(rows) == set(NAMES)
    for label, names in NAMES.items():
        assert re.findall(r"`([^`]+)`", rows[label])[: len(names)] == list(names), label


def test_words_of_results_and_endings() -> None:
    listed = {word.casefold() for word in words(part("Words for a result", "Words for an ending"))}
    for known in (results.WON, results.DRAWN, results.LOST, results.ENDED, results.OVER, results.NOTHING):
        assert set(known) - {"1/2 - 1/2"} <= listed
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", part("Words for an ending", "Numbers"), re.MULTILINE)
    assert {ending: "; ".join(re.findall("`([^`]+)`", row)) for ending, row in rows} == dict(ENDINGS)
