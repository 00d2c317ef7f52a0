"""Words from evidence: with a language model, or with none.

Importing this is cheap: the providers' packages are imported by the first call."""

from ..costs import Estimate
from ..models.anthropic import AnthropicModel
from ..models.openai import OpenAIModel
from .extractive.writer import ExtractiveWriter
from .model.preparation import Summarised, summarise
from .model.writer import ModelWriter

__all__ = [
    "AnthropicModel",
    "Estimate",
    "ExtractiveWriter",
    "ModelWriter",
    "OpenAIModel",
    "Summarised",
    "summarise",
]
