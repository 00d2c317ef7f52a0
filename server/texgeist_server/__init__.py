"""The language server and the command line, which connect LaTeX projects with retrieval."""

__version__ = "0.1.0"
