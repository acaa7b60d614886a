"""Files: found by name, read, refused with field, file and line."""

from pathlib import Path

import pytest

from tallymark.errors import MethodologyError, ReadError, UnknownMethodologyError
from tallymark.methodology import Methodology, methodology, shipped

CLUB = """\
name = "harbour"     # line 1
version = "1"

[system]
kind = "glicko2"
tau = 0.4

[period]
kind = "calendar"
days = 7

[ageing]
kind = "periods"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "club.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> MethodologyError:
    with pytest.raises(MethodologyError) as caught:
        methodology(write(folder, text))
    error = caught.value
    assert error.file == str(folder / "club.toml")
    assert error.field is None or error.field in str(error)
    assert str(error).startswith(f"{error.file}, line {error.line}: ")
    return error


def test_a_file_by_path_or_text(tmp_path: Path) -> None:
    path = write(tmp_path, CLUB)
    m = methodology(path)
    assert m == methodology(str(path))
    assert m.id == "harbour-1"
    assert (m.period.days, m.title, m.bounds.rating_min) == (7.0, "", None)


def test_a_methodology_passes_through() -> None:
    m = methodology("paper")
    assert methodology(m) is m


@pytest.mark.parametrize("m", shipped(), ids=lambda m: m.id)
def test_name_id_and_own_file(m: Methodology, tmp_path: Path) -> None:
    assert methodology(m.id) == m
    assert methodology(write(tmp_path, m.to_toml())) == m


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_bytes(b"\xef\xbb\xbf" + CLUB.replace("\n", "\r\n").encode())
    assert methodology(path).id == "harbour-1"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("papr", "paper"), ("arena-v1", "arena-v1-draft"), ("Paper", "paper"), ("zzz", "known: arena, arena-v0")],
)
def test_unknown_name_has_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UnknownMethodologyError) as caught:
        methodology(name)
    assert name in str(caught.value)
    assert caught.value.hint is not None
    assert hint in caught.value.hint


def test_id_of_a_variant_has_no_rules_in_it() -> None:
    variant = methodology("paper").with_(tau=0.3)
    with pytest.raises(UnknownMethodologyError) as caught:
        methodology(variant.id)
    assert caught.value.hint is not None
    assert "methodology('paper-1').with_(...)" in caught.value.hint


def test_variant_is_read_back_from_its_file(tmp_path: Path) -> None:
    variant = methodology("paper").with_(period="12h", tau=0.3)
    again = methodology(write(tmp_path, variant.to_toml()))
    assert again == variant
    assert again.id == variant.id
    assert again.with_(period="30d", tau=0.5) == methodology("paper")


def test_shipped_rules_are_not_edited(tmp_path: Path) -> None:
    error = refused(tmp_path, methodology("paper").to_toml().replace("tau = 0.5", "tau = 0.6"))
    assert (error.field, error.line) == ("version", 2)


def test_missing_and_foreign_files(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"none\.toml cannot be read"):
        methodology(tmp_path / "none.toml")
    path = tmp_path / "latin.toml"
    path.write_bytes(b'name = "\xe9"\n')
    with pytest.raises(ReadError, match="not UTF-8 text: byte 8"):
        methodology(path)


@pytest.mark.parametrize(
    ("old", "new", "field", "line"),
    [
        ('name = "harbour"', 'name = "Harbour"', "name", 1),
        ('version = "1"', 'version = "1.0"', "version", 2),
        ('version = "1"', "", "version", 1),
        ('version = "1"', 'version = "1"\nsystems = 1', "systems", 3),
        ('version = "1"', 'version = "1"\ntitle = 3', "title", 3),
        ('version = "1"', 'version = "1"\nbounds = 3', "bounds", 3),
        ('kind = "glicko2"', 'kind = "glicko3"', "system.kind", 5),
        ('kind = "glicko2"', "", "system.kind", 4),
        ("tau = 0.4", "taw = 0.4", "system.taw", 6),
        ("tau = 0.4", "tau = -1", "system.tau", 6),
        ("tau = 0.4", 'tau = "0.4"', "system.tau", 6),
        ("tau = 0.4", "tau = true", "system.tau", 6),
        ("tau = 0.4", "tau = nan", "system.tau", 6),
        ("days = 7", "", "period.days", 8),
        ("days = 7", "days = 0", "period.days", 10),
        ("days = 7", "day = 7", "period.day", 10),
        ("days = 7", 'days = 7\norigin = "monday"', "period.origin", 11),
        ("days = 7", 'days = 7\nlate = "ledger-order"', "period.late", 11),
        ('kind = "calendar"', 'kind = "match"', "period.days", 10),
        ('kind = "periods"', 'kind = "elapsed"', "ageing.periods_per_day", 12),
        ('[ageing]\nkind = "periods"', "", "ageing.kind", 1),
        ('kind = "periods"', 'kind = "periods"\n[rated]\nkomi = {19 = 7.5, ten = 1}', "rated.komi.ten", 15),
        ('kind = "periods"', 'kind = "periods"\n[rated.komi]\n19 = 7.5\n9 = "7"', "rated.komi.9", 16),
        ('kind = "periods"', 'kind = "periods"\n[rated]\nboards = [9,\n 9]', "rated.boards", 15),
        ('kind = "periods"', 'kind = "periods"\n[rated]\nendings = ["normal", "won"]', "rated.endings", 15),
    ],
)
def test_wrong_fields_have_their_line(tmp_path: Path, old: str, new: str, field: str, line: int) -> None:
    assert old in CLUB
    error = refused(tmp_path, CLUB.replace(old, new))
    assert (error.field, error.line) == (field, line)


def test_unknown_field_suggests_a_known_one(tmp_path: Path) -> None:
    error = refused(tmp_path, CLUB.replace("tau", "taw"))
    assert error.hint == "did you mean system.tau?"


@pytest.mark.parametrize(
    ("text", "line"),
    [(CLUB + "days = = 3\n", 14), (CLUB + 'title = "open', 14), (CLUB + '[ageing]\nkind = "none"\n', 14)],
)
def test_no_toml(tmp_path: Path, text: str, line: int) -> None:
    error = refused(tmp_path, text)
    assert error.line == line
    assert "not TOML" in str(error)


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000, "-" + "9" * 400, "9_" * 3000 + "9"])
def test_a_number_beyond_all_is_refused_with_its_line(number: str, tmp_path: Path) -> None:
    error = refused(tmp_path, CLUB.replace("days = 7", f"days = {number}"))
    assert error.line == 10
    assert "400 digits or more" in str(error)


@pytest.mark.parametrize("depth", [64, 500, 5000])
def test_values_nested_beyond_all_are_refused(depth: int, tmp_path: Path) -> None:
    for text in (
        "x = " + "[" * depth + "]" * depth,
        "x" + ".x" * depth + " = 1",
        "x = " + "{a = " * depth + "1" + "}" * depth,
    ):
        with pytest.raises(MethodologyError, match="nested in one another") as caught:
            methodology(write(tmp_path, CLUB + text))
        assert caught.value.file == str(tmp_path / "club.toml")


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    for name in ("x\0.toml", "\ud800.toml", "a" * 300 + ".toml"):
        with pytest.raises(ReadError):
            methodology(tmp_path / name)
