"""`tallymark demo`: 150 years of football between nations, rated."""

from importlib import resources
from pathlib import Path
from typing import Annotated

from typer import Option

from tallymark.cli.documents import print_json, replay_document, rules_document, score_document, table_document
from tallymark.cli.endings import CommandError, Ending, usage

_FILE = "football/football_international.csv.gz"
_SOURCE = "martj42/international_results, CC0"
_TOP = 20
_SITE = "Site"


def demo(
    as_json: Annotated[bool, Option("--json", help="Print one JSON document instead, with all teams.")] = False,
    serve: Annotated[
        bool, Option("--serve", help="Make a site of them instead, and serve it until Ctrl-C.", rich_help_panel=_SITE)
    ] = False,
    ledger: Annotated[
        str | None,
        Option(
            "--ledger",
            "-l",
            metavar="FILE|URL",
            help="Keep the site there (default: nowhere; it goes when it ends).",
            rich_help_panel=_SITE,
        ),
    ] = None,
    port: Annotated[
        int | None,
        Option(
            "--port",
            metavar="N",
            help="Listen on it (default 8000); 0 takes a free one.",
            rich_help_panel=_SITE,
        ),
    ] = None,
) -> int:
    """Rate the football results that come with the package: who leads, and how often was it right?

    For example:

    $ tallymark demo

    $ tallymark demo --json

    `--serve` makes a site of them: two pools of matches, and one to vote in.
    """
    from tallymark import read_games, replay, score

    if serve:
        from tallymark.cli import demo_site

        if as_json:
            raise usage("--json and --serve are both given", "a site has its own JSON, under /v1")
        demo_site.serve(read_games(example(_FILE), columns={"pool": "pool"}), ledger, port)
        return Ending.DONE
    if ledger is not None or port is not None:
        raise usage("--ledger and --port are for a site", "tallymark demo --serve")
    from tallymark.cli.board import print_board
    from tallymark.cli.scores import score_words
    from tallymark.cli.words import console, say

    # A board in seconds, whatever the machine: the interpreter is done before compiled code would be loaded.
    log = read_games(example(_FILE))
    result = replay(log, "paper", predictions=True, engine="interpreted")
    ratings, predicted = result.ratings, score(result.predictions)
    if as_json:
        print_json(
            {
                "source": _SOURCE,
                "methodology": rules_document(result.methodology),
                "report": replay_document(result.report),
                "score": score_document(predicted),
                "ratings": table_document(ratings),
            }
        )
        return Ending.DONE

    out = console()
    say(out, f"Football between nations, 1872 to 2026: {result.report.rated:,} matches, {len(ratings):,} teams,")
    say(out, f"rated by {result.methodology.title} (methodology {result.methodology.id}).")
    print_board(out, ratings, result.methodology, _TOP)
    say(out)
    say(out, f"Predicted before each match: {score_words(predicted)}.")
    say(out)
    say(out, "The same with results of your own, a CSV file with player_a, player_b, score_a and played_at:")
    say(out, "  tallymark rate games.csv")
    say(out)
    say(out, f"Results: {_SOURCE}.", style="dim")
    return Ending.DONE


def example(name: str) -> Path:
    """A file of `examples/`, where the wheel has it or in a source checkout."""
    package = Path(str(resources.files("tallymark")))
    for folder in (package / "examples_data", package.parent.parent / "examples"):
        if (folder / name).is_file():
            return folder / name
    raise CommandError(Ending.UNREADABLE, f"the example {name} is not installed", "install tallymark from its wheel")
