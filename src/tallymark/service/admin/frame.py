"""The frame of the admin pages: where one can go with one's key, and answers that no cache keeps."""

from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tallymark.errors import TallymarkError
from tallymark.service.admin.sessions import Session
from tallymark.service.keys.scopes import Scope
from tallymark.service.pages.frame import templates
from tallymark.service.problems import Problem
from tallymark.service.problems.mapping import told
from tallymark.service.state import Service


class Place(NamedTuple):
    """A page of those who have a scope."""

    name: str
    path: str
    scope: Scope
    words: str


PLACES: Final = (
    Place("Cases", "/admin/cases", "review", "What was flagged: look, propose, approve, dismiss."),
    Place("Correct", "/admin/correct", "correct", "A typo, a match that does not count, one player under two names."),
    Place("Upload", "/admin/upload", "append", "Results from a file, every row accounted for."),
    Place("Names", "/admin/names", "append", "What players are called."),
    Place("Items", "/admin/items", "append", "What is voted on."),
    Place("Pools", "/admin/pools", "admin", "Open a pool, or give one other rules from now on."),
    Place("Keys", "/admin/keys", "admin", "Who may do what."),
)


def admin_page(
    request: Request,
    service: Service,
    session: Session | None,
    template: str,
    *,
    at: str | None = None,
    trouble: Problem | None = None,
    **context: object,
) -> Response:
    """A page. `at`: the name of its place; `trouble`: why what was sent was not done, which is the status too."""
    places = [] if session is None else [one for one in PLACES if session.key.may(one.scope)]
    text = templates().get_template(f"admin/{template}").render(
        {
            "trouble": trouble,
            "session": session,
            "places": places,
            "at": at,
            "pools": [one.pool for one in service.ledger.backlogs()],
            "site": service.settings.site,
            "arena": service.arena is not None,
            "pool": None,
            "tabs": (),
            "tab": None,
            "as_of": None,
            "twin": None,
        }
        | context
    )  # fmt: skip
    headers = {"Cache-Control": "no-store"}
    if trouble is not None:
        headers |= dict(trouble.headers or {})
    return HTMLResponse(text, 200 if trouble is None else trouble.status, headers=headers)


def then(path: str) -> Response:
    """Leads on, when something was done: so that loading the page again does not do it again."""
    return RedirectResponse(path, 303, {"Cache-Control": "no-store"})


def trouble_of(error: TallymarkError | Problem) -> Problem:
    """Why something was not done."""
    return error if isinstance(error, Problem) else told(error)
