"""What the extractive writer takes over from its sources, and how much it writes.

    python -m benchmarks.writing.extractive --model FOLDER [--data ../shared/data] [--drafts 5] [--show 60] [--sections]

Drafts: the open papers of DeepScholar-Bench with the ten nearest of its pool, and the abstracts of five
real LaTeX projects with the ten nearest of that pool and the NeurIPS corpus. Counted: words in runs of
seven and more that stand in the cited passage too, outside quotation marks; titles are free."""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from texgeist_latex.tex.plaintext import plain
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.text.sentences import clean
from texgeist_retrieval.types import Matrix, Paper, Query, QueryPart, Section, Selected, Sentence
from texgeist_retrieval.writing import ExtractiveWriter

from .data import _rows, as_selected

_PROJECTS = ("eucbv-aaai18", "duvenaud-thesis", "opgm-vldb", "kaleidoscope-cvpr", "implicit-llncs")
_BREADTH, _RUN = 10, 7


@dataclass(frozen=True, slots=True)
class Pool:
    papers: tuple[Paper, ...]
    vectors: Matrix  # [papers, dimension]

    def nearest(self, query: Query, embedder: Embedder) -> list[Selected]:
        order = np.argsort(-(self.vectors @ embedder.embed_query(query.abstract)), kind="stable")
        near = [i for i in order if self.papers[i].title.lower() != query.title.lower()][:_BREADTH]
        known = {self.papers[i].abstract: self.vectors[i] for i in near}
        return as_selected([self.papers[i] for i in near], known)


@dataclass(frozen=True, slots=True)
class Count:
    words: int
    copied: int
    cited: int  # sentences with evidence

    @classmethod
    def of(cls, section: Section, selected: list[Selected]) -> Count:
        said = [s for p in section.paragraphs for s in p.sentences]
        texts = {e.id: _words(clean(e.passage.text)) for s in selected for e in s.evidence}
        titles = [_words(s.candidate.paper.title) for s in selected]
        words = sum(len(_words(s.text)) for s in said)
        copied = sum(_copied(s, texts, titles) for s in said)
        return cls(words, copied, sum(bool(s.evidence) for s in said))


def _copied(sentence: Sentence, texts: dict[str, list[str]], titles: list[list[str]]) -> int:
    sources = [_joined(texts[id]) for id in sentence.evidence]
    free = [_joined(title) for title in titles]
    count = 0
    for piece in re.split(r"“[^”]*”|\|", f"{sentence.lead}|{sentence.text}"):
        words, taken = _words(piece), set[int]()
        for start in range(len(words) - _RUN + 1):
            run = _joined(words[start : start + _RUN])
            if any(run in text for text in sources) and not any(run in title for title in free):
                taken |= set(range(start, start + _RUN))
        count += len(taken)
    return count


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _joined(words: list[str]) -> str:
    return f" {' '.join(words)} "


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="folder of the embedding model")
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[3] / "shared" / "data")
    parser.add_argument("--drafts", type=int, default=100, help="at most this many of each set")
    parser.add_argument("--show", type=int, default=0, help="print this many sentences, drawn by chance")
    parser.add_argument("--sections", action="store_true", help="print the sections whole")
    options = parser.parse_args()
    embedder = load_embedder(options.model)
    written: list[str] = []
    for name, pool, queries in _sets(options.data):
        counts = []
        for query in queries[: options.drafts]:
            selected = pool.nearest(query, embedder)
            section = ExtractiveWriter(embedder).write(query, selected, Silent()).section
            counts.append(Count.of(section, selected))
            written += _shown(section)
            if options.sections:
                print(f"\n## {query.title}")
                for paragraph in section.paragraphs:
                    print("\n" + " ".join(_spoken(s) for s in paragraph.sentences))
        _report(name, counts)
    for text in random.Random(1).sample(written, min(options.show, len(written))):
        print("-", text)
    return 0


def _report(name: str, counts: list[Count]) -> None:
    words = max(1, sum(c.words for c in counts))
    print(
        f"{name:24} drafts {len(counts):3}  words {words:6}  copied {sum(c.copied for c in counts) / words:6.1%}"
        f"  cited sentences a section {sum(c.cited for c in counts) / len(counts):5.1f}"
        f"  least {min(c.cited for c in counts)}"
    )


def _shown(section: Section) -> list[str]:
    return [_spoken(s) for p in section.paragraphs for s in p.sentences]


def _spoken(sentence: Sentence) -> str:
    subject = f"{sentence.lead} [A] " if sentence.textual else ""
    return f"{subject}{sentence.text}".strip()


def _sets(data: Path) -> Iterator[tuple[str, Pool, list[Query]]]:
    papers = tuple(_paper(row) for row in _rows(data / "deepscholar" / "papers.jsonl.gz"))
    pool = Pool(papers, np.load(data / "deepscholar" / "papers-mpnet.npy").astype(np.float32))
    rows = _rows(data / "deepscholar" / "tasks.jsonl.gz")
    yield "DeepScholar-Bench", pool, [_query(row["title"], row["abstract"]) for row in rows]
    more = [_paper(row) for row in _rows(data / "citations" / "dev-corpus.jsonl.gz")]
    vectors = np.load(data / "citations" / "dev-corpus-mpnet.npy").astype(np.float32)
    known = {paper.title.lower() for paper in papers}
    new = [i for i, paper in enumerate(more) if paper.title.lower() not in known]
    wide = Pool((*papers, *(more[i] for i in new)), np.vstack([pool.vectors, vectors[new]]))
    yield "LaTeX projects", wide, [_project(data / "latex" / name) for name in _PROJECTS]


def _paper(row: dict[str, object]) -> Paper:
    year = row.get("year") or str(row.get("date") or "")[:4]
    id = str(row.get("id") or row["doc"])
    return Paper(
        id, str(row["title"]), str(row["abstract"]), ("A. One", "B. Two"), int(str(year)) if year else None
    )


def _query(title: str, abstract: str) -> Query:
    return Query("abstract", (QueryPart(abstract, "abstract"),), abstract, title)


def _project(folder: Path) -> Query:
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.rglob("*.tex"))]
    found = re.findall(r"\\begin\{abstract\}(.+?)\\end\{abstract\}", "\n".join(texts), re.DOTALL)
    abstract = max(map(plain, found), key=len, default="")  # others are templates' and older versions'
    assert len(abstract) > 300, f"{folder.name} has no abstract"
    return _query(folder.name, abstract)


if __name__ == "__main__":
    raise SystemExit(main())
