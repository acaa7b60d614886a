"""The ledger: results appended once, rated once, in one order, and recounted by anyone from an export.

ids.py, matches.py    what can be appended, and its one spelling
tables.py, store/     the tables, and what SQLite and PostgreSQL do differently; migrations/ their history
inbox.py              append: a receipt for ever, a row until it is rated
fold/                 what an item does to its pool: pure, the same for the rater and for whoever recounts
entries.py            the bytes of entries and the chain of their hashes
rater.py              folds the inbox, one transaction a batch
windows.py            weeks and months; closings.py: their boards, frozen when they are over
reading/              ratings now and as of any entry, boards, histories, what became of an item
people.py             names of players, beside the chain
offering.py           a game log as matches; appending.py: every one of them once
export.py, verify.py  the stream as a file, and its recount (items.py, known.py: what it reads of entries, and knows)
ledger.py             the face of it all
"""
