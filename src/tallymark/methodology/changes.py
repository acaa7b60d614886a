"""Changes to a methodology's content: what `with_` and the command line's `--set` take."""

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Final, TypeAlias, cast

from tallymark.errors import InputError, MethodologyError
from tallymark.methodology.sections import FIRST_DAY, default_late
from tallymark.methodology.toml import loaded
from tallymark.systems import SYSTEMS
from tallymark.systems.parameters import parameters

Setting: TypeAlias = (
    float | int | str | bool | date | time | Sequence[object] | Mapping[str, object] | Mapping[int, float] | None
)
"""A value to set: of the field's type, None to remove, or a table for a whole section."""

_LENGTH: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([dh])")
_PROSE: Final = ("name", "version", "title", "description", "base_hash")


def parse_setting(text: str) -> tuple[str, Setting]:
    """`key=value` typed by TOML's rules; a bare word is text, an empty value is None (removes). `InputError` if no =.

    `MethodologyError` for a value that is TOML and too large to be one.

    >>> parse_setting("tau=0.3"), parse_setting("period=7d"), parse_setting("bounds.rating_max=")
    (('tau', 0.3), ('period', '7d'), ('bounds.rating_max', None))
    """
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not key:
        raise InputError(f"{text!r} is no setting; expected key=value", hint="for example tau=0.3 or period=7d")
    if not value:
        return key, None
    try:
        typed = loaded(f"value = {value}")
    except tomllib.TOMLDecodeError:
        return key, value
    except MethodologyError as error:
        raise MethodologyError(f"{key} cannot be set: {error.message}", field=key) from None
    return key, cast(Setting, typed["value"]) if len(typed) == 1 else value


def merged(content: Mapping[str, Mapping[str, object]], changes: Mapping[str, Setting]) -> dict[str, object]:
    """`content` with the changes; the input stays as it is. `MethodologyError` for a key that names no one field.

    >>> merged({"system": {"kind": "elo", "k": 20.0}, "period": {"kind": "match"}}, {"k": 32})["system"]["k"]
    32
    """
    flat = _flattened(content, changes)
    new: dict[str, dict[str, object]] = {section: dict(fields) for section, fields in content.items()}
    shortened = "period" in flat
    shorthand = flat.pop("period", None)
    kind = flat.get("system.kind")
    if kind is not None and kind != content["system"]["kind"]:
        new["system"] = {}  # a parameter means something else in another system, even one of the same name
    for field, value in flat.items():
        section, _, name = field.partition(".")
        new[section][name] = value
    if shortened:
        _set_period(new, shorthand, set(flat))
    return dict(new)


def _flattened(content: Mapping[str, Mapping[str, object]], changes: Mapping[str, Setting]) -> dict[str, Setting]:
    """The changes by dotted field; the period shorthand stays under `period`."""
    given: list[tuple[str, Setting]] = []
    for key, value in changes.items():
        if key in content and isinstance(value, Mapping):
            given += [(f"{key}.{name}", inner) for name, inner in cast("Mapping[str, Setting]", value).items()]
        else:
            given.append((key, value))
    kind = dict(given).get("system.kind", content["system"]["kind"])
    flat: dict[str, Setting] = {}
    for key, value in given:
        field = key if key == "period" else _dotted(content, kind, key)
        if field in flat:
            raise MethodologyError(f"{field} is set twice", field=field)
        flat[field] = value
    return flat


def _dotted(content: Mapping[str, Mapping[str, object]], kind: object, key: str) -> str:
    """The one dotted field that `key` names, or `MethodologyError` with the candidates."""
    fields = [f"{section}.{name}" for section in content for name in content[section]]
    if kind != content["system"]["kind"] and isinstance(kind, str) and kind in SYSTEMS:
        fields = [field for field in fields if not field.startswith("system.")]
        fields += ["system.kind", *(f"system.{name}" for name, _ in parameters(SYSTEMS[kind]))]
    if key in fields:
        return key
    if key in _PROSE:
        raise MethodologyError(
            f"{key} is not a rule, so a variant keeps it", field=key, hint="write a file of its own for a new name"
        )
    if key in content:
        raise MethodologyError(
            f"{key} is a section; expected a table of its fields", field=key, hint=f"or a field: {key}.NAME"
        )
    ending = [field for field in fields if field.partition(".")[2] == key]
    if len(ending) == 1:
        return ending[0]
    if ending:
        raise MethodologyError(f"{key} is a field of several sections: {', '.join(ending)}", field=key)
    names = {**{field.partition(".")[2]: field for field in fields}, **{field: field for field in fields}}
    close = list(dict.fromkeys(names[name] for name in difflib.get_close_matches(key, names, n=3)))
    raise MethodologyError(
        f"{key} is no field of this methodology",
        field=key,
        hint="did you mean " + " or ".join(close) + "?" if close else None,
    )


def _set_period(new: dict[str, dict[str, object]], shorthand: Setting, named: set[str]) -> None:
    """Sets the period by its shorthand; what nobody named follows where it would contradict."""
    length = _LENGTH.fullmatch(shorthand) if isinstance(shorthand, str) else None
    if length is None and shorthand not in ("match", "game"):
        raise MethodologyError(
            f"period is {shorthand!r}; expected a length like 7d or 12h, match, or game", field="period"
        )
    kind = str(shorthand) if length is None else "calendar"
    period, ageing = new["period"], new["ageing"]
    was, days = period["kind"], period.get("days")
    period["kind"] = kind
    period["days"] = None if length is None else float(length[1]) / (1.0 if length[2] == "d" else 24.0)
    if kind != "calendar" and "period.origin" not in named:
        period["origin"] = FIRST_DAY
    if (kind == "calendar") != (was == "calendar") and "period.late" not in named:
        closed_only = kind != "calendar" and period["late"] == "next-period"
        if closed_only or period["late"] == default_late(was):
            period["late"] = default_late(kind)
    if "ageing.kind" in named:
        return
    if ageing["kind"] == "elapsed" and kind != "game":
        ageing.update(kind="periods" if kind == "calendar" else "none", periods_per_day=None, whole=False)
    elif ageing["kind"] == "periods" and kind == "match":
        ageing.update(kind="none")
    elif ageing["kind"] == "periods" and kind == "game":
        assert isinstance(days, float)  # only calendar periods age by periods
        ageing.update(kind="elapsed")
        if "ageing.periods_per_day" not in named:
            ageing.update(periods_per_day=1.0 / days)
