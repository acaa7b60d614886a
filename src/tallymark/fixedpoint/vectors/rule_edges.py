"""Named edges of the game rules, of tickets, and of seasons of a contract's calls."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tallymark.fixedpoint.constants import DAY, KNOTS, PHI_MAX, PHI_MIN, VERSION
from tallymark.fixedpoint.felt import COUNTER_MAX, NEVER_RATED, Player
from tallymark.fixedpoint.rules import MIN_STEPS, SETTLED_GAMES, Result, VoidReason
from tallymark.fixedpoint.tickets import Status, Ticket, pack_ticket
from tallymark.fixedpoint.units import HALF, ONE
from tallymark.fixedpoint.updating import update
from tallymark.fixedpoint.vectors.drawing import NOW
from tallymark.fixedpoint.vectors.questions import Vector, game_of, rating_of
from tallymark.fixedpoint.vectors.values import Value

_USUAL: Final = Player(KNOTS[20] + 5, HALF, NOW - DAY, 2, True, True, VERSION, 12, 7, 1, 0)
_OTHER: Final = Player(KNOTS[21] - 5, HALF, NOW - 2 * DAY, 3, True, False, VERSION, 6, 4, 0, 0)
_WON: Final = Result(2, NOW, 200, queue=True)
_LOST: Final = _WON._replace(half_points=0)
_GIVEN_UP: Final = Result(2, NOW, MIN_STEPS - 1, forfeit=True, queue=True)

Game = tuple[Player, Player, Result]


def rule_edges() -> Iterator[Vector]:
    """Every named edge of the rules.

    >>> next(rule_edges()).id
    'game/two newcomers'
    """
    for label, game in {**_bands(), **_short_games(), **_established(), **_peaks(), **_counters()}.items():
        yield Vector(f"game/{label}", "game", game_of(*game))
    felts = {"refused: felt of a": ("a", 1), "refused: felt of b": ("b", 1 << 127)}
    for label, (side, felt) in felts.items():
        yield Vector(f"game/{label}", "game", {**game_of(_USUAL, _OTHER, _WON), side: felt})
    yield from _tickets()
    for label, calls in _SEASONS.items():
        yield Vector(f"season/{label}", "season", {"calls": calls})


def _bands() -> dict[str, Game]:
    games = {"two newcomers": (NEVER_RATED, NEVER_RATED, _WON)}
    for band in range(1, 5):
        games[f"band {band} declared"] = (NEVER_RATED, _OTHER, _WON._replace(band_a=band))
    games["band of b declared"] = (_USUAL, NEVER_RATED, _WON._replace(band_b=1))
    games["a band once rated does not count"] = (_USUAL, _OTHER, _WON._replace(band_a=4, band_b=4))
    games["refused: band 5"] = (NEVER_RATED, _OTHER, _WON._replace(band_a=5))
    games["refused: half points"] = (_USUAL, _OTHER, _WON._replace(half_points=3))
    games["an older constants' version"] = (_USUAL._replace(version=1), _OTHER, _WON)
    return games


def _short_games() -> dict[str, Game]:
    short = _WON._replace(steps=MIN_STEPS - 1)
    late = NOW - 30 * DAY
    return {
        "19 steps are short": (_USUAL, _OTHER, short),
        "20 steps are not": (_USUAL, _OTHER, short._replace(steps=MIN_STEPS)),
        "no step at all": (_USUAL, _OTHER, short._replace(steps=0)),
        "20 steps given up": (_USUAL, _OTHER, _GIVEN_UP._replace(steps=MIN_STEPS)),
        "short, b gave up": (_USUAL, _OTHER, _GIVEN_UP),
        "short, a gave up": (_USUAL, _OTHER, _GIVEN_UP._replace(half_points=0)),
        "short, no step, given up": (_USUAL, _OTHER, _GIVEN_UP._replace(steps=0)),
        "a short draw is void": (_USUAL, _OTHER, _GIVEN_UP._replace(half_points=1)),
        "a draw of 20 steps is none": (_USUAL, _OTHER, _WON._replace(half_points=1, steps=MIN_STEPS)),
        "short, the winner was never rated": (NEVER_RATED, _OTHER, _GIVEN_UP),
        "short, the loser was never rated": (_USUAL, NEVER_RATED, _GIVEN_UP._replace(band_b=4)),
        "short, nobody was ever rated": (NEVER_RATED, NEVER_RATED, _GIVEN_UP._replace(band_a=1, band_b=4)),
        "short, out of order": (_USUAL, _OTHER, _GIVEN_UP._replace(t=late)),
        "short, the winner is certain": (_USUAL._replace(phi=PHI_MIN, last=NOW), _OTHER, _GIVEN_UP),
        "short, the loss establishes": (_USUAL, _OTHER._replace(established=False, losses=0), _GIVEN_UP),
    }


def _established() -> dict[str, Game]:
    wins = Player(0, ONE, NOW, 3, False, False, VERSION, 3, 0, 0, 0)

    def after(phi: int) -> int:
        return update(wins.state._replace(phi=phi), _OTHER.state, 0, NOW).a.phi

    at_one = _first(lambda phi: after(phi) > ONE, PHI_MIN, PHI_MAX) - 1
    return {
        "phi is 1 and no more": (wins._replace(phi=at_one), _OTHER, _LOST),
        "phi is just above 1": (wins._replace(phi=at_one + 1), _OTHER, _LOST),
        "no loss yet": (wins, _OTHER, _WON),
        "a draw is no loss": (wins, _OTHER, _WON._replace(half_points=1)),
        "no win yet": (wins._replace(wins=0, losses=3), _OTHER, _LOST),
        "the first win": (wins._replace(wins=0, losses=3), _OTHER, _WON),
        "established stays": (wins._replace(phi=PHI_MAX, losses=3, established=True), _OTHER, _WON),
    }


def _peaks() -> dict[str, Game]:
    def aged_to(t: int) -> int:
        return update(_USUAL.state, _OTHER.state, 2, t, trace=True).steps["a.var"]

    sure = _first(lambda t: aged_to(t) > ONE * ONE + ONE, NOW, NOW + 1000 * DAY) - 1
    ten = _USUAL._replace(wins=5, losses=5, draws=0)
    return {
        "the first peak": (_USUAL._replace(has_peak=False), _OTHER, _WON),
        "a peak rises": (_USUAL._replace(peak=-(1 << 36)), _OTHER, _WON),
        "a peak does not fall": (_USUAL._replace(peak=1 << 36), _OTHER, _LOST),
        "no queue": (_USUAL._replace(has_peak=False), _OTHER, _WON._replace(queue=False)),
        "10 games": (ten._replace(has_peak=False), _OTHER, _WON),
        "9 games": (ten._replace(has_peak=False, losses=4), _OTHER, _WON),
        "9 games of the other": (ten._replace(has_peak=False), _OTHER._replace(wins=SETTLED_GAMES - 5), _WON),
        "draws count as games": (ten._replace(has_peak=False, losses=1, draws=4), _OTHER, _WON),
        "aged to 1 and no more": (_USUAL._replace(has_peak=False), _OTHER, _WON._replace(t=sure)),
        "aged to just above 1": (_USUAL._replace(has_peak=False), _OTHER, _WON._replace(t=sure + 1)),
        "phi is 1 in that second": (_USUAL._replace(has_peak=False, phi=ONE, last=NOW), _OTHER, _WON),
        "phi is just above 1 in that second": (_USUAL._replace(has_peak=False, phi=ONE + 1, last=NOW), _OTHER, _WON),
        "not established": (_USUAL._replace(has_peak=False, established=False, losses=0, wins=20), _OTHER, _WON),
        "established by this game": (
            _USUAL._replace(has_peak=False, established=False, losses=0, wins=20),
            _OTHER,
            _LOST,
        ),
        "a short game moves none": (_USUAL._replace(peak=-(1 << 36)), _OTHER, _GIVEN_UP),
    }


def _counters() -> dict[str, Game]:
    a, b = (one._replace(wins=COUNTER_MAX, losses=COUNTER_MAX, draws=COUNTER_MAX) for one in (_USUAL, _OTHER))
    return {
        "counters hold, won": (a, b, _WON),
        "counters hold, drawn": (a, b, _WON._replace(half_points=1)),
        "counters hold, short": (a, b, _GIVEN_UP),
        "the last that counts": (_USUAL._replace(wins=COUNTER_MAX - 1), _OTHER, _WON),
    }


def _tickets() -> Iterator[Vector]:
    states = [
        Ticket(),
        Ticket(Status.ACCEPTED),
        Ticket(Status.RATED),
        *(Ticket(Status.VOID, one) for one in VoidReason),
    ]
    for before in states:
        name = f"{before.status.name} {before.reason.name}" if before.reason else before.status.name
        for action in ("accept", "rate"):
            yield Vector(f"ticket/{name}: {action}", "ticket", {"ticket": pack_ticket(before), "action": action})
        for reason in VoidReason:
            void: Mapping[str, Value] = {"ticket": pack_ticket(before), "action": "void", "reason": int(reason)}
            yield Vector(f"ticket/{name}: void {reason.name}", "ticket", void)
    for slot in (3, 4, 3 | 6 << 2, -1):
        yield Vector(f"ticket/refused: {slot}", "ticket", {"ticket": slot, "action": "rate"})
    yield Vector("ticket/refused: reason 6", "ticket", {"ticket": 1, "action": "void", "reason": 6})


def _accept(ticket: int) -> Mapping[str, Value]:
    return {"action": "accept", "ticket": ticket}


def _void(ticket: int, reason: VoidReason) -> Mapping[str, Value]:
    return {"action": "void", "ticket": ticket, "reason": int(reason)}


_FIRST: Final = rating_of(7, 1, 2, _WON)
_SECOND: Final = rating_of(8, 2, 3, _LOST._replace(t=NOW - 40 * DAY))
_SHORT: Final = rating_of(9, 1, 3, _WON._replace(steps=3))

_SEASONS: Final[Mapping[str, list[Value]]] = {
    "never accepted": [_FIRST, _accept(7)],
    "rated twice": [_accept(7), _FIRST, _FIRST, _accept(7), _FIRST],
    "in order": [_accept(7), _accept(8), _SECOND, _FIRST],
    "out of order": [_accept(7), _accept(8), _FIRST, _SECOND],
    "a short game is void and stays so": [_accept(9), _SHORT, rating_of(9, 1, 3, _WON)],
    "void by the referee, then rated": [_accept(7), _void(7, VoidReason.REFEREE), _FIRST],
    "rated, then void": [_accept(7), _FIRST, _void(7, VoidReason.MATCHMAKER)],
    "void before it is accepted": [_void(7, VoidReason.INVALID), _accept(7), _FIRST],
    "refused: against oneself": [_accept(7), rating_of(7, 1, 1, _WON)],
}


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first whole number from which a monotone condition holds."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
