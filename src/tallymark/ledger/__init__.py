"""The ledger: results appended once, rated once, in one order, and recounted by anyone from an export.

ids.py, matches.py    what can be appended, and its one spelling
tables.py, store/     the tables, and what SQLite and PostgreSQL do differently; migrations/ their history
inbox.py              append: a receipt for ever, a row until it is rated
fold/                 what an item does to its pool: pure, the same for the rater and for whoever recounts
entries.py            the bytes of entries and the chain of their hashes
rater.py              folds the inbox, one transaction a batch
reading.py            ratings, boards and histories
export.py, verify.py  the stream as a file, and its recount
ledger.py             the face of it all
"""
