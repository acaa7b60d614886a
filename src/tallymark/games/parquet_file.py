"""Games from Parquet, by duckdb: integer ids stay integers, times stay times."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from tallymark.errors import ReadError
from tallymark.games.columns import Cells, cells_of

# Types that numpy has no exact word for; as text they are exact ids.
_AS_TEXT = ("UUID", "ENUM", "HUGEINT", "UHUGEINT", "DECIMAL")


def read_parquet(path: Path, choose: Callable[[list[str]], Mapping[str, str]]) -> tuple[dict[str, Cells], int]:
    """The columns that `choose` picks (canonical name to the file's), and the number of rows; ReadError otherwise."""
    import duckdb

    # The file is opened here first: duckdb would take a name for a pattern or an address.
    try:
        with path.open("rb") as file:
            if file.read(4) != b"PAR1":
                raise ReadError(f"{path} is not a Parquet file", hint="a CSV file's name ends in .csv or .csv.gz")
    except OSError as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error
    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoload_known_extensions": "false",
        "autoinstall_known_extensions": "false",
    }
    try:
        with duckdb.connect(config=offline) as connection:
            scan = f"read_parquet({_literal(str(path))})"
            types = {
                str(row[0]): str(row[1]) for row in connection.execute(f"DESCRIBE SELECT * FROM {scan}").fetchall()
            }
            chosen = choose(list(types))
            wanted = ", ".join(f"{_selected(column, types)} AS {_quoted(name)}" for name, column in chosen.items())
            found = connection.execute(f"SELECT {wanted} FROM {scan}").fetchnumpy()
    except duckdb.Error as error:
        raise ReadError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}") from None
    cells = {name: cells_of(np.ma.asarray(found[name]), name) for name in chosen}
    return cells, len(next(iter(cells.values())))


def _selected(column: str, types: Mapping[str, str]) -> str:
    quoted = _quoted(column)
    return f"CAST({quoted} AS VARCHAR)" if types[column].startswith(_AS_TEXT) else quoted


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(path: str) -> str:
    plain = "".join(f"[{letter}]" if letter in "*?[" else letter for letter in path)
    return "'" + plain.replace("'", "''") + "'"
