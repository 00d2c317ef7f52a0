"""LaTeX and BibTeX: reading projects, planning edits. Knows nothing of LSP, search or models."""
