"""Registries of papers, asked about a paper that is known: Crossref, OpenAlex, arXiv."""
