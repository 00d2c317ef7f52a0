"""LaTeX and BibTeX: reads projects and plans edits. Independent of LSP, search and models."""
