"""Columns of dates under a name that is not known: they are not read, and that is said."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tallymark.errors import ReadError
from tallymark.games.shapes.head import Head, choices
from tallymark.games.shapes.plan import Plan, Row
from tallymark.games.times.recognition import looks_dated


def with_dates_told(
    plan: Plan, first: Sequence[str], sample: Sequence[Row], mapping: Mapping[str, str], file: str, times: bool
) -> Plan:
    """The plan with a note that names the columns of dates of a file of which no time is read, with their mapping.

    With `times` somebody said how times are written: then a file without a column of them is a ReadError.

    >>> rows = [["05.09.2025", "ann", "bob", "3:1"]]
    >>> plan = with_dates_told(Plan({}), ["Am", "Heim", "Gast", "Ergebnis"], rows, {}, "x.csv", times=False)
    >>> plan.notes
    ("Am has dates and is not read: columns={'played_at': 'Am'}",)
    """
    if "played_at" in plan.columns or not plan.header or (mapping.get("played_at") == "" and not times):
        return plan
    head = Head(first, sample, file)
    free = [at for at in range(len(head.names)) if at not in plan.positions and looks_dated(head.texts(at))]
    mapped = choices(head, [{"played_at": at} for at in free])
    if times:
        hint = (
            f"say which column has them: {mapped}"
            if free
            else "leave times out, or name their column: columns={'played_at': '...'}"
        )
        raise ReadError(f"{file}: times says how times are written, and no column of times is read", hint=hint)
    if not free:
        return plan
    names = ", ".join(head.names[at] for at in free)
    note = (
        f"{names} {'have' if len(free) > 1 else 'has'} dates and {'are' if len(free) > 1 else 'is'} not read: {mapped}"
    )
    return replace(plan, notes=(*plan.notes, note))
