"""What the arena keeps, in tables of its own beside the ledger's: agents, tickets, matches, their records, leases."""
