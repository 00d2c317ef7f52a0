"""Strands of a draft: named by a model, searched, looked up, and covered by the longlist."""
