"""Games that are handed in again: those of a log that another one, which it follows, has already."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tallymark.games.joining import joined
from tallymark.games.log import GameLog
from tallymark.games.report import Findings, Reason

_DAY = 86_400_000_000


def apart_from(before: GameLog, log: GameLog, dedupe: bool = False) -> GameLog:
    """`log` without the games that `before`, of an open period, has: no ids, and equal in players, time and score and
    in all other columns.

    They are repeats as those within a log are: rows with a time of day are held, those with a date alone are kept and
    told, and with `dedupe` all of them are rejected. A row of several games repeats if all of them do.

    >>> day = GameLog.from_arrays(player_a=["ann"], player_b=["bob"], score_a=[1], played_at=["2026-01-02T18:00Z"])
    >>> apart_from(day, day).report.held
    1
    """
    again = _again(before, log, dedupe)
    if not len(again):
        return log
    findings = Findings.of_report(log.report, log.origin, log.row)
    if dedupe:
        findings.reject(again.tolist(), Reason.DUPLICATE_ROW, lambda _: "is a game of the open period again")
    elif log.time is not None:
        dated = log.time[again] % _DAY == 0
        findings.hold(
            again[~dated].tolist(),
            Reason.SUSPECTED_DUPLICATE,
            lambda _: "as a game of the open period in every column that is used; pass ids or --dedupe",
        )
        if dated.any():
            count = int(np.count_nonzero(dated))
            findings.notes.append(
                f"{count:,} game{' is' if count == 1 else 's are'} in the open period already, such as "
                f"{findings.place(int(again[dated][0]))}, and count{'s' if count == 1 else ''} twice: was this file "
                "handed in before? --dedupe rejects them"
            )
    kept = log if findings.open.all() else log.taken(np.flatnonzero(findings.open))
    return replace(kept, report=findings.report(len(kept)), origin=log.origin)


def _again(before: GameLog, log: GameLog, dedupe: bool) -> NDArray[np.int64]:
    """The games of `log` that `before` has too."""
    none = np.zeros(0, np.int64)
    if not len(before) or not len(log) or (log.time is None and not dedupe):
        return none  # votes may well be alike
    near = np.ones(len(log), bool)
    if log.time is not None and before.time is not None:
        near = (log.time >= before.time[0]) & (log.time <= before.time[-1])
    if log.game is not None:
        near &= log.game < 0
    at = np.flatnonzero(near)
    if not len(at):
        return none
    both = joined(before._coded(), log.taken(at)._coded())
    alike = np.zeros(len(both.a), np.int64)
    for name, values in both.per_row().items():
        if name != "row":
            _, code = np.unique(values, return_inverse=True)
            _, alike = np.unique(alike * (int(code.max()) + 1) + code, return_inverse=True)
    repeated = np.zeros(len(log), bool)
    repeated[at] = np.isin(alike[len(before) :], alike[: len(before)])
    whole = np.ones(log.report.rows, bool)
    whole[log.row[~repeated]] = False
    return np.flatnonzero(repeated & whole[log.row])
