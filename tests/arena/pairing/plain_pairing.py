"""The rules of pairing once more, word by word and slowly: what the quick tick must agree with."""

from collections.abc import Sequence
from fractions import Fraction

from tallymark.arena.pairing.rules import PairingRules
from tallymark.arena.pairing.waiting import House, Waiting

Plain = tuple[tuple[str, ...], tuple[str, ...]]


def rint(value: float) -> int:
    """To the nearest integer, halves to even, by exact arithmetic."""
    return round(Fraction(value))


def gap(a: Waiting | House, b: Waiting | House) -> int:
    """Hundredths of a point."""
    return abs(rint(100.0 * a.rating) - rint(100.0 * b.rating))


def admissible(a: Waiting, b: Waiting, now_ms: int, rules: PairingRules) -> bool:
    """The inequality of the spec, by fractions."""
    waited = [max(0, now_ms - one.joined_ms) for one in (a, b)]
    counts = max(waited) if rules.whose == "longer" else min(waited)
    window = Fraction(rules.base_centi) + Fraction(rules.growth_centi * counts, 60_000)
    window += Fraction(rules.deviation_milli, 1000) * (rint(100.0 * a.deviation) + rint(100.0 * b.deviation))
    capped = rules.cap_centi is not None and gap(a, b) > rules.cap_centi
    return gap(a, b) <= window and not capped


def plain_tick(queue: Sequence[Waiting], house: Sequence[House], now_ms: int, rules: PairingRules) -> list[Plain]:
    """Who sits together: the ids of people, and of house agents."""
    left = sorted(queue, key=lambda one: (one.joined_ms, one.agent))
    tables: list[Plain] = []
    while left:
        first = left.pop(0)
        near = sorted(left, key=lambda other: (gap(first, other), other.joined_ms, other.agent))
        seated = [first]
        for other in near:
            fits = admissible(first, other, now_ms, rules) and other.owner not in {one.owner for one in seated}
            if fits and len(seated) < max(rules.seats):
                seated.append(other)
        helping: list[House] = []
        if len(seated) < max(rules.seats):
            if max(0, now_ms - first.joined_ms) < rules.house_after_ms:
                continue
            ways = [
                (people, seats)
                for people in range(len(seated), 0, -1)
                for seats in sorted(rules.seats)
                if 0 <= seats - people <= len(house)
            ]
            if not ways:
                continue
            people, seats = ways[0]
            seated = seated[:people]
            helping = sorted(house, key=lambda one: (gap(first, one), one.agent))[: seats - people]
        left = [one for one in left if one not in seated]
        tables.append((tuple(one.agent for one in seated), tuple(one.agent for one in helping)))
    return tables
