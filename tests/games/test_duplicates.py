from hypothesis import given
from hypothesis import strategies as st

from tallymark.games import GameLog

AGREE = "rows agree in every column that is used; name an id (game) or an order (order) if they are several games"


def outcome(log: GameLog) -> list[tuple[object, object, object]]:
    return [(row["row"], row["kind"], row["reason"]) for row in log.report.problems.rows()]


def test_rows_that_differ_wait_even_if_one_has_another_fault() -> None:
    log = GameLog.from_arrays(
        player_a=["a", "a", "c", "c", "e", "e", "e"],
        player_b=["b", "b", "d", "d", "f", "f", "f"],
        score_a=[1, None, 1, 1, 3, "won", 3],
        ending=[None, None, None, "resigned", None, None, None],
        game=["g", "g", "h", "h", "i", "i", "i"],
    )
    assert outcome(log) == [
        (0, "held", "conflicting-game"),
        (1, "held", "conflicting-game"),
        (2, "held", "conflicting-game"),
        (3, "held", "conflicting-game"),
        # None of these is a game: each has its own fault.
        (4, "rejected", "bad-score"),
        (5, "rejected", "bad-score"),
        (6, "rejected", "bad-score"),
    ]
    messages = list(log.report.problems["message"])
    assert messages[0] == "game 'g' is told otherwise in row 1"
    assert messages[1] == "game 'g' is told otherwise in row 0; and score_a is empty: no result"
    assert log.report.held == 4


def identical(played_at: list[str], game: list[str | None] | None = None, **columns: list[object]) -> tuple[str, ...]:
    n = len(played_at)
    log = GameLog.from_arrays(
        player_a=["a"] * n, player_b=["b"] * n, score_a=[1] * n, played_at=played_at, game=game, **columns
    )
    assert len(log) == n
    return log.report.notes


def test_identical_rows_with_a_date_alone_are_kept_and_told() -> None:
    note = (f"2 {AGREE}",)
    assert identical(["2026-01-01", "2026-01-01", "2026-01-02"]) == note
    assert identical(["2026-01-01"] * 4, [None, "", "g", "h"]) == note
    assert identical(["2026-01-01"] * 2, pool=["x", "x"], komi=[None, None]) == note
    assert identical(["2026-01-01T12:00"] * 2) == ()
    assert identical(["2026-01-01"] * 2, ["g", "h"]) == ()
    apart: dict[str, list[object]] = {"pool": ["x", "y"], "steps": [1, 2], "komi": [None, 6.5], "match": ["m", None]}
    for name, values in apart.items():
        assert identical(["2026-01-01"] * 2, None, **{name: values}) == ()


def test_without_times_votes_may_be_alike() -> None:
    log = GameLog.from_arrays(player_a=["a"] * 2, player_b=["b"] * 2, score_a=[1] * 2)
    assert not any("agree" in note for note in log.report.notes)


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([0, 1]), st.sampled_from(["2026-01-01", "2026-01-02"])))
)
def test_the_note_counts_every_row_that_has_a_twin(rows: list[tuple[str, int, str]]) -> None:
    log = GameLog.from_arrays(
        player_a=[row[0] for row in rows],
        player_b=["c"] * len(rows),
        score_a=[row[1] for row in rows],
        played_at=[row[2] for row in rows],
    )
    twins = sum(rows.count(row) > 1 for row in rows)
    notes = [note for note in log.report.notes if "agree" in note]
    assert notes == ([f"{twins:,} {AGREE}"] if twins else [])
