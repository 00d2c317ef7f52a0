"""A section by a small model, a sentence for each request; the papers' own words where the model is wrong."""
