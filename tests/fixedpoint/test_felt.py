"""The felt: the spec's table of bits, what is refused, and that nothing is lost on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.fixedpoint import NEVER_RATED, Player, RefusedError, pack, unpack
from tallymark.fixedpoint.constants import PHI_MAX, PHI_MIN
from tallymark.fixedpoint.felt import FIELDS
from tallymark.fixedpoint.units import ONE

SMALL = Player(-(1 << 39), ONE, 0, 0, False, False, 0, 0, 0, 0, -(1 << 39))
"""Every field but phi has zero bits."""
TABLE = [
    ("mu", 0, 40),
    ("phi", 40, 34),
    ("last", 74, 40),
    ("band", 114, 3),
    ("established", 117, 1),
    ("has_peak", 118, 1),
    ("version", 119, 8),
    ("wins", 128, 24),
    ("losses", 152, 24),
    ("draws", 176, 24),
    ("peak", 200, 40),
]
signed = st.integers(-(1 << 39), (1 << 39) - 1)
counters = st.integers(0, (1 << 24) - 1)
players = st.builds(
    Player,
    signed,
    st.integers(PHI_MIN, PHI_MAX),
    st.integers(0, (1 << 40) - 1),
    st.integers(0, 7),
    st.booleans(),
    st.booleans(),
    st.integers(0, 255),
    counters,
    counters,
    counters,
    signed,
)


@pytest.mark.parametrize(("name", "at", "width"), TABLE)
def test_where_each_field_stands(name: str, at: int, width: int) -> None:
    base = pack(SMALL)
    assert base == ONE << 40
    value = {"mu": 5 - (1 << 39), "peak": 5 - (1 << 39), "phi": ONE + 5, "established": True, "has_peak": True}
    number = 1 if width == 1 else 5
    assert pack(SMALL._replace(**{name: value.get(name, 5)})) - base == number << at  # type: ignore[arg-type]
    assert (at < 128) == (at + width <= 128)


def test_fields_are_those_of_the_table() -> None:
    assert [(field.name, field.at, field.width) for field in FIELDS] == TABLE
    assert Player._fields == tuple(name for name, *_ in TABLE)


@given(players)
def test_there_and_back(player: Player) -> None:
    felt = pack(player)
    assert 0 < felt < 1 << 240
    assert not felt >> 127 & 1
    assert unpack(felt) == player
    assert (type(unpack(felt).established), type(unpack(felt).wins)) == (bool, int)


@given(
    st.integers(0, (1 << 240) - 1)
    | st.builds(lambda player, bit: pack(player) ^ 1 << bit, players, st.integers(0, 239))
)
def test_back_and_there(felt: int) -> None:
    """Any bits: refused where the rule says so, else the player packs to the same bits."""
    phi = felt >> 40 & (1 << 34) - 1
    what = "reserved" if felt >> 127 & 1 else "phi" if felt and not PHI_MIN <= phi <= PHI_MAX else ""
    if not what:
        assert pack(unpack(felt)) == felt
        return
    with pytest.raises(RefusedError) as caught:
        unpack(felt)
    assert caught.value.what == what


def test_never_rated() -> None:
    assert pack(NEVER_RATED) == 0
    assert unpack(0) == NEVER_RATED
    assert (NEVER_RATED.phi, NEVER_RATED.games) == (0, 0)


USUAL = pack(Player(phi=ONE, version=2))


@pytest.mark.parametrize(
    ("felt", "what"),
    [
        (USUAL | 1 << 127, "reserved"),
        (1 << 127, "reserved"),
        ((1 << 240) - 1, "reserved"),
        (USUAL - (ONE << 40), "phi"),
        (USUAL - (ONE - PHI_MIN + 1 << 40), "phi"),
        (USUAL + (ONE + 1 << 40), "phi"),
        (1, "phi"),
        (1 << 240, "range"),
        (USUAL | 1 << 251, "range"),
        (-1, "range"),
    ],
)
def test_refused_felts(felt: int, what: str) -> None:
    with pytest.raises(RefusedError) as caught:
        unpack(felt)
    assert caught.value.what == what


@pytest.mark.parametrize("phi", [PHI_MIN, PHI_MAX])
def test_both_ends_of_phi_are_taken(phi: int) -> None:
    assert unpack(pack(SMALL._replace(phi=phi))).phi == phi


@pytest.mark.parametrize("name", [name for name, _, width in TABLE if width > 1])
def test_fields_too_large_are_refused(name: str) -> None:
    field = next(field for field in FIELDS if field.name == name)
    beyond = [(1 << field.width) - field.offset, -field.offset - 1]
    for value in beyond:
        with pytest.raises(RefusedError, match=f"^{name} is {value}; expected a whole number from") as caught:
            pack(SMALL._replace(**{name: value}))  # type: ignore[arg-type]
        assert caught.value.what == name


def test_a_player_never_rated_has_nothing_else() -> None:
    with pytest.raises(RefusedError, match=r"^phi is 0; expected"):
        pack(Player(wins=1))
