"""Votes: two items on a ballot, chosen where a vote teaches most, and each vote a match that counts once."""
