"""The model behind an editor, as an editor uses it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.reading.workspace import Workspace

Draw = Callable[[str], Any]
BIB = """%! refs.bib
@article{smith2020attention,
  author = {Smith, John and Döe, Jane}, title = {Attention {Models} for Vision}, year = {2020}}
@misc{jones21, author = {Mary Jones}, title = {Graphs}, year = {2021}, eprint = {2101.00001}}
@misc{jonesagain, author = {Mary Jones}, title = {Graphs}, year = {2021}, note = {arXiv:2101.00001v2}}
"""
MAIN = "\\documentclass{article}\n\\begin{document}\n%s\n\\bibliography{refs}\n\\end{document}\n"


def workspace(drawn: Any) -> Workspace:
    found = Workspace([drawn.folder], programs=False)
    for name, text in drawn.texts.items():
        if name.endswith(".tex"):
            found.open(drawn.folder / name, text)
    return found


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("\\cite{|}", ["jones21", "smith2020attention", "jonesagain"]),
        ("\\cite{smi|", ["smith2020attention"]),
        ("\\cite{a, jon|es}", ["jones21", "jonesagain"]),
        ("\\citep[see][p.~3]{vision|}", ["smith2020attention"]),
        ("\\cite{doe|}", ["smith2020attention"]),
        ("\\cite{john att|}", ["smith2020attention"]),
        ("\\cite{2021|}", ["jones21", "jonesagain"]),
        ("\\textcites[1]{a}[2]{gra|", ["jones21", "jonesagain"]),
        ("\\citeA<see>{gra|}", ["jones21", "jonesagain"]),
        ("\\cite{again|}", ["jonesagain"]),
        ("\\cite{nothing like it|}", []),
        ("\\emph{smi|}", []),
        ("% \\cite{smi|}", []),
        ("\\cite{a} smi|", []),
        ("\\ref{smi|}", []),
        ("smi|", []),
    ],
)
def test_completion(typed: str, keys: list[str], draw: Draw) -> None:
    drawn = draw(MAIN % typed + BIB)
    path, offset = drawn.place
    found = workspace(drawn).complete(path, offset)
    assert [c.key for c in found] == keys
    for completion in found:
        text = drawn.texts["main.tex"]
        typed_so_far = text[completion.span.start : offset]
        assert completion.span.start <= offset <= completion.span.end
        assert completion.filter.lower().startswith(typed_so_far.lower())


def test_completion_replaces_the_whole_key(draw: Draw) -> None:
    drawn = draw("""
        \\documentclass{article}\\begin{document}
        \\cite{a,jo|nes, b}
                ^^^^^
        \\bibliography{refs}\\end{document}
        %! refs.bib
        @misc{jones21, author = {B. {\\"O}zden and Mary Jones and others}, title = {{Graphs}}, year = {2021}}
        """)
    found = workspace(drawn).complete(*drawn.place)
    assert drawn.spans([found[0].span]) == drawn.ranges
    assert (found[0].authors, found[0].year, found[0].title) == ("Özden et al.", "2021", "Graphs")


def test_definition_references_and_what_is_under_the_cursor(draw: Draw) -> None:
    drawn = draw("""
        %! main.tex
        \\documentclass{article}\\begin{document}
        \\cite{jon|es21} \\input{part}
              ^^^^^^^
        \\bibliography{refs}\\end{document}
        %! part.tex
        Again \\citet[p. 3]{smith, jones21}.
                                  ^^^^^^^
        %! refs.bib
        @misc{jones21, title = {Graphs}}
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        """)
    model = workspace(drawn)
    citation = model.citation_at(*drawn.place)
    assert citation is not None and citation.key == "jones21"
    bib = next(r for r in drawn.ranges if r[0] == "refs.bib")
    assert drawn.spans(model.definition(*drawn.place)) == (bib,)
    for place in (drawn.place, (drawn.folder / "refs.bib", 8)):
        assert drawn.spans(model.references(*place)) == drawn.ranges
    assert model.citation_at(drawn.first, 0) is None and model.definition(drawn.first, 0) == []


def test_bibitems_are_entries(draw: Draw) -> None:
    drawn = draw("""
        \\documentclass{article}\\begin{document}
        \\cite{a|}
              ^
        \\begin{thebibliography}{9}
        \\bibitem{a} A. Author. A title. 2020.
        \\end{thebibliography}
        \\end{document}
        """)
    model = workspace(drawn)
    assert model.problems(drawn.first) == []
    (span,) = model.definition(*drawn.place)
    text = drawn.texts["main.tex"]
    assert text[span.start : span.end].startswith("\\bibitem{a}")
    assert drawn.ranges[0] in drawn.spans(model.references(drawn.first, span.start + 10))
    assert [c.key for c in model.complete(*drawn.place)] == ["a"]


def said(model: Workspace, path: Path) -> list[tuple[str, str]]:
    texts = {}
    for problem in model.problems(path):
        texts[problem.span.file] = model.text(problem.span.file) or ""
    return [(p.code, texts[p.span.file][p.span.start : p.span.end]) for p in model.problems(path)]


def test_diagnostics(draw: Draw) -> None:
    drawn = draw(
        MAIN.replace("{refs}", "{refs, lost}") % "\\cite{jones21,gone} \\input{nowhere} \\nocite{*}"
        + BIB
        + "@misc{jones21, title = {Other}}\n@misc{broken\n"
    )
    assert sorted(said(workspace(drawn), drawn.first)) == [
        ("broken-entry", "@misc{broken\n\n"),
        ("duplicate-key", "@misc{jones21"),
        ("missing-file", "lost"),
        ("missing-file", "nowhere"),
        ("same-paper", "@misc{jonesagain"),
        ("undefined-citation", "gone"),
    ]


def test_files_changed_outside_are_noticed(draw: Draw) -> None:
    drawn = draw(MAIN % "\\cite{new} \\input{late}" + BIB)
    model, bib = workspace(drawn), drawn.folder / "refs.bib"
    assert {c for c, _ in said(model, drawn.first)} == {"same-paper", "undefined-citation", "missing-file"}
    bib.write_text("@misc{new, title={N}}")
    model.changed_on_disk(bib)
    (drawn.folder / "late.tex").write_text("Here.")
    model.changed_on_disk(drawn.folder / "late.tex")
    assert said(model, drawn.first) == []
    bib.unlink()
    assert {c for c, _ in said(model, drawn.first)} == {"missing-file", "undefined-citation"}


def test_unsaved_and_foreign_files_answer_nothing_and_raise_nothing(tmp_path: Path) -> None:
    model = Workspace([tmp_path], programs=False)
    gone = tmp_path / "gone.tex"
    assert model.problems(gone) == [] and model.complete(gone, 3) == [] and model.definition(gone, 3) == []
    assert model.references(gone, 3) == [] and model.citation_at(gone, 0) is None and model.text(gone) is None
    model.open(tmp_path / "new.tex", "\\cite{x} \0 \\input{")
    assert [p.code for p in model.problems(tmp_path / "new.tex")] == ["undefined-citation"]
    model.open(tmp_path / "alone.bib", "@misc{a, title={T}}\n@misc{a, title={U}}")
    assert isinstance(model.problems(tmp_path / "alone.bib"), list)


@pytest.mark.parametrize(("number", "said"), [(3, 3), (60, 20)])
def test_keys_are_proposed_for_few_citations(number: int, said: int, draw: Draw) -> None:
    r"""Each proposal reads all keys, and an edit of the bibliography needs all proposals anew."""
    drawn = draw(MAIN % "".join(f"\\cite{{jones21x{at}}}" for at in range(number)) + BIB)
    problems = [p for p in workspace(drawn).problems(drawn.first) if p.code == "undefined-citation"]
    assert (len(problems), sum(bool(p.fix) for p in problems)) == (number, said)


def test_big_bibliographies_load_in_the_background(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("texgeist_latex.reading.kept_projects.BIG_BIBLIOGRAPHY", 100)
    drawn = draw(MAIN % "\\cite{jones21,gone}" + BIB)
    ready, let_go = threading.Event(), threading.Event()
    model = Workspace([drawn.folder], programs=False, loaded=ready.set)
    load = model._store._load_big
    monkeypatch.setattr(model._store, "_load_big", lambda path: (let_go.wait(20), load(path)))
    assert model.problems(drawn.first) == []  # not yet: nothing is said before it is known
    let_go.set()
    assert ready.wait(20)
    assert ("undefined-citation", "gone") in said(model, drawn.first)
    assert model.entry(drawn.first, "jones21") is not None
    model.stop()


def test_a_big_bibliography_that_cannot_be_read_is_tried_once(
    draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("texgeist_latex.reading.kept_projects.BIG_BIBLIOGRAPHY", 100)
    monkeypatch.setattr("texgeist_latex.disk.paths.MAX_BIB", 150)
    drawn = draw(MAIN % "\\cite{jones21}" + BIB)
    ready = threading.Event()
    model = Workspace([drawn.folder], programs=False, loaded=ready.set)
    model.problems(drawn.first)
    assert ready.wait(20)
    ready.clear()
    assert ("missing-file", "refs") in said(model, drawn.first)
    assert not model._store.pending and not ready.wait(0.2)
    model.stop()


def test_kpsewhich_is_asked_in_the_background(
    draw: Draw, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is said about a file until the program has answered."""
    program = tmp_path_factory.mktemp("bin") / "kpsewhich"
    program.write_text(
        "#!/bin/sh\ncase $2 in binhex.tex) echo /usr/share/texmf-dist/tex/binhex.tex;; *) exit 1;; esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    drawn = draw(MAIN % "\\input{binhex}\\input{gone}" + "%! refs.bib\n@misc{a, title={T}}")
    answers = threading.Semaphore(0)
    model = Workspace([drawn.folder], loaded=answers.release)
    assert model.problems(drawn.first) == []
    assert answers.acquire(timeout=20) and answers.acquire(timeout=20)
    assert said(model, drawn.first) == [("missing-file", "gone")]
    model.change(drawn.first, drawn.texts["main.tex"].replace("gone", "goner"))
    assert model.problems(drawn.first) == []
    assert answers.acquire(timeout=20)
    assert said(model, drawn.first) == [("missing-file", "goner")]
    model.stop()


def test_the_root_of_a_chapter_follows_the_macro_that_names_it(tmp_path: Path) -> None:
    text = "\\documentclass{article}\\newcommand{\\part}{%s}\\begin{document}\\input{\\part}\\end{document}"
    (tmp_path / "one.tex").write_text("First.")
    (tmp_path / "two.tex").write_text("Second.")
    model = Workspace()
    for root, part in (("a", "one"), ("b", "two")):
        (tmp_path / f"{root}.tex").write_text(text % part)
        model.open(tmp_path / f"{root}.tex", text % part)
    assert model.root(tmp_path / "two.tex").stem == "b"
    model.change(tmp_path / "a.tex", text % "two")
    model.change(tmp_path / "b.tex", text % "one")
    assert model.root(tmp_path / "two.tex").stem == "a"
