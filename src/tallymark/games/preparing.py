"""Files of games as one log to be prepared: read, and each file with its hash."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tallymark.errors import ReadError
from tallymark.games.files.opening import Source, sources
from tallymark.games.form import Form
from tallymark.games.prepared import Prepared, prepared_among
from tallymark.games.progress import Progress, silent
from tallymark.games.provenance import Options, Provenance, told
from tallymark.games.reading import games_of, naming


def prepare(paths: Sequence[Path], options: Options, progress: Progress = silent) -> Prepared:
    """The games of files, ready to be saved as a prepared log. One that is prepared again stays what it is.

    Raises what `read_games` does, and `ReadError` for a file that somebody writes to meanwhile.
    """
    form = Form.of(**options)
    with naming(paths):
        found = sources(paths)
        prepared = prepared_among(found, form)
        if prepared is None:
            log = games_of(found, form, progress)
            files = tuple((source.name, _digest(source)) for source in found)
            prepared = Prepared(log, Provenance(files, told({**options, "aliases": form.aliases})))
        for source in found:
            if not source.is_as_it_was():
                raise ReadError(f"{source.name} was changed while it was read", hint="prepare the log again")
    return prepared


def _digest(source: Source) -> str:
    with source.opened() as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # a file opened for bytes
