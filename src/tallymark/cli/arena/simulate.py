"""`tallymark arena simulate`: how a queue would go under rules of pairing."""

import math
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from typer import Argument, Context, Option

from tallymark.cli.documents import Json, print_json
from tallymark.cli.endings import Ending, usage
from tallymark.cli.words import console, counted, escaped, number, percent, say

if TYPE_CHECKING:
    from tallymark.arena.pairing.arrivals import Arrival
    from tallymark.arena.pairing.rules import PairingRules
    from tallymark.arena.pairing.simulated import Simulated, Spread
    from tallymark.arena.pairing.waiting import House
    from tallymark.systems.parameters import Parameter

_COMING: Final = "Made-up arrivals"
_RULES: Final = "Rules of pairing"
_TIME: Final = "Time"
_HOUSE: Final = "1000,1500,2000"
_HOUSE_DEVIATION: Final = 60.0
_LARGEST: Final = 1e9


class Whose(StrEnum):
    """Whose waiting widens the window."""

    LONGER = "longer"
    SHORTER = "shorter"


def simulate(
    context: Context,
    file: Annotated[
        Path | None,
        Argument(
            metavar="FILE",
            readable=False,
            show_default=False,
            help="Recorded arrivals: CSV or JSON lines with joined_at, agent, rating, deviation, perhaps owner.",
        ),
    ] = None,
    agents: Annotated[int, Option("--agents", metavar="N", rich_help_panel=_COMING, help="How many agents.")] = 200,
    joins: Annotated[int, Option("--joins", metavar="N", rich_help_panel=_COMING, help="How often one joins.")] = 2000,
    minutes: Annotated[int, Option("--minutes", metavar="N", rich_help_panel=_COMING, help="In how long.")] = 60,
    spread: Annotated[
        float, Option("--spread", metavar="POINTS", rich_help_panel=_COMING, help="How far strengths lie apart.")
    ] = 300.0,
    deviation: Annotated[
        float,
        Option("--deviation", metavar="RD", rich_help_panel=_COMING, help="Of every rating at first; 350: newcomers."),
    ] = 350.0,
    seats: Annotated[
        str, Option("--seats", metavar="N,...", rich_help_panel=_RULES, help="How many may play: 2, or 5,6,7,8.")
    ] = "2",
    base: Annotated[
        float, Option("--base", metavar="POINTS", rich_help_panel=_RULES, help="The gap that is always allowed.")
    ] = 200.0,
    growth: Annotated[
        float, Option("--growth", metavar="POINTS", rich_help_panel=_RULES, help="By which a minute widens it.")
    ] = 100.0,
    whose: Annotated[Whose, Option("--whose", rich_help_panel=_RULES, help="Whose waiting widens it.")] = Whose.LONGER,
    k: Annotated[
        float, Option("--k", metavar="K", rich_help_panel=_RULES, help="Widens it by K times both deviations.")
    ] = 0.0,
    cap: Annotated[
        float | None,
        Option("--cap", metavar="POINTS", rich_help_panel=_RULES, help="The gap never allowed to widen beyond."),
    ] = None,
    house: Annotated[
        str,
        Option("--house", metavar="RATING,...", rich_help_panel=_RULES, help="The house agents; '' for none."),
    ] = _HOUSE,
    house_after: Annotated[
        float | None,
        Option(
            "--house-after",
            metavar="SECONDS",
            rich_help_panel=_RULES,
            help="When they step in (default 10 where two play, 15 where more do).",
        ),
    ] = None,
    every: Annotated[float, Option("--every", metavar="SECONDS", rich_help_panel=_TIME, help="Between ticks.")] = 0.25,
    match: Annotated[float, Option("--match", metavar="SECONDS", rich_help_panel=_TIME, help="A match takes.")] = 60.0,
    starved: Annotated[
        float, Option("--starved", metavar="SECONDS", rich_help_panel=_TIME, help="More than that is too long a wait.")
    ] = 60.0,
    seed: Annotated[int, Option("--seed", metavar="N", help="Of the arrivals that are made up, and of results.")] = 1,
    as_json: Annotated[bool, Option("--json", help="Print one JSON document instead.")] = False,
) -> int:
    """Play a queue through in simulated time: waits, gaps, starvation, house matches, and how fast RD falls.

    It is the arena's own tick, over arrivals that you recorded or that are made up from a seed. Who wins is drawn by
    what ratings expect.

    For example:

    $ tallymark arena simulate --agents 50 --joins 500

    $ tallymark arena simulate joins.csv --base 100 --growth 50 --house ''
    """
    from tallymark.arena.pairing.arrivals import Crowd, read_arrivals
    from tallymark.arena.pairing.simulating import Pace, simulate
    from tallymark.systems.parameters import parameters

    if file is not None:
        _refuse_made_up(context, file)
    time, rules = dict(parameters(Pace)), _rules(seats, base, growth, whose, k, cap, house_after)
    pace = Pace(
        every_ms=_whole("--every", every, 1000, time["every_ms"]),
        match_ms=_whole("--match", match, 1000, time["match_ms"]),
        starved_after_ms=_whole("--starved", starved, 1000),
        seed=seed,
    )
    coming: Sequence[Arrival]
    if file is None:
        coming = list(Crowd(agents, joins, minutes, spread, deviation, seed).arrivals())
    else:
        coming = read_arrivals(file)
    found = simulate(coming, _house(house), rules, pace)
    if as_json:
        print_json(_document(found))
    else:
        _print(found)
    return Ending.DONE


def _refuse_made_up(context: Context, file: Path) -> None:
    """Options that nothing would come of, for who comes is recorded."""
    for one in context.command.params:
        source = context.get_parameter_source(one.name or "")
        if getattr(one, "rich_help_panel", None) == _COMING and source is not None and source.name == "COMMANDLINE":
            raise usage(f"{one.opts[0]} is for arrivals that are made up, and {file} has them", "leave one of them out")


def _rules(
    seats: str, base: float, growth: float, whose: Whose, k: float, cap: float | None, house_after: float | None
) -> "PairingRules":
    from tallymark.arena.pairing.rules import PairingRules, rules_for

    counts = [_number("--seats", one, "whole numbers with commas, such as 5,6,7,8") for one in seats.split(",")]
    if any(not one.is_integer() or one < 2 for one in counts):
        raise usage(f"--seats {escaped(seats)}: expected whole numbers from 2 up", "for example --seats 5,6,7,8")
    usual = rules_for([int(one) for one in counts])
    return PairingRules(
        seats=usual.seats,
        base_centi=_whole("--base", base, 100),
        growth_centi=_whole("--growth", growth, 100),
        whose=whose.value,
        deviation_milli=_whole("--k", k, 1000),
        cap_centi=None if cap is None else _whole("--cap", cap, 100),
        house_after_ms=usual.house_after_ms if house_after is None else _whole("--house-after", house_after, 1000),
    )


def _house(given: str) -> "list[House]":
    from tallymark.arena.pairing.waiting import House

    ratings = [_number("--house", one, "ratings with commas") for one in given.split(",")] if given.strip() else []
    return [House(f"house-{n}", rating, _HOUSE_DEVIATION) for n, rating in enumerate(ratings, 1)]


def _number(option: str, text: str, expected: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) <= _LARGEST:
        raise usage(f"{option} has {escaped(text)!r}; expected {expected}")
    return value


def _whole(option: str, value: float, parts: int, of: "Parameter | None" = None) -> int:
    """The value in so many parts, which the rules of the arena count in: nothing finer. `of`: the range in these."""
    low, high = (0.0, math.inf) if of is None else (of.low / parts, of.high / parts)
    scaled = round(value * parts) if low <= value <= min(high, _LARGEST) else -1
    if scaled < 0 or abs(scaled - value * parts) > 1e-6:
        most = f"to {high:g}" if math.isfinite(high) else "up"
        raise usage(f"{option} is {value:g}; expected a number from {low:g} {most}, in whole {1 / parts:g}s")
    return scaled


def _document(found: "Simulated") -> dict[str, Json]:
    falls: list[Json] = [
        {"matches": one.matches, "agents": one.agents, "deviation": one.deviation} for one in found.falls
    ]
    return {
        "seconds": found.until_ms / 1000.0,
        "agents": found.agents,
        "joins": found.joins,
        "repeated": found.repeated,
        "matches": found.matches,
        "house_matches": found.house_matches,
        "waits": _spread(found.waits),
        "house_waits": _spread(found.house_waits),
        "still_waiting": _spread(found.left),
        "gaps": _spread(found.gaps),
        "house_gaps": _spread(found.house_gaps),
        "starved": found.starved,
        "starved_after": found.starved_after_ms / 1000.0,
        "deviations": falls,
        "established": _spread(found.established),
    }


def _spread(of: "Spread") -> dict[str, Json]:
    return {"count": of.count, "median": of.median, "p95": of.p95, "largest": of.largest}


def _print(found: "Simulated") -> None:
    from tallymark.cli.grid import print_grid, widths_of

    out = console()
    joined = f"{counted(found.agents, 'agent')} joined {counted(found.joins, 'time')}"
    say(out, f"{joined} in {found.until_ms / 60_000:.1f} minutes, {found.repeated:,} of them while they waited already")
    share = found.house_matches / found.matches if found.matches else float("nan")
    matches = f"{found.matches:,} {'match' if found.matches == 1 else 'matches'}"
    say(out, f"{matches}, {found.house_matches:,} of them with house agents ({percent(share)})")
    say(out)
    rows: dict[str, tuple[Spread, int]] = {
        "wait, seconds": (found.waits, 3),
        "  for house agents": (found.house_waits, 3),
        "  still waiting": (found.left, 3),
        "gap, points": (found.gaps, 2),
        "  to house agents": (found.house_gaps, 2),
    }
    columns = {
        "": list(rows),
        "count": [f"{one.count:,}" for one, _ in rows.values()],
        "median": [_shown(one.median, digits) for one, digits in rows.values()],
        "95 %": [_shown(one.p95, digits) for one, digits in rows.values()],
        "largest": [_shown(one.largest, digits) for one, digits in rows.values()],
    }
    print_grid(out, columns, widths_of(columns), columns.keys() - {""})
    say(out)
    say(out, f"{found.starved:,} waited longer than {found.starved_after_ms / 1000:g} s")
    say(out)
    fell = {
        "matches played": [f"{fall.matches}" for fall in found.falls],
        "agents": [f"{fall.agents:,}" for fall in found.falls],
        "median RD": [_shown(fall.deviation, 1) for fall in found.falls],
    }
    print_grid(out, fell, widths_of(fell), fell.keys())
    if found.established.count:
        say(out)
        took = _shown(found.established.median, 0)
        played = f"{took} {'match' if took == '1' else 'matches'}"
        say(out, f"RD came down to 110 in {counted(found.established.count, 'agent')}, after {played} (median)")


def _shown(value: float | None, digits: int) -> str:
    return "-" if value is None else number(value, digits)
