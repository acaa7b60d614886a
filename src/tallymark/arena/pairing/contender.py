"""Who takes part where a fixed set of agents plays: not whoever comes, as in a queue."""

from typing import NamedTuple

from tallymark.systems import Rating


class Contender(NamedTuple):
    """One of a fixed set. `owner`: None where it is nobody's that others belong to as well."""

    agent: str
    rating: Rating
    owner: str | None = None


def of_one_owner(one: Contender, other: Contender) -> bool:
    """Whether both belong to one owner, so that they must not meet."""
    return one.owner is not None and one.owner == other.owner
