"""Games from files: opened, recognised, read, told as games, checked."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from tallymark.checked import shortened
from tallymark.errors import InputError, ReadError, TallymarkError
from tallymark.games.files.csv_file import read_text
from tallymark.games.files.formats import Format, format_of
from tallymark.games.files.json_file import read_json
from tallymark.games.files.opening import Source, sources
from tallymark.games.files.parquet_file import read_parquet
from tallymark.games.files.pgn_file import read_pgn
from tallymark.games.files.raw import RawTable
from tallymark.games.files.repeated import headers_again
from tallymark.games.files.sgf_file import read_sgf
from tallymark.games.files.trf_file import read_trf
from tallymark.games.form import Form
from tallymark.games.identity.aliases import renamed
from tallymark.games.log import GameLog, log_of_entries, log_of_games
from tallymark.games.origin import Origin
from tallymark.games.prepared import Prepared, prepared_among
from tallymark.games.progress import Progress, Steps, silent
from tallymark.games.report import Findings, Reason
from tallymark.games.shapes.dates import with_dates_told
from tallymark.games.shapes.keyed import event_log, is_event_log, keyed_plan
from tallymark.games.shapes.plan import Choose, Plan, Row
from tallymark.games.shapes.recognition import recognised
from tallymark.games.shapes.unread import with_unread_told
from tallymark.games.told import Told, together
from tallymark.games.uniting import united
from tallymark.games.written import whole_rows, with_text


def read_games(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    results: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    times: str | None = None,
    zone: str | None = None,
    aliases: Mapping[str, str] | str | os.PathLike[str] | None = None,
    since: str | None = None,
    until: str | None = None,
    dedupe: bool = False,
    progress: Progress | None = None,
) -> GameLog:
    """The games of a file, or of several as one input: delimited text (.csv, .tsv), JSON, PGN, SGF, TRF or Parquet.

    The name tells the format, and where it does not (.txt, standard input) the beginning; text may be packed (.gz,
    .zst).
    Text is UTF-8; `encoding` is that of files that are not, and bytes that are neither are an error that shows them. A
    file with a byte-order mark of UTF-8, or whose bytes all are, is read as UTF-8 whatever is chosen. Cells are
    separated by `delimiter`, by default a comma, in a .tsv file a tab; where the lines show semicolons, tabs or bars
    instead, that is taken and announced.

    A row is a game: `player_a`, `player_b`, `score_a` (player a's, 0 to 1) and, where there, `played_at`, `game`,
    `match`, `steps`, `ending`, `source`, `board`, `komi`, `handicap`, `band_a`, `band_b`. In the place of `score_a`:
    `points_a` and `points_b`, or `result` (1-0, draw, +/-, a player's name; `results` maps further words to these), or
    `winner` and `loser` instead of the players. Or, in a file without them, a row is one player's entry in a match:
    `match` (or `game_id`), `player`, `rank`. `columns` maps these names to the file's own; `pool`, `order` and `team`
    count only when mapped.

    `times` says how times are written ("DD.MM.YYYY hh:mm", "days") where the column does not show it, and `zone`
    ("Europe/Berlin") whose clock those without an offset are of, instead of UTC. `aliases`, a mapping or the path of a
    file, reads old ids as new ones. Rows before `since`, and from `until` on, are rejected (ISO 8601), and with
    `dedupe` those that are equal to an earlier one.

    `progress` is called now and then with the rows read so far and the share of all bytes (None where unknown).

    Rows that cannot be rated are named in the log's `report` by line. ReadError when the file cannot be read or lacks
    a column, InputError for a mapping of an unknown name.

    >>> log = read_games("games.csv", columns={"score_a": "white_points"})  # doctest: +SKIP
    >>> log.report.accepted  # doctest: +SKIP
    10000
    """
    form = Form.of(
        columns=columns,
        results=results,
        delimiter=delimiter,
        encoding=encoding,
        times=times,
        zone=zone,
        aliases=aliases,
        since=since,
        until=until,
        dedupe=dedupe,
    )
    paths = [path] if isinstance(path, str | os.PathLike) else list(path)
    if not paths:
        raise InputError("no file is named", hint="give at least one")
    with naming(paths):
        return games_of(sources(map(Path, paths)), form, progress or silent)


@contextmanager
def naming(paths: Sequence[str | os.PathLike[str]]) -> Iterator[None]:
    """OSErrors of the system from in here as a ReadError that names the file, or all of them."""
    try:
        yield
    except OSError as error:
        if isinstance(error, TallymarkError):
            raise
        name = error.filename or ", ".join(map(str, paths))
        raise ReadError(f"{name} cannot be read: {error.strerror or error}") from error


def games_of(found: Sequence[Source], form: Form, progress: Progress = silent) -> GameLog:
    """The games of these files together, prepared logs among them or not."""
    return games_with(found, prepared_among(found, form), form, progress)


def games_with(
    found: Sequence[Source], prepared: Sequence[Prepared | None], form: Form, progress: Progress = silent
) -> GameLog:
    """The games of these files, of which these are prepared logs."""
    steps = Steps(progress, [source.size() for source in found])
    logs: list[GameLog] = []
    for plain, numbers in groupby(range(len(found)), lambda at: prepared[at] is None):
        at = list(numbers)
        if plain:
            logs.append(_read([found[one] for one in at], form, [steps.of(one) for one in at]))
        else:
            logs += [one.log for one in (prepared[number] for number in at) if one is not None]
    return logs[0] if len(logs) == 1 else united(logs, form.choices)


def _read(found: Sequence[Source], form: Form, steps: Sequence[Progress]) -> GameLog:
    """The games of files as they come, all of them one input."""
    whole = together([_told(source, form, step) for source, step in zip(found, steps, strict=True)])
    log = logged(whole, form)
    encodings = [source.encoding(form.encoding) for source in found]
    report = with_text(log.report, found, log.origin, encodings)
    for source in found:
        if not source.is_as_it_was():
            raise ReadError(f"{source.name} was changed while it was read", hint="read it again when it is at rest")
    return replace(log, report=report)


def logged(told: Told, form: Form) -> GameLog:
    """The log of what files told, by the names and within the range that somebody chose."""
    unused = [word for word in form.results if word not in told.used]
    if unused:
        listed = ", ".join(map(shortened, unused[:3])) + (", ..." if len(unused) > 3 else "")
        told.findings.notes.append(f"results: {len(unused):,} of {len(form.results):,} in no cell: {listed}")
    cells = renamed(told.cells, form.aliases, told.findings) if form.aliases else told.cells
    return (log_of_entries if told.entries else log_of_games)(cells, told.findings, form.choices)


def _told(source: Source, form: Form, progress: Progress) -> Told:
    """One file, its rows told as games or entries."""
    tags = format_of(source, form.encoding) in (Format.PGN, Format.SGF, Format.TRF)
    table = read_table(source, form, choosing(form, source.name, columns=not tags), progress)
    findings = found_in(table, source)
    findings.whole = table.whole or whole_rows(source, table.lines, source.encoding(form.encoding))
    return Told.of(table, findings, form)


def choosing(form: Form, name: str, *, columns: bool = True) -> Choose:
    """What makes the plan of a file or table of that name: what somebody said of its columns, and recognition.

    Those of its `columns` that are not read are told; tags of a format are no columns that somebody has written.
    """

    def choose(first: Sequence[str], sample: Sequence[Row]) -> Plan:
        rows = [row for row in sample if list(row) != list(first)]
        plan = replace(_chosen(first, rows), names=tuple(first))
        return with_unread_told(plan) if columns else plan

    def _chosen(first: Sequence[str], sample: Sequence[Row]) -> Plan:
        keyed = keyed_plan(first, sample, form.columns, name)
        if keyed is not None:
            return keyed
        try:
            plan = recognised(first, sample, form.columns, name)
        except ReadError as error:
            if is_event_log(first, sample):
                raise event_log(name) from error
            raise
        return with_dates_told(plan, first, sample, form.columns, name, form.clock.reading is not None)

    return choose


def found_in(table: RawTable, source: Source) -> Findings:
    """The findings of a table as it was read: what its plan announces, and its ragged rows."""
    findings = Findings(table.rows, Origin((source.name,), lines=table.lines))
    findings.notes += [*table.plan.notes, *table.notes]
    findings.reject(table.faults, Reason.DAMAGED, lambda row: table.faults[row])
    findings.reject(headers_again(table), Reason.DAMAGED, lambda _: "the header once more")
    findings.reject(
        table.ragged, Reason.RAGGED, lambda row: f"{table.ragged[row]} cells, though the header has {table.width}"
    )
    return findings


def read_table(source: Source, form: Form, choose: Choose, progress: Progress = silent) -> RawTable:
    """The columns of a file that `choose` picks, by the reader of its format."""
    kind = format_of(source, form.encoding)
    if kind is Format.PARQUET:
        return read_parquet(source, choose, progress)
    encoding = source.encoding(form.encoding)
    table = _read_text(source, kind, form, choose, encoding, progress)
    if encoding == form.encoding:
        return table
    note = f"UTF-8, as its bytes show, and read so: {form.encoding} is for files that are not UTF-8"
    return replace(table, notes=(note, *table.notes))


def _read_text(source: Source, kind: Format, form: Form, choose: Choose, encoding: str, progress: Progress) -> RawTable:
    """The columns of a file of text in this encoding."""
    if kind is Format.JSON:
        return read_json(source, choose, encoding)
    mapped = frozenset(form.columns.values())
    if kind is Format.PGN:
        return read_pgn(source, choose, encoding, mapped)
    if kind is Format.SGF:
        return read_sgf(source, choose, encoding, mapped)
    if kind is Format.TRF:
        return read_trf(source, choose, encoding)
    return read_text(source, choose, form.delimiter, encoding, progress)
