"""Matches that are told more than once: by several rows that are one each, or by several files."""

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.games.duplicates import files_of
from tallymark.games.ids import Id
from tallymark.games.report import Findings, Reason


def check_shared(
    match: NDArray[np.int32],
    matches: list[Id],
    player: NDArray[np.int32],
    rank: NDArray[np.float64],
    findings: Findings,
) -> NDArray[np.bool_]:
    """Entries of a match that another row has too (where a row is a match), or another file.

    Where both say the same the later ones are rejected, and marked in what is returned. Otherwise all are held: it may
    be one match or two.
    """
    repeated = np.zeros(len(findings), dtype=bool)
    if findings.of is not None:
        teller = findings.of
    elif len(findings.origin.files) > 1:
        teller = files_of(np.arange(len(findings), dtype=np.int64), findings)
    else:
        return repeated
    entries = np.flatnonzero(match >= 0)
    pairs = np.unique(np.stack([match[entries], teller[entries]]), axis=1)
    several = np.unique(pairs[0][1:][pairs[0][1:] == pairs[0][:-1]])
    if not len(several):
        return repeated
    told: dict[int, dict[int, list[int]]] = {}
    for entry in entries[np.isin(match[entries], several)].tolist():
        told.setdefault(int(match[entry]), {}).setdefault(int(teller[entry]), []).append(entry)
    again: dict[int, int] = {}
    apart: dict[int, int] = {}
    for by_teller in told.values():
        parts = list(by_teller.values())
        said = [sorted(zip(player[part].tolist(), map(repr, rank[part].tolist()), strict=True)) for part in parts]
        if all(one == said[0] for one in said):
            again |= {entry: parts[0][0] for part in parts[1:] for entry in part}
        else:
            apart |= {entry: (parts[0] if part is not parts[0] else parts[1])[0] for part in parts for entry in part}
    findings.hold(
        apart,
        Reason.CONFLICTING_GAME,
        lambda entry: (
            f"match {shortened(matches[match[entry]])} is told otherwise in {findings.place(apart[entry])}; "
            "rows of one match stand in one file, and other matches have other ids"
        ),
    )
    findings.reject(
        again,
        Reason.DUPLICATE_GAME,
        lambda entry: f"match {shortened(matches[match[entry]])} is {findings.place(again[entry])} again",
    )
    repeated[list(again)] = True
    return repeated
