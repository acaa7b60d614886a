"""The times of a file: each row's, or why it has none that can be read."""

import numpy as np
from numpy.typing import NDArray

from tallymark.games.columns import Cells
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.results import NOTHING
from tallymark.games.times import NO_TIME
from tallymark.games.times.clock import Clock
from tallymark.games.times.columns import read_times


def timed(cells: Cells, findings: Findings, clock: Clock) -> NDArray[np.datetime64]:
    """The column of times of one file as datetime64 (NaT = missing); `findings` takes the faults and what is announced.

    ReadError where the column could be read in several ways.
    """
    found = read_times(cells, clock, ", ".join(findings.origin.files))
    nothing = {row: str(cells[row]).strip() for row in found.wrong if str(cells[row]).strip().casefold() in NOTHING}
    wrong = {row: message for row, message in found.wrong.items() if row not in nothing}
    findings.reject(wrong, Reason.BAD_TIME, lambda row: f"played_at: {wrong[row]}")
    missing = found.instants == NO_TIME
    if wrong or not missing.all():
        findings.reject(nothing, Reason.MISSING_TIME, lambda row: f"played_at is {nothing[row]!r}: no time")
        findings.notes += found.notes
    if wrong and missing.all():  # then nothing would show that the others lack a time
        findings.reject(missing, Reason.MISSING_TIME, lambda _: "played_at is empty, though other rows have a time")
    return found.instants.view("datetime64[us]")
