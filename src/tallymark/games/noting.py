"""Notes about checked rows as a whole: who might be one, and what the times show."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from tallymark.games.coded import Coded
from tallymark.games.columns import Cells
from tallymark.games.identity.names import lookalikes, name_pairs, several
from tallymark.games.remarks import far_years, newest_first, one_time, rising_times
from tallymark.games.report import Findings


def note_people(cells: Mapping[str, Cells], coded: Coded, findings: Findings) -> None:
    """Ids that look alike, and ids and names that do not go together one to one."""
    if coded.players and isinstance(coded.players[-1], str):  # texts come last
        findings.notes += lookalikes(coded.players)
    findings.notes += several(name_pairs(cells))


def note_times(coded: Coded, findings: Findings) -> None:
    """What is odd about the times of the rows that are taken."""
    if coded.time is None:
        return
    taken = slice(None) if findings.open.all() else findings.open[coded.row]
    time, rows = coded.time[taken], coded.row[taken]
    rows = findings.rows_of(rows)
    in_order = coded.in_time
    if (
        not in_order and coded.order is None and coded.match is None and coded.game is None
    ):  # otherwise these order what has one time
        starts = findings.origin.starts
        for at, (start, end) in enumerate(pairwise([*starts, findings.rows])):
            file = findings.origin.files[at] if len(starts) > 1 else None
            findings.notes += filter(
                None, [newest_first(time if file is None else time[(rows >= start) & (rows < end)], file)]
            )
    if coded.match is not None:  # all games of a match are of one time, and count once
        match = coded.match[taken]
        _, first = np.unique(match, return_index=True)
        time = np.concatenate([time[match < 0], time[first[match[first] >= 0]]])
        in_order = False
    rising = rising_times(time, in_order)
    findings.notes += filter(None, [one_time(rising), far_years(rising)])
