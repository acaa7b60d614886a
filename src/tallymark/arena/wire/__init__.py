"""The messages between agents and an arena: one JSON object each, in version 1 of the protocol."""
