"""A methodology's data as the text of a TOML file."""

import json
from collections.abc import Mapping


def to_toml(data: Mapping[str, object]) -> str:
    """The text of a file: plain values first, then a table for each mapping. None is left out.

    >>> print(to_toml({"name": "x", "period": {"kind": "calendar", "days": 30.0, "late": None}}), end="")
    name = "x"
    <BLANKLINE>
    [period]
    kind = "calendar"
    days = 30.0
    """
    lines = [f"{key} = {_value(value)}" for key, value in data.items() if not isinstance(value, Mapping)]
    for section, table in data.items():
        if isinstance(table, Mapping):
            filled = {key: value for key, value in table.items() if value is not None}
            if filled:
                lines += ["", f"[{section}]", *(f"{key} = {_value(value)}" for key, value in filled.items())]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        # JSON escapes what TOML's basic strings must, but for DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + "}"
    assert isinstance(value, list)
    return "[" + ", ".join(map(_value, value)) + "]"
