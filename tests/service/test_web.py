"""What every request passes: ids, strict headers, limits of rate, size and time, and no trace of the program."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from clubs import Club, opened
from listeners import serving
from pydantic import SecretStr

import tallymark as tm
from tallymark.errors import LedgerError
from tallymark.service.app import create_app
from tallymark.service.keys.keyring import Keyring
from tallymark.service.pages.statics import static_path
from tallymark.service.serving import server_of
from tallymark.service.settings import Settings
from tallymark.service.web.buckets import Buckets
from tallymark.service.web.logs import RequestLog


def test_every_answer_is_strict_and_has_an_id(shared: Club) -> None:
    for path in ("/v1/pools", "/v1/nothing", "/healthz", "/v1/openapi.json"):
        headers = shared.client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-request-id"]
        assert "access-control-allow-origin" not in headers
    assert shared.client.get("/healthz", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert shared.client.get("/healthz", headers={"X-Request-Id": "a b\t"}).headers["x-request-id"] != "a b\t"


def test_what_nobody_foresaw_is_a_problem_without_a_trace(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: tm.Ledger) -> None:
        raise RuntimeError("secret of the program")

    monkeypatch.setattr(tm.Ledger, "pools", broken)
    answer = club.client.get("/v1/pools")
    assert (answer.status_code, answer.json()["type"]) == (500, "/problems/internal")
    assert answer.json()["request"] == answer.headers["x-request-id"]
    assert "secret" not in answer.text
    assert 'tallymark_request_seconds_count{operation="listPools",status="500"} 1.0' in club.client.get("/metrics").text


def test_metrics_are_told_without_the_ledger(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.played("m1", "ann", "bob", 1)
    assert "tallymark_ledger_up 1.0" in club.client.get("/metrics").text

    def gone(self: tm.Ledger) -> None:
        raise LedgerError("the database is gone")

    monkeypatch.setattr(tm.Ledger, "backlogs", gone)
    answer = club.client.get("/metrics")
    assert answer.status_code == 200
    assert "tallymark_ledger_up 0.0" in answer.text
    assert 'tallymark_entries_total{kind="rated",pool="chess"} 1.0' in answer.text


def test_metrics_tell_that_the_clock_was_ahead(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    club.clock.at -= 3_600_000_000
    assert 'tallymark_clock_behind_seconds{pool="chess"} 3600.0' in club.client.get("/metrics").text
    club.clock.at += 7_200_000_000
    assert 'tallymark_clock_behind_seconds{pool="chess"} 0.0' in club.client.get("/metrics").text


def test_an_error_that_is_chosen_by_accept_says_so(shared: Club) -> None:
    for accept in ("text/html", "application/json"):
        answer = shared.client.get("/nothing", headers={"Accept": accept})
        assert (answer.status_code, answer.headers["vary"]) == (404, "Accept")
    assert "vary" not in shared.client.get("/v1/nothing").headers


def test_a_limit_of_rate_says_when_to_come_back(tmp_path: Path) -> None:
    with opened(tmp_path, reads_a_minute=2) as club:
        first = club.client.get("/v1/pools")
        assert first.headers["ratelimit-policy"] == '"address";q=2;w=60'
        assert first.headers["ratelimit"].startswith('"address";r=1;t=')
        club.client.get("/v1/pools")
        third = club.client.get("/v1/pools")
        assert (third.status_code, third.json()["type"]) == (429, "/problems/too-many-requests")
        assert 1 <= int(third.headers["retry-after"]) <= 30
        assert club.client.get("/healthz").status_code == 200
        assert club.client.get(static_path("icon.svg")).status_code == 200
        assert club.client.get("/charts/0/vega.js").status_code == 404  # which is no 429
        # A key has a bucket of its own, though it was never seen before.
        put = club.client.put("/v1/pools/chess/matches/x", content="{}", headers=club.by("append"))
        assert (put.status_code, put.headers["ratelimit-policy"]) == (400, '"key";q=120000;w=60')


def test_keys_are_looked_up_so_often_for_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def find(self: Keyring, text: str) -> None:
        asked.append(text)

    with opened(tmp_path, reads_a_minute=2, ticks=lambda: 0.0) as club:
        monkeypatch.setattr(Keyring, "find", find)
        wrong = {"Authorization": f"Bearer tallymark_{'0' * 12}_{'0' * 64}"}
        answers = [club.client.get("/v1/keys", headers=wrong).status_code for _ in range(70)]
        assert answers == [401] * 2 + [429] * 68
        assert len(asked) == 60 + 2, "by the limit, and by the two requests that were taken"


def test_buckets_fill_with_time_and_forget_who_is_quiet() -> None:
    buckets = Buckets(60)
    assert [buckets.take("a", 0.0).wait for _ in range(61)] == [0.0] * 60 + [1.0]
    assert buckets.take("a", 1.5).wait == 0
    assert buckets.take("b", 1.5).remaining == 59


def test_a_body_is_as_large_as_it_may_be(tmp_path: Path) -> None:
    with opened(tmp_path, body_bytes=2000, bulk_bytes=5000) as club:
        path = "/v1/pools/chess/matches"
        large = club.client.put(f"{path}/m", content=b"x" * 2001, headers=club.by("append"))
        assert (large.status_code, large.json()["type"], large.json()["limit"]) == (413, "/problems/too-large", 2000)
        pieces = club.client.put(f"{path}/m", content=iter([b"x" * 1500] * 2), headers=club.by("append"))
        assert pieces.status_code == 413
        kind = club.by("append") | {"Content-Type": "application/x-ndjson"}
        assert club.client.post(path, content=b"\n" * 4000, headers=kind).status_code == 200
        assert club.client.post(path, content=b"\n" * 5001, headers=kind).status_code == 413


@pytest.fixture
def port(club: Club) -> Iterator[int]:
    """A real server beside the test's own, on the same ledger, which waits a moment for bodies."""
    server = server_of(Settings(ledger=str(club.path), body_seconds=0.1, log_requests=False))  # type: ignore[arg-type]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


def test_a_body_that_does_not_come_is_not_waited_for(club: Club, port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        head = (
            f"PUT /v1/pools/chess/matches/m HTTP/1.1\r\nHost: x\r\nAuthorization: {club.by('append')['Authorization']}"
        )
        client.sendall(f"{head}\r\nContent-Length: 100\r\n\r\n{{".encode())
        answer = b""
        while piece := client.recv(1 << 16):  # until the server closes
            answer += piece
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"type":"/problems/too-slow"' in answer
    assert b"connection: close" in answer.lower()


def test_http_1_0_is_answered_whole(club: Club, port: int) -> None:
    club.played("m1", "ann", "bob", 1)

    def asked(path: str) -> tuple[bytes, bytes]:
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            client.sendall(f"GET {path} HTTP/1.0\r\nHost: x\r\n\r\n".encode())
            answer = b""
            while piece := client.recv(1 << 16):
                answer += piece
        head, _, body = answer.partition(b"\r\n\r\n")
        return head.lower(), body

    head, body = asked("/v1/pools/chess/export")
    assert b"chunked" not in head
    assert f"content-length: {len(body)}".encode() in head
    assert body == club.client.get("/v1/pools/chess/export").content
    head, body = asked("/v1/pools/chess/stream")
    assert head.startswith(b"http/1.1 400 ")
    assert b"expected HTTP/1.1" in body


def test_what_is_not_http_is_answered_as_the_page_says(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        client.sendall(b"nothing of the kind\r\n\r\n")
        answer = b""
        while piece := client.recv(1 << 16):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    page = Path(__file__).resolve().parents[2] / "docs" / "guide" / "operate.md"
    assert f"`{body.decode()}`" in page.read_text()


def test_log_lines_are_json_some_at_a_time() -> None:
    written: list[bytes] = []

    async def two() -> None:
        log = RequestLog(written.append)
        log.info(request="r1", status=200)
        log.info(request="r2", status=404)
        assert not written
        log.flush()

    asyncio.run(two())
    assert len(written) == 1
    lines = [json.loads(line) for line in b"".join(written).splitlines()]
    assert [line["request"] for line in lines] == ["r1", "r2"]


def test_the_description_names_every_problem_once() -> None:
    description = create_app(Settings()).openapi()
    operations = [operation for path in description["paths"].values() for operation in path.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(set(ids)) == len(ids)
    assert all("500" in operation["responses"] for operation in operations)
    assert all(operation.get("summary") for operation in operations)


def test_a_client_that_hangs_up_is_no_defect(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(tmp_path) as club:
        key = club.keys["append"]
    head = f"PUT /v1/pools/chess/matches/m1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
    bodies = (
        "Content-Length: 100\r\n\r\n{",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n",
    )
    with serving(Settings(ledger=SecretStr(str(club.path)), log_requests=False)) as (port, _):
        for body in bodies:
            with socket.create_connection(("127.0.0.1", port), 20) as client:
                client.sendall((head + body).encode())
                client.shutdown(socket.SHUT_WR)
                while client.recv(1000):
                    pass
        with socket.create_connection(("127.0.0.1", port), 20) as client:
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            text = b"".join(iter(lambda: client.recv(1 << 16), b"")).decode()
    assert 'tallymark_request_seconds_count{operation="putMatch",status="499"}' in text
    assert 'status="500"' not in text
    assert "a request failed" not in caplog.text


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_metrics_and_logs_name_what_was_asked_for_however_it_is_written(club: Club, method: str) -> None:
    club.client.request(method, "/v1/pools/ch%65ss/matches/a%2Fb%20c")
    assert 'tallymark_request_seconds_count{operation="getMatch",status="404"} 1.0' in club.client.get("/metrics").text


def test_head_is_get_without_a_body(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    for path in ("/v1/pools", "/v1/pools/chess/boards/all-time", "/v1/openapi.json", "/healthz", "/pools/chess"):
        got, head = club.client.get(path), club.client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == str(len(got.content))
        assert head.headers.get("etag") == got.headers.get("etag")
    for path in ("/v1/pools/chess/export", "/v1/pools/chess/stream"):
        head = club.client.head(path)  # and does not wait for the end
        assert (head.status_code, head.content) == (200, b"")
    assert club.client.head("/v1/pools/nothing").status_code == 404
    text = club.client.get("/metrics").text
    assert 'tallymark_request_seconds_count{operation="exportPool",status="200"} 1.0' in text
    assert 'status="500"' not in text


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/pools", "GET, HEAD"),
        ("/v1/pools/chess", "GET, HEAD, PUT"),
        ("/v1/pools/chess/cases", "POST"),
        ("/v1/pools/chess/matches/a%2Fb", "GET, HEAD, PUT"),
    ],
)
def test_allow_names_every_method_of_a_path(shared: Club, path: str, methods: str) -> None:
    for method in ("OPTIONS", "PATCH"):
        answer = shared.client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, methods)
