"""Why a match changed a rating, in words and numbers."""

from tallymark.ledger.reading.seats import Seat
from tallymark.service.pages.words import change, exact_change, points, whole
from tallymark.service.shown import shown_change


def explained(seat: Seat, opponents: int) -> list[str]:
    """Sentences about what a match did to a player; none where it did nothing yet. `opponents`: how many the player met
    in it."""
    if seat.before is None or seat.after is None or seat.score is None:
        return []
    found = []
    if seat.expected is not None:
        found.append(_expected(seat.score, seat.expected, opponents))
    before, after = seat.before, seat.after
    moved = shown_change(before.rating, after.rating)
    went = "rose" if moved > 0 else "fell" if moved < 0 else "stayed"
    exactly = exact_change(before.rating, after.rating)
    if moved:
        found.append(f"The rating {went} from {whole(before.rating)} to {whole(after.rating)}, exactly {exactly}.")
    else:
        found.append(
            f"The rating {went} at {whole(after.rating)}: {change(before.rating, after.rating)}, exactly {exactly}."
        )
    surer = shown_change(before.deviation, after.deviation)
    if surer < 0:
        found.append(f"It is surer: RD {whole(before.deviation)} before, {whole(after.deviation)} after.")
    elif surer > 0:
        found.append(f"It is less sure: RD {whole(before.deviation)} before, {whole(after.deviation)} after.")
    else:
        found.append(f"It is about as sure as before: RD {whole(after.deviation)}.")
    return found


def _expected(score: float, expected: float, opponents: int) -> str:
    """What was expected, and what came.

    >>> _expected(1.0, 0.25, 1)
    '0.25 of a point was expected, and 1 won: 0.75 more than expected.'
    >>> _expected(1.0, 1.5, 3)
    '1.50 of 3 points was expected, and 1 won: 0.50 less than expected.'
    """
    of = "a point" if opponents == 1 else f"{opponents} points"
    more = score - expected
    by = f"{abs(more):.2f} {'more' if more > 0 else 'less'} than" if round(abs(more), 2) else "as"
    return f"{expected:.2f} of {of} was expected, and {points(score)} won: {by} expected."
