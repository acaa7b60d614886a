"""The times of a file: each row's, or why it has none that can be read."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tallymark.games.columns import Cells
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.results import NOTHING
from tallymark.games.times import MISSING, NO_TIME
from tallymark.games.times.clock import Clock
from tallymark.games.times.columns import read_times

_PARTLY: Final = re.compile(r"([0-9]{4})([-./])(?:([0-9]{2})|[?Xx]{2})\2[?Xx]{2}")


def timed(cells: Cells, findings: Findings, clock: Clock) -> NDArray[np.datetime64]:
    """The column of times of one file as datetime64 (NaT = missing); `findings` takes the faults and what is announced.

    ReadError where the column could be read in several ways.
    """
    found = read_times(cells, clock, ", ".join(findings.origin.files))
    nothing = {row: str(cells[row]).strip() for row in found.wrong if str(cells[row]).strip().casefold() in NOTHING}
    wrong = {row: message for row, message in found.wrong.items() if row not in nothing}
    partly = {row: match for row in wrong if (match := _PARTLY.fullmatch(str(cells[row]).strip()))}
    findings.reject(partly, Reason.BAD_TIME, lambda row: _of_part(partly[row]))
    findings.reject(wrong, Reason.BAD_TIME, lambda row: f"played_at: {wrong[row]}")
    missing = found.instants == NO_TIME
    if wrong or not missing.all():
        findings.reject(nothing, Reason.MISSING_TIME, lambda row: f"played_at is {nothing[row]!r}: no time")
        findings.notes += found.notes
    if wrong and missing.all():  # then nothing would show that the others lack a time
        findings.reject(missing, Reason.MISSING_TIME, lambda _: MISSING)
    return found.instants.view("datetime64[us]")


def _of_part(date: re.Match[str]) -> str:
    """What is said of a date that is known in part."""
    unknown = "day is" if date[3] else "month and the day are"
    return (
        f"played_at is {date[0]!r}: the {unknown} unknown; write in a day to rate it by, or map played_at to no column "
        '(""), so that no times are read'
    )
