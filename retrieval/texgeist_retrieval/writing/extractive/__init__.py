"""A section without a model, from the papers' own sentences."""
