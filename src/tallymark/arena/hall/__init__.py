"""Where the arena happens: connections, queues, matches and their clock, written down before anything is said."""
