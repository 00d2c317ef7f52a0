"""Instruction data for tuning a local model (UR3WG, sections 4.4-4.5), in the common chat JSONL format.

Two kinds of lines, each `{"messages": [system, user, assistant]}`: query expansion (from the abstract to the
cited papers) and writing (from abstract and references to the related-work section). The prompts are those of
texgeist, so that a tuned model can replace the original. All data stays on this machine.

For expansion only references with an abstract are used: from titles alone a model would learn to leave the
abstracts empty, which are needed for the search."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..pipeline.expansion import PAPERS, SYSTEM, instruction
from ..types import Query, QueryPart

WRITING = (
    "You write the related-work section of a paper from its abstract and numbered references. You cite by "
    "number in brackets, only references that are given, and say how they bear on the paper."
)
_MOST_SENTENCE = 300


@dataclass(frozen=True, slots=True)
class Example:
    """One of the user's papers. `references`: (title, abstract) in the order of their numbers."""

    title: str
    abstract: str
    references: tuple[tuple[str, str], ...]
    related_work: str = ""


def lines(examples: Sequence[Example]) -> Iterator[dict[str, Any]]:
    """Examples without references yield no lines, examples without a section no writing line."""
    for example in examples:
        if not example.abstract.strip() or not example.references:
            continue
        told = [(title, abstract) for title, abstract in example.references if abstract.strip()]
        for start in range(0, len(told), PAPERS):
            yield _expansion(example, told[start : start + PAPERS])
        if example.related_work.strip():
            yield _writing(example)


def export(examples: Sequence[Example], path: Path) -> int:
    """Writes the lines and returns their number."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for line in lines(examples):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    return count


def first_sentence(abstract: str) -> str:
    text = " ".join(abstract.split())
    end = text.find(". ")
    return text[: end + 1 if 0 < end < _MOST_SENTENCE else _MOST_SENTENCE]


def without_abstract(examples: Sequence[Example]) -> tuple[int, int]:
    """The number of references without abstract, and of all references."""
    abstracts = [abstract.strip() for example in examples for _, abstract in example.references]
    return abstracts.count(""), len(abstracts)


def _expansion(example: Example, references: Sequence[tuple[str, str]]) -> dict[str, Any]:
    query = Query("abstract", (QueryPart(example.abstract, "abstract"),), example.abstract, example.title)
    papers = [{"title": title, "abstract": first_sentence(abstract)} for title, abstract in references]
    answer = json.dumps({"papers": papers}, ensure_ascii=False)
    return _chat(SYSTEM, instruction(query, len(papers)), answer)


def _writing(example: Example) -> dict[str, Any]:
    numbered = "\n".join(f"[{i}] {_told(t, a)}" for i, (t, a) in enumerate(example.references, 1))
    user = f"Title: {example.title}\nAbstract: {example.abstract}\n\nReferences:\n{numbered}"
    return _chat(WRITING, user, example.related_work.strip())


def _told(title: str, abstract: str) -> str:
    ended = title if title.endswith(("?", "!", ".")) else f"{title}."
    return f"{ended} {first_sentence(abstract)}".strip()


def _chat(system: str, user: str, assistant: str) -> dict[str, Any]:
    roles = (("system", system), ("user", user), ("assistant", assistant))
    return {"messages": [{"role": role, "content": content} for role, content in roles]}
