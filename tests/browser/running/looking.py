"""Pages of a browser, what went wrong on them, and what people would stumble over."""

from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request
from showcase import Site

Window: TypeAlias = tuple[int, Literal["light", "dark"]]
"""Its width, and the colours that the system asks for."""


class Watched:
    """A page of a browser, and what went wrong on it."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self.page: Page = context.new_page()
        self.context, self.site = context, site
        self.wrong: list[str] = []
        self.expected: set[int] = set()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("request", self._request)

    def open(self, path: str, status: int = 200) -> Page:
        """Goes to a page of the site."""
        if status >= 400:
            self.expected.add(status)
        answer = self.page.goto(self.site.url + path, wait_until="load")
        assert answer is not None
        assert answer.status == status, path
        return self.page

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(
            f"status of {one} " in message.text for one in self.expected
        ):
            self.wrong.append(f"{message.type}: {message.text}")

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).scheme not in ("data", "blob") and not request.url.startswith(self.site.url):
            self.wrong.append(f"elsewhere: {request.url}")


def fits(page: Page) -> bool:
    """Whether nobody has to scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def stumbled_over(page: Page, axe: str) -> list[str]:
    """What axe-core finds that is serious, with where."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
