"""Measures retrieval and writing on a collection with known citations."""
