"""What `rate` says at its end: in words with a board, or as one JSON document."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tallymark.cli.documents import Json, replay_document, rules_document, score_document, table_document
from tallymark.cli.hints import in_options
from tallymark.cli.start import Started
from tallymark.cli.words import labels, number, say

if TYPE_CHECKING:
    from rich.console import Console

    from tallymark import LogReport, Replay, ReplayReport, Score, Table

_NAMED: Final = 20
"""So many players without a rated game are named."""


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
        from tallymark.cli.scores import predicted_nothing, score_words

        rules = self.result.methodology
        print_report(out, self.read, self.result.report)
        self.started.print(out, [rules])
        going_on = self.started.going_on is not None
        if going_on and (self.result.report.late or "late" in self.result.report.not_rated):
            say(out, "hint: games are late; was this file handed in before?")
        if "draw" in self.result.report.not_rated:
            say(out, f"hint: {rules.id} rates no draws; --set draws=true takes each as half a point")
        chosen = f" ({rules.name} is the default; -m chooses)" if self.by_default else ""
        say(out, f"{rules.id}: {rules.title}{chosen}", style="dim")
        print_board(out, self._shown(), rules, top, self.result.log.names)
        unrated = self._without_a_game()
        if unrated:
            more = f" and {len(unrated) - _NAMED:,} more" if len(unrated) > _NAMED else ""
            say(out, f"no rated game: {', '.join(unrated[:_NAMED])}{more}", style="dim")
        say(out)
        say(out, f"predicted before each game: {score_words(self.score)}")
        if self.started.snapshot is None:
            for line in predicted_nothing([self.result]):
                say(out, line)
        for path in self.written:
            say(out, f"written: {path}")

    def _shown(self) -> "Table":
        """The ratings without those who never played: a federation's list may be a hundred times the club's."""
        from tallymark import Table

        played = self.ratings["games"] > 0
        return Table({name: self.ratings[name][played] for name in self.ratings.columns})

    def _without_a_game(self) -> list[str]:
        """Who is in the log and has a rating that no game of theirs moved: with that rating."""
        known, label = set(self.result.log.players), labels(self.result.log.names)
        columns = (self.ratings[name].tolist() for name in ("player", "rating", "games"))
        return [
            f"{label(player)} {number(rating, 0)}"
            for player, rating, games in zip(*columns, strict=True)
            if not games and player in known
        ]

    def document(self, top: int | None) -> dict[str, Json]:
        """The same for machines; `top` None for all players."""
        from tallymark.cli.board import published

        start: Json = None
        if self.started.going_on is not None:
            start = {"players": self.started.players, "open_games": self.started.open_games}
        return {
            "methodology": rules_document(self.result.methodology),
            "from": start,
            "initial": None if self.started.listed is None else self.started.listed.document(),
            "report": replay_document(self.result.report),
            "score": score_document(self.score),
            "ratings": table_document(published(self.ratings, self.result.methodology, self.result.log.names), top),
            "written": list(self.written),
        }


def print_report(out: "Console", read: str, report: "LogReport | ReplayReport") -> None:
    """What became of the rows, and why of some nothing."""
    say(out, f"{read}: ", end="")
    for line in report.summary().split("\n"):
        say(out, in_options(line) if line.startswith("  note: ") else line)
