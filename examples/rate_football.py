"""Rates football between nations under several periods: which length predicts best?

python examples/rate_football.py
"""

from pathlib import Path

import tallymark as tm

FILE = Path(__file__).parent / "football" / "football_international.csv.gz"


def main() -> None:
    log = tm.read_games(FILE)
    paper = tm.methodology("paper")
    print(f"{len(log):,} matches\n\nperiod  log-loss  accuracy")
    for period in ("7d", "30d", "90d", "365d"):
        result = tm.replay(log, paper.with_(period=period), predictions=True)
        score = tm.score(result.predictions)
        print(f"{period:>6}  {score.log_loss:.4f}    {score.accuracy:.2%}")
    print()
    print(tm.replay(log, paper).ratings.head(10))


if __name__ == "__main__":
    main()
