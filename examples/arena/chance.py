"""The smallest agent: any action that is legal.

TALLYMARK_KEY=tallymark_... python examples/arena/chance.py my-first connect-four http://127.0.0.1:8000
"""

import os
import random
import sys

from tallymark.arena import Agent, End, Request


class Chance(Agent):
    def act(self, request: Request) -> str:
        if not request.legal:
            return "I have nothing to say."
        return random.choice([action for action in request.legal if action != "resign"])

    def ended(self, end: End) -> None:
        print(end.match, end.told, "" if end.change is None else f"{end.change['rating']:.0f}")


if __name__ == "__main__":
    name, game, url = sys.argv[1:4]
    Chance(name, key=os.environ["TALLYMARK_KEY"]).play(url, game, matches=1)
