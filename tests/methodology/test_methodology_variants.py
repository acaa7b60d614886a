"""`with_`, `--set` and `diff`."""

from typing import Any

import pytest

from tallymark.errors import InputError, MethodologyError
from tallymark.methodology import Difference, Setting, diff, methodology, parse_setting, shipped


def test_a_variant_has_its_own_id_and_leads_back() -> None:
    paper = methodology("paper")
    one = paper.with_(tau=0.3)
    two = one.with_({"bounds.rating_min": 100})
    assert one.id == "paper-1+" + one.hash[:8]
    assert two.base_id == one.base_id == "paper-1"
    assert two.id == "paper-1+" + two.hash[:8]
    assert two.with_({"bounds.rating_min": None}) == one
    assert two.with_(rating_min=None, tau=0.5) == paper
    assert two.with_(rating_min=None, tau=0.5).id == "paper-1"
    assert paper.with_() == paper
    assert paper.id == "paper-1"


def test_the_three_forms_of_a_key() -> None:
    paper = methodology("paper")
    by_section = paper.with_(bounds={"rating_min": 100, "rating_max": 3000}, system={"tau": 0.3})
    assert by_section == paper.with_({"bounds.rating_min": 100, "bounds.rating_max": 3000, "system.tau": 0.3})
    assert by_section == paper.with_(rating_min=100, rating_max=3000, tau=0.3)
    assert by_section.bounds.deviation_max == 350.0


def test_another_system_starts_from_its_own_defaults() -> None:
    m = methodology("paper").with_(system={"kind": "glicko", "c": 50})
    assert m == methodology("paper").with_({"system.kind": "glicko", "c": 50})
    assert m.with_(c=44.721359549995796, deviation_min=30).hash == methodology("glicko").hash


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "game"}, r"kind is a field of several sections: system\.kind, period\.kind, ageing\.kind"),
        ({"taw": 1}, "taw is no field of this methodology"),
        ({"k": 20}, "k is no field of this methodology"),
        ({"bounds.rating_mim": 1}, "rating_mim is no field"),
        ({"bounds": 3}, "bounds is a section; expected a table"),
        ({"title": "x"}, "title is not a rule"),
        ({"tau": 0.3, "system.tau": 0.4}, r"system\.tau is set twice"),
        ({"period": "weekly"}, "period is 'weekly'; expected a length like 7d"),
        ({"period": "0d"}, r"period\.days is 0\.0; expected"),
        ({"period": 7}, "period is 7; expected a length like 7d"),
        ({"tau": None}, r"system\.tau is None; expected a number from 0 to 10"),
        ({"tau": "0.3"}, r"system\.tau is '0\.3'; expected"),
    ],
)
def test_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(MethodologyError, match=message):
        methodology("paper").with_(changes)


def test_refusals_suggest() -> None:
    with pytest.raises(MethodologyError) as caught:
        methodology("paper").with_(rating_mni=1)
    assert caught.value.hint is not None
    assert "bounds.rating_min" in caught.value.hint


# base, period -> kind, days, late, ageing, periods a day
FOLLOWED: list[tuple[str, str, tuple[str, float | None, str, str, float | None]]] = [
    ("paper", "7d", ("calendar", 7.0, "refuse", "periods", None)),
    ("paper", "12h", ("calendar", 0.5, "refuse", "periods", None)),
    ("paper", "match", ("match", None, "ledger-order", "none", None)),
    ("paper", "game", ("game", None, "ledger-order", "elapsed", 1.0 / 30.0)),
    ("lichess", "30d", ("calendar", 30.0, "refuse", "periods", None)),
    ("lichess", "match", ("match", None, "ledger-order", "none", None)),
    ("lichess", "game", ("game", None, "ledger-order", "elapsed", 0.21436)),
    ("contest", "1.5d", ("calendar", 1.5, "refuse", "none", None)),
    ("contest", "game", ("game", None, "ledger-order", "none", None)),
    ("elo", "7d", ("calendar", 7.0, "refuse", "none", None)),
    ("votes", "1d", ("calendar", 1.0, "refuse", "none", None)),
]


@pytest.mark.parametrize(("name", "period", "expected"), FOLLOWED)
def test_what_follows_the_period(
    name: str, period: str, expected: tuple[str, float | None, str, str, float | None]
) -> None:
    m = methodology(name).with_(period=period)
    found = (m.period.kind, m.period.days, m.period.late, m.ageing.kind, m.ageing.periods_per_day)
    assert found == expected
    assert m.period.sum_order == methodology(name).period.sum_order


def test_what_need_not_follow_stays() -> None:
    dated = methodology("paper").with_({"period.origin": "2024-01-01", "period.late": "recompute"})
    weekly = dated.with_(period="7d")
    assert (weekly.period.origin, weekly.period.late) == ("2024-01-01T00:00:00Z", "recompute")
    by_match = dated.with_(period="match")
    assert (by_match.period.origin, by_match.period.late) == ("first-day", "recompute")
    waiting = methodology("paper").with_({"period.late": "next-period"})
    assert waiting.with_(period="game").period.late == "ledger-order"


def test_what_is_named_does_not_follow() -> None:
    m = methodology("paper").with_({"period": "game", "ageing.periods_per_day": 0.5, "period.late": "recompute"})
    assert (m.ageing.kind, m.ageing.periods_per_day, m.period.late) == ("elapsed", 0.5, "recompute")
    assert (
        methodology("lichess").with_({"period": "7d", "ageing": {"kind": "none", "periods_per_day": None}}).ageing.kind
        == "none"
    )
    assert methodology("paper").with_({"period": "game", "ageing.kind": "none"}).ageing.kind == "none"


def test_period_length_in_microseconds() -> None:
    assert methodology("paper").with_(period="12h").period.length == 43_200 * 10**6
    assert methodology("elo").period.length == 0
    assert methodology("paper").period.origin_instant is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tau=0.3", ("tau", 0.3)),
        ("bounds.rating_min = 100", ("bounds.rating_min", 100)),
        ("period=7d", ("period", "7d")),
        ("period=match", ("period", "match")),
        ('period="match"', ("period", "match")),
        ("rated.draws=false", ("rated.draws", False)),
        ("boards=[9, 19]", ("boards", [9, 19])),
        ("komi={19 = 7.5}", ("komi", {"19": 7.5})),
        ("rating_max=", ("rating_max", None)),
        ("x=1\ny = 2", ("x", "1\ny = 2")),
        ("x=a=b", ("x", "a=b")),
    ],
)
def test_settings_have_the_types_of_toml(text: str, expected: tuple[str, Setting]) -> None:
    assert parse_setting(text) == expected


@pytest.mark.parametrize("text", ["tau", "=3", ""])
def test_no_setting(text: str) -> None:
    with pytest.raises(InputError, match="expected key=value"):
        parse_setting(text)


@pytest.mark.parametrize(
    "value", ["[" * 500 + "]" * 500, "[" * 5000 + "]" * 5000, "9" * 5000, "0x" + "f" * 5000, "9" * 400]
)
def test_a_setting_too_large_to_be_one_is_refused(value: str) -> None:
    with pytest.raises(MethodologyError, match="tau cannot be set") as caught:
        parse_setting(f"tau={value}")
    assert caught.value.field == "tau"
    assert len(str(caught.value)) < 200


def test_settings_make_variants() -> None:
    settings = dict(map(parse_setting, ["period=7d", "tau=0.3", "period.origin=2024-01-01", "komi={19 = 7.5}"]))
    m = methodology("paper").with_(settings)
    assert (m.period.days, m.period.origin, m.rated.komi) == (7.0, "2024-01-01T00:00:00Z", {19: 7.5})


def test_diff() -> None:
    paper = methodology("paper")
    assert diff(paper, paper.with_(tau=0.3, rating_min=100)) == [
        Difference("system.tau", 0.5, 0.3),
        Difference("bounds.rating_min", None, 100.0),
    ]
    assert Difference("system.k", None, 20.0) in diff(paper, methodology("elo"))
    assert Difference("system.tau", 0.5, None) in diff(paper, methodology("elo"))


def test_diff_is_empty_where_hashes_are_equal() -> None:
    for a in shipped():
        for b in shipped():
            assert (diff(a, b) == []) == (a.hash == b.hash)
            assert [(one.a, one.b) for one in diff(a, b)] == [
                (one.b, one.a) for one in diff(b, a)
            ] or a.system != b.system


def test_no_period_at_all_is_refused() -> None:
    with pytest.raises(MethodologyError, match="period is None; expected a length like 7d or 12h, match, or game"):
        methodology("paper").with_(period=None)
