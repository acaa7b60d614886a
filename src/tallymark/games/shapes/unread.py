"""What a file has beside the columns that are read: named, so that nobody takes a column for read that is not."""

import re
from dataclasses import replace
from typing import Final

from tallymark.games.shapes.plan import Plan

_LISTED: Final = 12
_LONGEST: Final = 40


def with_unread_told(plan: Plan) -> Plan:
    """The plan with a note of the columns that it does not read, but for those that a note of its own names.

    >>> with_unread_told(Plan({"player_a": (0,)}, names=("player_a", "court", ""))).notes
    ('1 column is not read: court',)
    """
    if not plan.header:
        return plan
    used = {plan.names[at] for at in plan.positions if at < len(plan.names)}
    rest = [name for name in plan.names if name.strip() and not _is_read(name, used) and not _told(name, plan.notes)]
    unread = [name for name in rest if not any(name.startswith(f"{other}.") for other in rest)]
    if not unread:
        return plan
    shown = [name if name.isprintable() else repr(name) for name in unread[:_LISTED]]
    listed = ", ".join(name if len(name) <= _LONGEST else name[:_LONGEST] + "..." for name in shown)
    more = f" and {len(unread) - _LISTED:,} more" if len(unread) > _LISTED else ""
    counted = "1 column is" if len(unread) == 1 else f"{len(unread):,} columns are"
    return replace(plan, notes=(*plan.notes, f"{counted} not read: {listed}{more}"))


def _is_read(name: str, used: set[str]) -> bool:
    """Whether a column is read; also as part of an object that is, or as an object of which a part is."""
    return name in used or any(one.startswith(f"{name}.") or name.startswith(f"{one}.") for one in used)


def _told(name: str, notes: tuple[str, ...]) -> bool:
    """Whether a note says already that the column of this name is not read, and why."""
    said = re.compile(rf"(?:^|and |column ){re.escape(name)}\b.* (?:is|are) not read", re.DOTALL)
    return any(map(said.search, notes))
