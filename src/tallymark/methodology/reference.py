"""Every field of a methodology as Markdown, from the fields themselves: `python -m tallymark.methodology.reference`."""

import dataclasses
from collections.abc import Iterator, Mapping

from tallymark.methodology.loader import methodology, shipped
from tallymark.methodology.model import SECTIONS, SYSTEM_KIND
from tallymark.systems import SYSTEMS
from tallymark.systems.parameters import Parameter, parameters

_HEADER = "| field | range | unit | default | meaning | source |\n| --- | --- | --- | --- | --- | --- |"


def reference() -> str:
    """The reference page: shipped methodologies, the parameters of every system, the fields of every section.

    >>> print(reference().splitlines()[0])
    # Fields of a methodology
    """
    return "\n".join(_lines()) + "\n"


def unit_of(described: Parameter) -> str:
    """What the values of a field are counted in; where they are no quantities, what they are.

    >>> unit_of(Parameter(float, "points", "paper", "K")), unit_of(Parameter(bool, "", "spec", "Whether."))
    ('points', 'yes or no')
    """
    if described.unit:
        return described.unit
    if described.kind is tuple:
        return "numbers" if described.each in (int, float) else "words"
    return {bool: "yes or no", str: "word"}[described.kind]


def _lines() -> Iterator[str]:
    yield "# Fields of a methodology"
    yield ""
    yield "A methodology is a TOML file: `name`, `version` (its id is both, joined by `-`), `title` and `description`,"
    yield "then a table for each section below. `title` and `description` are prose and not part of the hash."
    yield ""
    yield "## Shipped"
    yield ""
    yield "| id | title | hash |\n| --- | --- | --- |"
    for one in shipped():
        yield f"| `{one.id}` | {_cell(one.title)} | `{one.hash[:8]}` |"
    yield ""
    yield "## `[system]`"
    yield ""
    yield _HEADER
    yield _row("kind", SYSTEM_KIND, dataclasses.MISSING)
    for kind, system in SYSTEMS.items():
        yield ""
        yield f'### `kind = "{kind}"`'
        yield ""
        yield from _table(system)
    for section in SECTIONS:
        yield ""
        yield f"## `[{section.section}]`"
        yield ""
        yield from _table(section)
    yield ""
    yield "## A whole file"
    yield ""
    yield f"`paper-1` with every default written out:\n\n```toml\n{methodology('paper-1').to_toml()}```"


def _table(of: type) -> Iterator[str]:
    """The rows of a dataclass's parameters."""
    defaults = {field.name: field.default for field in dataclasses.fields(of)}
    yield _HEADER
    for name, described in parameters(of):
        yield _row(name, described, "by kind" if name == "late" else defaults[name])


def _row(name: str, described: Parameter, default: object) -> str:
    cells = (f"`{name}`", described.range, unit_of(described), _shown(default), described.doc, described.source)
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _shown(default: object) -> str:
    if default is dataclasses.MISSING:
        return "required"
    if default is None:
        return "absent"
    if isinstance(default, bool):
        return "true" if default else "false"
    if isinstance(default, tuple | Mapping):
        return ", ".join(map(str, default)) or "empty"
    return str(default)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    print(reference(), end="")
