"""Differences over a replay as a chart: P, mu and phi below one another, sizes on a log scale."""

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tallymark.errors import InputError, MissingLibraryError, WriteError
from tallymark.files import written_beside
from tallymark.tables import Table

if TYPE_CHECKING:
    import altair

SUFFIXES: Final = (".svg", ".png", ".html")
_PANELS: Final = {
    "p": "win probability P, games since the point before",
    "mu": "mu, players so far",
    "phi": "phi, players so far",
}
_MEASURES: Final = {"largest": "largest", "mean": "mean", "drift": "mean with signs"}
_COLOURS: Final = {"half-even": "#0969da", "truncating": "#bc4c00"}
_DASHES: Final[dict[str, list[float]]] = {"largest": [1, 0], "mean": [6, 3], "mean with signs": [1.5, 2.5]}
_WIDTH, _HEIGHT = 640, 150
_SHARPNESS: Final = 2.0
"""Pixels of a .png to one of the chart."""


def write_chart(checkpoints: Table, path: str | os.PathLike[str]) -> None:
    """Draws the checkpoints of an `Exactness` into a file, as its `write_chart` says."""
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise WriteError(f"{target}: cannot tell the format", hint=f"end the name in {', '.join(SUFFIXES)}")
    drawn = chart(checkpoints)
    with written_beside(target) as beside:
        if suffix == ".html":
            drawn.save(beside, "html", inline=True)
        else:
            drawn.save(beside, "png" if suffix == ".png" else "svg", scale_factor=_SHARPNESS if suffix == ".png" else 1)


def check_libraries() -> None:
    """MissingLibraryError where what draws charts is not installed: worth knowing before millions of games."""
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401  # what altair draws with
    except ImportError as error:
        raise MissingLibraryError(
            "charts are drawn by altair and vl-convert, which are not installed",
            hint="pip install 'tallymark[charts]'; in a clone, uv run --extra charts tallymark ...",
        ) from error


def chart(checkpoints: Table) -> "altair.VConcatChart":
    """The chart; InputError where there is nothing to draw, MissingLibraryError without altair and vl-convert."""
    if not len(checkpoints):
        raise InputError("there is no checkpoint to draw: no game was compared", hint="leave the chart out")
    check_libraries()
    import altair

    panels = [_panel(checkpoints, quantity, title) for quantity, title in _PANELS.items()]
    drawn: altair.VConcatChart = (
        altair.vconcat(*panels, background="white")
        .properties(title="How far go-onchain-v2 in integers is from go-float-v2 in floats")
        .configure_legend(orient="top", title=None, symbolSize=300)
        .configure_axis(labelColor="#59636e", titleColor="#59636e", gridColor="#e6e9ec")
        .configure_title(anchor="start", color="#1f2328")
    )
    return drawn


def _panel(checkpoints: Table, quantity: str, title: str) -> "altair.Chart":
    """One quantity: a line for each measure and division. What is 0 has no place on a log scale and is left out."""
    import altair

    points = [
        {"game": row["game"], "integers": row["division"], "measure": word, "size": abs(float(str(value)))}
        for row in checkpoints.rows()
        for name, word in _MEASURES.items()
        if (value := row.get(f"{quantity}_{name}"))
    ]
    powers = _powers([float(str(point["size"])) for point in points])
    last = quantity == list(_PANELS)[-1]
    drawn: altair.Chart = (
        altair.Chart(altair.InlineData(values=points))
        .mark_line(point=len(checkpoints) == 2)
        .encode(
            x=altair.X("game:Q", title="games rated" if last else None, axis=altair.Axis(format="~s", tickCount=8)),
            y=altair.Y(
                "size:Q",
                title=None,
                scale=altair.Scale(type="log", domain=[powers[0], powers[-1]]),
                axis=altair.Axis(format="~e", values=powers),
            ),
            color=altair.Color("integers:N", scale=altair.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))),
            strokeDash=altair.StrokeDash(
                "measure:N", scale=altair.Scale(domain=list(_DASHES), range=list(_DASHES.values()))
            ),
        )
        .properties(title=title, width=_WIDTH, height=_HEIGHT)
    )
    return drawn


def _powers(sizes: list[float]) -> list[float]:
    """The powers of ten that the sizes lie between, and those among them.

    >>> _powers([0.05, 2.0]), _powers([])
    ([0.01, 0.1, 1.0, 10.0], [0.1, 1.0])
    """
    low, high = (math.floor(math.log10(one)) for one in (min(sizes, default=0.5), max(sizes, default=0.5)))
    return [float(f"1e{power}") for power in range(low, high + 2)]
