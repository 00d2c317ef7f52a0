"""The ports of the pipeline: small protocols. Their adapters are in other modules."""

from ..monitor import Monitor
from .choosing import Expander, Picked, Picker, Ranker, Stranded, StrandFinder
from .papers import (
    BareIndex,
    Embedder,
    EvidenceFound,
    EvidenceSearch,
    IdIndex,
    IndexStatus,
    PaperIndex,
    PaperSource,
    TextIndex,
    TitleSource,
)
from .writing import LanguageModel, ToolModel, Writer, Written

__all__ = [
    "BareIndex",
    "Embedder",
    "EvidenceFound",
    "EvidenceSearch",
    "Expander",
    "IdIndex",
    "IndexStatus",
    "LanguageModel",
    "Monitor",
    "PaperIndex",
    "PaperSource",
    "Picked",
    "Picker",
    "Ranker",
    "StrandFinder",
    "Stranded",
    "TextIndex",
    "TitleSource",
    "ToolModel",
    "Writer",
    "Written",
]
