"""The values that pass between the steps of the pipeline:

    Query -> [Candidate] -> longlist -> [Passage] -> [Evidence] -> shortlist -> Section

All are frozen; steps return new values. Vectors are float32, one row for each text, L2-normalised, so that an
inner product is a cosine."""

from .discovery import (
    SERVICES,
    CitationGraph,
    CitationLink,
    DiscoveredPaper,
    Discovery,
    DiscoveryPath,
    DiscoveryRequest,
    PathKind,
    ServiceName,
)
from .found import (
    SIDES,
    AskedQuery,
    Candidate,
    Description,
    Evidence,
    EvidenceRun,
    JudgedPassage,
    Label,
    LeftOut,
    Passage,
    Reasons,
    Selected,
    Sides,
    Support,
    Usage,
)
from .papers import STAYS, Block, Matrix, Paper, SectionType, TextSection, Vector
from .queries import CitedWork, Filters, Note, Query, QueryKind, QueryPart, SectionBrief, Strand, Work
from .written import Clause, Paragraph, Result, Section, Sentence

__all__ = [
    "SERVICES",
    "SIDES",
    "STAYS",
    "AskedQuery",
    "Block",
    "Candidate",
    "CitationGraph",
    "CitationLink",
    "CitedWork",
    "Clause",
    "Description",
    "DiscoveredPaper",
    "Discovery",
    "DiscoveryPath",
    "DiscoveryRequest",
    "Evidence",
    "EvidenceRun",
    "Filters",
    "JudgedPassage",
    "Label",
    "LeftOut",
    "Matrix",
    "Note",
    "Paper",
    "Paragraph",
    "Passage",
    "PathKind",
    "Query",
    "QueryKind",
    "QueryPart",
    "Reasons",
    "Result",
    "Section",
    "SectionBrief",
    "SectionType",
    "Selected",
    "Sentence",
    "ServiceName",
    "Sides",
    "Strand",
    "Support",
    "TextSection",
    "Usage",
    "Vector",
    "Work",
]
