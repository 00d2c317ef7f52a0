"""From a user's own papers to the examples that `texgeist export-training` writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.errors import LatexError
from texgeist_latex.types import BibEntry, Draft

if TYPE_CHECKING:
    from texgeist_retrieval.training.export import Example
    from texgeist_retrieval.types import Paper

_CITE = re.compile(r"\\[A-Za-z]*cite[A-Za-z]*\*?\s*(?:\[[^\]]*\]\s*)*\{([^{}]*)\}")
_END = re.compile(r"\\(?:bibliography|printbibliography|appendix|begin\{thebibliography\}|end\{document\})")


class NoExamples(LatexError):
    """A file from which nothing can be learned."""


def examples_of(path: Path, abstracts: Mapping[str, str]) -> list[Example]:
    """Of a LaTeX project's root document, or of a JSON list of drafts (see `texgeist eval writing`).

    `abstracts`: by normalised title, for papers whose entry has none; see `abstracts_of`."""
    return _of_json(path) if path.suffix == ".json" else [_of_draft(path, abstracts)]


def abstracts_of(papers: Iterable[Paper]) -> dict[str, str]:
    """The abstracts of an index's papers by normalised title."""
    from texgeist_latex.bib.identity import normalise_title

    return {normalise_title(paper.title): paper.abstract for paper in papers if paper.abstract}


def _of_draft(path: Path, abstracts: Mapping[str, str]) -> Example:
    from texgeist_latex.reading.draft import read_draft
    from texgeist_retrieval.training.export import Example

    draft = read_draft(path)
    entries = _cited(draft)
    if not draft.abstract or not entries:
        raise NoExamples(
            f"{path.name} has no abstract or cites nothing that its bibliography holds.",
            "Give the root document of a finished paper.",
        )
    references = tuple(_reference(entry, abstracts) for entry in entries.values())
    return Example(draft.title, draft.abstract, references, _related_work(draft, list(entries)))


def _reference(entry: BibEntry, abstracts: Mapping[str, str]) -> tuple[str, str]:
    """Title and abstract as text: a model that learns from BibTeX's braces would write them."""
    from texgeist_latex.bib.identity import normalise_title
    from texgeist_latex.tex.plaintext import plain

    title = " ".join(plain(entry.fields["title"]).split())
    own = " ".join(plain(entry.fields.get("abstract", "")).split())
    return title, own or abstracts.get(normalise_title(title), "")


def _cited(draft: Draft) -> Mapping[str, BibEntry]:
    known = {entry.key: entry for bib in draft.bibliographies for entry in bib.entries}
    keys = dict.fromkeys(citation.key for citation in draft.citations)
    return {key: known[key] for key in keys if key in known and known[key].fields.get("title")}


def _related_work(draft: Draft, keys: list[str]) -> str:
    """The section's text with its citations as numbers of `keys`, "" where the draft has none."""
    from texgeist_latex.tex.plaintext import plain

    heading = draft.related_work
    source = draft.sources.get(heading.span.file) if heading else None
    if heading is None or source is None:
        return ""
    later = [
        h.span.start
        for h in draft.headings
        if h.span.file == heading.span.file and h.span.start > heading.span.start and h.level <= heading.level
    ]
    text = source.text[heading.span.end : min(later, default=len(source.text))]
    if end := _END.search(text):
        text = text[: end.start()]
    paragraphs = plain(_CITE.sub(lambda match: _numbers(match[1], keys), text)).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())


def _numbers(cited: str, keys: list[str]) -> str:
    numbers = [str(keys.index(key.strip()) + 1) for key in cited.split(",") if key.strip() in keys]
    return f"[{', '.join(numbers)}]" if numbers else ""


def _of_json(path: Path) -> list[Example]:
    from texgeist_retrieval.training.export import Example

    try:
        values: Any = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise NoExamples(f"{path.name} is not JSON: {error}.", "Give a list of drafts.") from None
    if not isinstance(values, list):
        raise NoExamples(f"{path.name} is not a list of drafts.", "See `texgeist eval writing --help`.")
    return [
        Example(
            str(value.get("title") or ""),
            str(value.get("abstract") or ""),
            tuple(_pair(c) for c in value.get("human_citations") or ()),
            str(value.get("human_related_work") or ""),
        )
        for value in values
        if isinstance(value, dict)
    ]


def _pair(citation: Any) -> tuple[str, str]:
    if isinstance(citation, dict):
        return str(citation.get("title") or ""), str(citation.get("abstract") or "")
    return str(citation), ""
