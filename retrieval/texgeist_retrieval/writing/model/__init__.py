"""A section by a language model that cites numbered evidence, and the checks of its answers."""
