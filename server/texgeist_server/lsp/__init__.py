"""The language server: one connection to an editor, what it holds and how it answers."""
