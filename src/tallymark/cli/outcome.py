"""What `rate` says at its end: in words with a board, or as one JSON document."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallymark.cli.documents import Json, replay_document, rules_document, score_document, table_document
from tallymark.cli.hints import in_options
from tallymark.cli.start import Started

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import LogReport, Replay, ReplayReport, Score, Table


@dataclass(frozen=True)
class Outcome:
    """Games rated under one methodology."""

    read: str
    """Where their rows came from."""
    result: "Replay"
    score: "Score"
    ratings: "Table"
    started: Started
    """What the ratings go on from, or started from."""
    written: list[str]
    by_default: bool
    """Whether nobody chose the methodology."""

    def print(self, out: "Console", top: int) -> None:
        """The report, a board of `top` players a pool, the score, the files written."""
        from tallymark.cli.board import print_board
        from tallymark.cli.scores import score_words
        from tallymark.cli.words import say

        rules = self.result.methodology
        print_report(out, self.read, self.result.report)
        self.started.print(out, [rules])
        going_on = self.started.going_on is not None
        if going_on and (self.result.report.late or "late" in self.result.report.not_rated):
            say(out, "hint: games are late; was this file handed in before?")
        chosen = f" ({rules.name} is the default; -m chooses)" if self.by_default else ""
        say(out, f"{rules.id}: {rules.title}{chosen}", style="dim")
        print_board(out, self._shown(), rules, top)
        say(out)
        say(out, f"predicted before each game: {score_words(self.score)}")
        for path in self.written:
            say(out, f"written: {path}")

    def _shown(self) -> "Table":
        """The ratings without those of a list who never played: a federation's may be a hundred times the club's."""
        if self.started.listed is None:
            return self.ratings
        from tallymark import Table

        played = self.ratings["games"] > 0
        return Table({name: self.ratings[name][played] for name in self.ratings.columns})

    def document(self, top: int | None) -> dict[str, Json]:
        """The same for machines; `top` None for all players."""
        start: Json = None
        if self.started.going_on is not None:
            start = {"players": self.started.players, "open_games": self.started.open_games}
        return {
            "methodology": rules_document(self.result.methodology),
            "from": start,
            "initial": None if self.started.listed is None else self.started.listed.document(),
            "report": replay_document(self.result.report),
            "score": score_document(self.score),
            "ratings": table_document(self.ratings, top),
            "written": list(self.written),
        }


def print_report(out: "Console", read: str, report: "LogReport | ReplayReport") -> None:
    """What became of the rows, and why of some nothing."""
    from tallymark.cli.words import say

    say(out, f"{read}: ", end="")
    for line in report.summary().split("\n"):
        say(out, in_options(line) if line.startswith("  note: ") else line)
