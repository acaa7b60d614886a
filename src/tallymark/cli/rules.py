"""`tallymark methodology`: the rules that ship with the package, and how two differ."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from tallymark.cli.completion import methodology_names
from tallymark.cli.documents import Json, print_json, rules_document
from tallymark.cli.endings import Ending, usage
from tallymark.cli.options import rules_of
from tallymark.cli.words import console, print_text, say

if TYPE_CHECKING:
    from tallymark import Methodology
    from tallymark.methodology import Value
    from tallymark.systems.parameters import Parameter

_Name = Annotated[
    str, Argument(metavar="NAME|FILE.toml", autocompletion=methodology_names, help="A shipped name or id, or a file.")
]
_AsJson = Annotated[bool, Option("--json", help="Print one JSON document instead.")]


def list_(as_json: _AsJson = False) -> int:
    """The methodologies of the package: id, system, period, title.

    For example:

    $ tallymark methodology list
    """
    from tallymark import shipped

    every = shipped()
    if as_json:
        print_json(
            [
                {"id": m.id, "hash": m.hash, "system": m.system.kind, "period": _period(m), "title": m.title}
                for m in every
            ]
        )
        return Ending.DONE

    rows = [(m.id, m.system.kind, _period(m), m.title) for m in every]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    out = console()
    for *cells, title in rows:
        say(out, "  ".join([*(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)), title]))
    return Ending.DONE


def show(
    name: _Name,
    as_toml: Annotated[bool, Option("--toml", help="Print the file instead, every default written out.")] = False,
    as_json: _AsJson = False,
) -> int:
    """Every rule of a methodology: value, unit, range, source, meaning; and its hash.

    For example:

    $ tallymark methodology show lichess

    $ tallymark methodology show paper --toml
    """
    if as_toml and as_json:
        raise usage("--toml and --json are two forms of one answer", "give one of them")
    rules = rules_of(name)
    if as_toml:
        print_text(rules.to_toml())
    elif as_json:
        print_json(_document(rules))
    else:
        _print(rules)
    return Ending.DONE


def diff(a: _Name, b: _Name, as_json: _AsJson = False) -> int:
    """The rules in which two methodologies differ.

    For example:

    $ tallymark methodology diff paper lichess

    $ tallymark methodology diff arena arena-v1-draft --json
    """
    from tallymark import diff as differences

    left, right = rules_of(a), rules_of(b)
    found = differences(left, right)
    if as_json:
        fields: list[Json] = [{"field": d.field, "a": _json(d.a), "b": _json(d.b)} for d in found]
        print_json({"a": rules_document(left), "b": rules_document(right), "differences": fields})
        return Ending.DONE

    out = console()
    if not found:
        say(out, f"{left.id} and {right.id} have the same rules (hash {left.hash[:12]})")
    width = max((len(d.field) for d in found), default=0)
    for d in found:
        say(out, f"{d.field.ljust(width)}  {_words(d.a)} -> {_words(d.b)}")
    return Ending.DONE


def _print(rules: "Methodology") -> None:

    out = console()
    say(out, f"{rules.id}: {rules.title}", style="bold")
    if rules.description:
        say(out, rules.description)
    say(out, f"hash {rules.hash}")
    last = ""
    for name, value, described in rules.fields():
        section, _, field = name.partition(".")
        if section != last:
            say(out)
            say(out, f"[{section}]", style="bold")
            last = section
        unit = f" {described.unit}" if described.unit and value is not None else ""
        say(out, f"{field} = {_words(value)}{unit}")
        say(out, f"    {described.doc} ({_range(described)}; {described.source})", style="dim")


def _range(described: "Parameter") -> str:
    """The range, with what the values are where the line above has no unit to say so."""
    from tallymark.methodology.reference import unit_of

    return described.range if described.unit else f"{unit_of(described)}; {described.range}"


def _document(rules: "Methodology") -> Json:
    from tallymark.methodology.reference import unit_of

    return {
        "id": rules.id,
        "hash": rules.hash,
        "title": rules.title,
        "description": rules.description,
        "fields": [
            {
                "field": name,
                "value": _json(value),
                "unit": unit_of(described),
                "range": described.range,
                "source": described.source,
                "meaning": described.doc,
            }
            for name, value, described in rules.fields()
        ],
    }


def _period(rules: "Methodology") -> str:
    period = rules.period
    return f"{period.days:g} days" if period.days is not None else period.kind


def _words(value: "Value") -> str:
    if value is None:
        return "absent"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{board}: {komi:g}" for board, komi in value.items()) or "empty"
    return (", ".join(map(str, value)) or "empty") if isinstance(value, tuple) else str(value)


def _json(value: "Value") -> Json:
    if isinstance(value, Mapping):
        return {str(board): komi for board, komi in value.items()}
    return list(value) if isinstance(value, tuple) else value
