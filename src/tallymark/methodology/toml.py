"""TOML as `tomllib` reads it, within limits: what it gives up on is refused, not crashed on."""

import re
import tomllib
from typing import Final

from tallymark.errors import MethodologyError

_DEPTH: Final = 64
_DIGITS: Final = 400
_LONG: Final = re.compile("[0-9A-Fa-f_]{300,}")  # of any base


def loaded(text: str, file: str | None = None) -> dict[str, object]:
    """The content of a TOML text. `TOMLDecodeError` if it is none; `MethodologyError` (file, line) beyond the limits.

    >>> loaded("tau = 0.5")
    {'tau': 0.5}
    """
    try:
        content = tomllib.loads(text)
        _check(content, _DEPTH)
    except RecursionError:
        raise MethodologyError(f"values are nested in one another, more than {_DEPTH} deep", file=file) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python itself converts no more than some thousands of digits
        found = _LONG.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found and file else None
        raise MethodologyError(f"a number has {_DIGITS} digits or more", file=file, line=line) from None
    return content


def _check(value: object, depth: int) -> None:
    if isinstance(value, int) and abs(value) >= 10 ** (_DIGITS - 1):
        raise ValueError
    if isinstance(value, dict | list):
        if not depth:
            raise RecursionError
        for inner in value.values() if isinstance(value, dict) else value:
            _check(inner, depth - 1)
