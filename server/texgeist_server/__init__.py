"""Joins reading and retrieval: the language server and the command line."""

__version__ = "0.1.0"
