"""Writes a section with a small model, which chooses where each quotation of the notes may end."""
