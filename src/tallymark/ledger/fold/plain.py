"""Matches between two of which score and time are all that counts, in pools where nothing ages and no order decides
what is shown: most of what most pools have. Each is rated by itself, or many at once by compiled code, with equal bits.
"""

from binascii import hexlify
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import count as counter
from typing import Final

import numpy as np
from numpy.typing import NDArray
from orjson import loads

from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.played import Flat
from tallymark.ledger.fold.rating import After
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.fold.rows import DOUBLES, scaled_text
from tallymark.ledger.fold.seats import GAMES, POSITION, ArraySeats, ListSeats, count, row_of
from tallymark.methodology import Methodology
from tallymark.replay.eligibility import NotRated
from tallymark.replay.engines import SMALL
from tallymark.replay.schedule import DAY
from tallymark.replay.single import Rated, Single

_new: Final = tuple.__new__  # what a NamedTuple's constructor calls, at half its price
_DECIDED: Final = (0.0, 1.0)
_STATE: Final = 2 * DOUBLES.size
"""Digits of a state."""


def rate_plain(going: Folding, items: Sequence[Received], matches: Sequence[Flat], one: Single) -> None:
    """An entry for each of these items, which are these matches, rated or not; `one` is how the pool rates a game."""
    if going.engine == "compiled" or (going.engine == "auto" and len(items) > SMALL):
        _at_once(going, items, matches)
    else:
        _one_by_one(going, items, matches, one)


def _one_by_one(going: Folding, items: Sequence[Received], matches: Sequence[Flat], one: Single) -> None:
    """Each from what the one before left, in the seats of the interpreter."""
    rules, stand = going.rules, going.stand
    rate, k, limits = one
    pack, scaled, draws, write = DOUBLES.pack, rules.numbers.scaled, rules.rated.draws, going.written.append
    whole, rules_at = entries.rated_form(rules), stand.rules_at
    position, link, at, latest = stand.position, stand.hash, stand.at, stand.played
    _, who_a, who_b, _, _ = zip(*matches, strict=True)
    seats = going.kept if isinstance(going.kept, ListSeats) else ListSeats(rules)
    places = going.places(seats, who_a + who_b)
    for item, match, x, y in zip(items, matches, places[: len(items)], places[len(items) :], strict=True):
        position += 1
        if item.received > at:
            at = item.received
        _, a, b, s, played = match
        if s is not None and played <= at + DAY and (draws or s in _DECIDED):
            before_x, before_y = x[POSITION], y[POSITION]
            after_x, after_y = rate(x[0], x[1], x[2], x[GAMES], y[0], y[1], y[2], y[GAMES], s, k, limits)
            mu_x, phi2_x, sigma2_x, flags_x, fine_x = after_x
            mu_y, phi2_y, sigma2_y, flags_y, fine_y = after_y
            x[0], x[1], x[2], y[0], y[1], y[2] = mu_x, phi2_x, sigma2_x, mu_y, phi2_y, sigma2_y
            count(x, s, played, position)
            count(y, 1.0 - s, played, position)
            more = b""
            if flags_x or flags_y or not (fine_x and fine_y):
                more = entries.happened([After(0, *after_x), After(0, *after_y)])
            if scaled:
                text_x = scaled_text((mu_x, phi2_x, sigma2_x), rules).encode()
                text_y = scaled_text((mu_y, phi2_y, sigma2_y), rules).encode()
            else:
                text_x, text_y = hexlify(pack(mu_x, phi2_x, sigma2_x)), hexlify(pack(mu_y, phi2_y, sigma2_y))
            body = whole % (position, at, rules_at, item.body, a, text_x, before_x, b, text_y, before_y, more)
            if played > latest:
                latest = played
        else:
            body = entries.not_rated(position, at, rules_at, item.body, _reason(s, played, at))
        link = sha256(link + body).digest()
        write(_new(Entry, (position, link, body, item.receipt)))
    first = stand.position
    going.stand = replace(stand.moved(played=latest), position=position, hash=link, at=at)
    if seats is not going.kept:
        going.take({loads(name): row_of(told) for name, told in seats.seat.items() if told[POSITION] > first})


def _reason(score: float | None, played: int, at: int) -> str:
    """Why a match is not rated, which is not."""
    if played > at + DAY:
        return Unrated.FUTURE.value
    return Unrated.NO_RESULT.value if score is None else NotRated.DRAW.value


def _at_once(going: Folding, items: Sequence[Received], matches: Sequence[Flat]) -> None:
    """All by compiled code, in its seats."""
    rules, stand = going.rules, going.stand
    settled = np.maximum.accumulate(np.array([stand.at, *(item.received for item in items)], np.int64))[1:]
    reasons = _reasons(matches, settled, rules.rated.draws)
    rated = [match for n, match in enumerate(matches) if n not in reasons] if reasons else matches
    _, who_a, who_b, score, played = zip(*rated, strict=True) if rated else ((), (), (), (), ())
    seats = going.kept if isinstance(going.kept, ArraySeats) else ArraySeats(rules)
    places = going.places(seats, who_a + who_b)
    a, b = places[: len(who_a)], places[len(who_a) :]
    sides = seats.rate(a, b, score, played)
    unusual = _unusual(sides)
    told = zip(a, b, who_a, who_b, *_texts(rules, sides), counter())
    position, link, rules_at, last = stand.position, stand.hash, stand.rules_at, seats.last
    whole, write = entries.rated_form(rules), going.written.append
    for n, (item, at) in enumerate(zip(items, settled.tolist(), strict=True)):
        position += 1
        if n in reasons:
            body = entries.not_rated(position, at, rules_at, item.body, reasons[n])
        else:
            x, y, name_a, name_b, text_a, text_b, k = next(told)
            more = unusual.get(k, b"") if unusual else b""
            body = whole % (
                position, at, rules_at, item.body, name_a, text_a, last[x], name_b, text_b, last[y], more
            )  # fmt: skip
            last[x] = last[y] = position
        link = sha256(link + body).digest()
        write(_new(Entry, (position, link, body, item.receipt)))
    latest = max([stand.played, *played])
    going.stand = replace(stand.moved(played=latest), position=position, hash=link, at=int(settled[-1]))
    if seats is not going.kept:
        going.take(seats.rows(map(loads, {*who_a, *who_b})))


def _reasons(matches: Sequence[Flat], settled: NDArray[np.int64], draws: bool) -> dict[int, str]:
    """By place: why a match is not rated, of those that are not."""
    _, _, _, score, played = zip(*matches, strict=True)
    late = np.array(played, np.int64) > settled + DAY
    if draws and None not in score and not late.any():
        return {}
    return {
        n: _reason(one, when, at)
        for n, (one, when, at) in enumerate(zip(score, played, settled.tolist(), strict=True))
        if late[n] or one is None or not (draws or one in _DECIDED)
    }


def _texts(rules: Methodology, rated: Rated) -> tuple[list[bytes], list[bytes]]:
    """The states after each game as entries have them: a's, and b's."""
    if rules.numbers.scaled:
        each = [scaled_text((mu, phi2, sigma2), rules).encode() for mu, phi2, sigma2 in rated.states.tolist()]
    else:
        digits = hexlify(rated.states.astype(">f8").tobytes())
        each = [digits[at : at + _STATE] for at in range(0, len(digits), _STATE)]
    return each[::2], each[1::2]


def _unusual(rated: Rated) -> dict[int, bytes]:
    """What was out of the ordinary, by the game's place."""
    flags, converged = rated.outcome[:, 0], rated.outcome[:, 1]
    found: dict[int, bytes] = {}
    for k in sorted({int(row) // 2 for row in np.flatnonzero((flags != 0) | (converged == 0))}):
        sides = (2 * k, 2 * k + 1)
        found[k] = entries.happened([After(0, 0.0, 0.0, 0.0, int(flags[n]), bool(converged[n])) for n in sides])
    return found
