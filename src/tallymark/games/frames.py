"""Games from a table in memory."""

import os
from collections.abc import Mapping

from tallymark.games.files.frame import FRAME, ArrowStream, read_stream
from tallymark.games.form import Form
from tallymark.games.log import GameLog
from tallymark.games.origin import Origin
from tallymark.games.reading import choosing, logged
from tallymark.games.report import Findings
from tallymark.games.told import Told


def read_frame(
    frame: ArrowStream,
    *,
    columns: Mapping[str, str] | None = None,
    results: Mapping[str, str] | None = None,
    times: str | None = None,
    zone: str | None = None,
    aliases: Mapping[str, str] | str | os.PathLike[str] | None = None,
    since: str | None = None,
    until: str | None = None,
    dedupe: bool = False,
) -> GameLog:
    """The games of a table in memory: of polars, pandas, pyarrow, duckdb, or a `Table` of tallymark.

    Columns are recognised, mapped and checked as those of a file are (see `read_games`, also for the options); rows
    are named by their position. Ids that are integers stay integers. InputError for what has no Arrow stream,
    ReadError where a column is missing.

    >>> from tallymark import Table
    >>> read_frame(Table({"player_a": [7], "player_b": [9], "score_a": [1]})).players
    [7, 9]
    """
    form = Form.of(
        columns=columns,
        results=results,
        times=times,
        zone=zone,
        aliases=aliases,
        since=since,
        until=until,
        dedupe=dedupe,
    )
    table = read_stream(frame, choosing(form, FRAME))
    findings = Findings(table.rows, Origin((FRAME,)))
    findings.notes += table.plan.notes
    findings.whole = table.whole
    return logged(Told.of(table, findings, form), form)
