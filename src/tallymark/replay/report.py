"""What a replay did with its log: how many games counted, why others did not, which limits were hit."""

from collections.abc import Mapping
from dataclasses import dataclass

from tallymark.games import LogReport


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """Counts of one replay.

    `not_rated`: games by reason (`eligibility.NotRated`); `clamped`: updates by the bound they hit, `held` being
    numbers that left the range of doubles; `unconverged`: updates whose solver stopped at its cap; `late`: games of a
    closed period that were rated in the open one; `endings`: the games that are not rated for their ending, by that.
    """

    methodology: str
    methodology_hash: str
    engine: str
    log: LogReport
    games: int
    rated: int
    not_rated: dict[str, int]
    players: int
    pools: int
    units: int
    unit_kind: str
    clamped: dict[str, int]
    unconverged: int
    late: int
    endings: Mapping[str, int]

    def summary(self) -> str:
        """A few lines of text."""
        units = _counted(self.units, self.unit_kind)
        again = self.games - self.log.games
        under = f"rated under {self.methodology} ({self.methodology_hash[:12]})"
        if again:
            under += f", {self.log.games:,} of them read and {again:,} again from an open period"
        lines = [
            self.log.summary(),
            f"{self.rated:,} of {self.games:,} games {under}",
            f"{_counted(self.players, 'player')} in {_counted(self.pools, 'pool')}, {units}",
        ]
        endings = f" ({', '.join(f'{word} {count:,}' for word, count in self.endings.items())})" if self.endings else ""
        lines += [
            f"  {count:,} not rated: {reason}{endings if reason == 'ending' else ''}"
            for reason, count in self.not_rated.items()
        ]
        lines += [f"  {_counted(count, 'update')} held to a bound: {what}" for what, count in self.clamped.items()]
        if self.late:
            lines.append(f"  {_counted(self.late, 'late game')} rated in the open period")
        if self.unconverged:
            lines.append(f"  {_counted(self.unconverged, 'update')} whose solver stopped at its cap")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary()


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "es" if what.endswith("match") else "s")
