"""Who the two sides of a game are: the columns of a header that are spelt as a pair of sides."""

from tallymark.errors import ReadError
from tallymark.games.shapes.head import Choice, Head, choices, pairs
from tallymark.games.shapes.pairing import is_pairing
from tallymark.games.shapes.plan import Seats
from tallymark.games.shapes.spellings import PAIRINGS, SIDES, WINNER_LOSER, Sides, forms, plain

_Pair = tuple[int, int]


def find_sides(choice: Choice, head: Head) -> None:
    """Takes the columns of the two sides, where none are mapped. ReadError where there are two pairs to choose from."""
    if "white" in choice.columns or "black" in choice.columns:
        _by_colour(choice, head)
    if _given(choice, "player_a", "player_b") or _given(choice, "winner", "loser") or "pairing" in choice.mapped:
        for name in ("player_a", "player_b"):
            if _given(choice, "player_a", "player_b") and name in head.names and choice.wants(name):
                choice.take(head, name, head.own(name))
        _name_seats(choice, head)
        return
    if all(name in head.names for name in ("player_a", "player_b")):
        choice.take(head, "player_a", head.own("player_a"))
        choice.take(head, "player_b", head.own("player_b"))
        return
    found = {sides: forms for sides in SIDES if (forms := _forms(sides, head))}
    if len(found) > 1:
        options = [dict(zip(_names(sides), _identity(forms), strict=True)) for sides, forms in found.items()]
        raise ReadError(
            f"{head.file} has several pairs of sides: {', '.join(sides.label for sides in found)}",
            hint=f"say which one plays: {choices(head, options)}",
        )
    for sides, by_form in found.items():
        _take(choice, head, sides, by_form)
        return
    for at in head.spelt(*PAIRINGS):
        if _has_pairings(head, at):
            choice.take(head, "pairing", at)
            choice.labels.append("pairings")
            choice.notes.append("player_a and player_b are the two of a pairing, in its order, without blanks around")
            return


def has_sides(head: Head) -> bool:
    """Whether a header has a pair of sides.

    >>> has_sides(Head(["Home", "Visitor"], [], "x.csv")), has_sides(Head(["Home"], [], "x.csv"))
    (True, False)
    """
    paired = any(_has_pairings(head, at) for at in head.spelt(*PAIRINGS))
    return paired or "player_a" in head.names or any(_forms(sides, head) for sides in SIDES)


def _has_pairings(head: Head, at: int) -> bool:
    """Whether most cells of a column name two players."""
    cells = head.texts(at)
    return 2 * sum(map(is_pairing, cells)) > len(cells)


def _names(sides: Sides) -> tuple[str, str]:
    return ("winner", "loser") if sides is WINNER_LOSER else ("player_a", "player_b")


def _forms(sides: Sides, head: Head) -> dict[str, list[_Pair]]:
    """The pairs of a family by how they name a side: by id, plainly, by name."""
    found: dict[str, list[_Pair]] = {}
    for first, second in sides.pairs:
        for one, two, form in forms(first, second):
            found.setdefault(form, []).extend(pairs(head, [(one, two)]))
    return {form: several for form, several in found.items() if several}


def _identity(by_form: dict[str, list[_Pair]]) -> _Pair:
    return next(by_form[form][0] for form in ("id", "", "name") if form in by_form)


def _take(choice: Choice, head: Head, sides: Sides, by_form: dict[str, list[_Pair]]) -> None:
    a, b = _names(sides)
    for several in by_form.values():
        if len(several) > 1:
            options = [{a: one, b: two} for one, two in several]
            raise ReadError(
                f"{head.file} has {len(several)} pairs of columns for {sides.label}",
                hint=f"say which one plays: {choices(head, options)}",
            )
    one, two = _identity(by_form)
    choice.take(head, a, one)
    choice.take(head, b, two)
    rest = [form for form in ("", "name") if form in by_form and by_form[form][0] != (one, two)]
    if rest and choice.wants("name_a", "name_b"):
        first, second = by_form[rest[0]][0]
        choice.take(head, "name_a", first)
        choice.take(head, "name_b", second)
    choice.labels.append(sides.label)
    choice.seats = sides.seats


def _given(choice: Choice, *names: str) -> bool:
    return any(name in choice.mapped for name in names)


def _by_colour(choice: Choice, head: Head) -> None:
    """What is mapped as white and black, as player_a and player_b."""
    for name in ("white", "black"):
        if name not in choice.columns:
            raise ReadError(
                f"{head.file} has no column {name!r}; it has {head.listing()}",
                hint=f"map both: columns={{'white': '...', 'black': '...'}}, {name} is missing",
            )
    choice.columns["player_a"], choice.columns["player_b"] = choice.columns.pop("white"), choice.columns.pop("black")
    choice.mapped |= {"player_a", "player_b"}
    choice.seats = Seats.WHITE_BLACK


def _name_seats(choice: Choice, head: Head) -> None:
    """What the two sides are called, by the names of the columns that are mapped to them."""
    if choice.seats != Seats.PLAIN or not all(name in choice.columns for name in ("player_a", "player_b")):
        return
    one, two = (plain(head.names[choice.columns[name][0]]) for name in ("player_a", "player_b"))
    for sides in SIDES:
        for first, second in sides.pairs:
            for a, b, _ in forms(first, second):
                if (one, two) == (a, b):
                    choice.seats = sides.seats
                elif (two, one) == (a, b) and sides.seats in (Seats.WHITE_BLACK, Seats.BLACK_WHITE):
                    choice.seats = Seats.BLACK_WHITE if sides.seats == Seats.WHITE_BLACK else Seats.WHITE_BLACK
