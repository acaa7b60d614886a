"""What a player is, wherever one is named: a house agent is called so in every object and page."""

import asyncio
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from clubs import Club, opened

import tallymark as tm
from tallymark.service.live.live import Live

HTML = {"Accept": "text/html"}
HOUSE = "house-hex-greedy"


@pytest.fixture
def site(tmp_path: Path) -> Any:
    with opened(tmp_path) as club:
        club.played("m1", "ann", HOUSE, 1)
        club.played("m2", HOUSE, "bob", 0.5)
        club.played("m3", "ann", "bob", 0)
        for player, kind in ((HOUSE, "house"), ("ann", "agent")):
            answer = club.client.put(f"/v1/players/{player}", json={"kind": kind}, headers=club.by("append"))
            assert answer.status_code == 200
        yield club


def test_objects_have_the_kind_beside_the_player(site: Club) -> None:
    def got(path: str) -> Any:
        return site.client.get(f"/v1/pools/chess/{path}").json()

    seats = [seat for side in got("matches/m1")["sides"] for seat in side["seats"]]
    assert {one["player"]: one["kind"] for one in seats} == {"ann": "agent", HOUSE: "house"}
    history = got(f"players/{HOUSE}/history")
    assert history["kind"] == "house"
    assert [match["kinds"] for change in history["changes"] for match in change["matches"]] == [[None], ["agent"]]
    assert got("players/ann/history")["changes"][1]["matches"][0]["kinds"] == ["house"]
    pair = f"?a=ann&b={HOUSE}"
    both = got(f"head-to-head{pair}")
    assert (both["kind_a"], both["kind_b"]) == ("agent", "house")
    expected = got(f"predictions{pair}")
    assert (expected["a"]["kind"], expected["b"]["kind"]) == ("agent", "house")
    imagined = site.client.post(
        "/v1/pools/chess/counterfactual", json={"matches": ["m1"]}, headers=site.by("review")
    ).json()
    assert {one["player"]: one["kind"] for one in imagined["moves"]} == {"ann": "agent", HOUSE: "house", "bob": None}


def test_a_correction_keeps_the_kinds_of_what_was(site: Club) -> None:
    with tm.Ledger.open(site.path) as ledger:
        ledger.annul(["m1"], pool="chess", id="c1", reason="why")
        ledger.settle()
    match = site.client.get("/v1/pools/chess/matches/m1").json()
    sides = [match["sides"], *([match["first"]["sides"]] if match["first"] else [])]
    for some in sides:
        seats = [seat for side in some for seat in side["seats"]]
        assert {one["player"]: one["kind"] for one in seats} == {"ann": "agent", HOUSE: "house"}


def test_the_stream_has_it_too(site: Club) -> None:
    with tm.Ledger.open(site.path) as ledger:

        async def read() -> list[bytes]:
            live = Live(ledger, beat=1.0, kept=1 << 20, each=1, most=1)
            return list(await live.read("chess", 1))

        first = asyncio.run(read())[0]
    told = json.loads(first.partition(b"data: ")[2])
    assert {one["player"]: one["kind"] for one in told["players"]} == {"ann": "agent", HOUSE: "house"}


@pytest.mark.parametrize(
    "path",
    [
        "",
        f"/players/{HOUSE}",
        "/players/ann",
        "/matches/m1",
        f"/players/ann/against/{HOUSE}",
        f"/players/{HOUSE}/against/ann",
        f"/players/{HOUSE}/flag",
        "/matches/m1/flag",
        "/entries/2",
    ],
)
def test_pages_call_a_house_agent_so_wherever_they_name_one(site: Club, path: str) -> None:
    answer = site.client.get(f"/pools/chess{path}", headers=HTML)
    assert answer.status_code == 200
    main = re.sub(
        r"<(pre|code|script)\b.*?</\1>|<details.*?</details>", "", answer.text.partition("<main")[2], flags=re.S
    )
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())
    named = re.findall(rf"{HOUSE}((?: \(house\)|.{{0,3}} house)?)", text)
    assert named
    assert all(named), text
