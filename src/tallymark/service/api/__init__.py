"""The API under /v1, a module a resource. Answers are TypedDicts: what mypy checks is what the description says."""
