"""Rows checked one rule at a time: columns as given become codes and numbers, and every fault is named."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games import ids, times
from tallymark.games.byes import note_byes, reject_nobody
from tallymark.games.choices import Choices
from tallymark.games.coded import Coded
from tallymark.games.columns import Cells, numbers, words
from tallymark.games.decimals import decimals
from tallymark.games.duplicates import check_duplicates, check_repeats, note_conflicts, same
from tallymark.games.orders import check_order
from tallymark.games.report import Findings, Reason
from tallymark.games.texts import Text
from tallymark.games.threads import in_background
from tallymark.games.vocabulary import BANDS, BANDS_ARE, Ending, Source

_AT_ONCE = 1 << 16
_INT32_MAX = np.iinfo(np.int32).max


def check_games(cells: dict[str, Cells], findings: Findings) -> Coded:
    """Two-player rows, coded; `findings` holds what is wrong. `cells` is by canonical name, all of one length.

    Large columns are taken out of `cells` as they are done with, for there is not always room for two forms of all.
    """
    n = len(findings)
    game = in_background(partial(ids.encode_many, cells.pop("game"), "game")) if "game" in cells else None
    a, b, players = _seats(cells.pop("player_a"), cells.pop("player_b"))
    reject_nobody("player_a", a, players, findings)
    reject_nobody("player_b", b, players, findings)
    findings.reject(a == b, Reason.SELF_PLAY, lambda row: f"{shortened(players[a[row]])} plays against itself")
    score = check_scores(cells.pop("score_a"), findings)
    pools, pool = check_pools(cells.get("pool"), findings)
    coded = Coded(players, a, b, score, pools, pool, np.arange(n, dtype=np.int64))
    coded.time = check_times(cells.pop("played_at", None), findings)
    if "order" in cells:
        coded.order = check_order(cells["order"], findings)
    if "match" in cells:
        coded.match, coded.matches = ids.encode(cells.pop("match"), "match")
    if game is not None:
        coded.game, coded.games = game.result()
    for name in ("steps", "board", "handicap"):
        if name in cells:
            setattr(coded, name, check_whole(cells[name], name, findings))
    for name in ("band_a", "band_b"):
        if name in cells:
            setattr(coded, name, _check_bands(cells[name], name, findings))
    if "komi" in cells:
        coded.komi = _check_komi(cells["komi"], findings)
    coded.ending, coded.source = check_words(cells, findings)
    note_byes(coded, findings)
    check_duplicates(coded, findings)
    check_matches(coded, findings)
    return coded


def check_choices(coded: Coded, choices: Choices, findings: Findings) -> None:
    """What could be games and yet may not be wanted: outside the range, told before, told otherwise."""
    check_range(coded.time, choices, findings)
    check_repeats(coded, findings, choices.dedupe)
    note_conflicts(coded, findings)


def check_scores(cells: Cells, findings: Findings) -> NDArray[np.float64]:
    """player_a's scores; missing, non-numeric and out-of-range ones are rejected."""
    score, wrong = decimals(cells, "score_a", findings)
    if not wrong and all(
        part.min() >= 0.0 and part.max() <= 1.0 for part in parts(score)
    ):  # nor is the least of any NaN
        return score
    findings.reject(wrong, Reason.BAD_SCORE, lambda row: f"score_a is {shortened(wrong[row])}, which is not a number")
    findings.reject(np.isnan(score), Reason.NO_RESULT, lambda _: "score_a is empty: no result")
    outside = ~((score >= 0.0) & (score <= 1.0))
    findings.reject(outside, Reason.BAD_SCORE, lambda row: f"score_a is {score[row]:g}; scores lie from 0 to 1")
    return score


def check_times(cells: Cells | None, findings: Findings) -> NDArray[np.int64] | None:
    """Instants, or None when no row has a time; with times in some rows, those without are rejected."""
    if cells is not None:
        instants, wrong = times.parse_times(cells)
        findings.reject(wrong, Reason.BAD_TIME, lambda row: f"played_at: {wrong[row]}")
        if not wrong and len(instants) and isinstance(cells, np.ndarray) and cells.dtype.kind in "iu":
            return instants  # whole seconds, of which none can be missing
        missing = instants == times.NO_TIME
        if wrong or not missing.all():
            findings.reject(missing, Reason.MISSING_TIME, lambda _: times.MISSING)
            return instants
    return None


def parts(values: np.ndarray) -> Iterator[np.ndarray]:
    """A column part by part: what is looked at twice stays near the processor.

    >>> [part.tolist() for part in parts(np.array([1, 2]))]
    [[1, 2]]
    """
    return (values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE))


def check_range(time: NDArray[np.int64] | None, choices: Choices, findings: Findings) -> None:
    """Reject what lies outside the range of times that is wanted."""
    since, until = choices.since, choices.until
    if since is None and until is None:
        return
    if time is None:
        if findings.open.any():
            hint = "name their column: columns={'played_at': '...'}"
            raise InputError("since and until need times, and no row has one", hint=hint)
        return
    if since is not None:
        _reject_outside(time, time < since, f"before since, {times.format_instant(since)}", findings)
    if until is not None:
        _reject_outside(time, time >= until, f"not before until, {times.format_instant(until)}", findings)


def _reject_outside(time: NDArray[np.int64], outside: NDArray[np.bool_], why: str, findings: Findings) -> None:
    findings.reject(
        outside, Reason.OUTSIDE_RANGE, lambda row: f"played_at is {times.format_instant(int(time[row]))}, {why}"
    )


def check_pools(cells: Cells | None, findings: Findings) -> tuple[list[str], NDArray[np.int32]]:
    """Pool names in code-point order and a code a row; without a column one pool, named ""."""
    if cells is None:
        return [""], np.zeros(len(findings), dtype=np.int32)
    codes, table = ids.encode(words(cells, "pool"), "pool")
    findings.reject(codes < 0, Reason.MISSING_POOL, lambda _: "pool is empty")
    return [str(pool) for pool in table], codes


def check_words(
    cells: Mapping[str, Cells], findings: Findings
) -> tuple[NDArray[np.int8] | None, NDArray[np.int8] | None]:
    """Codes of the `ending` and `source` columns (-1 = missing), None where there is no such column."""
    ending = (
        _check_word(cells["ending"], "ending", Ending, Reason.UNKNOWN_ENDING, findings) if "ending" in cells else None
    )
    source = (
        _check_word(cells["source"], "source", Source, Reason.UNKNOWN_SOURCE, findings) if "source" in cells else None
    )
    return ending, source


def check_matches(coded: Coded, findings: Findings) -> None:
    """Reject whole matches whose rows differ in time or pool: they cannot be rated at one moment, in one pool."""
    if coded.match is not None and coded.matches is not None:
        for name, values in (("played_at", coded.time), ("pool", coded.pool)):
            if values is not None:
                reject_differing(coded.match, coded.matches, name, values, findings)


def reject_differing(
    match: NDArray[np.int32], matches: list[ids.Id], name: str, values: np.ndarray, findings: Findings
) -> None:
    """Reject the matches in which the values of a column are not all one."""
    rows = np.flatnonzero(findings.open & (match >= 0))
    if not len(rows):
        return
    first = np.zeros(len(matches), dtype=np.int64)
    first[match[rows][::-1]] = rows[::-1]
    apart = np.zeros(len(matches), dtype=bool)
    apart[match[rows][~same(values[rows], values[first[match[rows]]])]] = True
    differs = (match >= 0) & apart[match]
    findings.reject(
        differs,
        Reason.MATCH_DIFFERS,
        lambda row: f"the rows of match {shortened(matches[match[row]])} differ in {name}",
    )


def check_whole(cells: Cells, name: str, findings: Findings) -> NDArray[np.int32]:
    values, wrong = numbers(cells)
    findings.reject(wrong, Reason.BAD_NUMBER, lambda row: f"{name} is {shortened(wrong[row])}, which is not a number")
    missing = np.isnan(values)
    fits = (values >= 0) & (values <= _INT32_MAX) & (np.floor(values) == values)
    findings.reject(
        ~missing & ~fits, Reason.BAD_NUMBER, lambda row: f"{name} is {values[row]:g}; it is a whole number from 0"
    )
    return np.where(fits, values, -1.0).astype(np.int32)


def _check_bands(cells: Cells, name: str, findings: Findings) -> NDArray[np.int32]:
    """Starting bands, -1 where a cell is empty."""
    bands = check_whole(cells, name, findings)
    findings.reject(
        bands > BANDS,
        Reason.BAD_NUMBER,
        lambda row: f"{name} is {bands[row]}; {BANDS_ARE}",
    )
    return bands


def _check_komi(cells: Cells, findings: Findings) -> NDArray[np.float64]:
    values, wrong = decimals(cells, "komi", findings)
    findings.reject(wrong, Reason.BAD_NUMBER, lambda row: f"komi is {shortened(wrong[row])}, which is not a number")
    findings.reject(np.isinf(values), Reason.BAD_NUMBER, lambda _: "komi is not finite")
    return values


def _check_word(
    cells: Cells, name: str, kind: type[Ending] | type[Source], reason: Reason, findings: Findings
) -> NDArray[np.int8]:
    items = words(cells, name)
    known: dict[str | None, int] = {None: -1}
    faults: dict[str | None, str] = {}
    for word in set(items) - {None}:
        try:
            known[word] = kind.spelt(str(word)).code
        except InputError as error:
            known[word] = -1
            faults[word] = error.message + (f"; {error.hint}" if error.hint else "")
    if faults:
        findings.reject(
            [row for row, word in enumerate(items) if word in faults], reason, lambda row: faults[items[row]]
        )
    return np.fromiter(map(known.__getitem__, items), np.int8, len(items))


def _seats(a: Cells, b: Cells) -> tuple[NDArray[np.int32], NDArray[np.int32], Sequence[ids.Id]]:
    """The codes of the two columns of players, and the ids of both."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.dtype == b.dtype and a.dtype.kind in "iu":
        (one, two), players = ids.encode_integers([a, b], "player")
        return one, two, players
    if isinstance(a, Text) and isinstance(b, Text):
        (one, two), players = ids.encode_texts([a, b], "player")
        return one, two, players
    n = len(a)
    items = [*ids.exact_items(a, "player_a"), *ids.exact_items(b, "player_b")]
    codes, players = ids.encode(items, "player")
    return codes[:n], codes[n:], players
