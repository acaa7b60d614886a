"""`tallymark arena replay`: a match played back from its records, everything in them computed anew."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from typer import Argument, Option

from tallymark.cli.documents import Json, print_json
from tallymark.cli.endings import CommandError, Ending
from tallymark.cli.ledger.opening import AsJson, Where
from tallymark.cli.words import console, counted, say

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark.arena.hall.proving import Proof
    from tallymark.arena.referee.record import Record
    from tallymark.arena.referee.replaying import Played, Replay

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of a file of records."""


def replay(
    match: Annotated[
        str,
        Argument(metavar="MATCH|FILE", help="The id of a match in the ledger, or a file of records, a line each."),
    ],
    ledger: Where = None,
    boards: Annotated[
        bool, Option("--boards", help="Show the board after every action, not only the last one.")
    ] = False,
    step: Annotated[bool, Option("--step", help="The same, and wait for Enter after each.")] = False,
    as_json: AsJson = False,
) -> int:
    """Play a finished match back from its records: seed against commitment, seats, every action, state hash and ending.

    With a ledger, its entry of the match must have the hash of these records, and must have changed ratings as they
    say. Exit code 4: a record does not follow from those before it, or the ledger has something else; the message says
    where. Hidden roles and cards are shown at the end.

    For example:

    $ tallymark arena replay tic-tac-toe-1.jsonl --boards
    """
    from tallymark.arena.games.catalogue import game
    from tallymark.arena.referee.replaying import Replay

    file = Path(match)
    from_file = file.is_file()
    found = Replay(_of_file(file) if from_file else _of_ledger(match, ledger), game)
    out = None if as_json else console()
    if out is not None:
        _begin(out, found)
    boards = boards or step
    for played in found.steps():
        if out is not None:
            _line(out, found, played, boards)
            if step and played.record.kind == "action" and not sys.stdin.readline():
                step = False  # nobody is there who could press Enter
    proof = None if from_file and ledger is None else _proved(found, ledger)
    if out is None:
        print_json(_document(found, proof))
        return Ending.DONE
    if not boards:
        _board(out, played.board)
    _end(out, found, proof)
    return Ending.DONE


def _of_file(file: Path) -> list[bytes]:
    if file.stat().st_size > LARGEST:
        raise CommandError(Ending.UNREADABLE, f"{file} is larger than any match: {LARGEST:,} bytes", "is it the one?")
    lines = file.read_bytes().removesuffix(b"\n").split(b"\n")
    return [line.removesuffix(b"\r") for line in lines]  # some system's line ends: no record ends so


def _of_ledger(match: str, where: str | None) -> list[bytes]:
    from tallymark.arena.store import records
    from tallymark.checked import shortened
    from tallymark.cli.ledger.opening import opened
    from tallymark.errors import UnknownError

    with opened(where) as ledger, ledger.store.reading() as connection:
        found = records.of(connection, match) if match.isprintable() and records.there(connection) else []
    if not found:
        raise UnknownError(
            f"there is no match {shortened(match)}, and no file of that name",
            kind="match",
            hint="ids are like connect-four-17",
        )
    return found


def _proved(found: "Replay", where: str | None) -> "Proof":
    from tallymark.arena.hall.proving import proved
    from tallymark.cli.ledger.opening import opened

    with opened(where) as ledger:
        return proved(ledger, found)


def _begin(out: "Console", found: "Replay") -> None:
    finished = found.finished
    kind = ", an exhibition" if found.exhibition else ""
    say(out, f"match {finished.match}: {found.game.title}, ruleset {finished.ruleset}{kind}")
    for seat, entrant in enumerate(found.entrants):
        version = f", version {entrant.version}" if entrant.version else ""
        say(out, f"seat {seat}: {entrant.agent} ({entrant.kind}{version})")
    say(out, f"the seed {finished.seed.hex()} is the one committed to, and gives these seats")
    say(out)


def _line(out: "Console", found: "Replay", played: "Played", boards: bool) -> None:
    record = played.record
    words = _words(found, record)
    if words:
        say(out, f"{record.ms / 1000.0:9.3f} s  {words}")
    if boards and record.kind in ("announced", "action"):
        _board(out, played.board)


def _words(found: "Replay", record: "Record") -> str:
    if record.kind == "announced":
        return "announced"
    if record.kind == "playing":
        return "the first action request was delivered"
    if record.kind == "over":
        return f"over: {record.text('told')}"
    if record.kind == "settled":
        unrated = record.text_or_none("unrated")
        position = record.whole_or_none("position")
        entry = "no entry" if position is None else f"entry {position:,}"
        return f"{entry} of the pool{f', not rated: {unrated}' if unrated else ''}"
    who = f"seat {record.whole('seat')} {found.entrants[record.whole('seat')].agent}"
    if record.kind == "missed":
        return f"{who} failed: {record.text('reason')}, {record.text('told')}"
    if record.flag("default"):
        return f"{who} is played for: {record.text('action')}"
    return f"{who}: {record.text('action')}  ({record.whole('latency'):,} ms)"


def _board(out: "Console", board: str) -> None:
    for line in board.split("\n"):
        say(out, line)


def _end(out: "Console", found: "Replay", proof: "Proof | None") -> None:
    verdict = found.finished.verdict
    say(out)
    for name, value in found.finished.revealed.items():
        say(out, f"{name}: {_plain(value)}")
    whose = "" if verdict.seat is None else f" (seat {verdict.seat} {found.entrants[verdict.seat].agent})"
    say(out, f"{verdict.reason.value}{whose}: {verdict.reason.told}")
    for side in sorted(verdict.sides, key=lambda side: side.rank):
        say(out, f"place {side.rank}: {', '.join(found.entrants[seat].agent for seat in side.seats)}")
    say(out, f"hash of the records: {found.finished.hash}")
    of_file = "compare it with data.arena.record of the match's entry in the public history"
    say(out, of_file if proof is None else proof.told)
    records, states = counted(len(found.records), "record"), counted(found.states, "state")
    say(out, f"{records} follow, {states} with the same hash")


def _plain(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _document(found: "Replay", proof: "Proof | None") -> Json:
    from tallymark.arena.referee.record import sides_told

    finished, verdict = found.finished, found.finished.verdict
    return {
        "match": finished.match,
        "game": finished.game,
        "ruleset": finished.ruleset,
        "seats": [{"agent": one.agent, "kind": one.kind, "version": one.version} for one in found.entrants],
        "seed": finished.seed.hex(),
        "commitment": finished.commitment,
        "reason": verdict.reason.value,
        "seat": verdict.seat,
        "sides": sides_told(verdict.sides),
        "records": len(found.records),
        "states": found.states,
        "record_hash": finished.hash,
        "entry": None if proof is None else proof.position,
        "ledger": None if proof is None else proof.told,
    }
