"""The live stream: every entry of a pool, told once to whoever listens, in its order (server-sent events)."""
