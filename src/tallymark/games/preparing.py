"""Files of games as one log to be prepared: read, and each file with its hash."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tallymark.errors import ReadError
from tallymark.games.files.opening import Source, sources
from tallymark.games.form import Form
from tallymark.games.prepared import Prepared, prepared_among
from tallymark.games.progress import Progress, silent
from tallymark.games.provenance import Json, Options, Provenance, told
from tallymark.games.reading import games_with, naming

_PIECE: Final = 1 << 20


def prepare(paths: Sequence[Path], options: Options, progress: Progress = silent) -> Prepared:
    """The games of files, ready to be saved as a prepared log. One that is prepared again stays what it is;
    several become one.

    Raises what `read_games` does, and `ReadError` for a file that somebody writes to meanwhile.
    """
    form = Form.of(**options)
    with naming(paths):
        found = sources(paths)
        parts = prepared_among(found, form)
        only = parts[0] if len(parts) == 1 else None
        prepared = only or Prepared(games_with(found, parts, form, progress), _provenance(found, parts, form, options))
        for source in found:
            if not source.is_as_it_was():
                raise ReadError(f"{source.name} was changed while it was read", hint="prepare the log again")
    return prepared


def _provenance(found: Sequence[Source], parts: Sequence[Prepared | None], form: Form, options: Options) -> Provenance:
    """Where the games come from: the files, those of logs that were prepared before, and what was said of each."""
    files: list[tuple[str, str]] = []
    before: dict[str, Json] = {}
    for source, part in zip(found, parts, strict=True):
        if part is None:
            files.append((source.name, _digest(source)))
        else:
            files += part.provenance.files
            before[source.name] = dict(part.provenance.form)
    said = told({**options, "aliases": form.aliases})
    return Provenance(tuple(files), {**said, "prepared": before} if before else said)


def _digest(source: Source) -> str:
    digest = hashlib.sha256()
    with source.opened() as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()
