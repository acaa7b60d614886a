"""The ladder finds whom a search through everybody would find, whoever was taken out before."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tallymark.arena.pairing.ladder import Ladder


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=1, max_size=24),
    st.randoms(use_true_random=False),
    st.sets(st.integers(0, 2)),
)
def test_the_nearest_are_those_of_a_search_through_all(
    agents: list[tuple[int, int]], random: Random, owners: set[int]
) -> None:
    ratings, whose = zip(*agents, strict=True)
    ladder = Ladder(np.array(ratings, np.float64), np.array(whose, np.int32))
    left = set(range(len(agents)))
    order = list(left)
    random.shuffle(order)
    for rank in order:
        ladder.remove(rank)
        left.remove(rank)
        found = list(ladder.nearest(rank, owners))
        here = ratings[rank]
        expected = sorted((abs(ratings[one] - here), one) for one in left if whose[one] not in owners)
        assert [(gap, one) for one, gap in found] == expected
