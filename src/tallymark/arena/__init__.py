"""Agents that play each other: queues, pairing, matches, the referee, house agents, games, and the agents' client.

Who writes an agent needs three names of it:

>>> from tallymark.arena import Agent, Request
>>> class First(Agent):
...     def act(self, request: Request) -> str:
...         return request.legal[0]
>>> First("first", key="tallymark_...").id
'first'
"""

from tallymark.arena.client.agent import Agent
from tallymark.arena.client.told import End, Miss, Request, Start

__all__ = ["Agent", "End", "Miss", "Request", "Start"]
