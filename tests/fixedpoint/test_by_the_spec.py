"""Every function against the spec transcribed a second time, and against the real-valued model at 60 digits."""

import json
from pathlib import Path
from typing import cast

import onchain_by_the_spec as spec
import pytest

from tallymark.fixedpoint import State, aged, exp_neg, g, half_life, logistic, rank, update
from tallymark.fixedpoint.constants import DAY, KNOTS, LN2
from tallymark.fixedpoint.primitives import square
from tallymark.fixedpoint.units import ONE
from tallymark.fixedpoint.vectors.drawing import NOW, Draw
from tallymark.fixedpoint.vectors.edges import UPDATES

COUNT = 3000


def test_random_updates() -> None:
    draw = Draw(5)
    for _ in range(COUNT):
        a, b, half_points = draw.state(NOW), draw.state(NOW), draw.between(0, 2)
        assert update(a, b, half_points, NOW) == spec.update(a, b, half_points, NOW)


@pytest.mark.parametrize("name", [name for name in UPDATES if not name.startswith("refused")])
def test_named_updates(name: str) -> None:
    assert update(*UPDATES[name]) == spec.update(*UPDATES[name])


def test_functions() -> None:
    draw = Draw(6)
    edges = [n * LN2 + by for n in range(35) for by in (-1, 0, 1) if n or by >= 0]
    for x in [*edges, *(draw.between(0, 34 * LN2) for _ in range(COUNT))]:
        assert exp_neg(x) == spec.exp_neg(x)
        assert logistic(x) == spec.logistic(x)
        assert logistic(-x) == spec.logistic(-x)
    near = [knot + by for knot in KNOTS for by in range(-2, 3)]
    for mu in [*near, *(draw.mu() for _ in range(COUNT))]:
        assert rank(mu) == spec.rank(mu)
        assert half_life(rank(mu)) == spec.half_life(spec.rank(mu))
        phi, last = draw.phi(), draw.last(NOW)
        assert cast(int, aged(mu, phi, last, NOW)) == spec.aged(mu, phi, last, NOW)
        assert g(square(phi)) == spec.g(phi * phi)


def test_the_real_valued_model(cases: Path) -> None:
    """60 updates at 60 digits. Their days are no whole seconds, and half a second moves phi by up to 2e-7."""
    document = json.loads((cases / "half_life_updates.json").read_text(encoding="utf-8"))
    for vector in document["vectors"]:
        a, b = (
            State(round(one["mu"] * ONE), round(one["phi"] * ONE), NOW - round(one["days"] * DAY))
            for one in (vector["a"], vector["b"])
        )
        done = update(a, b, round(2 * vector["score_a"]), NOW)
        expected = vector["expected"]
        assert done.p / ONE == pytest.approx(float(expected["p_a"]), abs=2e-9)
        for ours, theirs in ((done.a, expected["a"]), (done.b, expected["b"])):
            assert ours.mu / ONE == pytest.approx(float(theirs["mu"]), abs=5e-8)
            assert ours.phi / ONE == pytest.approx(float(theirs["phi"]), abs=5e-7)
