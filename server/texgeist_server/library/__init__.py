"""Fills the user's own index."""
