"""The program: its commands, its options of the whole, and the one place where commands end."""

import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer
from typer.core import TyperGroup

from tallymark.cli import config, keys
from tallymark.cli.arena.replay import replay as arena_replay
from tallymark.cli.arena.simulate import simulate as arena_simulate
from tallymark.cli.check import check
from tallymark.cli.completion import OPTIONS, check_shell
from tallymark.cli.demo import demo
from tallymark.cli.endings import Ending, ended
from tallymark.cli.exactness import exactness
from tallymark.cli.ledger.append import append
from tallymark.cli.ledger.correcting import adjust, annul, change, merge, restore
from tallymark.cli.ledger.init import init as ledger_init
from tallymark.cli.ledger.moving import export, import_
from tallymark.cli.ledger.rate import rate as ledger_rate
from tallymark.cli.ledger.rebuild import rebuild
from tallymark.cli.ledger.status import status
from tallymark.cli.ledger.trying import try_
from tallymark.cli.ledger.verify import verify
from tallymark.cli.ledger.without import without
from tallymark.cli.predict import predict
from tallymark.cli.prepare import prepare
from tallymark.cli.rate import rate
from tallymark.cli.rules import diff, list_, show
from tallymark.cli.serve import serve
from tallymark.cli.standings import standings
from tallymark.cli.synth import synth
from tallymark.cli.vectors import vectors


class Program(TyperGroup):
    """The commands, whose return value is an exit code; no error leaves as a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: object,
    ) -> NoReturn:
        """Runs the program on these words and ends the process."""
        run = super().main

        def command() -> object:
            if any(option in (sys.argv[1:] if args is None else args) for option in OPTIONS):
                check_shell()
            try:
                return run(args, name, complete_var, False, windows_expand_args, **extra)
            except SystemExit as left:  # so typer leaves when all about completion is said
                if left.code:
                    raise
                return Ending.DONE

        name = prog_name or "tallymark"
        words = _commands(self, sys.argv[1:] if args is None else args)
        sys.exit(ended(command, help_=" ".join([name, *words, "--help"])))


def _commands(group: TyperGroup, words: Sequence[str]) -> list[str]:
    """Those words that name the command: `ledger init`."""
    found: list[str] = []
    known = group.commands
    for word in words:
        if word in known:
            found.append(word)
            known = getattr(known[word], "commands", {})
    return found


app = typer.Typer(
    cls=Program,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    epilog="Exit codes: 0 done; 1 done, but rows were held or rejected; 2 usage; 3 cannot read or write; "
    "4 a check failed.",
)


def _version(asked: bool) -> None:
    if asked:
        from tallymark import __version__

        typer.echo(f"tallymark {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _program(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Rate players from the results of their games, so that anyone can recount every number."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(Ending.USAGE)


app.command()(rate)
app.command("predict")(predict)
app.command("standings")(standings)
app.command()(check)
app.command()(prepare)
_methodologies = typer.Typer(no_args_is_help=False, help="The rules that ship with the package, and yours.")
_methodologies.command("list")(list_)
_methodologies.command("show")(show)
_methodologies.command("diff")(diff)
_methodologies.command("try")(try_)
app.add_typer(_methodologies, name="methodology")
_ledger = typer.Typer(no_args_is_help=False, help="Results that are kept, rated once and for all to recount.")
_ledger.command("init")(ledger_init)
_ledger.command("status")(status)
_ledger.command("append")(append)
_ledger.command("rate")(ledger_rate)
_ledger.command("without")(without)
for _correction in (annul, restore, change, merge, adjust):
    _ledger.command()(_correction)
_ledger.command("rebuild")(rebuild)
app.add_typer(_ledger, name="ledger")
app.command()(serve)
_arena = typer.Typer(no_args_is_help=False, help="Agents that play each other.")
_arena.command("replay")(arena_replay)
_arena.command("simulate")(arena_simulate)
app.add_typer(_arena, name="arena")
_keys = typer.Typer(no_args_is_help=False, help="Who may send results, vote, correct and decide over HTTP.")
_keys.command("create")(keys.create)
_keys.command("list")(keys.list_)
_keys.command("revoke")(keys.revoke)
app.add_typer(_keys, name="keys")
_config = typer.Typer(no_args_is_help=False, help="What the service is set to.")
_config.command("show")(config.show)
app.add_typer(_config, name="config")
app.command("export")(export)
app.command("import")(import_)
app.command("verify")(verify)
app.command()(demo)
app.command()(synth)
app.command()(vectors)
app.command()(exactness)
