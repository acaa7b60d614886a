"""The reference page names every field with its range and source."""

import subprocess
import sys

from tallymark.methodology import shipped
from tallymark.methodology.model import SECTIONS
from tallymark.methodology.reference import reference, unit_of
from tallymark.systems import SYSTEMS
from tallymark.systems.parameters import parameters


def test_every_field_is_described() -> None:
    page = reference()
    for of in (*SYSTEMS.values(), *SECTIONS):
        for name, described in parameters(of):
            assert described.source
            assert described.doc.endswith((".", ")"))
            assert f"| `{name}` | {described.range} | {unit_of(described)} |" in page
            assert unit_of(described)
    for one in shipped():
        assert f"| `{one.id}` | {one.title} | `{one.hash[:8]}` |" in page


def test_tables_are_whole() -> None:
    rows = [line for line in reference().splitlines() if line.startswith("| `") and line.count(" | ") > 2]
    assert rows
    assert {line.count(" | ") for line in rows} == {5}


def test_as_a_command() -> None:
    done = subprocess.run([sys.executable, "-m", "tallymark.methodology.reference"], capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == reference().splitlines()
