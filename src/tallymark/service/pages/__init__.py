"""What people look at: pages made on the server of the ledger's own answers, with scripts that only add to them."""
