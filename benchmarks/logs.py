"""The game logs that are measured: football, which comes with the project, and larger ones where they are at hand."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_REPOSITORY = Path(__file__).resolve().parent.parent
_SHARED = Path(os.environ.get("TALLYMARK_DATA") or _REPOSITORY.parent / "shared" / "data")


class NamedLog(NamedTuple):
    """A file of games, and the days of a period that suit it."""

    name: str
    path: Path
    days: int


def logs(quick: bool) -> Iterator[NamedLog]:
    """The logs that are there; where it must be quick, the first alone."""
    shipped = sorted((_REPOSITORY / "examples" / "football").glob("*.csv*"))
    football = [path for path in shipped if "former" not in path.name]
    known = [
        *(NamedLog("football", path, 30) for path in football),
        NamedLog("football", _SHARED / "football_international" / "football_international.csv.gz", 30),
        NamedLog("tennis", _SHARED / "tennis_atp_main" / "tennis_atp_main.csv.gz", 7),
    ]
    seen: set[str] = set()
    for one in known:
        if one.path.is_file() and one.name not in seen:
            seen.add(one.name)
            yield one
            if quick:
                return
