"""A calendar period rated as a whole, in the total order of its matches: as a replay of the same games would."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from tallymark.games.ids import Id
from tallymark.ledger.fold.played import Match, pairings
from tallymark.ledger.fold.rating import After, told, why_not
from tallymark.ledger.fold.rows import Row, columns_of, rows_of
from tallymark.ledger.ids import MADE
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.replay.engines import Engine, Machine
from tallymark.replay.roster import roster
from tallymark.replay.schedule import Head
from tallymark.replay.scheduling import build

Behind: TypeAlias = Mapping[Id, tuple[int, int]]
"""For matches that have no time: the last time among those that were there before, and their entries (`History`)."""


def in_total_order(matches: Sequence[Match], behind: Behind = MappingProxyType({})) -> list[Match]:
    """By time, then id: numbers, then text. Ids made of content come first and are as one; what is equal in both stays
    as it is, in the order of the ledger: as games without ids stay in the order of their file.

    `behind`: matches without a time stand behind those that were there before, in the order of their entries.
    """
    return sorted(matches, key=lambda match: _place(match, behind))


def _place(match: Match, behind: Behind) -> tuple[int, int, Id]:
    if match.played == NEVER:
        time, entry = behind.get(match.id, (NEVER, 0))
        return time, 3, entry
    if isinstance(match.id, int):
        return match.played, 1, match.id
    return (match.played, 0, MADE) if match.id.startswith(MADE) else (match.played, 2, match.id)


def rate_period(
    rules: Methodology, rows: Mapping[Id, Row], matches: Sequence[Match], number: int, origin: int, engine: Engine
) -> tuple[list[After], dict[Id, Row]]:
    """Everybody who played in the period, by id, after it; and their rows. Those of its matches count that the
    methodology rates: what they say may have been changed since they were accepted."""
    reasons = why_not(rules, matches, {})
    matches = [match for match, reason in zip(matches, reasons, strict=True) if reason is None]
    if not matches:
        return [], {}
    log = pairings(matches).log
    who = roster(log)
    # What was played before the period is late, and rated in it.
    schedule = build(log, rules, who, [Head(origin, number - 1, NEVER)])
    machine = Machine(rules, columns_of([rows[player] for player in log.players]), engine, len(log), 1)
    work = machine.work(schedule.games, schedule.units, schedule.most, False, True)
    machine.rate(work, 0, schedule.unit_count)
    changed = dict(zip(log.players, rows_of(machine.standing.columns()), strict=True))
    after = {side.player: side for both in told(log, schedule.places, work.steps) for side in both}
    return [after[player] for player in log.players], changed
