"""A real small model on this machine writes a section, and keeps to the closed keys.

Switched on by TEXGEIST_TEST_LOCAL_MODEL, the address of a server that speaks OpenAI's protocol, such as
`http://127.0.0.1:8080/v1` (llama.cpp, Ollama, LM Studio, vLLM; `xllamacpp` from the package index with any
small instruct model in GGUF form will do). It proves the wire and the checks, not the prose.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from texgeist_retrieval.errors import WriterInvalid
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Candidate, Evidence, Paper, Passage, Query, QueryPart, Selected
from texgeist_retrieval.writing import ModelWriter, OpenAIModel

ADDRESS = os.environ.get("TEXGEIST_TEST_LOCAL_MODEL", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not ADDRESS, reason="TEXGEIST_TEST_LOCAL_MODEL names no server"),
]

ABSTRACT = (
    "We present a writing assistant that retrieves related papers for a draft and writes a related-work "
    "section in which every sentence is linked to the passage that supports it."
)
PAPERS = {
    "Content-Based Citation Recommendation": "We present a content-based method that recommends citations "
    "for a draft manuscript from its title and abstract alone, by embedding papers and reranking neighbours.",
    "Enabling Language Models to Cite": "We propose a benchmark for language models that "
    "generate answers with citations to retrieved passages, and find that strong models often lack support.",
    "Dense Passage Retrieval": "We show that retrieval can be implemented with dense vectors alone, learned "
    "by two encoders from questions and passages, and that it beats sparse methods on open-domain questions.",
}


def papers() -> list[Selected]:
    found = []
    for number, (title, abstract) in enumerate(PAPERS.items(), start=1):
        paper = Paper(f"2101.0000{number}", title, abstract, ("Ada Miller", "Ben Stone"), 2018 + number)
        evidence = Evidence(str(number), Passage(paper.id, None, abstract), 0.6)
        found.append(Selected(Candidate(paper, 0.6, number), (evidence,), 0.6, "near"))
    return found


def test_a_section_from_a_real_model() -> None:
    """Without summaries; `pipeline/test_local_model.py` has them, and all the other steps."""
    model = OpenAIModel("local", base_url=ADDRESS, timeout=1500.0)
    assert model.local
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Related Work You Can Check")
    writer = ModelWriter(model, instructions="At most 120 words.", concurrency=1, summaries=False)
    try:
        written = writer.write(query, papers(), Silent())
    except WriterInvalid as error:  # a model this small may write badly: rejected whole, and in words
        pytest.xfail(error.sentence())
    sentences = [s for p in written.section.paragraphs for s in p.sentences]
    cited = {id for s in sentences for id in s.evidence}
    assert sentences and cited <= {"1", "2", "3"} and cited
    assert len(cited) + len(written.unused) == 3
    assert written.usage.output_tokens > 0
    for sentence in sentences:
        print(replace(sentence))
