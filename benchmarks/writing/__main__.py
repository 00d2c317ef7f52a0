"""What the checks of a model's sentences let through, and what they refuse that is good.

    python -m benchmarks.writing [--model FOLDER] [--data ../shared/data]

1. Forms: citations by hand, numbers of papers, addresses, Markdown, refusals and leaked prompts.
2. False alarms of these on real related-work sections without their citations. Authors name people and
   number their points: an alarm is right where its sentence does so, which was judged by
   "et al.", table rows and addresses, and else by hand (`judged.txt` holds the digests); every other alarm is false.
3. Copies: sentences of abstracts credited to their own paper and to another, and retold ones.
4. Swapped evidence: retold sentences, those of the extractive writer and authors' own with one citation,
   with the right paper and with every other of the same section. The weights were
   chosen with both halves (sections of even and of odd number) in view: neither is a held-out one."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.text.sentences import clean, split_sentences
from texgeist_retrieval.types import Selected, Vector
from texgeist_retrieval.writing.extractive.english.saying import sources
from texgeist_retrieval.writing.model import plain, talk
from texgeist_retrieval.writing.model.belonging import judged
from texgeist_retrieval.writing.model.checks import Material
from texgeist_retrieval.writing.model.handwritten import cites_by_hand
from texgeist_retrieval.writing.model.names import Names
from texgeist_retrieval.writing.model.tongue import is_foreign

from tests.retrieval.writing import forms, more_forms

from .data import Task, as_selected, retold, sections, tasks, vectors

FORMS = {  # most that may survive, of how many
    "citations by hand": ([*forms.BY_HAND, *more_forms.BY_HAND, *more_forms.SURVIVE], 3 / 59),
    "numbers of papers": ([*forms.IDENTIFIERS, *more_forms.IDENTIFIERS], 0.0),
    "addresses": ([*forms.ADDRESSES, *more_forms.ADDRESSES], 0.0),
    "Markdown": ([*forms.MARKDOWN, *more_forms.MARKDOWN], 1 / 19),
    "refusals and leaks": ([*forms.OF_ITSELF, *more_forms.OF_ITSELF], 0.0),
}
PROSE = [*forms.PROSE, *more_forms.PROSE, *more_forms.REFUSED_PROSE]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="folder of the embedding model")
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[3] / "shared" / "data")
    options = parser.parse_args()
    survivors()
    false_alarms(options.data)
    found, known = tasks(options.data), vectors(options.data)
    copies(found, known)
    if options.model:
        swaps(found, known, load_embedder(options.model))
    return 0


def survivors() -> None:
    names = Names.of(
        ["Miller", "Stone1"], ["We rank passages by meaning with BERT on MS MARCO; Adam and SGD."]
    )
    print("\nforms that survive                 of  survive  target")
    for kind, (texts, most) in FORMS.items():
        left = sum(not is_refused(text, names) for text in texts)
        print(f"{kind:32}{len(texts):5}{left:9}{'≤':>6} {int(most * len(texts))}")
    left = sum(is_refused(text, names) for text in PROSE)
    print(f"{'prose that is refused':32}{len(PROSE):5}{left:9}{'≤':>6} 0")


def is_refused(text: str, names: Names) -> bool:
    """By the gate of words, without what only the material can tell."""
    of_text = plain.is_latex(text) or plain.has_address(text) or plain.has_identifier(text)
    of_text = of_text or plain.is_markup(text) or talk.is_of_itself(text)
    return of_text or is_foreign(text, names.vocabulary) or cites_by_hand(text, names)


def false_alarms(data: Path) -> None:
    right = set(Path(__file__).with_name("judged.txt").read_text(encoding="ascii").split())
    count, held, false = 0, 0, list[str]()
    for section in sections(data):
        names = Names.of(section.surnames, section.texts)
        alarms = [text for text in section.sentences if is_refused(text, names)]
        count += len(section.sentences)
        held += sum(digest(text) in right for text in alarms)
        false += [text for text in alarms if digest(text) not in right]
    share = len(false) / (count - held)
    print(f"\nreal sentences {count}, of which {held} name sources or hold tables or addresses themselves")
    print(f"false alarms {len(false)} of {count - held}: {share:.2%} (target ≤ 1%)")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def copies(found: list[Task], known: Mapping[str, Vector]) -> None:
    own, other, calm, told = [], [], [], dict(retold())
    for task in found:
        selected = as_selected(task.papers, known)
        material = Material.of(selected, task.abstract)
        for place, paper in enumerate(task.papers, start=1):
            elsewhere = str(place % len(task.papers) + 1)
            for text in (s for s in split_sentences(clean(paper.abstract)) if 14 <= len(s.split()) <= 90):
                own.append(bool(material.sources.problem(text, [str(place)])))
                if elsewhere != str(place):
                    other.append("does not cite it" in material.sources.problem(text, [elsewhere]))
            if paper.id in told:
                calm.append(bool(material.sources.problem(told[paper.id], [str(place)])))
    print("\ncopies                                  n  refused")
    for name, outcomes in (
        ("verbatim, credited to its own paper", own),
        ("verbatim, credited to another", other),
        ("retold", calm),
    ):
        print(f"{name:36}{len(outcomes):6}{sum(outcomes) / len(outcomes):9.3f}")


@dataclass(frozen=True, slots=True)
class Pair:
    kind: str
    odd: bool
    papers: tuple[str, ...]  # those that the sentence is on
    claims: Mapping[str, float]


def swaps(found: list[Task], known: Mapping[str, Vector], embedder: Embedder) -> None:
    pairs = [pair for place, task in enumerate(found) for pair in _pairs(task, place, known, embedder)]
    print("\nswapped evidence                 half        n  accepted (≥ 0.98)  refused (≥ 0.80)")
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        for odd in (False, True):
            chosen = [p for p in pairs if p.kind == kind and p.odd == odd]
            accepted = sum(judged(p.claims, p.papers) is None for p in chosen) / len(chosen)
            refused = sum(map(_refused, chosen)) / len(chosen)
            half = "odd" if odd else "even"
            print(f"{kind:32} {half:9}{len(chosen):5}{accepted:15.3f}{refused:18.3f}")


def _refused(pair: Pair) -> float:
    """The share of other papers to which the sentence cannot be credited."""
    others = [id for id in pair.claims if id not in pair.papers]
    return sum(judged(pair.claims, [id]) is not None for id in others) / len(others)


def _pairs(task: Task, place: int, known: Mapping[str, Vector], embedder: Embedder) -> Iterator[Pair]:
    if len(task.papers) < 3:
        return
    selected = as_selected(task.papers, known)
    belonging = Material.of(selected, task.abstract, embedder).belonging
    assert belonging is not None
    for kind, papers, text in _sentences(task, selected):
        if len(papers) < len(task.papers):
            yield Pair(kind, bool(place % 2), papers, belonging.claims(text))


def _sentences(task: Task, selected: list[Selected]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    ids = {paper.id for paper in task.papers}
    yield from (("retold", (id,), text) for id, text in retold() if id in ids)
    for one, source in zip(selected, sources(selected, "abstract"), strict=True):
        yield from (("extractive writer's", (one.candidate.paper.id,), s.told.text) for s in source.said[:2])
    for said in task.said:
        if said.papers:
            kind = "authors', one citation" if len(said.papers) == 1 else "authors', several citations"
            yield kind, said.papers, said.text


if __name__ == "__main__":
    raise SystemExit(main())
