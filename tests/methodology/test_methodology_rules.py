"""Rules that cannot stand together, and the hash of those that can."""

import hashlib
import pickle
import tomllib
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.errors import MethodologyError
from tallymark.methodology import Ageing, Bounds, Komi, Methodology, Period, Rated, methodology, shipped
from tallymark.methodology.loader import parse
from tallymark.systems import Glicko2

ELO = (
    '{"ageing":{"kind":"none","periods_per_day":null,"whole":false},'
    '"bounds":{"change_max":null,"deviation_max":null,"deviation_min":null,"rating_max":null,"rating_min":null,'
    '"volatility_max":null,"volatility_min":null},'
    '"numbers":{"deviation_multiplier":100,"format":"float64","rating_multiplier":100,"rounding":"half-even",'
    '"volatility_multiplier":1000000},'
    '"period":{"days":null,"kind":"match","late":"ledger-order","origin":"first-day","recompute_days":null,'
    '"sum_order":"log"},'
    '"published":{"established_deviation":null,"interval":2,"peak":"none","peak_deviation":null,"peak_games":0,'
    '"peak_sources":["queue","table","tournament","casual"],"provisional_at":"above","provisional_deviation":null,'
    '"provisional_games":10,"rankable_deviation":null},'
    '"rated":{"boards":[],"draws":true,"endings":["normal","resignation","timeout","forfeit","illegal","disconnect",'
    '"adjudicated"],"even_games":false,"komi":{},"minimum_steps":0,"short_loss":[],'
    '"sources":["queue","table","tournament","casual"],"teams":"pairwise","unequal_teams":true},'
    '"system":{"k":20,"k_new":40,"k_top":null,"kind":"elo","new_games":0,"quantum":0,"rating":1500,'
    '"top_rating":2400,"unit":173.71779276130073}}'
)


def test_hash_is_sha256_of_the_canonical_json_of_every_rule() -> None:
    assert methodology("elo").hash == hashlib.sha256(ELO.encode()).hexdigest()


def data(name: str) -> dict[str, Any]:
    return tomllib.loads(methodology(name).to_toml())


def test_prose_comments_and_order_are_not_hashed() -> None:
    plain = data("go-float-v2")
    turned = {key: plain[key] for key in reversed(plain)}
    turned["rated"] = {key: plain["rated"][key] for key in reversed(plain["rated"])}
    turned["rated"]["endings"] = plain["rated"]["endings"][::-1]
    turned["rated"]["boards"] = [19, 9, 13]
    turned |= {"title": "other", "description": "words", "name": "other", "version": "7"}
    other = Methodology.from_content(turned)
    assert other.id == "other-7"
    assert other.hash == methodology("go-float-v2").hash
    text = "# a comment\n" + methodology("paper").to_toml().replace("tau = 0.5", "tau = 0.50 # as ever")
    assert parse(text, "here").hash == methodology("paper").hash


def test_defaults_are_hashed_as_if_written() -> None:
    plain = data("paper")
    least = {key: plain[key] for key in ("name", "version", "ageing", "bounds", "published")}
    least |= {"system": {"kind": "glicko2"}, "period": {"kind": "calendar", "days": 30}}
    assert Methodology.from_content(least).hash == methodology("paper").hash


@pytest.mark.parametrize("m", shipped(), ids=lambda m: m.id)
def test_every_field_counts(m: Methodology) -> None:
    others: dict[str, Any] = {
        "provisional_games": 7,
        "interval": 1.5,
        "minimum_steps": 21,
        "unequal_teams": False,
        "unit": 173.0,
        "rating": 1501,
        "draws": not m.rated.draws,
    }
    if m.numbers.exact:  # whose constants are a contract's, and which knows no teams
        others = {key: value for key, value in others.items() if key not in ("unequal_teams", "unit", "rating")}
    hashes = {m.with_({key: value}).hash for key, value in others.items()}
    assert len(hashes | {m.hash}) == len(others) + 1


def test_one_instant_has_one_hash() -> None:
    spellings: list[str | date] = ["2024-01-31", "2024-01-31T00:00Z", "2024-01-31T01:00:00+01:00", date(2024, 1, 31)]
    spellings += [datetime(2024, 1, 31, tzinfo=UTC)]
    hashes = {methodology("paper").with_({"period.origin": origin}).hash for origin in spellings}
    assert len(hashes) == 1
    period = methodology("paper").with_({"period.origin": "2024-01-31"}).period
    assert period.origin == "2024-01-31T00:00:00Z"
    assert period.origin_instant == 1706659200 * 10**6


CONTRADICTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("paper", {"period.days": None}, "period.days"),
    ("contest", {"period.days": 3}, "period.days"),
    ("contest", {"period.origin": "2024-01-01"}, "period.origin"),
    ("paper", {"period.late": "ledger-order"}, "period.late"),
    ("contest", {"period.late": "next-period"}, "period.late"),
    ("lichess", {"period.late": "next-period"}, "period.late"),
    ("paper", {"ageing.periods_per_day": 1}, "ageing.periods_per_day"),
    ("paper", {"ageing.whole": True}, "ageing.whole"),
    ("lichess", {"ageing.periods_per_day": None}, "ageing.periods_per_day"),
    ("paper", {"ageing.kind": "elapsed", "periods_per_day": 1}, "ageing.kind"),
    ("contest", {"ageing.kind": "periods"}, "ageing.kind"),
    ("contest", {"ageing.kind": "elapsed", "periods_per_day": 1}, "ageing.kind"),
    ("lichess", {"ageing.kind": "periods", "periods_per_day": None}, "ageing.kind"),
    ("elo", {"period": "30d", "ageing.kind": "periods"}, "ageing.kind"),
    ("go-float", {"period": "match"}, "period.kind"),
    ("go-float", {"ageing": {"kind": "none", "periods_per_day": None}}, "ageing.kind"),
    ("go-float", {"ageing.periods_per_day": 2}, "ageing.periods_per_day"),
    ("go-float", {"rank_from": 31}, "system.rank_to"),
    ("go-float", {"volatility_max": 1}, "bounds.volatility_max"),
    ("glicko", {"volatility_min": 0.01}, "bounds.volatility_min"),
    ("elo", {"deviation_max": 350}, "bounds.deviation_max"),
    ("paper", {"rating_min": 2000, "rating_max": 1000}, "bounds.rating_min"),
    ("paper", {"rating_min": 1600}, "system.rating"),
    ("paper", {"deviation_max": 300}, "system.deviation"),
    ("lichess", {"volatility": 0.2}, "system.volatility"),
    ("paper", {"rounding": "half-up"}, "numbers.rounding"),
    ("paper", {"rating_multiplier": 1000}, "numbers.rating_multiplier"),
    ("votes", {"rating_max": 2999.999}, "bounds.rating_max"),
    ("votes", {"rating": 1500.001}, "system.rating"),
    ("go-float", {"rated.endings": ["normal", "timeout"]}, "rated.short_loss"),
    ("go-float", {"minimum_steps": 0}, "rated.short_loss"),
    ("go-float", {"komi": {9: 7, 19: 7.5}}, "rated.komi"),
    ("paper", {"endings": []}, "rated.endings"),
    ("paper", {"rated.sources": []}, "rated.sources"),
    ("paper", {"provisional_deviation": None, "provisional_at": "from"}, "published.provisional_at"),
    ("paper", {"peak_games": 3}, "published.peak_games"),
    ("paper", {"peak_sources": ["queue"]}, "published.peak_sources"),
    ("elo", {"peak": "lower-bound"}, "published.peak"),
    ("elo", {"provisional_deviation": 110}, "published.provisional_deviation"),
    ("elo", {"rankable_deviation": 75}, "published.rankable_deviation"),
]


@pytest.mark.parametrize(("name", "changes", "field"), CONTRADICTIONS)
def test_contradictions_name_the_field(name: str, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(MethodologyError, match=field.replace(".", r"\.")) as caught:
        methodology(name).with_(changes)
    assert caught.value.field == field


def test_sections_are_checked_alone_too() -> None:
    with pytest.raises(MethodologyError, match=r"period\.kind is 'week'; expected one of calendar, match, game"):
        Period("week")
    with pytest.raises(MethodologyError, match=r"bounds\.rating_min is True; expected a number from"):
        Bounds(rating_min=True)
    with pytest.raises(MethodologyError, match=r"rated\.komi is \[7\]; expected a table"):
        Rated(komi=[7])  # type: ignore[arg-type]


def test_a_methodology_by_hand() -> None:
    m = Methodology("club", "1", "", "", Glicko2(tau=0.3), Period("match"), Ageing("none"))
    assert m.period.late == "ledger-order"
    assert m.id == "club-1"
    assert repr(m) == f"<Methodology club-1, hash {m.hash[:8]}>"
    assert "<td>system.tau</td><td>0.3</td>" in m._repr_html_()


def test_equal_by_content_hashable_and_pickled() -> None:
    m = methodology("go-float").with_(komi={9: 7, 13: 7.5, 19: 7.5})
    assert m.rated.komi == {9: 7.0, 13: 7.5, 19: 7.5}
    again = pickle.loads(pickle.dumps(m))
    assert again == m
    assert len({again, m}) == 1
    assert "9: 7, 13: 7.5" in m._repr_html_()
    with pytest.raises(TypeError):
        m.rated.komi[9] = 6.5  # type: ignore[index]


def test_komi_is_a_mapping() -> None:
    komi = Komi({19: 7.5, 9: 7.0})
    assert list(komi.items()) == [(9, 7.0), (19, 7.5)]
    assert 13 not in komi
    assert len(komi) == 2


numbers = st.floats(min_value=0.0, max_value=1400.0)
changes = st.fixed_dictionaries(
    {},
    optional={
        "period": st.sampled_from(["7d", "12h", "0.5d", "match", "game"]),
        "tau": st.floats(min_value=0.0, max_value=10.0),
        "rating_min": numbers | st.none(),
        "bounds.change_max": st.floats(min_value=1e-3, max_value=1e6) | st.none(),
        "komi": st.dictionaries(st.integers(1, 99), st.floats(min_value=-9.0, max_value=9.0)),
        "boards": st.just([]),
        "endings": st.lists(st.sampled_from(["normal", "timeout", "void"]), min_size=1, unique=True),
        "published.peak": st.sampled_from(["rating", "lower-bound"]),
        "interval": st.floats(min_value=0.0, max_value=10.0),
    },
)


@given(name=st.sampled_from(["paper", "lichess", "contest", "arena"]), changed=changes)
def test_a_written_file_keeps_id_and_hash(name: str, changed: dict[str, Any]) -> None:
    m = methodology(name).with_(changed)
    again = parse(m.to_toml(), "written")
    assert again == m
    assert (again.id, again.hash) == (m.id, m.hash)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_prose_is_written_and_read_back(title: str) -> None:
    m = Methodology("club", "1", title, title, Glicko2(), Period("match"), Ageing("none"))
    assert parse(m.to_toml(), "written") == m
