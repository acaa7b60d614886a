"""Which columns of a file of games tell the result, and when and how a game was played."""

import re
from typing import Final

from tallymark.errors import InputError, ReadError
from tallymark.games.ids import is_missing
from tallymark.games.shapes.alphabets import Alphabet
from tallymark.games.shapes.head import Choice, Head, choices, pairs
from tallymark.games.shapes.lines import parse_line
from tallymark.games.shapes.names import TELLING_NAMES
from tallymark.games.shapes.results import NOTHING, Outcome, known_word, plainly
from tallymark.games.shapes.spellings import (
    ENDINGS,
    GAME_IDS,
    INSTANTS,
    LINES,
    OPPONENTS,
    RESULTS,
    SCORELINES,
    SCORES,
    TIMES,
    WINNERS_SCORES,
)
from tallymark.games.shapes.telling import TELLING, shape_of
from tallymark.games.vocabulary import Ending

_INSTANT: Final = re.compile(
    r"\s*\D?(?:(?:19|20)[0-9]{2}[-./]?[01][0-9][-./]?[0-3][0-9]|[0-9]{1,2}[-./][0-9]{1,2}[-./][0-9]{2,4}|1?[0-9]{9,12})\b.*"
    r"|\s*(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]T.*"
)

_HOUR: Final = re.compile(r"\s*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]m)?\s*", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[0-9.,]+")
_OTHERWISE: Final = ("player_a", "player_b", "winner", "loser", "winner_side", "preference")
"""Canonical names that are not taken from the header here: the sides are found before, the others count when mapped."""


def find_way(choice: Choice, head: Head) -> tuple[str, ...]:
    """Takes the columns that tell the result; the way of telling. ReadError where two of them disagree."""
    for name in TELLING_NAMES:
        if name in head.names and name not in _OTHERWISE and choice.wants(name):
            choice.take(head, name, head.own(name))
    for at in head.spelt("scorea"):
        if choice.wants("score_a"):
            choice.take(head, "score_a", at)
    players = ("player_a", "player_b")
    known = {**choice.columns, **dict.fromkeys(players if "pairing" in choice.columns else ())}
    way = shape_of(known, dict.fromkeys(choice.mapped & set(choice.columns)))
    if way == TELLING[2] and not choice.mapped & {"result", "pairing"}:
        way = _results(choice, head, own=True) or way
    if way is None and all(name in known for name in players):
        way = _scores(choice, head) or _results(choice, head)
    if way == ("winner", "loser"):
        _line(choice, head)
        _ask_about_winners(choice, head)
    if way is None:
        return TELLING[0]
    kept = {*way, *("result" for _ in way if way == ("winner", "loser"))}
    if way == TELLING[0] and "score_a" not in choice.mapped:
        _ask_about_points(choice, head)
    if way == TELLING[0]:
        _ask_about_words(choice, head)
    choice.columns = {name: at for name, at in choice.columns.items() if name in kept or name not in TELLING_NAMES}
    return way


def find_shared(choice: Choice, head: Head, games: bool) -> None:
    """Takes when a game was played, how it ended and (of `games`) its id, where the header has them."""
    if choice.wants("played_at"):
        _time(choice, head)
    if choice.wants("ending"):
        for at in head.spelt(*ENDINGS)[:1]:
            words = set(head.texts(at))
            if head.names[at] == "ending" or not words or any(map(_is_ending, words)):
                choice.take(head, "ending", at)
            else:
                choice.notes.append(f"{head.names[at]} is not read: its cells are no endings ({min(words)!r})")
    if games and choice.wants("game", "match"):
        _game_id(choice, head)


def _game_id(choice: Choice, head: Head) -> None:
    """Takes the id of a game: one that no two rows share, or only rows of the same two sides, a game told again.

    A match has games enough of the same sides; its id is that of a game only where no rows share it.
    """
    from_both_sides = bool({*choice.columns.get("player_b", ())} & {*head.spelt(*OPPONENTS)})
    for at in head.spelt(*GAME_IDS):
        cells = head.texts(at)
        unique = len(set(cells)) == len(cells)
        if not cells or (from_both_sides and not unique):
            continue
        if unique or (head.plains[at] != "matchid" and _one_game_an_id(choice, head, at)):
            choice.take(head, "game", at)
            return
        choice.notes.append(
            f"{head.names[at]} is not read: rows share it; columns={{'game': {head.names[at]!r}}} makes one game of "
            f"them, columns={{'match': {head.names[at]!r}}} rates them together"
        )


def _one_game_an_id(choice: Choice, head: Head, at: int) -> bool:
    """Whether all rows that share an id are of the same sides, whichever stands first."""
    sides = [where for name in ("player_a", "player_b", "winner", "loser") for where in choice.columns.get(name, ())]
    if not sides:
        return False
    met: dict[str, set[tuple[str, ...]]] = {}
    for row in head.sample:
        if len(row) == len(head.names) and not is_missing(row[at]):
            met.setdefault(str(row[at]), set()).add(tuple(sorted(str(row[side]) for side in sides)))
    return all(len(players) == 1 for players in met.values())


def _time(choice: Choice, head: Head) -> None:
    for tier in TIMES:
        hits = head.spelt(*tier)
        if tier is INSTANTS:
            hits = [at for at in hits if (cells := head.texts(at)) and all(map(_INSTANT.fullmatch, cells))]
        if "played_at" in head.names:
            hits = [head.own("played_at")]
        if len(hits) > 1:
            raise ReadError(
                f"{head.file} has several columns for the time: {', '.join(head.names[at] for at in hits)}",
                hint=f"say which one counts: {choices(head, [{'played_at': at} for at in hits])}",
            )
        if hits:
            choice.take(head, "played_at", hits[0])
            _hour(choice, head)
            return


def _hour(choice: Choice, head: Head) -> None:
    """Names a column of the hour beside that of the day: it is not read, and games of one day are in no order by it."""
    for at in head.spelt(*INSTANTS):
        cells = head.texts(at)
        if (at,) != choice.columns["played_at"] and cells and all(map(_HOUR.fullmatch, cells)):
            choice.notes.append(
                f"{head.names[at]} is not read: games of one day are taken in the order of their rows; "
                "day and hour in one column count"
            )


def _scores(choice: Choice, head: Head) -> tuple[str, ...] | None:
    found = list(dict.fromkeys(pairs(head, SCORES)))
    if len(found) > 1:
        options = [{"points_a": one, "points_b": two} for one, two in found]
        raise ReadError(
            f"{head.file} has {len(found)} pairs of scores", hint=f"say which one counts: {choices(head, options)}"
        )
    if not found or not choice.wants("points_a", "points_b"):
        return None
    choice.take(head, "points_a", found[0][0])
    choice.take(head, "points_b", found[0][1])
    choice.labels.append("two scores")
    return TELLING[1]


def _results(choice: Choice, head: Head, own: bool = False) -> tuple[str, ...] | None:
    """Takes the column of results; `own`: it has its canonical name, and is only to agree with the others."""
    found = [at for at in head.spelt(*RESULTS) if not own or head.plains[at] != "re"]  # SGF readers give both
    if not own:
        found += [at for at in head.spelt(*SCORELINES) if at not in found and _has_scores(head, at)]
    if not found or not (own or choice.wants("result")):
        return None
    for at in found:
        _ask_about_numbers(choice, head, at)
    told = [_told(choice, head, at) for at in found]
    if any(one != told[0] for one in told[1:]):
        raise ReadError(
            f"{head.file} has {len(found)} columns of results that disagree: "
            f"{', '.join(head.names[at] for at in found)}",
            hint=f"say which one counts: {choices(head, [{'result': at} for at in found])}",
        )
    if own:
        return TELLING[2]
    choice.take(head, "result", found[0])
    choice.labels.append("result in words")
    return TELLING[2]


def _has_scores(head: Head, at: int) -> bool:
    """Whether every cell of a column is a score of both sides, or a word for a result."""
    cells = set(map(plainly, head.texts(at)))
    known = all(known_word(cell) is not None for cell in cells)
    return known and any(cells) and not any(_NUMBER.fullmatch(cell) for cell in cells)


def _told(choice: Choice, head: Head, at: int) -> list[float | None]:
    """Player a's score in the rows of the sample as a column tells it, None where it does not."""
    names = [head.plains[choice.columns[n][0]] if n in choice.columns else "" for n in ("player_a", "player_b")]
    alphabet = Alphabet.of(head.texts(at), choice.seats, (names[0], names[1]))
    out: list[float | None] = []
    for row in head.sample:
        if len(row) != len(head.names):
            continue
        a, b = (str(row[choice.columns[n][0]]) if n in choice.columns else "" for n in ("player_a", "player_b"))
        try:
            outcome = alphabet.parse(str(row[at]), a, b)
            out.append(None if outcome.score != outcome.score else outcome.score)
        except InputError:
            out.append(None)
    return out


def _ask_about_numbers(choice: Choice, head: Head, at: int) -> None:
    """ReadError for a column of numbers that may be those of the sides."""
    column = head.names[at]
    cells = {plainly(cell).removesuffix(".0") for cell in head.texts(at)}
    numbers = {cell for cell in cells if cell.isdecimal() or cell == "-1"}
    players = {
        text for n in ("player_a", "player_b") if n in choice.columns for text in head.texts(choice.columns[n][0])
    }
    if not numbers or numbers <= players:
        return
    if "-1" in numbers:
        raise ReadError(
            f"{head.file}: column {column} has {', '.join(sorted(cells)[:6])}; 0 may be a draw or a loss",
            hint=f"if it is a draw: {choices(head, [{'result': at}])} with results={{'-1': 'loss', '0': 'draw'}}",
        )
    if "2" in numbers:
        raise ReadError(
            f"{head.file}: column {column} has {', '.join(sorted(cells)[:6])}; 1 and 2 may be sides or scores",
            hint=f"if 1 is a win of player_a and 2 of player_b: {choices(head, [{'winner_side': at}])}; "
            "results={'0': 'draw'} for another number",
        )
    if head.plains[at].startswith("winner") and numbers <= {"0", "1"}:
        raise ReadError(
            f"{head.file}: column {column} has {', '.join(sorted(numbers))}, which may be the number of a side or a "
            "score",
            hint=f"if 1 is a win of player_a: {choices(head, [{'score_a': at}])}; if 0 is: "
            f"{choices(head, [{'result': at}])} with results={{'0': 'win', '1': 'loss'}}",
        )


def _ask_about_points(choice: Choice, head: Head) -> None:
    """ReadError where score_a and score_b are points, not shares of one."""
    other = head.spelt("scoreb")
    if "score_a" not in choice.columns or not other:
        return
    cells = head.texts(choice.columns["score_a"][0])
    if any(re.fullmatch(r"[0-9]+(?:\.0+)?", cell) and float(cell) > 1 for cell in cells):
        one, two = choice.columns["score_a"][0], other[0]
        raise ReadError(
            f"{head.file}: {head.names[one]} goes beyond 1, and there is a {head.names[two]}; they seem to be points",
            hint=f"if more points win: {choices(head, [{'points_a': one, 'points_b': two}])}",
        )


def _ask_about_words(choice: Choice, head: Head) -> None:
    """ReadError where score_a holds no number, but words for a result, or scores of both sides."""
    if "score_a" not in choice.columns:
        return
    (at,) = choice.columns["score_a"]
    cells = [cell for cell in map(plainly, head.texts(at)) if cell not in NOTHING]
    if cells and not any(map(_NUMBER.fullmatch, cells)) and all(known_word(cell) is not None for cell in cells):
        raise ReadError(
            f"{head.file}: score_a is no number, for example {head.texts(at)[0]!r}",
            hint=f"as a result it can be read: {choices(head, [{'result': at}])}",
        )


def _ask_about_winners(choice: Choice, head: Head) -> None:
    """Names the scores of winner and loser, which are not read; ReadError where they are those of no winner."""
    found = [pair for pair in pairs(head, WINNERS_SCORES) if "result" not in choice.columns]
    for one, two in found:
        names = f"{head.names[one]} and {head.names[two]}"
        won = [
            int(str(row[one])) > int(str(row[two]))
            for row in head.sample
            if len(row) == len(head.names) and all(re.fullmatch(r"[0-9]{1,9}", str(row[at])) for at in (one, two))
        ]
        if not all(won) and not choice.mapped & {"winner", "loser"}:
            winner, loser = choice.columns["winner"][0], choice.columns["loser"][0]
            by_score = {"player_a": winner, "player_b": loser, "points_a": one, "points_b": two}
            raise ReadError(
                f"{head.file}: by {names} not every winner has more",
                hint=f"which of both counts? {choices(head, [by_score, {'winner': winner, 'loser': loser}])}",
            )
        choice.notes.append(f"{names} are not read: who won is told by the columns of winner and loser")


def _line(choice: Choice, head: Head) -> None:
    """Takes what stands beside winner and loser, where all of its cells are known."""
    if not choice.wants("result"):
        return
    found = head.spelt(*LINES)
    choice.columns.pop("result", None)
    unread: list[str] = []
    for at in found:
        wrong = next((cell for cell in head.texts(at) if not _is_line(cell)), None)
        if wrong is None:
            choice.take(head, "result", at)
            return
        unread.append(f"{head.names[at]} is not read: its cells are no results ({wrong[:20]!r})")
    choice.notes.extend(unread)


def _is_line(cell: str) -> bool:
    try:
        outcome: Outcome | None = parse_line(cell)
    except InputError:
        outcome = None
    return outcome is not None or plainly(cell) in NOTHING


def _is_ending(word: str) -> bool:
    try:
        Ending.spelt(word)
    except InputError:
        return False
    return True
