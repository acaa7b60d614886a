"""What a tick leaves: when the next is worth it."""

from collections.abc import Iterable

from tallymark.arena.pairing.line import Helpers, Line
from tallymark.arena.pairing.rules import ARENA_V0, PairingRules
from tallymark.arena.pairing.waiting import House, Waiting


def due(queue: Iterable[Waiting], house: Iterable[House], rules: PairingRules = ARENA_V0) -> int | None:
    """The first millisecond at which `tick` gives a table of this queue; None where it never does.

    For who sleeps between ticks. A time that is past says: now. `InputError` as `tick`.

    >>> alone = Waiting(1, "ann", "a", 2900.0, 80.0, 0)
    >>> due([alone], [House("house-hex-random", 1500.0, 80.0)]), due([alone], [])
    (10000, None)
    >>> due([alone, Waiting(2, "bob", "b", 2100.0, 80.0, 120_000)], [])
    360000
    """
    line, helpers = Line(queue), Helpers(house)
    helpers.check(line)
    if rules.house_only:
        enough = line.people and len(helpers.agents) >= rules.seats[0] - 1
        return line.people[0].joined_ms + rules.house_after_ms if enough else None
    most = rules.seats[-1]
    # So many people must sit there for house agents to suffice for the rest.
    least = next((people for people in range(1, most) if helpers.size(people, rules.seats)), most)
    best: int | None = None
    for rank, first in enumerate(line.people):
        if best is not None and first.joined_ms >= best:
            break
        line.ladder.remove(rank)
        times = _times(line, rank, rules, most - 1, best)
        if len(times) == most - 1:
            best = _earlier(best, times[-1])
        if least < most and len(times) >= least - 1:
            helped = first.joined_ms + rules.house_after_ms
            best = _earlier(best, max(helped, times[least - 2]) if least > 1 else helped)
    return best


def _times(line: Line, rank: int, rules: PairingRules, most: int, before: int | None) -> list[int]:
    """When others become admissible to `rank`, who was taken out of the ladder last: the first times, at most so many,
    ascending, one an owner. Those from `before` on may be missing."""
    joined, deviations, alone = line.joined, line.deviations, rules.by_waiting_alone
    owners = {line.owners[rank]}
    times: dict[int, int] = {}
    for other, gap in line.ladder.nearest(rank, owners):
        soonest = rules.wait_ms(int(gap), 0 if alone else deviations[rank] + line.widest)
        if soonest is None or (before is not None and joined[rank] + soonest >= before):
            break
        owner = line.owners[other]
        if alone:
            owners.add(owner)
            times[owner] = joined[rank] + soonest
            if len(times) == most:
                break
        elif (wait := rules.wait_ms(int(gap), deviations[rank] + deviations[other])) is not None:
            counts = joined[rank] if rules.whose == "longer" else joined[other]
            times[owner] = min(times.get(owner, counts + wait), counts + wait)
    return sorted(times.values())[:most]


def _earlier(one: int | None, other: int) -> int:
    return other if one is None else min(one, other)
