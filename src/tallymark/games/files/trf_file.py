"""Games from TRF, the tournament report of the chess federations: each game once, as both of its players' lines say.

What is where on a line is told by the position of its characters, in files of some programs of its bytes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from tallymark.checked import shortened
from tallymark.errors import ReadError
from tallymark.games.byes import is_bye
from tallymark.games.files.lines import lines_of
from tallymark.games.files.opening import Source
from tallymark.games.files.raw import RawTable
from tallymark.games.files.records import Record, table_of
from tallymark.games.shapes.plan import Choose

_ROUNDS: Final = 91
"""Where the first round begins; each has ten characters."""
_STEP: Final = 10
_SHAPE: Final = re.compile(r"001 [ 0-9]{4} .{4} .{33} [ 0-9]{4} .{3} .{11} .{10} [ 0-9.,]{4} [ 0-9]{4}")
_MET: Final = re.compile(r"([ 0-9]{4}) ([wbWB -]) ([10=+WDLHFUZwdlhfuz -])  ")
_CODE: Final = re.compile(r"(?:[0-9]{3}|XX[A-Z]|BB[A-Z]|DAT)(?: |$)|###")
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})[/.-]([0-9]{2})[/.-]([0-9]{2})")
_SHORT: Final = re.compile(r"([0-9]{2})[/.-]([0-9]{2})[/.-]([0-9]{2})")
_NOBODY: Final = "BYE"
_NEEDED: Final = "a TRF file has a line beginning with 001 for each player, and its columns at their places"
# What White's and Black's lines may say of a game together: the result, and how it ended where that is not over the
# board. W, D and L are games that nobody began: they count in the tournament and are not rated.
_AGREED: Final = {
    ("1", "0"): ("1-0", None),
    ("0", "1"): ("0-1", None),
    ("=", "="): ("1/2-1/2", None),
    ("+", "-"): ("+/-", "walkover"),
    ("-", "+"): ("-/+", "walkover"),
    ("-", "-"): ("-/-", "walkover"),
    ("W", "L"): ("1-0", "walkover"),
    ("L", "W"): ("0-1", "walkover"),
    ("D", "D"): ("1/2-1/2", "walkover"),
    ("", ""): ("*", "unfinished"),
}
_BYES: Final = {"U": "1-0", "F": "1-0", "+": "1-0", "H": "1/2-1/2"}
"""What a line says of a round without an opponent that gave points (by pairing, on request, for want of one)."""
_ABSENT: Final = ("", "-", "Z")
_LISTED: Final = {**_BYES, "1": "1-0", "W": "1-0", "=": "1/2-1/2", "D": "1/2-1/2"}
"""The same where a line of the file is called BYE, as some programs write it."""


class TrfRatings(NamedTuple):
    """The players of a tournament: ids as its games have them, names, and ratings (0 as it is, None = empty)."""

    ids: list[str]
    names: list[str]
    ratings: list[int | None]


class _Met(NamedTuple):
    """What a line says of a round: the opponent's starting number (0 = none), the colour (w, b or -), the result."""

    opponent: int
    colour: str
    result: str


@dataclass
class _Player:
    line: int
    number: int
    name: str
    fide: str
    rating: int | None
    rounds: list[_Met]


@dataclass
class _Tournament:
    event: str = ""
    start: str = ""
    dates: dict[int, str] = field(default_factory=dict)
    players: dict[int, _Player] = field(default_factory=dict)
    faults: list[Record] = field(default_factory=list)


def read_trf(source: Source, choose: Choose, encoding: str = "utf-8") -> RawTable:
    """The columns that `choose` picks, all under canonical names: a row is a game, White is player_a.

    A bye is a row against BYE, who is nobody; a round that a player was absent from is none. Two lines that contradict
    each other are a row with a fault that names both. ReadError for a file without players, or whose players have no
    ids of their own.
    """
    tournament = _tournament(source, encoding)
    ids, note = _ids(tournament, source.name)
    records = [*_games(tournament, ids), *tournament.faults]
    if not records:
        raise ReadError(f"{source.name} has players and no games", hint="are there no rounds yet?")
    notes = [note, *_noted(tournament)]
    table = table_of(lambda: iter(records), choose, source.name, _NEEDED)
    return replace(table, notes=(*notes, *table.notes))


def trf_ratings(source: Source, encoding: str = "utf-8") -> TrfRatings:
    """The ratings that the players of a TRF file came with, in the order of the file; ReadError as for its games."""
    tournament = _tournament(source, source.encoding(encoding))
    ids, _ = _ids(tournament, source.name)
    players = [one for one in tournament.players.values() if not _is_bye(one)]
    ratings = [one.rating for one in players]
    return TrfRatings([ids[one.number] for one in players], [one.name for one in players], ratings)


def _tournament(source: Source, encoding: str) -> _Tournament:
    found = _Tournament()
    other: tuple[int, str] | None = None
    dates: list[tuple[int, str]] = []
    with source.content() as file:
        for number, ended in enumerate(lines_of(file, source.name, encoding), 1):
            line = ended.rstrip("\r\n")
            if line.startswith("001"):
                _add_player(found, number, line)
            elif line.startswith("132"):
                dates.append((number, line))
            elif line.startswith(("012 ", "042 ")):
                setattr(found, "event" if line[1] == "1" else "start", line[4:].strip())
            elif line.strip() and not _CODE.match(line) and other is None:
                other = number, line
    if not found.players:
        if found.faults:
            raise ReadError(f"{source.name}, line {found.faults[0].line}: {found.faults[0].fault}", hint=_NEEDED)
        where = f", line {other[0]}: {shortened(other[1])} is no part of" if other else ": no player in"
        raise ReadError(f"{source.name}{where} a TRF file", hint=_NEEDED)
    started = _YEAR_FIRST.fullmatch(found.start)
    found.start = "-".join(started.groups()) if started else found.start
    for _, line in dates:
        for at in range(_ROUNDS, len(line), _STEP):
            date = line[at : at + _STEP].strip()
            if date:
                found.dates[1 + (at - _ROUNDS) // _STEP] = _dated(date, found.start)
    return found


def _dated(text: str, start: str) -> str:
    """A date of a round, its century that of the tournament's start, in a file without one this century."""
    if short := _SHORT.fullmatch(text):
        return "-".join((f"{start[:2] if start[:2].isdigit() else '20'}{short[1]}", short[2], short[3]))
    long = _YEAR_FIRST.fullmatch(text)
    return "-".join(long.groups()) if long else text


def _add_player(found: _Tournament, number: int, line: str) -> None:
    text, as_bytes = _placed(line)
    if _SHAPE.match(text) is None:
        found.faults.append(Record(number, {}, f"{shortened(line)} has its columns elsewhere than TRF has them"))
        return
    start, rating, fide = (text[at:end].strip() for at, end in ((4, 8), (48, 52), (57, 68)))
    if not start.strip("0") or not start.isdigit():
        found.faults.append(Record(number, {}, f"{shortened(line)} has no starting number"))
        return
    rounds: list[_Met] = []
    for at, met in enumerate(_rounds(text), 1):
        if met is None:
            shown = text[_ROUNDS + _STEP * (at - 1) :][:_STEP].rstrip()
            fault = f"round {at} is {shown!r}, which is no opponent, colour and result"
            found.faults.append(Record(number, {}, fault))
            return
        rounds.append(met)
    name = text[14:47].strip()
    player = _Player(
        line=number,
        number=int(start),
        name=name.encode("latin-1").decode() if as_bytes else name,
        fide=fide if fide.strip("0") else "",
        rating=int(rating) if rating.isdecimal() else None,
        rounds=rounds,
    )
    before = found.players.setdefault(player.number, player)
    if before is not player:
        fault = f"the starting number {player.number} is that of line {before.line} too"
        found.faults.append(Record(number, {}, fault))


def _placed(line: str) -> tuple[str, bool]:
    """The line with its columns at their places, by characters or, where only that fits, by bytes (as characters)."""
    if _fits(line) or line.isascii():
        return line.ljust(_ROUNDS), False
    try:
        as_bytes = line.encode().decode("latin-1")
        as_bytes[14:47].encode("latin-1").decode()
    except UnicodeError:  # a name that was cut inside of a letter
        return line.ljust(_ROUNDS), False
    return (as_bytes, True) if _fits(as_bytes) else (line.ljust(_ROUNDS), False)


def _fits(line: str) -> bool:
    return _SHAPE.match(line.ljust(_ROUNDS)) is not None and None not in _rounds(line)


def _rounds(text: str) -> list[_Met | None]:
    blocks = [text[at : at + _STEP].ljust(_STEP) for at in range(_ROUNDS, len(text.rstrip()), _STEP)]
    return [
        _Met(int(met[1].strip() or "0"), met[2].lower().strip() or "-", met[3].upper().strip())
        if met and " " not in met[1].strip()
        else None
        for met in map(_MET.fullmatch, blocks)
    ]


def _ids(tournament: _Tournament, name: str) -> tuple[dict[int, str], str]:
    """The id of each starting number, and what is said about them: FIDE numbers where all have one, else names."""
    players = [one for one in tournament.players.values() if not _is_bye(one)]
    without = [one for one in players if not one.fide]
    kind = "a FIDE number" if not without else "a name"
    ids = {one.number: one.name if without else one.fide for one in players}
    seen: dict[str, _Player] = {}
    for one in players:
        own = ids[one.number]
        before = seen.setdefault(own, one)
        if not own or before is not one:
            where = f"{name}, line {one.line}"
            message = f"{own!r} is on line {before.line} too" if own else "the player has neither a name nor a number"
            hint = "give each player a name of their own" if without else "give each player their own FIDE number"
            raise ReadError(f"{where}: {message}, and {kind} is what tells players apart", hint=hint)
    if not without:
        return ids, "players are told apart by their FIDE numbers"
    return ids, f"players are told apart by their names, for {len(without):,} of {len(players):,} have no FIDE number"


def _is_bye(player: _Player) -> bool:
    """Whether a line is no player: some programs list the bye as one."""
    return is_bye(player.name)


def _games(tournament: _Tournament, ids: dict[int, str]) -> Iterator[Record]:
    """The games by rounds, White's line being the line of each; and what contradicts itself."""
    players = tournament.players
    last = max(len(one.rounds) for one in players.values())
    dated = all(number in tournament.dates for number in range(1, last + 1))
    for number in range(1, last + 1):
        date = tournament.dates[number] if dated else tournament.start
        once = {"event": tournament.event, "round": number, **({"played_at": date} if date else {})}
        for one in players.values():
            if len(one.rounds) < number or _is_bye(one):
                continue
            met = one.rounds[number - 1]
            other = players.get(met.opponent)
            if met.opponent == 0 or (other is not None and _is_bye(other)):
                record = _bye(one, met, number, ids, once)
            else:
                record = _game(one, other, number, ids, once)
            if record is not None:
                yield record


def _bye(one: _Player, met: _Met, number: int, ids: dict[int, str], once: dict[str, object]) -> Record | None:
    """The row of a round without an opponent; None where the player was absent."""
    result = (_LISTED if met.opponent else _BYES).get(met.result)
    if result is not None:
        cells = {"player_a": ids[one.number], "player_b": _NOBODY, "result": result, "ending": "bye", **once}
        return Record(one.line, cells)
    if met.opponent or met.result in _ABSENT:
        return None
    return Record(one.line, {}, f"round {number} has the result {met.result} and no opponent")


def _game(
    one: _Player, other: _Player | None, number: int, ids: dict[int, str], once: dict[str, object]
) -> Record | None:
    """The game of a round as the line of `one` has it; None where it is told from the other's line."""
    met = one.rounds[number - 1]
    if other is None or other is one:
        against = "itself" if other is one else f"{met.opponent}, of whom there is no line"
        return Record(one.line, {}, f"round {number} is against {against}")
    theirs = other.rounds[number - 1] if len(other.rounds) >= number else _Met(0, "-", "")
    if theirs.opponent != one.number:
        whom = theirs.opponent or "nobody"
        return Record(one.line, {}, f"round {number} is against {other.number}, whose line {other.line} names {whom}")
    colours = met.colour + theirs.colour
    first = colours == "wb" or (colours != "bw" and one.number < other.number)
    if not first:
        return None
    told = _AGREED.get((met.result, theirs.result))
    if colours not in ("wb", "--") or told is None:
        said = [f"line {player.line} says {of.colour} {of.result}" for player, of in ((one, met), (other, theirs))]
        return Record(one.line, {}, f"round {number}: {said[0].rstrip()}, and {said[1].rstrip()} of the same game")
    cells: dict[str, object] = {"player_a": ids[one.number], "player_b": ids[other.number], "result": told[0], **once}
    if told[1] is not None:
        cells["ending"] = told[1]
    if ids[one.number] != one.name:
        cells |= {"name_a": one.name, "name_b": other.name}
    return Record(one.line, {**cells, "rating_a": one.rating, "rating_b": other.rating})


def _noted(tournament: _Tournament) -> Iterator[str]:
    rounds = max(len(one.rounds) for one in tournament.players.values())
    without = [number for number in range(1, rounds + 1) if number not in tournament.dates]
    if without and tournament.start:
        yield f"not every round has a date (132): all games are of the first day (042), {tournament.start}"
