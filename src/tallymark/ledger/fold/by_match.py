"""Pools by match and by game: each match is rated when it is settled, from what the entries before it left."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from tallymark.games.ids import Id
from tallymark.ledger import entries
from tallymark.ledger.fold.going import Folding, from_the_future, too_late
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.plain import rate_plain
from tallymark.ledger.fold.played import read_match
from tallymark.ledger.fold.rating import rate_matches, why_not
from tallymark.ledger.fold.reasons import Unrated
from tallymark.replay.columns import NEVER
from tallymark.replay.single import single

_PAIRS: Final = 100_000
"""Pairs of players whose matches are rated at once: each pair is a game, and all have to fit in memory."""


def rate_now(going: Folding, items: Sequence[Received]) -> None:
    """An entry for each match, rated or not. A late one does what the methodology's `late` says."""
    in_order = going.rules.period.late != "ledger-order"
    merged = going.merged()
    if not (in_order or merged):
        _rate(going, items)
        return
    items = [item.calling(merged) for item in items] if merged else items
    reasons = why_not(going.rules, [item.match for item in items], from_the_future(going, items))
    on_time: list[Received] = []
    latest = going.stand.played
    for item, reason in zip(items, reasons, strict=True):
        played = item.match.played
        oneself = bool(merged) and not merged.keys().isdisjoint(item.match.people)
        if reason is not None or not (oneself or (in_order and NEVER < played < latest)):  # what has no time is on time
            on_time.append(item)
            latest = max(latest, played) if reason is None else latest
            continue
        _rate(going, on_time)
        on_time = []
        _late(going, item, Unrated.ONESELF if oneself else Unrated.LATE)
    _rate(going, on_time)


def _late(going: Folding, item: Received, why: Unrated) -> None:
    position, at, stand = going.stand.position + 1, going.settled_at(item.received), going.stand
    recomputed = going.rules.period.late == "recompute"  # against oneself: it may count again
    if not recomputed or too_late(going, item.match.played):
        why = Unrated.TOO_LATE if recomputed else why
        going.write(entries.not_rated(position, at, stand.rules_at, item.body, why), at, item.receipt)
        return
    body = entries.accepted(position, at, stand.rules_at, item.body, None, True)
    going.write(body, at, item.receipt, waiting_from=stand.waiting_from or position)


def _rate(going: Folding, items: Sequence[Received]) -> None:
    if not items:
        return
    one = single(going.rules)
    if one is None:
        _rate_any(going, items)
        return
    told = [item.usual or item.flat() for item in items]
    if None not in told:
        rate_plain(going, items, [match for match in told if match is not None], one)
        return
    for item, match in zip(items, told, strict=True):
        if match is None:
            _ = item.match  # bytes that are none are refused before anybody is rated
    begin = 0
    for plain, run in groupby(told, key=bool):
        matches = list(run)
        end = begin + len(matches)
        some = [match for match in matches if match is not None]
        if plain:
            rate_plain(going, items[begin:end], some, one)
        else:
            _rate_any(going, items[begin:end])
        begin = end


def _rate_any(going: Folding, items: Sequence[Received]) -> None:
    if len(items) > 1 and sum(len(item.match.people) ** 2 // 2 for item in items) > _PAIRS:
        _rate_any(going, items[: len(items) // 2])
        _rate_any(going, items[len(items) // 2 :])
        return
    players = {player for item in items for player in item.match.people}
    rows = going.rows(players)
    refused = from_the_future(going, items)
    outcomes, changed = rate_matches(going.rules, rows, [item.match for item in items], going.engine, refused)
    last = {player: row.position for player, row in rows.items()}
    rules_at = going.stand.rules_at
    for item, outcome in zip(items, outcomes, strict=True):
        at, position = going.settled_at(item.received), going.stand.position + 1
        if outcome.reason is not None:
            body = entries.not_rated(position, at, rules_at, item.body, outcome.reason)
            going.write(body, at, item.receipt)
            continue
        before = [last[one.player] for one in outcome.after]
        names = _names(item) if going.stand.merged else {}
        body = entries.rated(position, at, rules_at, going.rules, item.body, outcome.after, before, names)
        for one in outcome.after:
            last[one.player] = position
        going.write(body, at, item.receipt, played=max(going.stand.played, item.match.played))
    going.take({player: row._replace(position=last[player], settled=last[player]) for player, row in changed.items()})


def _names(item: Received) -> dict[Id, Id]:
    """Whom the bytes name by another id than the match that is rated."""
    told = read_match(item.body).people
    return {before: now for before, now in zip(told, item.match.people, strict=True) if before != now}
