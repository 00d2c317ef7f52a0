"""Are the sections of a PDF found? `python -m benchmarks.evidence.typeset [PAPERS]`

Papers of `../shared/data/evidence` are typeset by pdfLaTeX in one column and in two, with numbered headings and
without numbers, an equation and a table in each section, and read as a user's PDFs are. Counted: headings that are
found, and those that have the type which the paper's own structure gives them; headings that are none; passages
that hold text of two sections; equations that no passage holds whole."""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from texgeist_latex.writing.escape import escape
from texgeist_retrieval.fulltext.chunks import chunks_of
from texgeist_retrieval.fulltext.layout import sections_of_pages
from texgeist_retrieval.fulltext.pdf import extract_all
from texgeist_retrieval.fulltext.sections import bare_heading, section_types
from texgeist_retrieval.types import TextSection

from .libraries import DATA, lines_of

FORMS = (
    ("one column", "10pt", ""),
    ("two columns", "10pt,twocolumn", ""),
    ("without numbers", "10pt,twocolumn", "*"),
)
EQUATION = r"\begin{equation}\mathcal{L}(\theta)=\sum_{i=1}^{N}\log p_\theta(y_i\mid x_i)-\lambda\|\theta\|^{%d}\end{equation}"
TABLE = r"\begin{center}\begin{tabular}{lrr}Name&First&Second\\Alpha&1.25&2.50\\Beta&3.75&4.00\\\end{tabular}\end{center}"
MOST = 40  # sentences of a section that are set


@dataclass
class Count:
    headings: int = 0
    found: int = 0
    typed: int = 0
    none: int = 0
    passages: int = 0
    crossing: int = 0
    equations: int = 0
    cut: int = 0
    failed: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("papers", nargs="?", type=int, default=36)
    given = parser.parse_args()
    papers = [p for p in map(_usable, lines_of(DATA / "evidence" / "papers.jsonl.gz")) if len(p[1]) >= 3]
    for name, options, star in FORMS:
        count = Count()
        for title, parts in papers[: given.papers]:
            _measure(title, parts, options, star, count)
        print(
            f"{name}: {len(papers[: given.papers])} papers, {count.headings} headings, found "
            f"{count.found / count.headings:.3f}, found and typed {count.typed / count.headings:.3f}, "
            f"{count.none} that are none; {count.passages} passages, {count.crossing} across a border; "
            f"{count.equations} equations, {count.cut} cut; not typeset: {len(count.failed)}",
            flush=True,
        )


Parts = list[tuple[str, list[str]]]


def _usable(paper: dict[str, Any]) -> tuple[str, Parts]:
    """The title, and (heading, sentences) of the sections whose headings were not lost in scanning; thanks, which
    are never read, are left out."""
    made: Counter[str] = Counter()
    parts = list[tuple[str, list[str]]]()
    for section in paper["sections"]:
        heading = " ".join(section["heading"].split()).rstrip(".")
        sentences = [text for _, text in section["sentences"] if text.isascii()]
        made[heading.lower()] += 1
        if (
            re.fullmatch(r"[A-Z][A-Za-z ,:&'-]{2,70}[A-Za-z]", heading)
            and "cknow" not in heading.lower()
            and made[heading.lower()] == 1
            and len(sentences) > 2
        ):
            parts.append((heading, sentences[:MOST]))
    return paper["title"], parts


def _source(title: str, parts: Parts, options: str, star: str) -> str:
    body = list[str]()
    for number, (heading, sentences) in enumerate(parts):
        text = [escape(sentence) for sentence in sentences]
        middle = len(text) // 2
        held = [*text[:middle], EQUATION % (number + 10), *text[middle:], TABLE, f"Here ends part {number}."]
        begin = (
            r"\begin{abstract}%s\end{abstract}"
            if heading == "Abstract"
            else rf"\section{star}{{{escape(heading)}}}%s"
        )
        body.append(begin.replace("%s", f"Here begins part {number}. " + "\n".join(held)))
    return "\n".join(
        [rf"\documentclass[{options}]{{article}}\title{{{escape(title or 'A Paper')}}}\author{{A. Writer \and B. Reader}}",
         r"\begin{document}\maketitle", *body, r"\end{document}"]
    )  # fmt: skip


def _measure(title: str, parts: Parts, options: str, star: str, count: Count) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "paper.tex").write_text(_source(title, parts, options, star), encoding="utf-8")
        command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "paper.tex"]
        if subprocess.run(command, cwd=folder, capture_output=True, timeout=120).returncode:
            count.failed.append(title)
            return
        said = extract_all((Path(folder) / "paper.pdf").read_bytes())
    sections = sections_of_pages(said["pages"], said["fonts"])
    _headings(parts, sections, count)
    chunks = [chunk.text for chunk in chunks_of("p", sections)]
    count.passages += len(chunks)
    for text in chunks:
        held = set(re.findall(r"Here (?:begins|ends) part (\d+)\.", text))
        count.crossing += len(held) > 1
    for number in range(len(parts)):
        count.equations += 1
        whole = re.compile(rf"L\s*\(θ\).*?\(?yi.*?{number + 10}", re.DOTALL)
        count.cut += not any(whole.search(text) for text in chunks)


def _headings(parts: Parts, sections: tuple[TextSection, ...], count: Count) -> None:
    wanted = [heading for heading, _ in parts]
    got = [bare_heading(s.heading).replace("’", "'") for s in sections if s.heading]
    kinds = dict(zip(wanted, section_types(wanted), strict=True))
    read = dict(zip(got, section_types(got), strict=True))
    count.headings += len(wanted)
    same = SequenceMatcher(None, [w.lower() for w in wanted], [g.lower() for g in got], autojunk=False)
    pairs = [(b.a + i, b.b + i) for b in same.get_matching_blocks() for i in range(b.size)]
    count.found += len(pairs)
    count.typed += sum(kinds[wanted[a]] == read[got[b]] for a, b in pairs)
    count.none += len(got) - len(pairs)


if __name__ == "__main__":
    main()
