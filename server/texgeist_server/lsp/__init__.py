"""The language server: the connection to an editor, its state and its features."""
