"""The hash of a position: of its own content in one spelling, never of a library's text."""

import hashlib
from collections.abc import Mapping

import orjson

from tallymark.ledger.matches import Json


def digest(position: Mapping[str, Json]) -> str:
    """SHA-256, in hexadecimal, of a position's content as JSON: keys in order, no spaces, UTF-8 (as RFC 8785 has it).

    The content holds the match's seed, which is published at its end: until then nobody can try out what is hidden
    against a hash that was shown.

    >>> digest({"b": 1, "a": []}) == hashlib.sha256(b'{"a":[],"b":1}').hexdigest()
    True
    """
    return hashlib.sha256(orjson.dumps(position, option=orjson.OPT_SORT_KEYS)).hexdigest()
