"""Agents that play each other: queues, pairing, matches, the referee, house agents, games, and the agents' client."""
