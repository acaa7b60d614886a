"""Files of a player and an opponent that tell every game twice, once from each side."""

from collections.abc import Mapping

import numpy as np

from tallymark.games.columns import Cells, numbers
from tallymark.games.ids import exact_items
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.outcomes import distinct


def reject_mirrored(cells: Mapping[str, Cells], findings: Findings) -> None:
    """Rejects the second of two rows that tell one game, where all rows of the file come in such pairs.

    >>> findings = Findings(2)
    >>> scores = np.array([1.0, 0.0])
    >>> reject_mirrored({"player_a": ["ann", "bob"], "player_b": ["bob", "ann"], "score_a": scores}, findings)
    >>> findings.open.tolist()
    [True, False]
    """
    first, second = exact_items(cells["player_a"], "player_a"), exact_items(cells["player_b"], "player_b")
    score, _ = numbers(cells["score_a"])
    when = distinct(cells["played_at"])[0].tolist() if "played_at" in cells else [0] * len(first)
    told: dict[tuple[object, object, int, float], list[int]] = {}
    for row in np.flatnonzero(findings.open & ~np.isnan(score)).tolist():
        told.setdefault((first[row], second[row], when[row], float(score[row])), []).append(row)
    again: dict[int, int] = {}
    for (a, b, at, share), rows in told.items():
        others = told.get((b, a, at, 1.0 - share), [])
        if a == b or len(others) != len(rows):
            return
        again |= {max(pair): min(pair) for pair in zip(rows, others, strict=True)}
    findings.reject(
        again, Reason.DUPLICATE_GAME, lambda row: f"the game of {findings.place(again[row])}, told from the other side"
    )
