"""The connection to one editor: its messages, what it can do, its settings, its open documents and the project."""
