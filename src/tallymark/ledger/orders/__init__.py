"""Commands as they are written and read: what a pool is told besides matches."""
