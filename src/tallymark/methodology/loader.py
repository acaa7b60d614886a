"""Methodologies by name, by id, or from a file; whatever is wrong in a file is refused with its field and line."""

import difflib
import re
import tomllib
from functools import cache
from importlib import resources
from os import PathLike, fspath
from pathlib import Path

from tallymark.checked import shortened
from tallymark.errors import MethodologyError, ReadError, UnknownMethodologyError
from tallymark.methodology.locate import line_of
from tallymark.methodology.model import Methodology
from tallymark.methodology.toml import loaded

_LINE = re.compile(r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)


def methodology(name_or_path: str | PathLike[str] | Methodology) -> Methodology:
    """A methodology by its name (the latest version that is no draft), its id, or the path of its TOML file.

    A `str` is a path if it ends in `.toml`. A `Methodology` comes back as it is. Raises `UnknownMethodologyError`,
    `ReadError` where a file cannot be read, `MethodologyError` (field, file, line) where it is no methodology.

    >>> methodology("arena").id, methodology("arena-v1-draft").id
    ('arena-v0', 'arena-v1-draft')
    """
    if isinstance(name_or_path, Methodology):
        return name_or_path
    if not isinstance(name_or_path, str):
        return _from_file(Path(name_or_path))
    if name_or_path.endswith(".toml"):
        return _from_file(Path(name_or_path))
    names = latest()
    found = names.get(name_or_path, name_or_path)
    if found in _ids():
        return _shipped(found)
    base = name_or_path.partition("+")[0]
    if base != name_or_path and base in _ids():
        hint = f"an id has no rules in it: methodology({base!r}).with_(...), or the file that to_toml() wrote"
    else:
        known = sorted({*names, *_ids()})
        close = difflib.get_close_matches(name_or_path, known, n=3)
        hint = "did you mean " + " or ".join(close) + "?" if close else "known: " + ", ".join(known)
    raise UnknownMethodologyError(f"no methodology is called {shortened(name_or_path)}", hint=hint)


def shipped() -> list[Methodology]:
    """Every methodology of the package, drafts too, by id.

    >>> [m.id for m in shipped()][:3]
    ['arena-v0', 'arena-v1-draft', 'club-1']
    """
    return [_shipped(id_) for id_ in _ids()]


def latest() -> dict[str, str]:
    """The id that each shipped name stands for: its highest version that is no draft.

    >>> latest()["go-float"]
    'go-float-v2'
    """
    newest: dict[str, tuple[int, str]] = {}
    for id_ in _ids():
        name, version = id_.rsplit("-", 1)
        if version != "draft":
            newest[name] = max(newest.get(name, (-1, "")), (int(version.lstrip("v")), id_))
    return {name: id_ for name, (_, id_) in sorted(newest.items())}


def parse(text: str, file: str) -> Methodology:
    """The methodology of a TOML text; `file` is how errors call it."""
    try:
        data = loaded(text, file)
    except tomllib.TOMLDecodeError as error:
        match = _LINE.fullmatch(str(error))
        line = int(match[2]) if match and match[2] else text.count("\n") + 1
        raise MethodologyError(
            f"not TOML: {match[1] if match else error}", file=file, line=line, hint="see https://toml.io"
        ) from None
    try:
        return Methodology.from_content(data)
    except MethodologyError as error:
        line = line_of(text, error.field or "")
        raise MethodologyError(error.message, field=error.field, file=file, line=line, hint=error.hint) from None


def _from_file(path: Path) -> Methodology:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ReadError(f"{fspath(path)} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ReadError(f"{fspath(path)} is not UTF-8 text: byte {error.start}", hint="save it as UTF-8") from None
    except ValueError as error:  # a NUL, or half a surrogate pair
        raise ReadError(f"{shortened(fspath(path))} is no name of a file: {error}") from None
    found = parse(text, fspath(path))
    if found.base_hash is None and found.id in _ids() and found.hash != _shipped(found.id).hash:
        raise MethodologyError(
            f"version is {found.version!r}; {found.id} is shipped with other rules",
            field="version",
            file=fspath(path),
            line=line_of(text, "version"),
            hint="rules are never edited: give yours a name or a version of its own",
        )
    return found


@cache
def _ids() -> tuple[str, ...]:
    folder = resources.files("tallymark.methodology") / "shipped"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


@cache
def _shipped(id_: str) -> Methodology:
    file = resources.files("tallymark.methodology") / "shipped" / f"{id_}.toml"
    return parse(file.read_text(encoding="utf-8"), f"{id_}.toml")
