"""Which pair a ballot is of: what must hold of every choice, and that the best of its candidates is taken."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from tallymark.methodology import methodology
from tallymark.service.votes.choosing import FEW, NEAREST, Field, Had, Pair, candidates, choose, rest_of, uncertain_of
from tallymark.service.votes.teaching import Item, teaching

RULES = methodology("votes")
START = RULES.entered(RULES.initial())
NEW = Item(START.mu, START.phi2, START.sigma2, 0)
TEACHES = teaching(RULES)


def old(mu: float, phi2: float, games: int = 5) -> Item:
    return Item(mu, phi2, START.sigma2, games)


items = st.lists(
    st.one_of(
        st.just(NEW),
        st.builds(old, st.floats(-3, 3), st.floats(0.01, 4), st.integers(1, 50)),
        st.builds(old, st.sampled_from([0.0, 0.5]), st.sampled_from([0.1, 0.2])),  # equal ones
    ),
    max_size=40,
)


def of_those(gone: set[Pair]) -> Had:
    def had(pairs: Sequence[Pair]) -> set[Pair]:
        return gone.intersection(pairs)

    return had


@examples(max_examples=40)
@given(items, st.randoms(use_true_random=False), st.data())
def test_never_a_pair_again_until_there_is_none(pool: list[Item], chance: random.Random, data: st.DataObject) -> None:
    field = Field.of(pool)
    every = set(combinations(range(len(pool)), 2))
    left = data.draw(st.integers(0, min(3, len(every))))
    gone = every - set(chance.sample(sorted(every), left))
    for _ in range(left):
        pair = choose(field, of_those(gone), (), TEACHES, chance)
        assert pair in every - gone
        gone.add(pair)
    assert choose(field, of_those(gone), (), TEACHES, chance) is None


@examples(max_examples=60)
@given(st.lists(items.filter(bool).map(lambda some: some[0]), min_size=2, max_size=FEW), st.randoms(), st.data())
def test_among_few_items_no_pair_teaches_more(pool: list[Item], chance: random.Random, data: st.DataObject) -> None:
    """A brute force over all pairs that the voter has not had."""
    every = list(combinations(range(len(pool)), 2))
    gone = set(data.draw(st.lists(st.sampled_from(every), max_size=len(every) - 1, unique=True)))
    pair = choose(Field.of(pool), of_those(gone), (), TEACHES, chance)
    assert pair is not None

    def worth(one: Pair) -> tuple[bool, float]:
        a, b = pool[one[0]], pool[one[1]]
        return 0 in (a.games, b.games), TEACHES(a, b)

    assert worth(pair) == max(worth(one) for one in every if one not in gone)


@examples(max_examples=30)
@given(st.lists(items.filter(bool).map(lambda some: some[0]), min_size=FEW + 1, max_size=60), st.integers(0, 2**32))
def test_among_many_items_no_candidate_teaches_more(pool: list[Item], seed: int) -> None:
    field = Field.of(pool)
    pair = choose(field, of_those(set()), (), TEACHES, random.Random(seed))
    chance = random.Random(seed)
    some = candidates(field, uncertain_of(field, (), chance), 0, (), chance)

    def worth(one: Pair) -> tuple[bool, float]:
        a, b = pool[one[0]], pool[one[1]]
        return 0 in (a.games, b.games), TEACHES(a, b)

    assert pair in some
    assert worth(pair) == max(map(worth, some))


@examples(max_examples=40)
@given(st.lists(items.filter(bool).map(lambda some: some[0]), min_size=FEW + 1, max_size=60), st.randoms())
def test_candidates_are_those_of_the_rule(pool: list[Item], chance: random.Random) -> None:
    """Each anchor's partners: nobody outside them is nearer in rating, among all or among the uncertain ones."""
    field = Field.of(pool)
    uncertain = uncertain_of(field, (), chance)
    anchor = uncertain[0]
    one = {a if b == anchor else b for a, b in candidates(field, uncertain[:1], 0, (), chance) if anchor in (a, b)}
    gaps = sorted(abs(field.mu[place] - field.mu[anchor]) for place in range(len(pool)) if place != anchor)
    assert sorted(abs(field.mu[place] - field.mu[anchor]) for place in one)[:NEAREST] == gaps[:NEAREST]


@examples(max_examples=30)
@given(items.filter(bool), st.data())
def test_a_field_that_moved_is_the_one_made_anew(pool: list[Item], data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(pool) - 1), unique=True))
    moves = [(place, data.draw(items.filter(bool))[0]) for place in places]
    now = Field.of(pool).moved(moves)
    for place, item in moves:
        pool[place] = item
    anew = Field.of(pool)
    assert [now.item(place) for place in range(len(pool))] == pool
    assert sorted(now.by_rating) == list(range(len(pool)))
    assert now.mu[now.by_rating].tolist() == anew.mu[anew.by_rating].tolist()


def test_new_items_go_first() -> None:
    pool = [old(0.0, 4.0), old(0.1, 4.0), *[old(0.2 * n, 0.1) for n in range(20)], NEW]
    for seed in range(20):
        pair = choose(Field.of(pool), of_those(set()), (), TEACHES, random.Random(seed))
        assert pair is not None
        assert 22 in pair


def test_resting_items_are_left_alone_while_there_are_others() -> None:
    pool = [NEW] * 3 + [old(0.1 * n, 0.1) for n in range(20)]
    for seed in range(20):
        pair = choose(Field.of(pool), of_those(set()), (0, 1, 2), TEACHES, random.Random(seed))
        assert pair is not None
        assert not {0, 1, 2} & set(pair)
    two = [NEW, NEW]
    assert choose(Field.of(two), of_those(set()), (0, 1), TEACHES, random.Random(1)) == (0, 1)
    assert [rest_of(n) for n in (0, 2, 5, 6, 18, 10**5)] == [0, 0, 0, 1, 4, 4]


def test_equal_items_come_by_lot() -> None:
    """All new: every item comes as often as any other."""
    field, chance = Field.of([NEW] * 200), random.Random(7)
    pairs = (choose(field, of_those(set()), (), lambda one, other: 0.0, chance) for _ in range(2000))
    seen = Counter(place for pair in pairs for place in pair or ())
    expected = 2 * 2000 / 200
    assert len(seen) == 200
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 270  # 199 degrees: p = 0.0005


def test_systems_without_deviations_have_ballots_too() -> None:
    elo = methodology("elo")
    start = elo.entered(elo.initial())
    field = Field.of([Item(start.mu + n, start.phi2, start.sigma2, 5) for n in range(100)])
    seen = {choose(field, of_those(set()), (), teaching(elo), random.Random(seed)) for seed in range(50)}
    assert len(seen) > 40


def test_what_a_vote_teaches_is_the_updates() -> None:
    """New against new, votes.md: 290.32 for both, whoever wins."""
    assert TEACHES(NEW, NEW) == pytest.approx(2 * (350 - 290.32), abs=1e-9)
    far, near = old(3.0, 0.2), old(0.0, 0.2)
    assert TEACHES(NEW, near) > TEACHES(NEW, far)
    assert TEACHES(far, near) == TEACHES(near, far)


@pytest.mark.parametrize("name", ["glicko", "lichess", "arena-v0", "go-float-v2", "go-onchain-v2", "elo", "contest"])
def test_every_methodology_says_what_a_vote_teaches(name: str) -> None:
    rules = methodology(name)
    start = rules.entered(rules.initial())
    new = Item(start.mu, start.phi2, start.sigma2, 0)
    assert teaching(rules)(new, new) >= 0.0
