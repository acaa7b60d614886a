"""The lean paths of plain matches against the fold of columns: the same entries and rows, bit for bit."""

import struct
from collections.abc import Iterable, Sequence

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark import Methodology, methodology, shipped
from tallymark.errors import InputError
from tallymark.games.ids import Id
from tallymark.ledger.entries import Entry
from tallymark.ledger.fold import by_match
from tallymark.ledger.fold.folding import Folded, fold
from tallymark.ledger.fold.items import Received
from tallymark.ledger.fold.played import Match, _match_of, plain_match, read_match, read_plain
from tallymark.ledger.fold.rows import Row, newcomer
from tallymark.ledger.fold.stand import Stand
from tallymark.ledger.items import items_of
from tallymark.ledger.matches import checked_match, read_object
from tallymark.replay.engines import Engine
from tallymark.replay.single import single

DAY = 86_400_000_000
PAPER = methodology("paper").with_(period="match")
VARIANTS = [
    *(rules for rules in shipped() if single(rules) is not None),
    PAPER,
    PAPER.with_(tau=0.0),
    PAPER.with_({"system.solver": "illinois", "system.tolerance": 1e-9, "system.iterations": 3}),
    methodology("glicko").with_(period="match"),
    methodology("elo").with_({"system.k_new": 40, "system.new_games": 3, "system.k_top": 10, "rated.draws": False}),
    methodology("elo").with_({"system.quantum": 0.1}),
    methodology("arena-v1-draft").with_({"bounds.change_max": 20.0, "bounds.volatility_max": 0.0605}),
    methodology("votes").with_({"numbers.rounding": "half-up"}),
]
VOTES = methodology("votes").with_({"system.solver": "newton", "system.tolerance": 1e-6, "system.iterations": 100})
COMPILED = [PAPER, methodology("arena-v1-draft"), VOTES]
"""Bounds, none, and a grid: of one family of formulas, which is compiled once."""
PEOPLE: tuple[Id, ...] = ("ann", "bob", 3, "3", "é")


class Standing:
    """Players as they stand before; nothing else is asked for."""

    def __init__(self, rows: dict[Id, Row]) -> None:
        self._rows = rows

    def rows(self, players: Iterable[Id], rules: Methodology) -> dict[Id, Row]:
        return {player: self._rows[player] for player in players if player in self._rows}

    def rules(self, position: int) -> Methodology:
        raise AssertionError("no methodology is asked for")

    def entries(self, first: int, last: int) -> Iterable[Entry]:
        raise AssertionError("no entry is asked for")


@st.composite
def items(draw: st.DrawFn) -> list[Received]:
    """Matches as they may come: at any time, with and without result and date, a few of them not plain."""
    out = []
    for n in range(draw(st.integers(1, 30))):
        a, b = draw(st.permutations(PEOPLE))[:2]
        match: dict[str, object] = {"id": n, "player_a": a, "player_b": b}
        match["score_a"] = draw(st.sampled_from((0, 1, 0.5, 0.25, None)))
        if draw(st.booleans()):
            match["played_at"] = draw(st.sampled_from(("1999-05-05T05:05:05Z", "1970-01-05T00:00:00Z", "1970-01-01")))
        if draw(st.integers(0, 9)) == 0:
            match["ending"] = draw(st.sampled_from(("resignation", "walkover")))
        out.append(Received(n, draw(st.integers(0, 6 * DAY)), orjson.dumps(match)))
    return out


@st.composite
def standing(draw: st.DrawFn) -> dict[Id, Row]:
    """Some players who stand somewhere, however unlikely: far apart, at the ends of doubles."""
    rows: dict[Id, Row] = {}
    for n, player in enumerate(draw(st.lists(st.sampled_from(PEOPLE), unique=True))):
        mu = draw(st.sampled_from((0.0, -0.0, 1.5, -7.25, 1e9, -1e154)) | st.floats(-3000, 3000))
        phi2, sigma2 = draw(st.sampled_from((0.0, 1e-9, 4.0, 1e12, 1e300))), draw(st.sampled_from((0.0, 0.0036, 9.0)))
        games = draw(st.integers(0, 5))
        rows[player] = Row(mu, phi2, sigma2, n, 1, games, games, 0, 0, n, 0, 0, 0.0, n + 1, 0, n)
    return rows


def folded(rules: Methodology, rows: dict[Id, Row], some: Sequence[Received], engine: Engine, lean: bool) -> Folded:
    with pytest.MonkeyPatch.context() as patch:
        if not lean:
            patch.setattr(by_match, "single", lambda rules: None)
        fresh = [Received(item.receipt, item.received, item.body) for item in some]
        return fold(Stand(9, bytes(32), 1, DAY, 5), rules, Standing(rows), fresh, engine)


def same(one: Folded, two: Folded) -> None:
    for first, second in zip(one.entries, two.entries, strict=True):
        assert first == second
    assert one.stand == two.stand
    assert one.rows.keys() == two.rows.keys()
    for player, row in one.rows.items():
        assert struct.pack("<3d10qd3q", *_packed(row)) == struct.pack("<3d10qd3q", *_packed(two.rows[player]))
        assert [type(value) for value in row] == [type(value) for value in two.rows[player]]


def _packed(row: Row) -> list[float | int]:
    return [*row[:3], *row[3:12], 0, *row[12:]]


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: f"{rules.id}-{rules.hash[:6]}")
@settings(max_examples=30)
@given(rows=standing(), some=items(), cut=st.integers(0, 30))
def test_one_by_one_gives_what_the_fold_gives(
    rules: Methodology, rows: dict[Id, Row], some: list[Received], cut: int
) -> None:
    lean = folded(rules, rows, some, "interpreted", lean=True)
    same(lean, folded(rules, rows, some, "interpreted", lean=False))
    # Cut anywhere.
    first = folded(rules, rows, some[:cut], "interpreted", lean=True)
    then = fold(first.stand, rules, Standing(rows | first.rows), some[cut:], "interpreted")
    assert first.entries + then.entries == lean.entries
    assert first.rows | then.rows == lean.rows


@pytest.mark.parametrize("rules", COMPILED, ids=lambda rules: rules.id)
@settings(max_examples=10)
@given(rows=standing(), some=items())
def test_at_once_gives_what_the_fold_gives(rules: Methodology, rows: dict[Id, Row], some: list[Received]) -> None:
    same(folded(rules, rows, some, "compiled", lean=True), folded(rules, rows, some, "interpreted", lean=False))


def test_other_methodologies_have_no_single_game() -> None:
    for name in ("paper", "glicko", "lichess", "go-float", "go-onchain"):
        assert single(methodology(name)) is None
    assert single(methodology("arena").with_({"published.established_deviation": 80.0})) is None


def test_a_hit_bound_is_told_whichever_way() -> None:
    rules = methodology("arena-v1-draft").with_({"bounds.change_max": 20.0})
    some = [Received(None, 1, b'{"id":1,"player_a":"ann","player_b":"bob","score_a":1}')]
    engines: tuple[Engine, ...] = ("interpreted", "compiled")
    for engine in engines:
        (entry,) = folded(rules, {"bob": newcomer(rules)}, some, engine, lean=True).entries
        assert entry.body.endswith(b'"clamped":{"0":["change"],"1":["change"]}}')


GOOD = {"id": "m", "player_a": "ann", "player_b": 7, "score_a": 0.5}


@pytest.mark.parametrize(
    ("body", "plain"),
    [
        (orjson.dumps(GOOD), True),
        (orjson.dumps({**GOOD, "played_at": "2026-01-01T00:00:00Z", "data": {"a": [{"b": 1}], "c": '":'}}), True),
        (orjson.dumps(GOOD, option=orjson.OPT_INDENT_2), True),
        (orjson.dumps({**GOOD, "ending": None}), True),
        (orjson.dumps({**GOOD, "ending": "resignation"}), False),
    ],
)
def test_what_a_match_says(body: bytes, plain: bool) -> None:
    match = read_match(body)
    assert (match.id, match.a, match.b, match.score, match.plain) == ("m", "ann", 7, 0.5, plain)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score_a": 1.5}, "score_a is 1.5"),
        ({"score_a": True}, "score_a is True"),
        ({"score_a": "1"}, "score_a is '1'"),
        ({"player_b": "ann"}, "are both 'ann'"),
        ({"player_b": True}, "player_b is True"),
        ({"player_b": ["x"]}, "player_b is"),
        ({"id": None}, "id is None"),
        ({"id": 1.5}, "id is 1.5"),
        ({"rank": 1}, "has no 'rank'"),
        ({"played_at": 7}, "played_at is 7"),
        ({"played_at": "soon"}, "soon"),
    ],
)
def test_bytes_that_append_would_refuse_are_no_match(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_match(orjson.dumps({**GOOD, **change}))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"id":"m","player_a":"ann","player_b":7,"score_a":0.5,"score_a":1}', "the key 'score_a' twice"),
        (b'{"id":"m","player_a":"ann","player_b":7,"score_a":0,"data":{"x":1,"x":2}}', "the key 'x' twice"),
        (b'{"id":"m","player_a":"ann"}', "player_b is None"),
        (b"[]", "expected a JSON object"),
        (b"", "no JSON"),
        (b"\xff{}", "no JSON"),
        (b'{"id":"m","player_a":"ann","player_b":7,"score_a":NaN}', "NaN"),
        (b"[" * 100_000, "no JSON|nested"),
    ],
)
def test_bytes_that_are_no_match(body: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_match(body)


IDS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=1, max_size=4) | st.integers(
    -(10**18), 10**18
)
TIMES = st.builds(
    "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z".format,
    st.sampled_from((0, 1, 999, 1900, 1969, 1970, 2024, 2026, 9999)),
    st.integers(0, 13),
    st.sampled_from((0, 1, 28, 29, 30, 31, 32)),
    st.sampled_from((0, 12, 23, 24)),
    st.sampled_from((0, 59, 60)),
    st.sampled_from((0, 59, 60)),
)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"id": IDS, "player_a": IDS, "player_b": IDS, "score_a": st.sampled_from((0, 0.5, 1, 0.25, None))},
            optional={"played_at": TIMES},
        ),
        max_size=4,
    )
)
def test_the_quick_ways_of_reading_read_what_the_long_one_does(matches: list[dict[str, object]]) -> None:
    """By a pattern one at a time, by a pattern over an export's lines, and in full."""
    bodies = [orjson.dumps(match) for match in matches]
    lines = [rated_line(body) for body in bodies]
    for body, item in zip(bodies, items_of(lines), strict=True):
        assert item is not None
        assert item.body == body
        assert item.plain() == read_plain(body)
        try:
            expected = match_in_full(body)
        except InputError:
            assert item.plain() is None
            continue
        assert read_match(body) == expected
        assert item.key == orjson.dumps(expected.id)
        if item.plain() is not None:
            assert plain_match(read_plain(body)) == expected  # type: ignore[arg-type]  # as just seen


def rated_line(body: bytes) -> bytes:
    return b"0" * 64 + b' {"n":7,"kind":"rated","at":5,"rules":1,"match":' + body + b',"after":[]}\n'


def match_in_full(body: bytes) -> Match:
    return _match_of(checked_match(read_object(body, "match")))


def test_what_may_be_escaped_or_too_long_is_not_read_by_a_pattern() -> None:
    for name in ('a"b', "a\\b", "é", "\x7f", "x" * 201, 10**18):
        body = orjson.dumps({**GOOD, "id": name})
        (item,) = items_of([rated_line(body)])
        assert item is not None
        assert (item.body, item.usual) == (body, None)
