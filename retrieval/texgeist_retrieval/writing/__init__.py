"""Writers of text from evidence, with a language model or without.

Importing this package is cheap, because the providers' packages are only imported by the first call."""

from ..costs import Estimate
from ..models.anthropic import AnthropicModel
from ..models.openai import OpenAIModel
from .extractive.writer import ExtractiveWriter
from .model.summaries import Summarised, summarise
from .model.writer import ModelWriter
from .small.writer import SmallWriter

__all__ = [
    "AnthropicModel",
    "Estimate",
    "ExtractiveWriter",
    "ModelWriter",
    "OpenAIModel",
    "SmallWriter",
    "Summarised",
    "summarise",
]
