"""Writes a section without a model, from quoted sentences of the papers."""
