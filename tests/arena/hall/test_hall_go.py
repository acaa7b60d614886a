"""Go in the hall: three boards of one rating, whose games overlap. Game time is the start of a game."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from halls import START, Player, Time, opened, stands, turns

from tallymark.arena.games.face import Choice, Game
from tallymark.arena.games.go import go
from tallymark.arena.hall.hall import Hall
from tallymark.arena.referee.saying import ActionRequest, MatchEnd, MatchStart
from tallymark.fixedpoint.felt import NEVER_RATED, unpack
from tallymark.fixedpoint.felt import Player as Stored
from tallymark.fixedpoint.rules import Rated, Result, rate
from tallymark.ledger.ledger import Ledger

HOUR = 3_600_000
DAY = 24 * HOUR


def patient(lines: int) -> Game:
    """Go where agents may think as long as they like."""
    game = go(lines)
    return replace(game, ruleset=replace(game.ruleset, action_ms=100 * DAY))


def ended(hall: Hall, ledger: Ledger, both: list[Player], match: str, stones: int = 20) -> None:
    """So many stones, and then whoever is to move resigns."""
    start = next(said for said in both[0].all(MatchStart) if said.match == match)
    seats = [next(one for one in both if one.name == entrant.agent) for entrant in start.entrants]
    for n in range(stones + 1):
        mover = seats[n % 2]
        asked = [said for said in mover.all(ActionRequest) if said.match == match][-1]
        assert isinstance(asked.form, Choice)
        hall.act(mover.connection, match, asked.request, "resign" if n == stones else asked.form.actions[0])
        hall.turn()
    turns(hall, ledger, 2)
    assert both[0].last(MatchEnd).match == match


def entry_of(ledger: Ledger, match: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ledger.entry("go", ledger.receipt("go", match).position or 0).body)
    return found


def instant(ms: int) -> datetime:
    return datetime.fromtimestamp(START // 10**6, UTC) + timedelta(milliseconds=ms)


def test_overlapping_games_are_rated_as_the_reference_of_the_contract_does(ledger_url: str) -> None:
    time = Time()
    with opened(ledger_url, time, games=[patient(9), patient(19)]) as (ledger, hall):
        both = [Player(hall, "ann"), Player(hall, "bob")]
        starts: dict[str, int] = {}

        def begin(ms: int, lines: int) -> str:
            time.ms = ms - 2 * HOUR  # long enough for any gap between their ratings
            for one in both:
                one.join(f"go-{lines}x{lines}")
            hall.turn()
            time.ms = ms
            hall.turn()
            match = both[0].last(MatchStart).match
            starts[match] = stands(ledger, match).started // 1000 - START // 1000
            return match

        def end(ms: int, match: str) -> None:
            time.ms = ms
            ended(hall, ledger, both, match)

        first = begin(2 * HOUR, 9)
        end(5 * HOUR + 77, first)
        long = begin(3 * DAY + 700, 19)
        short = begin(3 * DAY + 4 * HOUR + 1900, 9)
        end(3 * DAY + 5 * HOUR, short)
        end(4 * DAY, long)  # rated behind the one that began after it: the clock does not go back
        last = begin(9 * DAY + 1, 9)
        end(9 * DAY + HOUR, last)

        latest = 0
        stored: dict[str, Stored] = {"ann": NEVER_RATED, "bob": NEVER_RATED}
        for match in (first, short, long, last):
            entry = entry_of(ledger, match)
            told = entry["match"]
            t = (START + starts[match] * 1000) // 10**6
            assert told["played_at"] == f"{instant(starts[match] // 1000 * 1000):%Y-%m-%dT%H:%M:%SZ}"
            assert told["steps"] == 20
            a, b = told["player_a"], told["player_b"]
            done = rate(stored[a], stored[b], Result(int(2 * told["score_a"]), t, 20, True, queue=True))
            assert isinstance(done, Rated)
            stored |= {a: done.a, b: done.b}
            assert {player: unpack(int(felt, 16)) for player, felt, _ in entry["after"]} == stored
            latest = max(t, latest)
            assert [stored[player].last for player in (a, b)] == [latest, latest]
