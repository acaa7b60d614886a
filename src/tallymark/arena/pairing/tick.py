"""A tick: who of a queue is to play now. A pure function of who waits, of the house agents and of the time."""

from collections.abc import Iterable

from tallymark.arena.pairing.line import Helpers, Line
from tallymark.arena.pairing.rules import ARENA_V0, PairingRules
from tallymark.arena.pairing.standard import standard
from tallymark.arena.pairing.waiting import House, Table, Waiting


def tick(
    queue: Iterable[Waiting], house: Iterable[House], now_ms: int, rules: PairingRules = ARENA_V0
) -> tuple[Table, ...]:
    """The tables that one queue gives now, in the order in which they were made.

    The longest waiter is served first (ties: the lowest agent's id). It takes the nearest admissible opponents (ties:
    who waited longer, then the lowest id), nobody of its own owner and no two of another, up to the largest number of
    seats; then the table is full. Who cannot fill a table and has waited for `house_after_ms` or longer sits down with
    those it has, and the nearest house agents (ties: the lowest id), whatever their gap, take the empty seats: as many
    people as house agents suffice for, and then the smallest number of seats. Everybody else goes on waiting, also for
    whoever comes after in this tick: the window of a table is that of its longest waiter.

    With `house_only` everybody sits down alone instead, with the house agents that it has met least (`standard`).

    Whoever is left would not be paired by a second tick at the same time. Raises `InputError` where an agent waits
    twice, or is a house agent too. Source: the arena's spec, P1, P2, P4.

    >>> ann, bob = Waiting(1, "ann", "a", 1500.0, 80.0, 0), Waiting(2, "bob", "b", 1800.0, 80.0, 0)
    >>> [table.agents for table in tick([ann, bob], [], 60_000)], tick([ann, bob], [], 59_999)
    ([('ann', 'bob')], ())
    """
    line, helpers = Line(queue), Helpers(house)
    helpers.check(line)
    people = line.people
    if rules.house_only:
        return standard(people, helpers.agents, now_ms, rules)
    most, after = rules.seats[-1], rules.house_after_ms
    gone = bytearray(len(people))
    tables: list[Table] = []
    for rank in range(len(people)):
        if gone[rank]:
            continue
        line.ladder.remove(rank)  # in any case: as the longest waiter of a table it cannot do better later on
        others = line.admissible(rank, now_ms, rules, most - 1)
        helping: tuple[House, ...] = ()
        if len(others) < most - 1:
            if line.waited(rank, now_ms) < after:
                continue
            size = helpers.size(1 + len(others), rules.seats)
            if size is None:
                continue
            seated, seats = size
            others = others[: seated - 1]
            helping = helpers.nearest(line.centi[rank], seats - seated)
        for other in others:
            gone[other] = 1
            line.ladder.remove(other)
        tables.append(Table((people[rank], *map(people.__getitem__, others)), helping))
    return tuple(tables)
