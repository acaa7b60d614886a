"""What is drawn from a match's seed."""

import hashlib
import hmac
from collections import Counter

import pytest

from tallymark.arena.chance import below, chosen, commitment, drawn, seated

SEED = bytes(range(32))


def test_the_commitment_is_what_anybody_can_compute() -> None:
    assert commitment(SEED, "hex-7") == hashlib.sha256(SEED + b"hex-7").hexdigest()
    assert commitment(SEED, "hex-7") != commitment(SEED, "hex-8")


def test_seats_are_by_the_hash_of_each_agent_and_not_by_how_they_were_named() -> None:
    first = min(["ann", "bob", "cyd"], key=lambda agent: hmac.new(SEED, f"seat:{agent}".encode(), "sha256").digest())
    assert seated(SEED, ["ann", "bob", "cyd"])[0] == first
    assert seated(SEED, ["cyd", "ann", "bob"]) == seated(SEED, ["bob", "cyd", "ann"])


def test_draws_are_fair_repeatable_and_of_their_label() -> None:
    counts = Counter(below(n.to_bytes(32, "big"), "x", 3) for n in range(3000))
    assert set(counts) == {0, 1, 2}
    assert sum((seen - 1000) ** 2 / 1000 for seen in counts.values()) < 13.8  # chi-square, 2 degrees, one in a thousand
    assert chosen(SEED, "a", "pqr") == chosen(SEED, "a", "pqr")
    assert drawn(SEED, "a") != drawn(SEED, "b")
    with pytest.raises(ValueError, match="count is 0"):
        below(SEED, "a", 0)
