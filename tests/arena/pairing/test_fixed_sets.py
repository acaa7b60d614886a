"""Round robin, Swiss, and pairing for information: what holds of every round."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.arena.pairing.contender import Contender
from tallymark.arena.pairing.fixed import Round, round_robin
from tallymark.arena.pairing.informative import expected_fall, informative
from tallymark.arena.pairing.matching import Partners
from tallymark.arena.pairing.swiss import Played, swiss
from tallymark.errors import InputError
from tallymark.systems import Elo, Glicko, Glicko2, Rating


def names(n: int) -> list[str]:
    return [f"a{k:02}" for k in range(n)]


def met(rounds: Sequence[Round]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for one in rounds for pair in one.pairs)


@given(st.integers(2, 31))
def test_everybody_meets_everybody_once_with_balanced_sides(n: int) -> None:
    agents = names(n)
    rounds = round_robin(agents)
    assert len(rounds) == n - 1 + n % 2
    assert met(rounds) == Counter(frozenset(pair) for pair in combinations(agents, 2))
    for one in rounds:
        playing = [agent for pair in one.pairs for agent in pair] + ([one.bye] if one.bye else [])
        assert sorted(playing) == agents
    sides = Counter(dict.fromkeys(agents, 0))
    for one in rounds:
        for first, second in one.pairs:
            sides.update({first: 1, second: -1})
    assert {abs(sides[agent]) for agent in agents} == ({0} if n % 2 else {1})
    assert sorted(one.bye for one in rounds if one.bye) == (agents if n % 2 else [])


def test_one_named_twice_or_alone_is_refused() -> None:
    with pytest.raises(InputError, match="agent 'ann' is named twice"):
        round_robin(["ann", "bob", "ann"])
    with pytest.raises(InputError, match="there are 1 agents; expected 2 or more"):
        swiss([Contender("ann", Rating(1500))], [])


def played(contenders: Sequence[Contender], rounds: int, random: Random) -> list[Round]:
    history: list[Played] = []
    made: list[Round] = []
    for _ in range(rounds):
        shuffled = list(contenders)
        random.shuffle(shuffled)
        made.append(swiss(shuffled, history))
        history += [Played(a, b, random.choice([1.0, 0.5, 0.0])) for a, b in made[-1].pairs]
        bye = made[-1].bye
        history += [Played(bye, None)] if bye else []
    return made


@settings(max_examples=60)
@given(st.integers(2, 17), st.integers(0, 10**6), st.data())
def test_swiss_has_no_rematch_and_gives_a_bye_once(n: int, seed: int, data: st.DataObject) -> None:
    contenders = [Contender(agent, Rating(1500.0 + 50.0 * (k % 5))) for k, agent in enumerate(names(n))]
    rounds = played(contenders, data.draw(st.integers(1, (n + 1) // 2)), Random(seed))
    assert set(met(rounds).values()) == {1}
    assert len({one.bye for one in rounds}) == (len(rounds) if n % 2 else 1)
    for one in rounds:
        playing = [agent for pair in one.pairs for agent in pair] + ([one.bye] if one.bye else [])
        assert sorted(playing) == names(n)
    assert played(contenders, len(rounds), Random(seed)) == rounds


def test_swiss_pairs_halves_of_a_score_group_and_floats_the_last_down() -> None:
    eight = [Contender(agent, Rating(2000.0 - 10.0 * k)) for k, agent in enumerate(names(8))]
    assert swiss(eight, []).pairs == (("a00", "a04"), ("a01", "a05"), ("a02", "a06"), ("a03", "a07"))
    first = [Played("a00", "a04"), Played("a01", "a05"), Played("a02", "a06"), Played("a03", "a07", 0.0)]
    # 1 point: a00 a01 a02 a07; 0 points: a03 a04 a05 a06.
    assert {frozenset(pair) for pair in swiss(eight, first).pairs} == {
        frozenset(pair) for pair in (("a00", "a02"), ("a01", "a07"), ("a03", "a05"), ("a04", "a06"))
    }
    third = [Played("a00", "a04"), Played("a01", "a05"), Played("a02", "a06"), Played("a03", "a07", 0.5)]
    # Three have 1 point: the last of them goes down to the halves.
    assert frozenset(("a02", "a03")) in {frozenset(pair) for pair in swiss(eight, third).pairs}


def test_swiss_gives_the_first_side_to_who_had_it_less() -> None:
    four = [Contender(agent, Rating(1900.0 - 100.0 * k)) for k, agent in enumerate("abcd")]
    pairs = swiss(four, [Played("a", "c"), Played("b", "d")]).pairs
    assert pairs == (("a", "b"), ("c", "d"))
    pairs = swiss(four, [Played("a", "c"), Played("d", "b", 0.0)]).pairs
    assert pairs == (("b", "a"), ("c", "d"))


def test_swiss_sees_that_the_best_pair_would_leave_somebody_alone() -> None:
    four = [Contender(agent, Rating(1900.0 - 100.0 * k)) for k, agent in enumerate("abcd")]
    history = [Played("a", "c", 0.5), Played("b", "d", 0.5), Played("a", "b", 0.5), Played("c", "d", 0.5)]
    assert {frozenset(pair) for pair in swiss(four, history).pairs} == {frozenset("ad"), frozenset("bc")}
    with pytest.raises(InputError, match="no round is left in which these 4 agents meet somebody new"):
        swiss(four, [*history, Played("a", "d"), Played("b", "c")])


def test_swiss_and_information_never_pair_one_owner() -> None:
    three = [Contender("a", Rating(1500), "o"), Contender("b", Rating(1500), "o"), Contender("c", Rating(1400), "p")]
    assert swiss(three, []) == Round((("a", "c"),), "b")  # the bye of the lowest, c, would leave two of one owner
    assert informative(three, Glicko2(), 100.0) == (("a", "c"),)


def test_swiss_refuses_strangers_and_other_scores() -> None:
    two = [Contender("a", Rating(1500)), Contender("b", Rating(1500))]
    with pytest.raises(InputError, match="'x' played in an earlier round and is no contender"):
        swiss(two, [Played("a", "x")])
    with pytest.raises(InputError, match=r"score of 'a' is 0\.7; expected 1, 0\.5 or 0"):
        swiss(two, [Played("a", "b", 0.7)])


def most_partners(n: int, edges: frozenset[frozenset[int]]) -> int:
    """Pairs in the largest matching, by trying all."""

    def tried(left: tuple[int, ...]) -> int:
        if len(left) < 2:
            return 0
        one, *rest = left
        best = tried(tuple(rest))
        for other in rest:
            if frozenset((one, other)) in edges:
                best = max(best, 1 + tried(tuple(x for x in rest if x != other)))
        return best

    return tried(tuple(range(n)))


@settings(max_examples=300)
@given(st.integers(1, 9), st.data())
def test_there_are_partners_for_as_many_as_can_be(n: int, data: st.DataObject) -> None:
    edges = frozenset(frozenset(e) for e in combinations(range(n), 2) if data.draw(st.booleans()))
    partners = Partners(n, lambda a, b: frozenset((a, b)) in edges)
    found = {frozenset((a, b)) for a, b in enumerate(partners._mates) if b >= 0}
    assert found <= edges
    assert len({x for pair in found for x in pair}) == 2 * len(found)
    assert len(found) == most_partners(n, edges)
    if partners.complete:
        for a, b in combinations(range(n), 2):
            rest = frozenset(e for e in edges if not e & {a, b})
            possible = frozenset((a, b)) in edges and most_partners(n, rest) == n // 2 - 1
            assert Partners(n, lambda x, y: frozenset((x, y)) in edges).fix(a, b) == possible


RATING = st.builds(
    Rating, st.sampled_from([1200.0, 1500.0, 1510.0, 1900.0]), st.sampled_from([30.0, 80.0, 110.0, 350.0])
)


@given(
    st.lists(RATING, min_size=2, max_size=9), st.sampled_from([50.0, 110.0, 400.0]), st.randoms(use_true_random=False)
)
def test_information_pairs_the_largest_expected_fall_and_stops(
    ratings: list[Rating], under: float, random: Random
) -> None:
    system = Glicko2()
    contenders = [Contender(agent, rating) for agent, rating in zip(names(len(ratings)), ratings, strict=True)]
    pairs = informative(contenders, system, under)
    by = {one.agent: one.rating for one in contenders}
    left = set(by)
    for a, b in pairs:
        falls = {
            (x, y): expected_fall(by[x], by[y], system)
            for x, y in combinations(sorted(left), 2)
            if max(by[x].deviation, by[y].deviation) >= under
        }
        assert falls[a, b] == max(falls.values()) > 0.0
        left -= {a, b}
    if all(rating.deviation < under for rating in ratings):
        assert pairs == ()
    random.shuffle(contenders)
    assert informative(contenders, system, under) == pairs


@pytest.mark.parametrize("system", [Glicko2(), Glicko()])
def test_an_expected_fall_is_the_mean_of_what_the_system_does(system: Glicko2 | Glicko) -> None:
    one, other = Rating(1600.0, 120.0), Rating(1450.0, 200.0)
    p = system.expected(one, other)
    mean = 0.0
    for weight, score in ((p, 1.0), (1.0 - p, 0.0)):
        after, against = system.update(one, [(other, score)]), system.update(other, [(one, 1.0 - score)])
        mean += weight * (one.deviation - after.deviation + other.deviation - against.deviation)
    assert expected_fall(one, other, system) == pytest.approx(mean, rel=1e-12)


def test_a_system_without_deviations_is_told_so() -> None:
    two = [Contender("a", Rating(1500)), Contender("b", Rating(1500))]
    with pytest.raises(InputError, match="elo has no deviations"):
        informative(two, Elo(), 100.0)


def test_playing_for_information_ends_with_every_deviation_under_it() -> None:
    system, random = Glicko2(), Random(3)
    known = {agent: Rating(1500.0) for agent in names(12)}
    true = {agent: 1500.0 + 100.0 * (k - 6) for k, agent in enumerate(names(12))}
    rounds = 0
    while pairs := informative([Contender(*item) for item in known.items()], system, 80.0):
        rounds += 1
        assert rounds < 200
        for a, b in pairs:
            score = float(random.random() < system.expected(Rating(true[a], 0.0), Rating(true[b], 0.0)))
            known[a], known[b] = (
                system.update(known[a], [(known[b], score)]),
                system.update(known[b], [(known[a], 1.0 - score)]),
            )
    assert max(one.deviation for one in known.values()) < 80.0
