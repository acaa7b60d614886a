"""Results from a file: first the report, every row accounted for; then, of the same bytes, all of it or nothing.

Between the two the file is with the browser: the page with the report has it in its form, so that no server has to keep
it, and whichever process is asked next can go on.
"""

import base64
import binascii
import tempfile
from pathlib import Path, PurePosixPath
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.errors import ConflictError, InputError, TallymarkError
from tallymark.games import GameLog, read_games
from tallymark.ledger.appending import append_log, pools_of
from tallymark.ledger.beside import Beside
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Item
from tallymark.ledger.people import Player, checked
from tallymark.service.admin.entered import Appender, File, FromAppender, Sent
from tallymark.service.admin.frame import admin_page, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_PLACE: Final = "Upload"
_OPTIONS: Final = ("columns", "times", "zone")
_NAMED: Final = 200
"""Rows with a problem that are shown."""


class Row(NamedTuple):
    """A row that is not among the games, and why."""

    line: str
    kind: str
    reason: str
    message: str
    text: str


class Report(NamedTuple):
    """What a file comes to."""

    file: str
    rows: int
    accepted: int
    held: int
    rejected: int
    games: int
    players: int
    notes: tuple[str, ...]
    problems: list[Row]
    hidden: int


class Done(NamedTuple):
    """What was appended; `there`: matches that the pool had already."""

    pool: str
    appended: int
    there: int


@router.api_route("/admin/upload", methods=["GET", "HEAD"], include_in_schema=False)
def upload(service: Here, request: Request, session: Appender, pool: Annotated[str, Query()] = "") -> Response:
    """The form."""
    return _page(request, service, session, pool)


@router.post("/admin/upload", include_in_schema=False)
def uploaded(service: Here, request: Request, sent: FromAppender) -> Response:
    """Reads the file and shows the report; when that was seen, appends it."""
    pool, file = sent.text("pool"), None
    report = None
    try:
        file = _file(service, sent)
        log = _read(file, sent)
        report = report_of(file.name, log)
        if sent.text("action") != "append":
            return _page(request, service, sent.session, pool, sent, file, report)
        if (report.held or report.rejected) and not sent.text("without"):
            raise InputError(
                f"{report.held + report.rejected:,} rows are not among the games",
                hint="mend the file, or tick that the others are to be appended without them",
                field="without",
            )
        done = appended(service, pool, log)
    except TallymarkError as error:
        return _page(request, service, sent.session, pool, sent, file, report, trouble=trouble_of(error))
    return _page(request, service, sent.session, pool, done=done)


def _file(service: Service, sent: Sent) -> File:
    """The file that was chosen, or the one that the page with the report has kept."""
    limit = service.settings.upload_bytes
    if sent.form.file is not None:
        name, content = sent.form.file
    else:
        name = sent.text("name")
        try:
            content = base64.b64decode(sent.text("kept"), validate=True)
        except binascii.Error:
            raise InputError("the file did not come back whole; choose it again", field="file") from None
    name = PurePosixPath(name.replace("\\", "/")).name
    if not content or not name.isprintable() or len(name) > 200:
        raise InputError("no file is chosen, or it is empty", field="file")
    if len(content) > limit:
        raise InputError(
            f"{name} has more than {limit:,} bytes, which is what this page takes",
            hint="send it in parts, by POST /v1/pools/{pool}/matches, or with: tallymark ledger append",
            field="file",
        )
    return File(name or "games.csv", content)


def _read(file: File, sent: Sent) -> GameLog:
    with tempfile.TemporaryDirectory(prefix="tallymark-") as folder:
        path = Path(folder) / file.name
        path.write_bytes(file.content)
        try:
            return read_games(
                path, columns=_columns(sent), times=sent.text("times") or None, zone=sent.text("zone") or None
            )
        except TallymarkError as error:
            # What is wrong is with the file, whose place here is nobody's business.
            message = error.message.replace(str(path), file.name)
            raise InputError(
                message, hint=error.hint and error.hint.replace(str(path), file.name), field="file"
            ) from None


def _columns(sent: Sent) -> dict[str, str] | None:
    """Which column is what: `score_a=Points, played_at=Date`."""
    found: dict[str, str] = {}
    for part in sent.text("columns").replace("\n", ",").split(","):
        if part.strip():
            name, equals, column = (one.strip() for one in part.partition("="))
            if not equals:
                raise InputError(f"columns has {part.strip()!r}; expected NAME=COLUMN", field="columns")
            found[name] = column
    return found or None


def report_of(name: str, log: GameLog) -> Report:
    """The report of the files, as a page shows it."""
    told, some = log.report, log.report.problems.rows_between(0, _NAMED).rows()
    problems = [
        Row(*(str(one.get(name) or "") for name in ("line", "kind", "reason", "message", "text"))) for one in some
    ]
    return Report(
        file=name,
        rows=told.rows,
        accepted=told.accepted,
        held=told.held,
        rejected=told.rejected,
        games=told.games,
        players=len(log.players),
        notes=told.notes,
        problems=problems,
        hidden=len(told.problems) - len(problems),
    )


def appended(service: Service, pool: str, log: GameLog) -> Done:
    """Appends the games in one transaction: all of them, or, where one cannot be, none. `ConflictError` where the pool
    has another content under an id."""
    ledger = service.ledger
    pools = pools_of(log, pool, [one.pool for one in ledger.backlogs()])
    for player, name in (log.names or {}).items():
        checked(Player(player, name))
    with ledger.beside() as own:

        def tell(items: list[Item], to: str) -> list[Receipt | Conflict]:
            return [_one(own, one, to) for one in items]

        found = append_log(log, pools, tell)  # type: ignore[arg-type]
        if found.refused:
            first = found.refused[0]
            raise InputError(f"row {first.row}: {first.message}; nothing was appended", field="file")
    ledger.learn(log.names or {})
    return Done(pool, sum(one.appended for one in found.pools), sum(one.there for one in found.pools))


def _one(own: Beside, item: Item, pool: str) -> Receipt:
    try:
        return own.append(item.body, pool=pool)
    except ConflictError as error:
        raise ConflictError(f"{error.message}; nothing was appended", first=error.first, second=error.second) from None


def _page(
    request: Request,
    service: Service,
    session: Session,
    pool: str,
    sent: Sent | None = None,
    file: File | None = None,
    report: Report | None = None,
    *,
    done: Done | None = None,
    trouble: Problem | None = None,
) -> Response:
    return admin_page(
        request,
        service,
        session,
        "upload.html",
        at=_PLACE,
        trouble=trouble,
        chosen=pool,
        given={name: "" if sent is None else sent.text(name) for name in _OPTIONS},
        name=None if file is None else file.name,
        kept=None if file is None or report is None else base64.b64encode(file.content).decode(),
        report=report,
        done=done,
        limit=service.settings.upload_bytes,
    )
