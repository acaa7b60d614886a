"""Everything computed again: what late matches and corrections change, in published periods too.

They gather until something closes; then there is one recomputation. A header says what it is about, chunks say what
players have now. The values in between are not written down: a digest covers all of them that changed, and whoever
recounts computes them again.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

import orjson

from tallymark.games.ids import Id, rank_order
from tallymark.ledger import entries
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold.going import Folding
from tallymark.ledger.fold.history import History
from tallymark.ledger.fold.periods import in_total_order, rate_period
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.fold.rating import After, rate_matches
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.orders import read
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER

Key: TypeAlias = tuple[int] | tuple[int, bool, Id]
"""What orders units as they are rated: the period, or a match's time and id."""
_POSITION: Final = Row._fields.index("position")


class Told(NamedTuple):
    """A history rated from its beginning: everybody's state after each unit, and where all stand at its end."""

    units: dict[Key, dict[Id, bytes]]
    rows: dict[Id, Row]
    after: dict[Id, After]
    played: int


def unit_of(match: Match, stand: Stand, rules: Methodology) -> Key:
    """The unit that a match is rated in."""
    if rules.period.kind == "calendar":
        return ((match.played - stand.origin) // rules.period.length,)
    return match.played, isinstance(match.id, str), match.id


def recompute(going: Folding, at: int) -> None:
    """Writes header and chunks, where anything waits."""
    since = going.stand.waiting_from
    if not since:
        return
    stream = list(going.entries(1))
    history = History.of(stream)
    before, now = computed(going, History.of(stream, since)), computed(going, history)
    digest, changed = _digest(before.units, now.units)
    moved, rows = _moved(going, before, now)
    header = going.stand.position + 1
    body = entries.restated(
        header,
        at,
        going.stand.rules_at,
        [entry.position for entry in stream[since - 1 :] if _waits(entry)],
        _superseded(stream[: since - 1]),
        changed,
        len(moved),
        -(-len(moved) // entries.CHUNK),
        digest,
    )
    going.write(body, at, None, waiting_from=0, played=max(going.stand.played, now.played))
    going.stand = replace(going.stand, merged=tuple(history.merged.items()))
    going.write_states(header, at, moved, rows, _settled(stream[since - 1 :], history))


def _waits(entry: Entry) -> bool:
    return entries.is_late(entry.body) or entry.body.endswith(b',"effect":"recompute"}')


def _settled(stream: Sequence[Entry], history: History) -> set[Id]:
    """Who has a match among the late ones that count from here on."""
    found: set[Id] = set()
    for entry in stream:
        if entries.is_late(entry.body):
            item = entries.item_in(entry.body, "accepted")
            assert item is not None
            match = read_match(item)
            if match.id not in history.gone:
                found.update(map(history.now, match.people))
    return found


def _superseded(stream: Sequence[Entry]) -> list[int]:
    """The first and the last entry whose numbers may not hold any more."""
    found = [entry.position for entry in stream if entries.prefix(entry.body).kind in ("rated", "states")]
    return found[:1] + found[-1:]


def computed(going: Folding, history: History) -> Told:
    """A history rated from its beginning, under the methodologies that were in force."""
    rows = brought(going, history)
    if going.rules.period.kind == "calendar":
        return _by_period(going, history, rows)
    return _by_match(going, history, rows)


def brought(going: Folding, history: History) -> dict[Id, Row]:
    """Where those begin who came with states from elsewhere."""
    rows: dict[Id, Row] = {}
    for entry in history.imports:
        rules = going.rules_at(entries.prefix(entry.body).rules_at)
        item = entries.item_in(entry.body, "imported")
        assert item is not None
        for player, row in read.imported(item, rules).items():
            own = history.now(player)
            if own == player or own not in rows:  # who came under two ids stands where the id that stays came
                rows[own] = row
    return rows


def _by_period(going: Folding, history: History, rows: dict[Id, Row]) -> Told:
    origin = going.stand.origin
    if rows:
        rows = {player: row._replace(last=imported_until(going, history)) for player, row in rows.items()}
    periods: dict[int, list[tuple[Match, int]]] = {}
    for match, rules_at in history.counted():
        number = unit_of(match, going.stand, going.rules)[0]
        if number <= going.stand.closed:
            periods.setdefault(number, []).append((match, rules_at))
    out = Told({}, rows, {}, NEVER)
    for number in sorted(periods):
        rules = going.rules_at(history.periods.get(number, periods[number][0][1]))
        matches = in_total_order([match for match, _ in periods[number]])
        after, changed = rate_period(rules, _standing(out.rows, matches, rules), matches, number, origin, going.engine)
        out = _with(out, (number,), after, changed, rules, matches)
    return out


def imported_until(going: Folding, history: History) -> int:
    """The last period that was over when states came from elsewhere."""
    item = entries.item_in(history.imports[0].body, "imported")
    assert item is not None
    return (read.whole(read.told(item), "at") - going.stand.origin) // going.rules.period.length - 1


def _by_match(going: Folding, history: History, rows: dict[Id, Row]) -> Told:
    rules_of = {match.id: rules_at for match, rules_at in history.counted()}
    out = Told({}, rows, {}, NEVER)
    ordered = in_total_order([match for match, _ in history.counted()], history.behind)
    for rules_at, group in groupby(ordered, key=lambda match: rules_of[match.id]):
        rules, matches = going.rules_at(rules_at), list(group)
        outcomes, changed = rate_matches(rules, _standing(out.rows, matches, rules), matches, going.engine)
        for match, outcome in zip(matches, outcomes, strict=True):
            if outcome.reason is None:
                out = _with(out, unit_of(match, going.stand, going.rules), outcome.after, {}, rules, [match])
        out.rows.update(changed)
    return out


def _standing(rows: Mapping[Id, Row], matches: Sequence[Match], rules: Methodology) -> dict[Id, Row]:
    blank = newcomer(rules)
    return {player: rows.get(player, blank) for match in matches for player in match.people}


def _with(
    told: Told, key: Key, after: Sequence[After], rows: Mapping[Id, Row], rules: Methodology, matches: Sequence[Match]
) -> Told:
    """One more unit."""
    told.units[key] = {one.player: entries.state(one, rules) for one in after}
    told.rows.update(rows)
    told.after.update((one.player, one) for one in after)
    return told._replace(played=max(told.played, *(match.played for match in matches)))


def _digest(before: Mapping[Key, Mapping[Id, bytes]], now: Mapping[Key, Mapping[Id, bytes]]) -> tuple[bytes, int]:
    """SHA-256 over a line for each value that changed, in the order of units and players, and how many these are. A
    line is a JSON list: period, or time and id of the match; player; state, null where there is none any more."""
    digest, changed = hashlib.sha256(), 0
    for key in sorted(before.keys() | now.keys()):
        was, has = before.get(key, {}), now.get(key, {})
        for player in rank_order(was.keys() | has.keys()):
            if was.get(player) != has.get(player):
                changed += 1
                unit = orjson.dumps(key[0] if len(key) == 1 else [key[0], key[2]])
                digest.update(b"[%b,%b,%b]\n" % (unit, orjson.dumps(player), has.get(player, b"null")))
    return digest.digest(), changed


def _moved(going: Folding, before: Told, now: Told) -> tuple[list[After], dict[Id, Row]]:
    """Players who stand elsewhere now, in the order of their ids, and their rows."""
    stood = going.rows(before.rows.keys() | now.rows.keys())
    blank = newcomer(going.rules)
    rows = {player: now.rows.get(player, blank) for player in stood}
    moved = [player for player in rank_order(rows) if rows[player][:_POSITION] != stood[player][:_POSITION]]
    gone = After(0, blank.mu, blank.phi2, blank.sigma2, 0, True)
    return [now.after.get(player, gone._replace(player=player)) for player in moved], rows
