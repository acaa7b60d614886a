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


def test_felts_of_other_replays() -> None:
    log = go_log(100, 5)
    with pytest.raises(InputError, match=r"whole replays in q32\.32"):
        _ = replay(log, "go-float").felts
    with pytest.raises(InputError, match="from ratings to start from"):
        _ = replay(log, "go-onchain", start=replay(log, "go-onchain").snapshot()).felts
    with pytest.raises(InputError, match="other games than the contract"):
        _ = replay(log, methodology("go-onchain").with_({"rated.minimum_steps": 10})).felts
    assert len(replay(GameLog.from_arrays(player_a=[], player_b=[], score_a=[]), "go-onchain").felts) == 0
