"""kill -9 of the process that plays, before and after every commit of a match: what was said stays, numbers are never
used again, what was in flight is aborted, and what was over is rated once."""

from pathlib import Path

import orjson
from crowd import PROCESSES
from halls import Time, kept, made, replayed, turns
from killing import doomed
from small_games import NoughtsGame

from tallymark.arena.store import matches, tickets
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.verify import verify


def survived(url: str, ms: int) -> int:
    """Starts again behind a kill, and looks at everything; how many matches there are."""
    time = Time()
    time.ms = ms
    with Ledger.open(url, clock=time.utc) as ledger:
        with made(ledger, time, [NoughtsGame()], return_ms=0) as hall:
            turns(hall, ledger, 3)
        with ledger.store.reading() as connection:
            found = matches.listed(connection, game="noughts", limit=1000)
            assert tickets.lengths(connection) == {}
        assert sorted(one.number for one in found) == list(range(1, len(found) + 1))
        for one in found:
            assert (one.state, one.reason) in (("aborted", "restart"), ("settled", "illegal"))
            fate = ledger.receipt("noughts", one.id)
            assert fate.position == one.position
            assert fate.state == ("not-rated" if one.state == "aborted" else "rated")
            assert replayed(ledger, one.id)
    return len(found)


def said(url: str, told: Path) -> None:
    """What agents were told is so."""
    with Ledger.open(url) as ledger:
        for line in told.read_text().splitlines() if told.exists() else ():
            what, match, agent, number = orjson.loads(line)
            lines = kept(ledger, match)
            seat = [one["agent"] for one in lines[0]["seats"]].index(agent)
            if what == "ack":
                actions = [(one["seat"], one["request"]) for one in lines if one["kind"] == "action"]
                assert (seat, number) in actions
            elif what == "end" and number is not None:
                assert ledger.receipt("noughts", match).position == number
            elif what == "end":
                assert lines[-1]["reason"] == "restart"


def test_killed_before_and_after_every_commit(ledger_url: str, tmp_path: Path) -> None:
    with Ledger.open(ledger_url, create=True, clock=Time().utc) as ledger, made(ledger, Time(), [NoughtsGame()]):
        pass
    told, steps = tmp_path / "told", tmp_path / "steps"
    stride = 1 if ledger_url.startswith("sqlite") else 3  # the same steps on both: one of them in full
    killed, ms = 0, 0
    for step in range(1, 200, stride):
        ms += 4_000_000
        process = PROCESSES.Process(target=doomed, args=(ledger_url, step, ms, str(told), str(steps)))
        process.start()
        process.join(60)
        ms += 4_000_000
        survived(ledger_url, ms)
        said(ledger_url, told)
        if process.exitcode == 0:
            break
        assert process.exitcode == -9
        killed += 1
    assert killed >= 15 / stride
    with Ledger.open(ledger_url) as ledger, ledger.store.reading() as connection:
        reasons = {one.reason for one in matches.listed(connection, game="noughts", limit=1000)}
        assert reasons == {"restart", "illegal"} or (stride > 1 and reasons == {"illegal"})
    assert verify(ledger_url).pools
