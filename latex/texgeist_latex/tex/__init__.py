"""LaTeX: scanning, macros, plain text, encodings, and letters."""
