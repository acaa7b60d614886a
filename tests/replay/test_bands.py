"""Starting bands: newcomers begin where they declared, which is stored with the first game that counts for them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onchain_logs import contract, go_log

from tallymark import GameLog, InputError, Snapshot, SnapshotError, methodology, predict, replay
from tallymark.errors import MethodologyError
from tallymark.fixedpoint.rules import BANDS
from tallymark.methodology import shipped
from tallymark.replay.bands import starts_of
from tallymark.systems.q32 import fixed

from .test_exact import RULES, same_as_contract
from .ways import every_way

LISTED: dict[int | str, int] = {0: 1, 1: 2, 2: 3, 3: 4, 99: 1}


def listed() -> Snapshot:
    return Snapshot.from_arrays(player=list(LISTED), band=list(LISTED.values()))


def one_game(**columns: object) -> GameLog:
    return GameLog.from_arrays(
        player_a=["ann"],
        player_b=["bob"],
        score_a=[1],
        played_at=["2026-01-01"],
        **columns,  # type: ignore[arg-type]
    )


def test_bands_are_those_of_the_contract() -> None:
    assert [fixed(mu) for mu in starts_of(RULES)] == [0, *BANDS]
    near = starts_of(methodology("go-float")) - starts_of(RULES)
    assert np.abs(near).max() < 2.0**-32
    for rules in shipped():
        bands = rules.system.bands()
        assert bool(bands) == bool(rules.system.undeclared)
        assert not bands or bands[rules.system.undeclared - 1] == rules.initial()


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_a_replay_is_the_contracts(engine: str) -> None:
    log = go_log(4000, 400, bands=True)
    r = replay(log, RULES, engine=engine)  # type: ignore[call-overload]
    same_as_contract(r, contract(log))
    r = replay(log, RULES, start=listed(), engine=engine)  # type: ignore[call-overload]
    same_as_contract(r, contract(log, LISTED))


@pytest.mark.parametrize("rules", ["go-onchain", "go-float"])
def test_every_way_gives_the_same_bits(rules: str) -> None:
    every_way(go_log(2000, 300, bands=True), methodology(rules))


@settings(max_examples=30)
@given(st.data())
def test_in_pieces(data: st.DataObject) -> None:
    log = go_log(data.draw(st.integers(2, 60)), data.draw(st.integers(2, 9)), data.draw(st.integers(0, 99)), bands=True)
    cut = data.draw(st.integers(0, len(log)))
    start = data.draw(st.sampled_from([None, listed()]))
    whole = replay(log, RULES, start)
    first = replay(log.taken(np.arange(cut)), RULES, start)
    on = replay(log.taken(np.arange(cut, len(log))), RULES, start=first.snapshot())
    same_as_contract(on, contract(log, {} if start is None else LISTED))
    one, other = on.snapshot(), whole.snapshot()
    assert (one.player, one.bands) == (other.player, other.bands)
    for name, a, b in zip(one.state._fields, one.state, other.state, strict=True):
        np.testing.assert_array_equal(a, b, err_msg=name)


def test_a_band_is_that_of_the_first_game_that_counts() -> None:
    log = GameLog.from_arrays(
        player_a=["ann", "ann", "ann"],
        player_b=["bob", "cid", "cid"],
        score_a=[1, 0, 1],
        played_at=["2026-01-01", "2026-01-02", "2026-01-03"],
        steps=[19, 20, 20],
        ending=["resignation"] * 3,
        band_a=[1, 4, 2],
        band_b=[0, None, 4],
    )
    for rules in ("go-onchain", "go-float"):
        r = replay(log, rules, history=True)
        before = r.history["rating_before"].round(3).tolist()
        assert before[:4] == [710.362, 1500.0, 1837.384, 1500.0]
        assert dict(zip(r.ratings["player"].tolist(), r.ratings["band"].tolist(), strict=True)) == {
            "ann": 4,
            "bob": 3,
            "cid": 3,
        }
    short = replay(log.taken(np.array([0])), "go-onchain")
    assert short.ratings["player"].tolist() == ["bob"]
    assert short.felts["felt_a"].tolist() == ["0x0"]


def test_a_list_declares_for_games_that_do_not() -> None:
    start = Snapshot.from_arrays(player=["ann", "bob", "zoe"], band=[1, 2, 4])
    r = replay(one_game(band_a=[4]), RULES, start)
    assert dict(zip(r.ratings["player"].tolist(), r.ratings["band"].tolist(), strict=True)) == {"ann": 4, "bob": 2}
    assert r.felts["band_b"].tolist() == [2]


def test_a_snapshot_keeps_who_declared_and_has_not_played(tmp_path: Path) -> None:
    start = Snapshot.from_arrays(player=["bob", "zoe"], band=[2, 4])
    start.save(tmp_path / "list.json")
    first = replay(one_game(), RULES, Snapshot.load(tmp_path / "list.json")).snapshot()
    assert (first.player, np.asarray(first.state.rated).tolist()) == (["ann", "bob", "zoe"], [1, 1, 0])
    first.save(tmp_path / "on.json")
    later = GameLog.from_arrays(
        player_a=["zoe"], player_b=["bob"], score_a=[0], played_at=["2026-01-05"], band_a=[None], band_b=[4]
    )
    on = replay(later, RULES, Snapshot.load(tmp_path / "on.json"), history=True)
    assert on.history["rating_before"].round(3).tolist()[0] == 1837.384
    assert dict(zip(on.ratings["player"].tolist(), on.ratings["band"].tolist(), strict=True)) == {
        "ann": 3,
        "bob": 2,
        "zoe": 4,
    }
    text = (tmp_path / "on.json").read_text()
    for damage in ('"band":[3,2,5]', '"band":[3,2,0]', '"band":[3,2,-1]'):
        (tmp_path / "on.json").write_text(text.replace('"band":[3,2,4]', damage))
        with pytest.raises(SnapshotError):
            Snapshot.load(tmp_path / "on.json")
    text = (tmp_path / "list.json").read_text()
    (tmp_path / "list.json").write_text(text.replace('"rated":[0,0]', '"rated":[0,1]'))
    with pytest.raises(SnapshotError, match="mu is null"):
        Snapshot.load(tmp_path / "list.json")


def test_ratings_from_elsewhere_may_have_a_band() -> None:
    start = Snapshot.from_arrays(player=["ann", "bob"], rating=[1600, None], band=[None, 1], at="2026-01-01")
    r = replay(one_game(band_a=[4]), RULES, start, history=True)
    assert r.history["rating_before"].round(3).tolist() == [1600.0, 710.362]
    assert r.ratings["band"].tolist() == [0, 1]
    with pytest.raises(InputError, match="from ratings to start from"):
        _ = r.felts
    for band, said in ((5, "band is 5"), ("x", "band is 'x'"), (1.5, "band is 1.5"), (None, "rating is missing")):
        with pytest.raises(InputError, match=said):
            Snapshot.from_arrays(player=["ann"], band=[band])


def test_rules_without_bands_refuse_a_list_of_nothing_else_and_do_not_look_at_those_of_games() -> None:
    with pytest.raises(InputError, match="'ann' has a starting band and no rating, and elo-1 has no starting bands"):
        replay(one_game(), "elo", Snapshot.from_arrays(player=["ann"], band=[1]))
    plain, banded = (replay(log, "elo").ratings for log in (one_game(), one_game(band_a=[1])))
    assert banded["rating"].tolist() == plain["rating"].tolist()
    assert "band" not in banded.columns
    start = Snapshot.from_arrays(player=["ann"], rating=[1600], band=[1])
    assert replay(one_game(), "elo", start).snapshot().bands is None


def test_predictions_of_who_declared() -> None:
    start = Snapshot.from_arrays(player=["zoe"], band=[4])
    for rules in ("go-onchain", "go-float"):
        known = replay(one_game(), rules, start)
        told = predict(known, ["zoe", "yan"], "bob")
        assert told["rating_a"].round(3).tolist() == [1837.384, 1500.0]
        assert told["note"].tolist() == ["zoe is new", "yan is new"]
        again = predict(known.snapshot(), ["zoe"], "bob")
        assert again["p_a"].tolist() == told["p_a"].tolist()[:1]


def test_a_history_written_piece_by_piece_and_a_prepared_log_know_bands(tmp_path: Path) -> None:
    log = go_log(200, 30, bands=True)
    r = replay(log, RULES, history=True)
    r.write_history(tmp_path / "one.csv")
    r.history.write(tmp_path / "two.csv")
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    ready, floats = log.prepare(), methodology("go-float")
    for rules in (floats, floats.with_(band_1=20), floats):
        assert replay(ready, rules).ratings["rating"].tolist() == replay(log, rules).ratings["rating"].tolist()


def test_bands_inside_the_bounds() -> None:
    with pytest.raises(MethodologyError, match=r"system\.band_1 starts at 710\.362"):
        methodology("go-float").with_({"bounds.rating_min": 1000.0})
    for band in (5, -1, True, 2.0):
        with pytest.raises(InputError, match="bands are 1 to 4"):
            RULES.initial(band)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="there are none"):
        methodology("elo").initial(1)


def test_games_of_a_match_and_ratings_without_an_instant_go_by_the_fold() -> None:
    """The levels tell a newcomer by having no time, and games of one match share what was before it."""
    plain = go_log(300, 60, bands=True)
    table = {name: plain.to_table()[name] for name in plain.to_table().columns if name not in ("row", "pool")}
    table["played_at"] = np.repeat(np.asarray(table["played_at"])[::3], 3)
    matches = GameLog.from_arrays(**table, match=np.arange(300) // 3)
    full = GameLog.from_arrays(**{name: column for name, column in table.items() if name not in ("steps", "ending")})
    undated = Snapshot.from_arrays(player=[0, 1, 2], rating=[1700.0, 1300.0, None], band=[None, None, 1])
    rules = methodology("go-float")
    for log, start in ((matches, None), (matches, undated), (full, undated)):
        one, other = (replay(log, rules, start, True, engine=engine) for engine in ("interpreted", "compiled"))
        for name in ("rating_before", "rating_after", "deviation_after"):
            assert one.history[name].tobytes() == other.history[name].tobytes()
        assert one.ratings["band"].tolist() == other.ratings["band"].tolist()
    assert {710.362, 920.533, 1837.384} <= set(replay(matches, rules, history=True).history["rating_before"].round(3))
