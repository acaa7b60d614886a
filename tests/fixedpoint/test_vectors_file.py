"""The file of vectors: the same bytes everywhere, every spoiled member found, and what is no such file refused."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import onchain_by_the_spec as spec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import ReadError
from tallymark.fixedpoint import constants
from tallymark.fixedpoint.vectors import Difference, check, lines
from tallymark.fixedpoint.vectors.drawing import Draw
from tallymark.fixedpoint.vectors.kinds import KINDS, answer
from tallymark.fixedpoint.vectors.sources import CONSTANTS, Language, constants_source
from tallymark.fixedpoint.vectors.values import read, written
from tallymark.fixedpoint.vectors.writing import asked

FILE = [line.encode() for line in lines(1, 30, 2, 8)]
SHA256 = "4fbd5092f98bc911da3698d37dbd288134a1c9580409cd053412127fb17e5d9f"


def found(file: list[bytes]) -> Difference:
    difference = check(file).difference
    assert difference is not None
    return difference


def spoiled(number: int, change: Callable[[Any], object]) -> list[bytes]:
    """The file with that line changed, its hash made to fit."""
    document = json.loads(FILE[number])
    change(document)
    file = [*FILE[:number], json.dumps(document, separators=(",", ":")).encode() + b"\n", *FILE[number + 1 : -1]]
    return [*file, b'{"sha256":"%s"}\n' % hashlib.sha256(b"".join(file)).hexdigest().encode()]


def number_of(vector: str) -> int:
    return next(i for i, line in enumerate(FILE) if line.startswith(b'{"id":"%s"' % vector.encode()))


def test_the_same_bytes_everywhere() -> None:
    """A new edge or another kind of random vector changes this hash; a rating that differs does too."""
    assert [line.encode() for line in lines(1, 30, 2, 8)] == FILE
    assert json.loads(FILE[-1]) == {"sha256": SHA256}
    assert hashlib.sha256(b"".join(FILE[:-1])).hexdigest() == SHA256


def test_what_is_written_is_right() -> None:
    done = check(FILE)
    assert (done.vectors, done.difference, done.sha256) == (len(FILE) - 2, None, SHA256)


def test_the_seed_decides_the_random_ones_alone() -> None:
    one, other = (list(asked(seed, 5, 1, 3)) for seed in (1, 2))
    named = [vector for vector in one if "random" not in vector.id]
    assert named == [vector for vector in other if "random" not in vector.id]
    assert [vector.given for vector in one[len(named) :]] != [vector.given for vector in other[len(named) :]]
    more = {vector.id: vector for vector in asked(1, 10, 1, 3)}
    assert all(more[vector.id] == vector for vector in one)


def test_names_are_unique_and_every_kind_is_there() -> None:
    vectors = list(asked(1, 10, 2, 3))
    assert max(Counter(vector.id for vector in vectors).values()) == 1
    assert Counter(vector.kind for vector in vectors).keys() == KINDS.keys()
    assert all(vector.id.startswith(f"{vector.kind}/") for vector in vectors)


def test_refusals_are_those_that_say_so() -> None:
    for vector in asked(1, 0, 0, 0):
        refused = answer(vector.kind, vector.given).refused
        if vector.kind in ("update", "pack", "unpack", "game", "ticket", "season"):
            assert bool(refused) == ("refused" in vector.id), vector.id


def test_answers_are_those_of_the_spec() -> None:
    """Updates and sequences in the file against the second transcription."""

    def state(one: Any) -> spec.State:
        return int(one["mu"]), int(one["phi"]), int(one["last"])

    seen = 0
    for line in FILE[1:-1]:
        document = json.loads(line)
        given = document["in"]
        if document["kind"] == "update" and "out" in document:
            a, b, p = spec.update(state(given["a"]), state(given["b"]), int(given["half_points"]), int(given["t"]))
            assert (state(document["out"]["a"]), state(document["out"]["b"]), int(document["out"]["p"])) == (a, b, p)
            seen += 1
        elif document["kind"] == "sequence":
            players = [state(player) for player in given["players"]]
            for game, told in zip(given["games"], document["out"]["p"], strict=True):
                i, j = int(game["a"]), int(game["b"])
                players[i], players[j], p = spec.update(
                    players[i], players[j], int(game["half_points"]), int(game["t"])
                )
                assert int(told) == p
            assert [state(player) for player in document["out"]["players"]] == players
            seen += 1
    assert seen > 40


def leaves(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(document, dict | list):
        for key, value in document.items() if isinstance(document, dict) else enumerate(document):
            yield from leaves(value, (*path, key))
    else:
        yield path


def spoil(path: tuple[Any, ...], document: Any) -> None:
    for key in path[:-1]:
        document = document[key]
    old = document[path[-1]]
    document[path[-1]] = (
        (not old) if isinstance(old, bool) else str(int(old) + 1) if re.match(r"-?\d", old) else old + "x"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_spoiled_answer_is_found(kind: str) -> None:
    """Each member of `out`, `steps` and `refused` of the first vectors of the kind that have one."""
    seen: set[str] = set()
    for number, line in enumerate(FILE[1:-1], 1):
        document = json.loads(line)
        if document["kind"] != kind:
            continue
        for path in leaves({key: document[key] for key in ("out", "steps", "refused") if key in document}):
            name = ".".join(str(key) for key in path)
            shape = re.sub(r"\d+", "N", name)
            if shape not in seen:
                seen.add(shape)
                difference = found(spoiled(number, partial(spoil, path)))
                assert (difference.line, difference.id) == (number + 1, document["id"])
                assert difference.member == name
    assert seen


def test_an_intermediate_comes_before_what_follows_from_it() -> None:
    def change(document: Any) -> None:
        document["out"]["a"]["mu"] = "5"
        document["steps"]["a.mu"] = "5"
        document["steps"]["a.exp.h3"] = "7"

    difference = found(spoiled(number_of("update/worked, draw"), change))
    assert difference.member == "steps.a.exp.h3"
    assert str(difference) == (
        f'line {difference.line}, update/worked, draw: steps.a.exp.h3 is "7"; expected {difference.expected}'
    )


@pytest.mark.parametrize(
    ("change", "member", "text"),
    [
        (lambda d: d.pop("out"), "out", '"nothing"'),
        (lambda d: d["out"].pop("p"), "out.p", '"nothing"'),
        (lambda d: d["out"].update(q="1"), "out.q", "there"),
        (lambda d: d["steps"].update(q="1"), "steps.q", "there"),
        (lambda d: d.update(refused="t"), "refused", '"t"'),
        (lambda d: d.update(steps=["1"]), "steps", '["1"]'),
        (lambda d: d["out"].update(p="0012"), "out.p", '"0012"'),
        (lambda d: d["out"].update(p=True), "out.p", "true"),
    ],
)
def test_other_shapes(change: Callable[[Any], object], member: str, text: str) -> None:
    difference = found(spoiled(number_of("update/worked, draw"), change))
    assert (difference.member, difference.found) == (member, text)


def test_a_refusal_that_is_none() -> None:
    number = number_of("update/refused: time")
    difference = found(spoiled(number, lambda d: d.pop("refused")))
    assert (difference.member, difference.found, difference.expected) == ("refused", "no refusal", '"t"')


def test_steps_that_are_not_there_are_not_compared() -> None:
    plain = [line.encode() for line in lines(1, 30, 2, 8, steps=False)]
    assert sum(map(len, plain)) < sum(map(len, FILE)) / 2
    assert check(plain).difference is None
    assert check(spoiled(number_of("update/worked, draw"), lambda d: d.pop("steps"))).difference is None
    assert check(spoiled(number_of("update/worked, draw"), lambda d: d["steps"].pop("a.c"))).difference is None


def test_right_answers_and_another_hash() -> None:
    file = [*FILE[:-1], FILE[-1].replace(SHA256[:4].encode(), b"0000")]
    difference = found(file)
    assert (difference.line, difference.id, difference.member) == (len(FILE), "", "sha256")
    blank = [*FILE[:5], FILE[5].replace(b'":"', b'": "', 1), *FILE[6:]]
    assert found(blank).member == "sha256"


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ([], "the file ends after 0 lines without its SHA-256"),
        (FILE[:-1], f"the file ends after {len(FILE) - 1} lines without its SHA-256"),
        ([*FILE, FILE[5]], f"line {len(FILE) + 1} comes after the SHA-256; expected that to be the last"),
        ([b"{}\n"], "line 1: this has no format"),
        ([b"\xff\n"], "line 1: 'utf-8' codec can't decode byte 0xff"),
        ([b"played_at,player_a\n"], "line 1: this is no JSON: Expecting value"),
        ([FILE[0].replace(b"tallymark-vectors", b"other")], "line 1: format is 'other'; expected 'tallymark-vectors'"),
        ([FILE[0].replace(b'format_version":"1', b'format_version":"2')], "line 1: format_version is 2; expected 1"),
        (
            [FILE[0].replace(b'constants_version":"2', b'constants_version":"1')],
            "line 1: constants_version is 1; expected",
        ),
        (
            [FILE[0], b'{"id":"x","kind":"rdiv","in":{"n":1,"d":"2"}}\n'],
            "line 2: 1 is a number or null; expected strings",
        ),
        ([FILE[0], b'{"id":"x","kind":"rdiv","in":{"n":"1"}}\n'], "line 2: in has no d"),
        (
            [FILE[0], b'{"id":"x","kind":"rdiv","in":{"n":"1","d":"x"}}\n'],
            'line 2: d of in is "x"; expected a string of',
        ),
        ([FILE[0], b'{"id":"x","kind":"sum","in":{}}\n'], "line 2: kind is 'sum'; expected one of rdiv, root"),
        ([FILE[0], b'["x"]\n'], 'line 2: this is ["x"]; expected an object'),
        ([FILE[0], b"[" * 100000], "line 2: this is no JSON"),
        ([FILE[0], b'{"sha256":5}\n'], "line 2: 5 is a number or null; expected strings"),
        ([FILE[0], b'{"sha256"\n'], "line 2: this is no JSON"),
    ],
)
def test_what_is_no_such_file(file: list[bytes], message: str) -> None:
    with pytest.raises(ReadError) as caught:
        check(file)
    assert str(caught.value).startswith(message)


values = st.recursive(
    st.integers(-(1 << 250), 1 << 250) | st.booleans() | st.text("abc-x", min_size=1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
)


@given(values)
def test_values_there_and_back(value: Any) -> None:
    assert read(written(value)) == value


def test_numbers_of_a_seed_are_pinned() -> None:
    """splitmix64 of seed 0, as its author prints it."""
    draw = Draw(0)
    assert [draw.bits() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_constants_as_json() -> None:
    told = json.loads(constants_source(Language.JSON))
    assert {name: int(one) if isinstance(one, str) else tuple(map(int, one)) for name, one in told.items()} == CONSTANTS
    assert told["DRIFT"] == str(6847202285 << 32)
    for name in ("LN2", "PI_SQ", "PHI_MIN", "MU_LO", "MU_HI"):
        assert told[name] == str(getattr(constants, name))


@pytest.mark.parametrize("language", [Language.CAIRO, Language.JS])
def test_constants_as_source(language: Language) -> None:
    text = constants_source(language)
    numbers = [int(word) for word in re.findall(r"(?<![\w])-?\d+(?=n?[,;])", text)]
    told = [one for value in CONSTANTS.values() for one in ((value,) if isinstance(value, int) else value)]
    assert numbers == told
    assert max(map(len, text.splitlines())) <= 120
    for name, value in CONSTANTS.items():
        size = "" if isinstance(value, int) else f"{len(value)}"
        if language is Language.JS:
            assert f"export const {name} = " in text
        else:
            assert (f"pub const {name}: [i128; {size}] = [" if size else f"pub const {name}: i128 = ") in text
