"""Real related-work sections as sentences of plain text, with the papers that each cites."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.text.sentences import clean, split_sentences
from texgeist_retrieval.types import Candidate, Evidence, Paper, Passage, Selected, Vector
from texgeist_retrieval.writing.model.prompts import surname

_CITE = re.compile(r"\s*~?\\(?P<command>[cC]ite\w*)\*?(?:\[[^\]]*\])*\{(?P<keys>[^}]*)\}")
_IN_TEXT = re.compile(r"(?:citet|citeauthor|textcite)", re.IGNORECASE)
_NUMBERS = re.compile(r"\s*\[\d+(?:\s*[,;–-]\s*\d+)*\]")
_LEFT = re.compile(r"[\\{}$⟦⟧]")
_SHORTEST = 6  # words


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence without its citations, and the ids of the papers that it cites."""

    text: str
    papers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One paper: its related work, sentence by sentence, and the papers that may be cited there."""

    id: str
    abstract: str
    said: tuple[Said, ...]
    papers: tuple[Paper, ...]


def tasks(data: Path) -> list[Task]:
    """Those of DeepScholar-Bench, in the order of the file."""
    return [_task(row) for row in json_lines(data / "deepscholar" / "tasks.jsonl.gz")]


def _task(row: dict[str, Any]) -> Task:
    papers = {
        c["key"]: Paper(
            c["arxiv_id"] or f"bib:{c['key']}", c["title"], c["abstract"], tuple(c["authors"]), c["year"]
        )
        for c in row["citations"]
        if c["abstract"] and c["abstract_source"].startswith("arxiv") and not c["suspect"]
    }
    ids = {key: paper.id for key, paper in papers.items()}
    said = tuple(_said(row["related_work"], ids))
    return Task(row["arxiv_id"], row["abstract"], said, tuple({p.id: p for p in papers.values()}.values()))


def _said(source: str, ids: dict[str, str]) -> Iterator[Said]:
    """The sentences whose every citation is known; those with other commands in them are left out."""
    for text, keys in _cited(source):
        if all(key in ids for key in keys):
            yield Said(text, tuple(dict.fromkeys(ids[key] for key in keys)))


def _cited(source: str) -> Iterator[tuple[str, list[str]]]:
    source = re.sub(r"(?<!\\)%.*", "", source)
    source = re.sub(
        r"\\(?:sub)*section\*?\{[^{}]*\}|\\paragraph\*?\{(?:[^{}]|\{[^{}]*\})*\}|\\noindent|\\label\{[^{}]*\}",
        "\n\n",
        source,
    )
    found: list[list[str]] = []

    def mark(match: re.Match[str]) -> str:
        found.append([key.strip() for key in match["keys"].split(",") if key.strip()])
        subject = " They" if _IN_TEXT.match(match["command"]) else ""
        return f"{subject}⟦{len(found) - 1}⟧"

    marked = _CITE.sub(mark, source)
    for block in re.split(r"\n\s*\n", marked):
        for sentence in split_sentences(clean(block)):
            keys = [key for number in re.findall(r"⟦(\d+)⟧", sentence) for key in found[int(number)]]
            text = re.sub(r"\s+([.,;:])", r"\1", re.sub(r"⟦\d+⟧", "", sentence)).strip()
            if not _LEFT.search(text) and len(text.split()) >= _SHORTEST:
                yield text, keys


@dataclass(frozen=True, slots=True)
class Real:
    """The sentences of one section, with the authors and the texts of what is known of its papers."""

    sentences: tuple[str, ...]
    surnames: tuple[str, ...]
    texts: tuple[str, ...]


def sections(data: Path) -> Iterator[Real]:
    """Real related-work sections without their citations: of arXiv papers in LaTeX, of NeurIPS papers as text."""
    for row in json_lines(data / "deepscholar" / "tasks.jsonl.gz"):
        texts = [row["title"], row["abstract"], *(f"{c['title']} {c['abstract']}" for c in row["citations"])]
        names = [surname(author) for c in row["citations"] for author in c["authors"]]
        yield Real(tuple(text for text, _ in _cited(row["related_work"])), tuple(names), tuple(texts))
    known = {
        row["doc"]: f"{row['title']} {row['abstract']}"
        for row in json_lines(data / "citations" / "dev-corpus.jsonl.gz")
    }
    for row in json_lines(data / "citations" / "dev-queries.jsonl.gz"):
        texts = [row["title"], row["abstract"], *(known[doc] for doc in row["related_work_docs"])]
        yield Real(tuple(_numbered(unescape(row["related_work"]))), (), tuple(texts))


def abstracts(data: Path, count: int) -> Iterator[Real]:
    """Abstracts with at least `count` sentences in all, each with its own text as what is known."""
    rows = [*json_lines(data / "citations" / "dev-corpus.jsonl.gz")]
    for place in np.random.default_rng(1).permutation(len(rows)):
        sentences = tuple(
            t for t in split_sentences(clean(rows[place]["abstract"])) if len(t.split()) >= _SHORTEST
        )
        yield Real(sentences, (), (f"{rows[place]['title']} {rows[place]['abstract']}",))
        count -= len(sentences)
        if count <= 0:
            return


def _numbered(text: str) -> Iterator[str]:
    for block in text.split("\n"):
        for sentence in split_sentences(clean(_NUMBERS.sub("", block))):
            if not _LEFT.search(sentence) and len(sentence.split()) >= _SHORTEST:
                yield sentence


def as_selected(papers: Sequence[Paper], vectors: Mapping[str, Vector]) -> list[Selected]:
    """The papers as a writer is given them: the abstract as evidence, with ids "1", "2", …"""
    return [
        Selected(
            Candidate(paper, 0.5, place, vector=vectors[paper.abstract]),
            (Evidence(str(place), Passage(paper.id, None, paper.abstract), 0.5),),
            0.5,
        )
        for place, paper in enumerate(papers, start=1)
    ]


def vectors(data: Path) -> dict[str, Vector]:
    """Those of the abstracts, by the abstract's words."""
    rows = np.load(data / "deepscholar" / "papers-mpnet.npy").astype(np.float32)
    papers = json_lines(data / "deepscholar" / "papers.jsonl.gz")
    return {str(paper["abstract"]): row for paper, row in zip(papers, rows, strict=True)}


def retold() -> Iterator[tuple[str, str]]:
    """Sentences that were written for this benchmark from the papers' abstracts, with the papers' ids."""
    for line in Path(__file__).with_name("retold.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["paper"], row["text"]


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)
