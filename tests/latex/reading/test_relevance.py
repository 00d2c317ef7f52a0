"""The order in which `\\cite{` offers the entries."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from texgeist_latex.reading.citation_marks import citation_marks
from texgeist_latex.reading.completion import MOST, Completion
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.offers import fitting_entries
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.tex.wordlists import FUNCTION_WORDS
from texgeist_latex.types import Span

BIB = """
@article{lewis20, title={Retrieval-Augmented Generation for Knowledge Tasks}, author={Patrick Lewis and Ethan Perez}}
@article{guu, title={Language Model Pre-Training with a Retriever}, author={Kelvin Guu}}
@article{khattab, title={With Latecomers: Late Interaction over Contextual Vectors}, author={Omar Khattab and Matei Zaharia}}
@article{aardvark, title={Diets of Aardvarks}, author={Ada Ant}, abstract={We watch termites at night.}}
@article{merian, title={M{\\'e}tamorphosis \\& more}, author={Maria Merian}}
"""
TEXT = """\\documentclass{article}\\begin{document}
Models read passages \\cite{lewis20,guu}. Butterflies change their form.
FILL
HERE

FILL

Insects in Surinam were drawn from life \\cite{merian}. Again, passages help readers \\cite{guu}.
\\bibliography{refs}\\end{document}
"""


def offered(tmp_path: Path, sentence: str) -> list[Completion]:
    (tmp_path / "refs.bib").write_text(BIB)
    marked = TEXT.replace("FILL", "\n" + "Nothing is said here. " * 40 + "\n").replace(
        "HERE", sentence if "|" in sentence else sentence.replace("{}", "{|}")
    )
    text, place = marked.replace("|", ""), marked.index("|")
    (tmp_path / "main.tex").write_text(text)
    return Workspace().complete(tmp_path / "main.tex", place)


@pytest.mark.parametrize(
    ("sentence", "first", "why"),
    [
        (
            "Late interaction with vectors \\citep{} is fast.",
            "khattab",
            "your words: late, interaction, vectors",
        ),
        ("As Khattab et al.\\ \\cite{}", "khattab", "its author is named"),
        ("They hunt termites at night. \\cite{}", "aardvark", "in its abstract: termites, night"),
        (
            "Pre-trained retrievers \\cite{lewis20,|}",
            "guu",
            "your words: pre, retrievers",
        ),
        (
            "The Surinam insects drawn from life \\cite{}",
            "merian",
            "you cite it with: surinam, insects, drawn, life",
        ),
    ],
)
def test_the_entry_that_the_sentence_needs_comes_first(
    tmp_path: Path, sentence: str, first: str, why: str
) -> None:
    found = offered(tmp_path, sentence)
    assert found[0].key == first and why in found[0].why
    assert "Métamorphosis & more" in {one.title for one in found}
    assert len(found) == 5 or first == "guu"


def test_a_second_entry_of_a_work_comes_after_all_others(tmp_path: Path) -> None:
    (tmp_path / "more.bib").write_text(BIB)
    (tmp_path / "refs.bib").write_text(
        BIB
        + "@misc{a-copy, title={Language Model Pre-Training with a Retriever}, author={Guu, K.}}"
        + "@book{b-volume, volume=1, title={Diets}}@book{c-volume, volume=2, title={Diets}}"
    )
    text = (
        TEXT.replace("FILL", "")
        .replace("HERE", "Pre-training with a retriever \\cite{|}")
        .replace("{refs}", "{refs,more}")
    )
    (tmp_path / "main.tex").write_text(text.replace("|", ""))
    keys = [one.key for one in Workspace().complete(tmp_path / "main.tex", text.index("|"))]
    assert keys[0] == "guu" and keys[-1] == "a-copy" and len(keys) == len(set(keys)) == 8


def test_the_entries_that_fit_a_sentence_are_those_that_the_author_cites_for_its_names(
    tmp_path: Path,
) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}Insects change, see GURU~\\cite{guu}. "
        + "No words. " * 80
        + "\n\nAs \\cite{lewis20} says, GURU has a large variance (CITE).\\bibliography{refs}\\end{document}"
    )
    draft = read_draft(tmp_path / "main.tex")
    [mark] = citation_marks(draft)
    [[best, *others]] = fitting_entries(draft, [(mark.claim, mark.span)])
    assert best.key == "guu" and best.why.startswith("you cite it for GURU")
    assert "lewis20" not in {each.key for each in others}


def test_the_words_of_other_sentences_and_frequent_words_are_no_reason_to_cite_an_entry(
    tmp_path: Path,
) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    text = "\\begin{document}Late interaction with vectors matters. The night was nice. We watch a diet."
    (tmp_path / "main.tex").write_text(
        f"\\documentclass{{article}}{text}\\bibliography{{refs}}\\end{{document}}"
    )
    draft, frequent = read_draft(tmp_path / "main.tex"), FUNCTION_WORDS | {"watch"}
    named = {}
    for sentence in ("The night was nice.", "We watch a diet."):
        start = draft.texts[0].text.index(sentence)
        end = start + len(sentence)
        claim, place = Span(draft.root, start, end), Span(draft.root, end - 1, end - 1)
        [fitting] = fitting_entries(draft, [(claim, place)], frequent)
        named[sentence] = {each.key: each.why for each in fitting}
    assert named == {
        "The night was nice.": {"aardvark": "in its abstract: night"},
        "We watch a diet.": {"aardvark": "your words: diet"},
    }


def test_a_citation_that_begins_a_sentence_is_explained_by_the_words_before(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    filled = "Nothing is said here. " * 40
    text = f"\\begin{{document}}\n\nDrawn from Surinam. \\cite{{merian}} did so. {filled}\n\nDrawn in Surinam \\cite{{}}"
    (tmp_path / "main.tex").write_text(
        f"\\documentclass{{article}}{text}\\bibliography{{refs}}\\end{{document}}"
    )
    place = (tmp_path / "main.tex").read_text().index("{}") + 1
    found = {one.key: one.why for one in Workspace().complete(tmp_path / "main.tex", place)}
    assert found["merian"] == "you cite it with: drawn, surinam"


def test_words_that_are_in_most_citing_sentences_explain_nothing(tmp_path: Path) -> None:
    usual = "Results were proposed \\cite{merian}. " * 9
    found = offered(tmp_path, f"{usual}{'Nothing is said here. ' * 30}\n\nThat were proposed \\cite{{|}}")
    assert "merian" in {one.key for one in found} and not any("proposed" in one.why for one in found)


def test_frequent_words_are_no_reason_at_the_cursor(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    text = "\\documentclass{article}\\begin{document}We watch a diet \\cite{}.\\bibliography{refs}\\end{document}"
    (tmp_path / "main.tex").write_text(text)
    first = Workspace(frequent={"watch"}).complete(tmp_path / "main.tex", text.index("{}") + 1)[0]
    assert (first.key, first.why) == ("aardvark", "your words: diet")


def test_an_entry_beside_those_cited_nearby_comes_before_others(tmp_path: Path) -> None:
    entries = "".join(f"@misc{{k{n:02}, title={{Unlike {n}}}}}\n" for n in range(30))
    (tmp_path / "refs.bib").write_text(entries)
    text = "\\documentclass{article}\\begin{document}Word \\cite{k20}, more \\cite{}\\bibliography{refs}"
    (tmp_path / "main.tex").write_text(text)
    found = Workspace().complete(tmp_path / "main.tex", text.index("{}") + 1)
    assert {one.key for one in found[:2]} == {"k19", "k21"}


def test_a_relevant_key_is_offered_although_many_keys_begin_alike(tmp_path: Path) -> None:
    entries = "".join(f"@misc{{k{n:04}, title={{Unlike {n}}}}}\n" for n in range(3 * MOST))
    (tmp_path / "refs.bib").write_text(entries + "@misc{kz, title={Metamorphosis of Butterflies}}")
    text = "\\documentclass{article}\\begin{document}Butterflies \\cite{k}\\bibliography{refs}\\end{document}"
    (tmp_path / "main.tex").write_text(text)
    found = Workspace().complete(tmp_path / "main.tex", text.index("{k}") + 2)
    assert found[0].key == "kz" and len(found) == MOST


def test_a_long_bibliography_and_a_long_paragraph_are_fast(tmp_path: Path) -> None:
    entries = (
        f"@misc{{k{n}, title={{Topic {n % 97} of Group {n % 13} in Words {n}}}}}\n" for n in range(5000)
    )
    (tmp_path / "refs.bib").write_text("".join(entries))
    text = "\\documentclass{article}\\begin{document}" + "Topic words of the group. " * 1200
    text += "\\cite{}\\bibliography{refs}\\end{document}"
    (tmp_path / "main.tex").write_text(text)
    model = Workspace()
    place = text.index("{}") + 1
    model.complete(tmp_path / "main.tex", place)
    began = time.process_time()
    assert len(model.complete(tmp_path / "main.tex", place)) == MOST
    assert time.process_time() - began < 0.2


def test_the_words_of_a_bibitem_are_not_called_its_abstract(tmp_path: Path) -> None:
    item = "\\begin{thebibliography}{1}\\bibitem{ant} A. Ant. Diets of aardvarks. 1990.\\end{thebibliography}"
    text = f"\\documentclass{{article}}\\begin{{document}}Diets differ \\cite{{}}.\n\n{item}\\end{{document}}"
    (tmp_path / "main.tex").write_text(text)
    [found] = Workspace().complete(tmp_path / "main.tex", text.index("{}") + 1)
    assert found.why == "your words: diets"
