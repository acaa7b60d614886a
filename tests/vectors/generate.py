"""Writes the reference values beside it, from the papers' formulas in 60-digit arithmetic.

`python tests/vectors/generate.py` rewrites the JSON files; with `--check` it writes nothing, names the files that
differ and exits with 1. Nothing here is taken from the package.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import vector_cases
import vector_glicko2_cases
import vector_halflife_cases
from mpmath import mpf
from vector_formulas import MP, Bound, PlainUpdate, Player, Update, elo, glicko, glicko2
from vector_halflife import GoUpdate, side, win_probability

HERE = Path(__file__).parent
K = 20.0
DIGITS = 25

Json = dict[str, object]


def text(number: mpf) -> str:
    """25 significant digits."""
    return str(MP.nstr(number, DIGITS, strip_zeros=False))


def check(name: str, found: Iterable[mpf], published: Iterable[float]) -> None:
    """Refuse to write values that differ from published ones in the digits that are published."""
    for number, printed in zip(found, published, strict=False):
        decimals = len(str(printed).partition(".")[2])
        if abs(number - printed) > max(0.6 * 10**-decimals, 1e-9):
            raise SystemExit(f"{name}: {text(number)} where {printed} is published")


def vector(case: vector_cases.Case, update: Update | PlainUpdate, fields: tuple[str, ...]) -> Json:
    """One update as it stands in the files: `fields` says which numbers the system has."""

    def numbers(player: Player) -> Json:
        return {field: float(value) for field, value in player._asdict().items() if field in fields}

    expected = {"rating": update.rating, "deviation": update.deviation}
    if isinstance(update, Update):
        expected["volatility"] = update.volatility
    check(case.name, expected.values(), case.published)
    line: Json = {
        "name": case.name,
        "why": case.why,
        "player": numbers(case.player),
        "opponents": [numbers(opponent) for opponent, _ in case.games],
        "scores": [score for _, score in case.games],
        "expected": {field: text(number) for field, number in expected.items() if field in fields},
        "clamped": update.clamped,
    }
    if isinstance(update, Update):
        line["working"] = {
            "v": text(update.v) if case.games else None,
            "delta": text(update.delta),
            "z": text(update.z),
            "roots": len(update.roots),
        }
    return line


def go_vector(case: vector_halflife_cases.GoCase) -> Json:
    """One game of the half-life model, both sides."""
    a, b = side(case.a, case.b, case.score_a), side(case.b, case.a, 1 - case.score_a)
    p_a = win_probability(case.a, case.b)
    for number, printed in zip((a.mu, a.phi, b.mu, b.phi, p_a), case.published, strict=False):
        # the integers of the contract carry roundings of their own, a few units of 2^-32
        if abs(number * vector_halflife_cases.ONE - printed) > 3:
            raise SystemExit(f"{case.name}: {text(number * vector_halflife_cases.ONE)} where {printed} is published")

    def numbers(update: GoUpdate) -> Json:
        return {"mu": text(update.mu), "phi": text(update.phi), "clamped": update.clamped}

    def working(update: GoUpdate) -> Json:
        fields = {"rank": update.rank, "half_life": update.half_life, "aged_variance": update.aged_variance}
        return {field: text(number) for field, number in fields.items()}

    return {
        "name": case.name,
        "a": {field: float(value) for field, value in case.a._asdict().items()},
        "b": {field: float(value) for field, value in case.b._asdict().items()},
        "score_a": case.score_a,
        "expected": {"a": numbers(a), "b": numbers(b), "p_a": text(p_a)},
        "working": {"a": working(a), "b": working(b)},
    }


def bounds(bound: Bound) -> Json:
    """The limits that are set."""
    return {field: value for field, value in bound._asdict().items() if abs(value) != float("inf")}


def document(about: str, parameters: Json, vectors: Iterable[Json]) -> str:
    """A file: one vector a line, so that a change shows as the lines it touches."""
    lines = ",\n".join("  " + json.dumps(one) for one in vectors)
    return (
        f'{{\n "about": {json.dumps(about)},\n "parameters": {json.dumps(parameters)},\n'
        f' "vectors": [\n{lines}\n ]\n}}\n'
    )


def documents() -> Iterator[tuple[str, str]]:
    """Each file's name and text."""
    full = ("rating", "deviation", "volatility", "elapsed")
    bound = vector_cases.LICHESS_BOUND
    yield (
        "updates_lichess-1.json",
        document(
            "Worked updates of lichess-1. elapsed: periods since the player's own last game.",
            {"tau": 0.75, "periods_per_day": vector_cases.PER_DAY, "scale": 173.7178, **bounds(bound)},
            (vector(one, glicko2(one.player, one.games, one.tau, bound, True), full) for one in vector_cases.LICHESS),
        ),
    )
    bound = vector_cases.GLICKO_BOUND
    yield (
        "updates_glicko-1.json",
        document(
            "Worked updates of glicko-1. elapsed: periods since the last one played.",
            {"c_squared": 2000, **bounds(bound)},
            (
                vector(one, glicko(one.player, one.games, bound), ("rating", "deviation", "elapsed"))
                for one in vector_cases.GLICKO
            ),
        ),
    )
    yield (
        "updates_elo-1.json",
        document(
            "Worked updates of elo-1: K/(n - 1) a pair in a match of n players.",
            {"k": K},
            (vector(one, elo(one.player, one.games, K), ("rating",)) for one in vector_cases.ELO),
        ),
    )
    yield (
        "glicko2_updates.json",
        document(
            "Glicko-2 by the paper, one period, no bounds. tau per vector.",
            {"scale": 173.7178},
            (
                {**vector(case, update, full[:3]), "tau": case.tau, "elapsed": case.player.elapsed}
                for case, update in vector_glicko2_cases.cases()
            ),
        ),
    )
    yield (
        "half_life_updates.json",
        document(
            "The real-valued half-life model. Glicko-2 scale; days since each player's own last game.",
            {"scale": 173.7178, "phi_start": 2.0, "phi_min": 0.01, "rating_min": 100, "rating_max": 3500},
            (go_vector(case) for case in vector_halflife_cases.cases()),
        ),
    )


def main(arguments: list[str]) -> int:
    """Write the files, or compare them (`--check`); 1 if any differs."""
    if arguments not in ([], ["--check"]):
        print("usage: generate.py [--check]", file=sys.stderr)
        return 2
    differing = 0
    for name, content in documents():
        path = HERE / name
        if not arguments:
            path.write_text(content, encoding="utf-8", newline="\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != content:
            print(f"{name} differs from what generate.py makes")
            differing = 1
    return differing


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
