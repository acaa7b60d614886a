"""The library's hints in the words of the command line: how an argument is named there, and the option it is here."""

import ast
import re
import shlex
from collections.abc import Mapping
from typing import Final

_SAID: Final = re.compile(
    r"""\b(?P<mapping>columns|results|aliases)=(?P<pairs>\{[^{}]*\})"""
    r"""|\b(?P<name>delimiter|encoding|times|zone|since|until)=(?P<value>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
    r"""|\b(?P<switch>dedupe)=True"""
    r"""|, or (?P<made>create)=True"""
    r"""|the delimiter seems to be (?:a (?P<tab>tab)|'(?P<sign>.)')"""
    r"""|\bwith_\((?P<rule>\w+)=["']?(?P<to>.*?)["']?\)"""
    r"""|Snapshot\.from_arrays\(\.\.\., (?P<start>pool|at)=\.\.\.\)"""
)
_START: Final = {"pool": "--initial-columns pool=...", "at": "--initial-at TIME"}
_READING: Final = re.compile(r"--(columns|encoding|times)\b")


def in_options(hint: str) -> str:
    r"""The hint with arguments as options, quoted for a shell where they need it.

    >>> in_options("map it: columns={'score_a': 'Points, home'}")
    'map it: --columns \'"score_a=Points, home"\''
    >>> in_options("say times='DD.MM.YYYY hh:mm' or dedupe=True")
    "say --times 'DD.MM.YYYY hh:mm' or --dedupe"
    >>> in_options("make one: tallymark ledger init, or create=True")
    'make one: tallymark ledger init'
    """
    return _SAID.sub(_option, hint)


def own(prefix: str, hint: str) -> str:
    """The hint in options, those of reading with the prefix of a file that has its own.

    >>> own("initial", "map it: columns={'rating': '...'}")
    'map it: --initial-columns rating=...'
    """
    return _READING.sub(rf"--{prefix}-\1", in_options(hint))


def _option(said: re.Match[str]) -> str:
    if said["mapping"]:
        try:
            pairs = ast.literal_eval(said["pairs"])
        except (ValueError, SyntaxError):
            pairs = None
        if not isinstance(pairs, Mapping):
            return said[0]
        if said["mapping"] == "aliases":
            return "--aliases FILE with " + " and ".join(f"the line {old} = {new}" for old, new in pairs.items())
        return f"--{said['mapping']} " + shlex.quote(",".join(_pair(str(k), str(v)) for k, v in pairs.items()))
    if said["name"]:
        value = str(ast.literal_eval(said["value"]))
        return f"--{said['name']} {'tab' if value == chr(9) else shlex.quote(value)}"
    if said["switch"]:
        return f"--{said['switch']}"
    if said["made"]:
        return ""
    if said["rule"]:
        return f"--set {said['rule']}={said['to']}"
    if said["start"]:
        return _START[said["start"]]
    return f"is it separated otherwise? --delimiter {said['tab'] or shlex.quote(said['sign'])}"


def _pair(name: str, column: str) -> str:
    """As `parse_pairs` reads it back."""
    pair = f"{name}={column}"
    plain = "," not in column and '"' not in column and column == column.strip()
    return pair if plain else '"' + pair.replace('"', '""') + '"'
