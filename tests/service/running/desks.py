"""Somebody at the admin pages of a club."""

import html
import re

from clubs import Club
from httpx2 import Response


def signed_in(club: Club, scope: str) -> str:
    """Signs in; what forms have to bring."""
    club.client.cookies.clear()
    answer = club.client.post("/admin/sign-in", data={"key": club.keys[scope], "to": "/admin"})
    assert answer.status_code == 200, answer.text
    found = re.search(r'name="proof" value="([0-9a-f]{64})"', answer.text)
    assert found is not None
    return found[1]


def text_of(answer: Response) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())
