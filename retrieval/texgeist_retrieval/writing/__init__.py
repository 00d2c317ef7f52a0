"""Words from evidence: with a language model, or with none."""

from .extractive import ExtractiveWriter

__all__ = ["ExtractiveWriter"]
