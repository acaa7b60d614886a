"""What an item does to its pool: pure functions of where the pool stands, the same for the rater and for a recount."""
