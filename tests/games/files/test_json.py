"""JSON lines and arrays: every row keeps its line, and what is not exactly JSON is named."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark import GameLog, InputError, ReadError, read_games

NAMES = ("player_a", "player_b", "score_a")


def read(tmp_path: Path, text: str | bytes, name: str = "g.json", **columns: str) -> GameLog:
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_games(tmp_path / name, columns=columns)


def line(a: object = "ann", b: object = "bob", score: object = 1, **more: object) -> str:
    return json.dumps(dict(zip(NAMES, (a, b, score), strict=True)) | more)


def problems(log: GameLog) -> list[tuple[int, str]]:
    table = log.report.problems
    return list(zip(table["line"].tolist(), table["message"].tolist(), strict=True))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_and_arrays_have_the_same_rows(tmp_path: Path, mark: str, end: str) -> None:
    rows = [line(), line(7, 8, 0.5, note="\u00e9\n{]"), line("x", "ann", None)]
    lines = read(tmp_path, mark + end.join(rows) + end)
    array = read(tmp_path, mark + "[" + end + ("," + end).join(rows) + end + "]" + end)
    one = read(tmp_path, mark + "[" + ",".join(rows) + "]")
    for log in (lines, array, one):
        assert log.players == [7, 8, "ann", "bob"]
        assert log.score.tolist() == [1.0, 0.5]
    assert [problems(log)[0][0] for log in (lines, array, one)] == [3, 4, 1]


def test_an_object_of_several_lines_has_the_line_it_begins_on(tmp_path: Path) -> None:
    text = json.dumps([json.loads(line()), json.loads(line(score=5)), json.loads(line("x"))], indent=1)
    log = read(tmp_path, text)
    assert problems(log) == [(7, "score_a is 5; scores lie from 0 to 1")]


def test_blank_lines_are_no_rows(tmp_path: Path) -> None:
    log = read(tmp_path, "\n \n" + line() + "\n\n\t\n" + line("x", score="won") + "\n\n")
    assert (log.report.rows, problems(log)[0][0]) == (2, 6)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ('{"player_a": "x", "player_b"', "no JSON: the line is cut off after 28 characters"),
        ('{"player_a": "x', "no JSON: the line is cut off after 15 characters"),
        ('{"player_a": 1, "player_a": 2}', "the key 'player_a' is there twice"),
        ('{"player_a": "x", "inner": {"b": 1, "b": 1}}', "the key 'b' is there twice"),
        ('{"player_a": "x", "player_b": "y", "score_a": NaN}', "NaN is no JSON"),
        ('{"player_a": "x", "player_b": "y", "score_a": -Infinity}', "-Infinity is no JSON"),
        ('{"player_a": "x", "player_b": "y", "score_a": 1e999}', "'1e999' is beyond every number"),
        ('["x", "y", 1]', """'["x", "y", 1]' is no object"""),
        ("null", "'null' is no object"),
        ("{} {}", "no JSON: more than one value, from character 3 on"),
        ('{"player_a": "\\ud800", "player_b": "y"}', "a character is half of a pair of surrogates, which is no text"),
        ("[" * 100_000, "no JSON: too many objects inside of one another"),
    ],
)
def test_a_broken_line_is_one_row_with_a_fault(tmp_path: Path, broken: str, message: str) -> None:
    log = read(tmp_path, "\n".join([line(), broken, line("x", "y", 0)]))
    assert (len(log), log.report.rows) == (2, 3)
    assert problems(log) == [(2, message)]
    assert log.report.problems["reason"].tolist() == ["damaged-row"]


def test_a_whole_pair_of_surrogates_is_a_character(tmp_path: Path) -> None:
    assert read(tmp_path, '{"player_a": "\\ud83d\\ude00", "player_b": "y", "score_a": 1}').players == [
        "y",
        "\U0001f600",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (" \n ", "is empty"),
        ("[]", "is empty"),
        ("{}\n{}", "has rows, and nothing in them"),
        ("[\n" + line() + "\n" + line() + "]", "line 3: no JSON: '{' where a comma or ] is expected"),
        ("[\n" + line() + ",\n]", "line 3: no JSON: ']' where an object is expected"),
        ("[\n" + line() + "\n", "line 3: the array is not closed"),
        ("[\n" + line() + ",\n7]", "line 3: no JSON: '7' where an object is expected"),
        ("[" + line() + "]\n\nx", "there is more after the array"),
        ('[\n{"player_a":\n "x", oops},\n' + line() + "]", "line 3: no JSON: expecting property name"),
        ('[{"a": "' + "x" * 50, "line 1: no JSON: unterminated string"),
        ('{\n"games": [\n{\n"player_a": "ann"\n}\n]\n}', "line 1: no JSON"),
    ],
)
def test_what_is_no_json_as_a_whole(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ReadError) as error:
        read(tmp_path, text)
    assert message in str(error.value)
    assert error.value.hint


def test_a_fault_in_an_object_of_an_array_is_that_of_its_row(tmp_path: Path) -> None:
    log = read(tmp_path, "[\n" + line() + ',\n{"player_a": 1, "player_a": 2}\n]')
    assert problems(log) == [(3, "the key 'player_a' is there twice")]


def test_an_array_that_is_cut_short_at_any_character_is_refused(tmp_path: Path) -> None:
    text = "[\n" + line(note={"a": [1, "]}"]}) + ",\n" + line() + "\n]"
    for at in range(1, len(text)):
        with pytest.raises(ReadError):
            read(tmp_path, text[:at])


def test_large_integers_keep_their_digits(tmp_path: Path) -> None:
    rows = [line(10010031911258440806, 9223372036854775807), line(-9223372036854775808, 10010031911258440806)]
    log = read(tmp_path, "\n".join(rows))
    assert log.players == [-9223372036854775808, 9223372036854775807, "10010031911258440806"]
    assert "1 of player_a is beyond 64-bit integers and kept as text" in log.report.notes


def test_more_digits_than_python_turns_into_numbers(tmp_path: Path) -> None:
    assert read(tmp_path, f'{{"player_a": {"9" * 5000}, "player_b": 1, "score_a": 1}}').players == [1, "9" * 5000]


def test_floats_and_objects_are_no_ids(tmp_path: Path) -> None:
    for value in (1.5, True, {"id": 1}, [1]):
        with pytest.raises(InputError):
            read(tmp_path, line(value))


def test_dotted_names_reach_inside(tmp_path: Path) -> None:
    row = {"players": {"white": {"id": "ann"}, "black": {"id": "bob"}}, "score_a": 1}
    columns = {"player_a": "players.white.id", "player_b": "players.black.id"}
    text = json.dumps(row) + "\n" + json.dumps(row | {"players": {"white": 3}}) + "\n"
    log = read(tmp_path, text, **columns)
    assert log.players == ["ann", "bob"]
    assert problems(log) == [(2, "player_a is missing")]


def test_a_name_with_a_dot_and_one_inside_that_looks_like_it_are_two(tmp_path: Path) -> None:
    text = json.dumps({"a.b": "ann", "a": {"b": "bob"}, "player_b": "cid", "score_a": 1})
    with pytest.raises(ReadError, match=r"2 columns 'a\.b'"):
        read(tmp_path, text, player_a="a.b")


def test_keys_that_come_after_many_rows_without_any(tmp_path: Path) -> None:
    log = read(tmp_path, "{}\n" * 300 + line())
    assert (log.report.rows, log.report.accepted) == (301, 1)


@pytest.mark.parametrize("form", ["lines", "array"])
def test_keys_that_come_late(tmp_path: Path, form: str) -> None:
    """A key that first appears past the sample is there: recognised, and mapped, inside of others too."""
    rows = [line(n, n + 1) for n in range(300)] + [line(1, 2, game="late", deep={"when": "2026-01-01"})]
    text = "\n".join(rows) if form == "lines" else "[" + ",\n".join(rows) + "]"
    log = read(tmp_path, text)
    assert log.games == ["late"]
    assert log.report.rows == 301
    assert read(tmp_path, text, played_at="deep.when").report.accepted == 1
    with pytest.raises(ReadError, match="has no column 'nowhere'"):
        read(tmp_path, text, played_at="nowhere")


def test_bytes_that_are_not_in_the_encoding(tmp_path: Path) -> None:
    content = (line() + "\n" + json.dumps(json.loads(line("Bj\u00f8rn")), ensure_ascii=False)).encode("cp1252")
    with pytest.raises(ReadError, match="line 2: the bytes f8 are not UTF-8"):
        read(tmp_path, content)
    assert read_games(tmp_path / "g.json", encoding="cp1252").players == ["Bj\u00f8rn", "ann", "bob"]


def test_packed_and_piped(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl.gz").write_bytes(gzip.compress(line().encode()))
    assert len(read_games(tmp_path / "g.jsonl.gz")) == 1


_CELLS = st.none() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans()


@given(st.lists(st.dictionaries(st.text(max_size=5), _CELLS | st.lists(_CELLS, max_size=2), max_size=4), min_size=1))
def test_any_json_has_the_rows_it_has(rows: list[dict[str, object]]) -> None:
    """A law: whatever objects there are, in lines and in an array, compact and spread out, they are the rows."""
    import tempfile

    for number, row in enumerate(rows):
        row |= {"player_a": number, "player_b": -1 - number, "score_a": 1, "match": None, "game": None}
    for text in (
        "\n".join(map(json.dumps, rows)),
        json.dumps(rows),
        json.dumps(rows, indent=2, ensure_ascii=True),
    ):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "g.json"
            file.write_text(text, encoding="utf-8")
            log = read_games(file, columns={"player_a": "player_a", "player_b": "player_b", "score_a": "score_a"})
        assert log.report.rows == len(rows)


def test_alpaca(data: Path) -> None:
    log = read_games(
        data / "messy" / "alpaca_eval_annotations_25.json",
        columns={"player_a": "generator_1", "player_b": "generator_2", "preference": "preference"},
    )
    assert (log.report.rows, log.report.accepted) == (25, 25)


def test_unfinished_games_have_no_result(data: Path) -> None:
    log = read_games(data / "messy" / "tcec_unfinished_headers.json", columns={"played_at": "Date"})
    assert log.report.problems["line"].tolist() == [1, 2, 3]
    assert set(log.report.problems["reason"].tolist()) == {"no-result"}
