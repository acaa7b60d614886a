"""How matches of the arena ended, as its pages say it: in lists, on a match's page, in a pool."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import cast

import httpx2
import pytest
from arenas import Arena, arena

from tallymark.arena import Agent, Request
from tallymark.arena.store import records
from tallymark.games.vocabulary import Ending
from tallymark.service.arena.documents import ListedMatch
from tallymark.service.pages.arena.outcome import outcome_of
from tallymark.service.pages.words import ENDED

DRAW = ("a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2")


class Drawing(Agent):
    """Plays its part of a draw."""

    def act(self, request: Request) -> str:
        actions = request.observation["actions"]
        assert isinstance(actions, list)
        return DRAW[len(actions)]


class First(Agent):
    """Takes the first action there is."""

    def act(self, request: Request) -> str:
        return request.legal[0]


class Wrong(Agent):
    """Never does what is allowed."""

    def act(self, request: Request) -> str:
        return "z9"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena where a match was drawn, one won on the board, and one lost by an illegal action."""
    with arena(tmp_path_factory.mktemp("arena"), reads_a_minute=0) as found:
        for kind, other, name in ((Drawing, Drawing, "bob-1"), (First, First, "bob-1"), (First, Wrong, "bob-2")):
            both = kind("ann-1", key=found.keys["ann"]), other(name, key=found.keys["bob"])
            with ThreadPoolExecutor() as pool:
                ends = [pool.submit(one.play, found.url, "tic-tac-toe", matches=1) for one in both]
                assert [len(one.result(60)) for one in ends] == [1, 1]
        yield found


def text(here: Arena, path: str) -> str:
    answer = httpx2.get(here.url + path)
    assert answer.status_code == 200
    return answer.text


def row(page: str, match: str) -> str:
    """A row of a list, without its marks."""
    (found,) = [one for one in page.split("<tr>") if f'/{match}">' in one]
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", found).split()))


@pytest.mark.parametrize("path", ["/arena", "/arena/matches", "/arena/agents/ann-1"])
def test_lists_say_who_won_and_why_and_of_a_draw_that_nobody_did(here: Arena, path: str) -> None:
    page = text(here, path)
    drawn, won, wrong = (row(page, f"tic-tac-toe-{n}") for n in (1, 2, 3))
    assert "drawn: the board is full" in drawn
    assert "won" not in drawn
    assert re.search(r"(ann|bob)-1 , won .*[xo] has three in a row", won)
    assert "bob-2 answered with an action that the game does not allow" in wrong
    assert "ann-1 , won" in wrong
    assert "played to its end" not in page


def test_a_list_with_a_damaged_record_in_it_is_shown(here: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "last", lambda connection, matches: {one: [(0, b"{}")] for one in matches})
    assert "The game was played to its end." in row(text(here, "/arena/matches"), "tic-tac-toe-2")


def test_an_agents_list_says_what_each_match_changed(here: Arena) -> None:
    for path in ("/arena/agents/ann-1", "/arena/matches?agent=ann-1"):
        page = text(here, path)
        assert "+0" in row(page, "tic-tac-toe-1")
        assert re.search(r" \+[1-9]", row(page, "tic-tac-toe-3"))
    assert "+" not in row(text(here, "/arena/matches"), "tic-tac-toe-3")


def test_a_matchs_page_says_once_who_failed_and_how(here: Arena) -> None:
    (banner,) = re.findall(r'id="outcome" role="status">(.*?)</p>', text(here, "/arena/matches/tic-tac-toe-3"))
    assert re.sub(r"<[^>]+>", "", banner).strip() == (
        "ann-1 won. bob-2 answered with an action that the game does not allow."
    )
    (drawn,) = re.findall(r'id="outcome" role="status">(.*?)</p>', text(here, "/arena/matches/tic-tac-toe-1"))
    assert re.sub(r"<[^>]+>", "", drawn).strip() == "Drawn. The board is full."


def test_a_pools_page_of_a_match_says_its_ending_where_there_is_something_to_say(here: Arena) -> None:
    assert "normal" not in text(here, "/pools/tic-tac-toe/matches/tic-tac-toe-1").split("</h1>")[1].split("</p>")[0]
    assert "ended by an illegal action" in text(here, "/pools/tic-tac-toe/matches/tic-tac-toe-3")
    assert set(ENDED) | {"normal"} == set(Ending)


def of(ranks: list[int | None], reason: str) -> ListedMatch:
    seats = [{"agent": f"agent-{n}", "rank": rank} for n, rank in enumerate(ranks)]
    return cast(ListedMatch, {"seats": seats, "reason": reason, "told": "The reason."})  # as far as these are asked


@pytest.mark.parametrize(
    ("match", "told", "said"),
    [
        (of([1, 1, 2], "finished"), "the village wins: no wolf is left", ("The village won", "no wolf is left")),
        (of([2, 1, 2], "finished"), "the wolves win: they are as many", ("The wolves won", "they are as many")),
        (of([1, 1], "finished"), "drawn: stalemate", ("Drawn", "stalemate")),
        (of([1, 1], "timeout"), "no action came", ("Drawn", "both let the deadline of an action pass")),
        (of([1, 2], "disconnect"), "it broke", ("agent-0 won", "agent-1 lost the connection during the match")),
        (of([None, None], "restart"), "The reason.", (None, "The reason.")),
        (of([1, 2], "resigned"), "white resigns", ("agent-0 won", "white resigns")),
        (of([1, 2], "finished"), None, ("agent-0 won", "The reason.")),
    ],
)
def test_an_ending_in_words(match: ListedMatch, told: str | None, said: tuple[str | None, str]) -> None:
    found = outcome_of(match, told)
    assert found[:2] == said
    assert found.listed == {"Drawn": f"drawn: {said[1]}"}.get(said[0] or "", found.listed)
    if len(match["seats"]) > 2:
        assert found.listed == f"{said[0]}: {said[1]}"


def test_the_drawing_explains_the_mark_of_a_failure(here: Arena) -> None:
    page = text(here, "/arena/matches/tic-tac-toe-3")
    legend = page.split("<figcaption>")[1].split("</figcaption>")[0]
    assert re.search(r"#illegal.*An answer that was not legal\.", legend)
    assert "An answer that was not legal." not in text(here, "/arena/matches/tic-tac-toe-2")
    assert "bob-2: nothing legal" in page.split('role="img"')[1]
