"""From bytes to a table of cells: one module a format. Nothing is reinterpreted here."""
