"""Matches between two of which score and time are all that counts, in pools where nothing ages and no order decides
what is shown: most of what most pools have. Each is rated by itself, or many at once by compiled code, with equal bits.
"""

from binascii import hexlify
from collections.abc import Sequence, Sized
from dataclasses import replace
from hashlib import sha256
from itertools import count
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from orjson import dumps, loads

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.played import Plain
from tallymark.ledger.fold.rating import After
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.fold.rows import DOUBLES, Row, scaled_text
from tallymark.methodology import Methodology
from tallymark.replay.eligibility import NotRated
from tallymark.replay.engines import SMALL
from tallymark.replay.schedule import DAY
from tallymark.replay.single import Rated, Single

_new: Final = tuple.__new__  # what a NamedTuple's constructor calls, at half its price
_DECIDED: Final = (0.0, 1.0)
_STATE: Final = 2 * DOUBLES.size
"""Digits of a state."""


def at_once(going: Folding, matches: Sized) -> bool:
    """Whether so many are rated by compiled code."""
    return going.engine == "compiled" or (going.engine == "auto" and len(matches) > SMALL)


def rate_one_by_one(going: Folding, items: Sequence[Received], matches: Sequence[Plain], one: Single) -> None:
    """An entry for each of these items, which are these matches, rated or not: each from what the one before left.
    `one` is how the pool rates a game.
    """
    rules, stand = going.rules, going.stand
    rate, k, limits = one
    pack, scaled, draws, write = DOUBLES.pack, rules.numbers.scaled, rules.rated.draws, going.written.append
    whole, rules_at = entries.rated_form(rules), stand.rules_at
    position, link, at, latest = stand.position, stand.hash, stand.at, stand.played
    _, who_a, who_b, _, _ = zip(*matches, strict=True)
    rows = going.rows({*who_a, *who_b})
    rated: dict[Id, Row] = {}
    for item, match in zip(items, matches, strict=True):
        position += 1
        if item.received > at:
            at = item.received
        _, a, b, s, played = match
        if s is not None and played <= at + DAY and (draws or s in _DECIDED):
            x, y = rows[a], rows[b]
            after_a, after_b = rate(x[0], x[1], x[2], x.games, y[0], y[1], y[2], y.games, s, k, limits)
            mu_a, phi2_a, sigma2_a, flags_a, fine_a = after_a
            mu_b, phi2_b, sigma2_b, flags_b, fine_b = after_b
            rows[a] = rated[a] = _row(x, mu_a, phi2_a, sigma2_a, s, played, position)
            rows[b] = rated[b] = _row(y, mu_b, phi2_b, sigma2_b, 1.0 - s, played, position)
            more = b""
            if flags_a or flags_b or not (fine_a and fine_b):
                more = entries.happened([After(a, *after_a), After(b, *after_b)])
            if scaled:
                text_a = scaled_text((mu_a, phi2_a, sigma2_a), rules).encode()
                text_b = scaled_text((mu_b, phi2_b, sigma2_b), rules).encode()
            else:
                text_a, text_b = hexlify(pack(mu_a, phi2_a, sigma2_a)), hexlify(pack(mu_b, phi2_b, sigma2_b))
            body = whole % (
                position, at, rules_at, item.body, dumps(a), text_a, x.position, dumps(b), text_b, y.position, more
            )  # fmt: skip
            if played > latest:
                latest = played
        else:
            body = entries.not_rated(position, at, rules_at, item.body, _reason(s, played, at))
        link = sha256(link + body).digest()
        write(_new(Entry, (position, link, body, item.receipt)))
    going.stand = replace(stand.moved(played=latest), position=position, hash=link, at=at)
    going.take(rated)


def _reason(score: float | None, played: int, at: int) -> str:
    """Why a match is not rated, which is not."""
    if played > at + DAY:
        return Unrated.FUTURE.value
    return Unrated.NO_RESULT.value if score is None else NotRated.DRAW.value


def _row(before: Row, mu: float, phi2: float, sigma2: float, score: float, played: int, position: int) -> Row:
    """A player's row after a match, as the fold's columns would have it."""
    _, _, _, last, _, games, wins, draws, losses, last_played, established, has_peak, peak, _, felt, _ = before
    return _new(
        Row,
        (
            mu,
            phi2,
            sigma2,
            played if played > last else last,
            1,
            games + 1,
            wins + (score > 0.5),
            draws + (score == 0.5),
            losses + (score < 0.5),
            played if played > last_played else last_played,
            established,
            has_peak,
            peak,
            position,
            felt,
            position,
        ),
    )


class Columns(NamedTuple):
    """Plain matches: both players in JSON, a's score, when it was played."""

    a: tuple[bytes, ...]
    b: tuple[bytes, ...]
    score: tuple[float | None, ...]
    played: NDArray[np.int64]


def usual_columns(items: Sequence[Received]) -> Columns | None:
    """Items as columns; None where one is not spelt as most are."""
    told = [item.usual for item in items]
    if None in told:
        return None
    _, a, b, score, played = zip(*told, strict=True)
    return Columns(a, b, score, np.array(played, np.int64))


def plain_columns(matches: Sequence[Plain]) -> Columns:
    """Matches as columns."""
    _, a, b, score, played = zip(*matches, strict=True)
    return Columns(tuple(map(dumps, a)), tuple(map(dumps, b)), score, np.array(played, np.int64))


def rate_at_once(going: Folding, items: Sequence[Received], columns: Columns) -> None:
    """An entry for each of these items, which are these matches, rated or not: by compiled code, between seats that are
    kept, where somebody keeps them.
    """
    rules, stand = going.rules, going.stand
    settled = np.maximum.accumulate(np.array([stand.at, *(item.received for item in items)], np.int64))[1:]
    reasons = _reasons(columns, settled, rules.rated.draws)
    who_a, who_b, score, played = columns
    if reasons:
        rated = [n for n in range(len(items)) if n not in reasons]
        who_a, who_b = tuple(who_a[n] for n in rated), tuple(who_b[n] for n in rated)
        score, played = tuple(score[n] for n in rated), played[rated]
    seats, places = going.seats(who_a + who_b)
    last, a, b = seats.last, places[: len(who_a)], places[len(who_a) :]
    sides = seats.rate(a, b, score, played)
    unusual = _unusual(sides)
    told = zip(a, b, who_a, who_b, *_texts(rules, sides), count())
    position, link, rules_at = stand.position, stand.hash, stand.rules_at
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
    latest = max([stand.played, *played.tolist()])
    going.stand = replace(stand.moved(played=latest), position=position, hash=link, at=int(settled[-1]))
    if going.kept is None:
        going.take(seats.rows(map(loads, {*who_a, *who_b})))


def _reasons(columns: Columns, settled: NDArray[np.int64], draws: bool) -> dict[int, str]:
    """By place: why a match is not rated, of those that are not."""
    _, _, score, played = columns
    late = played > settled + DAY
    if draws and None not in score and not late.any():
        return {}
    return {
        n: _reason(one, when, at)
        for n, (one, when, at) in enumerate(zip(score, played.tolist(), settled.tolist(), strict=True))
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
