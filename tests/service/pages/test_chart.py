"""Charts: what stands on them, and that nothing of it is cut off where a chart is explored."""

from datetime import UTC, datetime

from tallymark.service.pages.career import Career, Point
from tallymark.service.pages.charts.spec import Ruled, spec

DAYS = [datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 11)]
POINTS = tuple(Point(at, 1500.0 + n, 80.0, n + 1) for n, at in enumerate(DAYS))


def test_words_of_changed_rules_stand_inside_of_the_chart() -> None:
    ruled = [Ruled(DAYS[1], "arena-v0"), Ruled(DAYS[9], "arena-v1-draft")]
    found = spec(Career(POINTS, True, False), POINTS[9], ruled, 2.0, "light", "wide", explored=True)
    named = {side: [one["words"] for one in found["datasets"][side]] for side in ("left", "right")}
    assert named == {"left": ["arena-v0"], "right": ["arena-v1-draft"]}
    texts = {one["data"]["name"]: one["mark"] for one in found["layer"] if one["mark"].get("type") == "text"}
    assert (texts["left"]["align"], texts["left"]["dx"]) == ("left", 5)
    assert (texts["right"]["align"], texts["right"]["dx"]) == ("right", -5)
    room = {one["encoding"]["x"]["scale"]["padding"] for one in found["layer"]}
    assert len(room) == 1
    (room_,) = room
    assert texts["peak"]["align"] == "right"
    assert texts["peak"]["dx"] < room_
    assert found["padding"] == 0
