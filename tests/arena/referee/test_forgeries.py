"""Records that somebody has changed: what follows from others is refused, and what does not is a list that is told."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import orjson
import pytest
from refereed import AT, SEED, Table, played

from tallymark.arena.games.catalogue import game
from tallymark.arena.games.face import Choice
from tallymark.arena.referee.finished import Finished, Settlement
from tallymark.arena.referee.replaying import Replay
from tallymark.arena.referee.saying import Change
from tallymark.errors import BrokenChainError, InputError

Fields = dict[str, Any]
Path = tuple[str | int, ...]
CHANGE = Change(1500.0, 350.0, 1662.31, 290.32)
BELIEVED = {
    "announced.at",
    "announced.seats.*.agent",  # where the order stays, and no hash is of the name
    "announced.seats.*.kind",
    "announced.seats.*.version",
    "announced.seats.*.rating",
    "announced.seats.*.deviation",
    "announced.versions",
    "announced.versions.tallymark",
    "playing.ms",
    "playing.seat",  # another one that was asked
    "missed.given",  # of a text that the game refuses for one of its characters, the others
    "settled.ms",
    "settled.position",
    "settled.changes",  # null: its pool rates it later
    "settled.changes.*",
    "settled.changes.*.rating_before",
    "settled.changes.*.deviation_before",
    "settled.changes.*.rating",
    "settled.changes.*.deviation",
}
"""What a replay believes: only who was there can know it, and the ledger's entry has its hash, or itself."""


def settled(lines: list[bytes]) -> list[bytes]:
    finished = Finished.of(lines)
    step = finished.settled(Settlement(AT + 10**12, 12, (CHANGE,) * len(finished.agents)))
    return [*lines, *step.records]


def won() -> list[bytes]:
    """A match of tic-tac-toe that the board decides."""
    table = Table(game=game("tic-tac-toe"))
    table.delivered(2, 0)
    for n, action in enumerate(("a1", "b1", "a2", "b2", "a3")):
        table.acts(10 * n + 7, n % 2, action)
    return settled(table.lines)


def lost(how: str) -> list[bytes]:
    """One that ends because seat 1 fails."""
    table = Table(game=game("tic-tac-toe"))
    table.acts(7, 0, "a1")
    if how == "illegal":
        table.acts(20, 1, "a1")
    elif how == "null":
        table.acts(20, 1, None)
    elif how == "timeout":
        table.passes(10_009)
    else:
        table.leaves(20, 1)
    return settled(table.lines)


def werewolf() -> list[bytes]:
    """Seats that are late, that send nonsense, and that leave."""
    table = Table(5, game=game("werewolf"), seed=SEED)
    table.delivered(1, 2)
    ms, n = 1, 0
    while table.verdict is None:
        ms, n = ms + 11, n + 1
        seat = next(seat for seat in (3, 1, 4, 0, 2) if table.match.asked(seat))
        form = getattr(table.match.asked(seat), "form", None)
        if n % 7 == 5:
            assert table.match.due is not None
            ms = table.match.due - 5000 + 3
            table.passes(ms)
        elif n % 7 == 3:
            table.acts(ms, seat, None if n % 2 else "\n")
        elif n == 8:
            table.leaves(ms, 4)
        else:
            table.acts(ms, seat, form.actions[0] if isinstance(form, Choice) else "It was not me.")
    kinds = [json.loads(line).get("reason") for line in table.lines]
    assert {"timeout", "illegal", "disconnect"} <= set(kinds)
    return settled(table.lines)


MATCHES: dict[str, Callable[[], list[bytes]]] = {
    "won": won,
    "illegal": lambda: lost("illegal"),
    "null": lambda: lost("null"),
    "timeout": lambda: lost("timeout"),
    "disconnect": lambda: lost("disconnect"),
    "kuhn poker": lambda: settled(played(game("kuhn-poker"), 1)),
    "werewolf": werewolf,
}


def follow(lines: list[bytes]) -> None:
    for _ in Replay(lines, game).steps():
        pass


def spelt(record: Fields) -> bytes:
    """Also what only a forger can write: huge numbers, halves of surrogate pairs."""
    try:
        return orjson.dumps(record)
    except TypeError:
        return json.dumps(record, separators=(",", ":")).encode()


def found(lines: list[bytes]) -> InputError | BrokenChainError | None:
    try:
        follow(lines)
    except (InputError, BrokenChainError) as error:
        return error
    return None


def refused(forged: list[Fields], says: str) -> None:
    lines = [orjson.dumps(record | {"n": n}) for n, record in enumerate(forged)]
    with pytest.raises(BrokenChainError, match=says):
        follow(lines)


def read(name: str) -> list[Fields]:
    return [json.loads(line) for line in MATCHES[name]()]


def fields_of(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    for name, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from fields_of(part, (*path, name))


def others(value: Any) -> Iterator[Any]:
    """Other values in the place of one; the last one is for it not to be there at all."""
    match value:
        case bool():
            yield from (not value, int(value), None, "x")
        case int():
            yield from (
                value + 1,
                value - 1,
                value + 100_000,
                -1,
                str(value),
                None,
                value + 0.5,
                [value],
                2**70,
                10**400,
            )
        case float():
            yield from (value + 1, str(value), True, -value, 2**70, 10**400)
        case str():
            yield from (value + "x", "", None, 5, ("0" if value[:1] != "0" else "1") + value[1:], "\ud800")
        case None:
            yield from (0, 1, "x", False, [], {})
        case list():
            yield from ([], [*value, *value[-1:], 1], value[:-1] if value else {}, None, value[::-1])
        case dict():
            yield from ({}, value | {"extra": 1}, None, [], value | dict.fromkeys(list(value)[:1]))


def forgeries(record: Fields) -> Iterator[tuple[str, Fields]]:
    """Every change of one field of a record, and what it was called."""
    yield f"{record['kind']}.extra", record | {"extra": None}
    for path in fields_of(record):
        name = ".".join(["*" if isinstance(part, int) else part for part in path])
        place: Any = record
        for part in path:
            place = place[part]
        for other in (*others(place), ...):
            forged = deepcopy(record)
            within: Any = forged
            for part in path[:-1]:
                within = within[part]
            if other is ...:
                del within[path[-1]]
            else:
                within[path[-1]] = other
            if spelt(forged) != spelt(record):
                yield f"{record['kind']}.{name}", forged


@pytest.mark.parametrize("name", MATCHES)
def test_every_change_of_one_field_is_refused_but_for_what_only_who_was_there_can_know(name: str) -> None:
    lines = MATCHES[name]()
    follow(lines)
    tried, believed = 0, set()
    for n, line in enumerate(lines):
        for what, forged in forgeries(json.loads(line)):
            tried += 1
            error = found([*lines[:n], spelt(forged), *lines[n + 1 :]])
            if error is None:
                believed.add(what)
            elif isinstance(error, BrokenChainError):
                assert "record " in error.message
            else:  # another form, game or ruleset: not ours to judge
                assert what in {"announced.form", "announced.game", "announced.ruleset.name"}, error
    assert tried > 300
    assert believed <= BELIEVED


def aborted(match: str, reason: str) -> list[Fields]:
    """A match's end made one that nobody wins."""
    *forged, over, _ = read(match)
    over |= {"reason": reason, "ending": "aborted", "seat": None, "sides": [], "unrated": reason}
    return [*forged, over | {"revealed": {}, "fields": {}}]


def test_a_match_that_is_decided_was_not_aborted() -> None:
    for match in ("won", "timeout", "kuhn poker", "werewolf"):
        for reason in ("restart", "lease"):
            refused(aborted(match, reason), f"reason is '{reason}'; expected '(finished|timeout)'")
        refused(aborted(match, "undelivered"), "reason is 'undelivered'; expected '(finished|timeout)'")


def test_a_defect_may_come_at_any_time_in_its_own_words() -> None:
    forged = aborted("won", "defect")
    refused(forged, "told is 'x has three in a row'; expected 'The arena or the game failed, ")
    forged[-1]["told"] = "The arena or the game failed, by no fault of an agent: aborted, not rated."
    follow([orjson.dumps(record) for record in forged])
    refused([*forged[:-1], forged[-1] | {"fields": {"steps": 5}}], "fields is {'steps': 5}; expected {}")


def cut_short(ms: int, **miss: Any) -> list[Fields]:
    """A match that seat 0 wins, made one that it loses by a failure behind its second action."""
    *begun, over, _ = read("won")
    begun = begun[:6]
    told = miss.get("told", "")
    failed = {"n": 0, "kind": "missed", "ms": ms, "seat": 0, "request": 3, "reason": "", "latency": 1, "given": None}
    failed |= {"told": told} | miss
    over |= {"ms": ms, "reason": miss["reason"], "ending": miss["reason"], "told": told, "seat": 0}
    over |= {"sides": [{"seats": [1], "rank": 1}, {"seats": [0], "rank": 2}], "fields": {"steps": 4}}
    return [*begun, failed, over]


def test_a_failure_that_was_none() -> None:
    late = "no action came until the deadline"
    refused(cut_short(38, reason="timeout", latency=10_001, told=late), "ms is 38; expected 10038 or more")
    refused(cut_short(10_038, reason="timeout", latency=9, told=late), "latency is 9; expected 10001")
    refused(cut_short(10_038, reason="timeout", latency=10_001, told="x"), "told is 'x'; expected 'no action came")
    refused(cut_short(38, reason="illegal"), "record 6: given is None; expected text")
    refused(
        cut_short(38, reason="illegal", given="a3"), "given is 'a3'; expected an action that the game does not allow"
    )
    refused(
        cut_short(38, reason="illegal", given="a1", told="x"), "told is 'x'; expected \"action is 'a1'; expected one"
    )
    refused(cut_short(38, reason="disconnect", told="x"), "told is 'x'; expected 'the connection broke'")
    refused(cut_short(38, reason="disconnect", latency=5, told="the connection broke"), "latency is 5; expected 1")
    both = cut_short(38, reason="disconnect", told="the connection broke")
    both.insert(7, both[6] | {"seat": 1, "request": None, "latency": None})
    refused(both, "record 7: kind is 'missed'; expected over")


def test_a_connection_that_broke_is_believed_for_only_who_was_there_knows() -> None:
    forged = cut_short(38, reason="disconnect", told="the connection broke")
    follow([orjson.dumps(record | {"n": n}) for n, record in enumerate(forged)])


def test_numbers_that_follow_from_others() -> None:
    forged = read("won")
    for record in forged:
        record |= {"latency": 9999} if record["kind"] == "action" else {}
    refused(forged, "record 2: latency is 9999; expected 7")
    forged = read("won")
    for record in forged:
        record |= {"request": 7} if record["kind"] == "action" else {}
    refused(forged, "record 2: request is 7; expected 1, the seat's last one")


def test_defaults_and_misses_of_a_game_for_more_go_together() -> None:
    first = read("werewolf")
    miss = next(n for n, record in enumerate(first) if record["kind"] == "missed")
    default = next(n for n, record in enumerate(first) if record.get("default"))
    refused([*first[: miss + 1], *first[miss:]], f"record {miss + 1}: ")
    refused([*first[:default], *first[default + 1 :]], f"record {default}: ")
    refused([*first[: default + 1], *first[default:]], f"record {default + 1}: ")
    in_time = [dict(record) for record in first]
    in_time[default] |= {"default": False, "latency": 1}
    refused([*in_time[:miss], *in_time[miss + 1 :]], f"record {miss}: ")
    gone = {"request": None, "reason": "disconnect", "latency": None, "given": None, "told": "the connection broke"}
    acts = next(n for n, record in enumerate(first) if record["kind"] == "action" and not record["default"])
    invented = {"n": 0, "kind": "missed", "ms": first[acts]["ms"], "seat": first[acts]["seat"], **gone}
    refused([*first[: acts + 1], invented, *first[acts + 1 :]], f"record {acts + 1}: ")


def test_a_line_that_is_spelt_in_another_way_has_another_hash() -> None:
    lines = won()
    for spelt in (
        lines[3] + b"\r",
        lines[3].replace(b",", b", "),
        orjson.dumps(json.loads(lines[3]), option=orjson.OPT_INDENT_2),
    ):
        with pytest.raises(BrokenChainError, match="record 3: its line is spelt in another way") as raised:
            follow([*lines[:3], spelt, *lines[4:]])
        assert raised.value.position == 3


def test_where_much_differs_a_little_the_place_is_named() -> None:
    forged = read("werewolf")
    forged[-2]["revealed"]["nights"][0][2]["action"] = "sleep well"
    refused(forged, "revealed.nights.0.2 is {'seat': 2, 'action': 'sleep well'}; expected {'seat': 2, '")
