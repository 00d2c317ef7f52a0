"""A stand-in for a model that reads what it is sent, for a model server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .model_server import Turn, schema_of


class PassageBrain:
    """A model that reads: it answers from the words of the passages in its prompt, retold so that no run of
    the source is kept, after `seconds`. Tokens are counted as four characters each."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def __call__(self, request: dict[str, Any]) -> Turn:
        prompt = "".join(_texts(request))
        answer = self._answer(prompt, schema_of(request)["properties"])
        sent, written = len(prompt) // 4, len(json.dumps(answer)) // 4
        return Turn(answer, seconds=self.seconds, tokens=(sent, written))

    def _answer(self, prompt: str, properties: dict[str, Any]) -> Any:
        papers = [_Block(*found) for found in _PAPER.findall(prompt)]
        if "summary" in properties:
            (paper,) = papers
            passages = [
                {"id": id, "relevance": 9 - 2 * place, "supports": f"It bears on {_subjects(text, 3)}."}
                for place, (id, text) in enumerate(paper.passages())
            ]
            return {"summary": f"Its matter is {_subjects(paper.text(), 5)}.", "passages": passages}
        if "corrections" in properties:
            return {"corrections": []}
        halves = [papers[: (len(papers) + 1) // 2], papers[(len(papers) + 1) // 2 :]]
        written = [_paragraph(half, n) for n, half in enumerate(halves) if half]
        return {"plan": ["matters"], "section": "\n\n".join(written)}


_PAPER = re.compile(r'<paper title="([^"]*)"[^>]*>(.*?)</paper>', re.DOTALL)
_PASSAGE = re.compile(r'<passage id="([^"]*)"[^>]*>(.*?)</passage>', re.DOTALL)


@dataclass(frozen=True)
class _Block:
    title: str
    body: str

    def passages(self) -> list[tuple[str, str]]:
        return _PASSAGE.findall(self.body)

    def text(self) -> str:
        return " ".join([self.title, *(text for _, text in self.passages())])


def _paragraph(papers: list[_Block], place: int) -> str:
    said = [
        f"[{paper.passages()[0][0]}] treats {_subjects(paper.title, 4)}, with a view to {_subjects(paper.body, 2)}"
        + "".join(f" [{id}]" for id, _ in paper.passages()[1:]) + "."
        for paper in papers
    ]  # fmt: skip
    return " ".join([f"A {('first', 'second')[place]} matter is {_subjects(papers[0].title, 2)}.", *said])


def _subjects(text: str, count: int) -> str:
    """Long words of a text, each once, as a list in prose."""
    words = [w.lower() for w in re.findall(r"[A-Za-z]{6,}|\b\d+\b", re.sub(r"<[^>]*>", " ", text))]
    found = list(dict.fromkeys(words))[:count] or ["the matter"]
    return " and ".join(filter(None, [", ".join(found[:-1]), found[-1]]))


def _texts(request: dict[str, Any]) -> Iterator[str]:
    for message in request["messages"]:
        content = message["content"]
        yield from [content] if isinstance(content, str) else [part["text"] for part in content]
