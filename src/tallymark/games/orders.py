"""The `order` column: whole numbers as int64, exact to the last digit, or doubles where there are fractions."""

from decimal import Decimal
from fractions import Fraction
from typing import SupportsInt

import numpy as np
from numpy.typing import NDArray

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.columns import Cells, numbers
from tallymark.games.report import Findings, Reason

NO_ORDER = np.iinfo(np.int64).min
"""A missing order among whole numbers: it sorts first, as NaN does among doubles."""

Orders = NDArray[np.float64] | NDArray[np.int64]

_EXACT = 2.0**53


def check_order(cells: Cells, findings: Findings) -> Orders:
    """The explicit order: int64 (NO_ORDER = missing) where all are whole numbers, else float64 (NaN = missing).

    Whole numbers are exact: one that neither has room in 64 bits nor is a double is rejected.

    >>> check_order(["9007199254740993", None], Findings(2)).tolist()
    [9007199254740993, -9223372036854775808]
    """
    if isinstance(cells, np.ndarray) and cells.dtype.kind == "i" and (cells != NO_ORDER).all():
        return cells.astype(np.int64)
    values, wrong = numbers(cells)
    findings.reject(wrong, Reason.BAD_NUMBER, lambda row: f"order is {shortened(wrong[row])}, which is not a number")
    findings.reject(np.isinf(values), Reason.BAD_NUMBER, lambda _: "order is not finite")
    missing = ~np.isfinite(values)
    large = {row: _exactly(cells[row]) for row in np.flatnonzero(~missing & (np.abs(values) >= _EXACT)).tolist()}
    if (missing | (np.floor(values) == values)).all() and all(-(2**63) < exact < 2**63 for exact in large.values()):
        whole = np.where(missing | (np.abs(values) >= _EXACT), NO_ORDER, values).astype(np.int64)
        for row, exact in large.items():
            whole[row] = int(exact)
        return whole
    findings.reject(
        [row for row, exact in large.items() if exact != Fraction(values[row])],
        Reason.BAD_NUMBER,
        lambda row: f"order is {shortened(cells[row])}, which needs more digits than there is room for",
    )
    return values


def joined_orders(one: Orders | None, two: Orders | None, rows_one: int, rows_two: int) -> Orders:
    """The orders of two logs behind one another; InputError where whole numbers and fractions have no exact form.

    >>> joined_orders(np.array([7]), None, 1, 1).tolist()
    [7, -9223372036854775808]
    """
    first = np.full(rows_one, NO_ORDER) if one is None else one
    second = np.full(rows_two, NO_ORDER) if two is None else two
    if first.dtype == second.dtype:
        return np.concatenate([first, second])
    return np.concatenate([_as_doubles(first), _as_doubles(second)])


def one_order_a_match(order: np.ndarray, match: NDArray[np.int32] | None, keep: NDArray[np.bool_]) -> np.ndarray:
    """The order of the earliest row of its match for every row of one: a match stays in one piece."""
    if match is None:
        return order
    rows = np.flatnonzero(keep & (match >= 0))
    lowest = np.full(int(match.max(initial=0)) + 1, order.max(initial=0), order.dtype)
    np.minimum.at(lowest, match[rows], order[rows])
    together = order.copy()
    together[rows] = lowest[match[rows]]
    return together


def _as_doubles(order: Orders) -> NDArray[np.float64]:
    if order.dtype.kind == "f":
        return order.astype(np.float64)
    values = np.where(order == NO_ORDER, np.nan, order.astype(np.float64))
    apart = [whole for whole in order[np.abs(values) >= _EXACT].tolist() if int(float(whole)) != whole]
    if apart:
        raise InputError(
            f"order {apart[0]} of one log and the fractions of the other have no common form",
            hint="multiply the fractions, so that both are whole numbers",
        )
    return values


def _exactly(cell: object) -> Fraction:
    """The value of a cell that `numbers` takes for a finite number."""
    if isinstance(cell, str):
        return Fraction(Decimal(cell.strip(" ")))
    if isinstance(cell, float | Decimal | Fraction):
        return Fraction(cell)
    assert isinstance(cell, SupportsInt)
    return Fraction(int(cell))
