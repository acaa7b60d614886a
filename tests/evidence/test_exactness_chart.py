"""The chart of the differences: what it says, in which forms, and what keeps it from being drawn."""

import sys
import xml.etree.ElementTree as tree
from pathlib import Path

import pytest

import tallymark as tm
from tallymark import InputError, MissingLibraryError, WriteError
from tallymark.evidence.exactness.charting import chart

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def found() -> tm.Exactness:
    return tm.exactness(tm.synthetic(500, 20), checkpoints=10)


def test_every_form(found: tm.Exactness, tmp_path: Path) -> None:
    for name, begins in (("a.svg", b"<svg"), ("a.PNG", b"\x89PNG"), ("a.html", b"<!DOCTYPE html>")):
        found.write_chart(tmp_path / name)
        assert (tmp_path / name).read_bytes().lstrip().startswith(begins)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<script src=" not in page, "a page that asks the network"


def test_what_is_drawn(found: tm.Exactness, tmp_path: Path) -> None:
    found.write_chart(tmp_path / "a.svg")
    root = tree.parse(tmp_path / "a.svg").getroot()
    said = {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}
    assert {"half-even", "truncating", "largest", "mean", "mean with signs", "games rated"} <= said
    drawn = chart(found.checkpoints).to_dict()
    panels = drawn["vconcat"]
    assert [panel["title"].partition(",")[0] for panel in panels] == ["win probability P", "mu", "phi"]
    points = drawn["datasets"][panels[1]["data"]["name"]]
    drift = [one["size"] for one in points if (one["integers"], one["measure"]) == ("half-even", "mean with signs")]
    rows = [row for row in found.checkpoints.rows() if row["division"] == "half-even"]
    assert drift == [abs(float(str(row["mu_drift"]))) for row in rows]
    low, high = panels[1]["encoding"]["y"]["scale"]["domain"]
    assert low <= min(one["size"] for one in points)
    assert max(one["size"] for one in points) <= high


def test_nothing_to_draw(tmp_path: Path) -> None:
    empty = tm.exactness(tm.GameLog.from_arrays(player_a=[], player_b=[], score_a=[]))
    with pytest.raises(InputError, match="no checkpoint to draw"):
        empty.write_chart(tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written(found: tm.Exactness, tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="cannot tell the format"):
        found.write_chart("a.pdf")
    with pytest.raises(WriteError, match="cannot be written"):
        found.write_chart(tmp_path / "none" / "a.svg")


def test_without_the_libraries(found: tm.Exactness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingLibraryError, match="altair and vl-convert, which are not installed") as raised:
        found.write_chart(tmp_path / "a.svg")
    assert raised.value.hint is not None
    assert "tallymark[charts]" in raised.value.hint
