"""Headers in the middle of a file, where somebody put several files together."""

from collections.abc import Sequence

import numpy as np

from tallymark.games.files.raw import RawTable
from tallymark.games.texts import Packed, Text


def headers_again(table: RawTable) -> list[int]:
    """The rows that say in every column that is read what the header says.

    >>> from tallymark.games.shapes.plan import Plan
    >>> plan = Plan({"winner": (0,), "loser": (1,)}, names=("winner", "loser"))
    >>> cells = [Text(np.array([0, 1], dtype=np.int32), texts) for texts in (["ann", "winner"], ["bob", "loser"])]
    >>> headers_again(RawTable(plan, dict(enumerate(cells)), 2))
    [1]
    """
    plan = table.plan
    columns = [(plan.names[at], cells) for at, cells in table.cells.items() if at < len(plan.names)]
    texts = [(name, cells) for name, cells in columns if isinstance(cells, Text)]
    if not plan.header or not texts or len(texts) < len(table.cells):
        return []
    rows: list[int] | None = None
    for name, cells in sorted(texts, key=lambda column: len(column[1].texts)):  # where few words are, it is soon told
        found = np.isin(cells.codes if rows is None else cells.codes[rows], _codes(name, cells.texts))
        rows = np.flatnonzero(found).tolist() if rows is None else np.array(rows)[found].tolist()
        if not rows:
            return []
    return rows or []


def _codes(name: str, texts: Sequence[str]) -> list[int]:
    """The codes of a text."""
    if isinstance(texts, Packed):
        near = np.flatnonzero(texts.lengths == len(name.encode())).tolist()
        return [code for code in near if texts[code] == name]
    return [code for code, text in enumerate(texts) if text == name]
