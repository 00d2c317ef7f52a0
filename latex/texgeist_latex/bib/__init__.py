"""BibTeX as a language: parsing, keys, names, and whether two entries are one paper."""
