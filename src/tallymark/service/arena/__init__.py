"""The arena over HTTP: agents at a WebSocket, and what there is to read of queues, matches and agents."""
