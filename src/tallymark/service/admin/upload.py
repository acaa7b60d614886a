"""Results from a file: first the report, every row accounted for; then, of the same bytes, all of it or nothing.

Between the two the file is with the browser: the page with the report has it in its form, so that no server has to keep
it, and whichever process is asked next can go on.
"""

import base64
import binascii
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from tallymark.checked import shortened
from tallymark.errors import ConflictError, InputError, TallymarkError
from tallymark.games import GameLog, read_games
from tallymark.ledger.appending import append_log, pools_of
from tallymark.ledger.inbox import Conflict, Receipt
from tallymark.ledger.matches import Item
from tallymark.ledger.people import Player, checked
from tallymark.service.admin.advice import FIELDS, TAB, for_form
from tallymark.service.admin.compared import Compared, compared
from tallymark.service.admin.entered import Appender, File, FromAppender, Sent
from tallymark.service.admin.frame import admin_page, trouble_of
from tallymark.service.admin.sessions import Session
from tallymark.service.problems import Problem
from tallymark.service.state import Here, Service

router = APIRouter()
_PLACE: Final = "Upload"
_OPTIONS: Final = tuple(FIELDS)
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
    """What was appended; `there`: matches that the pool had already; `left`: those that it has otherwise."""

    pool: str
    appended: int
    there: int
    left: int


@router.api_route("/admin/upload", methods=["GET", "HEAD"], include_in_schema=False)
def upload(service: Here, request: Request, session: Appender, pool: Annotated[str, Query()] = "") -> Response:
    """The form."""
    return _page(request, service, session, pool)


@router.post("/admin/upload", include_in_schema=False)
def uploaded(service: Here, request: Request, sent: FromAppender) -> Response:
    """Reads the file and shows the report; when that was seen, appends it."""
    pool, file = sent.text("pool"), None
    report = beside = trouble = None
    try:
        file = _file(service, sent)
        log = _read(file, sent)
        report = report_of(file.name, log)
        if sent.text("action") == "append":
            try:
                done = appended(service, pool, log, bool(sent.text("without")))
                return _page(request, service, sent.session, pool, done=done)
            except TallymarkError as error:
                trouble = trouble_of(error)
        beside = compared(service, pool, log)  # appending compares on its own
    except TallymarkError as error:
        trouble = trouble_of(error)
    return _page(request, service, sent.session, pool, sent, file, report, beside, trouble=trouble)


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
                path,
                columns=_pairs(sent, "columns", "NAME=COLUMN"),
                results=_pairs(sent, "results", "WORD=RESULT"),
                aliases=_pairs(sent, "aliases", "OLD=NEW"),
                delimiter=_delimiter(sent),
                encoding=sent.text("encoding") or "utf-8",
                times=sent.text("times") or None,
                zone=sent.text("zone") or None,
                dedupe=bool(sent.text("dedupe")),
            )
        except TallymarkError as error:
            # What is wrong is with the file, whose place here is nobody's business.
            message, hint = (one and for_form(one.replace(str(path), file.name)) for one in (error.message, error.hint))
            raise InputError(message or "", hint=hint, field="file") from None


def _pairs(sent: Sent, name: str, expected: str) -> dict[str, str] | None:
    """What is what: `score_a=Points, played_at=Date`. Names stand on a line each, for they may have commas, and as they
    are, for a blank may be all in which they differ."""
    found: dict[str, str] = {}
    text = sent.raw(name)
    for part in (text if name == "aliases" else text.replace(",", "\n")).split("\n"):
        if part.strip():
            one, equals, other = part.partition("=")
            if not equals:
                raise InputError(f"{FIELDS[name]} has {part.strip()!r}; expected {expected}", field=name)
            found[one if name == "aliases" else one.strip()] = other.strip()
    return found or None


def _delimiter(sent: Sent) -> str | None:
    told = sent.text("delimiter")
    return "\t" if told == TAB else told or None


def report_of(name: str, log: GameLog) -> Report:
    """The report of the files, as a page shows it."""
    told, some = log.report, log.report.problems.rows_between(0, _NAMED).rows()
    problems = [
        Row(**{name: str(one.get(name) or "") for name in Row._fields} | {"message": for_form(str(one["message"]))})
        for one in some
    ]
    return Report(
        file=name,
        rows=told.rows,
        accepted=told.accepted,
        held=told.held,
        rejected=told.rejected,
        games=told.games,
        players=len(log.players),
        notes=tuple(map(for_form, told.notes)),
        problems=problems,
        hidden=len(told.problems) - len(problems),
    )


def appended(service: Service, pool: str, log: GameLog, without: bool = False) -> Done:
    """Appends the games in one transaction: all of them, or, where one cannot be or a row is none, none.
    `ConflictError` where the pool has another content under an id. `without`: those that cannot be are left out
    instead."""
    ledger, out = service.ledger, log.report.held + log.report.rejected
    if out and not without:
        raise InputError(
            f"{out:,} rows are not among the games",
            hint="mend the file, or tick that the others are to be appended without them",
            field="without",
        )
    pools = pools_of(log, pool, [one.pool for one in ledger.backlogs()])
    for player, name in (log.names or {}).items():
        checked(Player(player, name))
    with ledger.beside() as own:

        def tell(items: Sequence[Item], to: str) -> list[Receipt | Conflict]:
            return own.append_many(items, pool=to)

        found = append_log(log, pools, tell)
        if found.refused and not without:
            first = found.refused[0]
            raise InputError(f"row {first.row}: {first.message}; nothing was appended", field="file")
        if found.conflicts and not without:
            error = found.conflicts[0].error()
            raise ConflictError(
                f"{shortened(found.conflicts[0].id)} stands in {pool} otherwise; nothing was appended",
                first=error.first,
                second=error.second,
                hint="mend the file, or tick that the others are to be appended without what cannot be",
            )
    ledger.learn(log.names or {})
    left = len(found.refused) + len(found.conflicts)
    return Done(pool, sum(one.appended for one in found.pools), sum(one.there for one in found.pools), left)


def _page(
    request: Request,
    service: Service,
    session: Session,
    pool: str,
    sent: Sent | None = None,
    file: File | None = None,
    report: Report | None = None,
    beside: Compared | None = None,
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
        given={name: "" if sent is None else sent.raw(name) for name in _OPTIONS},
        name=None if file is None else file.name,
        kept=None if file is None or report is None else base64.b64encode(file.content).decode(),
        report=report,
        beside=beside,
        labels=FIELDS,
        done=done,
        limit=service.settings.upload_bytes,
    )
