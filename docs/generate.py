"""Writes the pages of the reference that follow from the package: `python docs/generate.py`.

`pages()` is what they must be; a test compares it with what is there.
"""

from collections.abc import Iterator
from pathlib import Path

from tallymark.cli import reference as command_line
from tallymark.methodology import latest, shipped
from tallymark.methodology.reference import reference
from tallymark.service import reference as service

FOLDER = Path(__file__).parent / "reference"


def pages() -> dict[str, str]:
    """The generated pages by file name."""
    return {
        "cli.md": command_line.reference(),
        "fields.md": reference(),
        "methodologies.md": "\n".join(_methodologies()) + "\n",
        "service.md": service.reference(),
    }


def _methodologies() -> Iterator[str]:
    names = {id_: name for name, id_ in latest().items()}
    yield "# Shipped methodologies"
    yield ""
    yield "A name without a version stands for the latest that is no draft. The hash covers every field that decides a"
    yield "number, so it says whether two people rate by the same rules; see [what the fields mean](fields.md)."
    yield ""
    yield "| name | id | system | period | ageing | hash |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for one in shipped():
        name = f"`{names[one.id]}`" if one.id in names else ""
        period = f"{one.period.days:g} days" if one.period.days is not None else one.period.kind
        cells = (name, f"[`{one.id}`](#{one.id})", one.system.kind, period, one.ageing.kind, f"`{one.hash[:12]}`")
        yield "| " + " | ".join(cells) + " |"
    for one in shipped():
        yield ""
        yield f"## {one.id}"
        yield ""
        yield f"{one.title}. {one.description}"
        yield ""
        yield f"hash `{one.hash}`"
        yield ""
        yield '??? note "Every field"'
        yield ""
        yield "    ```toml"
        yield from (f"    {line}".rstrip() for line in one.to_toml().splitlines())
        yield "    ```"


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
