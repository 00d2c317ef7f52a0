"""How well retrieval and writing do, measured on a collection with known citations."""
