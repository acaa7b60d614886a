"""A career as a chart of Vega-Lite, by altair."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tallymark.ledger.reading.notable import Ruled as Brought
from tallymark.service.pages.career import Career, Point
from tallymark.service.shown import band, digits

Theme: TypeAlias = Literal["light", "dark"]
Size: TypeAlias = Literal["wide", "narrow"]
Side: TypeAlias = Literal["left", "right"]
_FONT: Final = "Segoe UI, Roboto, Noto Sans, Helvetica Neue, Liberation Sans, Arial, sans-serif"
_CAREER: Final = "career"
_PEAK: Final = "peak"
_SIDES: Final[dict[Side, int]] = {"left": 5, "right": -5}
"""Which half of the chart a change of the methodology is in: there its words begin, or end, so far from the line."""
_ROOM: Final = 8
_SIZES: Final[dict[Size, tuple[int, int]]] = {"wide": (940, 300), "narrow": (330, 260)}


class Colours(NamedTuple):
    """Those of the style sheet."""

    ink: str
    quiet: str
    line: str
    accent: str
    band: str
    paper: str


COLOURS: Final[dict[Theme, Colours]] = {
    "light": Colours("#1d1f21", "#5b5f65", "#e2dfd6", "#a83c1f", "#d9cfbf", "#ffffff"),
    "dark": Colours("#e9e6e0", "#a5a9af", "#2d3136", "#f2997a", "#4a4f56", "#1d2024"),
}


class Ruled(NamedTuple):
    """Another methodology from a time on."""

    at: datetime
    methodology: str


def spec(
    career: Career,
    peak: Point | None,
    ruled: Sequence[Ruled],
    interval: float,
    theme: Theme,
    size: Size,
    explored: bool,
) -> dict[str, Any]:
    """The chart: the band of `interval` deviations, the rating, its peak, and where the methodology changed.
    `explored`: with what is needed to point at it and to move it."""
    data: dict[str, Sequence[object]] = {_CAREER: [_datum(point, interval) for point in career.points]}
    if ruled:
        middle = (_time(career.points[0].at) + _time(career.points[-1].at)) / 2
        for side in _SIDES:
            here = [one for one in ruled if (_time(one.at) > middle) == (side == "right")]
            if here:
                data[side] = [{"at": _time(one.at), "words": one.methodology} for one in here]
    if peak is not None:
        data[_PEAK] = [{**_datum(peak, interval), "words": digits(round(peak.rating))}]
    return {**_form(theme, size, explored, len(career.points) == 1, frozenset(data)), "datasets": data}


@lru_cache(maxsize=64)
def _form(theme: Theme, size: Size, explored: bool, single: bool, data: frozenset[str]) -> dict[str, Any]:
    """A chart without its data. Making it costs more than drawing it: so it is made once."""
    import altair as alt

    colours, (width, height) = COLOURS[theme], _SIZES[size]
    # What is explored is cut off at the ends of the plot: there has to be room for a point and its label.
    axis = alt.Axis(grid=False, tickCount=8 if size == "wide" else 4)
    when: alt.X = alt.X("at:T", title=None, axis=axis, scale=alt.Scale(padding=_ROOM))
    of = alt.Chart(alt.NamedData(name=_CAREER))
    marks: list[alt.Chart] = [
        of.mark_area(color=colours.band, opacity=0.75, interpolate="linear").encode(
            x=when, y=alt.Y("low:Q", title=None, scale=alt.Scale(zero=False)), y2="high:Q"
        ),
        of.mark_line(color=colours.accent, strokeWidth=1.75, strokeJoin="round").encode(x=when, y="rating:Q"),
    ]
    if single:
        marks.append(of.mark_point(color=colours.accent, filled=True, size=60).encode(x=when, y="rating:Q"))
    for side, away in _SIDES.items():
        if side in data:
            changed = alt.Chart(alt.NamedData(name=side)).encode(x=when)
            marks.append(changed.mark_rule(color=colours.quiet, strokeDash=[3, 3]))
            words = changed.mark_text(color=colours.quiet, align=side, dx=away, baseline="top", fontSize=12)
            marks.append(words.encode(y=alt.value(2), text="words:N"))
    if _PEAK in data:
        best = alt.Chart(alt.NamedData(name=_PEAK)).encode(x=when, y="rating:Q")
        marks.append(best.mark_point(color=colours.ink, fill=colours.paper, strokeWidth=2, size=55, opacity=1))
        words = best.mark_text(color=colours.ink, dx=4, dy=-14, fontSize=13, fontWeight=600, align="right")
        marks.append(words.encode(text="words:N"))
    if explored:
        near = alt.selection_point(name="near", nearest=True, on="pointermove", fields=["at"], empty=False)
        points = of.mark_point(size=70, filled=True, color=colours.ink).encode(
            x=when,
            y="rating:Q",
            opacity=alt.condition(near, alt.value(1), alt.value(0)),
            tooltip=["when:N", "shown:N", "interval:N"],
        )
        marks.append(points.add_params(near))
        marks[0] = marks[0].add_params(alt.selection_interval(bind="scales", encodings=["x"], name="zoom"))
    drawn: alt.LayerChart = (
        alt.layer(*marks)
        .properties(
            width=width, height=height, padding=0, background="transparent", autosize=alt.AutoSizeParams(type="fit")
        )
        .configure(font=_FONT)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=colours.quiet,
            labelFontSize=12,
            gridColor=colours.line,
            domainColor=colours.line,
            tickColor=colours.line,
            labelPadding=6,
        )
        .configure_axisY(domain=False, ticks=False, tickCount=6)
    )
    found: dict[str, Any] = drawn.to_dict()
    return found


def changes_of(career: Career, history: Sequence[Brought]) -> list[Ruled]:
    """Where the methodology changed: at the first point that stands behind it. The pool's first one is no change."""
    found = []
    for one in history[1:]:
        behind = next((point for point in career.points if point.position > one.position), None)
        if behind is not None and behind.position != career.points[0].position:
            found.append(Ruled(behind.at, one.methodology))
    return found


def _datum(point: Point, interval: float) -> dict[str, str | float]:
    low, high = band(point.rating, point.deviation, interval)
    return {
        "at": _time(point.at),
        "rating": round(point.rating, 2),
        "low": round(point.rating - interval * point.deviation, 2),
        "high": round(point.rating + interval * point.deviation, 2),
        "when": f"{point.at.day} {point.at:%b} {point.at.year}",
        "shown": f"{digits(round(point.rating))} ±{digits(round(point.deviation))}",
        "interval": f"{digits(low)} to {digits(high)}",
    }


def _time(at: datetime) -> int:
    """Milliseconds since 1970, as JavaScript counts: years before 1000 have no other safe spelling."""
    return int(at.timestamp() * 1000)
