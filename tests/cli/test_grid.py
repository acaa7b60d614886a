"""Columns on a narrow terminal: those that may be folded give way, down to their least width, numbers never."""

import io

from rich.console import Console

from tallymark.cli.grid import GAP, fitted


def console(width: int, terminal: bool = True) -> Console:
    return Console(file=io.StringIO(), width=width, force_terminal=terminal)


def test_what_may_be_folded_gives_way_in_turn() -> None:
    widths = {"player": 30, "points": 6, "note": 20}
    whole = sum(widths.values()) + 2 * GAP
    assert fitted(console(whole), widths, {"note": 10, "player": 12}) == widths
    assert fitted(console(whole - 4), widths, {"note": 10, "player": 12}) == {**widths, "note": 16}
    assert fitted(console(whole - 15), widths, {"note": 10, "player": 12}) == {"player": 25, "points": 6, "note": 10}
    assert fitted(console(5), widths, {"note": 10, "player": 12}) == {"player": 12, "points": 6, "note": 10}


def test_a_file_has_no_edge_and_a_short_column_stays() -> None:
    assert fitted(console(5, terminal=False), {"player": 30}, {"player": 12}) == {"player": 30}
    assert fitted(console(5), {"player": 7}, {"player": 12, "note": 9}) == {"player": 7}
