"""A ledger that is not the arena's alone, and a hall that begins anew: no rating is taken over, house agents stay."""

from pathlib import Path

import pytest
from halls import Player, Time, first, made, opened, turns

from tallymark.arena.referee.saying import ActionRequest, MatchStart
from tallymark.arena.store import agents
from tallymark.arena.store.agents import Agent, Program
from tallymark.errors import InputError


def test_a_name_that_has_a_rating_already_is_nobody_elses(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        ledger.append({"id": "m", "player_a": "magnus", "player_b": "ann", "score_a": 1}, pool="noughts")
        ledger.settle()
        with pytest.raises(InputError, match="'magnus' is another's"):
            Player(hall, "magnus")
        Player(hall, "bob")


def test_a_pool_may_be_given_other_rules_later(ledger_url: str) -> None:
    with opened(ledger_url, Time()) as (ledger, hall):
        hall.close()
        rules = ledger.rules("noughts")
        ledger.change_rules("noughts", rules.with_(volatility_max=0.1), id="r")
        ledger.settle()
        with made(ledger, Time()):  # what is changed later is the operator's business
            pass


def test_a_pool_of_others_is_named_and_none_is_made(tmp_path: Path) -> None:
    import tallymark as tm

    with tm.Ledger.open(tmp_path / "club.db", create=True) as ledger:
        ledger.open_pool("parlour", "elo")  # the last one that is looked at
        with pytest.raises(InputError, match=r"pool 'parlour' was opened with elo-1; expected arena-v0"):
            made(ledger, Time())
        assert [one.pool for one in ledger.pools()] == ["parlour"]  # and nothing is there that was not before


def test_house_agents_come_again_where_the_hall_begins_anew(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time, lease_ms=15_000) as (ledger, hall):
        said: list[str] = []

        def act(asked: ActionRequest) -> str:
            said.append(asked.match)
            return first(asked)

        hall.house(Agent("house-noughts", "house", "house"), act, ["noughts"], lambda task: task())
        turns(hall, ledger, 2)
        time.ms = 60_000  # nothing was written for longer than the lease
        turns(hall, ledger, 2)
        ann = Player(hall, "ann")
        ann.manner = first
        ann.join()
        turns(hall, ledger, 2)
        time.ms += 10_000
        turns(hall, ledger)
        assert ann.all(MatchStart)
        assert said


def test_programs_of_an_agent_are_bounded(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "RELEASES", 3)
    with opened(ledger_url, Time()) as (ledger, _), ledger.beside() as own:
        for version in ("1", "2", "3", "3"):
            agents.register(own.connection, Agent("ann", "ann", program=Program(version)), 0)
        with pytest.raises(InputError, match="has had 3 programs"):
            agents.register(own.connection, Agent("ann", "ann", program=Program("4")), 0)
    with pytest.raises(InputError, match=r"version is .*; expected text of up to 200"):
        agents.check(Agent("ann", "ann", program=Program("x" * 201)))
