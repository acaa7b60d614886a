"""Vectors: questions with the answers of this package, for whoever computes the same elsewhere.

>>> from tallymark.fixedpoint.vectors import check, lines
>>> check(line.encode() for line in lines(1, 2, 0, 0)).difference is None
True
"""

from tallymark.fixedpoint.vectors.checking import Checked, Difference, check
from tallymark.fixedpoint.vectors.writing import FORMAT_VERSION, lines

__all__ = ["FORMAT_VERSION", "Checked", "Difference", "check", "lines"]
