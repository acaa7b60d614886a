"""Writes `hashes.json`, the pinned hashes of the shipped methodologies: `python tests/methodology/pin_hashes.py`.

A pin that changes means that published ratings no longer follow from the rules named on them: before a release that is
a decision, after it a new version of the methodology.
"""

import json
from pathlib import Path

from tallymark.methodology import shipped

HASHES = Path(__file__).parent / "hashes.json"

if __name__ == "__main__":
    HASHES.write_text(json.dumps({one.id: one.hash for one in shipped()}, indent=2) + "\n", encoding="utf-8")
