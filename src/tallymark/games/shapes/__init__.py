"""From a table of cells to games: which column is which, how a file tells who won, and what its words mean."""
