"""Werewolf as one of the arena's games."""

from dataclasses import dataclass
from typing import Final

from tallymark.arena.games.checking import checked_seats
from tallymark.arena.games.face import PoolKind, Ruleset
from tallymark.arena.games.werewolf.position import DAYS, WerewolfPosition
from tallymark.arena.games.werewolf.roles import COUNTS, roles
from tallymark.arena.games.werewolf.speech import LONGEST
from tallymark.games.vocabulary import Ending

RULESET: Final = Ruleset(
    "werewolf-1",
    45_000,
    told="Five are a wolf, a seer, a doctor and two villagers; six a wolf, a seer and villagers; seven and eight two "
    "wolves, a seer, a doctor and villagers. Every night the wolves eat one of the others (where they differ, the "
    "seed decides), the seer looks at somebody and learns whether that is a wolf, and the doctor guards somebody, "
    f"nobody twice running: who is guarded is not eaten. By day each speaks once, in turn, {LONGEST} characters at "
    "most; then all vote at once, and who has more votes than anybody else is out. Who is out shows its role. The "
    f"village wins when no wolf is left; the wolves win when they are no fewer than the others, and after {DAYS} "
    "days. A team wins and loses together, those who are out too.",
)


@dataclass(frozen=True)
class Werewolf:
    """Werewolf for five to eight. It is a `Game`."""

    name: str = "werewolf"
    title: str = "Werewolf"
    pool: str = "werewolf"
    kind: PoolKind = "arena"
    rules: str = "arena-v0"
    seats: tuple[int, ...] = tuple(COUNTS)
    ruleset: Ruleset = RULESET

    def start(self, seed: bytes, seats: int) -> WerewolfPosition:
        """The first night; roles follow from the seed."""
        checked_seats(self.name, self.seats, seats)
        return WerewolfPosition(self.name, seed, roles(seed, seats))

    def counted(self, reason: Ending) -> Ending:
        """The same: `arena-v0` knows every way to lose."""
        return reason


WEREWOLF: Final = Werewolf()
