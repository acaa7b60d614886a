"""What README and docs claim about speed, measured: `python -m benchmarks`."""
