"""Who plays whom: pure functions of who waits and what time it is, with no clock, no store and no network."""
