"""The types of problems: a closed table. Their names are for programs, and never change; titles are for people."""

from typing import Final, NamedTuple


class ProblemType(NamedTuple):
    """A type of problem: the last part of its URI, its title, the status it comes with, what to do about it."""

    name: str
    title: str
    status: int
    advice: str

    @property
    def uri(self) -> str:
        """Its URI, relative to the service, where a page says what is here."""
        return f"/problems/{self.name}"


TYPES: Final = (
    ProblemType("bad-input", "What was sent is not as it should be", 400, "Mend the field that `detail` names."),
    ProblemType("no-key", "This needs a key", 401, "Send `Authorization: Bearer KEY`; an administrator makes keys."),
    ProblemType("bad-key", "This key is not one", 401, "It is misspelt, has run out, or was revoked."),
    ProblemType("no-scope", "This key may not do that", 403, "`scope` says what a key for this has to have."),
    ProblemType(
        "needs-approval", "More than one person approves this", 403, "Flag it and propose the correction in its case."
    ),
    ProblemType(
        "other-origin", "A page of another site asked for this", 403, "Go to the page of this site, and do it there."
    ),
    ProblemType(
        "not-found", "There is nothing here", 404, "The path is not one of the service's: see `/v1/openapi.json`."
    ),
    ProblemType("unknown-pool", "There is no such pool", 404, "`GET /v1/pools` lists them."),
    ProblemType("unknown-match", "There is no such match", 404, "It was never received: send it."),
    ProblemType(
        "unknown-player", "There is no such player", 404, "Nobody of that id has a rating, or is on that board."
    ),
    ProblemType("unknown-entry", "There is no such entry", 404, "Entries of a pool go from 1 to its `position`."),
    ProblemType("unknown-ballot", "There is no such ballot", 404, "Ask for one: `POST /v1/pools/{pool}/ballots`."),
    ProblemType("unknown-case", "There is no such case", 404, "`GET /v1/cases` lists them."),
    ProblemType("unknown-key", "There is no such key", 404, "`GET /v1/keys` lists them."),
    ProblemType("unknown-agent", "There is no such agent", 404, "An agent is known when it has said hello."),
    ProblemType("unknown-game", "There is no such game", 404, "`GET /v1/arena` lists them."),
    ProblemType("unknown-methodology", "There is no such methodology", 404, "`GET /v1/methodologies` lists them."),
    ProblemType("method-not-allowed", "This path takes other methods", 405, "The header `Allow` names them."),
    ProblemType("too-slow", "The request did not arrive in time", 408, "Send it again, faster or in smaller parts."),
    ProblemType(
        "conflict",
        "This id was used for something else",
        409,
        "`first` is what it stands for: another match has another id.",
    ),
    ProblemType("no-ballot", "There is nothing to vote on", 409, "Come back when there are more items."),
    ProblemType(
        "not-now",
        "This case does not take that action now",
        409,
        "`taken` says which actions it takes; `position`, of which evidence an approval has to be.",
    ),
    ProblemType(
        "still-played",
        "This match is still played",
        409,
        "Watch it: what happened in it is public when it is over.",
    ),
    ProblemType("stale", "This page goes on from one that is overtaken", 410, "Begin with the first page again."),
    ProblemType("ballot-over", "This ballot's time is over", 410, "Ask for another one."),
    ProblemType(
        "too-large", "The request is too large", 413, "Send less at once; `limit` says how many bytes are taken."
    ),
    ProblemType("wrong-media-type", "This form of a body is not taken", 415, "`expected` says which one is."),
    ProblemType(
        "invalid-parameter", "A parameter is not as it should be", 422, "Mend the parameters that `errors` names."
    ),
    ProblemType("too-many-requests", "Too many requests", 429, "Wait as many seconds as `Retry-After` says."),
    ProblemType("daily-cap", "This voter has no votes left today", 429, "Come back after midnight UTC."),
    ProblemType(
        "internal", "Something is wrong with the service", 500, "Tell whoever runs it the `request` named here."
    ),
    ProblemType(
        "computing",
        "This is still worked out",
        503,
        "Ask for the same again after as many seconds as `Retry-After` says: it is worked out once.",
    ),
    ProblemType(
        "unavailable",
        "The service cannot do that just now",
        503,
        "Send it again after a while: nothing of it was kept.",
    ),
)
"""All of them, by status."""

_BY_NAME: Final = {one.name: one for one in TYPES}


def type_named(name: str) -> ProblemType:
    """The type of that name.

    >>> type_named("conflict").status
    409
    """
    return _BY_NAME[name]
