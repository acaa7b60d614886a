"""`python -m benchmarks.chart`: docs/assets/speed.svg, bars of ratios on a log scale, from docs/assets/speed.json.

The JSON is what `python -m benchmarks` prints. Colours follow the reader's light or dark scheme.
"""

import json
import math
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Final, TypedDict

ASSETS: Final = Path(__file__).resolve().parent.parent / "docs" / "assets"

_WIDTH: Final = 820
_LEFT, _RIGHT, _TOP = 120, 70, 62
_BAR, _ROW, _HEAD, _GAP = 10, 15, 22, 10
_STYLE: Final = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .peer { font-weight: 600 }
  .does, .log, .tick { fill: #59636e }
  .log, .tick, .ratio { font-size: 12px }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .one { stroke: #59636e; stroke-width: 1 }
  .bar { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .does, .log, .tick { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .one { stroke: #9198a1 }
    .bar { fill: #4493f8 }
  }
"""


class _Beside(TypedDict, total=False):
    does: str
    compiled: float


class _Log(TypedDict):
    peers: dict[str, _Beside]


class Document(TypedDict):
    """What is drawn of the document of `python -m benchmarks`."""

    peers: Mapping[str, _Log]


def main() -> int:
    """Writes the chart."""
    document: Document = json.loads((ASSETS / "speed.json").read_text(encoding="utf-8"))
    (ASSETS / "speed.svg").write_text(chart(document), encoding="utf-8")
    return 0


def millions(document: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]) -> list[str]:
    """The rows of the table of docs/guide/numbers.md, of the cases of millions of games."""
    names = {
        "games": "every game a period, 100,000 players",
        "games-zipf": "the same, activity by Zipf's law",
        "period": "one period, 1,000,000 players",
        "go": "Go model, ageing by the day",
    }
    rows = []
    for case, name in names.items():
        of = document["bulk"][case]
        ratios, speed = of["ratios"], of["games_a_second"]["pass"] / 1e6
        told = [words(ratios[key]) if key in ratios else "-" for key in ("plain / pass", "plain / table")]
        rows.append(f"| {name} | {told[0]} | {told[1]} | {words(ratios['pass / two threads'])} | {words(speed)} |")
    return rows


def words(ratio: float) -> str:
    """A ratio as people say it, in two digits: more would not come out again.

    >>> words(0.847), words(3.1416), words(1234.5)
    ('0.85', '3.1', '1,200')
    """
    digits = 1 - math.floor(math.log10(ratio))
    return f"{round(ratio, digits):,.{max(digits, 0)}f}"


def chart(document: Document) -> str:
    """The chart as SVG: a group a peer, a bar a log, as long as the logarithm of the ratio."""
    groups = dict(_groups(document))
    ratios = [ratio for _, bars in groups.values() for ratio in bars.values()]
    low = min(0, math.floor(math.log10(min(ratios))))
    high = max(1, math.ceil(math.log10(max(ratios))))
    scale = (_WIDTH - _LEFT - _RIGHT) / (high - low)

    def x(ratio: float) -> float:
        return round(_LEFT + scale * (math.log10(ratio) - low), 1)

    height = _TOP + sum(_HEAD + len(bars) * _ROW + _GAP for _, bars in groups.values())
    says = "How many times as long others take, tallymark compiled being 1"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{says}">',
        f"<style>{_STYLE}</style>",
        f'<text class="title" x="0" y="18">{says}</text>',
    ]
    powers = [(x(10.0**power), f"{10.0**power:,g}") for power in range(low, high + 1)]
    lines += [f'<text class="tick" x="{at}" y="{_TOP - 16}" text-anchor="middle">{tick}</text>' for at, tick in powers]
    y = _TOP
    for peer, (does, bars) in groups.items():
        lines.append(
            f'<text x="0" y="{y + 12}"><tspan class="peer">{escape(peer)}</tspan>'
            f'<tspan class="does" dx="8">{escape(does)}</tspan></text>'
        )
        y += _HEAD
        below = y + len(bars) * _ROW
        for at, tick in powers:
            kind = "one" if tick == "1" else "grid"
            lines.append(f'<line class="{kind}" x1="{at}" x2="{at}" y1="{y - 3}" y2="{below}"/>')
        for log, ratio in bars.items():
            ends = sorted((x(1.0), x(ratio)))
            middle = y + _BAR - 1
            lines += [
                f'<text class="log" x="{_LEFT - 8}" y="{middle}" text-anchor="end">{escape(log)}</text>',
                f'<rect class="bar" x="{ends[0]}" y="{y}" width="{ends[1] - ends[0]:.1f}" height="{_BAR}" rx="2"/>',
                f'<text class="ratio" x="{ends[1] + 6:.1f}" y="{middle}">{words(ratio)}</text>',
            ]
            y += _ROW
        y += _GAP
    return "\n".join([*lines, "</svg>", ""])


def _groups(document: Document) -> Iterator[tuple[str, tuple[str, dict[str, float]]]]:
    """By peer, what it does, and its ratio by log; peers that were measured."""
    logs = document["peers"]
    peers = {name: beside.get("does", "") for one in logs.values() for name, beside in one["peers"].items()}
    for name, does in peers.items():
        found = {log: one["peers"][name]["compiled"] for log, one in logs.items() if "compiled" in one["peers"][name]}
        if found:
            yield name, (does, found)


if __name__ == "__main__":
    raise SystemExit(main())
