"""Adjustments as reviewers propose them: one form for all that a ledger can be told, checked before it is stored."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast, get_args

import orjson

from tallymark.checked import as_float, shortened
from tallymark.errors import ConflictError, InputError, TallymarkError
from tallymark.games.ids import Id
from tallymark.ledger.foretelling import Foretelling
from tallymark.ledger.ids import checked_id
from tallymark.ledger.inbox import Conflict
from tallymark.ledger.ledger import Ledger
from tallymark.ledger.matches import Item, Json, checked_match, match_item
from tallymark.ledger.rules import rules_in
from tallymark.ledger.telling import Telling, adjusting
from tallymark.systems import Rating

What: TypeAlias = Literal["annul", "restore", "change", "merge", "part", "void", "adjust"]
WHATS: Final[tuple[What, ...]] = get_args(What)
_FIELDS: Final[dict[What, tuple[str, ...]]] = {
    "annul": ("matches",),
    "restore": ("matches",),
    "change": ("match",),
    "merge": ("player", "into"),
    "part": ("player",),
    "void": ("voter",),
    "adjust": ("ratings",),
}
_RATING: Final = ("player", "rating", "deviation", "volatility")
MOST: Final = 1000
"""Matches or players of an adjustment."""

REFUSED: Final = {
    "late": "it is about what is settled, and these rules refuse corrections of that",
    "too-late": "it is about a match that was played longer ago than these rules compute again",
    "merged": "those two are one already",
    "recomputed-pool": "these rules compute all ratings from the matches, and take none that is set by hand",
    "no-correction": "it cannot be read as a correction",
    "no-state": "it has states that these rules do not have",
}
"""Why the ledger refuses an adjustment, by its public reason."""


class Public(NamedTuple):
    """What stands in the entry beside the adjustment, for everybody to read. `case`: None where there was none."""

    case: str | None
    reason: str
    approvers: tuple[str, ...]


def checked(given: Json) -> dict[str, Json]:
    """An adjustment in its one form; `InputError` names the field that is wrong.

    >>> checked({"do": "annul", "matches": ["m1"]})
    {'do': 'annul', 'matches': ['m1']}
    """
    if not isinstance(given, Mapping):
        raise InputError(f"adjustment is {shortened(given)}; expected an object", field="adjustment")
    what = given.get("do")
    if what not in WHATS:
        raise InputError(f"do is {shortened(what)}; expected {', '.join(WHATS)}", field="adjustment.do")
    fields = _FIELDS[what]
    for key in given:
        if key != "do" and key not in fields:
            raise InputError(f"{what} has no {shortened(key)}; it has {', '.join(fields)}", field=f"adjustment.{key}")
    found: dict[str, Json] = {"do": what}
    for name in fields:
        found[name] = _value(name, given.get(name))
    if what == "merge" and found["player"] == found["into"]:
        raise InputError(f"player and into are both {found['player']!r}; expected two names", field="adjustment.into")
    return found


def _value(name: str, value: Json) -> Json:
    where = f"adjustment.{name}"
    if name == "matches":
        return [checked_id(where, one) for one in _listed(where, value)]
    if name == "ratings":
        return [_rating(n, one) for n, one in enumerate(_listed(where, value))]
    if name == "match":
        if not isinstance(value, Mapping):
            raise InputError(f"{where} is {shortened(value)}; expected a match, with its id", field=where)
        content: Json = orjson.loads(match_item(value).body)  # as it can be written
        return content
    return checked_id(where, value)


def _listed(where: str, value: Json) -> Sequence[Json]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not 1 <= len(value) <= MOST:
        raise InputError(f"{where} is {shortened(value)}; expected a list of 1 to {MOST:,}", field=where)
    return value


def _rating(n: int, given: Json) -> Json:
    where = f"adjustment.ratings[{n}]"
    if not isinstance(given, Mapping) or set(given) != set(_RATING):
        raise InputError(f"{where} is {shortened(given)}; expected an object of {', '.join(_RATING)}", field=where)
    found: dict[str, Json] = {"player": checked_id(f"{where}.player", given["player"])}
    for name in _RATING[1:]:
        number = as_float(given[name])
        if not math.isfinite(number):
            raise InputError(
                f"{where}.{name} is {shortened(given[name])}; expected a finite number", field=f"{where}.{name}"
            )
        found[name] = number
    Rating(**{name: cast(float, value) for name, value in found.items() if name != "player"})  # in range, or refused
    return found


def checked_against(ledger: Ledger, pool: str, adjustment: Mapping[str, Any]) -> None:
    """Nothing, or why the pool cannot take it, as the ledger says it; `UnknownError` for a match that it does not
    have."""
    ledger.rules(pool)
    _counts_again(ledger, pool, adjustment)
    said(Foretelling(ledger), pool, "asked", adjustment, Public(None, "asked", ()))


def refusal(ledger: Ledger, pool: str, adjustment: Mapping[str, Any]) -> str | None:
    """Why the ledger would refuse an adjustment if it were told it now, in words; None where it would take it. What the
    pool cannot take at all is raised, as by `checked_against`."""
    _counts_again(ledger, pool, adjustment)
    why = ledger.refusal(pool, lambda to: said(to, pool, "asked", adjustment, Public(None, "asked", ())))
    return None if why is None else refused(why)


def refused(reason: str | None) -> str:
    """The public reason of a refusal in words.

    >>> refused("merged")
    'those two are one already (merged)'
    """
    return f"{REFUSED.get(reason or '', 'it is refused')} ({reason})"


def _counts_again(ledger: Ledger, pool: str, adjustment: Mapping[str, Any]) -> None:
    """Nothing, or which of the matches that are to count again is not annulled."""
    matches: Sequence[Id] = adjustment["matches"] if adjustment["do"] == "restore" else ()
    for id, one in ledger.said(pool, matches).items():
        if not one.annulled:
            raise InputError(
                f"match {id!r} is not annulled: it counts already, as far as rules let it", field="adjustment.matches"
            )


def tell(ledger: Ledger, pool: str, id: str, adjustment: Mapping[str, Json], public: Public) -> None:
    """Tells an adjustment to the ledger under an id: once, however often this is called. `InputError` where the ledger
    does not take it, `ConflictError` where the id stands for something else."""
    if is_told(ledger, pool, id, adjustment, public):
        return
    try:
        said(ledger, pool, id, adjustment, public)
    except ConflictError:
        # Somebody was here in between: the same one, or it raises again.
        is_told(ledger, pool, id, adjustment, public)


def said(ledger: Telling, pool: str, id: str, adjustment: Mapping[str, Any], public: Public) -> None:
    """Says an adjustment in the ledger's words: to the ledger, or to what only takes them."""
    told: dict[str, Any] = {"pool": pool, "id": id, **public._asdict()}
    match adjustment["do"]:
        case "annul":
            ledger.annul(adjustment["matches"], **told)
        case "restore":
            ledger.restore(adjustment["matches"], **told)
        case "change":
            ledger.change(adjustment["match"], **told)
        case "merge":
            ledger.merge(adjustment["player"], adjustment["into"], **told)
        case "part":
            ledger.part(adjustment["player"], **told)
        case "void":
            ledger.void_voter(adjustment["voter"], **told)
        case _:
            ledger.adjust(ratings_of(adjustment), **told)


def is_told(ledger: Ledger, pool: str, id: str, adjustment: Mapping[str, Json], public: Public) -> bool:
    """Whether the pool has received that adjustment under that id; `ConflictError` where it has received something
    else under it.

    What the ledger reckons itself is not compared, for it may come to another thing a moment later: a voter has one
    more vote, another methodology counts on another scale.
    """
    body = ledger.received(pool, id)
    if body is None:
        return False
    stored: dict[str, Any] = orjson.loads(body)
    one = cast(Mapping[str, Any], adjustment)
    why = {"reason": public.reason, "case": public.case, "approvers": list(public.approvers)}
    if one["do"] == "adjust":
        same = any(item.body == body for item in _adjusted(ledger, pool, id, ratings_of(one), why))
    else:
        match one["do"]:
            case "change":
                expected: dict[str, Any] = {"what": "change", "match": checked_match(one["match"])}
            case "void":
                expected = {"what": "annul", "voter": one["voter"]}
            case what:
                expected = {"what": what, **{name: one[name] for name in _FIELDS[what]}}
        reckoned = {"oldest", "matches"} if one["do"] == "void" else {"oldest"}
        same = {name: value for name, value in stored.items() if name not in reckoned} == {
            "command": "correct",
            "id": id,
            **expected,
            **why,
        }
    if not same:
        now = orjson.dumps({"id": id, "adjustment": one, **why}).decode()
        raise Conflict(pool, 0, id, body.decode(), now).error()
    return True


def _adjusted(
    ledger: Ledger, pool: str, id: str, ratings: Mapping[Id, Rating], why: Mapping[str, object]
) -> Iterator[Item]:
    """What an `adjust` comes to under the methodology in force, and under those before it."""
    yield adjusting(id, ratings, ledger.rules(pool), why)
    for given in ledger.rules_history(pool):
        try:
            yield adjusting(id, ratings, rules_in(ledger.entry(pool, given.position).body, given.position), why)
        except TallymarkError:  # one that does not take these ratings
            continue


def ratings_of(adjustment: Mapping[str, Any]) -> dict[Id, Rating]:
    """The ratings of an `adjust`."""
    return {
        one["player"]: Rating(**{name: value for name, value in one.items() if name != "player"})
        for one in adjustment["ratings"]
    }
