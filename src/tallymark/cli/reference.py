"""The reference of the command line, in Markdown, from the commands themselves."""

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

from tallymark.cli.program import app

_EXAMPLE: Final = "$ "
_PANEL: Final = "Options"
"""What options are under that name no panel."""


class Command(NamedTuple):
    """A command: its words, its help with the examples taken out, the examples, and its parameters."""

    words: str
    text: str
    examples: list[str]
    arguments: list[TyperArgument]
    options: dict[str, list[TyperOption]]
    """By the panel they stand in."""


def commands() -> list[Command]:
    """Every command that does something, in the order of `--help`; the program itself is the first.

    >>> [command.words for command in commands()][:2]
    ['tallymark', 'tallymark rate']
    """
    return list(_commands("tallymark", typer.main.get_command(app)))


def reference() -> str:
    """The page: every command with its arguments, options, defaults and examples."""
    return "\n".join(_page()).rstrip() + "\n"


def _commands(words: str, command: object) -> Iterator[Command]:
    if not isinstance(command, TyperGroup) or words == "tallymark":
        yield _command(words, command)
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            yield from _commands(f"{words} {name}", inner)


def _command(words: str, command: object) -> Command:
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(str(getattr(command, "help", "") or "")))
    lines = [" ".join(paragraph.split()) for paragraph in paragraphs]
    examples = [line.removeprefix(_EXAMPLE) for line in lines if line.startswith(_EXAMPLE)]
    text = [line for line in lines if not line.startswith(_EXAMPLE) and line != "For example:"]
    parameters = list(getattr(command, "params", []))
    options: dict[str, list[TyperOption]] = {}
    for one in parameters:
        if isinstance(one, TyperOption) and not one.hidden:
            options.setdefault(getattr(one, "rich_help_panel", None) or _PANEL, []).append(one)
    arguments = [one for one in parameters if isinstance(one, TyperArgument) and not one.hidden]
    return Command(words, "\n\n".join(text), examples, arguments, options)


def _page() -> Iterator[str]:
    yield "# Every command and option"
    yield ""
    yield "As `--help` tells it, and made from the same place. [Command line](command-line.md) shows what the commands"
    yield "print; [exit codes](reasons.md#exit-codes) say how they end."
    for command in commands():
        yield ""
        yield f"## {command.words}"
        yield ""
        yield _escaped(command.text)
        if command.words == "tallymark":
            yield ""
            yield str(app.info.epilog)
        usage = " ".join([command.words, *(_metavar(one) for one in command.arguments), "[OPTIONS]"])
        if command.arguments:
            yield ""
            yield f"`{usage}`"
            yield ""
            yield "| argument | is |"
            yield "| --- | --- |"
            for argument in command.arguments:
                yield f"| `{_cell(_metavar(argument))}` | {_told(argument.help)} |"
        for panel, options in command.options.items():
            yield ""
            yield f"| {panel.lower()} | does | default |"
            yield "| --- | --- | --- |"
            for option in options:
                yield f"| {_names(option)} | {_told(option.help)} | {_default(option)} |"
        if command.examples:
            yield ""
            yield "```sh"
            yield from command.examples
            yield "```"


def _names(option: TyperOption) -> str:
    """The names of an option, the long one first, with what it takes; then those of its opposite."""
    names = sorted(option.opts, key=len, reverse=True)
    if _kind(option) is not bool:
        names[0] += f" {_metavar(option)}"
    return ", ".join(f"`{_cell(name)}`" for name in [*names, *option.secondary_opts])


def _kind(parameter: TyperOption | TyperArgument) -> object:
    """What the parameter's annotation says that it is."""
    return getattr(getattr(parameter, "type_descriptor", None), "annotation", None)


def _metavar(parameter: TyperOption | TyperArgument) -> str:
    kind = _kind(parameter)
    if isinstance(kind, type) and issubclass(kind, Enum) and not parameter.metavar:
        return "|".join(str(one.value) for one in kind)
    word = parameter.metavar or str(parameter.name).upper()
    return f"{word}..." if isinstance(parameter, TyperArgument) and parameter.nargs == -1 else word


def _default(option: TyperOption) -> str:
    value = option.default
    if value is None or value is False or value == "" or callable(value):
        return ""
    return f"`{_cell(str(getattr(value, 'value', value)))}`"


def _told(text: str | None) -> str:
    return _escaped(_cell(" ".join((text or "").split())))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _escaped(text: str) -> str:
    """Prose in which Markdown finds no markup of its own: patterns, placeholders and names are code."""
    return re.sub(r"(?<![\w`])(--?[a-z][\w-]*|[^\s(]*[*<>_=][^\s)]*)", _code, text)


def _code(match: re.Match[str]) -> str:
    word = match[0]
    core = word.rstrip(".,;:)")
    return f"`{core}`{word[len(core) :]}" if len(core) > 1 else word
