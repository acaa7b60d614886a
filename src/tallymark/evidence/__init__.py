"""How well predictions came true; in `exactness`, what exact integers cost."""

from tallymark.evidence.score import Score, score

__all__ = ["Score", "score"]
