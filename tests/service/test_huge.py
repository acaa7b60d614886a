"""A rating that people have set to more than whole numbers of 64 bits: everything that shows it goes on."""

import orjson
import pytest
from clubs import Club

import tallymark as tm
from tallymark.ledger.entries import Entry
from tallymark.ledger.reading.effects import Effect, Effects
from tallymark.service.live.events import event_of


@pytest.mark.parametrize("rating", [1e300, -1e300, 2.0**60])
def test_every_view_of_a_huge_rating_is_there(club: Club, rating: float) -> None:
    club.played("m1", "ann", "bob", 1)
    with tm.Ledger.open(club.path, clock=club.clock) as ledger:
        given: dict[str | int, tm.Rating] = {"ann": tm.Rating(rating, 80, 0.06)}
        receipt = ledger.adjust(given, pool="chess", id="set", reason="r", case="c", approvers=["eve"])
        ledger.settled(receipt, 30)
    club.played("m2", "ann", "bob", 0.5)
    pool = "/v1/pools/chess"
    for path in (
        "boards/all-time",
        "boards/week",
        "boards/month",
        "players/ann",
        "players/ann/history",
        "head-to-head?a=ann&b=bob",
        "predictions?a=ann&b=bob",
        "ratings?players=ann&players=bob",
        "matches/m2",
        "entries",
        "entries/4",
    ):
        answer = club.client.get(f"{pool}/{path}")
        assert answer.status_code == 200, (path, answer.text)
        orjson.loads(answer.content)
    (ann,) = [row for row in club.client.get(f"{pool}/boards/all-time").json()["board"] if row["player"] == "ann"]
    assert ann["shown"]["rating"] == ann["rating"] == pytest.approx(rating)
    for path in (
        "",
        "/players/ann",
        "/players/ann/chart.svg",
        "/players/ann/chart.json",
        "/players/ann/against/bob",
        "/matches/m2",
        "/entries/3",
        "/entries/4",
    ):
        answer = club.client.get(f"/pools/chess{path}")
        assert answer.status_code == 200, (path, answer.text[:2000])


def test_an_entry_of_a_huge_rating_is_told_to_who_follows() -> None:
    huge, less = tm.Rating(1e300, 80, 0.06), tm.Rating(-1e300, 80, 0.06)
    entry = Entry(3, bytes(32), b'{"n":3,"kind":"rated","at":5,"rules":1,"match":{},"after":[]}')
    event = event_of(Effects(entry, "rated", 5, [Effect("ann", less, huge)]), {})
    (move,) = orjson.loads(event.partition(b"data: ")[2])["players"]
    assert move["shown"] == {"rating": 1e300, "deviation": 80, "change": 2e300}
