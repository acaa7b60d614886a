"""A page that prints: one file of HTML without a script, a font or a picture from anywhere else."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from tallymark.cli.words import escaped

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #ffffff; --line: #b8b8b8; --quiet: #565656; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --paper: #161616; --line: #4d4d4d; --quiet: #b0b0b0; }
}
body { margin: 2rem auto; padding: 0 1rem; max-width: 52rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; }
.table { overflow-x: auto; margin: 0 0 1.5rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding: 0.3rem 0; }
th, td { padding: 0.25rem 0.5rem; text-align: right; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--ink); vertical-align: bottom; }
th.name { text-align: left; font-weight: normal; min-width: 9em; overflow-wrap: anywhere; }
thead th.name { font-weight: bold; }
ul { margin: 0; padding: 0; list-style: none; color: var(--quiet); font-size: 0.875rem; }
@page { size: A4 portrait; margin: 15mm; }
@media print {
  :root { color-scheme: only light; --ink: #000000; --paper: #ffffff; --line: #808080; --quiet: #000000; }
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }
  .table { overflow: visible; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
}
"""


class Section(NamedTuple):
    """A table of the page: its caption, and its columns as text; one of them is `player`, which heads the rows."""

    caption: str
    columns: Mapping[str, Sequence[str]]


def page(title: str, sections: Sequence[Section], facts: Sequence[str]) -> str:
    """The whole page. Every text is escaped, so that a name is a name whatever it is made of.

    >>> "<td>&lt;b&gt;</td>" in page("T", [Section("", {"player": ["ann"], "club": ["<b>"]})], [])
    True
    """
    told = _text(title)
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{told}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{told}</h1>",
    ]
    for place, section in enumerate(sections):
        parts += _table(section, place)
    if not sections:
        parts.append("<p>No players.</p>")
    parts += ["<ul>", *(f"<li>{_text(fact)}</li>" for fact in facts), "</ul>", "</main>", "</body>", "</html>", ""]
    return "\n".join(parts)


def _table(section: Section, place: int) -> list[str]:
    heads = "".join(f'<th scope="col"{_name(head)}>{_text(head)}</th>' for head in section.columns)
    rows = []
    for cells in zip(*section.columns.values(), strict=True):
        row = [
            f'<th scope="row" class="name"><bdi>{_text(cell)}</bdi></th>'
            if head == "player"
            else f"<td>{_text(cell)}</td>"
            for head, cell in zip(section.columns, cells, strict=True)
        ]
        rows.append(f"<tr>{''.join(row)}</tr>")
    return [
        f'<div class="table" role="region" tabindex="0" aria-labelledby="table-{place}">',
        "<table>",
        f'<caption id="table-{place}"><bdi>{_text(section.caption)}</bdi></caption>',
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
        *rows,
        "</tbody>",
        "</table>",
        "</div>",
    ]


def _name(head: str) -> str:
    return ' class="name"' if head == "player" else ""


def _text(text: str) -> str:
    return escape(escaped(text).strip())
