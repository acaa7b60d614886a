"""Columns of text out of duckdb's queries, coded piece by piece: no text becomes an object, each is there once."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeAlias

from tallymark.checked import shortened
from tallymark.duck import connected
from tallymark.games.files.arrow_text import packed
from tallymark.games.files.gathering import LONGEST, GatheredBytes, GatheredTimes
from tallymark.games.texts import Text

if TYPE_CHECKING:
    import arro3.core

Gathering: TypeAlias = GatheredBytes | GatheredTimes

_TOGETHER: Final = 2
"""So many columns are gathered at a time, beside what duckdb itself does."""
_AHEAD: Final = "32MB"
"""So much duckdb reads ahead of what is taken from it."""


def gathered(
    query: str, columns: Sequence[Gathering], go_on: Callable[[int, bool], bool], **settings: str
) -> list[Text | None] | None:
    """The columns of text that a query gives, in their order. OSError for what duckdb refuses.

    None in the place of a column with a text that is too long or has a NUL character, which no column of bytes can
    take. `go_on` is told the rows so far, and whether every column could take them; where it says no, all is None.
    `settings` are duckdb's.

    >>> names, empty = gathered("SELECT 'ann', NULL::VARCHAR", [GatheredBytes(1), GatheredBytes(1)], lambda *_: True)
    >>> list(names), list(empty)
    (['ann'], [''])
    """
    rows = 0
    taken = [True] * len(columns)
    adding: dict[int, Future[bool]] = {}

    def went_on() -> bool:
        for at, added in adding.items():
            taken[at] = added.result()
        return go_on(rows, all(taken))

    with ThreadPoolExecutor(_TOGETHER) as workers:
        for batch in _batches(query, **settings):  # the next one is fetched while this one is added
            if not went_on():
                return None
            adding = {
                at: workers.submit(_added, columns[at], array) for at, array in enumerate(batch.columns) if taken[at]
            }
            rows += batch.num_rows
        if not went_on():
            return None
    return [column.text() if whole else None for column, whole in zip(columns, taken, strict=True)]


def _added(column: Gathering, array: "arro3.core.Array") -> bool:
    """Whether the column can take all of these texts; then they are in it."""
    texts, owner = packed(array)
    if len(texts) and (texts.lengths.max() > LONGEST or not texts.bytes().all()):
        return False
    column.add(texts)
    del owner  # until here the texts lie in its memory
    return True


def _batches(query: str, **settings: str) -> Iterator["arro3.core.RecordBatch"]:
    """What a query gives, piece by piece, in bounded memory."""
    from arro3.core import RecordBatchReader

    with connected(**settings) as connection:
        connection.execute(f"SET streaming_buffer_size = '{_AHEAD}'")
        reader = RecordBatchReader.from_stream(connection.sql(query))
        while True:
            try:
                batch = reader.read_next_batch()
            except StopIteration:
                return
            except Exception as error:  # arro3 hands on what duckdb says as an exception of no type of its own
                if "interrupted" in str(error).lower():
                    raise KeyboardInterrupt from None
                raise OSError(shortened(str(error))) from None
            yield batch
