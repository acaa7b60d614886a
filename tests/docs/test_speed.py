"""The chart of speed: drawn from the figures beside it, to scale, and README's table says the same."""

import importlib.util
import json
import math
import re
import xml.etree.ElementTree as tree
from types import ModuleType

import pytest
from pages import REPOSITORY

ASSETS = REPOSITORY / "docs" / "assets"
SVG = "{http://www.w3.org/2000/svg}"


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    return benchmark("chart")


def test_bars_are_to_scale_and_names_are_text(drawing: ModuleType) -> None:
    peers = {
        "slow <b>": {"does": "Elo & more", "compiled": 1000.0},
        "quick": {"does": "Elo", "compiled": 0.1},
        "absent": {"does": "Elo", "skipped": "not installed"},
    }
    root = tree.fromstring(drawing.chart({"peers": {"football": {"peers": peers}}}))
    slow, quick = (float(bar.get("width", 0)) for bar in root.iter(f"{SVG}rect"))
    assert slow / quick == pytest.approx(3.0, abs=0.01)
    said = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert "slow <b>Elo & more" in said
    assert {"1,000", "0.10", "football"} <= set(said)
    assert not any("absent" in text for text in said)
    right = [float(text.get("x", 0)) for text in root.iter(f"{SVG}text") if text.get("class") == "ratio"]
    assert max(right) < float(root.get("viewBox", "").split()[2]) - 30


def test_both_schemes_have_colours_of_their_own(drawing: ModuleType) -> None:
    style = re.search(r"<style>(.*)</style>", (ASSETS / "speed.svg").read_text(encoding="utf-8"), re.DOTALL)
    assert style
    light, dark = style[1].split("@media (prefers-color-scheme: dark)")
    for kind in ("text", r"\.bar", r"\.grid"):
        pattern = kind + r" \{[^}]*(?:fill|stroke): (#\w+)"
        found = [re.search(pattern, part) for part in (light, dark)]
        assert found[0]
        assert found[1]
        assert found[0][1] != found[1][1]


def test_the_chart_is_that_of_the_figures(drawing: ModuleType) -> None:
    document = json.loads((ASSETS / "speed.json").read_text(encoding="utf-8"))
    assert not document["quick"]
    assert (ASSETS / "speed.svg").read_text(encoding="utf-8") == drawing.chart(document), "python -m benchmarks.chart"


def test_readme_says_what_was_measured(drawing: ModuleType) -> None:
    """The table beside the chart: a row a peer, a column a log, in the words of the chart."""
    peers = json.loads((ASSETS / "speed.json").read_text(encoding="utf-8"))["peers"]
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    head = re.search(r"^\| times as long as tallymark \| (.*) \|$", readme, re.MULTILINE)
    assert head
    logs = head[1].split(" | ")
    rows = re.findall(r"^\| `(.+?)`, .*? \| (.*) \|$", readme[head.end() :].partition("\n\n")[0], re.MULTILINE)
    assert len(rows) > 3
    for name, cells in rows:
        assert cells.split(" | ") == [drawing.words(peers[log]["peers"][name]["compiled"]) for log in logs], name
    assert all(math.isfinite(one.get("apart", 0)) for log in peers.values() for one in log["peers"].values())


def test_the_guide_says_what_was_measured(drawing: ModuleType) -> None:
    engines = json.loads((ASSETS / "speed.json").read_text(encoding="utf-8"))["engines"]
    guide = (REPOSITORY / "docs" / "guide" / "numbers.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| (\w+) \| ([\d,]+) \| ([\d,.]+) \|$", guide, re.MULTILINE)
    expected = [
        (name, f"{one['games']:,}", drawing.words(one["ratios"]["interpreted / compiled"]))
        for name, one in engines.items()
    ]
    assert told == expected


def test_the_guide_says_how_fast_millions_are(drawing: ModuleType) -> None:
    document = json.loads((ASSETS / "speed.json").read_text(encoding="utf-8"))
    guide = (REPOSITORY / "docs" / "guide" / "numbers.md").read_text(encoding="utf-8")
    assert "\n".join(drawing.millions(document)) in guide


def test_readme_says_what_the_first_rate_pays_for() -> None:
    document = json.loads((ASSETS / "start.json").read_text(encoding="utf-8"))
    assert not document["quick"]
    assert document["games"] == 1_000_000
    assert set(document["seconds"]) == {"first", "second"}
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert "\n".join(benchmark("start").rows(document)) in readme, "python -m benchmarks.start"
    for parts in document["seconds"].values():
        assert sum(value for part, value in parts.items() if part != "all") == pytest.approx(parts["all"], abs=0.01)
