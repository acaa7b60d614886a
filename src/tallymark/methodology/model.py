"""A methodology: the complete rules of a pool as data, identified by the hash of its content."""

import dataclasses
import difflib
import hashlib
import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import rfc8785

from tallymark.errors import InputError, MethodologyError
from tallymark.methodology.changes import Setting, merged
from tallymark.methodology.contradictions import number_contradictions, published_contradictions, time_contradictions
from tallymark.methodology.exact import exact_contradictions
from tallymark.methodology.rules import Komi, Published, Rated
from tallymark.methodology.scalar import ScalarFace
from tallymark.methodology.section import Section, accepted
from tallymark.methodology.sections import Ageing, Bounds, Numbers, Period
from tallymark.methodology.writer import to_toml
from tallymark.systems import SYSTEMS, System
from tallymark.systems.parameters import Parameter, fields_of, parameters

Value: TypeAlias = float | int | str | bool | tuple[str, ...] | tuple[int, ...] | Mapping[int, float] | None
"""What a field of a methodology holds; None where an optional one is absent."""

Content: TypeAlias = dict[str, dict[str, float | int | str | bool | list[str | int] | dict[str, float] | None]]
"""A methodology's sections as plain data, JSON-ready."""

SECTIONS: Final[tuple[type[Section], ...]] = (Period, Ageing, Bounds, Numbers, Rated, Published)
"""Every section but the system, in the order of a file."""

SYSTEM_KIND: Final = Parameter(
    str,
    "",
    "spec glicko2.md",
    "The rating system; the other fields of this table are its parameters.",
    choices=tuple(SYSTEMS),
)
_HEAD: Final = ("name", "version", "title", "description", "base_hash")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_VERSION: Final = re.compile(r"v?(0|[1-9][0-9]*)(-draft)?")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_S = TypeVar("_S", bound=Section)


class Field(NamedTuple):
    """One field of a methodology: its dotted name, its value, and what it means."""

    name: str
    value: Value
    parameter: Parameter


@dataclass(frozen=True, repr=False)
class Methodology(ScalarFace):
    """The complete rules of a pool. Built valid, or `MethodologyError`; never edited: `with_` makes a variant.

    `base_hash` is set in a variant alone: the hash of the methodology it came from, whose name and version it keeps.

    >>> from tallymark.methodology import methodology
    >>> paper = methodology("paper")
    >>> paper.id, paper.period.days, paper.bounds.deviation_max
    ('paper-1', 30.0, 350.0)
    >>> weekly = paper.with_(period="7d")
    >>> weekly.id == "paper-1+" + weekly.hash[:8], weekly.with_(period="30d") == paper
    (True, True)
    """

    name: str
    version: str
    title: str
    description: str
    system: System
    period: Period
    ageing: Ageing
    bounds: Bounds = field(default_factory=Bounds)
    numbers: Numbers = field(default_factory=Numbers)
    rated: Rated = field(default_factory=Rated)
    published: Published = field(default_factory=Published)
    base_hash: str | None = None

    def __post_init__(self) -> None:
        for name, pattern, expected in (
            ("name", _NAME, "lower-case words joined by -, like club-ladder"),
            ("version", _VERSION, "a number, perhaps after v or before -draft, like 1, v2 or v3-draft"),
            ("base_hash", _SHA256, "64 hexadecimal digits"),
        ):
            given = getattr(self, name)
            if given is None and name == "base_hash":
                continue
            if not isinstance(given, str) or not pattern.fullmatch(given):
                raise MethodologyError(f"{name} is {given!r}; expected {expected}", field=name)
        for name in ("title", "description"):
            if not isinstance(getattr(self, name), str):
                raise MethodologyError(f"{name} is {getattr(self, name)!r}; expected text", field=name)
        for dotted, message in (
            *time_contradictions(self.system, self.period, self.ageing),
            *number_contradictions(self.system, self.bounds, self.numbers),
            *published_contradictions(self.system, self.published),
            *exact_contradictions(self.system, self.ageing, self.bounds, self.numbers, self.rated),
        ):
            raise MethodologyError(f"{dotted} {message}", field=dotted)
        if self.base_hash == self.hash:
            object.__setattr__(self, "base_hash", None)

    @property
    def base_id(self) -> str:
        """The id of the methodology that this one, if it is a variant, came from; its own id otherwise."""
        return f"{self.name}-{self.version}"

    @property
    def id(self) -> str:
        """Name and version; a variant's has `+` and the first 8 digits of its hash."""
        return self.base_id if self.base_hash is None else f"{self.base_id}+{self.hash[:8]}"

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hex, of the RFC 8785 JSON of `content()`."""
        return hashlib.sha256(rfc8785.dumps(self.content())).hexdigest()

    def fields(self) -> Iterator[Field]:
        """Every field that decides a number, defaults included, in the order of a file."""
        yield Field("system.kind", self.system.kind, SYSTEM_KIND)
        for name, described in parameters(self.system):
            yield Field(f"system.{name}", getattr(self.system, name), described)
        for section in SECTIONS:
            of = getattr(self, section.section)
            for name, described in parameters(of):
                yield Field(f"{section.section}.{name}", getattr(of, name), described)

    def content(self) -> Content:
        """What the hash covers, as plain data: every field that decides a number, without name, version and prose.

        Absent optional fields stand there as None, lists are lists, komi is a table with boards as text.
        """
        content: Content = {}
        for name, value, _ in self.fields():
            section, key = name.split(".")
            if isinstance(value, Mapping):
                content.setdefault(section, {})[key] = {str(board): komi for board, komi in value.items()}
            elif isinstance(value, tuple):
                content.setdefault(section, {})[key] = list(value)
            else:
                content.setdefault(section, {})[key] = value
        return content

    @classmethod
    def from_content(cls, data: Mapping[str, object]) -> "Methodology":
        """The methodology of a file's data: name, version, prose and sections. `MethodologyError` names the field."""
        sections = {section.section: section for section in SECTIONS}
        known = (*_HEAD, "system", *sections)
        for key in data:
            if key not in known:
                raise _unknown(key, known)
        tables = {name: _table(data, name) for name in ("system", *sections)}
        for key in ("name", "version"):
            if key not in data:
                raise MethodologyError(f"{key} is absent; every methodology has one", field=key)
        # Whatever stands there: the methodology checks its head itself when it is built.
        head: dict[str, Any] = {"title": "", "description": "", **{key: data[key] for key in _HEAD if key in data}}
        return cls(
            system=_system(tables["system"]),
            period=_section(Period, tables["period"]),
            ageing=_section(Ageing, tables["ageing"]),
            bounds=_section(Bounds, tables["bounds"]),
            numbers=_section(Numbers, tables["numbers"]),
            rated=_section(Rated, tables["rated"]),
            published=_section(Published, tables["published"]),
            **head,
        )

    def with_(self, changes: Mapping[str, Setting] | None = None, /, **named: Setting) -> "Methodology":
        """A variant with its own hash. `MethodologyError` where the result would not be a methodology.

        A key is dotted (`{"bounds.rating_min": 100}`), a section with a table (`bounds={"rating_min": 100}`), or a
        bare field name that only one section has (`tau=0.3`). None removes an optional field. `period` also takes
        "7d", "12h", "match" or "game"; ageing, `late` and origin then follow where they would contradict it.

        >>> from tallymark.methodology import methodology
        >>> methodology("paper").with_(period="match", tau=0.3).ageing.kind
        'none'
        """
        head = {name: getattr(self, name) for name in ("name", "version", "title", "description")}
        content = merged(self.content(), {**(changes or {}), **named})
        return Methodology.from_content({**head, "base_hash": self.base_hash or self.hash, **content})

    def to_toml(self) -> str:
        """The methodology as a file that loads back with the same id and hash; every default written out."""
        head = {name: getattr(self, name) for name in _HEAD}
        return to_toml({**{name: value for name, value in head.items() if value is not None}, **self.content()})

    def __repr__(self) -> str:
        return f"<Methodology {self.id}, hash {self.hash[:8]}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(_shown(value))}</td>"
            f"<td>{html.escape(described.unit)}</td><td>{html.escape(described.doc)}</td></tr>"
            for name, value, described in self.fields()
            if value is not None
        )
        return (
            f"<table><caption>{html.escape(self.id)}: {html.escape(self.title)} (hash {self.hash[:8]})</caption>"
            f"<thead><tr><th>field</th><th>value</th><th>unit</th><th>meaning</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "any"
    if isinstance(value, Komi):
        return ", ".join(f"{board}: {komi:g}" for board, komi in value.items()) or "any"
    return str(value)


def _table(data: Mapping[str, object], name: str) -> Mapping[str, object]:
    table = data.get(name, {})
    if not isinstance(table, Mapping):
        raise MethodologyError(f"{name} is {table!r}; expected a table [{name}]", field=name)
    return table


def _section(section: type[_S], table: Mapping[str, object]) -> _S:
    names = [name for name, _ in parameters(section)]
    for key in table:
        if key not in names:
            raise _unknown(f"{section.section}.{key}", [f"{section.section}.{name}" for name in names])
    for one in fields_of(section):
        if one.default is dataclasses.MISSING and one.name not in table:
            dotted = f"{section.section}.{one.name}"
            raise MethodologyError(f"{dotted} is absent; every methodology has one", field=dotted)
    return section(**table)


def _system(table: Mapping[str, object]) -> System:
    if "kind" not in table:
        raise MethodologyError("system.kind is absent; every methodology has one", field="system.kind")
    system = SYSTEMS[str(accepted("system.kind", SYSTEM_KIND, table["kind"]))]
    known = dict(parameters(system))
    given = {}
    for key, value in table.items():
        if key != "kind":
            if key not in known:
                raise _unknown(f"system.{key}", ["system.kind", *(f"system.{name}" for name in known)])
            given[key] = accepted(f"system.{key}", known[key], value)
    try:
        return system(**given)
    except InputError as error:  # parameters that contradict each other; the message begins with the name of one
        name = error.message.split(" ")[0]
        dotted = f"system.{name}" if name in known else "system"
        raise MethodologyError(f"system.{error.message}", field=dotted) from None


def _unknown(dotted: str, known: tuple[str, ...] | list[str]) -> MethodologyError:
    # Only the last part is compared: what comes before is the same in all.
    last = {name.rpartition(".")[2]: name for name in known}
    close = [last[name] for name in difflib.get_close_matches(dotted.rpartition(".")[2], last, n=3)]
    hint = "did you mean " + " or ".join(close) + "?" if close else "known here: " + ", ".join(known)
    return MethodologyError(f"{dotted} is no field of a methodology", field=dotted, hint=hint)
