"""Players whom a page names: their names, and which of them are the site's own."""

from collections.abc import Iterable

from tallymark.games.ids import Id
from tallymark.ledger.ledger import Ledger


class Names(dict[Id, str]):
    """The names of those who have one. `houses`: who is a house agent, and is called so wherever it is named."""

    def __init__(self, ledger: Ledger, players: Iterable[Id]) -> None:
        names, kinds = ledger.names_and_kinds(players)
        super().__init__(names)
        self.houses = frozenset(player for player, kind in kinds.items() if kind == "house")

    def called(self, player: Id) -> str:
        """What somebody is called in a sentence, a house agent so."""
        name = self.get(player, str(player))
        return f"{name} (house)" if player in self.houses else name
