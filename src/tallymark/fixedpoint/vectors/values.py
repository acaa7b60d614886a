"""Values of a vector: integers of any size, which JSON has not, so a string of decimal digits each."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from tallymark.errors import ReadError

Value: TypeAlias = "int | bool | str | Sequence[Value] | Mapping[str, Value]"

_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]*")


def written(value: Value) -> str:
    """The value as JSON without blanks, each integer a string of its digits.

    >>> written({"n": -5, "on": True, "to": ["a", 1 << 64]})
    '{"n":"-5","on":true,"to":["a","18446744073709551616"]}'
    """
    return json.dumps(_told(value), separators=(",", ":"), ensure_ascii=True)


def read(text: str) -> Value:
    """What `written` wrote; `ReadError` for other JSON: numbers that are no strings, null.

    >>> read('{"n":"-5","on":true}')
    {'n': -5, 'on': True}
    """
    try:
        return _taken(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise ReadError(f"this is no JSON: {error}") from None


class Fields:
    """An object of a vector, its members asked for by name and kind; `ReadError` says which is missing or another kind.

    >>> Fields({"n": 5}).whole("n")
    5
    """

    def __init__(self, value: Value, where: str = "the line") -> None:
        if not isinstance(value, Mapping):
            raise ReadError(f"{where} is {written(value)[:60]}; expected an object")
        self.value = value
        self.where = where

    def whole(self, name: str) -> int:
        """An integer."""
        value = self._member(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._other(name, value, "a string of decimal digits")
        return value

    def flag(self, name: str) -> bool:
        """true or false."""
        value = self._member(name)
        if not isinstance(value, bool):
            raise self._other(name, value, "true or false")
        return value

    def word(self, name: str) -> str:
        """Text that is no integer."""
        value = self._member(name)
        if not isinstance(value, str):
            raise self._other(name, value, "text")
        return value

    def fields(self, name: str) -> "Fields":
        """An object in it."""
        return Fields(self._member(name), name)

    def several(self, name: str) -> "Sequence[Value]":
        """An array in it."""
        value = self._member(name)
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise self._other(name, value, "an array")
        return value

    def _member(self, name: str) -> Value:
        if name not in self.value:
            raise ReadError(f"{self.where} has no {name}")
        return self.value[name]

    def _other(self, name: str, value: Value, expected: str) -> ReadError:
        return ReadError(f"{name} of {self.where} is {written(value)[:60]}; expected {expected}")


def _told(value: Value) -> object:
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _told(one) for name, one in value.items()}
    return [_told(one) for one in value]


def _taken(value: object) -> Value:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return int(value) if _INTEGER.fullmatch(value) and len(value) <= 200 else value
    if isinstance(value, dict):
        return {str(name): _taken(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_taken(one) for one in value]
    raise ReadError(f"{value} is a number or null; expected strings, true, false, arrays and objects")
