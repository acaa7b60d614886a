"""How files are to be read, where that is not left to recognition."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.choices import Choices
from tallymark.games.files.encodings import checked_encoding
from tallymark.games.identity.aliases import checked_aliases
from tallymark.games.shapes.names import checked_mapping
from tallymark.games.shapes.results import checked_words
from tallymark.games.times.clock import Clock


@dataclass(frozen=True)
class Form:
    """What somebody said about the files, checked: InputError for what cannot be meant."""

    columns: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    encoding: str = "utf-8"
    clock: Clock = field(default_factory=Clock)
    aliases: Mapping[str, str] = field(default_factory=dict)
    since: int | None = None
    until: int | None = None
    dedupe: bool = False

    @classmethod
    def of(
        cls,
        *,
        columns: Mapping[str, str] | None = None,
        results: Mapping[str, str] | None = None,
        delimiter: str | None = None,
        encoding: str = "utf-8",
        times: str | None = None,
        zone: str | None = None,
        aliases: Mapping[str, str] | str | os.PathLike[str] | None = None,
        since: str | None = None,
        until: str | None = None,
        dedupe: bool = False,
    ) -> "Form":
        """The form of these options, each of them checked."""
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
            raise InputError(
                f"delimiter is {shortened(delimiter)}; it is one character, and no quotation mark or line break"
            )
        choices = Choices.of(since, until, dedupe)
        return cls(
            columns=checked_mapping(columns),
            results=checked_words(results),
            delimiter=delimiter,
            encoding=checked_encoding(encoding),
            clock=Clock.of(times, zone),
            aliases=checked_aliases(aliases, checked_encoding(encoding)),
            since=choices.since,
            until=choices.until,
            dedupe=choices.dedupe,
        )

    @property
    def choices(self) -> Choices:
        """Which rows are taken."""
        return Choices(self.since, self.until, self.dedupe)
