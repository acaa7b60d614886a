"""`tallymark vectors`: questions with answers for whoever computes go-onchain-v2 elsewhere, and such files checked."""

import sys
from collections.abc import Iterable
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from typer import Option

from tallymark.cli.endings import CommandError, Ending, usage
from tallymark.cli.options import Outputs, near

_CONTENT: Final = "Content"
_STDIN: Final = Path("-")


class Source(StrEnum):
    """Languages of the constants."""

    CAIRO = "cairo"
    JS = "js"
    JSON = "json"


def vectors(
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="FILE", help="Write to this file instead of standard output.", readable=False),
    ] = None,
    check: Annotated[
        Path | None,
        Option(
            "--check",
            metavar="FILE",
            help="Answer every vector of this file (- for standard input) anew, and name the first difference, "
            "intermediate by intermediate.",
        ),
    ] = None,
    constants: Annotated[
        Source | None, Option("--constants", help="Write the constants as source of that language instead.")
    ] = None,
    seed: Annotated[
        int, Option("--seed", metavar="N", rich_help_panel=_CONTENT, help="Of the random ones, from 0 to 2^64 - 1.")
    ] = 1,
    updates: Annotated[
        int,
        Option("--updates", metavar="N", rich_help_panel=_CONTENT, help="Random updates; of other kinds a tenth each."),
    ] = 200,
    sequences: Annotated[
        int, Option("--sequences", metavar="N", rich_help_panel=_CONTENT, help="How many sequences, and seasons.")
    ] = 5,
    games: Annotated[int, Option("--games", metavar="N", rich_help_panel=_CONTENT, help="Games in each.")] = 50,
    steps: Annotated[
        bool, Option("--steps/--no-steps", rich_help_panel=_CONTENT, help="With every intermediate of an answer.")
    ] = True,
) -> int:
    """Write vectors of the integer ratings of go-onchain: every named edge, random ones, sequences of games.

    A JSON object a line, and its SHA-256 at the end; the same options give the same bytes.

    For example:

    $ tallymark vectors -o vectors.jsonl

    $ tallymark vectors --updates 10_000 --no-steps -o many.jsonl

    $ tallymark vectors --check theirs.jsonl

    $ tallymark vectors --constants cairo -o constants.cairo
    """
    if check is not None:
        if constants is not None or output is not None:
            raise usage("--check compares and writes nothing", "leave --output and --constants out")
        return _checked(check)
    outputs = Outputs({"--output": output}, {"--output": ()})
    outputs.check([])
    text = _source(constants) if constants else _lines(seed, updates, sequences, games, steps)
    if output is None:
        sys.stdout.writelines(text)
        return Ending.DONE
    outputs.write({"--output": lambda: lambda path: _write(path, text)})
    typer.echo(f"written: {output}")
    return Ending.DONE


def _source(language: Source) -> Iterable[str]:
    from tallymark.fixedpoint.vectors.sources import Language, constants_source

    return [constants_source(Language(language.value))]


def _lines(seed: int, updates: int, sequences: int, games: int, steps: bool) -> Iterable[str]:
    from tallymark.fixedpoint.vectors import lines

    limits = {"--seed": (seed, (1 << 64) - 1), "--updates": (updates, 10**9), "--games": (games, 10**6)}
    for option, (value, high) in (limits | {"--sequences": (sequences, 10**6)}).items():
        if not 0 <= value <= high:
            raise usage(f"{option} is {value}; expected a whole number from 0 to {high}", "leave it out for the usual")
    return lines(seed, updates, sequences, games, steps=steps)


def _write(path: Path, text: Iterable[str]) -> None:
    from tallymark.files import written_beside

    with written_beside(path) as beside, beside.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(text)


def _checked(path: Path) -> int:
    from tallymark.errors import ReadError
    from tallymark.fixedpoint.vectors import check

    name = "standard input" if path == _STDIN else str(path)
    try:
        with nullcontext(sys.stdin.buffer) if path == _STDIN else path.open("rb") as file:
            done = check(file)
    except ReadError as error:
        raise CommandError(Ending.UNREADABLE, f"{name}: {error.message}", error.hint) from None
    except OSError as error:
        hint = near(path, "a file of vectors")
        raise CommandError(Ending.UNREADABLE, f"{name}: {error.strerror or error}", hint) from None
    if done.difference is not None:
        hint = "the first one; answers before it are as they should be"
        raise CommandError(Ending.CHECK_FAILED, f"{name}: {done.difference}", hint)
    typer.echo(f"{name}: {done.vectors:,} vectors, all as computed here; SHA-256 {done.sha256}")
    return Ending.DONE
