"""Filling the user's own index."""
