"""What is refused at the door, with what was given: names that no address can have, keys called as nobody is, links
that lead nowhere, items told twice, forms in bytes that are no text, numbers that are none."""

from typing import Any

import pytest
from clubs import Club
from desks import signed_in

import tallymark as tm
from tallymark.errors import InputError
from tallymark.service.cases.adjustments import checked
from tallymark.service.keys.keyring import Keyring
from tallymark.service.votes.about import checked as about
from tallymark.service.votes.listing import items_in, items_of


@pytest.mark.parametrize("name", [".", "..", "a/b", "/", "a\\b"])
def test_pools_have_names_that_an_address_can_have(shared: Club, name: str) -> None:
    with (
        tm.Ledger.open(shared.path, clock=shared.clock) as ledger,
        pytest.raises(InputError, match="that an address can have"),
    ):
        ledger.open_pool(name, "arena")
    if "/" in name:
        path = f"/v1/pools/{name.replace('/', '%2F')}"
        answer = shared.client.put(path, json={"methodology": "arena"}, headers=shared.by("admin"))
        assert answer.status_code in (400, 404)
    proof = signed_in(shared, "admin")
    shared.client.post("/admin/pools", data={"proof": proof, "pool": name, "name": name, "methodology": "arena"})
    assert [one["pool"] for one in shared.client.get("/v1/pools").json()["pools"]] == ["chess"]


@pytest.mark.parametrize("name", ["service", "Somebody", " service "])
def test_no_key_is_called_as_who_has_none(shared: Club, name: str) -> None:
    keyring: Keyring = shared.client.app.state.service.keyring  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="who acts without a key"):
        keyring.make(name, ["read"])
    body = {"name": name, "scopes": ["read"]}
    assert shared.client.post("/v1/keys", json=body, headers=shared.by("admin")).json()["field"] == "name"


@pytest.mark.parametrize(
    "link",
    ["https://a..b", "https://-a.org/", "https://a-.org", "https://a.org:0", "https://a.org:65536/x", "https://1.2.3",
     "https://1.2.3.256/", f"https://{'a' * 64}.org"],
)  # fmt: skip
def test_links_lead_somewhere(link: str) -> None:
    with pytest.raises(InputError, match="expected the address of a page"):
        about({"link": link})
    assert about({"link": "https://1.2.3.4:443/?q"}) == {"link": "https://1.2.3.4:443/?q"}


def test_an_item_is_told_once() -> None:
    with pytest.raises(InputError, match=r"items\[2\] is 'a' once more"):
        items_of([{"id": "a"}, {"id": "b"}, {"id": "a", "name": "another"}])
    with pytest.raises(InputError, match="item 2 is 17 once more"):
        items_in("17,one\n17,another")
    assert list(items_of([{"id": 17}, {"id": "17"}])) == [17, "17"]


@pytest.mark.parametrize("value", [None, "1500", True])
def test_a_rating_that_is_no_number_is_told_as_it_was_given(value: Any) -> None:
    rating = {"player": "ann", "rating": value, "deviation": 80, "volatility": 0.06}
    with pytest.raises(InputError, match=rf"ratings\[0\].rating is {value!r}; expected a finite number") as told:
        checked({"do": "adjust", "ratings": [rating]})
    assert told.value.field == "adjustment.ratings[0].rating"


def test_a_form_in_bytes_that_are_no_text_is_refused(club: Club) -> None:
    proof = signed_in(club, "admin")
    parts: dict[str, tuple[None, str | bytes]] = {
        "proof": (None, proof),
        "pool": (None, "chess"),
        "items": (None, "plum,Crème brûlée 🍮"),
    }
    assert club.client.post("/admin/items", files=parts).status_code == 200
    known = club.client.get("/v1/pools/chess/items").json()
    assert known["items"][0]["name"] == "Crème brûlée 🍮"
    broken = parts | {"items": (None, b"pear,Cr\xe8me")}
    assert "not in UTF-8" in club.client.post("/admin/items", files=broken).text
    packed = f"proof={proof}&pool=chess&items=pear,Cr%E8me"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert "not in UTF-8" in club.client.post("/admin/items", content=packed, headers=form).text
    assert club.client.get("/v1/pools/chess/items").json()["count"] == 1
