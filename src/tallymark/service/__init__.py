"""The service: results in, boards out, over HTTP. It stands on the ledger, and needs the extra `service`."""
