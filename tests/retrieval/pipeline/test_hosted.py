"""The whole line of steps against every hosted service, each a real server here: Milvus with ids and
vectors alone, arXiv with its API and PDFs, a model by OpenAI's protocol."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from texgeist_retrieval.fulltext import ArxivSource
from texgeist_retrieval.index import open_index
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline import related_work
from texgeist_retrieval.ports import PaperIndex
from texgeist_retrieval.services import Options, Services
from texgeist_retrieval.types import Paper, Query, QueryPart, Result
from texgeist_retrieval.writing import ModelWriter, OpenAIModel

from ..arxiv_server import Arxiv, typeset
from ..milvus_server import TOKEN, hosted_collection
from ..model_server import ModelServer, Turn, schema_of, serving_model
from ..reading_model import PassageBrain
from .conftest import WordEmbedder

SUBJECTS = (
    "retrieval passages ranking encoders", "citations drafts sections writing", "graphs molecules energy",
    "galaxies redshift surveys", "summaries documents sentences", "protein folding structure",
)  # fmt: skip
ABSTRACT = (
    "We examine sections in a setting with care, and report on retrieval of passages and ranking by encoders."
)


class Words(WordEmbedder):
    """As many numbers as the hosted collection's vectors have."""

    name = "all-mpnet-base-v2"
    dimension = 768


def library() -> list[Paper]:
    return [
        Paper(
            f"2401.{n:05d}",
            f"Paper {n} on {SUBJECTS[n % 6].title()}",
            f"We examine {SUBJECTS[n % 6]} in setting {n} and report on {SUBJECTS[(n + 1) % 6]} with care.",
            (f"Ada Author{n}",),
            2020,
        )
        for n in range(60)
    ]


def pages_of(paper: Paper) -> bytes:
    prose = [f"{paper.abstract} Line {n} of page one of {paper.id}." for n in range(20)]
    more = [f"A second page of {paper.id} has line {n} on samples and seeds." for n in range(20)]
    references = ["References", *(f"[{n}] B. Other. Nothing of this. 19{n:02d}." for n in range(10, 30))]
    return typeset([prose, [*more, *references]])


@pytest.fixture(scope="module")
def index(milvus_server: str) -> Iterator[PaperIndex]:
    papers = library()
    with hosted_collection(
        milvus_server, "hosted_services", papers, Words()._rows([p.abstract for p in papers])
    ):
        opened = open_index(milvus_server, token=TOKEN, collection="hosted_services")
        yield opened
        opened.close()


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with serving_model(PassageBrain()) as server:
        yield server


def together(model: ModelServer, count: int) -> None:
    """From now on a summary is answered once `count` calls are open, or after ten seconds."""
    reads = PassageBrain()

    def brain(request: dict[str, Any]) -> Turn:
        deadline = time.monotonic() + 10
        while "summary" in schema_of(request)["properties"] and model.most_open < count:
            if time.monotonic() > deadline:
                break
            time.sleep(0.01)
        return reads(request)

    model.brain = brain


def run(index: PaperIndex, arxiv: Arxiv, model: ModelServer, cache: Path, breadth: int) -> Result:
    arxiv.papers = {paper.id: paper for paper in library()}
    arxiv.pdf_of = lambda id: pages_of(arxiv.papers[id])
    source = ArxivSource(arxiv.address, cache, gate_seconds=0)
    chosen = OpenAIModel("m", base_url=f"{model.url}/v1")
    services = Services(Words(), index, source, ModelWriter(chosen), chosen)
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Sections With Citations")
    return related_work(query, services, Options(breadth=breadth), Silent())


@pytest.mark.milvus
def test_a_section_from_hosted_services_alone(
    index: PaperIndex, arxiv: Arxiv, model: ModelServer, tmp_path: Path
) -> None:
    together(model, 6)
    result = run(index, arxiv, model, tmp_path, breadth=6)
    assert result.notes == () and result.index.startswith("http://127.0.0.1")

    # what was searched: ids and vectors; what they are: one request for all of them
    found = [candidate.paper.id for candidate in result.candidates]
    (asked,) = arxiv.asked_for("/api/query")
    assert set(found) <= set(parse_qs(urlsplit(asked).query)["id_list"][0].split(","))
    pdfs = [path.removeprefix("/pdf/").rpartition("v")[0] for path in arxiv.asked_for("/pdf/")]
    assert len(pdfs) == len(set(pdfs)) == 18 and set(pdfs) <= set(found), "the longlist, each paper once"

    # every citation comes from the run, and each stands on its own paper's words
    owner = {e.id: s.candidate.paper for s in result.selected for e in s.evidence}
    cited = {e for s in result.section.sentences for e in s.evidence}
    assert cited <= owner.keys() and {owner[e].id for e in cited} == {
        s.candidate.paper.id for s in result.selected
    }
    for selected in result.selected:
        assert len(selected.evidence) > 1 and selected.summary and selected.candidate.paper.id in pdfs
        for evidence in selected.evidence:
            assert evidence.passage.paper_id == selected.candidate.paper.id
            assert "Nothing of this" not in evidence.passage.text, "references are no evidence"
            if evidence.passage.page is not None:
                assert selected.candidate.paper.id in evidence.passage.text

    # one call a paper, all at once, then the section; all of it counted
    assert len(model.calls) == 7 and model.most_open == 6
    assert model.calls[6].began >= max(call.ended for call in model.calls[:6])
    sent, written = (sum(c.turn.tokens[i] for c in model.calls) for i in (0, 1))
    usage = result.usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (7, sent, written)
