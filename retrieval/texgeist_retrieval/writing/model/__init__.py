"""Writes a section by a language model that cites numbered evidence, and checks its answers."""
