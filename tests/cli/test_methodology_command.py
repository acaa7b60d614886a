"""`tallymark methodology`: what is printed is the data that is run."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import tallymark as tm
from tallymark.methodology.reference import unit_of

Run = Callable[..., "CompletedProcess[str]"]


def test_list_has_every_shipped_one(cli: Run) -> None:
    lines = cli("methodology", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [m.id for m in tm.shipped()]
    assert all(m.title in line for m, line in zip(tm.shipped(), lines, strict=True))
    assert [one["hash"] for one in json.loads(cli("methodology", "list", "--json").stdout)] == [
        m.hash for m in tm.shipped()
    ]


@pytest.mark.parametrize("rules", tm.shipped(), ids=lambda m: m.id)
def test_show_has_every_field_with_its_meaning(cli: Run, rules: tm.Methodology) -> None:
    text = cli("methodology", "show", rules.id).stdout
    assert f"hash {rules.hash}" in text
    for name, _, described in rules.fields():
        assert f"\n{name.partition('.')[2]} = " in text
        unit = "" if described.unit else f"{unit_of(described)}; "
        assert f"    {described.doc} ({unit}{described.range}; {described.source})\n" in text
    fields = json.loads(cli("methodology", "show", rules.id, "--json").stdout)["fields"]
    assert [one["field"] for one in fields] == [field.name for field in rules.fields()]
    assert all(one["unit"] for one in fields)


@pytest.mark.parametrize("rules", tm.shipped(), ids=lambda m: m.id)
def test_show_toml_loads_back(cli: Run, tmp_path: Path, rules: tm.Methodology) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(cli("methodology", "show", rules.id, "--toml").stdout, encoding="utf-8")
    assert tm.methodology(file).hash == rules.hash
    assert json.loads(cli("methodology", "show", file, "--json").stdout)["hash"] == rules.hash


def test_diff(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(tm.methodology("paper").with_(tau=0.3).to_toml())
    assert cli("methodology", "diff", "paper", file).stdout == "system.tau  0.5 -> 0.3\n"
    document = json.loads(cli("methodology", "diff", "paper", file, "--json").stdout)
    assert document["differences"] == [{"field": "system.tau", "a": 0.5, "b": 0.3}]
    assert "have the same rules" in cli("methodology", "diff", "paper", "paper-1").stdout


def test_two_forms_at_once_are_refused(cli: Run) -> None:
    assert cli("methodology", "show", "elo", "--toml", "--json").returncode == 2
