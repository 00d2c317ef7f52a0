"""The real projects beside this checkout, read as they are. Every figure was checked against the files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.pages import MAX_PIECES, pieces


@dataclass(frozen=True)
class Expected:
    opened: str  # the file that somebody has open
    root: str
    abstract: int  # words
    sections: int
    citations: int
    undefined: int
    entries: int
    place: tuple[str, int]  # file and line of the insertion
    reason: str
    level: int
    style: str
    missing: tuple[str, ...] = ()


IN, AFTER = "in the section “%s”", "after the introduction"
PROJECTS = [
    Expected("sybil-usenix/design.tex", "paper.tex", 135, 37, 55, 0, 39, ("related_work.tex", 61),
             IN % "Related work", 1, "biblatex"),
    Expected("setrnn-naacl2019/Model.tex", "main.tex", 174, 12, 43, 0, 38, ("Introduction.tex", 75), AFTER, 1, "natbib"),
    Expected("symbolic-tophat-acmart/sections/language.tex", "main.tex", 168, 36, 30, 0, 27, ("relatedwork.tex", 54),
             IN % "Related work", 1, "natbib"),
    Expected("duvenaud-thesis/kernels.tex", "thesis.tex", 307, 159, 226, 0, 244, ("thesis.tex", 149), AFTER, 0, "natbib"),
    Expected("implicit-llncs/mmt.tex", "paper.tex", 135, 28, 22, 0, 574, ("conc.tex", 52),
             IN % "Conclusion and Related Work", 1, "plain"),
    Expected("dms-svjour/asej_main.tex", "asej_main.tex", 300, 34, 107, 0, 4740, ("related.tex", 49),
             IN % "Related Work", 1, "natbib"),
    Expected("sustech-bachelor-thesis/sections/intro.tex", "main.tex", 231, 24, 59, 0, 54, ("related_work.tex", 13),
             IN % "Related Work", 1, "biblatex"),
    Expected("convex-vins-ieee/main.tex", "main.tex", 111, 11, 27, 12, 16, ("related_work.tex", 12),
             IN % "Related work", 1, "plain"),
    Expected("opgm-vldb/sections/match.tex", "paper.tex", 245, 28, 91, 0, 131, ("related_work.tex", 76),
             IN % "Related Work", 1, "natbib"),
    Expected("authentifizierung-sigchi-de/paper_deutsch/main.tex", "main.tex", 248, 18, 13, 0, 12, ("main.tex", 169),
             IN % "Sachverwandte Arbeiten", 1, "plain"),
    Expected("anesthesia-thesis-es/animation.tex", "main.tex", 1223, 112, 231, 0, 148, ("related.tex", 29),
             IN % "Antecedentes", 0, "plain"),
    Expected("kaleidoscope-cvpr/sections/theory.tex", "main.tex", 138, 12, 46, 0, 58, ("intro.tex", 161),
             IN % "Related Work", 1, "plain"),
    Expected("sts-revtex/STS_processing.tex", "STS_processing.tex", 131, 10, 23, 0, 69, ("STS_processing.tex", 148),
             AFTER, 1, "natbib"),
    Expected("fefu-masters-thesis-ru/subfiles/analysis.tex", "document.tex", 86, 31, 56, 0, 45, ("analysis.tex", 24),
             IN % "Обзор существующих методов решения", 2, "biblatex"),
    Expected("serendipity-svjour/3model.tex", "serendipity.tex", 188, 37, 104, 0, 263, ("12discussion.tex", 217),
             IN % "Related work", 2, "natbib", ("2A-byexample.tex",)),
    Expected("eucbv-aaai18/ealgo.tex", "EUCBV.tex", 158, 9, 62, 0, 41, ("related.tex", 15), IN % "Related Work", 2, "natbib"),
    Expected("hslda-nips/model.tex", "main.tex", 104, 11, 34, 0, 43, ("related_work.tex", 53), IN % "Related Work", 1, "natbib"),
    Expected("relconv/tmlr/intro.tex", "main.tex", 150, 15, 67, 0, 62, ("related.tex", 16), IN % "Related Work", 2, "biblatex"),
    Expected("relconv/arxiv v3/intro.tex", "main.tex", 150, 15, 67, 0, 62, ("related.tex", 16), IN % "Related Work", 2, "biblatex"),
]  # fmt: skip


@pytest.mark.parametrize("expected", PROJECTS, ids=lambda e: e.opened)
def test_real_project(expected: Expected, shared_data: Path) -> None:
    latex = shared_data / "latex"
    draft = read_draft(
        latex / expected.opened, workspace=latex / expected.opened.split("/")[0], programs=False
    )
    assert draft.insertion is not None
    undefined = sum(problem.code == "undefined-citation" for problem in draft.problems)
    found = Expected(
        expected.opened,
        draft.root.name,
        len(draft.abstract.split()),
        len(draft.headings),
        len(draft.citations),
        undefined,
        sum(len(b.entries) for b in draft.bibliographies),
        (draft.insertion.span.file.name, draft.insertion.line),
        draft.insertion.reason,
        draft.insertion.level,
        draft.style.package,
        draft.missing,
    )
    assert found == expected
    assert draft.title and draft.authors
    assert all(pieces(page.text) <= MAX_PIECES for page in draft.pages)
    for citation in draft.citations:
        text = draft.sources[citation.span.file].text
        assert text[citation.span.start : citation.span.end] == citation.key


def test_every_file_of_every_project_can_be_opened(shared_data: Path) -> None:
    """Whatever is opened first, a draft comes back, and no two files of one inclusion tree disagree."""
    for project in sorted((shared_data / "latex").iterdir()):
        if not project.is_dir():
            continue
        for path in sorted(project.rglob("*.tex"))[::9]:
            draft = read_draft(path, workspace=project, programs=False)
            assert draft.root.is_file()
            assert path in draft.files or path.suffix == ".tex"
