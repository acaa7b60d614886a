"""A message that came, and its fields, each of the kind that it must be."""

import json
from collections.abc import Mapping
from typing import cast

from tallymark.checked import shortened
from tallymark.errors import InputError
from tallymark.ledger.matches import Json


class Message:
    """A JSON object with a `type`. Fields that nobody asks for are not looked at: a later version may have more."""

    def __init__(self, text: str | bytes) -> None:
        try:
            found = json.loads(text)
        except ValueError as error:
            raise InputError(f"a message is no JSON: {error}") from None
        if not isinstance(found, dict):
            raise InputError(f"a message is {shortened(found)}; expected a JSON object")
        self._fields: Mapping[str, Json] = found
        self.type = self.text("type")

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) is not None

    def text(self, name: str) -> str:
        """A field that is text."""
        value = self._fields.get(name)
        if not isinstance(value, str):
            raise self._wrong(name, "text")
        return value

    def whole(self, name: str) -> int:
        """A field that is a whole number."""
        value = self._fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(name, "a whole number")
        return value

    def object(self, name: str) -> Mapping[str, Json]:
        """A field that is an object."""
        value = self._fields.get(name)
        if not isinstance(value, dict):
            raise self._wrong(name, "an object")
        return cast(Mapping[str, Json], value)

    def objects(self, name: str) -> tuple[Mapping[str, Json], ...]:
        """A field that is a list of objects."""
        value = self._fields.get(name)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self._wrong(name, "a list of objects")
        return tuple(cast(list[Mapping[str, Json]], value))

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of texts."""
        value = self._fields.get(name)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._wrong(name, "a list of texts")
        return tuple(cast(list[str], value))

    def _wrong(self, name: str, expected: str) -> InputError:
        value = shortened(self._fields[name]) if name in self._fields else "missing"
        kind = self._fields.get("type")
        of = f" of a message {kind}" if name != "type" and isinstance(kind, str) else ""
        return InputError(f"{name}{of} is {value}; expected {expected}", field=name)
