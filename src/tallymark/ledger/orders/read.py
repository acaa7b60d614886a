"""Commands read from their bytes. They were made by this package and checked then; others' bytes are refused."""

from collections.abc import Mapping, Sequence
from struct import error as StructError
from typing import Final, NamedTuple

import orjson

from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.fold.played import Match, read_match
from tallymark.ledger.fold.rows import DOUBLES, Row
from tallymark.ledger.ids import checked_id
from tallymark.methodology import Methodology
from tallymark.replay.columns import NEVER
from tallymark.systems.rating import LARGEST

_IMPORTED: Final = 11
"""Values of an imported player."""


class Correction(NamedTuple):
    """One of: matches annulled, matches restored, a match changed, a player merged into another, one parted again.

    `oldest`: when the first of the matches was played; NEVER where nothing says so.
    """

    annulled: tuple[Id, ...] = ()
    restored: tuple[Id, ...] = ()
    changed: Match | None = None
    merged: tuple[Id, Id] | None = None
    parted: Id | None = None
    oldest: int = NEVER

    @property
    def matches(self) -> tuple[Id, ...]:
        """The matches that it is about; none where it is about players."""
        return (*self.annulled, *self.restored, *((self.changed.id,) if self.changed else ()))


def told(body: bytes) -> Mapping[str, object]:
    """What a command says."""
    try:
        got = orjson.loads(body)
    except ValueError as error:
        raise InputError(f"this is no command: {error}") from None
    if not isinstance(got, dict):
        raise InputError("this is no command: expected a JSON object")
    return got


def correction(body: bytes) -> Correction:
    """A `correct`."""
    got = told(body)
    what = got.get("what")
    if what == "merge":
        pair = checked_id("player", got.get("player")), checked_id("into", got.get("into"))
        if pair[0] == pair[1]:
            raise InputError(f"player and into are both {pair[0]!r}")
        return Correction(merged=pair)
    if what == "part":
        return Correction(parted=checked_id("player", got.get("player")))
    oldest = whole(got, "oldest")
    if what in ("annul", "restore"):
        listed = got.get("matches")
        if not isinstance(listed, Sequence) or isinstance(listed, str) or not listed:
            raise InputError("matches is no list of ids")
        ids = tuple(checked_id("matches", one) for one in listed)
        return Correction(annulled=ids, oldest=oldest) if what == "annul" else Correction(restored=ids, oldest=oldest)
    if what == "change":
        return Correction(changed=read_match(orjson.dumps(got.get("match"))), oldest=oldest)
    raise InputError(f"what is {what!r}; expected annul, restore, change, merge or part")


def whole(got: Mapping[str, object], name: str) -> int:
    """A whole number of a command."""
    value = got.get(name)
    if type(value) is not int:
        raise InputError(f"{name} is {value!r}; expected a whole number")
    return value


def states(body: bytes, rules: Methodology) -> dict[Id, tuple[float, float, float]]:
    """The states of an `adjust`."""
    found = {}
    for one in _players(told(body)):
        if len(one) != 2:
            raise InputError(f"a player has {len(one)} values; expected id and state")
        found[checked_id("player", one[0])] = _state(one[1], rules)
    return found


def imported(body: bytes, rules: Methodology) -> dict[Id, Row]:
    """The rows of an `import`, without an entry yet."""
    rows = {}
    for one in _players(told(body)):
        if len(one) != _IMPORTED:
            raise InputError(f"a player has {len(one)} values; expected {_IMPORTED}")
        who, state, *numbers, peak = one
        counts = [number for number in numbers if type(number) is int]
        if len(counts) < len(numbers) or not isinstance(peak, str):
            raise InputError(f"the counts of {who!r} are no whole numbers")
        last, games, wins, draws, losses, last_played, established, has_peak = counts
        rows[checked_id("player", who)] = Row(
            *_state(state, rules),
            last,
            1,
            games,
            wins,
            draws,
            losses,
            last_played,
            established,
            has_peak,
            float.fromhex(peak),
        )
    return rows


def _players(got: Mapping[str, object]) -> list[list[object]]:
    listed = got.get("players")
    if not isinstance(listed, list) or not all(isinstance(one, list) for one in listed):
        raise InputError("players is no list of lists")
    return listed


def _state(text: object, rules: Methodology) -> tuple[float, float, float]:
    """A state that the methodology can have: whatever else is refused before anybody plays against it."""
    if rules.numbers.exact:
        raise InputError(f"{rules.id} has its states from games alone")
    try:
        mu, phi2, sigma2 = DOUBLES.unpack(bytes.fromhex(str(text)))
    except (ValueError, TypeError, StructError):
        raise InputError(f"{text!r} is no state: expected 48 hexadecimal digits") from None
    if not (abs(mu) <= LARGEST and 0.0 <= phi2 <= LARGEST and 0.0 <= sigma2 <= LARGEST):
        raise InputError(f"mu {mu}, phi^2 {phi2}, sigma^2 {sigma2} are no state: expected finite numbers")
    return mu, phi2, sigma2
