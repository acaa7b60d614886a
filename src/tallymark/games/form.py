"""How files are to be read, where that is not left to recognition."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.games.files.encodings import checked_encoding
from tallymark.games.shapes.names import checked_mapping
from tallymark.games.shapes.results import checked_words


@dataclass(frozen=True)
class Form:
    """What somebody said about the files, checked: InputError for what cannot be meant."""

    columns: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    delimiter: str | None = None
    encoding: str = "utf-8"

    @classmethod
    def of(
        cls,
        columns: Mapping[str, str] | None,
        results: Mapping[str, str] | None,
        delimiter: str | None,
        encoding: str,
    ) -> "Form":
        """The form of these options, each of them checked."""
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
            raise InputError(
                f"delimiter is {shortened(delimiter)}; it is one character, and no quotation mark or line break"
            )
        return cls(checked_mapping(columns), checked_words(results), delimiter, checked_encoding(encoding))
