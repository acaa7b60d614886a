"""The board: bars, ranks, pools, and names that are data and nothing else."""

import io
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console

import tallymark as tm
from tallymark.cli.board import drawn, print_board
from tallymark.cli.streams import prepare
from tallymark.cli.words import console, escaped, number, percent, shown_id

Run = Callable[..., "CompletedProcess[str]"]


def board(names: list[str], width: int = 80, terminal: bool = False, rules: str = "contest", top: int = 20) -> str:
    log = tm.GameLog.from_arrays(
        player_a=names, player_b=["zed"] * len(names), score_a=[1.0] * len(names), played_at=["2026-01-01"] * len(names)
    )
    out = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None, markup=False)
    methodology = tm.methodology(rules)
    print_board(out, tm.replay(log, methodology).ratings, methodology, top)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_markup_and_control_characters_are_shown(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_text(
        'player_a,player_b,score_a\n[red]x[/red],"wipe\x1b[2J",1\n:smile:,"a\nb",1\n" x",x,0\n\u202eevil,a\\b,1\n'
    )
    done = cli("rate", file, "-m", "contest")
    for shown in ("[red]x[/red]", r"wipe\x1b[2J", ":smile:", r"a\nb", "' x'", r"\u202eevil", r"a\\b"):
        assert f"  {shown}  " in done.stdout
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


@given(st.text(), st.text())
@example(" ann", "' ann'")
@example("", "''")
@example("'", "'" * 3)
@example("\n", "\\n")
def test_two_ids_never_look_the_same(a: str, b: str) -> None:
    assert (shown_id(a) == shown_id(b)) == (a == b)
    assert shown_id(a).isprintable()
    assert escaped(a).isprintable()


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 200])
@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_is_cut_at_any_width(width: int, terminal: bool) -> None:
    names = ["Ann", "Bartholomew of the long name", "日本語の名前", "x" * 70 + "1", "x" * 70 + "2"]
    text = board(names, width, terminal)
    assert "…" not in text
    joined = "".join(text.split())
    for name in names[:1] + names[2:3]:
        assert name in joined
    assert text.count("1-0-0") == 5
    assert "0-0-5" in text
    plain = "".join(c for c in text if c == "x")
    assert len(plain) == 140
    if not terminal:
        assert "Bartholomew of the long name" in text


def test_the_bar_spans_the_interval_on_a_common_axis() -> None:
    assert drawn(0, 10, 20, (0, 20), 21, False) == "─" * 10 + "●" + "─" * 10
    assert drawn(0, 0, 0, (0, 20), 21, False) == "●" + " " * 20
    assert drawn(20, 20, 20, (0, 20), 21, False) == " " * 20 + "●"
    assert drawn(5, 10, 15, (0, 20), 21, True) == "     -----o-----     "
    assert drawn(7, 7, 7, (7, 7), 5, True) == "  o  "


def test_a_narrow_terminal_goes_without_bars() -> None:
    assert "●" in board(["ann"], 80, terminal=True)
    assert "●" not in board(["ann"], 50, terminal=True)


def test_elo_has_no_bar() -> None:
    text = board(["ann"], rules="elo")
    assert "●" not in text
    assert "RD" not in text
    assert "provisional" in text


def test_equal_ratings_share_a_rank_and_top_cuts() -> None:
    text = board(["ann", "bob"], rules="elo", top=2)
    assert "2 of 3 players" in text
    assert [line.split()[0] for line in text.splitlines() if "ann" in line or "bob" in line] == ["1", "2"]
    drawn = tm.GameLog.from_arrays(player_a=["a", "c"], player_b=["b", "d"], score_a=[0.5, 1])
    out = Console(file=io.StringIO(), width=80)
    print_board(out, tm.replay(drawn, "elo").ratings, tm.methodology("elo"), 9)
    assert isinstance(out.file, io.StringIO)
    assert [line.split()[0] for line in out.file.getvalue().splitlines() if "-" in line][1:] == ["1", "2", "2", "4"]


def test_who_is_not_rankable_takes_no_rank() -> None:
    text = board(["ann"], rules="lichess")
    assert next(line for line in text.splitlines() if "ann" in line).startswith("-")
    assert "- takes no rank while RD is above 75" in text


def test_each_pool_has_its_board() -> None:
    log = tm.GameLog.from_arrays(player_a=["a", "a"], player_b=["b", "b"], score_a=[1, 0], pool=["blitz", "[b]slow"])
    out = Console(file=io.StringIO(), width=80, markup=False)
    print_board(out, tm.replay(log, "elo").ratings, tm.methodology("elo"), 1)
    assert isinstance(out.file, io.StringIO)
    text = out.file.getvalue()
    assert "pool blitz: 1 of 2 players" in text
    assert "pool [b]slow: 1 of 2 players" in text
    assert [line.split()[1] for line in text.splitlines() if line.startswith("1 ")] == ["b", "a"]


def test_a_terminal_that_cannot_spell_a_name_gets_its_escape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    prepare()
    log = tm.GameLog.from_arrays(player_a=["Curaçao"], player_b=["b"], score_a=[1])
    rules = tm.methodology("contest")
    print_board(console(), tm.replay(log, rules).ratings, rules, 2)
    stream.flush()
    assert b"Cura\\xe7ao" in raw.getvalue()
    assert b"--o--" in raw.getvalue()


def test_numbers_are_rounded_half_to_even() -> None:
    assert [number(value, 0) for value in (0.5, 1.5, 2.5)] == ["0", "2", "2"]
    assert number(float("nan")) == percent(float("nan")) == "-"
    assert percent(np.float64(0.5)) == "50.00 %"
