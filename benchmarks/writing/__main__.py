"""What the checks of a model's sentences let through, and what they refuse that is good.

    python -m benchmarks.writing [--model FOLDER] [--data ../shared/data]

1. Forms: citations by hand, numbers of papers, addresses, Markdown, refusals and leaked prompts.
2. False alarms of these on real related-work sections without their citations, held against the titles and abstracts
   of the draft and of all that the section cites. Authors use names and figures that no abstract has, and cite by
   hand: an alarm there is right. So counted are the sentences without "et al.", brackets and a year in parentheses,
   whose every number, and every word with a capital behind the first letter of the sentence, stands in these texts,
   as a whole word (a word is common knowledge if it is in 30 abstracts of the shipped list). Left out as well are rows
   of tables, LaTeX, addresses, and sentences that begin with a name that no text has, which were read by hand. The same
   for 5,000 sentences of abstracts, each held against its own abstract: all that they name was given.
3. Copies: sentences of abstracts credited to their own paper and to another, and retold ones.
4. Swapped evidence: retold sentences and authors' own with one citation,
   with the right paper and with every other of the same section. The weights were
   chosen with both halves (sections of even and of odd number) in view: neither is a held-out one."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.text.sentences import clean, split_sentences
from texgeist_retrieval.types import Vector
from texgeist_retrieval.writing.model import plain
from texgeist_retrieval.writing.model.belonging import judged
from texgeist_retrieval.writing.model.checks import Material
from texgeist_retrieval.writing.model.grounds import Names, is_common, plain_letters, strange_name, words_of
from texgeist_retrieval.writing.model.plain import is_foreign
from texgeist_retrieval.writing.model.support import numbers, unsupported

from tests.retrieval.writing import forms

from .data import Real, Task, abstracts, as_selected, retold, sections, tasks, vectors

FORMS = {
    "citations by hand": [*forms.BY_HAND, *forms.NAMES],
    "numbers of papers": forms.IDENTIFIERS,
    "addresses": forms.ADDRESSES,
    "Markdown": forms.MARKDOWN,
    "refusals and leaks": forms.OF_ITSELF,
}
FIRST_NAMES = ("Boltz-1", "Cosmos", "Crossloc3d", "Diamond and Saez", "Equijump", "Golrezaei", "Sana")
DRAFT = ["We rank passages by meaning with BERT on MS MARCO; Adam and SGD."]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="folder of the embedding model")
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[3] / "shared" / "data")
    options = parser.parse_args()
    survivors(options.data)
    false_alarms("related work", sections(options.data))
    false_alarms("abstracts", abstracts(options.data, 5000))
    found, known = tasks(options.data), vectors(options.data)
    copies(found, known)
    if options.model:
        swaps(found, known, load_embedder(options.model))
    return 0


def survivors(data: Path) -> None:
    few, real = Real((), ("Miller", "Stone1"), tuple(DRAFT)), next(sections(data))
    print("\nforms that survive                 of  few texts  a section's")
    for kind, texts in FORMS.items():
        left = [sum(not is_refused(text, given) for text in texts) for given in map(Given.of, (few, real))]
        print(f"{kind:32}{len(texts):5}{left[0]:11}{left[1]:13}")
    refused = sum(is_refused(text, Given.of(Real((), (), (text,)))) for text in forms.PROSE)
    print(f"{'prose that is refused':32}{len(forms.PROSE):5}{refused:11}")


@dataclass(frozen=True, slots=True)
class Given:
    """What a sentence is held against."""

    names: Names
    numbers: frozenset[float]

    @classmethod
    def of(cls, section: Real) -> Given:
        found = frozenset(number for text in section.texts for number in numbers(text))
        return cls(Names.of(section.surnames, section.texts), found)


def is_refused(text: str, given: Given) -> bool:
    """By the gate of words and figures."""
    tests = (plain.is_latex, plain.has_address, plain.has_identifier, plain.is_markup, plain.is_of_itself)
    found = (
        any(test(text) for test in tests) or plain.is_by_hand(text) or bool(strange_name(text, given.names))
    )
    found = found or is_foreign(text, given.names.vocabulary, given.names.language)
    return found or bool(unsupported(text, (), given.numbers))


def false_alarms(name: str, texts: Iterable[Real]) -> None:
    count, refused, within, false = 0, 0, 0, list[str]()
    for section in texts:
        given = Given.of(section)
        alarms = {text for text in section.sentences if is_refused(text, given)}
        inside = [text for text in section.sentences if stays_inside(text, given)]
        count, refused, within = count + len(section.sentences), refused + len(alarms), within + len(inside)
        false += [text for text in inside if text in alarms]
    print(f"\n{name}: {count} sentences, refused {refused}: {refused / count:.1%}")
    print(f"of {within} that use only what was given: {len(false)}, {len(false) / within:.2%} (target ≤ 1%)")


def stays_inside(text: str, given: Given) -> bool:
    """Whether the sentence cites nothing by hand and has no name or figure of its own."""
    if text.startswith(FIRST_NAMES) or re.search(
        r"et al|[\[\]|\\${}]|://|www\.|&\w+;|\([^()]*(?:19|20)\d\d|^\W*\d\)|^-", text
    ):
        return False
    runs = set(given.names.runs.split())
    written = re.findall(r"[^\W_]+", plain_letters(text))
    named = {word for word in written[1:] if not word.islower()} | {
        w for w in written[:1] if not w[1:].islower()
    }
    words = {word for name in named for word in words_of(name) if len(word) > 1}
    return all(word in runs or is_common(word) for word in words) and given.numbers.issuperset(numbers(text))


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
    for kind, papers, text in _sentences(task):
        if len(papers) < len(task.papers):
            yield Pair(kind, bool(place % 2), papers, belonging.claims(text))


def _sentences(task: Task) -> Iterator[tuple[str, tuple[str, ...], str]]:
    ids = {paper.id for paper in task.papers}
    yield from (("retold", (id,), text) for id, text in retold() if id in ids)
    for said in task.said:
        if said.papers:
            kind = "authors', one citation" if len(said.papers) == 1 else "authors', several citations"
            yield kind, said.papers, said.text


if __name__ == "__main__":
    raise SystemExit(main())
