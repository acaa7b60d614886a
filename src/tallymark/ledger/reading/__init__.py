"""What a ledger tells: ratings now and as of any entry, boards, the changes of a player, what became of an item."""
