"""`tallymark arena`: agents that play each other."""
