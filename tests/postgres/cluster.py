"""A PostgreSQL of our own: a cluster in a temporary folder, on a socket, as a user who may run one."""

import os
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from typing import Literal, Self

from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

Stop = Literal["fast", "immediate"]


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`: the newest version that is installed, or what is on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


class Cluster:
    """A server with schemas made on demand. `durable`: with fsync, as a real one has it."""

    def __init__(self, bin_: Path, durable: bool = False) -> None:
        self._bin = bin_
        # Not where pytest has its folders: another user could not get in there, and a socket's path is short.
        self._folder = Path(tempfile.mkdtemp(prefix="tallymark-pg-"))
        self._user = "postgres" if os.geteuid() == 0 else None  # a server refuses to run as root
        self._names = count(1)
        if self._user:
            shutil.chown(self._folder, self._user)
        self._run("initdb", "--no-sync", "-A", "trust", "-U", "tallymark", "-E", "UTF8", "--locale=C", self._data)
        with (self._folder / "data" / "postgresql.conf").open("a") as file:
            file.write(f"listen_addresses = ''\nunix_socket_directories = '{self._folder}'\nmax_connections = 200\n")
            file.write(f"fsync = {'on' if durable else 'off'}\n")
        self.start()

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._bin / program, *arguments],
            user=self._user,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")

    def start(self) -> None:
        """Starts the server, and waits until it answers."""
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", str(self._folder / "log"))

    def stop(self, how: Stop) -> None:
        """`fast`: sessions are ended. `immediate`: as if it had crashed."""
        self._run("pg_ctl", "stop", "-w", "-m", how, "-D", self._data)

    def restart(self, how: Stop) -> None:
        """Stops and starts: whoever is connected is cut off."""
        self.stop(how)
        self.start()

    @property
    def url(self) -> str:
        """Where its one database is."""
        return f"postgresql://tallymark@/postgres?host={self._folder}"

    def schema(self) -> str:
        """The URL of a new, empty schema: as good as a database, and made in a thousandth part of the time."""
        name = f"s{next(self._names)}"
        engine = create_engine(self.url.replace("postgresql:", "postgresql+psycopg:"), poolclass=NullPool)
        with engine.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
        return f"{self.url}&options=-csearch_path%3D{name}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop("immediate")
        shutil.rmtree(self._folder)
