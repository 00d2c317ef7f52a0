"""Works that a reviewer may miss: reported only above the ranker's threshold, each with its place in the draft."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_retrieval.pipeline.missing import LEAST_SCORE, MOST, missing_in, missing_note, unranked_note
from texgeist_retrieval.ranking.features import SHARE, WORDS
from texgeist_retrieval.types import (
    Candidate,
    Evidence,
    Paper,
    Passage,
    Query,
    QueryPart,
    Reasons,
    Result,
    Section,
    Selected,
    Sentence,
)
from texgeist_server.sections.missing import lines_of, missing_of, missing_request
from texgeist_server.sections.queries import section_query

from .editor import editor
from .test_command_line import fed


def found(id: str, score: float, cited: bool = False) -> Candidate:
    scores = {WORDS: score - 1.0, SHARE: 1.0}
    return Candidate(Paper(id, f"Paper {id}", "An abstract."), 0.5, 1, scores=scores, already_cited=cited)


def test_only_strong_uncited_works_are_missing_strongest_first() -> None:
    high = LEAST_SCORE + 1
    works = [
        found("a", high),
        found("b", high + 1),
        found("c", high, cited=True),
        found("d", LEAST_SCORE - 0.1),
    ]
    assert [c.paper.id for c in missing_in(works)] == ["b", "a"]
    assert [c.paper.id for c in missing_in(works, frozenset("b"))] == ["a"]
    unranked = replace(works[0], scores={"rank by words": 9.0})
    assert missing_in([unranked]) == [] and "relatedWork.order" in unranked_note([unranked])[0]
    assert unranked_note(works) == unranked_note([]) == ()
    assert len(missing_in([found(str(n), high) for n in range(20)])) == MOST
    assert (
        missing_note(works, frozenset("ab")) == () and "“Paper a”" in missing_note(works, frozenset("b"))[0]
    )


def test_a_work_that_only_the_generated_section_cites_is_cited(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(
        "@article{b, author={Birch, Bo}, title={Beta at Night}, year={2020}}\n"
    )
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\n"
        f"\\begin{{abstract}}{'Filler words stand here for now. ' * 12}\\end{{abstract}}\n"
        "% texgeist:begin related-work\nBeta reads \\cite{b}.\n% texgeist:end related-work\n"
        "\\bibliography{refs}\n\\end{document}\n"
    )
    draft = read_draft(tmp_path / "main.tex")
    assert [work.title for work in missing_request(draft).query.cited_works] == ["Beta at Night"]
    assert section_query(draft, "abstract").cited_works == ()


def test_a_work_has_its_place_and_what_a_model_would_say(tmp_path: Path) -> None:
    body = "\\section{Introduction}\n" + "Filler words stand here for now. " * 12
    source = f"\\documentclass{{article}}\\begin{{document}}\n{body}\n\nWe read \\emph{{whole}} papers at night, slowly.\n"
    (tmp_path / "main.tex").write_text(source + "\\end{document}\n")
    draft = read_draft(tmp_path / "main.tex")
    assert "We read whole papers at night, slowly." in missing_request(draft).sentences
    reasons = Reasons("We read whole papers at night, slowly.", "Beta reads.", relation="papers cite it")
    paper = Paper("b", "Beta", "Beta reads.", ("Bo Birch",), 2020)
    selected = Selected(
        Candidate(paper, 0.5, 1),
        (Evidence("1", Passage("b", None, "Beta reads."), 0.5, 0.5),),
        reasons=reasons,
    )
    section = Section("", ((Sentence("Beta reads at night.", ("1",)), Sentence("Another.", ())),))
    query = Query("abstract", (QueryPart("words", "abstract"),))
    [work] = missing_of(draft, Result(query=query, section=section, selected=(selected,), left_out=()))
    assert work.place == "main.tex:5" and work.said == "Beta reads at night."
    assert [line.split(":")[0] for line in lines_of(work)] == ["Why", "Where", "It says", "You could write"]


@pytest.mark.model
async def test_the_command_names_what_is_missing_and_is_silent_after_it_is_cited(
    paper: Path, searching: dict[str, str], tmp_path: Path
) -> None:
    first = fed(searching, "", "missing", "main.tex", cwd=paper)
    assert first.returncode == 0 and "Why:" in first.stdout and "It says:" in first.stdout, first.stderr
    [(title, id)] = re.findall(r"^\[1\] [^.]*\. (.+?)\. https://arxiv.org/abs/(\S+)", first.stdout, re.M)
    place = re.search(r"Where: (\S+\.tex):(\d+), “(\w+)", first.stdout)
    assert place and place[3] in "".join((paper / place[1]).read_text().splitlines(True)[int(place[2]) - 1 :])
    async with editor(paper, env=searching) as one:
        uri = one.open(paper / "main.tex")
        await one.execute("missingWorks", {"uri": uri})
        await one.until(lambda: bool(one.panels), 90)
        assert title[:20] in one.panels[0]["markdown"]
    bib = paper / "references.bib"
    bib.write_text(bib.read_text() + f"\n@misc{{now, title = {{{title}}}, eprint = {{{id}}}}}\n")
    main = (paper / "main.tex").read_text()
    (paper / "main.tex").write_text(main.replace("\\begin{document}", "\\begin{document}\\cite{now}"))
    assert title not in fed(searching, "", "missing", "main.tex", cwd=paper).stdout
    soup = "\\documentclass{article}\\begin{document}\\begin{abstract}We cook soup of onions in old pots over open fires, and taste it on cold winter evenings.\\end{abstract}\\end{document}"
    (tmp_path / "soup.tex").write_text(soup)
    last = fed(searching, "", "missing", "soup.tex", cwd=tmp_path)
    assert last.returncode == 5 and "nearest to your draft (index: " in " ".join(last.stderr.split()), (
        last.stderr
    )
