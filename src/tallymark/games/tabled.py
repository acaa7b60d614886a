"""Games as a table, with ids, words and times restored, and back."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import InputError
from tallymark.games.checking import check_games
from tallymark.games.coded import Coded
from tallymark.games.columns import Cells, same_length
from tallymark.games.ids import Id
from tallymark.games.orders import NO_ORDER
from tallymark.games.report import Findings
from tallymark.games.vocabulary import Ending, Source
from tallymark.tables import Column, Table


def table_of(coded: Coded) -> Table:
    """The columns that there are."""
    players, pools = _lookup(coded.players), _lookup(coded.pools)
    columns: dict[str, Column] = {}
    if coded.time is not None:
        columns["played_at"] = coded.time.view("datetime64[us]")
    columns["pool"] = pools[coded.pool]
    for name, codes, table in (("match", coded.match, coded.matches), ("game", coded.game, coded.games)):
        if codes is not None and table is not None:
            columns[name] = _lookup(table)[codes]
    columns |= {"player_a": players[coded.a], "player_b": players[coded.b], "score_a": coded.score}
    for name, codes8, kind in (("ending", coded.ending, Ending), ("source", coded.source, Source)):
        if codes8 is not None:
            columns[name] = _lookup([member.value for member in kind])[codes8]
    for name in ("steps", "board", "handicap", "band_a", "band_b", "size_a", "size_b"):
        whole: NDArray[np.int32] | None = getattr(coded, name)
        if whole is not None:
            columns[name] = whole if (whole >= 0).all() else [value if value >= 0 else None for value in whole.tolist()]
    if coded.komi is not None:
        columns["komi"] = coded.komi
    if coded.order is not None:
        gaps = bool((coded.order == NO_ORDER).any())
        columns["order"] = [None if x == NO_ORDER else x for x in coded.order.tolist()] if gaps else coded.order
    columns["row"] = coded.row
    return Table(columns)


def restore(columns: Mapping[str, Sequence[object]]) -> tuple[Coded, NDArray[np.bool_], Findings]:
    """Rows from the columns of a log's table, `played_at` in microseconds; InputError for what no log can hold."""
    cells: dict[str, Cells] = {name: list(values) for name, values in columns.items()}
    findings = Findings(same_length(cells))
    for name in ("player_a", "player_b", "score_a"):
        if name not in cells:
            raise InputError(f"no column {name}")
    try:
        if "played_at" in cells:
            cells["played_at"] = np.array(cells["played_at"], dtype=np.int64).view("datetime64[us]")
        sizes = {name: np.array(cells.pop(name), dtype=np.int32) for name in ("size_a", "size_b") if name in cells}
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a column of whole numbers holds something else: {error}") from None
    names = [str(name) for name in cells.pop("pool", [""] * findings.rows)]
    coded = check_games(cells, findings)
    coded.pools = sorted(set(names))  # a log without pools has one named "", which no file could name
    code = {name: at for at, name in enumerate(coded.pools)}
    coded.pool = np.array([code[name] for name in names], dtype=np.int32)
    coded.size_a, coded.size_b = sizes.get("size_a"), sizes.get("size_b")
    if not findings.open.all():
        raise InputError(f"row {findings.report(0).problems['row'][0]}: {findings.report(0).problems['message'][0]}")
    return coded, findings.open, findings


def _lookup(table: Sequence[Id]) -> np.ndarray:
    """The table as an object array with None at its end, so that code -1 is None."""
    out = np.empty(len(table) + 1, dtype=object)
    out[: len(table)] = table
    return out
