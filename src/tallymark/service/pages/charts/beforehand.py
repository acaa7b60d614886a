"""What charts need, made before anybody asks: the first one who does need not wait for it."""

from contextlib import suppress
from datetime import UTC, datetime
from subprocess import CalledProcessError

from tallymark.service.pages.career import Career, Point
from tallymark.service.pages.charts import drawn
from tallymark.service.pages.charts.spec import spec


def draw_one() -> None:
    """Draws a chart of two points: a second or two at first, nothing where what draws is not installed."""
    points = tuple(Point(datetime(1970, 1, day, tzinfo=UTC), 1500.0, 80.0, day) for day in (1, 2))
    with suppress(ImportError):
        form = spec(Career(points, True, False), None, [], 2.0, "light", "wide", explored=False)
        drawn.svg(drawn.text_of(form))


def make_bundle() -> None:
    """Makes the script that browsers draw charts with, in another process; nothing where that is stopped, or where what
    it is made of is not installed."""
    with suppress(ImportError, CalledProcessError):
        drawn.bundle()
