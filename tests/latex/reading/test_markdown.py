"""Quarto and Markdown: keys, entries and citations as in LaTeX; sections are not written there."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.errors import NoPlace, Unfit
from texgeist_latex.reading.cited_sentences import cited_sentences
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.tex.markdown import plain_markdown, scan_markdown
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.edits import plan_citation, plan_related_work
from texgeist_latex.writing.renaming import check_key, plan_renaming, with_sources_of

from ...processor_time import seconds

PAPER = """---
title: "Half of the Bees: 50 %"
author:
  - name: Ann Smith
  - Bo Li
bibliography:
  - refs.bib
abstract: |
  We study bees. They dance
  a lot.
---

# Introduction {#sec-intro}

Bees dance in 50 % of cases [@smith2020; see -@li:21, p. 3]. As @smith2020 shows in @fig-one, write to me@x.org.
We use late *interaction*, which costs 5 \\$ ([a link](https://x.org/@user)).

```r
x@slot [@nokey]
```

Code is `@code`, and <!-- [@hidden] --> mathematics $x@y$ too. Missing [@nobody2000].
"""
REFS = """@article{smith2020, title={Late interaction}, author={Smith, Ann}, year={2020}}
@article{li:21, title={Bees}, author={Li, Bo}, year={2021}}
"""
NEW = Reference("x", "Retrieval of Flowers", ("Ada King",), 2024, arxiv_id="2401.00001")


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    (tmp_path / "refs.bib").write_text(REFS)
    (tmp_path / "paper.qmd").write_text(PAPER)
    return tmp_path / "paper.qmd"


def test_what_is_read(paper: Path) -> None:
    draft = read_draft(paper, programs=False)
    assert [(c.key, c.command) for c in draft.citations] == [
        ("smith2020", "@"), ("li:21", "@"), ("smith2020", "@text"), ("nobody2000", "@"),
    ]  # fmt: skip
    assert all(PAPER[c.span.start : c.span.end] == c.key for c in draft.citations)
    assert draft.title == "Half of the Bees: 50 %" and draft.authors == ("Ann Smith", "Bo Li")
    assert draft.abstract == "We study bees. They dance a lot."
    assert [(h.title, h.level) for h in draft.headings] == [("Introduction", 1)]
    assert [p.code for p in draft.problems] == ["undefined-citation"]
    assert "Bees dance in 50 % of cases." in draft.pages[0].text and "interaction" in draft.pages[0].text


def test_without_a_bibliography_nothing_is_a_citation_by_mistake(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Thanks to @octocat and [@octocat](https://x.org).\n")
    assert read_draft(tmp_path / "README.md", programs=False).problems == ()


@pytest.mark.parametrize(
    ("needle", "written"),
    [
        ("late *inter", "costs 5 \\$ ([a link](https://x.org/@user)) [@king2024]."),
        ("shows in", "write to me@x.org [@king2024]."),
        ("dance in", "[@smith2020; see -@li:21, p. 3; @king2024]"),  # the page belongs to the key before it
        ("smith2020; see", "[@smith2020; see -@li:21, p. 3; @king2024]"),
    ],
)
def test_a_sentence_gets_its_citation(paper: Path, needle: str, written: str) -> None:
    draft = read_draft(paper, programs=False)
    plan = plan_citation(draft, paper, PAPER.index(needle) + 1, [NEW])
    apply_plan(plan, draft)
    now = paper.read_text()
    assert written in now and len(now) == len(PAPER) + len(plan.edits[0].text)
    assert "{king2024," in (paper.parent / "refs.bib").read_text()


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("Bees [@{li:21}].", "Bees [@{li:21}; @king2024]."),
        ("Bees^[See @li:21 for it.] dance.", "Bees^[See @li:21 for it.] dance [@king2024]."),
        ("Bees, as in @li:21 [p. 3], dance.", "Bees, as in @li:21 [p. 3], dance [@king2024]."),
        ("- Bees dance\n- Ants sing", "- Bees dance [@king2024]\n- Ants sing"),
        ("| Bees | 1 |\n|---|---|\n| a | b |", "| Bees [@king2024] | 1 |\n|---|---|\n| a | b |"),
        ("Bees dance\n## Next\nAnd so on.", "Bees dance [@king2024]\n## Next\nAnd so on."),
        ("Bees dance\n```r\n# x\n```\nso.", "Bees dance [@king2024]\n```r\n# x\n```\nso."),
        ("![Bees dance](x.png){#fig-a}", "![Bees dance [@king2024]](x.png){#fig-a}"),
    ],
)
def test_a_citation_stays_in_its_item_and_harms_no_other(paper: Path, body: str, written: str) -> None:
    paper.write_text(f"---\nbibliography: refs.bib\n---\n{body}\n")
    draft = read_draft(paper, programs=False)
    apply_plan(plan_citation(draft, paper, paper.read_text().index("Bees") + 2, [NEW]), draft)
    assert paper.read_text().endswith(f"---\n{written}\n")


def test_sentences_with_citations_end_at_code_items_and_headings(tmp_path: Path) -> None:
    path = tmp_path / "a.qmd"
    path.write_text(
        "---\ntitle: Secret plans\n---\nBees dance in the sun [@a]\n- Ants sing at great length [@b]\n"
        "- Wasps sting now and then [@c]\n```r\nx <- 1\n\ny <- 2\n```\nFlies fly as fast as [@d].\n"
    )
    assert [(s.text, s.keys) for s in cited_sentences(read_draft(path, programs=False))] == [
        ("Bees dance in the sun", ("a",)),
        ("Ants sing at great length", ("b",)),
        ("Wasps sting now and then", ("c",)),
        ("Flies fly as fast as.", ("d",)),
    ]


def test_keys_that_pandoc_reads_in_part_are_in_braces(paper: Path) -> None:
    (paper.parent / "refs.bib").write_text("@misc{k(1), title={Retrieval of Flowers}, eprint={2401.00001}}\n")
    draft = read_draft(paper, programs=False)
    assert plan_citation(draft, paper, PAPER.index("late *inter"), [NEW]).edits[0].text == " [@{k(1)}]"
    with pytest.raises(Unfit):
        check_key(draft, "smith2020", "smith;2020")


@pytest.mark.parametrize(
    "yaml",
    [
        'author: "Ann Smith and Bo Li"',
        "author: Ann Smith, Bo Li",
        "author: [Ann Smith, Bo Li]",
        "author: ['Ann Smith',\n  \"Bo Li\"]",
        "author: [{name: Ann Smith, affiliation: Lake Campus}, {name: Bo Li}]",
        "author:\n- Ann Smith\n- Bo Li",
        "author:\n  - name: Ann Smith\n    affiliation: Lake Campus\n    email: ann@x.org\n  - name: Bo Li",
        "author:\n  - name: Ann Smith\n    affiliations:\n      - name: Lake Campus\n      - Hill Campus\n  - name: Bo Li",
    ],
)
def test_authors(tmp_path: Path, yaml: str) -> None:
    (tmp_path / "a.qmd").write_text(f"---\n{yaml}\ntitle: On Bees\n---\nText\n")
    draft = read_draft(tmp_path / "a.qmd", programs=False)
    assert draft.authors == ("Ann Smith", "Bo Li") and draft.title == "On Bees"


def test_no_section_is_written(paper: Path) -> None:
    draft = read_draft(paper, programs=False)
    section = ProseSection("Related Work", ((ProseSentence("Bees.", ("x",)),),))
    with pytest.raises(NoPlace):
        plan_related_work(draft, section, [NEW])


def test_a_quarto_project_names_bibliographies_and_shares_keys(tmp_path: Path) -> None:
    (tmp_path / "_quarto.yml").write_text("project:\n  type: book\nbibliography: refs.bib\n")
    (tmp_path / "refs.bib").write_text(REFS)
    for name in ("one.qmd", "two.qmd"):
        (tmp_path / name).write_text("# A\n\nSee [@smith2020] and @li:21.\n")
    draft = read_draft(tmp_path / "one.qmd", programs=False)
    assert not draft.problems and len(draft.bibliographies[0].entries) == 2
    named = read_draft(tmp_path / "one.qmd", root=tmp_path / "one.qmd", workspace=tmp_path, programs=False)
    assert named.bibliographies == draft.bibliographies
    model = Workspace([tmp_path], programs=False)
    assert model.root(tmp_path / "refs.bib") == tmp_path / "one.qmd"
    assert (
        len(model.references(tmp_path / "refs.bib", 12)) == 2
    )  # the citation in this document and the entry
    draft = model.draft(tmp_path / "one.qmd")
    others = model.sharing(draft, "li:21")
    apply_plan(plan_renaming(draft, "li:21", "li2021", others), with_sources_of(draft, others))
    assert {(tmp_path / n).read_text() for n in ("one.qmd", "two.qmd")} == {
        "# A\n\nSee [@smith2020] and @li2021.\n"
    }
    assert "{li2021," in (tmp_path / "refs.bib").read_text()


def test_latex_does_not_include_markdown(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("---\nbibliography: refs.bib\n---\nThanks to @octocat.\n")
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\input{README.md}\\end{document}"
    )
    assert read_draft(tmp_path / "main.tex", programs=False).citations == ()


def test_the_project_file_may_not_lead_out(tmp_path: Path) -> None:
    inside = tmp_path / "paper"
    inside.mkdir()
    (tmp_path / "secret.yml").write_text("bibliography: stolen.bib\n")
    (inside / "_quarto.yml").symlink_to(tmp_path / "secret.yml")
    (inside / "a.qmd").write_text("Text [@key].\n")
    assert read_draft(inside / "a.qmd", workspace=inside, programs=False).bibliographies == ()


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("[@", 2),
        ("[@li", 1),
        ("see @", 2),
        ("me@", 0),
        ("`x @", 0),
        ("\n```{python}\n@", 0),
        ("\\@", 0),
        ("[@smith2020; @", 2),
    ],
)
def test_keys_are_completed(paper: Path, typed: str, keys: int) -> None:
    text = PAPER.replace("Missing", f"{typed}\n\nMissing")
    workspace = Workspace([paper.parent], programs=False)
    workspace.open(paper, text)
    found = workspace.complete(paper, text.index(f"{typed}\n\nMissing") + len(typed))
    assert len(found) == keys
    assert all(text[one.span.start - 1] == "@" for one in found)


@pytest.mark.parametrize(("typed", "written"), [("@{b(1", "b(1)}"), ("@b", "{b(1)}")])
def test_a_key_that_needs_braces_is_completed_with_them(paper: Path, typed: str, written: str) -> None:
    (paper.parent / "refs.bib").write_text("@misc{b(1), title={Bees}}\n")
    workspace = Workspace([paper.parent], programs=False)
    workspace.open(paper, f"---\nbibliography: refs.bib\n---\nSee {typed}\n")
    offset = len(workspace.text(paper) or "") - 1
    assert [one.written for one in workspace.complete(paper, offset)] == [written]


@pytest.mark.parametrize(
    "text",
    ["[@" * 50_000, "`" * 100_000, "`a" * 100_000, "$a " * 100_000, "---\n" * 50_000, "<!--" * 50_000,
     "```\n" * 30_001, "[a" * 100_000, "@a:" * 50_000, "---\nauthor:\n" + "  - x\n" * 50_000, "$$a" * 50_000,
     "# a" + " " * 50_000 + "x", "---\ntitle: a" + " " * 100_000 + "b\n---\n", "[](" * 100_000, "![" * 100_000,
     "[" + "@" * 100_000, "# a" + "#{" * 50_000],
)  # fmt: skip
def test_reading_takes_linear_time(text: str) -> None:
    assert seconds(scan_markdown, text) < 3 and seconds(plain_markdown, text) < 3
