"""Papers, search, selection, evidence and writing. Knows nothing of LaTeX or of LSP."""
