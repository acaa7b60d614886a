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


def test_intermediates() -> None:
    """Each step of a trace is what the spec has at its place."""
    draw = Draw(9)
    for _ in range(300):
        a, b = draw.state(NOW), draw.state(NOW)
        steps = update(a, b, 2, NOW, trace=True).steps
        var = {"a": spec.aged(*a, NOW), "b": spec.aged(*b, NOW), "p": spec.aged(*a, NOW) + spec.aged(*b, NOW)}
        gaps = {"a": a.mu - b.mu, "b": b.mu - a.mu, "p": a.mu - b.mu}
        weights = {"a": spec.g(var["b"]), "b": spec.g(var["a"]), "p": spec.g(var["p"])}
        for name, score in (("a", 2**32), ("b", 0), ("p", None)):
            z = spec.rdiv(weights[name] * gaps[name], 2**32)
            e = spec.logistic(z)
            expected = {"var": var[name], "g": spec.g(var[name]), "z": z, "exp": spec.exp_neg(abs(z))}
            expected["g.square"] = spec.rdiv(2**96, steps[f"{name}.g.ratio"])
            if score is None:
                expected["p"] = e
            else:
                mu = (a if name == "a" else b).mu
                expected |= {"rank": spec.rank(mu), "half_life": spec.half_life(spec.rank(mu)), "e": e}
                expected["gg"] = spec.rdiv(weights[name] ** 2, 2**32)
                expected["ee"] = spec.rdiv(e * (2**32 - e), 2**32)
                expected["info"] = spec.rdiv(expected["gg"] * expected["ee"], 2**32)
                expected["precision"] = spec.rdiv(2**96, var[name])
                expected["new_var"] = spec.rdiv(2**96, expected["precision"] + expected["info"])
                expected["gain"] = spec.rdiv(expected["new_var"] * weights[name], 2**64)
                expected["step"] = spec.rdiv(expected["gain"] * (score - e), 2**32)
                expected |= {"free": mu + expected["step"], "root": spec.root(expected["new_var"])}
            assert {step: steps[f"{name}.{step}"] for step in expected} == expected
