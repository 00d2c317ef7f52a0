"""Writes a section with a language model, which cites numbered evidence, and checks the model's answers."""
