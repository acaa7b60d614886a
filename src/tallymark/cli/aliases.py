"""A file of aliases: the names that one player goes by, a line each."""

import re
from pathlib import Path
from typing import Final

from tallymark.cli.endings import CommandError, Ending
from tallymark.cli.options import near

_LINE: Final = re.compile(
    r'\s*(?:"(?P<quoted_old>(?:[^"]|"")*)"|(?P<old>[^"=][^=]*?))\s*='
    r'\s*(?:"(?P<quoted_new>(?:[^"]|"")*)"|(?P<new>[^"=][^=]*?))\s*'
)
_EXAMPLE: Final = "for example a line: J. Smith = John Smith; names with = or blanks at an end stand in double quotes"


def aliases_from(path: Path) -> dict[str, str]:
    """The name that counts for each other one, from lines `old = new`; empty lines and those from # on do not count.

    A name with `=` in it, or that begins with `#` or ends with a blank, stands in double quotes, a quotation mark in
    it doubled. `CommandError` names the line of what is no such line, and of a second meaning of a name.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(Ending.UNREADABLE, f"{path} is not UTF-8: {error.reason}", "save it as UTF-8") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CommandError(Ending.UNREADABLE, f"{path}: {why}", near(path, "lines of old = new")) from None
    aliases: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise CommandError(Ending.UNREADABLE, f"{path}, line {number}: expected old = new", _EXAMPLE)
        old, new = (_name(found, which) for which in ("old", "new"))
        if not (old and new):
            raise CommandError(Ending.UNREADABLE, f"{path}, line {number}: a name is empty", _EXAMPLE)
        if aliases.setdefault(old, new) != new:
            message = f"{path}, line {number}: {old!r} is {aliases[old]!r} on a line before and {new!r} here"
            raise CommandError(Ending.UNREADABLE, message, "one name can stand for one player only")
    return aliases


def _name(line: re.Match[str], which: str) -> str:
    quoted = line[f"quoted_{which}"]
    return str(line[which]) if quoted is None else str(quoted).replace('""', '"')
