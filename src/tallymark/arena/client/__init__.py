"""What an agent's author uses: it connects, waits in queues, and asks the agent for its actions."""
