"""How well predictions came true."""

from tallymark.evidence.score import Score, score

__all__ = ["Score", "score"]
