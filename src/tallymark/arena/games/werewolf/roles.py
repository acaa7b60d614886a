"""Who is who: the roles, how many of each, and how they follow from the seed."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from tallymark.arena.chance import drawn


class Role(StrEnum):
    """What a seat is, from the first night to the last day."""

    WOLF = "wolf"
    """Knows the other wolves, and eats somebody every night, together with them."""
    SEER = "seer"
    """Looks at somebody every night, and learns whether that is a wolf."""
    DOCTOR = "doctor"
    """Guards somebody every night, also itself, but nobody twice running: who is guarded is not eaten."""
    VILLAGER = "villager"
    """Sleeps."""


COUNTS: Final[Mapping[int, Mapping[Role, int]]] = {
    5: {Role.WOLF: 1, Role.SEER: 1, Role.DOCTOR: 1, Role.VILLAGER: 2},
    6: {Role.WOLF: 1, Role.SEER: 1, Role.VILLAGER: 4},
    7: {Role.WOLF: 2, Role.SEER: 1, Role.DOCTOR: 1, Role.VILLAGER: 3},
    8: {Role.WOLF: 2, Role.SEER: 1, Role.DOCTOR: 1, Role.VILLAGER: 4},
}
"""How many of each there are, by the number of seats: among house agents neither team wins nearly always."""


def roles(seed: bytes, seats: int) -> tuple[Role, ...]:
    """The role of every seat: the seats by HMAC-SHA256 of "role:" and their number under the seed, and the roles of
    `COUNTS` in their order.

    >>> [role.value for role in sorted(roles(bytes(32), 5))]
    ['doctor', 'seer', 'villager', 'villager', 'wolf']
    """
    order = sorted(range(seats), key=lambda seat: drawn(seed, f"role:{seat}"))
    cast = [role for role, count in COUNTS[seats].items() for _ in range(count)]
    by_seat = dict(zip(order, cast, strict=True))
    return tuple(by_seat[seat] for seat in range(seats))


def team(cast: Sequence[Role], *, wolves: bool) -> tuple[int, ...]:
    """The seats of one team: the wolves, or everybody else."""
    return tuple(seat for seat, role in enumerate(cast) if (role is Role.WOLF) == wolves)
