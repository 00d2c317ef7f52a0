"""BibTeX: parsing, keys, names, and whether two entries are the same paper."""
