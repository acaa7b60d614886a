"""`deploy/` and the page about running the service: what they name is there, and their copies bring a site back."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from clubs import opened
from cluster import Cluster, programs
from listeners import serving
from pydantic import SecretStr
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

import tallymark as tm
from tallymark.cli.reference import commands
from tallymark.service.keys.scopes import SCOPES
from tallymark.service.settings import PREFIX, Settings

REPOSITORY = Path(__file__).resolve().parents[2]
DEPLOY = REPOSITORY / "deploy"
PAGE = (REPOSITORY / "docs" / "guide" / "operate.md").read_text()
FILES = sorted(DEPLOY.iterdir())
OF_COMPOSE = {"TALLYMARK_PASSWORD"}
OF_SETTINGS = {"TALLYMARK_CONFIG"}


def command(start: str) -> str:
    """The command of the page that begins so."""
    (found,) = (line for line in PAGE.splitlines() if line.startswith(start))
    return found


def run(command: str, folder: Path, **variables: str) -> None:
    done = subprocess.run(
        ["sh", "-euc", command],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_says_what_a_proxy_has_to_limit() -> None:
    for told in ("large_client_header_buffers", "client_header_timeout"):
        assert told in PAGE


@pytest.mark.parametrize(
    "told", [*(path.read_text() for path in FILES), PAGE], ids=[*(one.name for one in FILES), "page"]
)
def test_settings_and_commands_that_are_named_are_there(told: str) -> None:
    named = set(re.findall(r"\bTALLYMARK_[A-Z_]+\b", told)) - OF_COMPOSE - OF_SETTINGS
    assert named
    assert named <= {PREFIX + name.upper() for name in Settings.model_fields}
    known = {one.words.removeprefix("tallymark ") for one in commands()}
    said = re.findall(
        r"(?:tallymark|run --rm(?: -v \S+)?(?: service| tallymark)) ((?:ledger |keys |config )[a-z]+)", told
    )
    assert set(said) <= known


def test_the_container_has_what_the_build_needs() -> None:
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    copied = [name for line in lines if line.startswith("COPY") and "--from" not in line for name in line.split()[1:-1]]
    for name in copied:
        assert (REPOSITORY / name).exists(), name
        assert f"!{name}" in (REPOSITORY / ".dockerignore").read_text().splitlines()  # and the build is given it
    build = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    for name in (*build["packages"], *build["force-include"]):
        assert any(Path(name).is_relative_to(one) for one in copied), name
    known = {one.words for one in commands()}
    assert (lines[-2], lines[-1]) == ('ENTRYPOINT ["tallymark"]', 'CMD ["serve"]')
    assert "tallymark serve" in known


def test_the_container_knows_whether_it_is_well(tmp_path: Path) -> None:
    (check,) = re.findall(r"^HEALTHCHECK .*\\\n\s+CMD (.*)$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    program, *arguments = json.loads(check)
    assert program == "python"

    def asked(port: int) -> int:
        environment = os.environ | {"TALLYMARK_PORT": str(port)}
        told = subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, timeout=60, check=False
        )
        return told.returncode

    with opened(tmp_path) as club:
        pass
    with serving(Settings(ledger=SecretStr(str(club.path)), log_requests=False)) as (port, _):
        assert asked(port) == 0
    assert asked(port) == 1


def test_compose() -> None:
    told = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    service, database = told["services"]["service"], told["services"]["database"]
    assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert service["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert {volume.partition(":")[0] for one in (service, database) for volume in one["volumes"]} == set(
        told["volumes"]
    )
    user, name = database["environment"]["POSTGRES_USER"], database["environment"]["POSTGRES_DB"]
    url = service["environment"]["TALLYMARK_LEDGER"]
    assert url == f"postgresql://{user}:${{TALLYMARK_PASSWORD}}@database/{name}"


def test_the_unit(tmp_path: Path) -> None:
    told = (DEPLOY / "tallymark.service").read_text()
    parts = ConfigParser(strict=False, interpolation=None)
    parts.read_string(told)
    assert parts.sections() == ["Unit", "Service", "Install"]
    (start,) = re.findall(r"^ExecStart=(\S+) serve$", told, re.MULTILINE)
    program = shutil.which("systemd-analyze")
    if program is not None:  # where it is, it knows better
        unit = tmp_path / "tallymark.service"
        unit.write_text(told.replace(f"ExecStart={start}", f"ExecStart={sys.executable} -m tallymark"))
        done = subprocess.run([program, "verify", str(unit)], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, [one for one in done.stderr.splitlines() if unit.name in one]) == (0, [])


def test_every_metric_is_on_the_page(tmp_path: Path) -> None:
    with opened(tmp_path, arena=True) as club:
        club.played("m1", "ann", "bob", 1)
        told = club.client.get("/metrics").text
    there = set(re.findall(r"^# TYPE (\w+)", told, re.MULTILINE))
    there = {name for name in there if not name.endswith("_created")}
    assert there == set(re.findall(r"^\| `(tallymark_\w+)`", PAGE, re.MULTILINE))


def test_a_copy_of_a_file_that_is_served(tmp_path: Path) -> None:
    with opened(tmp_path) as club:
        club.played("m1", "ann", "bob", 1)
        club.path.with_name("site.db").symlink_to(club.path)
        _copy(command("sqlite3 "), tmp_path)
        club.played("m2", "ann", "bob", 1)
    with tm.Ledger.open(tmp_path / "site-copy.db") as found:
        assert (found.head("chess").position, found.receipt("chess", "m1").state) == (2, "rated")
        with found.store.reading() as connection:
            assert connection.scalar(text("SELECT count(*) FROM api_key")) == len(SCOPES)


def _copy(command: str, folder: Path) -> None:
    if shutil.which("sqlite3") is not None:
        run(command, folder)
        return
    told = re.fullmatch(r'sqlite3 (\S+) "\.backup (\S+)"', command)
    assert told is not None
    with closing(sqlite3.connect(folder / told[1])) as site, closing(sqlite3.connect(folder / told[2])) as copy:
        site.backup(copy)


def test_a_copy_of_a_database_that_is_served(postgres: Cluster, tmp_path: Path) -> None:
    engine = create_engine(
        postgres.url.replace("postgresql:", "postgresql+psycopg:"), poolclass=NullPool, isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        for name in ("site", "again"):
            connection.execute(text(f"CREATE DATABASE {name}"))
    path = f"{programs()}:{os.environ['PATH']}"  # of the server's own version
    site, again = (postgres.url.replace("/postgres?", f"/{name}?") for name in ("site", "again"))
    with opened(tmp_path, site) as club:
        club.played("m1", "ann", "bob", 1)
        run(command("pg_dump "), tmp_path, TALLYMARK_LEDGER=site, PATH=path)
        club.played("m2", "ann", "bob", 1)
    run(command("pg_restore "), tmp_path, TALLYMARK_LEDGER=again, PATH=path)
    with tm.Ledger.open(again) as found:
        assert (found.head("chess").position, found.receipt("chess", "m1").state) == (2, "rated")
        found.append({"id": "m2", "player_a": "ann", "player_b": "bob", "score_a": 0}, pool="chess")
        assert found.settle() == 1
