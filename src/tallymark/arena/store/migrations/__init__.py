"""The history of the arena's tables, for Alembic: `env.py` runs it, `versions/` has a file a revision.

A revision that was released is never changed; what comes later is a revision of its own, and `tables.py` says the sum.
"""
