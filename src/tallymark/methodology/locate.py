"""Where the tables and keys of a TOML text stand: `tomllib` reads values and forgets their lines."""

import re
import tomllib
from typing import Final

_GAP: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY: Final = re.compile(
    r"""[ \t]*(?:"(?P<basic>(?:[^"\\]|\\.)*)"|'(?P<literal>[^']*)'|(?P<bare>[A-Za-z0-9_-]+))[ \t]*"""
)
_STRING: Final = re.compile(r'''"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?'{3,5}|"(?:[^"\\]|\\.)*"|'[^']*\'''', re.DOTALL)
_PLAIN: Final = re.compile(r"[^,\]}\n#]*")


def locate(text: str) -> dict[str, int]:
    """The line, from 1, of every table and key by its dotted name. `text` is valid TOML.

    >>> locate('name = "x"\\n[period]\\nkind = "match"')
    {'name': 1, 'period': 2, 'period.kind': 3}
    """
    return _Walk(text).lines


def line_of(text: str, field: str) -> int:
    """The line of a field; of the nearest table around it where the text does not name it; else 1.

    >>> line_of('[period]\\nkind = "calendar"', "period.days")
    1
    """
    lines = locate(text)
    while field and field not in lines:
        field = field.rpartition(".")[0]
    return lines.get(field, 1)


class _Walk:
    """One walk over a text that `tomllib` has accepted, so that every error of form is excluded."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[str, int] = {}
        table: tuple[str, ...] = ()
        self._gap()
        while self.at < len(text):
            start = self.at
            if text[start] == "[":
                self.at += 2 if text.startswith("[[", start) else 1
                table = self._key()
                self._note(table, start)
                self.at = self._end_of_line()
            else:
                self._pair(table)
            self._gap()

    def _note(self, name: tuple[str, ...], start: int) -> None:
        for depth in range(1, len(name) + 1):
            self.lines.setdefault(".".join(name[:depth]), self.text.count("\n", 0, start) + 1)

    def _gap(self) -> None:
        self.at = self._matched(_GAP).end()

    def _end_of_line(self) -> int:
        end = self.text.find("\n", self.at)
        return len(self.text) if end < 0 else end

    def _matched(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self.text, self.at)
        assert match is not None
        return match

    def _key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while True:
            match = self._matched(_KEY)
            # Escapes are tomllib's to read, as it does in the key that the error names.
            parts.extend(tomllib.loads(f'"{match["basic"]}" = 0') if match["basic"] else [match[match.lastgroup or 0]])
            self.at = match.end()
            if not self.text.startswith(".", self.at):
                return tuple(parts)
            self.at += 1

    def _pair(self, table: tuple[str, ...]) -> None:
        start = self.at
        name = (*table, *self._key())
        self._note(name, start)
        self.at += 1  # the equals sign
        self._value(name)

    def _value(self, name: tuple[str, ...]) -> None:
        self._gap()
        opening = self.text[self.at]
        if opening in "{[":
            closing = "}" if opening == "{" else "]"
            self.at += 1
            self._gap()
            while self.text[self.at] != closing:
                if opening == "{":
                    self._pair(name)
                else:
                    self._value(name)
                self._gap()
                if self.text[self.at] == ",":
                    self.at += 1
                    self._gap()
            self.at += 1
        else:
            self.at = self._matched(_STRING if opening in "\"'" else _PLAIN).end()
