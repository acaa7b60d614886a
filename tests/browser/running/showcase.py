"""A site for browsers: pools with many players, with none, with odd names, under a methodology that changed."""

import json
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import tallymark as tm
from tallymark.games.ids import Id
from tallymark.ledger.matches import Json
from tallymark.service import schema
from tallymark.service.keys.keyring import Keyring
from tallymark.service.votes.about import Abouts, Told
from tallymark.service.votes.items import Items

ODD = "cups & <saucers>"
CAKES: dict[Id, str] = {
    "plum": "Plum cake",
    "pear": "Pear tart",
    "fig": "<b>Fig</b> roll",
    "nut": "Hazelnut torte",
    5: "No. 5",
}
POLLS: dict[str, dict[Id, str]] = {"cakes": CAKES, "two cakes": {one: CAKES[one] for one in ("plum", "pear")}}
TOLD: dict[Id, Told] = {
    "plum": {
        "text": "Yeast dough with plums and sugar, as it was made on Sundays.",
        "link": "https://example.org/plum",
    },
    "fig": {"text": "Two layers.\n<i>Figs</i> between them.", "link": None},
    5: {"text": "word " * 99 + "end", "link": "https://cakes.example.org:8443/no/5?what=cake#top"},
}
UNDO = 60
"""Seconds for which a vote is held back: tests say themselves when they are over."""


class Site(NamedTuple):
    """Where it is, a key that may append, and those of people who run it."""

    url: str
    key: str
    people: dict[str, str]

    def played(self, id: str, a: str, b: str, score: float, pool: str = "football") -> None:
        """Sends a match, and waits until it is settled."""
        body = json.dumps({"player_a": a, "player_b": b, "score_a": score}).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        url = f"{self.url}/v1/pools/{pool}/matches/{id}?wait=30"
        with urllib.request.urlopen(urllib.request.Request(url, body, headers, method="PUT"), timeout=60) as answer:
            assert answer.status in (200, 201)


def built(path: Path, clock: Callable[[], int]) -> str:
    """Makes its ledger; the key."""
    with tm.Ledger.open(path, create=True, clock=clock) as ledger:
        ledger.open_pool("football", "arena-v0")
        ledger.open_pool("empty", "votes")
        ledger.open_pool(ODD, "lichess")
        teams = [f"Team {letter}{n}" for letter in "ABCDEFGH" for n in range(8)]
        for n in range(400):
            a, b = teams[n * 7 % 64], teams[(n * 11 + 3) % 64]
            if a != b:
                match: dict[str, Json] = {
                    "id": f"f{n}",
                    "player_a": a,
                    "player_b": b,
                    "score_a": (1.0, 0.5, 0.0)[n % 3],
                }
                match["played_at"] = f"{2020 + n // 100}-{n // 10 % 10 + 1:02}-{n % 28 + 1:02}T12:00:00Z"
                ledger.append(match, pool="football")
        ledger.settle()
        ledger.change_rules("football", "arena-v1-draft", id="rules-2")
        ledger.append({"id": "later", "player_a": "Team A0", "player_b": "Team B1", "score_a": 1}, pool="football")
        ledger.append({"id": "none", "player_a": "Team A0", "player_b": "Team B1", "score_a": None}, pool="football")
        ledger.append({"id": "a/b", "player_a": "<i>x</i>", "player_b": 17, "score_a": 1}, pool=ODD)
        sides: list[Json] = [{"players": ["17", 17], "rank": 1}, {"players": ["z"], "rank": 2}]
        ledger.append({"id": "teams", "sides": sides}, pool=ODD)
        ledger.settle()
        ledger.annul(["f0"], pool="football", id="c1", reason="played twice", approvers=["rosa", "sam"])
        ledger.settle()
        ledger.name("Team A0", "Ångström & sons", kind="agent")
        schema.upgraded(ledger.store)
        for pool, items in POLLS.items():
            ledger.open_pool(pool, "votes")
            ledger.learn(items, kind="item")
            Items(ledger, pool).list(items)
        Abouts(ledger).tell("cakes", TOLD)
        return Keyring(ledger.store, clock, 0.0).make("a test", ["append"])[1]


def hired(path: Path, clock: Callable[[], int]) -> dict[str, str]:
    """Keys of two people who may do everything, by name."""
    with tm.Ledger.open(path, clock=clock) as ledger:
        keyring = Keyring(ledger.store, clock, 0.0)
        return {name: keyring.make(name, ["admin"])[1] for name in ("rosa", "sam")}
