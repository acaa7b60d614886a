"""The requests of docs/guide/service.md are sent, in their order, and answered as the page says."""

import json
import re
from pathlib import Path

from clubs import Club, opened

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "guide" / "service.md"
REQUEST = re.compile(r"```http\n([A-Z]+) (\S+)\n((?:[^\n]+\n)*)\n(.*?)\n```\n(?:\n```json\n(.*?)\n```)?", re.S)


SCOPES = {"rules": "admin", "corrections": "correct"}


def test_requests_of_the_page(tmp_path: Path) -> None:
    with opened(tmp_path, approvers=1) as club:
        _sent(club)


def _sent(club: Club) -> None:
    found = REQUEST.findall(PAGE.read_text(encoding="utf-8"))
    assert len(found) == 5
    for method, path, headers, body, shown in found:
        scope = next((scope for part, scope in SCOPES.items() if f"/{part}/" in path), "append")
        told = dict(line.split(": ", 1) for line in headers.splitlines()) | club.by(scope)
        answer = club.client.request(method, path, content=body, headers=told)
        assert answer.status_code in (200, 201), answer.text
        if shown:
            assert answer.json() == json.loads(shown)
        elif "ndjson" in headers:
            lines = [json.loads(line) for line in answer.text.splitlines()]
            assert ["receipt" in line for line in lines] == [True, False]


def test_paths_of_the_page_are_there(club: Club) -> None:
    club.played("m1", "ann", "bob", 1)
    text = PAGE.read_text(encoding="utf-8")
    paths = [path.replace("17", "2") for path in re.findall(r"`GET\s+(/\S+)`", text)]
    assert len(paths) > 13
    for path in paths:
        assert club.client.get(path, headers=club.by("admin")).status_code == 200, path


def test_types_of_problems_say_what_they_mean(shared: Club) -> None:
    listed = shared.client.get("/problems").json()["problems"]
    assert shared.client.get(listed[0]["type"]).json() == listed[0]
    assert shared.client.get("/problems/nothing").status_code == 404
