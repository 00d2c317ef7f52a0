"""Applies edits to the editor's documents, and reverts them."""
