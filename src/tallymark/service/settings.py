"""What whoever runs the service can set: one table, by variables of the environment or a file."""

import os
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from tallymark.errors import InputError, ReadError

PREFIX: Final = "TALLYMARK_"
"""Of the names of the variables: `TALLYMARK_PORT` is `port`."""
FILE: Final = "TALLYMARK_CONFIG"
"""The variable that says where the TOML file is."""


class Settings(BaseSettings):
    """The settings of the service. A value given by the program (an option of a command) stands above the environment,
    that above the file, that above the default.

    >>> Settings(ledger="club.db", port=8080).port
    8080
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    ledger: SecretStr = Field(
        default=SecretStr("tallymark.db"), description="The ledger: a file, or `postgresql://USER@HOST/NAME`."
    )
    host: str = Field(default="127.0.0.1", description="The address to listen on; `0.0.0.0` is all of them.")
    port: int = Field(default=8000, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    site: str = Field(
        default="tallymark",
        min_length=1,
        max_length=60,
        description="What the site is called: at the top of every page, and in its title.",
    )
    arena: bool = Field(
        default=False, description="Whether agents play each other here: queues, matches and house agents."
    )
    connected_agents: int = Field(
        default=50, ge=1, description="Agents of one key that may be connected to the arena at once."
    )
    registered_agents: int = Field(
        default=1000,
        ge=1,
        description="Agents that one key may register in the arena, ever: names are not given back. Those that it has "
        "stay where this is set lower.",
    )
    threads: int = Field(
        default=64, ge=1, le=1000, description="Requests that are answered at once; further ones wait in line."
    )
    key_seconds: float = Field(
        default=10.0,
        ge=0.0,
        le=3600.0,
        description="So long a key that was looked up is not looked up again: a key that another process revoked "
        "is taken that much longer.",
    )
    proxies: str = Field(
        default="",
        description="The addresses, with commas between, of proxies before the service: what they say about who asks "
        "is believed. Empty: nobody is.",
    )
    reads_a_minute: int = Field(
        default=1200,
        ge=0,
        description="Requests without a key from one address in a minute, as many of them at once; 0: no limit.",
    )
    writes_a_minute: int = Field(
        default=120_000, ge=0, description="Requests with a key that may come in a minute; 0: no limit."
    )
    body_bytes: int = Field(default=1 << 20, ge=1 << 10, description="Bytes of a body, at most.")
    bulk_bytes: int = Field(
        default=1 << 30, ge=1 << 10, description="Bytes of a body with many matches, or of a file, at most."
    )
    body_seconds: float = Field(
        default=30.0,
        gt=0.0,
        description="The longest that a body may take to arrive, or stop on its way where it is one of many matches.",
    )
    log_requests: bool = Field(
        default=True, description="Write a line of JSON for every request, not for errors alone."
    )
    wait_seconds: float = Field(
        default=30.0, ge=0.0, le=600.0, description="The longest that a request may wait for a match to be rated."
    )
    beat_seconds: float = Field(
        default=15.0,
        ge=0.05,
        le=300.0,
        description="Seconds between two signs of life in a stream where nothing happens.",
    )
    stream_bytes: int = Field(
        default=4 << 20,
        ge=1 << 10,
        description="Bytes of a pool's latest events that are kept for who reads its stream: a reader who falls "
        "further behind is sent away, to come back with Last-Event-ID.",
    )
    streams: int = Field(default=100, ge=1, description="Streams of an address at once.")
    all_streams: int = Field(
        default=5000, ge=1, description="Streams of all addresses at once: each is a connection and an open file."
    )
    daily_votes: int = Field(
        default=500, ge=1, description="Votes of a voter a day (of midnight UTC), skipped ballots too."
    )
    ballot_seconds: float = Field(default=3600.0, ge=10.0, le=86_400.0, description="So long a ballot may be voted on.")
    undo_seconds: float = Field(
        default=4.0,
        ge=0.0,
        le=60.0,
        description="So long the vote page holds a vote back, and lets it be undone, before it is sent.",
    )
    anonymous_votes: bool = Field(
        default=True,
        description="Whether people vote on the site's own pages, told apart by a cookie; else only sites with a key "
        "that has the scope `vote` send votes.",
    )
    voters_a_minute: int = Field(
        default=60, ge=1, description="People without such a cookie who may begin to vote from one address in a minute."
    )
    flags_a_minute: int = Field(
        default=6, ge=1, description="Flags without a key that are taken from one address in a minute."
    )
    session_hours: float = Field(
        default=12.0, gt=0.0, le=24.0 * 30, description="So long somebody stays signed in on the admin pages."
    )
    sign_ins_a_minute: int = Field(
        default=10, ge=1, description="Attempts to sign in that are taken from one address in a minute."
    )
    upload_bytes: int = Field(
        default=4 << 20, ge=1 << 10, description="Bytes of a file with results that is uploaded on a page, at most."
    )
    approvers: int = Field(
        default=2,
        ge=1,
        le=10,
        description="How many people have to stand for an adjustment, whoever proposes it included; 1 where one person "
        "runs the site.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The program, the environment, the file."""
        path = os.environ.get(FILE)
        if path is None:
            return init_settings, env_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, Path(path))


class Told(NamedTuple):
    """A setting as it is shown: a secret by dots. `source`: option, environment, file or default."""

    name: str
    value: str
    source: str
    variable: str
    meaning: str


def load(**given: object) -> Settings:
    """The settings; what is given (and not None) goes before the environment and the file. `InputError` names the
    setting that is wrong, `ReadError` a file that cannot be read."""
    path = os.environ.get(FILE)
    if path is not None and not Path(path).is_file():
        raise ReadError(f"there is no file {path}", hint=f"{FILE} says where the settings are")
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    try:
        return Settings(**options)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"]))
        raise InputError(
            f"{name} is {first['input']!r}: {first['msg']}", hint=f"{PREFIX}{name.upper()}, or {name} in the file"
        ) from None
    except ValueError as error:  # the TOML file
        raise ReadError(f"{path}: {error}", hint="a TOML file with lines such as: port = 8080") from error


def told(settings: Settings, given: frozenset[str] = frozenset()) -> list[Told]:
    """Every setting, where its value is from and what it means. `given`: what options said."""
    path = os.environ.get(FILE)
    filed = set() if path is None else set(TomlConfigSettingsSource(Settings, Path(path))())
    found = []
    for name, field in Settings.model_fields.items():
        variable = PREFIX + name.upper()
        source = (
            "option"
            if name in given
            else "environment"
            if variable in {one.upper() for one in os.environ}
            else "file"
            if name in filed
            else "default"
        )
        found.append(Told(name, _shown(getattr(settings, name)), source, variable, str(field.description)))
    return found


def _shown(value: object) -> str:
    """A value as text; of a URL everything but its password."""
    if isinstance(value, SecretStr):
        from sqlalchemy.engine import make_url

        secret = value.get_secret_value()
        return make_url(secret).render_as_string(hide_password=True) if "://" in secret else secret
    return str(value)
