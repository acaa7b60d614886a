"""seats.mjs under Node: seats, commitments and draws of 10,000 seeds, and that every order of agents is as likely."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Final

from tallymark.arena.chance import below, commitment, drawn, seated

SEEDS: Final = 10_000
HERE: Final = Path(__file__).parent
# Chi-square that one fair draw in a thousand exceeds, by degrees of freedom.
ONE_IN_A_THOUSAND: Final = {1: 10.83, 23: 49.73}
COUNT: Final = 2**53 - 2**41
"""A range for which one draw in 4,096 is thrown away."""
Run = Callable[..., bytes]


def asked(agents: list[str]) -> list[dict[str, object]]:
    chance = Random(f"seats {len(agents)}")
    shuffled = [chance.sample(agents, len(agents)) for _ in range(SEEDS)]
    return [
        {"seed": chance.randbytes(32).hex(), "match": f"hex-{n}", "agents": of, "count": COUNT}
        for n, of in enumerate(shuffled)
    ]


def in_order(seed: bytes) -> list[int]:
    return sorted(range(7), key=lambda seat: drawn(seed, f"role:{seat}"))


def test_javascript_recomputes_seats_and_commitments_and_they_are_fair(node: Run) -> None:
    for agents in (["ann", "bob"], ["ann", "bob", "house-werewolf-quiet", "z9"]):
        given = asked(agents)
        told = node(HERE / "seats_of_seeds.mjs", given="\n".join(map(json.dumps, given)).encode())
        found = [json.loads(line) for line in told.splitlines()]
        assert len(found) == SEEDS
        again = 0
        for question, answer in zip(given, found, strict=True):
            seed = bytes.fromhex(str(question["seed"]))
            assert answer["commitment"] == commitment(seed, str(question["match"]))
            assert tuple(answer["seats"]) == seated(seed, agents)
            assert answer["draws"] == [below(seed, f"hand:{question['match']}", 3), below(seed, "prey:1", COUNT)]
            assert answer["roles"] == in_order(seed)
            again += int.from_bytes(drawn(seed, "prey:1")[:8], "big") >= 2**64 - 2**64 % COUNT
        assert again, "some were thrown away"
        orders = Counter(tuple(answer["seats"]) for answer in found)
        assert set(orders) == set(permutations(agents))
        expected = SEEDS / len(orders)
        distance = sum((count - expected) ** 2 / expected for count in orders.values())
        assert distance < ONE_IN_A_THOUSAND[len(orders) - 1]
