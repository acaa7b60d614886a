"""What `--json` prints: one document, in ASCII, so that it arrives whole whatever the terminal's encoding."""

import json
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tallymark import LogReport, Methodology, ReplayReport, Score, Table

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | float | int | bool | None"


def print_json(document: Json) -> None:
    """The document on standard output. NaN and infinities must be gone: JSON has no word for them."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False) + "\n")


def rules_document(rules: "Methodology") -> dict[str, Json]:
    """Which rules: id and hash."""
    return {"id": rules.id, "hash": rules.hash}


def log_document(report: "LogReport") -> dict[str, Json]:
    """What became of the rows, with every problem."""
    return {
        "rows": report.rows,
        "accepted": report.accepted,
        "held": report.held,
        "rejected": report.rejected,
        "games": report.games,
        "problems": table_document(report.problems),
        "notes": list(report.notes),
    }


def replay_document(report: "ReplayReport") -> dict[str, Json]:
    """What became of the rows and of the games."""
    return log_document(report.log) | {
        "rated": report.rated,
        "not_rated": dict(report.not_rated),
        "endings": dict(report.endings),
        "late": report.late,
        "players": report.players,
        "pools": report.pools,
        "unit": report.unit_kind,
        "units": report.units,
        "clamped": dict(report.clamped),
        "unconverged": report.unconverged,
        "engine": report.engine,
    }


def score_document(score: "Score") -> dict[str, Json]:
    """A score; null where there was no game to score."""
    return {
        "games": score.games,
        "decisive": score.decisive,
        "log_loss": _plain(score.log_loss),
        "brier": _plain(score.brier),
        "accuracy": _plain(score.accuracy),
    }


def table_document(table: "Table", top: int | None = None) -> list[Json]:
    """A table as a list of objects, times as ISO 8601 in UTC, NaN as null; at most the first `top` of each pool."""
    seen: Counter[object] = Counter()
    rows: list[Json] = []
    for row in table.rows():
        seen[row.get("pool")] += 1
        if top is None or seen[row.get("pool")] <= top:
            rows.append({name: _plain(cell) for name, cell in row.items()})
    return rows


def _plain(cell: "float | int | bool | str | datetime | None") -> Json:
    if isinstance(cell, datetime):
        return cell.isoformat().removesuffix("+00:00") + "Z"
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell
