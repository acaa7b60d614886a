"""Games told more than once: copies and contradictions under one game id, and identical rows without one."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.games.coded import Coded
from tallymark.games.report import Findings, Reason

_OTHERS_NAMED = 5
_DAY = 86_400_000_000
_NEAR = 16
_AT_ONCE = 1 << 16
_SPREADING = 0x9E3779B1


def check_duplicates(coded: Coded, findings: Findings) -> None:
    """One game id, several rows: copies of the first are rejected; if any differs, all wait for a decision.

    A row with a fault of its own differs from one without. Where none is sound, each keeps its fault.
    """
    if coded.game is None or coded.games is None:
        return
    codes, table = coded.game, coded.games
    rows = np.flatnonzero(codes >= 0)
    if len(rows) == len(table):  # each id is there once
        return
    count = np.bincount(codes[rows], minlength=len(table))
    rows = rows[count[codes[rows]] > 1]
    sound = np.zeros(len(table), dtype=bool)
    sound[codes[rows[findings.open[rows]]]] = True
    rows = rows[sound[codes[rows]]]
    if not len(rows):
        return
    groups: dict[int, list[int]] = {}
    for row in rows.tolist():
        groups.setdefault(int(codes[row]), []).append(row)
    first = np.array([groups[int(codes[row])][0] for row in rows.tolist()], dtype=np.int64)
    apart = np.zeros(len(table), dtype=bool)
    apart[codes[rows[~findings.open[rows]]]] = True
    for name, values in coded.per_row().items():
        if name != "row":
            apart[codes[rows][~same(values[rows], values[first])]] = True
    findings.hold(
        rows[apart[codes[rows]]].tolist(),
        Reason.CONFLICTING_GAME,
        lambda row: (
            f"game {shortened(table[codes[row]])} is told otherwise in "
            f"{_others(groups[int(codes[row])], row, findings)}"
        ),
    )
    findings.reject(
        rows[(first != rows) & ~apart[codes[rows]]].tolist(),
        Reason.DUPLICATE_GAME,
        lambda row: f"game {shortened(table[codes[row]])} is {findings.place(groups[int(codes[row])][0])} again",
    )


def check_repeats(coded: Coded, findings: Findings, dedupe: bool) -> None:
    """Rows without game ids that are equal in all to an earlier one, as their files have them. With `dedupe` they are
    rejected.

    Otherwise those with a time of day are held, for it takes a decision to say whether they are games of their own;
    those with a date alone are kept, and told. An instant at midnight UTC counts as a date alone.
    """
    if coded.time is None and not dedupe:
        return  # votes may well be alike
    again, first = _as_written(*_repeats(coded, findings), findings)
    before = dict(zip(again.tolist(), first.tolist(), strict=True))
    if dedupe:
        findings.reject(again.tolist(), Reason.DUPLICATE_ROW, lambda at: f"is {findings.place(before[at])} again")
        return
    assert coded.time is not None
    timed = coded.time[again] % _DAY != 0
    other_file = dict(
        zip(again.tolist(), (files_of(again, findings) != files_of(first, findings)).tolist(), strict=True)
    )
    findings.hold(
        again[timed].tolist(),
        Reason.SUSPECTED_DUPLICATE,
        lambda at: (
            f"as {findings.place(before[at])} in every column{' that is used' if other_file[at] else ''}; "
            "pass ids or --dedupe"
        ),
    )
    again, first = again[~timed], first[~timed]
    if not len(again):
        return
    count = len(again) + len(np.unique(first))
    findings.notes.append(f"{count:,} identical rows; pass ids or --dedupe")
    across = np.flatnonzero(files_of(again, findings) != files_of(first, findings))
    if len(across):
        one, other = (findings.place(int(at[across[0]])) for at in (again, first))
        findings.notes.append(f"{len(across):,} of them repeat a row of another file, such as {one} (as {other})")


def note_conflicts(coded: Coded, findings: Findings) -> None:
    """Games of the same players at the same time, without ids, that files tell otherwise: told, for they may be two."""
    if coded.time is None or len(findings.origin.files) < 2:
        return
    low, high = np.minimum(coded.a, coded.b), np.maximum(coded.a, coded.b)
    rows = _maybe_repeated([low, high, coded.time, coded.pool], _without_id(coded, findings))
    group, _ = _groups([values[rows] for values in (low, high, coded.time, coded.pool)])
    file, score = files_of(rows, findings), np.where(coded.a < coded.b, coded.score, 1.0 - coded.score)[rows]
    told: dict[int, dict[int, list[tuple[float, int]]]] = {}
    for at, (which, of) in enumerate(zip(group.tolist(), file.tolist(), strict=True)):
        told.setdefault(which, {}).setdefault(of, []).append((float(score[at]), int(rows[at])))
    apart = [
        [min(games) for games in by_file.values()]
        for by_file in told.values()
        if len({tuple(sorted(points for points, _ in games)) for games in by_file.values()}) > 1
    ]
    if apart:
        one, other = (findings.place(row) for _, row in apart[0][:2])
        findings.notes.append(
            f"{len(apart):,} games of the same players at the same time are told otherwise in another file, such as "
            f"{one} and {other}; they count as several unless ids (game) say that they are one"
        )


def same(one: np.ndarray, two: np.ndarray) -> NDArray[np.bool_]:
    """Where the values are equal; what is missing (NaN) equals what is missing."""
    equal: NDArray[np.bool_] = (one == two) | ((one != one) & (two != two))
    return equal


def _without_id(coded: Coded, findings: Findings) -> NDArray[np.bool_]:
    return findings.open if coded.game is None else findings.open & (coded.game < 0)


def _repeats(coded: Coded, findings: Findings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows that repeat an earlier one in all that was made of them: an entity of each, and one of the first row."""
    which = _without_id(coded, findings)
    keys: list[np.ndarray] = [coded.a, coded.b] if coded.time is None else [coded.a, coded.b, coded.time]
    # From few to more: most rows differ in who met when, so that the other columns are sorted for few.
    if coded.time is not None and len(which) and coded.in_time:
        if coded.time[0] == coded.time[-1]:
            keys.pop()
        else:
            which = which & _beside(coded.time, coded.a)
    at = _maybe_repeated(keys, which)
    used = [values for name, values in coded.per_row().items() if name not in ("row", "game")]
    group, first = _groups([values[at] for values in used])
    if findings.of is None:
        again = first != np.arange(len(at))
        return at[again], at[first[again]]
    # A row that was taken apart repeats another if all its parts do; its parts are no repeats of each other.
    parts = np.bincount(findings.of, minlength=findings.rows)
    made: dict[int, list[int]] = {}
    entity: dict[int, int] = {}
    for position, which in zip(at.tolist(), group.tolist(), strict=True):
        row = findings.row(position)
        made.setdefault(row, []).append(which)
        entity.setdefault(row, position)
    seen: dict[tuple[int, ...], int] = {}
    pairs = [
        (entity[row], entity[earlier])
        for row, groups in sorted(made.items())
        if len(groups) == parts[row] and (earlier := seen.setdefault(tuple(sorted(groups)), row)) != row
    ]
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _as_written(
    again: NDArray[np.int64], first: NDArray[np.int64], findings: Findings
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of rows that repeat an earlier one in what was made of them, those that repeat one as it is written.

    Files may have different columns for the same games: a row of another file repeats one that is alike in what was
    made of both, the second of its file that is written otherwise a second one, and so on.
    """
    if findings.whole is None or not len(again):
        return again, first
    whole = findings.whole(np.unique(findings.rows_of(np.concatenate([again, first]))).tolist())
    file = dict(zip(again.tolist(), files_of(again, findings).tolist(), strict=True))
    file |= dict(zip(first.tolist(), files_of(first, findings).tolist(), strict=True))
    written = {(of, file[of], whole[findings.row(of)]): of for of in first.tolist()}
    several = {(of, 0): of for of in first.tolist()}
    count = {(of, file[of]): 1 for of in first.tolist()}
    pairs: list[tuple[int, int]] = []
    other: list[tuple[int, int]] = []
    for at, of in zip(again.tolist(), first.tolist(), strict=True):
        before = written.setdefault((of, file[at], whole[findings.row(at)]), at)
        if before == at:
            number = count.get((of, file[at]), 0)
            count[of, file[at]] = number + 1
            before = several.setdefault((of, number), at)
        (other if before == at else pairs).append((at, of if before == at else before))
    if other:
        one, earlier = map(findings.place, other[0])
        findings.notes.append(
            f"{len(other):,} row{'s are' if len(other) > 1 else ' is'} equal to an earlier one in every column that is "
            f"used and not in the others, such as {one} (and {earlier}): games of their own"
        )
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _beside(time: NDArray[np.int64], a: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which rows, in the order of time, may have the time and the first player of another one.

    That one is near: each distance is looked at, unless too many rows are of one time.
    """
    near = np.zeros(len(time), dtype=bool)
    if (time[_NEAR:] == time[:-_NEAR]).any():
        near[1:] |= time[1:] == time[:-1]
        near[:-1] |= time[1:] == time[:-1]
        return near
    for far in range(1, min(_NEAR, len(time))):
        at = np.flatnonzero(a[far:] == a[:-far])
        at = at[time[at + far] == time[at]]
        near[at] = near[at + far] = True
    return near


def _maybe_repeated(columns: list[np.ndarray], which: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Those of the rows that may be equal to another of them in all columns: by a number made of them, which is
    quickly sorted."""
    rows = None if which.all() else np.flatnonzero(which)
    mixed = np.empty(len(which) if rows is None else len(rows), dtype=np.uint32)
    for start in range(0, len(mixed), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        _mix([values[part if rows is None else rows[part]] for values in columns], mixed[part])
    in_order = np.sort(mixed)
    several = np.concatenate([np.zeros(0, dtype=np.uint32), *_twice(in_order)])
    marked = np.zeros(1 << 20, dtype=bool)  # by the upper bits, which leaves few to look for among the several
    marked[several >> np.uint32(12)] = True
    found = [np.zeros(0, dtype=np.int64)]
    for start in range(0, len(mixed) if len(several) else 0, _AT_ONCE):
        part_mixed = mixed[start : start + _AT_ONCE]
        near = np.flatnonzero(marked.take((part_mixed >> np.uint32(12)).astype(np.intp), mode="clip"))
        own = part_mixed[near]
        near = near[several[np.minimum(np.searchsorted(several, own), len(several) - 1)] == own]
        found.append(near + start)
    at = np.concatenate(found)
    return at if rows is None else rows[at]


def _twice(in_order: NDArray[np.uint32]) -> Iterator[NDArray[np.uint32]]:
    """The numbers that are there more than once, part by part."""
    for start in range(0, len(in_order) - 1, _AT_ONCE):
        part = in_order[start : start + _AT_ONCE + 1]
        yield part[1:][part[1:] == part[:-1]]


def _mix(columns: list[np.ndarray], mixed: NDArray[np.uint32]) -> None:
    """Writes a number made of the values of each row, of which equal rows have equal ones.

    Of two columns of codes, rows that lie less than some ten thousand apart in both have different ones.
    """
    mixed[:] = 0
    for at, values in enumerate(columns, 1):
        if values.dtype == np.int32:
            mixed += values.view(np.uint32) * np.uint32(pow(_SPREADING, at, 1 << 32))
        else:
            wide = values.astype(np.int64).view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            wide >>= np.uint64(32)
            mixed += wide.astype(np.uint32) * np.uint32(pow(_SPREADING, at, 1 << 32))


def _groups(columns: list[np.ndarray]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each row the number of the rows equal to it in all columns, and the first of them."""
    order = np.lexsort(columns)
    alike = np.ones(max(len(order) - 1, 0), dtype=bool)
    for values in columns:
        alike &= same(values[order[1:]], values[order[:-1]])
    number = np.concatenate([np.zeros(min(len(order), 1), dtype=np.int64), np.cumsum(~alike)])
    starts = np.flatnonzero(np.concatenate([np.ones(min(len(order), 1), dtype=bool), ~alike]))
    group, first = np.empty_like(number), np.empty_like(number)
    group[order], first[order] = number, order[starts[number]]
    return group, first


def files_of(entities: NDArray[np.int64], findings: Findings) -> NDArray[np.int64]:
    """The number of the file that each entity comes from."""
    return np.searchsorted(findings.origin.starts, findings.rows_of(entities), side="right") - 1


def _others(rows: list[int], row: int, findings: Findings) -> str:
    named = [findings.place(other) for other in rows[: _OTHERS_NAMED + 1] if other != row][:_OTHERS_NAMED]
    rest = len(rows) - 1 - len(named)
    return ", ".join(named) + (f" and {rest:,} more" if rest else "")
