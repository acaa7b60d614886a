"""The page about the games says what the games are."""

import json
from collections.abc import Mapping

from pages import REPOSITORY, fences

from tallymark.arena.games.catalogue import game, games
from tallymark.arena.games.face import Choice
from tallymark.arena.games.werewolf.roles import COUNTS, Role
from tallymark.arena.house.roster import house_agents
from tallymark.ledger.matches import Json

TEXT = (REPOSITORY / "docs" / "guide" / "arena-games.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| ")]


def test_every_game_has_its_row() -> None:
    told = {row[0]: row for row in ROWS if row[0].startswith("`") and len(row) == 6}
    assert [f"`{one.name}`" for one in games()] == list(told)
    for one in games():
        row = told[f"`{one.name}`"]
        assert row[1] == f"`{one.pool}`"
        assert row[2] == ", ".join(map(str, one.seats))
        assert row[4] == f"{one.ruleset.action_ms:,}"
        assert row[5] == f"`{one.ruleset.name}`"
        assert one.rules == ("go-onchain-v2" if one.pool == "go" else "arena-v0")


def test_every_table_of_roles_is_the_games() -> None:
    for seats, counts in COUNTS.items():
        cells = [counts.get(role, 0) for role in (Role.WOLF, Role.SEER, Role.DOCTOR, Role.VILLAGER)]
        assert [str(seats), *map(str, cells)] in ROWS


def test_observations_on_the_page_are_observations() -> None:
    told: dict[str, Mapping[str, Json]] = {
        one["game"]: one
        for fence in fences(TEXT)
        if fence.kind == "json"
        for one in map(json.loads, fence.body.splitlines())
    }
    assert list(told) == ["connect-four", "kuhn-poker", "werewolf"]
    four = game("connect-four").start(bytes(32), 2)
    for action in ("4", "4", "3"):
        four.apply(four.awaited[0], action)
    assert told["connect-four"] == four.seen(1)
    kuhn = game("kuhn-poker").start(bytes(32), 2)
    for action in ("bet", "pass", "pass"):
        kuhn.apply(kuhn.awaited[0], action)
    assert told["kuhn-poker"] == kuhn.seen(0)
    werewolf = game("werewolf").start(bytes(32), 5)
    for seat, action in enumerate(("look 2", "guard 0", "eat 3", "sleep", "sleep")):
        werewolf.apply(seat, action)
    werewolf.apply(4, "I trust nobody.")
    assert told["werewolf"] == werewolf.seen(0)


def test_every_field_of_an_observation_and_every_house_agent_is_explained() -> None:
    for one in games():
        position = one.start(bytes(32), one.seats[0])
        for field in position.seen(0):
            assert f"`{field}`" in TEXT, (one.name, field)
        for agent in house_agents(one.name):
            assert f"`{agent.manner}`" in TEXT or f"-{agent.manner}`" in TEXT, agent.id


def test_who_resigns() -> None:
    resigned = []
    for one in games():
        position = one.start(bytes(32), one.seats[0])
        form = position.form(position.awaited[0])
        if isinstance(form, Choice) and "resign" in form.actions:
            resigned.append(one.pool)
    assert set(resigned) == {"go"}
