"""The stream: every entry once, in order, to whoever listens and however often they come back."""

import json
import re
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from listeners import Listener, serving

import tallymark as tm
from tallymark.ledger.matches import Json
from tallymark.service.settings import Settings


class Site:
    """A server, and its ledger from outside."""

    def __init__(self, ledger: tm.Ledger, port: int) -> None:
        self.ledger, self.port = ledger, port

    def play(self, first: int, count: int, pool: str = "chess") -> None:
        """Appends matches, which the server rates."""
        some: list[dict[str, Json]] = [
            {"id": n, "player_a": f"p{n % 7}", "player_b": f"p{n % 7 + 1}", "score_a": 1, "data": "x" * 200}
            for n in range(first, first + count)
        ]
        self.ledger.append_many(some, pool=pool)

    def listen(self, after: int | None = None, *, last: int | str | None = None, pool: str = "chess") -> Listener:
        return Listener(self.port, pool, after=after, last=last)


@contextmanager
def opened(path: Path, **settings: object) -> Iterator[Site]:
    url = str(path / "club.db")
    with tm.Ledger.open(url, create=True) as ledger:
        ledger.open_pool("chess", "arena")
        ledger.open_pool("go", "arena")
        with serving(Settings(ledger=url, **settings)) as (port, _):  # type: ignore[arg-type]
            yield Site(ledger, port)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with opened(tmp_path_factory.mktemp("site"), beat_seconds=0.1) as found:
        yield found


def positions(told: list[dict[str, Json]]) -> list[object]:
    return [one["position"] for one in told]


def test_an_entry_as_it_is_told(site: Site) -> None:
    with site.listen(pool="go") as listener:
        assert (listener.status, listener.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        assert listener.headers["cache-control"] == "no-store"
        match: dict[str, Json] = {"id": 1, "player_a": "ann", "player_b": 2, "score_a": 1, "data": "a\nb"}
        site.ledger.append(match, pool="go")
        site.ledger.append({"id": 2, "player_a": "ann", "player_b": 2, "score_a": 0}, pool="go")
        site.ledger.append({"id": 3, "player_a": "ann", "player_b": 2, "score_a": None}, pool="go")
        first, second, third = listener.entries(3)
    assert (first["hash"], first["kind"]) == (site.ledger.entry("go", 2).hash.hex(), "rated")
    assert first["match"] == match
    for player in ("ann", 2):
        history = site.ledger.history(player, "go")
        for told, change in zip((second, first), history, strict=True):
            assert isinstance(told["players"], list)
            assert {
                "player": player,
                "kind": None,
                "rating": change.after.rating,
                "deviation": change.after.deviation,
                "change": change.change,
                "shown": {
                    "rating": round(change.after.rating),
                    "deviation": round(change.after.deviation),
                    "change": round(change.after.rating) - round(change.before.rating),
                },
            } in told["players"]
    assert (third["kind"], third["reason"], third["players"]) == ("not-rated", "no-result", [])


def test_commands_and_whom_they_moved(site: Site) -> None:
    site.ledger.open_pool("commands", "arena")
    ledger = site.ledger
    ledger.append({"id": 1, "player_a": "ann", "player_b": "bob", "score_a": 1}, pool="commands")
    ledger.adjust({"ann": tm.Rating(1700, 80)}, pool="commands", id="a1", reason="known from elsewhere")
    ledger.annul([1], pool="commands", id="c1", reason="never played", case="17", approvers=["rosa", "sam"])
    with site.listen(0, pool="commands") as listener:
        opened, rated, adjusted, corrected = listener.entries(4)
    assert (opened["kind"], rated["kind"], adjusted["kind"]) == ("opened", "rated", "adjusted")
    assert adjusted["command"] == {
        "command": "adjust", "id": "a1", "case": None, "reason": "known from elsewhere", "approvers": []
    }  # fmt: skip
    assert isinstance(adjusted["players"], list)
    (ann,) = adjusted["players"]
    assert isinstance(ann, dict)
    (change, before) = ledger.history("ann", "commands")[-2:]
    assert (ann["player"], ann["rating"], ann["change"]) == ("ann", 1700.0, 1700.0 - before.after.rating)
    assert change.after.rating == 1700.0
    assert corrected["command"] == {
        "command": "correct", "id": "c1", "what": "annul", "case": "17", "reason": "never played",
        "approvers": ["rosa", "sam"],
    }  # fmt: skip


def test_from_the_head_behind_a_position_and_after_the_last_event(site: Site) -> None:
    site.play(0, 3)
    with site.listen(0) as listener:
        assert positions(listener.entries(4)) == [1, 2, 3, 4]
    with site.listen() as listener:
        begin = next(listener.events)
        assert (begin.id, begin.text) == (4, "retry: 2000\nid: 4")
        site.play(3, 1)
        assert positions(listener.entries(1)) == [5]
    # A browser comes back to the address that it had, with the header: the header is the later word.
    with site.listen(0, last=3) as listener:
        assert positions(listener.entries(2)) == [4, 5]


def test_a_sign_of_life(site: Site) -> None:
    with site.listen() as listener:
        assert next(listener.events).id is not None
        assert next(listener.events).text == ": beat"
        assert next(listener.events).text == ": beat"


@pytest.mark.parametrize(
    ("pool", "after", "last", "status", "kind"),
    [
        ("none", None, None, 404, "unknown-pool"),
        ("go", 10**6, None, 404, "unknown-entry"),
        ("go", None, 10**6, 404, "unknown-entry"),
        ("go", None, "x", 422, "invalid-parameter"),
        ("go", -1, None, 422, "invalid-parameter"),
    ],
)
def test_where_a_stream_cannot_begin(
    site: Site, pool: str, after: int | None, last: int | str | None, status: int, kind: str
) -> None:
    with site.listen(after, last=last, pool=pool) as listener:
        assert listener.status == status
        assert json.loads(listener.body())["type"] == f"/problems/{kind}"


def test_streams_of_an_address(tmp_path: Path) -> None:
    with opened(tmp_path, streams=3) as site:
        with ExitStack() as stack:
            assert [stack.enter_context(site.listen()).status for _ in range(3)] == [200] * 3
            with site.listen() as refused:
                assert (refused.status, json.loads(refused.body())["type"]) == (429, "/problems/too-many-requests")
                assert int(refused.headers["retry-after"]) > 0
        # Their places are free as soon as the server has seen that they left.
        end = time.monotonic() + 10
        status = 429
        while status == 429:
            assert time.monotonic() < end
            with site.listen() as again:
                status = again.status
        assert status == 200


def test_streams_of_all_and_what_metrics_say_of_them(tmp_path: Path) -> None:
    with opened(tmp_path, all_streams=2, log_requests=False) as site:

        def metrics() -> str:
            with urllib.request.urlopen(f"http://127.0.0.1:{site.port}/metrics", timeout=30) as answer:
                text: str = answer.read().decode()
            return text

        with ExitStack() as stack:
            assert [stack.enter_context(site.listen()).status for _ in range(2)] == [200] * 2
            with site.listen() as refused:
                told = json.loads(refused.body())
                assert (refused.status, told["type"]) == (503, "/problems/unavailable")
                assert int(refused.headers["retry-after"]) > 0
            assert "tallymark_streams 2.0" in metrics()
        end = time.monotonic() + 10
        while "tallymark_streams 0.0" not in metrics():
            assert time.monotonic() < end
        # How long somebody listened is no time that an answer took.
        assert re.findall(r'request_seconds_count{operation="streamEntries",status="(...)"}', metrics()) == ["503"]


def test_many_read_what_one_thread_looks_for(tmp_path: Path) -> None:
    with opened(tmp_path) as site:
        told: list[list[object]] = []
        before = set(threading.enumerate())

        def read() -> None:
            with site.listen(0) as listener:
                told.append(positions(listener.entries(301)))

        listeners = [threading.Thread(target=read) for _ in range(60)]
        for n in range(3):
            for thread in listeners[n::3]:
                thread.start()
            site.play(n * 100, 100)
        # Workers answer requests, as many as there are at once, and none waits for entries.
        others = [
            one.name
            for one in set(threading.enumerate()) - before - set(listeners)
            if one.name != "AnyIO worker thread"
        ]
        for thread in listeners:
            thread.join(30)
        assert told == [list(range(1, 302))] * 60
        assert len(others) < 10, others


def test_a_slow_reader_is_sent_away_and_misses_nothing(tmp_path: Path) -> None:
    with opened(tmp_path, stream_bytes=50_000) as site, site.listen(0) as quick:
        with Listener(site.port, "chess", after=0, buffer=4096) as slow:
            count = 8000  # some megabytes: more than all buffers between, and than what is kept
            for n in range(0, count, 500):
                site.play(n, 500)
                assert len(quick.entries(500)) == 500
            events = list(slow.events)
        told = [event.id for event in events if event.kind == "entry"]
        assert told == list(range(1, len(told) + 1))
        assert len(told) < count + 1
        end = events[-1]
        assert (end.kind, end.id, end.data["why"], end.data["last"]) == ("end", None, "slow", told[-1])
        assert "Last-Event-ID" in str(end.data["hint"])
        with site.listen(last=told[-1]) as back:
            rest = back.entries(count + 1 - len(told))
        assert positions(rest) == list(range(len(told) + 1, count + 2))


def test_streams_end_when_the_service_stops(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with opened(tmp_path) as site:
            listener = stack.enter_context(site.listen(0))
            assert len(listener.entries(1)) == 1
            began = time.monotonic()
        assert time.monotonic() - began < 5
        (end,) = listener.events
        assert (end.kind, end.data["why"], end.data["last"]) == ("end", "stopping", 1)
