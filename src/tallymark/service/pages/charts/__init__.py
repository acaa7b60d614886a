"""Ratings drawn through time: one description of a chart, drawn here for the first paint and by browsers to explore."""
