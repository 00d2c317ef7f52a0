"""Writes a section with a small model, one sentence for each request. Where the model's sentence is wrong,
the paper is quoted."""
