"""Exports instruction data for tuning a language model (UR3WG, sections 4.4-4.5), in the common chat JSONL
format.

There are two kinds of lines, each `{"messages": [system, user, assistant]}`: query expansion (from the
abstract to the cited papers) and writing (from the abstract and the cited papers to the related-work
section). The prompts come from the same functions as in the product; the answers have the form that the
product reads, and pass its checks. So a tuned model can replace the original. All data stays on this machine.

Only references with an abstract are used. From titles alone, a model would learn to leave abstracts empty,
although the search needs them, and to cite papers that it has not read."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..pipeline.expansion import PAPERS, SYSTEM, instruction, texts_of
from ..types import Candidate, Evidence, Paper, Passage, Query, QueryPart, Selected
from ..writing.model.checks import Material, section_faults
from ..writing.model.prompts import section_prompt
from ..writing.model.prose import MarkedParagraph, MarkedSentence, read_text
from ..writing.model.revision import without_faults

_MOST_SENTENCE = 300
_MARKS = re.compile(r"\s*\[[\d\s,;]+\]")


@dataclass(frozen=True, slots=True)
class Example:
    """One of the user's papers. `references`: the cited papers; the first has the number 1. `related_work`:
    plain text with citations as `[1, 2]`, and run-in headings as `**heading.**`."""

    title: str
    abstract: str
    references: tuple[Paper, ...]
    related_work: str = ""

    @property
    def query(self) -> Query:
        parts = (QueryPart(self.abstract, "abstract"),)
        words = len(self.related_work.split())
        return Query("abstract", parts, self.abstract, self.title, words=words)


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export. `lines`: their number; `refused`: the faults of sentences that the checks of
    the product refused, and that were left out."""

    lines: int
    refused: tuple[str, ...]


def lines(examples: Sequence[Example], refused: list[str]) -> Iterator[dict[str, Any]]:
    """Yields the lines of all examples. An example without references has no lines; an example without a
    usable section has no line for writing. The faults of sentences that were left out are added to
    `refused`."""
    for example in examples:
        if not example.abstract.strip() or not example.references:
            continue
        read = [paper for paper in example.references if paper.abstract.strip()]
        for start in range(0, len(read), PAPERS):
            yield _expansion(example, read[start : start + PAPERS])
        if example.related_work.strip() and (line := _writing(example, refused)):
            yield line


def export(examples: Sequence[Example], path: Path) -> Exported:
    count, refused = 0, list[str]()
    with path.open("w", encoding="utf-8") as file:
        for line in lines(examples, refused):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    return Exported(count, tuple(refused))


def first_sentence(abstract: str) -> str:
    text = " ".join(abstract.split())
    end = text.find(". ")
    return text[: end + 1 if 0 < end < _MOST_SENTENCE else _MOST_SENTENCE]


def without_abstract(examples: Sequence[Example]) -> tuple[int, int]:
    """The number of references without abstract, and of all references."""
    abstracts = [paper.abstract.strip() for example in examples for paper in example.references]
    return abstracts.count(""), len(abstracts)


def _expansion(example: Example, references: Sequence[Paper]) -> dict[str, Any]:
    papers = [{"title": paper.title, "abstract": first_sentence(paper.abstract)} for paper in references]
    answer = {"papers": papers}
    texts_of(answer, len(papers))  # raises `WriterInvalid` if the product could not read it
    return _chat(SYSTEM, instruction(example.query, len(papers)), answer)


def _writing(example: Example, refused: list[str]) -> dict[str, Any] | None:
    """The line for writing: the request of the product's writer, and the author's section as its answer.
    Returns None if the writer would refuse the section or most of its sentences. Authors leave no plan, so
    the first sentence of each paragraph is used as its plan."""
    selected = _selected(example.references)
    material = Material.for_query(example.query, selected)
    section = _citing_known(example.related_work, material.owner)
    kept, out = without_faults(read_text(section, material.ids), material)
    kept = tuple(paragraph for paragraph in kept if paragraph.sentences)
    refused += [fault for _, fault in out]
    if section_faults(kept, material) or len(out) > sum(len(paragraph.sentences) for paragraph in kept):
        return None
    prompt = section_prompt(example.query, selected, "")
    plan = [_MARKS.sub("", paragraph.sentences[0].raw) for paragraph in kept]
    answer = {"plan": plan, "section": "\n\n".join(map(_text_of, kept))}
    return _chat(prompt.system, prompt.prefix + prompt.user, answer)


def _citing_known(text: str, known: Collection[str]) -> str:
    """The text in which each citation lists only known ids. A citation without any known id stays unchanged,
    so that the checks refuse its sentence."""

    def kept(mark: re.Match[str]) -> str:
        ids = [id for id in re.findall(r"\d+", mark[0]) if id in known]
        return f" [{', '.join(ids)}]" if ids else mark[0]

    return _MARKS.sub(kept, text)


def _selected(references: Sequence[Paper]) -> list[Selected]:
    """The papers that have an abstract. Each has the abstract as its evidence; the id of the evidence is the
    number of the paper."""
    return [
        Selected(
            Candidate(paper, 1.0, number),
            (Evidence(str(number), Passage(paper.id, None, paper.abstract), 1.0),),
            score=1.0,
        )
        for number, paper in enumerate(references, 1)
        if paper.abstract.strip()
    ]


def _text_of(paragraph: MarkedParagraph) -> str:
    heading = f"**{paragraph.heading}.** " if paragraph.heading else ""
    return heading + " ".join(map(_raw, paragraph.sentences))


def _raw(marked: MarkedSentence) -> str:
    return " ".join(marked.raw.split())


def _chat(system: str, user: str, answer: dict[str, Any]) -> dict[str, Any]:
    content = json.dumps(answer, ensure_ascii=False)
    roles = (("system", system), ("user", user), ("assistant", content))
    return {"messages": [{"role": role, "content": text} for role, text in roles]}
