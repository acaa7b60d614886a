"""A log made ready for many replays: whatever it keeps, each replay is that of the log itself."""

import pickle

import numpy as np
import pytest

from tallymark import GameLog, InputError, Methodology, ReadyLog, Replay, Snapshot, methodology, replay
from tallymark.games.ids import Id
from tallymark.replay import preparing
from tallymark.replay.roster import Roster
from tallymark.replay.schedule import Head, Schedule
from tallymark.replay.scheduling import build
from tallymark.replay.snapshot_file import document_of

from .strategies import METHODOLOGIES

PAPER = methodology("paper")
VARIANTS = [
    *METHODOLOGIES,
    PAPER.with_(tau=0.3),
    PAPER.with_(period="7d"),
    PAPER.with_({"period": "7d", "period.origin": "2020-02-02"}),
    PAPER.with_(period="match"),
    PAPER.with_({"period.sum_order": "opponent"}),
    PAPER.with_({"rated.draws": False}),
    PAPER.with_({"rated.endings": ["normal"]}),
    PAPER.with_({"rated.sources": ["queue"]}),
    methodology("go-float").with_({"rated.minimum_steps": 30}),
    methodology("go-float").with_({"published.peak_sources": ["casual"]}),
]


def log_of(games: int, seed: int = 20261130) -> GameLog:
    """Games with all that rules may look at."""
    chance = np.random.default_rng(seed)
    a = chance.integers(0, 12, games)
    return GameLog.from_arrays(
        player_a=a,
        player_b=(a + chance.integers(1, 12, games)) % 12,
        score_a=chance.choice([0.0, 0.5, 1.0], games),
        played_at=np.sort(chance.integers(0, 300 * 86_400, games)) + 1_600_000_000,
        pool=chance.choice(["first", "second"], games),
        ending=chance.choice(["normal", "resignation", "timeout", "walkover"], games),
        source=chance.choice(["queue", "table", "casual"], games),
        steps=chance.integers(0, 80, games),
    )


def same(one: Replay, two: Replay) -> None:
    for name in ("ratings", "predictions", "history"):
        first, second = getattr(one, name), getattr(two, name)
        for column in first.columns:
            left, right = (np.asarray(table[column]) for table in (first, second))
            assert left.dtype == object or left.tobytes() == right.tobytes(), (name, column)
            assert left.dtype != object or left.tolist() == right.tolist(), (name, column)
    assert one.report == two.report
    assert document_of(one.snapshot()) == document_of(two.snapshot())


def test_one_ready_log_serves_every_methodology() -> None:
    """All from one, again and again, so that what is kept for one would be found in another's replay."""
    log = log_of(400)
    ready = log.prepare()
    assert isinstance(ready, ReadyLog)
    for rules in VARIANTS * 2:
        for engine in ("interpreted", "compiled") if rules.name in ("paper", "votes") else ("interpreted",):
            ours = replay(ready, rules, history=True, predictions=True, engine=engine)
            same(ours, replay(log, rules, history=True, predictions=True, engine=engine))


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methodologies that a schedule was built for."""
    found: list[str] = []

    def noted(log: GameLog, rules: Methodology, who: Roster, heads: list[Head], going_on: frozenset[Id]) -> Schedule:
        found.append(rules.id)
        return build(log, rules, who, heads, going_on)

    monkeypatch.setattr(preparing, "build", noted)
    return found


def test_a_schedule_is_built_once_for_rules_that_share_it(built: list[str]) -> None:
    ready = log_of(200).prepare()
    weekly = PAPER.with_(period="7d")
    for rules in (
        PAPER,
        PAPER.with_(tau=0.3),
        PAPER.with_({"published.provisional_deviation": 90.0}),
        weekly,
        PAPER,
        weekly,
    ):
        replay(ready, rules)
    assert built == [PAPER.id, weekly.id]
    assert repr(ready) == "ReadyLog: 200 games, 2 schedules"


def test_several_methodologies_at_once(built: list[str]) -> None:
    log = log_of(200)
    rules = [PAPER, PAPER.with_(tau=0.3), PAPER.with_(tau=0.4)]
    for given in (log, log.prepare()):
        found = replay(given, rules, history=True, predictions=True)
        assert built == [PAPER.id]
        for one, its in zip(found, rules, strict=True):
            same(one, replay(log, its, history=True, predictions=True))
        built.clear()


def test_the_oldest_schedule_goes(built: list[str]) -> None:
    ready = log_of(50).prepare()
    lengths = [PAPER.with_(period=f"{days}d") for days in range(1, 10)]
    for rules in (*lengths, lengths[-1], lengths[0]):
        replay(ready, rules)
    assert built == [rules.id for rules in (*lengths, lengths[0])]
    assert repr(ready) == "ReadyLog: 50 games, 8 schedules"


@pytest.mark.parametrize("rules", METHODOLOGIES, ids=lambda rules: rules.id)
def test_going_on_from_a_snapshot(rules: Methodology) -> None:
    log = log_of(300)
    first, rest = log.taken(np.arange(120)), log.taken(np.arange(120, 300))
    start = replay(first, rules).snapshot()
    ready = rest.prepare()
    for before in (start, None, start):
        ours = replay(ready, rules, before, history=True, predictions=True)
        same(ours, replay(rest, rules, before, history=True, predictions=True))


def test_starts_are_told_apart(built: list[str]) -> None:
    log = log_of(100)
    ready = log.prepare()
    for rating in (1400, 1700, 1400):
        start = Snapshot.from_arrays(player=[1], rating=[rating], pool="first", at="2020-09-01")
        for rules in (PAPER, PAPER.with_(tau=0.3)):
            ours = replay(ready, rules, start, history=True, predictions=True)
            same(ours, replay(log, rules, start, history=True, predictions=True))
    assert built.count(PAPER.id) == 6  # once a start and log, for each start is another object


def test_what_cannot_be_rated_is_refused_each_time() -> None:
    ready = GameLog.from_arrays(player_a=[1], player_b=[2], score_a=[1]).prepare()
    assert len(replay(ready, "elo").ratings) == 2
    for rules in (PAPER, methodology("elo").with_({"period": "1d"}), PAPER):
        with pytest.raises(InputError, match="the log has no played_at"):
            replay(ready, rules)


def test_it_goes_to_another_process_without_what_it_keeps() -> None:
    ready = log_of(40).prepare()
    replay(ready, "paper")
    copy = pickle.loads(pickle.dumps(ready))
    assert repr(copy) == "ReadyLog: 40 games, 0 schedules"
    assert list(replay(copy, "paper").ratings.rows()) == list(replay(ready, "paper").ratings.rows())
