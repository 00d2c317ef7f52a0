"""Papers, search, selection, evidence and writing. Independent of LaTeX and LSP."""
