"""Kinds of vectors: for each, what is asked of what is given. Who writes a file and who checks one answer alike."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, cast

from tallymark.errors import ReadError
from tallymark.fixedpoint import felt, formulas, primitives
from tallymark.fixedpoint.refusing import RefusedError, whole
from tallymark.fixedpoint.rules import Rated, Result, VoidReason, rate
from tallymark.fixedpoint.storage import PLAYER, TICKET, Contract, Slot, Storage
from tallymark.fixedpoint.tickets import Ticket, accept, close, pack_ticket, unpack_ticket
from tallymark.fixedpoint.tracing import steps_of
from tallymark.fixedpoint.units import W
from tallymark.fixedpoint.updating import State, accepted, update
from tallymark.fixedpoint.vectors.values import Fields, Value


class Answer(NamedTuple):
    """What came out, every intermediate on the way by name where the kind has any, and what was refused if it was."""

    out: Value = ""
    steps: Mapping[str, int] = {}
    refused: str = ""


def answer(kind: str, given: Value) -> Answer:
    """The answer of this package to a vector of this kind. `ReadError` for an unknown kind, and members it lacks.

    >>> answer("rdiv", {"n": 5, "d": 2}).out
    2
    """
    if kind not in KINDS:
        raise ReadError(f"kind is {kind!r}; expected one of {', '.join(KINDS)}")
    fields = Fields(given, "in")
    try:
        return KINDS[kind](fields)
    except RefusedError as refused:
        return Answer(refused=refused.what)


def state_of(fields: Fields) -> State:
    """The player's state in these members.

    >>> state_of(Fields({"mu": 1, "phi": 0, "last": 2}))
    State(mu=1, phi=0, last=2)
    """
    return State(fields.whole("mu"), fields.whole("phi"), fields.whole("last"))


def _rdiv(given: Fields) -> Answer:
    n, d = given.whole("n"), given.whole("d")
    return Answer(primitives.rdiv(n, whole("d", d, 1, 1 << 96)))


def _root(given: Fields) -> Answer:
    return Answer(primitives.root(W(whole("n", given.whole("n"), 0, 1 << 66))))


def _exp_neg(given: Fields) -> Answer:
    steps = formulas.exp_steps(whole("x", given.whole("x"), 0, 1 << 41))._asdict()
    return Answer(steps.pop("value"), steps)


def _logistic(given: Fields) -> Answer:
    return Answer(formulas.logistic(whole("z", given.whole("z"), -(1 << 41), 1 << 41)))


def _g(given: Fields) -> Answer:
    weight = formulas.g_steps(W(whole("var", given.whole("var"), 0, 1 << 67)))
    return Answer(weight.value, {"ratio": weight.ratio, "square": cast(int, weight.square)})


def _rank(given: Fields) -> Answer:
    return Answer(formulas.rank(given.whole("mu")))


def _half_life(given: Fields) -> Answer:
    return Answer(formulas.half_life(given.whole("rank")))


def _aged(given: Fields) -> Answer:
    mu, phi, last = accepted("state", state_of(given))
    steps = cast(dict[str, int], formulas.ageing(mu, phi, last, given.whole("t"))._asdict())
    return Answer(steps.pop("var"), steps)


def _update(given: Fields) -> Answer:
    a, b = state_of(given.fields("a")), state_of(given.fields("b"))
    done = update(a, b, given.whole("half_points"), given.whole("t"), trace=True)
    return Answer({"a": done.a._asdict(), "b": done.b._asdict(), "p": done.p}, done.steps)


def _pack(given: Fields) -> Answer:
    members: dict[str, int | bool] = {
        field.name: given.flag(field.name) if field.width == 1 else given.whole(field.name) for field in felt.FIELDS
    }
    return Answer(felt.pack(felt.Player(**cast("dict[str, bool]", members))))


def _unpack(given: Fields) -> Answer:
    return Answer(felt.unpack(given.whole("felt"))._asdict())


def _sequence(given: Fields) -> Answer:
    players = [state_of(Fields(player, "players")) for player in given.several("players")]
    steps: dict[str, int] = {}
    chances: list[Value] = []
    for i, one in enumerate(given.several("games")):
        game = Fields(one, f"game {i}")
        a, b = (whole(f"{i}.{side}", game.whole(side), 0, len(players) - 1) for side in "ab")
        done = update(players[a], players[b], game.whole("half_points"), game.whole("t"))
        players[a], players[b] = done.a, done.b
        for side, state in (("a", done.a), ("b", done.b)):
            steps |= {f"{i}.{side}.{name}": value for name, value in state._asdict().items()}
        steps[f"{i}.p"] = done.p
        chances.append(done.p)
    return Answer({"players": [player._asdict() for player in players], "p": chances}, steps)


def result_of(fields: Fields) -> Result:
    """The finished game in these members."""
    half_points, t, steps = (fields.whole(name) for name in ("half_points", "t", "steps"))
    bands = fields.whole("band_a"), fields.whole("band_b")
    return Result(half_points, t, steps, fields.flag("forfeit"), fields.flag("queue"), *bands)


def _game(given: Fields) -> Answer:
    a, b = felt.unpack(given.whole("a")), felt.unpack(given.whole("b"))
    done = rate(a, b, result_of(given))
    if not isinstance(done, Rated):
        return Answer({"void": int(done)})
    return Answer({"a": felt.pack(done.a), "b": felt.pack(done.b)}, steps_of(done.game))


def _ticket(given: Fields) -> Answer:
    before = unpack_ticket(given.whole("ticket"))
    return Answer({"ticket": pack_ticket(_ACTIONS[_one_of(given, "action", _ACTIONS)](before, given))})


def _season(given: Fields) -> Answer:
    contract = Contract(Storage())
    steps: dict[str, int] = {}
    for i, one in enumerate(given.several("calls")):
        call = Fields(one, f"call {i}")
        action, ticket = _one_of(call, "action", _ACTIONS), call.whole("ticket")
        before = contract.storage.slots
        if action == "accept":
            contract.accept(ticket)
        elif action == "void":
            contract.void(ticket, _reason(call))
        else:
            contract.rate(ticket, call.whole("a"), call.whole("b"), result_of(call))
        for (kind, key), value in contract.storage.slots.items():
            if value != before.get(Slot(kind, key), 0):
                steps[f"{i}.{kind}.{key}"] = value
    out: dict[str, dict[str, int]] = {PLAYER: {}, TICKET: {}}
    for (kind, key), value in sorted(contract.storage.slots.items()):
        out[kind][str(key)] = value
    return Answer({"players": out[PLAYER], "tickets": out[TICKET]}, steps)


def _one_of(given: Fields, name: str, words: Mapping[str, object]) -> str:
    if given.word(name) not in words:
        raise ReadError(f"{name} is {given.word(name)!r}; expected one of {', '.join(words)}")
    return given.word(name)


def _reason(given: Fields) -> VoidReason:
    return VoidReason(whole("reason", given.whole("reason"), min(VoidReason), max(VoidReason)))


_ACTIONS: Final[Mapping[str, Callable[[Ticket, Fields], Ticket]]] = {
    "accept": lambda ticket, _: accept(ticket),
    "rate": lambda ticket, _: close(ticket, None),
    "void": lambda ticket, given: close(ticket, _reason(given)),
}


KINDS: Final[Mapping[str, Callable[[Fields], Answer]]] = {
    "rdiv": _rdiv,
    "root": _root,
    "exp_neg": _exp_neg,
    "logistic": _logistic,
    "g": _g,
    "rank": _rank,
    "half_life": _half_life,
    "aged": _aged,
    "update": _update,
    "pack": _pack,
    "unpack": _unpack,
    "sequence": _sequence,
    "game": _game,
    "ticket": _ticket,
    "season": _season,
}
