"""LaTeX as a language: scanning, macros, plain text, encodings, escapes of letters."""
