"""sdk/js under Node: the same integers as here, for random inputs in one run, whole files of vectors, and histories.

`TALLYMARK_UPDATES=1000000` makes it a million updates; the default is a tenth of that.
"""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from tallymark.cli.endings import Ending
from tallymark.cli.program import app
from tallymark.fixedpoint import NEVER_RATED, State, pack, update
from tallymark.fixedpoint.constants import DAY, DT_MAX, KNOTS, MU_HI, MU_LO, PHI_MAX, PHI_MIN
from tallymark.fixedpoint.rules import Rated, Result, rate
from tallymark.fixedpoint.vectors import check, lines
from tallymark.fixedpoint.vectors.sources import Language, constants_source

UPDATES: Final = int(os.environ.get("TALLYMARK_UPDATES", "100000"))
SEED: Final = 20261130
HERE: Final = Path(__file__).parent
SDK: Final = HERE.parent.parent / "sdk" / "js"
NOW: Final = 1_700_000_000
Ints = NDArray[np.int64]
Run = Callable[..., bytes]
Error = Callable[..., str]


def test_the_constants_are_what_the_command_writes() -> None:
    ours = constants_source(Language.JS)
    assert (SDK / "constants.mjs").read_text() == ours, "tallymark vectors --constants js -o sdk/js/constants.mjs"


def test_the_answers_of_its_file_of_vectors_are_right() -> None:
    with (SDK / "test" / "vectors.jsonl").open("rb") as file:
        done = check(file)
    assert done.difference is None
    assert done.vectors > 300


def test_its_own_tests(node: Run) -> None:
    said = node("--test", "--test-reporter=tap").decode()
    assert "\n# fail 0\n" in said
    assert "\n# skipped 0\n" in said
    assert "\n# pass 0\n" not in said


def test_its_types(node: Run, compiler: Path) -> None:
    node(compiler, "-p", SDK)


def test_vectors_that_it_has_never_seen(node: Run, error: Error, tmp_path: Path) -> None:
    file = tmp_path / "vectors.jsonl"
    with file.open("w", newline="\n") as text:
        text.writelines(lines(SEED, UPDATES // 5, 10, 200, steps=False))
    assert b"all as computed here" in node("vectors.mjs", file)
    file.write_text(file.read_text().replace('"phi":"7130373381"', '"phi":"7130373382"'))
    assert "two new players" in error("vectors.mjs", file, code=Ending.CHECK_FAILED)


def mixed(chance: np.random.Generator, *choices: Ints) -> Ints:
    """Each row from one of the columns."""
    return np.choose(chance.integers(0, len(choices), len(choices[0])), choices)


def states(chance: np.random.Generator, n: int, t: Ints) -> tuple[Ints, Ints, Ints]:
    """mu, phi and last of players from everywhere: a good part at knots, at both ends, out of order, long away."""
    near = chance.integers(-3, 4, n)
    anywhere = chance.integers(MU_LO, MU_HI + 1, n)
    ends = np.clip(np.where(chance.random(n) < 0.5, MU_LO, MU_HI) + near, MU_LO, MU_HI)
    beyond = np.where(chance.random(n) < 0.5, -(1 << 39), (1 << 39) - 1)
    mu = mixed(chance, anywhere, anywhere, anywhere, anywhere, np.array(KNOTS)[chance.integers(0, 40, n)] + near, ends)
    mu = np.where(chance.random(n) < 0.01, beyond, mu)
    usual = chance.integers(PHI_MIN, PHI_MAX + 1, n)
    held = np.clip(np.where(chance.random(n) < 0.5, PHI_MIN, PHI_MAX) + near, PHI_MIN, PHI_MAX)
    small = chance.integers(PHI_MIN, PHI_MIN << 5, n)
    phi = mixed(chance, usual, usual, usual, held, small, np.zeros(n, np.int64))
    days = chance.integers(-2 * DAY, 300 * DAY, n)
    last = t - mixed(chance, days, days, chance.integers(0, 3 * DAY, n), near, DT_MAX + near)
    return mu, phi, last


def test_random_updates_are_the_same_integers(node: Run) -> None:
    chance = np.random.default_rng(SEED)
    t = chance.integers(DT_MAX + 10, 1 << 32, UPDATES)
    a, b = states(chance, UPDATES, t), states(chance, UPDATES, t)
    same = chance.random(UPDATES) < 0.05
    b = (np.where(same, a[0], b[0]), *b[1:])
    rows = np.column_stack([*a, *b, chance.integers(0, 3, UPDATES), t]).astype("<i8")
    theirs = np.frombuffer(node(HERE / "answering.mjs", "updates", given=rows.tobytes()), "<i8").reshape(-1, 7)
    assert len(theirs) == UPDATES
    for row, found in zip(rows.tolist(), theirs.tolist(), strict=True):
        done = update(State(*row[:3]), State(*row[3:6]), *row[6:])
        assert [*done.a, *done.b, done.p] == found, row


def season(games: int) -> Iterator[Mapping[str, str | bool]]:
    """A log of a site with every rule in it, and both felts after each game: strings of digits as in vectors."""
    chance = np.random.default_rng(SEED)
    players = {str(i): NEVER_RATED for i in range(12)}
    t = NOW
    for number in range(games):
        t += int(chance.integers(0, DAY if number % 100 else 40 * DAY))
        a, b = (str(i) for i in chance.choice(12, 2, replace=False))
        result = Result(
            half_points=int(chance.choice([0, 1, 2], p=[0.45, 0.1, 0.45])),
            t=t - int(chance.integers(0, 9 * DAY)) * int(chance.random() < 0.1),
            steps=int(chance.integers(0, 300)) if chance.random() < 0.7 else int(chance.integers(15, 25)),
            forfeit=bool(chance.random() < 0.5),
            queue=bool(chance.random() < 0.8),
            band_a=int(chance.integers(0, 5)),
            band_b=int(chance.integers(0, 5)),
        )
        done = rate(players[a], players[b], result)
        if isinstance(done, Rated):
            players[a], players[b] = done.a, done.b
        told = {name: value if isinstance(value, bool) else str(value) for name, value in result._asdict().items()}
        felts = {"felt_a": str(pack(players[a])), "felt_b": hex(pack(players[b]))}
        yield {"game": str(number), "a": a, "b": b, **told, **felts}
    assert any(player.has_peak for player in players.values())


def as_csv(games: list[Mapping[str, str | bool]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(games[0]), lineterminator="\n")
    writer.writeheader()
    for game in games:
        writer.writerow({name: str(cell).lower() if isinstance(cell, bool) else cell for name, cell in game.items()})
    return text.getvalue()


def test_every_felt_of_a_history_is_recounted_from_its_games(node: Run, tmp_path: Path) -> None:
    games = list(season(1000))
    texts = {"history.jsonl": "".join(json.dumps(game) + "\n" for game in games), "history.csv": as_csv(games)}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        said = node("recount.mjs", tmp_path / name).decode()
        assert said == "1000 games of 12 players, every felt as recounted\n"


def test_a_felt_that_differs_is_named_and_so_is_a_history_that_is_none(error: Error, tmp_path: Path) -> None:
    games = [dict(game) for game in season(1000)]
    file = tmp_path / "history.csv"
    games[700]["felt_a"] = str(int(str(games[700]["felt_a"])) + 1)
    file.write_text(as_csv(list(games)))
    assert f"{file}: game 700, player {games[700]['a']}: felt " in error("recount.mjs", file, code=Ending.CHECK_FAILED)
    games[3]["steps"] = "many"
    file.write_text(as_csv(list(games)))
    told = error("recount.mjs", file, code=Ending.UNREADABLE)
    assert told == f'{file}: line 5: steps is "many"; expected an integer from 0 to 4294967295'


@pytest.mark.parametrize("script", ["recount.mjs", "vectors.mjs"])
def test_programs_end_as_the_command_does(script: str, node: Run, error: Error, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    for given in (tmp_path / "nowhere", tmp_path / "empty", SDK / "README.md"):
        assert error(script, given, code=Ending.UNREADABLE).startswith(f"{given}: ")
    for words in ([], ["one", "two"], ["--fix", "one"]):
        error(script, *words, code=Ending.USAGE)
    usage, *_, codes = node(script, "--help").decode().splitlines()
    assert usage.startswith(f"usage: node {script} ")
    theirs = str(app.info.epilog)
    assert re.findall(r"\d [a-z ]+", codes) == [told for told in re.findall(r"\d [a-z ]+", theirs) if told[0] != "1"]


@pytest.mark.parametrize(
    ("found", "wrong", "message"),
    [
        ('"out"', '"out', "line 2: this is no JSON: "),
        ('"d":"2"', '"e":"2"', "line 2: rdiv/1:2 cannot be answered: "),
        ('"kind":"rdiv"', '"kind":"toString"', 'line 2: kind is "toString"; expected one of rdiv, '),
        ('{"id":"rdiv/1:2"', '7,{"id":"rdiv/1:2"', "line 2: this is no JSON: "),
        ('"constants_version":"', '"constants_version":"1', "line 1: constants_version is "),
    ],
)
def test_a_broken_file_of_vectors_is_told_by_file_and_line(
    error: Error, tmp_path: Path, found: str, wrong: str, message: str
) -> None:
    file = tmp_path / "vectors.jsonl"
    file.write_text((SDK / "test" / "vectors.jsonl").read_text().replace(found, wrong, 1))
    assert error("vectors.mjs", file, code=Ending.UNREADABLE).startswith(f"{file}: {message}")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ({"felt_a": -(2**53)}, "line 1: felt_a is -9007199254740992; expected an integer from 0"),
        ({"felt_b": 1e16}, "felt_b is 10000000000000000; expected an integer from 0"),
        ({"t": -1}, "t is -1; expected an integer from 0 to 1099511627775"),
        ({"t": 2**40}, "line 1: t is 1099511627776; expected an integer from 0 to 1099511627775"),
        ({"t": 2**60 + 1}, "line 1: t is 1152921504606846977; expected an integer from 0 to 1099511627775"),
        ({"t": 1.5}, "t is 1.5; expected an integer from 0"),
        ({"band_b": 5}, "line 1: band_b is 5; expected an integer from 0 to 4"),
        ({"a": ""}, 'line 1: a is ""; expected the id of a player'),
        ({"a": None}, "a is null; expected the id of a player, text or an integer"),
        ({"queue": "yes"}, 'queue is "yes"; expected true or false'),
        ({"half_points": "3"}, 'line 1: half_points is "3"; expected an integer from 0 to 2'),
    ],
)
def test_what_a_history_in_json_cannot_hold(
    error: Error, tmp_path: Path, cell: dict[str, object], message: str
) -> None:
    game = dict(next(season(1)))
    file = tmp_path / "history.jsonl"
    file.write_text(json.dumps({**game, **cell}) + "\n")
    assert message in error("recount.mjs", file, code=Ending.UNREADABLE)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("[\n{0},\n{1}\n", "line 3: the array has no ]"),
        ("[\n{0},\n{1},\n", "line 3: the array has no ]"),
        ("[\n{0}\n{1}\n]\n", "line 3 is "),
        ("[\n{0}\n]\n{1}\n", "line 4 is "),
        ("[\n{0}\n]\n]\n", "line 4 is ]; expected nothing after the array"),
        ("[\n{0},\n]\n", "line 3 is ]; expected an object"),
        ("[]\n", "line 1 is []; expected an object"),
        ("{0}\n{1}\noops\n", "line 3 is oops; expected an object"),
        ("{0}\n{1}\n[]\n", "line 3 is []; expected an object"),
        ("{0}{1}\n", "line 1: this is no JSON"),
        ("game,a,b,a\n", 'line 1 has "a" twice; expected once'),
        ("game,a,b\n", "line 1 has no half_points"),
    ],
)
def test_a_history_that_is_not_whole_or_not_clean(error: Error, tmp_path: Path, written: str, message: str) -> None:
    file = tmp_path / "history"
    for at, game in enumerate(islice(season(3), 2)):
        written = written.replace(f"{{{at}}}", json.dumps(dict(game)))
    file.write_text(written)
    assert error("recount.mjs", file, code=Ending.UNREADABLE).startswith(f"{file}: {message}")


def test_one_name_twice_in_an_object_and_cells_that_are_none(error: Error, tmp_path: Path) -> None:
    file = tmp_path / "history"
    game = dict(next(season(1)))
    file.write_text(json.dumps(game).replace("{", '{"a": "who", ', 1) + "\n")
    assert error("recount.mjs", file, code=Ending.UNREADABLE) == f'{file}: line 1 has "a" twice; expected once'
    for cell in ('"one', 'o"ne', '"o"ne', '"one\nline"', ""):
        file.write_text(as_csv([{**game, "a": "NAME"}]).replace("NAME", cell))
        assert error("recount.mjs", file, code=Ending.UNREADABLE).startswith(f"{file}: line 2: ")


def test_a_lost_game_is_noticed(error: Error, tmp_path: Path) -> None:
    games = list(season(200))
    file = tmp_path / "history.jsonl"
    file.write_text("".join(json.dumps(game) + "\n" for i, game in enumerate(games) if i != 50))
    error("recount.mjs", file, code=Ending.CHECK_FAILED)


@pytest.mark.parametrize(
    "page", [SDK / "README.md", SDK.parents[1] / "docs" / "guide" / "javascript.md"], ids=["README", "guide"]
)
def test_its_examples_print_what_they_say(node: Run, page: str) -> None:
    text = (SDK.parents[1] / page).read_text()
    found = re.findall(r"^```js\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert found
    for program, printed in found:
        assert node("--input-type=module", "-e", program).decode() == printed
