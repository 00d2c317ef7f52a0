"""Questions, sentences and drafts with the papers that answer them, from outside one conference.

    litsearch, realscholar, autoscholar   researchers' questions, over the citation corpora and the questions' own papers
    deepscholar                           sentences of related-work sections, over what these cite and the corpora
    scisumm                               citing sentences of computational linguistics, over that field's papers

A sentence is searched with as the product does it: alone and in its paragraph, where that is known.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.ranking.citation_table import title_key
from texgeist_retrieval.text.sentences import split_sentences
from texgeist_retrieval.training.collection import (
    CitationCollection,
    CorpusDocument,
    Topic,
    load_documents,
    load_vectors,
    unit,
)

QUESTIONS = ("litsearch", "realscholar", "autoscholar")
SENTENCES = ("deepscholar", "scisumm")
LONG = 3000  # characters of a paragraph that are searched with
LEAST = 6  # words of a sentence
CITE = re.compile(r"\\[cC]ite[a-zA-Z]*\*?\s*(?:\[[^\]]*\]\s*){0,2}\{([^}]*)\}")
MARK = re.compile(r"\([^()]*(?:19|20)\d\d[a-z]?[^()]*\)|\[[\d,\s\-–]+\]")
STYLED = re.compile(r"\\(?:emph|text[a-z]*|mbox|paragraph|(?:sub)*section)\*?\s*\{([^}]*)\}")


Opener = Callable[[], Embedder]


class Missing(Exception):
    """A part cannot be measured; the message says what is missing."""


@cache
def embedder_at(folder: Path | None) -> Embedder:
    """The model in `folder`, or texgeist's own; its vectors are kept for the next run. Raises `Missing` if it was not
    fetched."""
    from texgeist_retrieval.embedding import is_fetched, load_embedder
    from texgeist_retrieval.pipeline.reading import RememberingEmbedder
    from texgeist_server.config.storage import cache_folder, model_folder

    found = folder or model_folder()
    if not is_fetched(found):
        raise Missing("it needs the embedding model: `texgeist model fetch`, or --model.")
    return RememberingEmbedder(load_embedder(found, threads=1), cache_folder() / "benchmarks.sqlite")


@dataclass
class Papers:
    """Papers of several sources, one of each title."""

    documents: list[CorpusDocument] = field(default_factory=list)
    vectors: list[np.ndarray] = field(default_factory=list)
    rows: dict[int, int] = field(default_factory=dict)

    def add(self, documents: Iterable[CorpusDocument], vectors: np.ndarray) -> None:
        for document, vector in zip(documents, vectors, strict=True):
            if self.rows.setdefault(title_key(document.title), len(self.rows)) == len(self.documents):
                self.documents.append(replace(document, doc=str(len(self.documents))))
                self.vectors.append(vector)

    def row(self, title: str) -> int | None:
        return self.rows.get(title_key(title))

    def collection(self, asked: Sequence[Asked], embedder: Opener) -> CitationCollection:
        """Those of `asked` that are answered by a paper that is here."""
        topics: list[Topic] = []
        texts: list[tuple[str, str]] = []
        for one in asked:
            if cited := tuple(sorted({row for t in one.titles if (row := self.row(t)) is not None})):
                topics.append(Topic(one.id, one.title, one.text, (), cited))
                texts.append((one.text, one.around or one.text))
        opened = embedder()
        alone, around = (unit(opened.embed_documents([pair[i] for pair in texts])) for i in (0, 1))
        rows = np.stack(self.vectors).astype(np.float32)
        return CitationCollection(tuple(self.documents), tuple(topics), rows, unit(alone + around))


@dataclass(frozen=True)
class Asked:
    """One query, and the titles of the papers that it should find."""

    id: str
    text: str
    titles: tuple[str, ...]
    title: str = ""
    around: str = ""  # the paragraph of a sentence


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def collection_of_set(name: str) -> Callable[[Path, Opener], CitationCollection]:
    """A set of questions or sentences over its own papers, from the folder of all data."""

    def make(data: Path, embedder: Opener) -> CitationCollection:
        papers = Papers()
        _ADDED[name](papers, data, embedder)
        return papers.collection(asked_of(name, data), embedder)

    return make


def asked_of(name: str, data: Path) -> list[Asked]:
    if name in QUESTIONS:
        return list(_questions(name, data))
    return list(_deepscholar(data) if name == "deepscholar" else _scisumm(data))


def drafts(data: Path, embedder: Opener, least: int = 3, corpora: bool = True) -> CitationCollection:
    """DeepScholar's papers by title and abstract, those with `least` cited papers or more in the pool: what they
    cite and, with `corpora`, the citation corpora."""
    papers = Papers()
    _add_cited(papers, data)
    if corpora:
        _add_corpora(papers, data)
    return papers.collection(asked_of_drafts(data, least), embedder).with_titles(embedder, Silent())


def asked_of_drafts(data: Path, least: int) -> list[Asked]:
    """DeepScholar's papers as queries, those that cite `least` papers or more of its set."""
    known = {record["id"]: record["title"] for record in lines(data / "deepscholar" / "papers.jsonl.gz")}
    asked = (
        Asked(f"draft:{task['arxiv_id']}", task["abstract"], _titles(task["citations"], known), task["title"])
        for task in lines(data / "deepscholar" / "tasks.jsonl.gz")
    )
    return [one for one in asked if len(one.titles) >= least]


def _titles(citations: Iterable[dict[str, Any]], known: dict[str, str]) -> tuple[str, ...]:
    """Of the cited papers that the set holds, without those whose link looks wrong."""
    ids = (re.sub(r"v\d+$", "", c["arxiv_id"]) for c in citations if c["arxiv_id"] and not c["suspect"])
    return tuple(dict.fromkeys(known[id] for id in ids if id in known))


def _questions(name: str, data: Path) -> Iterator[Asked]:
    for line in lines(data / "litsearch" / f"{name}.jsonl.gz"):
        yield Asked(f"{name}:{line['qid']}", line["query"].strip(), tuple(g["title"] for g in line["golds"]))


def _deepscholar(data: Path) -> Iterator[Asked]:
    known = {record["id"]: record["title"] for record in lines(data / "deepscholar" / "papers.jsonl.gz")}
    for task in lines(data / "deepscholar" / "tasks.jsonl.gz"):
        by_key = {citation["key"]: citation for citation in task["citations"]}
        for number, (sentence, paragraph, keys) in enumerate(citing_sentences(task["related_work"])):
            titles = _titles([by_key[key] for key in keys if key in by_key], known)
            yield Asked(f"deepscholar:{task['arxiv_id']}-{number}", sentence, titles, around=paragraph)


def citing_sentences(latex: str) -> Iterator[tuple[str, str, list[str]]]:
    """Sentence and paragraph without citations, and the keys that the sentence cites."""
    body = "\n".join(line for line in latex.split("\n") if not line.strip().startswith("%"))
    for paragraph in re.split(r"\n\s*\n", body):
        keys = [match[1] for match in CITE.finditer(paragraph)]
        places = iter(range(len(keys)))
        marked = CITE.sub(lambda _, places=places: f" XCITE{next(places)}X ", paragraph)
        for sentence in split_sentences(" ".join(STYLED.sub(r"\1 ", marked).split())):
            cited = [k.strip() for i in re.findall(r"XCITE(\d+)X", sentence) for k in keys[int(i)].split(",")]
            words = plain(re.sub(r"XCITE\d+X", "", sentence))
            if cited and len(words.split()) >= LEAST:
                yield words, plain(CITE.sub("", paragraph))[:LONG], cited


def plain(latex: str) -> str:
    text = re.sub(r"\\[a-zA-Z]+\*?", "", STYLED.sub(r"\1 ", latex))
    text = re.sub(r"\(\s*[;,]*\s*\)", "", re.sub(r"[{}~$]", " ", text))
    return re.sub(r"\s+([.,;:])", r"\1", " ".join(text.split()))


def _scisumm(data: Path) -> Iterator[Asked]:
    titles = {record["id"]: record["title"] for record in lines(data / "evidence" / "papers.jsonl.gz")}
    for line in lines(data / "evidence" / "citances.jsonl.gz"):
        yield Asked(f"scisumm:{line['id']}", MARK.sub("", line["citance"]), (titles[line["ref"]],))


def _add_corpora(papers: Papers, data: Path) -> None:
    for name in ("dev", "train"):
        documents = load_documents(data / "citations" / f"{name}-corpus.jsonl.gz")
        papers.add(documents, load_vectors(data / "citations" / f"{name}-corpus-mpnet.npy", len(documents)))


def _add_questions(papers: Papers, data: Path, embedder: Opener) -> None:
    """The corpora, and those of the questions' papers that neither of them holds."""
    _add_corpora(papers, data)
    golds = [_document(line) for line in lines(data / "litsearch" / "gold-papers.jsonl.gz")]
    _embed_into(papers, [gold for gold in golds if papers.row(gold.title) is None], embedder)


def _add_cited(papers: Papers, data: Path) -> None:
    """What the drafts of DeepScholar cite."""
    own = [_document(line) for line in lines(data / "deepscholar" / "papers.jsonl.gz")]
    papers.add(own, load_vectors(data / "deepscholar" / "papers-mpnet.npy", len(own)))


def _add_deepscholar(papers: Papers, data: Path, embedder: Opener) -> None:
    _add_cited(papers, data)
    _add_corpora(papers, data)


def _add_scisumm(papers: Papers, data: Path, embedder: Opener) -> None:
    names = ("papers", "library-scisummnet", "citing-papers")
    found = [_document(line) for name in names for line in lines(data / "evidence" / f"{name}.jsonl.gz")]
    _embed_into(papers, [document for document in found if document.title], embedder)


def _embed_into(papers: Papers, documents: list[CorpusDocument], embedder: Opener) -> None:
    papers.add(documents, unit(embedder().embed_documents([d.abstract for d in documents])))


def _document(line: dict[str, Any]) -> CorpusDocument:
    """A paper without an abstract is told by how its text begins."""
    begin = " ".join(s for part in (line.get("sections") or ())[:2] for _, s in part["sentences"])[:1500]
    title = line["title"] or ""
    return CorpusDocument("", title, line["abstract"] or begin or title, line.get("year"))


_ADDED = {
    **dict.fromkeys(QUESTIONS, _add_questions),
    "deepscholar": _add_deepscholar,
    "scisumm": _add_scisumm,
}
