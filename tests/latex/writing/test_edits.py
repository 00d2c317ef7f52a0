"""Plans drawn as documents: what stands in the files after the edits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from texgeist_latex.errors import NoPlace
from texgeist_latex.types import ProseSection, ProseSentence, Reference, Span
from texgeist_latex.writing.edits import (
    plan_answer,
    plan_citation,
    plan_related_work,
    plan_removal,
    plan_section,
)

from .conftest import ADAM_BIB, NICKEL, PAPERS, SECTION

NATBIB = r"""\documentclass{article}
\usepackage{natbib}
\begin{document}
\begin{abstract}We study models.\end{abstract}
\section{Introduction}\label{sec:intro}
Optimisers matter \citep{kingma2015adam}.

\section{Method}\label{sec:method}
Ours.
\bibliographystyle{plainnat}
\bibliography{refs}
\end{document}
"""


def test_natbib(project):
    here = project({"main.tex": NATBIB, "refs.bib": ADAM_BIB})
    plan = plan_related_work(here.draft(), SECTION, PAPERS)
    after = here.after(plan)
    assert after["main.tex"] == snapshot("""\
\\documentclass{article}
\\usepackage{natbib}
\\begin{document}
\\begin{abstract}We study models.\\end{abstract}
\\section{Introduction}\\label{sec:intro}
Optimisers matter \\citep{kingma2015adam}.

% texgeist:begin related-work
\\section{Related Work}
\\label{sec:related-work}

Models are trained on text~\\citep{devlin2018bert,nickel2017poincare}. More
recently, \\citet{kingma2015adam} propose an optimiser.

Our work differs.
% texgeist:end related-work

\\section{Method}\\label{sec:method}
Ours.
\\bibliographystyle{plainnat}
\\bibliography{refs}
\\end{document}
""")
    assert after["refs.bib"] == snapshot("""\
@article{kingma2015adam,
  title = {Adam: a method},
  author = {Kingma, Diederik P. and Ba, Jimmy},
  journal = {arXiv preprint arXiv:1412.6980},
  year = {2015},
}

@misc{devlin2018bert,
  title = {{BERT}: Pre-training of Deep Transformers},
  author = {Devlin, Jacob and Chang, Ming-Wei and Lee, Kenton},
  year = {2018},
  eprint = {1810.04805},
  archivePrefix = {arXiv},
  primaryClass = {cs.CL},
  url = {https://arxiv.org/abs/1810.04805},
}

@misc{nickel2017poincare,
  title = {{Poincar{\\'e}} Embeddings},
  author = {Nickel, Maximilian},
  year = {2017},
  eprint = {1705.08039},
  archivePrefix = {arXiv},
  url = {https://arxiv.org/abs/1705.08039},
}
""")
    assert plan.keys == {"bert": "devlin2018bert", "adam": "kingma2015adam", "nickel": "nickel2017poincare"}
    assert plan.reused == {"adam"}
    assert plan.sentence_latex == snapshot(
        (
            "Models are trained on text~\\citep{devlin2018bert,nickel2017poincare}.",
            "More recently, \\citet{kingma2015adam} propose an optimiser.",
            "Our work differs.",
        )
    )
    assert [edit.file.name for edit in plan.edits] == ["main.tex", "refs.bib"]


@pytest.mark.parametrize("style", ["\\usepackage{natbib}/citep/abbrv", "/cite/plain"])
def test_authors_are_written_out_where_the_style_prints_none(project, style: str):
    package, cite, name = style.split("/")
    text = NATBIB.replace("\\usepackage{natbib}", package).replace("citep", cite).replace("plainnat", name)
    plan = plan_related_work(project({"main.tex": text, "refs.bib": ADAM_BIB}).draft(), SECTION, PAPERS)
    assert plan.sentence_latex == (
        f"Models are trained on text~\\{cite}{{devlin2018bert,nickel2017poincare}}.",
        f"More recently, Kingma and Ba~\\{cite}{{kingma2015adam}} propose an optimiser.",
        "Our work differs.",
    )


BIBLATEX = r"""\documentclass{article}
\usepackage{biblatex}
\addbibresource{refs.bib}
\begin{document}
\section{Einleitung}
Wir untersuchen die Frage, wie man mit den Modellen auf der Basis von Texten arbeiten kann, und das ist
nicht ganz neu \autocite{kingma2015adam}. Die Arbeit von \textcite{kingma2015adam} ist für uns wichtig.
\section{Methode}
Der Rest.
\printbibliography
\end{document}
"""


def test_biblatex_in_german(project):
    here = project({"main.tex": BIBLATEX, "refs.bib": ADAM_BIB})
    plan = plan_related_work(here.draft(), SECTION, PAPERS)
    after = here.after(plan)
    assert (
        "ist für uns wichtig.\n\n% texgeist:begin related-work\n\\section{Verwandte Arbeiten}\n\n"
        in after["main.tex"]
    )
    assert plan.sentence_latex == (
        "Models are trained on text~\\autocite{devlin2018bert,nickel2017poincare}.",
        "More recently, \\textcite{kingma2015adam} propose an optimiser.",
        "Our work differs.",
    )
    new = after["refs.bib"].removeprefix(ADAM_BIB)
    assert new.startswith("\n@online{devlin2018bert,") and "title = {{Poincaré} Embeddings}" in new


def test_thebibliography(project):
    body = "\\section{Introduction}\nWe follow \\cite{adam15}.\n\\section{Method}\n"
    items = "\\begin{thebibliography}{9}\n\\bibitem{adam15} D. P. Kingma and J. Ba. Adam: A method. 2015.\n"
    end = "\\end{thebibliography}\n\\end{document}\n"
    here = project({"main.tex": f"\\documentclass{{article}}\n\\begin{{document}}\n{body}{items}{end}"})
    plan = plan_related_work(here.draft(), SECTION, PAPERS)
    after = here.after(plan)["main.tex"]
    assert "Kingma and Ba~\\cite{adam15} propose an optimiser." in after
    assert (
        after[after.index(items) :]
        == items
        + """\

\\bibitem{devlin2018bert}
Jacob Devlin, Ming-Wei Chang, and Kenton Lee. BERT: Pre-training of Deep Transformers. arXiv:1810.04805, 2018.

\\bibitem{nickel2017poincare}
Maximilian Nickel. Poincar{\\'e} Embeddings. arXiv:1705.08039, 2017.

"""
        + end
    )
    assert plan.reused == {"adam"}


@pytest.mark.parametrize(
    ("package", "before", "after"),
    [
        ("", "", "\\bibliographystyle{plain}\n\\bibliography{references}\n\n"),
        (
            "\\usepackage[style=apa]{biblatex}\n",
            "\\addbibresource{references.bib}\n",
            "\\printbibliography\n\n",
        ),
    ],
)
def test_no_bibliography_yet(project, package: str, before: str, after: str):
    body = "\\begin{document}\n\\section{Introduction}\nText.\n"
    here = project({"main.tex": f"\\documentclass{{article}}\n{package}{body}\\end{{document}}\n"})
    plan = plan_related_work(here.draft(), SECTION, PAPERS)
    text = here.after(plan)["main.tex"]
    assert text.startswith(f"\\documentclass{{article}}\n{package}{before}{body}\n% texgeist:begin")
    assert text.endswith(f"% texgeist:end related-work\n\n{after}\\end{{document}}\n")
    assert [path.name for path in plan.new_files] == ["references.bib"]
    here.write(plan)
    [bib] = here.draft().bibliographies
    assert bib.path.name == "references.bib" and len(bib.entries) == 3


@pytest.mark.parametrize("options", ["", "[overwrite]"])
@pytest.mark.parametrize("on_disk", [True, False])
def test_a_bibliography_that_the_document_writes_is_not_written_to(project, options: str, on_disk: bool):
    """LaTeX overwrites it, or makes it anew after a clean-up: entries in it would be lost."""
    written = f"\\begin{{filecontents*}}{options}{{refs.bib}}\n{ADAM_BIB}\\end{{filecontents*}}\n"
    here = project({"main.tex": written + NATBIB, **({"refs.bib": ADAM_BIB} if on_disk else {})})
    plan = plan_related_work(here.draft(), SECTION, PAPERS)
    assert [path.name for path in plan.new_files] == ["references.bib"]
    assert ("adam" in plan.reused) == on_disk
    assert "\\bibliography{refs,references}" in here.after(plan)["main.tex"]
    section = ProseSection("", ((ProseSentence("Words.", ("x",)),),))
    other = Reference("x", "Adam and Eve", ("Diederik Kingma",), 2015)
    assert plan_related_work(here.draft(), section, [other]).keys["x"] == "kingma2015adama"
    here.write(plan)
    assert not on_disk or here.text("refs.bib") == ADAM_BIB
    again = plan_related_work(here.draft(), SECTION, PAPERS)
    assert again.reused == {paper.id for paper in PAPERS} and again.entries == ""


def test_into_the_documents_own_section(project):
    text = NATBIB.replace("\\section{Method}", "\\section{Related Work}\nOld words.\n\n\\section{Method}")
    here = project({"main.tex": text, "refs.bib": ADAM_BIB})
    after = here.after(plan_related_work(here.draft(), SECTION, PAPERS))["main.tex"]
    assert after.count("\\section{Related Work}") == 1
    assert "Old words.\n\n% texgeist:begin related-work\nModels" in after
    assert "% texgeist:end related-work\n\n\\section{Method}" in after


def test_again_replaces_what_it_wrote_and_nothing_else(project):
    here = project({"main.tex": NATBIB, "refs.bib": ADAM_BIB})
    here.write(plan_related_work(here.draft(), SECTION, PAPERS))
    renamed = here.text("main.tex").replace("\\section{Related Work}", "\\section{What Others Did}")
    (here.folder / "main.tex").write_text(renamed, "utf-8")
    bib = here.text("refs.bib")
    section = ProseSection("Related Work", ((ProseSentence("New words.", ("bert",)),),))
    plan = plan_related_work(here.draft(), section, PAPERS)
    assert plan.reused == {"bert"} and plan.entries == ""
    here.write(plan)
    assert here.text("refs.bib") == bib
    before, _, after = re.split(r"(% texgeist:begin.*texgeist:end related-work)", renamed, flags=re.DOTALL)
    written = here.text("main.tex")
    assert written.startswith(before) and written.endswith(after)
    assert written[len(before) : len(written) - len(after)] == snapshot("""\
% texgeist:begin related-work
\\section{What Others Did}
\\label{sec:related-work}

New words~\\citep{devlin2018bert}.
% texgeist:end related-work\
""")


def test_a_bibliography_inside_the_markers_is_never_swallowed(project):
    text = NATBIB.replace("\\bibliographystyle", "% texgeist:begin related-work\n\\bibliographystyle")
    text = text.replace("\\end{document}", "% texgeist:end related-work\n\\end{document}")
    here = project({"main.tex": text, "refs.bib": ADAM_BIB})
    for plan in (
        lambda: plan_related_work(here.draft(), SECTION, PAPERS),
        lambda: plan_removal(here.draft(), "related-work"),
    ):
        with pytest.raises(NoPlace, match="contains the bibliography"):
            plan()


BEGIN, END = "% texgeist:begin related-work\n", "% texgeist:end related-work\n"


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        (BEGIN + "Words.\n", "“% texgeist:end related-work” is missing or damaged: .* main.tex, line"),
        (BEGIN + "Words.\n% texgeist:end related-wrk\n", "texgeist:end related-work” is missing"),
        (BEGIN + "Words.\n" + BEGIN + "More.\n" + END, "texgeist:end related-work” is missing"),
        (END + "Words.\n" + BEGIN, "“% texgeist:begin related-work” is missing"),
        ("Words.\n" + END, "“% texgeist:begin related-work” is missing"),
        (
            BEGIN + "% texgeist:begin answer-1\n% texgeist:end answer-1\n" + END,
            "end related-work” is missing",
        ),
        ("% texgeist:begin answer-7\nWords.\n", "texgeist:end answer-7” is missing"),
        (2 * (BEGIN + "Words.\n" + END), "Two generated texts are called related-work: main.tex, line"),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_marks_that_are_not_whole(project, damaged: str, words: str, ends: str):
    """A second section within the first would be all that came of them."""
    text = NATBIB.replace("\\section{Method}", f"{damaged}\\section{{Method}}").replace("\n", ends)
    here = project({"main.tex": text, "refs.bib": ADAM_BIB})
    root = here.folder / "main.tex"
    for plan in (
        lambda: plan_related_work(here.draft(), SECTION, PAPERS),
        lambda: plan_removal(here.draft(), "related-work"),
        lambda: plan_answer(here.draft(), root, text.index("Ours"), SECTION, PAPERS),
    ):
        with pytest.raises(NoPlace, match=words) as refused:
            plan()
        assert "\n" not in refused.value.sentence() and refused.value.help
    plan_citation(here.draft(), root, text.index("Ours"), PAPERS)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_git_could_not_merge_is_left_alone(project, ends: str):
    """A sentence that is brought in beside two versions of another is one more thing to be put right by hand."""
    both = BEGIN + "One.\n<<<<<<< HEAD\nMine.\n=======\nTheirs.\n>>>>>>> theirs\n" + END
    text = NATBIB.replace("\\section{Method}", f"{both}\\section{{Method}}").replace("\n", ends)
    here = project({"main.tex": text, "refs.bib": ADAM_BIB})
    line = text.count("\n", 0, text.index("<<<<<<<")) + 1
    for plan in (
        lambda: plan_related_work(here.draft(), SECTION, PAPERS),
        lambda: plan_removal(here.draft(), "related-work"),
    ):
        with pytest.raises(NoPlace, match=f"two versions .* main.tex, line {line}") as refused:
            plan()
        assert "\n" not in refused.value.sentence() and refused.value.help


def test_removal(project):
    """Entries stay, and so does what cites them elsewhere."""
    text = NATBIB.replace("Ours.", "Ours \\citep{devlin2018bert}.")
    here = project({"main.tex": NATBIB, "refs.bib": ADAM_BIB})
    here.write(plan_related_work(here.draft(), SECTION, PAPERS))
    here.root.write_text(here.text("main.tex").replace("Ours.", "Ours \\citep{devlin2018bert}."))
    here.write(plan_removal(here.draft(), "related-work"))
    assert here.text("main.tex") == text
    assert not [problem for problem in here.draft().problems if problem.code == "undefined-citation"]
    with pytest.raises(NoPlace, match="related-work"):
        plan_removal(here.draft(), "related-work")


def test_crlf_stays_crlf(project):
    here = project({"main.tex": NATBIB.replace("\n", "\r\n"), "refs.bib": ADAM_BIB.replace("\n", "\r\n")})
    here.write(plan_related_work(here.draft(), SECTION, PAPERS))
    for name in ("main.tex", "refs.bib"):
        text = here.text(name)
        assert "devlin2018bert" in text
        assert text.count("\r\n") == text.count("\n")
    here.write(plan_related_work(here.draft(), SECTION, PAPERS))
    assert here.text("main.tex").count("texgeist:begin") == 1
    here.write(plan_removal(here.draft(), "related-work"))
    assert here.text("main.tex") == NATBIB.replace("\n", "\r\n")


def test_a_file_in_latin_1_gets_what_fits_it(project):
    text = NATBIB.replace("natbib}", "natbib}\n\\usepackage[latin1]{inputenc}").replace("Ours", "Schlüssel")
    bib = ADAM_BIB.replace("Diederik", "Diédérik").encode("latin-1")
    here = project({"main.tex": text.encode("latin-1"), "refs.bib": bib})
    paper = Reference("x", "Poincaré 深度", ("François Łukasz",), 2020, "2001.00001")
    section = ProseSection("", ((ProseSentence("Poincaré and Łukasz — 深度.", ("x",)),),))
    plan = plan_related_work(here.draft(), section, [paper])
    assert any("深" in note for note in plan.notes)
    here.write(plan)
    written = here.root.read_bytes().decode("latin-1")
    assert "Poincaré and {\\L}ukasz --- ?~\\citep{lukasz2020poincare}." in written
    entry = (here.folder / "refs.bib").read_bytes().removeprefix(bib).decode("latin-1")
    assert "author = {{\\L}ukasz, François}" in entry


def test_the_bibliography_that_the_neighbourhood_cites(project):
    text = NATBIB.replace("{refs}", "{strings,other,refs}")
    other = "@misc{x1, title={X}}\n@misc{x2, title={Y}}\n"
    here = project(
        {"main.tex": text, "refs.bib": ADAM_BIB, "other.bib": other, "strings.bib": "@string{a = {b}}\n"}
    )
    plan = plan_related_work(here.draft(), SECTION, PAPERS)
    assert plan.edits[-1].file.name == "refs.bib"
    assert "refs.bib" in plan.notes[0]
    asked = plan_related_work(here.draft(), SECTION, PAPERS, bibliography=Path("other.bib"))
    assert asked.edits[-1].file.name == "other.bib"
    new = plan_related_work(here.draft(), SECTION, PAPERS, bibliography=Path("texgeist.bib"))
    assert here.after(new)["main.tex"].count("\\bibliography{strings,other,refs,texgeist}") == 1


@pytest.mark.parametrize(
    ("end", "gap"),
    [
        ("}", "}\n\n@misc"),
        ("}\n", "}\n\n@misc"),
        ("}\n\n", "}\n\n@misc"),
        ("} % note", "} % note\n\n@misc"),
        ("}\n  \n", "}\n  \n@misc"),
    ],
)
def test_appending_minds_the_last_line(project, end: str, gap: str):
    bib = ADAM_BIB.rstrip().removesuffix("}") + end
    here = project({"main.tex": NATBIB, "refs.bib": bib})
    here.write(plan_related_work(here.draft(), SECTION, PAPERS))
    assert here.text("refs.bib").startswith(bib)
    assert gap in here.text("refs.bib")
    assert len(here.draft().bibliographies[0].entries) == 3


def test_an_unclosed_entry_is_not_appended_to(project):
    here = project({"main.tex": NATBIB, "refs.bib": ADAM_BIB + "@misc{cut, title = {half\n"})
    with pytest.raises(NoPlace, match=r"line 7.*never closed"):
        plan_related_work(here.draft(), SECTION, PAPERS)


@pytest.mark.parametrize(
    ("bib", "body"),
    [
        ("@misc{devlin2018bert title = {x}}\n" + ADAM_BIB, "Ours."),  # BibTeX may read the broken key
        (ADAM_BIB, "Ours \\citep{devlin2018bert}."),  # cited, but defined nowhere
    ],
)
def test_a_key_that_is_in_use_is_not_given(project, bib: str, body: str):
    here = project({"main.tex": NATBIB.replace("Ours.", body), "refs.bib": bib})
    assert plan_related_work(here.draft(), SECTION, PAPERS).keys["bert"] == "devlin2018berta"


def test_only_cited_papers_get_entries_and_only_known_ones_are_cited(project):
    here = project({"main.tex": NATBIB, "refs.bib": ADAM_BIB})
    one = ProseSection("", ((ProseSentence("Words.", ("bert",)),),))
    assert plan_related_work(here.draft(), one, PAPERS).entries.count("@misc") == 1
    with pytest.raises(ValueError, match="ghost"):
        plan_related_work(here.draft(), ProseSection("", ((ProseSentence("x", ("ghost",)),),)), PAPERS)


def test_at_the_cursor_never_within_an_environment(project):
    text = NATBIB.replace("Ours.", "Ours.\n\\begin{figure}\n\\caption{A long|caption}\n\\end{figure}\nMore.")
    offset = text.index("|")
    here = project({"main.tex": text.replace("|", " "), "refs.bib": ADAM_BIB})
    at = Span(here.root, offset, offset)
    after = here.after(plan_related_work(here.draft(), SECTION, PAPERS, at=at))["main.tex"]
    assert "\\end{figure}\nMore.\n\n% texgeist:begin" in after
    with pytest.raises(NoPlace, match="preamble"):
        plan_related_work(here.draft(), SECTION, PAPERS, at=Span(here.root, 3, 3))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It is kn|own. Next.", "It is known~NEW. Next."),
        ("Nets| and trees, etc. Next.", "Nets and trees, etc~NEW. Next."),
        ("It is known.| Next.", "It is known~NEW. Next."),
        ("It is| known, e.g. by us\nand Fig. 3 in it. Next.", "It is known, e.g. by us\nand Fig. 3 in it~NEW. Next."),
        ("It is| known \\citep{kingma2015adam}. Next.", "It is known BOTH. Next."),
        ("Known \\citep{king|ma2015adam} so.", "Known BOTH so."),
        ("It is| known for $x. y$ too. Next.", "It is known for $x. y$ too~NEW. Next."),
        ("No s|top\n\nNext.", "No stop~NEW\n\nNext."),
        ("Is| it? % why. not\nNext.", "Is it~NEW? % why. not\nNext."),
        ("\\begin{itemize}\\item On|e\n\\item Two\\end{itemize}", "\\begin{itemize}\\item One~NEW\n\\item Two\\end{itemize}"),
    ],
)  # fmt: skip
def test_citation_in_a_sentence(project, sentence: str, expected: str):
    expected = expected.replace("NEW", "\\citep{nickel2017poincare}")
    expected = expected.replace("BOTH", "\\citep{kingma2015adam,nickel2017poincare}")
    text = NATBIB.replace("Ours.", sentence)
    here = project({"main.tex": text.replace("|", ""), "refs.bib": ADAM_BIB})
    plan = plan_citation(here.draft(), here.root, text.index("|"), [NICKEL])
    assert here.after(plan)["main.tex"] == NATBIB.replace("Ours.", expected)
    assert "@misc{nickel2017poincare," in here.after(plan)["refs.bib"]
    assert plan.latex.lstrip("~").startswith("\\citep{") and plan.latex in expected


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("Ours. % a comm|ent here", "comment"),
        ("\\begin{equation}\na |= b. c\n\\end{equation}", "running text"),
        ("x \\[ a |+ b. \\] y", "running text"),
        ("\\begin{align*}a|&b\\end{align*}", "running text"),
        ("\\usepackage{nat|bib}", "running text"),
    ],
)
def test_no_citation_where_no_text_runs(project, place: str, words: str):
    text = NATBIB.replace("\\usepackage{natbib}" if "package" in place else "Ours.", place)
    here = project({"main.tex": text.replace("|", ""), "refs.bib": ADAM_BIB})
    with pytest.raises(NoPlace, match=words):
        plan_citation(here.draft(), here.root, text.index("|"), [NICKEL])


def test_answer(project):
    here = project({"main.tex": NATBIB, "refs.bib": ADAM_BIB})
    section = ProseSection("What is\nan optimiser?", ((ProseSentence("It optimises.", ("nickel",)),),))
    plan = plan_answer(here.draft(), here.root, NATBIB.index("Ours"), section, PAPERS)
    assert plan.section_id == "answer-1"
    assert here.after(plan)["main.tex"].removeprefix(NATBIB[: NATBIB.index("Ours")]) == snapshot("""\
Ours.

% texgeist:begin answer-1
% What is an optimiser?
It optimises~\\citep{nickel2017poincare}.
% texgeist:end answer-1

\\bibliographystyle{plainnat}
\\bibliography{refs}
\\end{document}
""")
    here.write(plan)
    assert (
        plan_answer(here.draft(), here.root, NATBIB.index("Ours"), section, PAPERS).section_id == "answer-2"
    )


def test_a_label_where_sections_have_them_although_subsections_have_none(project):
    parts = "\\subsection{A}\nWords.\n\\subsection{B}\nWords.\n\\section{End}\nWords.\n\\label{sec:end}\n\\section{Thanks}\n"
    here = project({"main.tex": NATBIB.replace("Ours.", f"Ours.\n{parts}"), "refs.bib": ADAM_BIB})
    section = ProseSection("Related Work", ((ProseSentence("It optimises.", ("nickel",)),),))
    assert "\\label{sec:related-work}" in plan_related_work(here.draft(), section, PAPERS).latex


def test_headings_labels_and_width_in_the_documents_habit(project):
    words = "The paragraphs of this document are broken at about sixty\ncharacters, as some authors do in their editors.\n"
    text = r"""\documentclass{article}
\begin{document}
\section*{Introduction and some background}
\label{S:intro_and}
WORDS
\section*{Our new method}
\label{S:our_method}
WORDS
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
""".replace("WORDS", f"{words}\n" * 4)
    here = project({"main.tex": text, "refs.bib": ADAM_BIB})
    long = ProseSentence("These words are many, and they go on, " * 4 + "until they end.", ("bert",))
    plan = plan_related_work(here.draft(), ProseSection("Related Work", ((long,),)), PAPERS)
    lines = plan.latex.split("\n")
    assert lines[1:4] == ["\\section*{Related work}", "\\label{S:related-work}", ""]
    assert 50 < max(map(len, lines)) <= 65 and lines[-2].endswith("end~\\cite{devlin2018bert}.")


SLEEP = r"""\documentclass{article}
\begin{document}
\section{Discussion}
We found that sleep helps.

\subsection{Limits}
Few took part.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
DISCUSSION = ProseSection(
    "Discussion",
    (
        (
            ProseSentence("Models are trained on text.", ("bert",)),
            ProseSentence("your own words, or a source, for “50 % were adults”.", aside="needs"),
            ProseSentence("Others disagree.", ("adam",)),
        ),
        (ProseSentence("“texgeist:end discussion & more” (p. 3).", ("adam",), aside="note"),),
    ),
)


def test_a_section_goes_on_behind_the_authors_words(project):
    here = project({"main.tex": SLEEP, "refs.bib": ADAM_BIB})
    draft = here.draft()
    place = draft.parts[0].place
    plan = plan_section(draft, place, DISCUSSION, PAPERS, section_id="discussion")
    after = here.after(plan)["main.tex"]
    assert after == snapshot("""\
\\documentclass{article}
\\begin{document}
\\section{Discussion}
We found that sleep helps.

% texgeist:begin discussion
Models are trained on text~\\cite{devlin2018bert}.
% texgeist: needs your own words, or a source, for ``50 \\% were adults''.
Others disagree~\\cite{kingma2015adam}.

% - ``texgeist end discussion \\& more'' (p. 3)~\\cite{kingma2015adam}.
% texgeist:end discussion

\\subsection{Limits}
Few took part.
\\bibliographystyle{plain}
\\bibliography{refs}
\\end{document}
""")
    before, behind = SLEEP.split("\n\n\\subsection")
    assert after.startswith(before) and after.endswith("\\subsection" + behind)


def test_no_block_goes_into_another(project):
    generated = "We found that sleep helps.\n% texgeist:begin answer-1\nAn answer.\n% texgeist:end answer-1\n"
    here = project(
        {"main.tex": SLEEP.replace("We found that sleep helps.\n", generated), "refs.bib": ADAM_BIB}
    )
    draft = here.draft()
    plan = plan_section(draft, draft.parts[0].place, DISCUSSION, PAPERS, section_id="discussion")
    after = here.after(plan)["main.tex"]
    assert after.index("texgeist:end answer-1") < after.index("texgeist:begin discussion")
