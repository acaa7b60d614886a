"""Cases: what people have flagged, looked at and decided in private, and what is told to the ledger in public then."""
