"""`tallymark ledger`, `export`, `import` and `verify`: results that are kept, rated once, and recounted by anyone."""
