"""Kinds of value, told apart by the type checker: Q, plain integers beside it, and W that only primitives may touch."""

from typing import Final, NewType, TypeAlias

Q: TypeAlias = int
"""A value times 2**32: ratings, deviations, g, E, precisions. Below 2**51 in size: 64 bits hold it with room."""

W = NewType("W", object)
"""A variance times 2**64: up to 72 bits. An int at run time; to the type checker a thing without operators, so that a
formula can only hand it to a primitive, which a compiled body then gives its own form of it."""

ONE: Final[Q] = 1 << 32
HALF: Final[Q] = 1 << 31
