"""The felts of a replay, recounted under Node from its exported games alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from onchain_logs import contract, go_log

from tallymark import GameLog, InputError, methodology, replay
from tallymark.fixedpoint import pack


def test_every_felt_of_a_replay(node: Callable[..., bytes], tmp_path: Path) -> None:
    log = go_log(1200, 20, bands=True)
    r = replay(log, "go-onchain")
    felts = r.felts
    assert r.report.rated > 1000
    assert set(felts["band_a"].tolist()) == {0, 1, 2, 3, 4}
    assert set(r.ratings["band"].tolist()) == {1, 2, 3, 4}
    for name in ("felts.csv", "felts.json"):
        felts.write(tmp_path / name)
        said = node("recount.mjs", tmp_path / name).decode()
        assert said == f"{r.report.rated} games of 20 players, every felt as recounted\n"
    last: dict[object, str] = {}
    for a, b, felt_a, felt_b in zip(*(felts[name].tolist() for name in ("a", "b", "felt_a", "felt_b")), strict=True):
        last |= {a: felt_a, b: felt_b}
    assert last == {name: hex(pack(player)) for name, player in contract(log).items()}


def test_ids_of_every_kind(node: Callable[..., bytes], tmp_path: Path) -> None:
    names = ["a,nn", 'b"x', '"', "c\\", "{d", " [", "e\u2028f", "=g", "'", "9007199254740993"]
    of_text = GameLog.from_arrays(
        player_a=names, player_b=names[1:] + names[:1], score_a=[1] * 10, played_at=["2026-01-01"] * 10
    )
    of_numbers = GameLog.from_arrays(
        player_a=[2**53, 2**53 + 1, 7], player_b=[2**53 + 1, 7, 2**53], score_a=[1, 0.5, 0],
        played_at=["2026-01-01"] * 3, game=[2**62, 2**62 + 1, 3],
    )  # fmt: skip
    for log in (of_text, of_numbers):
        felts = replay(log, "go-onchain").felts
        for name in ("felts.csv", "felts.json"):
            felts.write(tmp_path / name)
            (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + (tmp_path / name).read_bytes())
            said = node("recount.mjs", tmp_path / name).decode()
            assert said == f"{len(log)} games of {len(log.players)} players, every felt as recounted\n"


def test_felts_are_of_one_pool() -> None:
    def felts(pools: list[str]) -> int:
        columns = {"player_a": ["ann"] * 2, "player_b": ["bob"] * 2, "played_at": ["2026-01-01"] * 2}
        return len(replay(GameLog.from_arrays(**columns, score_a=[1, 0], pool=pools), "go-onchain").felts)

    assert felts(["9x9", "9x9"]) == 2
    with pytest.raises(InputError, match="felts are of one pool; these games are of 2, among them '19x19' and '9x9'"):
        felts(["19x19", "9x9"])


def test_felts_of_other_replays() -> None:
    log = go_log(100, 5)
    with pytest.raises(InputError, match=r"whole replays in q32\.32"):
        _ = replay(log, "go-float").felts
    with pytest.raises(InputError, match="from ratings to start from"):
        _ = replay(log, "go-onchain", start=replay(log, "go-onchain").snapshot()).felts
    with pytest.raises(InputError, match="other games than the contract"):
        _ = replay(log, methodology("go-onchain").with_({"rated.minimum_steps": 10})).felts
    assert len(replay(GameLog.from_arrays(player_a=[], player_b=[], score_a=[]), "go-onchain").felts) == 0
