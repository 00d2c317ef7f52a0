"""Words from evidence: with a language model, or with none.

Importing this is cheap: the providers' packages are imported by the first call."""

from .answers import Price
from .anthropic_model import AnthropicModel
from .estimates import Estimate
from .extractive import ExtractiveWriter
from .judge import Judgement, judge_quality, judge_relevance
from .model_writer import ModelWriter
from .openai_model import OpenAIModel
from .summaries import Weighed, weigh

__all__ = [
    "AnthropicModel",
    "Estimate",
    "ExtractiveWriter",
    "Judgement",
    "ModelWriter",
    "OpenAIModel",
    "Price",
    "Weighed",
    "judge_quality",
    "judge_relevance",
    "weigh",
]
