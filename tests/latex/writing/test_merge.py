"""What becomes of a generated section that its author edited, when it is written anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from texgeist_latex.types import EditPlan, ProseSection, ProseSentence
from texgeist_latex.writing.blocks import cited_in
from texgeist_latex.writing.edits import plan_related_work
from texgeist_latex.writing.habits import Layout
from texgeist_latex.writing.merge import LineBreaks, Merge, merge

from .conftest import DEVLIN, KINGMA, PAPERS, SECTION, Project

A = "Alpha reads whole papers \\citep{a}."
B = "Beta writes short abstracts \\citep{b}."
C = "Gamma ranks long lists \\citep{c}."
D = "Delta draws coloured maps \\citep{d}."
B2 = "Beta composes abstracts of few words \\citep{b}."
ONE_LINE = LineBreaks(Layout("sentence"))


def text(*sentences: str) -> str:
    return "\n\n" + "\n".join(sentences) + "\n"


MINE = "I say so myself."


@pytest.mark.parametrize(
    ("base", "theirs", "new", "merged"),
    [
        pytest.param((A, B), (A, B), (A, B2), (A, B2), id="a new wording"),
        pytest.param((A, B), (A, B), (A, C, B), (A, C, B), id="a new sentence"),
        pytest.param((A, B), (A, B), (B,), (B,), id="one less"),
        pytest.param((A, B), (A, MINE, B), (A, C, B2), (A, MINE, C, B2), id="the author's own"),
        pytest.param((A, B), (A, B, MINE), (A, B, C), (A, C, B, MINE), id="the author's closing sentence"),
        pytest.param((A, B, C), (A, C), (A, B2, C), (A, C), id="taken out, not even retold"),
        pytest.param((A, B, C), (C, A, B), (A, B2, C), (C, A, B2), id="moved"),
        pytest.param((A, B), (A, "% " + B), (A, B2), (A, "% " + B), id="commented out"),
        pytest.param((A, B), (A,), (A, B, D), (A, D), id="taken out, and something new"),
        pytest.param(
            (A, B),
            (A, "\\iffalse", MINE, "", B, "\\fi"),
            (A, B2, C),
            (A, "\\iffalse", MINE, "", B, "\\fi", C),
            id="in a branch that is never read",
        ),
        pytest.param((A, B), (A, B, C), (A, B, C), (A, B, C), id="both added the same"),
        pytest.param(
            (A, B),
            (A, "\\begin{quote}", B, "\\end{quote}"),
            (A, B2),
            (A, "\\begin{quote}", B, "\\end{quote}"),
            id="in an environment",
        ),
        pytest.param(
            (A, B),
            (A, "Beta~\\citep{own} writes", "short abstracts \\citep{b}."),
            (A, B),
            (A, "Beta~\\citep{own} writes", "short abstracts \\citep{b}."),
            id="a citation added",
        ),
    ],
)
def test_three_versions(
    base: tuple[str, ...], theirs: tuple[str, ...], new: tuple[str, ...], merged: tuple[str, ...]
) -> None:
    made = merge(text(*base), text(*theirs), text(*new), lines=ONE_LINE)
    assert made.text == text(*merged) and not made.kept


@pytest.mark.parametrize(
    ("base", "mine", "new"),
    [
        ((A, B), "Beta writes very short abstracts \\citep{b}.", B2),  # both changed it
        ((A,), "We love Delta for what it is \\citep{d}.", D),  # the author wrote of the paper meanwhile
    ],
)
def test_the_authors_sentence_stands_and_the_new_one_is_named(
    base: tuple[str, ...], mine: str, new: str
) -> None:
    made = merge(text(*base), text(A, mine), text(A, new))
    assert made.text == text(A, mine) and made.kept == ((mine, new),)


def test_what_was_taken_out_once_stays_out_for_good() -> None:
    first = merge(text(A, B), text(A), text(A, C))
    again = merge(text(A, C), first.text, text(A, B2, C), first.gone)
    assert again.text == text(A, C) and again.gone == (B,)


def test_what_was_taken_out_does_not_come_back_as_another_sentence_retold() -> None:
    """Two sentences on one paper: the one that stands is all that an alignment finds for the other."""
    one, two = "Alpha reads whole papers \\citep{a}.", "It needs large machines for long texts \\citep{a}."
    end = "Some of this is open."
    first = merge(text(one, two, end), text(one, end), text(one, end), lines=ONE_LINE)
    assert first == Merge(text(one, end), (), (two,))
    second = merge(text(one, end), first.text, text(two, end), first.gone, ONE_LINE)
    assert second == Merge(text(one, end), (), (two,))
    again = merge(text(one, end), first.text, text(one, two, end), first.gone, ONE_LINE)
    assert again.text == text(one, end)


def test_comments_to_the_author_comment_nothing_else_out() -> None:
    long = "% needs: " + "a figure that shows the whole of it " * 4
    new = f"\n\n{A}\n{long.strip()}\n{B2}\n\n{long.strip()}\n{C}\n\n{D}\n"
    made = merge(text(A, B), text(A, MINE, B), new).text
    live = [line for line in made.splitlines() if line and not line.startswith("%")]
    assert " ".join(live) == " ".join([A, MINE, B2, C, D])
    assert [line for line in made.splitlines() if line.startswith("%")] == [long.strip()] * 2
    again = merge(new, made, new.replace(long.strip(), ""))
    assert "%" not in again.text and MINE in again.text


def test_a_comment_amid_a_sentence_keeps_its_line_end() -> None:
    new = "\n\nAlpha reads whole % all\npapers \\citep{a}.\nBeta is % here\nand new \\citep{b}.\n"
    merged = merge(text(A), text(A, MINE), new, lines=ONE_LINE)
    assert "Beta is % here\nand new \\citep{b}." in merged.text
    assert "Alpha reads whole % all\npapers \\citep{a}." in merged.text
    assert MINE in merged.text


# -- in a project ------------------------------------------------------------------------------------

MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\section{Introduction} Words.\n"
    "\\bibliography{refs}\n\\end{document}\n"
)


def section(*sentences: ProseSentence) -> ProseSection:
    return ProseSection("Related Work", (sentences,))


@pytest.fixture
def written(project: Callable[..., Project]) -> tuple[Project, EditPlan]:
    one = project({"main.tex": MAIN, "refs.bib": ""})
    plan = plan_related_work(one.draft(), SECTION, PAPERS)
    one.write(plan)
    return one, plan


def edited(one: Project, old: str, new: str) -> None:
    text = one.text("main.tex")
    assert text.count(old) == 1
    (one.folder / "main.tex").write_text(text.replace(old, new))


def test_an_update_keeps_edits_and_adds_entries_for_new_citations_alone(
    project: Callable[..., Project],
) -> None:
    one = project({"main.tex": MAIN, "refs.bib": ""})
    about = {"bert": "Transformers are trained.", "adam": "Optimisers descend.", "nickel": "Spheres curve."}
    first = section(ProseSentence(about["bert"], ("bert",)), ProseSentence(about["adam"], ("adam",)))
    plan = plan_related_work(one.draft(), first, (DEVLIN, KINGMA))
    one.write(plan)
    edited(one, "Optimisers", "All optimisers")
    bib = one.text("refs.bib")
    new = section(ProseSentence("Steps are adapted.", ("adam",)), ProseSentence(about["nickel"], ("nickel",)))
    update = plan_related_work(one.draft(), new, PAPERS, written=plan.latex)
    one.write(update)
    text, after = one.text("main.tex"), one.text("refs.bib")
    assert "All optimisers" in text and "Spheres curve" in text
    assert "Transformers" not in text and "Steps" not in text
    assert after.startswith(bib) and after.count("@") == bib.count("@") + 1
    assert set(update.keys) == {"adam", "nickel"}
    [bert, adam, nickel] = [plan.keys["bert"], update.keys["adam"], update.keys["nickel"]]
    added, left, uncited, note = update.notes
    assert (
        f"added: {nickel}." in added and f"left out, because they were not chosen this time: {bert}." in left
    )
    assert f"now; they stay in the bibliography: {bert}." in uncited and adam not in added + left + uncited
    assert "so it stays" in note and "Steps are adapted" in note


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "last", ["no stop at my end", "\\todo{more}", "a \\", "\\textbf{half typed", "\\iffalse"]
)
def test_the_end_mark_keeps_its_line_whatever_the_author_wrote_last(
    project: Callable[..., Project], last: str, ends: str
) -> None:
    """A mark behind words is none: the next update could not tell any more what is generated."""
    one = project({"main.tex": MAIN.replace("\n", ends), "refs.bib": ""})
    first = section(ProseSentence("Transformers are trained.", ("bert",)))
    plan = plan_related_work(one.draft(), first, (DEVLIN, KINGMA))
    one.write(plan)
    file = one.folder / "main.tex"
    old = file.read_bytes().decode()
    mark = "% texgeist:end"
    file.write_bytes(old.replace(mark, f"{last}{ends}{mark}").encode())
    new = replace(first, paragraphs=(*first.paragraphs, (ProseSentence("Optimisers descend.", ("adam",)),)))
    before = plan.latex
    for _ in range(2):
        update = plan_related_work(one.draft(), new, PAPERS, written=before)
        if update.edits:
            one.write(update)
        before = update.written
    text = file.read_bytes().decode()
    lines = text.split(ends)
    assert text.count("Optimisers descend") == text.count(last) == 1
    assert [line for line in lines if mark in line] == ["% texgeist:end related-work"]
    assert last in lines


@pytest.mark.parametrize(
    ("block", "keys"),
    [
        ("Things \\cite{a}.\n% \\citet{b} show things.\n", {"a", "b"}),
        ("% \\iffalse\nA real one \\cite{a}.\n% \\fi\n", {"a"}),
        ("% \\begin{comment}\nA real one \\cite{a}.\n% and \\cite{b}\n", {"a", "b"}),
        ("\\iffalse\nOld \\cite{a}.\n\\fi\nNew \\cite{b}.\n", {"b"}),
        ("Nothing.\n", set()),
    ],
)
def test_what_is_cited_in_text_and_notes(block: str, keys: set[str]) -> None:
    assert cited_in(block) == keys


def test_run_in_headings_stand_and_go_with_their_paragraphs(project: Callable[..., Project]) -> None:
    def paragraph(title: str, text: str, key: str) -> tuple[ProseSentence, ...]:
        return ProseSentence(title, aside="heading"), ProseSentence(text, (key,))

    one = project({"main.tex": MAIN, "refs.bib": ""})
    first = paragraph("Training & text", "Transformers are trained.", "bert")
    second = paragraph("Descent", "Optimisers descend.", "adam")
    plan = plan_related_work(one.draft(), ProseSection("Related Work", (first, second)), PAPERS)
    one.write(plan)
    text = one.text("main.tex")
    assert "\\paragraph{Training \\& text.}\nTransformers are" in text and "\\paragraph{Descent.}" in text
    edited(one, "Transformers are", "All transformers are")
    third = paragraph("Geometry", "Spheres curve.", "nickel")
    new = ProseSection("Related Work", (first, second, third))
    one.write(plan_related_work(one.draft(), new, PAPERS, written=plan.latex))
    text = one.text("main.tex")
    assert text.count("\\paragraph{") == 3 and "All transformers are" in text
    assert text.index("Descent.}") < text.index("Geometry.}") < text.index("Spheres curve")
