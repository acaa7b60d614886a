from pathlib import Path

import pytest

from tallymark.games import read_games


@pytest.mark.parametrize(
    ("name", "accepted", "players", "reasons"),
    [
        ("football_international/football_international.csv.gz", 49_520, 337, {}),
        ("tennis_atp_main/tennis_atp_main.csv.gz", 194_978, 7_555, {"unknown-ending": 3}),
        ("ufc/ufc.csv.gz", 8_718, 2_729, {"no-result": 90}),
        ("tcec_engines/tcec_engines.csv.gz", 26_652, 322, {"self-play": 887, "unknown-ending": 2}),
        ("afl_with_odds/afl_with_odds.csv.gz", 675, 18, {}),
        ("volleyball_bundesliga/volleyball_bundesliga.csv.gz", 1_696, 32, {}),
        ("llm_judge_alpaca_eval/llm_judge_alpaca_eval.parquet", 45_875, 58, {}),
        ("go_tygem9d/tygem_2005_2011.parquet", 629_968, 13_039, {}),
        ("f1_races/f1_races.csv.gz", 16_582, 632, {"no-rank": 10_940, "player-twice": 579}),
        ("llm_step_game/llm_step_game.csv.gz", 20_598, 68, {}),
        ("riichi_mahjong_4p/riichi_mahjong_4p.csv.gz", 2_160, 69, {}),
    ],
)
def test_rows_of_a_real_set(data: Path, name: str, accepted: int, players: int, reasons: dict[str, int]) -> None:
    log = read_games(data / name)
    assert log.report.accepted == accepted
    assert len(log.players) == players
    assert log.report.accepted + log.report.held + log.report.rejected == log.report.rows
    found = [str(reason) for reason in log.report.problems["reason"]]
    assert {reason: found.count(reason) for reason in set(found)} == reasons
    if log.time is not None:
        assert (log.time[1:] >= log.time[:-1]).all()


def test_ballots_as_entries_are_the_pairs_of_the_same_ballots(data: Path) -> None:
    ballots = read_games(data / "wmt13_votes" / "wmt13_rank5_long.csv.gz")
    pairs = read_games(data / "wmt13_votes" / "wmt13_pairwise.csv.gz")
    assert len(ballots) == len(pairs) == 101_960
    assert ballots.players == pairs.players


def test_pools_of_a_real_set(data: Path) -> None:
    log = read_games(data / "volleyball_bundesliga" / "volleyball_bundesliga.csv.gz", columns={"pool": "pool"})
    assert log.pools == ["men", "women"]
