"""Records played back: equal hashes where they are as they were written, and the first record named where not."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from refereed import AT, LATER, LIMIT, Table, played
from small_games import NoughtsGame, ParlourGame

from tallymark.arena.chance import commitment
from tallymark.arena.games.catalogue import game, games
from tallymark.arena.games.face import Game
from tallymark.arena.referee.endings import INTERRUPTIONS, Reason
from tallymark.arena.referee.finished import Finished, Settlement, interrupted
from tallymark.arena.referee.record import Record
from tallymark.arena.referee.replaying import Replay
from tallymark.arena.referee.saying import Change, MatchEnd
from tallymark.errors import BrokenChainError, InputError
from tallymark.ledger.matches import Json

SMALL: dict[str, Game] = {"noughts": NoughtsGame(), "parlour": ParlourGame()}
Fields = dict[str, Json]


def replayed(lines: list[bytes]) -> Replay:
    replay = Replay(lines, lambda name: SMALL[name])
    for _ in replay.steps():
        pass
    return replay


def changed(lines: list[bytes], n: int, change: Callable[[Fields], object]) -> list[bytes]:
    """The same records with another one at this place."""
    record = json.loads(lines[n])
    change(record)
    return [*lines[:n], orjson.dumps(record), *lines[n + 1 :]]


def to(**fields: Json) -> Callable[[Fields], object]:
    """Other fields."""
    return lambda record: record.update(fields)


def refused(lines: list[bytes], position: int, says: str) -> None:
    with pytest.raises(BrokenChainError, match=says) as raised:
        replayed(lines)
    assert raised.value.position == position


@pytest.fixture
def won() -> list[bytes]:
    """announced, playing, five actions, over."""
    table = Table()
    table.delivered(1, 0)
    for n, cell in enumerate("03142"):
        table.acts(10 * n, n % 2, cell)
    return table.lines


@pytest.fixture
def parlour() -> list[bytes]:
    """announced, playing, then misses and defaults, over."""
    table = Table(3)
    table.delivered(1, 0)
    for n in range(1, 30):
        table.passes(n * 10 * LIMIT)
    return table.lines


def test_a_match_as_it_was_written_is_followed_to_its_end(won: list[bytes], parlour: list[bytes]) -> None:
    assert replayed(won).states == 6
    assert replayed(parlour).states == 13
    assert replayed(won).finished.hash != replayed(parlour).finished.hash


def test_every_hash_is_compared(won: list[bytes]) -> None:
    for n in (0, *range(2, 7)):
        refused(changed(won, n, to(hash="0" * 64)), n, f"record {n}: hash is")


def test_another_action_gives_another_position(won: list[bytes]) -> None:
    refused(changed(won, 3, to(action="8")), 3, "record 3: hash is")
    refused(changed(won, 3, to(action="0")), 3, "expected one of 1, 2, 3")
    refused(changed(won, 3, to(seat=0)), 3, "seat is 0; expected one that was asked: 1")


def test_another_seed_is_not_the_one_committed_to(won: list[bytes]) -> None:
    refused(changed(won, 7, to(seed="00" * 32)), 0, "commitment is")
    refused(changed(won, 7, to(seed="00" * 31)), 7, "expected 32 bytes in hexadecimal")
    refused(changed(won, 7, to(seed="nothing")), 7, "expected hexadecimal digits")


def test_seats_that_the_seed_does_not_give(won: list[bytes]) -> None:
    def swap(record: Fields) -> None:
        seats = record["seats"]
        assert isinstance(seats, list)
        seats.reverse()

    refused(changed(won, 0, swap), 0, "record 0: seats are agent-., agent-.; expected agent-., agent-., as the seed")


def test_another_seed_with_its_own_commitment_gives_other_hidden_things(parlour: list[bytes]) -> None:
    for n in range(100):  # one that gives the same seats
        seed = bytes([n]) * 32
        other = changed(parlour, len(parlour) - 1, to(seed=seed.hex()))
        other = changed(other, 0, to(commitment=commitment(seed, "parlour-1")))
        with pytest.raises(BrokenChainError) as raised:
            replayed(other)
        if "hash is" in str(raised.value):
            return
    raise AssertionError("no seed gave the same seats")


def test_another_ending_is_not_the_one_that_the_board_has(won: list[bytes]) -> None:
    endings: list[Fields] = [
        {"reason": "resigned"},
        {"told": "four in a row"},
        {"seat": 1},
        {"sides": []},
        {"reason": "timeout"},
    ]
    for each in endings:
        refused(changed(won, 7, to(**each)), 7, "record 7")
    refused(changed(won, 7, to(reason="boredom")), 7, "boredom")
    refused(changed(won, 7, to(fields={"steps": 6})), 7, "fields is")
    refused(changed(won, 7, to(reason="undelivered")), 7, "reason is 'undelivered'; expected 'finished'")
    refused(changed(won, 7, to(reason="restart")), 7, "reason is 'restart'; expected 'finished'")


def test_a_default_that_the_seed_does_not_draw(parlour: list[bytes]) -> None:
    (vote,) = [n for n, line in enumerate(parlour) if b'"default":true' in line][3:4]
    real = json.loads(parlour[vote])["action"]
    other = next(cell for cell in "012" if cell not in (real, str(json.loads(parlour[vote])["seat"])))
    refused(changed(parlour, vote, to(action=other)), vote, "which the seed draws")


def test_a_default_without_a_miss_and_an_action_after_its_deadline(won: list[bytes]) -> None:
    refused(changed(won, 2, to(default=True)), 2, "default is True")
    refused(changed(won, 2, to(latency=LIMIT + 1)), 2, "latency is 1001")


def test_a_miss_that_was_none() -> None:
    late, illegal = Table(), Table()
    late.delivered(1, 0)
    late.passes(LIMIT + 1)
    illegal.acts(1, 0, "9")
    refused(changed(late.lines, 2, to(latency=LIMIT)), 2, "latency is 1000")
    refused(changed(illegal.lines, 2, to(given="8")), 2, "that the game does not allow")
    refused(changed(illegal.lines, 2, to(reason="restart")), 2, "expected one of timeout")
    refused(changed(illegal.lines, 2, to(seat=7)), 2, "expected 0 to 1")


def test_two_players_do_not_play_on_behind_a_miss() -> None:
    """Go, ended by two passes: as if white had let its deadline pass, and the game's default, a pass, were played."""
    table = Table(game=game("go-9x9"))
    for seat in (0, 1):
        table.acts(10, seat, "pass")
    table.check()
    late = {"reason": "timeout", "latency": 10**6, "given": None, "told": "no action came until the deadline"}
    begun, (action, over) = [json.loads(line) for line in table.lines[:3]], map(json.loads, table.lines[3:])
    miss = {"n": 0, "kind": "missed", "ms": action["ms"] + 10**6, "seat": 1, "request": 1, **late}
    forged = [*begun, miss, {**action, "ms": miss["ms"], "default": True, "latency": None}, {**over, "ms": miss["ms"]}]
    lines = [orjson.dumps({**record, "n": n}) for n, record in enumerate(forged)]
    with pytest.raises(BrokenChainError, match="record 4: kind is 'action'; expected over") as raised:
        list(Replay(lines, game).steps())
    assert raised.value.position == 4


def test_what_the_board_decides_is_no_end_behind_a_miss(won: list[bytes]) -> None:
    """As if the loser's connection had broken between the last action and the end."""
    *begun, over = [json.loads(line) for line in won]
    miss = {
        "n": 0,
        "kind": "missed",
        "ms": over["ms"],
        "seat": 1,
        "request": None,
        "reason": "disconnect",
        "latency": None,
    }
    forged = [*begun, miss | {"told": "gone", "given": None}, over]
    lines = [orjson.dumps({**record, "n": n}) for n, record in enumerate(forged)]
    refused(lines, 7, "kind is 'missed'; expected over: three in a row")


@pytest.mark.parametrize("n", range(8))
def test_records_that_are_missing_twice_or_no_records(won: list[bytes], n: int) -> None:
    with pytest.raises(BrokenChainError):
        replayed([*won[:n], *won[n + 1 :]])
    with pytest.raises(BrokenChainError):
        replayed([*won[:n], won[n], *won[n:]])
    for line in (b"", b"[]", b"{}", b'{"n":NaN}', b"\xff", b'{"n":%d,"kind":"joke","ms":0}' % n, b"[" * 10**5):
        refused([*won[:n], line, *won[n + 1 :]], n, f"record {n}")


def test_what_is_missing_in_a_record_is_named(won: list[bytes], parlour: list[bytes]) -> None:
    for lines in (won, parlour):
        for n, line in enumerate(lines):
            for name in json.loads(line).keys() - {"versions"}:
                with pytest.raises(BrokenChainError):
                    replayed(changed(lines, n, to(**{name: {"x": [None]}})))


def test_records_without_an_end_are_of_a_match_that_is_still_played(won: list[bytes]) -> None:
    refused(won[:-1], 7, "no record says how the match ended")
    refused([], 0, "no record says how the match ended")


def test_times_that_go_back(won: list[bytes]) -> None:
    refused(changed(won, 4, to(ms=9)), 4, "ms is 9; expected 10 or more")


def test_another_form_and_another_ruleset_are_not_read_as_if_they_were_ours(won: list[bytes]) -> None:
    with pytest.raises(InputError, match="form 2; this version reads form 1"):
        replayed(changed(won, 0, to(form=2)))

    def named(record: Fields, **change: Json) -> None:
        record["ruleset"] = {"name": "noughts-1", "action_ms": 1000, "grace_ms": 0, **change}

    with pytest.raises(InputError, match="was played by ruleset noughts-2; this version of noughts has noughts-1"):
        replayed(changed(won, 0, lambda record: named(record, name="noughts-2")))
    refused(changed(won, 0, lambda record: named(record, action_ms=2000)), 0, "ruleset is")


def test_a_match_that_was_rated_has_one_record_more(won: list[bytes]) -> None:
    change = Change(1500.0, 350.0, 1662.5, 290.25)
    (line,) = Finished.of(won).settled(Settlement(AT + 10**6, 12, (change, change))).records
    replay = replayed([*won, line])
    assert replay.records[-1].ms == 1000
    assert replay.finished == Finished.of(won), "the end is what the ledger has the hash of"
    refused([*won, changed([line], 0, to(changes=[]))[0]], 8, "changes is")
    refused([*won, line, line], 9, "record 9")


def test_a_match_that_the_rules_do_not_rate_says_so(won: list[bytes]) -> None:
    step = Finished.of(won).settled(Settlement(AT, 12, unrated=Reason.RULES))
    assert replayed([*won, *step.records]).records[-1].fields["unrated"] == "rules"
    assert replayed([*won, *step.records]).records[-1].ms == 40, "the wall clock went back, the record does not"
    (end, *_) = [say.what for say in step.says]
    assert isinstance(end, MatchEnd)
    assert (end.unrated, end.changes, end.position) == (Reason.RULES, (), 12)


@pytest.mark.parametrize("reason", INTERRUPTIONS)
def test_a_match_whose_process_is_gone_is_aborted_from_its_records(won: list[bytes], reason: Reason) -> None:
    seed = bytes(range(32))
    for n in range(1, 7):
        step, finished = interrupted(won[:n], seed, reason, AT + 5_000_000)
        assert step.verdict is not None
        assert (step.verdict.reason, step.verdict.aborted) == (reason, True)
        assert finished.for_ledger(LATER)["score_a"] is None
        assert finished.for_ledger(LATER)["ending"] == "aborted"
        assert finished.ms == 5000
        assert replayed([*won[:n], *step.records]).finished == finished
        assert [say.to for say in step.says] == [0, 1, None]


def test_a_match_that_is_over_is_not_aborted_from_its_records(won: list[bytes]) -> None:
    with pytest.raises(ValueError, match="it can be rated, not aborted"):
        interrupted(won, bytes(range(32)), Reason.RESTART, AT)
    with pytest.raises(ValueError, match="expected one of restart, lease, defect"):
        interrupted(won[:3], bytes(range(32)), Reason.TIMEOUT, AT)


def test_the_ledger_has_the_hash_of_the_records(won: list[bytes]) -> None:
    data = Finished.of(won).for_ledger(LATER)["data"]
    assert isinstance(data, dict)
    assert data["arena"]["record"] == hashlib.sha256(b"".join(line + b"\n" for line in won)).hexdigest()


@pytest.mark.parametrize("name", [one.name for one in games()])
def test_matches_of_every_game_are_played_back_and_so_are_those_that_break_off(name: str) -> None:
    one = game(name)
    lines = played(one, 1, misses=max(one.seats) > 2)
    for _ in Replay(lines, game).steps():
        pass
    for leaving in (0, 1):
        table = Table(min(one.seats), game=one)
        table.delivered(1, 0)
        for line in lines[2:8]:
            record = Record.read(line, json.loads(line)["n"])
            if max(one.seats) == 2 and record.kind == "action":
                table.acts(5, record.whole("seat"), record.text("action"))
        if table.verdict is None:
            table.leaves(10, leaving)
            table.passes(10**9)
            for n in range(400):
                table.passes(10**9 * (n + 2))
        table.check()


def test_matches_are_played_back_in_another_process(tmp_path: Path) -> None:
    files = []
    for n in range(4):
        for name in ("tic-tac-toe", "connect-four", "kuhn-poker", "werewolf"):
            files.append(tmp_path / f"{name}-{n}.jsonl")
            files[-1].write_bytes(b"\n".join(played(game(name), n, misses=name == "werewolf")) + b"\n")
    program = (
        "import pathlib, sys\n"
        "from tallymark.arena.games.catalogue import game\n"
        "from tallymark.arena.referee.replaying import Replay\n"
        "for file in sys.argv[1:]:\n"
        "    for _ in Replay(pathlib.Path(file).read_bytes().splitlines(), game).steps(): pass\n"
        "print('equal')\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *files], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("equal\n", 0), done.stderr
