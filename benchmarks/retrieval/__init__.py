"""How well papers are found, part by part. `python -m benchmarks.retrieval --help`."""
