"""Static pages without scripts: the evidence of a section, with each query and its results; and passages for
and against a statement. Each is a file in the user's cache. Their text is foreign, so all of it is escaped
and nothing is loaded from elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from html import escape
from pathlib import Path

from texgeist_retrieval.costs import spent
from texgeist_retrieval.paths import private_folder
from texgeist_retrieval.text.words import number_of
from texgeist_retrieval.types import SIDES, AskedQuery, Evidence, EvidenceRun, JudgedPassage, Paper, Sides

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff }}
h2 {{ font-size: 1.05rem; margin: 2rem 0 .3rem }} h3 {{ font-size: 1rem; margin: 1.2rem 0 .2rem }}
.why, .where, .scores {{ color: #555; font-size: .9rem; margin: 0 }}
blockquote {{ margin: .4rem 0 0; padding-left: .8rem; border-left: 3px solid #bbb; white-space: pre-line }}
a {{ color: #0b57a4 }}
@media (prefers-color-scheme: dark) {{
  body {{ color: #e6e6e6; background: #1d1d1f }} .why, .where, .scores {{ color: #aaa }} a {{ color: #8cb8ea }}
}}
</style></head><body>
"""


def write_page(folder: Path, heading: str, file: Path, run: EvidenceRun) -> Path:
    """Writes the page for this section of this document, replacing an earlier page."""
    return put(folder, f"{file}\0{heading}", page_of(heading, file.name, run))


def put(folder: Path, about: str, text: str) -> Path:
    """Writes the text to the page file whose name is derived from `about`. Returns the path of this file."""
    private_folder(folder)
    name = hashlib.sha256(about.encode(errors="surrogatepass")).hexdigest()[:16]
    page = folder / f"{name}.html"
    page.write_text(text, "utf-8", errors="replace")
    return page


def page_of(heading: str, file: str, run: EvidenceRun) -> str:
    title = f"Evidence for “{heading}” of {file}"
    return whole(title, _body(title, run))


def whole(title: str, body: Iterator[str]) -> str:
    return _HEAD.format(title=escape(title)) + "\n".join(body) + "\n</body></html>\n"


def _body(title: str, run: EvidenceRun) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    count = (
        f"{number_of(len(run.evidence), 'passage')} of {number_of(len(run.papers), 'paper')}."
        if run.evidence
        else "Nothing was found."
    )
    yield f"<p>{count} {escape(run.stopped)} {escape(spent(run.usage))}</p>"
    yield from (f"<p>{escape(note)}</p>" for note in run.notes)
    known = {one.id: one for one in run.evidence}
    papers = {paper.id: paper for paper in run.papers}
    shown: set[str] = set()
    for asked in run.queries:
        yield from _query(asked)
        for id in asked.found:
            if id in known and id not in shown:
                yield from _evidence(known[id], papers.get(known[id].passage.paper_id))
        if again := [id for id in asked.found if id in shown]:
            yield f'<p class="why">Found again: {", ".join(escape(id) for id in again)}</p>'
        shown.update(asked.found)


def _query(asked: AskedQuery) -> Iterator[str]:
    yield f"<h2>{escape(asked.text)}</h2>"
    by = "from your draft" if asked.by == "default" else "asked by the model"
    yield f'<p class="why">{escape(": ".join(filter(None, [by, asked.why])))}</p>'
    if asked.refused:
        yield f'<p class="why">Not run: {escape(asked.refused)}</p>'


def _evidence(one: Evidence, paper: Paper | None) -> Iterator[str]:
    model = f", by the model {one.relevance:.2f}" if one.relevance is not None else ""
    yield from passage_block(one, paper, f"score {one.score:.2f}: cosine {one.similarity:.2f}{model}")


def passage_block(one: Evidence, paper: Paper | None, scores: str) -> Iterator[str]:
    passage = one.passage
    title = paper.title if paper else passage.paper_id
    year = f" ({paper.year})" if paper and paper.year else ""
    yield f'<h3 id="{escape(one.id)}">[{escape(one.id)}] {escape(title)}{year}</h3>'
    where = ", ".join(
        filter(None, [passage.heading or passage.section, f"page {passage.page}" if passage.page else ""])
    )
    link = _pdf(paper, passage.page)
    yield f'<p class="where">{escape(where)}{f" · {link}" if link else ""}</p>'
    if scores:
        yield f'<p class="scores">{escape(scores)}</p>'
    if one.summary:
        yield f"<p>{escape(one.summary)}</p>"
    yield f"<blockquote>{escape(passage.text)}</blockquote>"


def _pdf(paper: Paper | None, page: int | None) -> str:
    """A link to the user's PDF of the paper, at the given page if the viewer supports that."""
    here = next(
        (Path(f) for f in (paper.files if paper else ()) if f.endswith(".pdf") and Path(f).is_file()), None
    )
    if here is None or not here.is_absolute():
        return ""
    return f'<a href="{escape(here.as_uri())}{f"#page={page}" if page else ""}">open the PDF</a>'


HEADINGS = {
    "supports": "For it",
    "contradicts": "Against it",
    "neither": "On the subject, but neither for nor against",
    "not judged": "Not judged",
}


def write_sides(folder: Path, file: Path, sides: Sides) -> Path:
    """Writes the page for this statement of this document."""
    return put(folder, f"{file}\0sides\0{sides.statement}", sides_page(file.name, sides))


def sides_page(file: str, sides: Sides) -> str:
    title = f"For and against a statement of {file}"
    return whole(title, _sides_body(title, sides))


def counted(sides: Sides) -> str:
    """The number of passages on each side, as a message."""
    counts = {side: len(sides.of(side)) for side in SIDES.values()}
    if counts["not judged"] == len(sides.found):
        found = f"Passages on the matter: {len(sides.found)}." if sides.found else ""
    else:
        found = f"For the statement: {_passages(counts['supports'])}; against it: {_passages(counts['contradicts'])}."
    return " ".join(filter(None, [found, *sides.notes]))


def _passages(count: int) -> str:
    return "one passage" if count == 1 else f"{count} passages"


def _sides_body(title: str, sides: Sides) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1><blockquote>{escape(sides.statement)}</blockquote>"
    yield f"<p>{escape(counted(sides))}</p>"
    if len(sides.queries) > 1:
        yield f'<p class="why">Also searched for: {escape(" · ".join(sides.queries[1:]))}</p>'
    papers = {paper.id: paper for paper in sides.papers}
    for side, heading in HEADINGS.items():
        if found := sides.of(side):
            yield f"<h2>{heading}</h2>"
            for one in found:
                yield from passage_block(one.evidence, papers.get(one.evidence.passage.paper_id), _told(one))


def _told(one: JudgedPassage) -> str:
    """The judge's confidence, and the part of the statement that the passage does not support."""
    score = one.support.score
    sure = (f"sure {score:.1f}" if one.side != "not judged" else f"too unsure, {score:.1f}") if score else ""
    return "; ".join(filter(None, [sure, f"missing: {one.support.missing}" if one.support.missing else ""]))
