"""What must have come to a match for a record to be written: its events, told by its records."""

from collections.abc import Iterator, Sequence

from tallymark.arena.games.face import Seat
from tallymark.arena.referee.answers import sent
from tallymark.arena.referee.endings import FORFEITS, INTERRUPTIONS, Reason
from tallymark.arena.referee.events import Aborted, Acted, Delivered, Event, Expired, Lost
from tallymark.arena.referee.match import Match, State
from tallymark.arena.referee.record import Record
from tallymark.arena.referee.saying import ActionRequest
from tallymark.ledger.matches import Json


def recalled(records: Sequence[Record], n: int, match: Match) -> Iterator[Event]:
    """The events behind record `n`, where `match` has come as far as the records before it. Each is to be taken by the
    match before the next is asked for. `BrokenChainError` where no event could have led to the record.

    The match's clock is that of the records: 0 when it was announced.
    """
    record = records[n]
    for seat in _gone(records, n, match):
        yield Lost(records[n - 1].ms, (seat,))
    match record.kind:
        case "playing":
            if match.state is not State.ANNOUNCED:
                raise record.wrong("kind", "playing once")
            yield Delivered(record.ms, _seat(record, match), record.whole("request"))
        case "missed":
            yield from _missed(records, n, match)
        case "action":
            if record.flag("default"):
                raise record.wrong("default", "false, for the seat has not failed")
            yield _acted(record, match, record.text("action"))
        case "over":
            yield from _over(record, match)


def _gone(records: Sequence[Record], n: int, match: Match) -> list[Seat]:
    """In games for more: who was gone before, as is recorded only when they are waited for, in the step of record `n`.

    In one step there are, besides what began it, defaults, and all whose deadlines were over by then.
    """
    if len(match.entrants) == 2:
        return []
    found: set[Seat] = set()
    for at in range(n + 1, len(records)):
        record = records[at]
        if record.kind == "missed" and record.whole_or_none("request") is None:
            found.add(_seat(record, match))
        elif record.kind == "missed":
            if record.text("reason") != Reason.TIMEOUT or record.ms != records[n].ms:
                break
        elif record.kind != "action" or not record.flag("default"):
            break
    return sorted(seat for seat in found if match.asked(seat) is None)


def _missed(records: Sequence[Record], n: int, match: Match) -> Iterator[Event]:
    record, grace = records[n], match.game.ruleset.grace_ms
    reason = record.text("reason")
    if reason == Reason.ILLEGAL:
        yield _acted(record, match, sent(record.text("given"), record.text("told")))
    elif reason == Reason.TIMEOUT:
        until = _asked(record, match).deadline_ms
        if record.ms <= until:
            raise record.wrong("ms", f"{until + 1} or more, for the deadline of the request is {until}")
        yield Expired(record.ms)
    elif reason == Reason.DISCONNECT:
        lost = [record]
        if len(match.entrants) > 2:
            _asked(record, match)
        elif grace:  # two whose time to come back is over at the same moment
            lost += [one for one in records[n + 1 : n + 2] if one.kind == "missed"]
        if not grace:  # nobody was late then: it would be over, or asked of another
            yield Expired(record.ms)
        yield Lost(record.ms, tuple(_seat(one, match) for one in lost))
    else:
        raise record.wrong("reason", f"one of {', '.join(FORFEITS)}")


def _acted(record: Record, match: Match, action: Json) -> Event:
    asked = _asked(record, match)
    if record.ms > asked.deadline_ms:
        raise record.wrong("ms", f"{asked.deadline_ms} at most, the deadline of the request")
    return Acted(record.ms, asked.seat, asked.request, action)


def _over(record: Record, match: Match) -> Iterator[Event]:
    """An end that does not follow from what was recorded before it: somebody broke off."""
    reason = Reason(record.text("reason"))
    if reason in INTERRUPTIONS:
        yield Aborted(record.ms, reason)
        return
    if reason is not Reason.UNDELIVERED:
        raise record.wrong("reason", "one that the records before it give")
    if match.state is not State.ANNOUNCED:
        raise record.wrong("reason", "another one: an action request was delivered")
    yield Expired(record.ms)
    # or all were gone: those first whose loss is not recorded, for they were not waited for
    for seat in sorted(range(len(match.entrants)), key=lambda seat: match.asked(seat) is not None):
        if match.finished is None:
            yield Lost(record.ms, (seat,))


def _seat(record: Record, match: Match) -> Seat:
    seat = record.whole("seat")
    if seat >= len(match.entrants):
        raise record.wrong("seat", f"0 to {len(match.entrants) - 1}")
    return seat


def _asked(record: Record, match: Match) -> ActionRequest:
    """What the record's seat was asked, by the number that the record has."""
    found = match.asked(_seat(record, match))
    if found is None:
        asked = [str(seat) for seat in range(len(match.entrants)) if match.asked(seat)]
        raise record.wrong("seat", f"one that was asked: {', '.join(asked) or 'none'}")
    if record.whole_or_none("request") != found.request:
        raise record.wrong("request", f"{found.request}, the seat's last one")
    return found
