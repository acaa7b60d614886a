"""Matches between two of which score and time are all that counts, in pools where nothing ages and no order decides
what is shown: most of what most pools have. Each is rated by itself, or many at once by compiled code, with equal bits.
"""

from binascii import hexlify
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from orjson import dumps

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.played import Match
from tallymark.ledger.fold.rating import After
from tallymark.ledger.fold.reasons import Unrated
from tallymark.ledger.fold.rows import DOUBLES, Row, columns_of, rows_of, scaled_text
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER, Games, Steps, Units
from tallymark.replay.eligibility import NotRated
from tallymark.replay.engines import SMALL, Machine
from tallymark.replay.schedule import DAY, NONE, read_only
from tallymark.replay.single import Single

Told: TypeAlias = Iterator[tuple[bytes, int, bytes, int, bytes]]
"""For each match: the state of a after it as entries have it and the position of a's entry before, the same of b, and
what was out of the ordinary."""

_new: Final = tuple.__new__  # what a NamedTuple's constructor calls, at half its price
_POSITION: Final = Row._fields.index("position")
_STATE: Final = 2 * DOUBLES.size
"""Digits of a state."""


def rate_plain(going: Folding, items: Sequence[Received], matches: Sequence[Match], one: Single) -> None:
    """An entry for each of these items, which are these matches, rated or not; `one` is how the pool rates a game."""
    settled, reasons, rated = _looked_at(going, items, matches)
    rows = going.rows({player for game in rated for player in game[:2]})
    if going.engine == "interpreted" or (going.engine == "auto" and len(rated) <= SMALL) or not rated:
        told = _one_by_one(going.rules, one, rows, rated)
    else:
        told = _at_once(going.rules, rows, rated)
    position, link, rules_at = going.stand.position, going.stand.hash, going.stand.rules_at
    whole, write = entries.rated_form(going.rules), going.written.append
    for item, match, at, reason in zip(items, matches, settled, reasons, strict=True):
        position += 1
        if reason is None:
            a, before_a, b, before_b, more = next(told)
            body = whole % (
                position, at, rules_at, item.body, dumps(match.a), a, before_a, dumps(match.b), b, before_b, more
            )  # fmt: skip
        else:
            body = entries.not_rated(position, at, rules_at, item.body, reason)
        link = sha256(link + body).digest()
        write(_new(Entry, (position, link, body, item.receipt)))
    next(told, None)  # the rows are what they are after all of it
    played = max((game.played for game in rated), default=NEVER)
    stand = going.stand.moved(played=max(going.stand.played, played))
    going.stand = replace(stand, position=position, hash=link, at=settled[-1])
    going.take(rows)


class Game(NamedTuple):
    """A match that is rated: who, a's score, when it was played, and the position of its entry."""

    a: Id
    b: Id
    score: float
    played: int
    position: int


def _looked_at(
    going: Folding, items: Sequence[Received], matches: Sequence[Match]
) -> tuple[list[int], list[str | None], list[Game]]:
    """When each match is settled, and why it is not rated; and those that are."""
    at, position, draws = going.stand.at, going.stand.position, going.rules.rated.draws
    settled: list[int] = []
    reasons: list[str | None] = []
    games: list[Game] = []
    for item, match in zip(items, matches, strict=True):
        position += 1
        if item.received > at:
            at = item.received
        settled.append(at)
        score, played, reason = match[3], match[4], None
        if played > at + DAY:
            reason = Unrated.FUTURE.value
        elif score is None:
            reason = Unrated.NO_RESULT.value
        elif not draws and 0.0 < score < 1.0:
            reason = NotRated.DRAW.value
        else:
            games.append(_new(Game, (match[1], match[2], score, played, position)))
        reasons.append(reason)
    return settled, reasons, games


def _one_by_one(rules: Methodology, one: Single, rows: dict[Id, Row], games: Sequence[Game]) -> Told:
    """Each from what the one before left; `rows` follow."""
    rate, k, limits = one
    pack, scaled = DOUBLES.pack, rules.numbers.scaled
    for a, b, s, played, position in games:
        x, y = rows[a], rows[b]
        after_a, after_b = rate(x[0], x[1], x[2], x.games, y[0], y[1], y[2], y.games, s, k, limits)
        mu_a, phi2_a, sigma2_a, flags_a, fine_a = after_a
        mu_b, phi2_b, sigma2_b, flags_b, fine_b = after_b
        rows[a] = _row(x, mu_a, phi2_a, sigma2_a, s, played, position)
        rows[b] = _row(y, mu_b, phi2_b, sigma2_b, 1.0 - s, played, position)
        more = b""
        if flags_a or flags_b or not (fine_a and fine_b):
            more = entries.happened([After(a, *after_a), After(b, *after_b)])
        if scaled:
            text_a = scaled_text((mu_a, phi2_a, sigma2_a), rules).encode()
            text_b = scaled_text((mu_b, phi2_b, sigma2_b), rules).encode()
        else:
            text_a, text_b = hexlify(pack(mu_a, phi2_a, sigma2_a)), hexlify(pack(mu_b, phi2_b, sigma2_b))
        yield text_a, x.position, text_b, y.position, more


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


def _at_once(rules: Methodology, rows: dict[Id, Row], games: Sequence[Game]) -> Told:
    """All by compiled code, whose rows `rows` get when the last match was told."""
    place = {player: n for n, player in enumerate(rows)}
    n = len(games)
    who_a, who_b, score, played, position = zip(*games, strict=True)
    time = np.array(played, np.int64)
    a, b = ([place[player] for player in who] for who in (who_a, who_b))
    columns = Games(
        a=np.array(a, np.int32),
        b=np.array(b, np.int32),
        s=np.array(score, np.float64),
        share=np.zeros(0),
        loser_only=NONE,
        peak=NONE,
        at=time,
        start_a=np.zeros(0),
        start_b=np.zeros(0),
    )
    machine = Machine(rules, columns_of(list(rows.values())), "compiled", n, 1)
    work = machine.work(read_only(columns), read_only(Units(NONE, time)), 2, False, True)
    machine.rate(work, 0, n)
    unusual = _unusual(work.steps, games)
    last = [row.position for row in rows.values()]
    text = _texts(rules, work.steps)
    for x, y, at, k in zip(a, b, position, range(n), strict=True):
        yield text[2 * k], last[x], text[2 * k + 1], last[y], unusual.get(k, b"") if unusual else b""
        last[x] = last[y] = at
    stood = zip(rows, rows_of(machine.standing.columns()), last, strict=True)
    rows.update((player, _new(Row, (*row[:_POSITION], at, 0, at))) for player, row, at in stood)


def _texts(rules: Methodology, steps: Steps) -> list[bytes]:
    """The states after each game, a's and b's, as entries have them."""
    states = np.stack([steps.mu_after, steps.phi2_after, steps.sigma2_after], axis=1)
    if rules.numbers.scaled:
        return [scaled_text((mu, phi2, sigma2), rules).encode() for mu, phi2, sigma2 in states.tolist()]
    digits = hexlify(states.astype(">f8").tobytes())
    return [digits[at : at + _STATE] for at in range(0, len(digits), _STATE)]


def _unusual(steps: Steps, games: Sequence[Game]) -> dict[int, bytes]:
    """What was out of the ordinary, by the game's place."""
    flags, converged = np.asarray(steps.flags), np.asarray(steps.converged)
    found: dict[int, bytes] = {}
    for k in sorted({int(row) // 2 for row in np.flatnonzero((flags != 0) | (converged == 0))}):
        sides = ((games[k].a, 2 * k), (games[k].b, 2 * k + 1))
        found[k] = entries.happened(
            [After(player, 0.0, 0.0, 0.0, int(flags[row]), bool(converged[row])) for player, row in sides]
        )
    return found
