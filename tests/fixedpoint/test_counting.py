"""What an update costs, and how wide it gets."""

import pytest

from tallymark.fixedpoint.constants import MU_HI, MU_LO, PHI_MAX, PHI_MIN
from tallymark.fixedpoint.counting import Operations, operations
from tallymark.fixedpoint.updating import State
from tallymark.fixedpoint.vectors.drawing import NOW, Draw
from tallymark.fixedpoint.vectors.edges import UPDATES

GAMES = {name: game for name, game in UPDATES.items() if not name.startswith("refused")}


@pytest.mark.parametrize("name", GAMES)
def test_every_update_takes_the_same(name: str) -> None:
    """The spec says roughly 63 multiplications, 66 divisions, 5 roots and 3 exponentials. The three divisions by 2**n
    are shifts here."""
    found = operations(*GAMES[name])
    assert found == Operations(57, 58, 5, 3, found.largest_bits)


def test_the_largest_intermediate_has_98_bits() -> None:
    largest = {operations(*game).largest_bits for game in GAMES.values()}
    draw = Draw(3)
    for phi_a in (0, PHI_MIN, PHI_MAX):
        for phi_b in (0, PHI_MIN, PHI_MAX):
            for mu_a, mu_b in ((MU_LO, MU_HI), (MU_HI, MU_LO), (-(1 << 39), (1 << 39) - 1), (0, 0)):
                for t in (0, NOW, (1 << 40) - 1):
                    largest.add(operations(State(mu_a, phi_a, NOW), State(mu_b, phi_b, 0), 2, t).largest_bits)
    largest |= {operations(draw.state(NOW), draw.state(NOW), 1, NOW).largest_bits for _ in range(300)}
    assert max(largest) == 98
