"""Pages of the arena: what is played, a match to watch and to step through, an agent."""
