"""Checks bibliography entries against themselves and against known papers."""
