"""A real small model on this machine takes part in the whole line of steps: search in a real index, PDFs
from a local arXiv, a summary of every paper, the section, all checks.

Switched on by TEXGEIST_TEST_LOCAL_MODEL, the address of a server that speaks OpenAI's protocol, such as
`http://127.0.0.1:8080/v1` (llama.cpp, Ollama, LM Studio, vLLM; `xllamacpp` from the package index with any
small instruct model in GGUF form will do). It proves the wire and the checks, not the prose: texts are
short, since such a model writes a few tokens a second on one processor.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from texgeist_retrieval.fulltext import ArxivSource
from texgeist_retrieval.index import open_index
from texgeist_retrieval.pipeline import related_work
from texgeist_retrieval.ports import PaperIndex
from texgeist_retrieval.services import Options, Services
from texgeist_retrieval.shared_process import read_registration
from texgeist_retrieval.types import Paper, Query, QueryPart
from texgeist_retrieval.writing import ModelWriter, OpenAIModel

from ..arxiv_server import Arxiv, typeset
from .conftest import Recorder, WordEmbedder

ADDRESS = os.environ.get("TEXGEIST_TEST_LOCAL_MODEL", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not ADDRESS, reason="TEXGEIST_TEST_LOCAL_MODEL names no server"),
]

ABSTRACT = (
    "We present a writing assistant that retrieves papers for a draft and writes a related-work section in "
    "which every sentence is linked to the passage that supports it."
)
PAPERS = {
    "Content-Based Citation Recommendation": (
        "We recommend citations for a draft manuscript from its title and abstract alone, by embedding papers "
        "and reranking their neighbours.",
        "Given a query document, papers near to it in the vector space are candidates. A second model reranks "
        "them. No metadata such as author names is needed, so that unpublished drafts can be served.",
    ),
    "Enabling Language Models to Cite": (
        "We propose a benchmark for models that write answers with citations to passages, and find that strong "
        "models often lack support for what they write.",
        "Half of the sentences of the best system are not supported by the passage that they cite. Support is "
        "judged by an entailment model that agrees well with people.",
    ),
    "Half-Lives of Heavy Isotopes": ("We measure decay rates of heavy nuclei.", "Decay was counted."),
    "Spectral Sequences": ("We compute the cohomology of fibrations.", "The page collapses."),
}


class Words(WordEmbedder):
    name = "all-mpnet-base-v2"
    dimension = 768


def library() -> list[Paper]:
    rows = enumerate(PAPERS.items(), start=1)
    return [
        Paper(f"2101.0000{n}", title, texts[0], ("Ada Miller", "Ben Stone"), 2018 + n)
        for n, (title, texts) in rows
    ]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[PaperIndex]:
    path, papers = tmp_path / "library.db", library()
    opened = open_index(str(path), create=True)
    opened.upsert(papers, Words()._rows([paper.abstract for paper in papers]))
    yield opened
    opened.close()
    if registration := read_registration(path):
        os.kill(registration.pid, signal.SIGTERM)


def test_the_whole_pipeline_with_a_real_small_model(index: PaperIndex, arxiv: Arxiv, tmp_path: Path) -> None:
    pages = {paper.id: PAPERS[paper.title][1] for paper in library()}
    arxiv.pdf_of = lambda id: typeset([[pages[id]]])
    model = OpenAIModel("local", base_url=ADDRESS, timeout=900.0)
    assert model.local
    source = ArxivSource(arxiv.address, tmp_path / "cache", gate_seconds=0)
    writer = ModelWriter(model, instructions="At most 80 words.", concurrency=1)
    services = Services(Words(), index, source, writer, model)
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Related Work You Can Check")
    result = related_work(query, services, Options(breadth=2, depth=1), Recorder())
    sentences = [s for p in result.section.paragraphs for s in p.sentences]
    for sentence in sentences:
        print(sentence)
    for selected in result.selected:
        print(selected.candidate.paper.title, "|", selected.summary, [e.score for e in selected.evidence])
    print(result.usage, result.notes)
    owner = {e.id for s in result.selected for e in s.evidence}
    cited = {id for s in sentences for id in s.evidence}
    assert cited and cited <= owner
    assert {s.candidate.paper.title for s in result.selected} <= set(list(PAPERS)[:2])
    assert all(s.summary and s.full_text for s in result.selected)
    assert result.usage.calls >= 3 and result.usage.output_tokens > 0 and result.writer == "openai local"
