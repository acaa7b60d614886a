"""The one way to duckdb: offline, and its errors and interruptions as those of Python."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
}


@contextmanager
def connected(**settings: str) -> Iterator["duckdb.DuckDBPyConnection"]:
    """A connection to a database in memory, with further settings by duckdb's own names.

    What duckdb refuses is an OSError with the first line of its message.

    Ctrl-C while a query runs is a KeyboardInterrupt, though duckdb makes an error of its own of it.

    >>> with connected() as connection:
    ...     connection.execute("SELECT 6 * 7").fetchall()
    [(42,)]
    """
    import duckdb

    try:
        with duckdb.connect(config={**_OFFLINE, **settings}) as connection:
            connection.execute("SET enable_progress_bar = false")  # it would stand among what a program prints
            yield connection
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        if "failed: KeyboardInterrupt" in str(error):  # while Python ran inside duckdb
            raise KeyboardInterrupt from None
        raise OSError(str(error).splitlines()[0]) from error
    except RuntimeError as error:
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from None
        raise
