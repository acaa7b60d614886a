"""contracts/ under Node: the package compiles, its contract too, and both do with vectors as Python's integers do."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from tallymark.cli.endings import Ending
from tallymark.fixedpoint.constants import DAY, KNOTS, LN2, PI_SQ
from tallymark.fixedpoint.units import ONE
from tallymark.fixedpoint.vectors import lines
from tallymark.fixedpoint.vectors.kinds import KINDS, answer
from tallymark.fixedpoint.vectors.sources import Language, constants_source
from tallymark.fixedpoint.vectors.values import Value, written
from tallymark.fixedpoint.vectors.writing import trailer

CONTRACTS: Final = Path(__file__).parent.parent.parent / "contracts"


@pytest.fixture(scope="session")
def node() -> str:
    """Node with the package that compiles Cairo; skips without, fails where CI runs."""
    found = shutil.which("node")
    reason = "" if found else "no node: contracts/ is compiled and run by wasm-cairo under Node"
    if found and not (CONTRACTS / "node_modules" / "wasm-cairo").is_dir():
        reason = "no wasm-cairo: run npm install in contracts"
    if reason and os.environ.get("CI") == "true":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    assert found is not None
    return found


def run(node: str, *arguments: str | Path, code: int) -> str:
    """What a program of contracts/ wrote, whose exit code was this one; as its README calls it."""
    done = subprocess.run([node, "--single-threaded-gc", *arguments], capture_output=True, text=True, cwd=CONTRACTS)
    assert done.returncode == code, (done.stdout[-4000:], done.stderr[-4000:])
    return done.stdout


def error(node: str, *arguments: str | Path, code: int) -> str:
    """What such a program found wrong, one line and a hint."""
    done = subprocess.run([node, *arguments], capture_output=True, text=True, cwd=CONTRACTS)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 2), done.stderr[-4000:]
    return done.stderr


def test_the_constants_are_what_the_command_writes() -> None:
    ours = constants_source(Language.CAIRO)
    committed = (CONTRACTS / "src" / "constants.cairo").read_text()
    assert committed == ours, "tallymark vectors --constants cairo -o contracts/src/constants.cairo"


def test_every_module_is_compiled() -> None:
    named = {
        line[8:-1] for line in (CONTRACTS / "src" / "lib.cairo").read_text().splitlines() if line[:8] == "pub mod "
    }
    assert named == {path.stem for path in (CONTRACTS / "src").glob("*.cairo")} - {"lib"}


def ties() -> Iterator[tuple[int, int]]:
    """n and d about the halves of each divisor that the formulas round by: odd multiples of d/2 and their neighbours,
    with an even and an odd quotient below, of both signs."""
    knots = (high - low for low, high in zip(KNOTS[::13], KNOTS[1::13], strict=False))
    powers = (1 << n for n in (1, 2, 31, 32, 33, 64))
    for d in (*powers, DAY, 14, PI_SQ, 6 * ONE, 5 * ONE, ONE + 1, LN2, (1 << 66) - 2, *knots):
        for quotient in (0, 1, 2**31 - 1):
            for by in (-1, 0, 1):
                n = (2 * quotient + 1) * d // 2 + by
                yield from ((n, d), (-n, d))


def tied() -> Iterator[str]:
    """The vectors of these, and of roots about the halves of theirs."""
    for n, d in sorted(set(ties())):
        yield told(f"rdiv/tie {n}:{d}", "rdiv", {"n": n, "d": d})
    for s in (7, 8, 2**16 - 1, 2**16, ONE - 1, ONE + 1, 2 * ONE - 2):
        for n in (s * s, s * s + s, s * s + s + 1, s * s + 2 * s):
            yield told(f"root/tie {n}", "root", {"n": n})


def told(name: str, kind: str, given: Mapping[str, Value]) -> str:
    return written({"id": name, "kind": kind, "in": given, "out": answer(kind, given).out}) + "\n"


def spoiled(vectors: list[str]) -> Iterator[tuple[str, str, str]]:
    """A copy of vectors with one value another by one, or the word another: the line, its id and the member. Of each
    kind each member of the answer once, and of each a refusal."""
    done: set[tuple[str, str]] = set()
    for line in vectors:
        vector = json.loads(line)
        wrong: Iterator[tuple[str, dict[str, object]]] = iter([("refused", {**vector, "refused": "other"})])
        if "out" in vector:
            wrong = ((path, {**vector, "out": out}) for path, out in otherwise(vector["out"]))
        for path, other in wrong:
            member = path or "out"
            if (vector["kind"], member) in done:
                continue
            done.add((vector["kind"], member))
            name = f"spoiled {member}/{vector['id']}"
            yield json.dumps({**other, "id": name}, separators=(",", ":")) + "\n", name, member


def otherwise(out: object) -> Iterator[tuple[str, object]]:
    """Every way to spoil an answer by one value, and its place."""
    if isinstance(out, bool):
        yield "", not out
    elif isinstance(out, str):
        yield "", str(int(out) + 1)
    else:
        assert isinstance(out, dict | list)
        places = out.items() if isinstance(out, dict) else enumerate(out)
        for key, value in places:
            for path, other in otherwise(value):
                copy = {**out} if isinstance(out, dict) else [*out]
                copy[key] = other
                yield f"{key}.{path}" if path else str(key), copy


def test_vectors_are_answered_and_spoiled_ones_are_found(node: str, tmp_path: Path) -> None:
    head, *right = lines(seed=5, updates=100, sequences=1, games=10, steps=False)
    right = [*right[:-1], *tied()]
    wrong = list(spoiled(right))
    body = "".join([head, *right, *(line for line, _, _ in wrong)])
    file = tmp_path / "vectors.jsonl"
    file.write_text(body + trailer(hashlib.sha256(body.encode()).hexdigest()), newline="\n")

    *differences, total = (
        json.loads(line) for line in run(node, "run.mjs", file, code=Ending.CHECK_FAILED).splitlines()
    )

    assert {json.loads(line)["kind"] for line in right} == set(KINDS)
    assert [(one["id"], one["member"]) for one in differences] == [(name, member) for _, name, member in wrong]
    assert total == {"vectors": len(right) + len(wrong), "different": len(wrong)}
    assert len(right) > 700
    assert len(wrong) > 50


@pytest.mark.parametrize("script", ["run.mjs", "storage.mjs"])
def test_files_that_are_none_are_refused_by_their_line(node: str, script: str, tmp_path: Path) -> None:
    whole = list(lines(1, 1, 0, 0))
    file = tmp_path / "vectors.jsonl"
    for text, message in (
        ("".join(whole[:-1]), "the file ends without its SHA-256; is it whole?"),
        ("".join(whole[:-1]) + trailer("0" * 64), f"the SHA-256 is {'0' * 64}; expected "),
        ("".join(whole)[:-90], "the file ends without its SHA-256; is it whole?"),
        ("".join([*whole[:3], "7\n", *whole[3:]]), "line 4 is 7; expected a vector"),
        ("\n".join(whole), "line 2: this is no JSON: "),
        ("player_a,player_b\n", "line 1: this is no JSON: "),
    ):
        file.write_text(text, newline="\n")
        said = error(node, script, file, code=Ending.UNREADABLE)
        assert said.startswith(f"error: {file}: {message}"), (text[-300:], said)


def test_programs_end_as_the_command_does(node: str) -> None:
    for script in ("run.mjs", "storage.mjs"):
        assert f"usage: node {script} FILE" in run(node, script, "--help", code=Ending.DONE)
        assert "usage: node" in error(node, script, code=Ending.USAGE)
        assert "nowhere" in error(node, script, "nowhere", code=Ending.UNREADABLE)
    assert "usage: node build.mjs\n" in error(node, "build.mjs", "one", code=Ending.USAGE)


def test_the_contract_compiles(node: str) -> None:
    contract = json.loads(run(node, "build.mjs", code=0))
    (interface,) = (part for part in contract["abi"] if part["type"] == "interface")
    calls = {call["name"]: call["state_mutability"] for call in interface["items"]}
    assert calls == {"accept": "external", "rate": "external", "void": "external"} | dict.fromkeys(
        ("player", "ticket", "chance"), "view"
    )
    assert {kind: len(points) for kind, points in contract["entry_points_by_type"].items()} == {
        "EXTERNAL": len(calls),
        "L1_HANDLER": 0,
        "CONSTRUCTOR": 1,
    }
    assert len(contract["sierra_program"]) > 1000


def test_the_contract_keeps_the_slots_of_seasons(node: str, tmp_path: Path) -> None:
    file = tmp_path / "seasons.jsonl"
    file.write_text("".join(lines(seed=6, updates=0, sequences=1, games=6)), newline="\n")
    tests = (CONTRACTS / "storage.cairo").read_text().count("#[test]")
    said = json.loads(run(node, "storage.mjs", file, code=0).splitlines()[-1])
    assert said == {"seasons": 9, "passed": tests, "failed": 0}


def test_another_slot_than_the_contract_keeps_is_found(node: str, tmp_path: Path) -> None:
    given: Mapping[str, Value] = {"calls": [{"action": "accept", "ticket": 7}]}
    line = told("season/spoiled", "season", given).replace('"tickets":{"7":"1"}', '"tickets":{"7":"2"}')
    assert '"7":"2"' in line
    body = next(iter(lines(1, 0, 0, 0))) + line
    file = tmp_path / "seasons.jsonl"
    file.write_text(body + trailer(hashlib.sha256(body.encode()).hexdigest()), newline="\n")
    said = json.loads(run(node, "storage.mjs", file, "seasons", code=Ending.CHECK_FAILED).splitlines()[-1])
    assert said == {"seasons": 1, "passed": 0, "failed": 1}
