"""The referee: a match as a state machine that is told what came and when, and says what is to be stored and said.

It has no clock, no store and no network. Whoever runs it stores the records of a step before he says anything of it.
"""
