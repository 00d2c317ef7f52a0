"""The connection to an editor: its messages, capabilities, settings, open documents, and the project."""
