"""One hierarchy of errors: each says what was given, what was expected and where, and doubles as a built-in type."""

from typing import Literal


class TallymarkError(Exception):
    """Anything tallymark refuses. `hint` says what to do about it, in one line; a traceback shows it as a note.

    >>> str(InputError("score_a is 1.5; scores lie from 0 to 1", hint="divide by the points of the game"))
    'score_a is 1.5; scores lie from 0 to 1'
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:
            self.add_note(f"hint: {hint}")

    def __str__(self) -> str:
        return self.message


class InputError(TallymarkError, ValueError):
    """A value handed to the library is not what the call takes. `field`: which one, where it has a name."""

    def __init__(self, message: str, *, hint: str | None = None, field: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.field = field


class UnknownError(InputError, KeyError):
    """Nothing of that name, id or number is there. `kind` says of what: pool, match, player or entry.

    >>> UnknownError("there is no pool 'x'", kind="pool").kind
    'pool'
    """

    def __init__(self, message: str, *, kind: Literal["pool", "match", "player", "entry"], hint: str | None = None):
        super().__init__(message, hint=hint)
        self.kind = kind


class ArenaError(TallymarkError):
    """An arena refuses what an agent asks for. `code`: its public word for that."""

    def __init__(self, message: str, *, code: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.code = code


class ReadError(TallymarkError, OSError):
    """A file cannot be read, or cannot be read as what it should be."""


class WriteError(TallymarkError, OSError):
    """A result cannot be written where it was asked for; nothing half written is left there."""


class MethodologyError(TallymarkError, ValueError):
    """A methodology has an unknown, impossible or contradictory field. `field` is dotted (`bounds.rating_min`)."""

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        file: str | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        where = [file] if file else []
        where += [f"line {line}"] if line else []
        super().__init__((", ".join(where) + ": " if where else "") + message, hint=hint)
        self.field = field
        self.file = file
        self.line = line


class UnknownMethodologyError(TallymarkError, KeyError):
    """No methodology has that name."""


class SnapshotError(TallymarkError, ValueError):
    """A snapshot cannot be resumed: it is damaged, of another methodology, or of periods that the log would reopen.

    A game of the log that the snapshot's open period already has is an `InputError`: the log is what is wrong there.

    >>> SnapshotError("the snapshot is of paper-1", hint="replay the whole log").hint
    'replay the whole log'
    """


class StaleError(TallymarkError, ValueError):
    """What is asked for goes on from an answer that has been overtaken: ask anew from the beginning.

    >>> StaleError("this board is another one", hint="begin again").hint
    'begin again'
    """


class MissingLibraryError(TallymarkError, ImportError):
    """An optional library is needed for this call and is not installed."""


class LedgerError(TallymarkError, RuntimeError):
    """A ledger cannot be opened, read or written: nothing that was acknowledged is lost, nothing half done is left."""


class ConflictError(LedgerError, ValueError):
    """An id was used before, for another content. `first` and `second` are both contents, as JSON text."""

    def __init__(self, message: str, *, first: str, second: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.first = first
        self.second = second


class StuckError(LedgerError):
    """The next item of a pool cannot be folded: the pool stands still, and loses nothing, until it can be.

    `receipt` is that of the item, `position` the pool's last entry. What was appended was checked, so that this is a
    defect, or an item of a newer version: the pool goes on where a version that can is run.
    """

    def __init__(self, message: str, *, receipt: int, position: int, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.receipt = receipt
        self.position = position


class ProjectionError(LedgerError, ValueError):
    """A ledger shows what its entries do not give: what is wrong can be made again from them."""


class BrokenChainError(LedgerError, ValueError):
    """A record does not follow from what stands before it. `position` is the first entry that does not."""

    def __init__(self, message: str, *, position: int, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.position = position
