"""What a workspace keeps from one version for the next changes no answer: after any edits, in buffers and on the
disk, it says what one says that never saw the versions before."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from texgeist_latex.errors import LatexError
from texgeist_latex.reading import project
from texgeist_latex.reading.citations import citations
from texgeist_latex.reading.files import Parsed
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.types import Citation

FILES = {
    "main.tex": "\\documentclass{article}\n\\newcommand{\\mycite}[1]{\\cite{#1}}\n\\begin{document}\n\\begin{abstract}We look."
    "\\end{abstract}\n\\section{One}\nWords \\cite{a}.\n\\input{one}\n\\include{two}\n\\mycite{b}\n\\bibliography{refs,more}\n"
    "\\end{document}\n",
    "one.tex": "\\section{Two}\nMore \\citep[p. 2]{b,nokey}.\n\n\\subsection{Deep}\n\\input{three}\nEnd \\cite{c}.\n",
    "two.tex": "\\begin{document}\nText \\cite{c}. % \\cite{hidden}\n\\end{document}\n",
    "three.tex": "Deep words \\cite{a}.\n",
    "refs.bib": "@misc{a, title = {A}, author = {A. One}}\n@misc{b, title = {B}, author = {B. Two}}\n",
    "more.bib": "@misc{c, title = {C}, author = {C. Three}, year = 2001}\n",
}
PARTS = [
    *("", "x", "{", "}", "%", "\n", "\\", "\\cite{c}", "\\input{three}", "\\input{none}", "\\include{two}"),
    *("\\newcommand{\\yourcite}[1]{\\cite{#1}}", "\\includeonly{two}", "\\bibliography{more}", "\\endinput"),
    *("\\begin{document}", "\\section{New}", "\\usepackage{own}", "\\iffalse", "\\fi", "@misc{d, title={D}}"),
]
EDITS = st.tuples(
    st.sampled_from(sorted(FILES)),
    st.floats(0, 1),
    st.integers(0, 12),
    st.sampled_from(PARTS),
    st.sampled_from(["buffer", "buffer", "buffer", "disk", "gone"]),
)


def said(model: Workspace, folder: Path) -> list[object]:
    with model.one_look():
        paths = [folder / name for name in sorted(FILES)]
        answers: list[object] = [model.problems(*paths)]
        for path in paths:
            text = model.text(path) or ""
            answers += [path.name, model.citations_in(path), model.complete(path, text.find("{a") + 1)]
            answers.append(model.references(path, max(0, text.find("{c") + 1)))
        for path in (folder / "main.tex", folder / "one.tex"):
            try:
                draft = model.draft(path)
            except LatexError as error:
                answers.append(error.sentence())
            else:
                answers += [
                    draft.citations,
                    draft.headings,
                    draft.abstract_span,
                    draft.inclusions,
                    draft.pages,
                ]
        return answers


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.lists(EDITS, min_size=1, max_size=8))
def test_as_if_never_seen_before(edits: list[tuple[str, float, int, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = dict(FILES)
        for file, text in texts.items():
            (folder / file).write_text(text)
        buffers = {"main.tex", "one.tex", "refs.bib"}
        model = Workspace([folder], programs=False)
        for file in sorted(buffers):
            model.open(folder / file, texts[file])
        for file, where, length, part, how in edits:
            at = int(where * len(texts[file]))
            new = texts[file][:at] + part + texts[file][at + length :]
            if how == "buffer" or file == "main.tex":
                first, texts[file] = file not in buffers, new
                buffers.add(file)
                (model.open if first else model.change)(folder / file, new)
            elif how == "gone":
                (folder / file).unlink(missing_ok=True)
                model.changed_on_disk(folder / file)
            else:
                texts[file] = new if file not in buffers else texts[file]
                (folder / file).write_text(new)
                model.changed_on_disk(folder / file)
            fresh = Workspace([folder], programs=False)
            for opened in sorted(buffers):
                fresh.open(folder / opened, texts[opened])
            assert said(model, folder) == said(fresh, folder)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_that_is_bent_leads_where_it_leads_now(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    (project / "a").mkdir(parents=True)
    outside.mkdir()
    (project / "a" / "part.tex").write_text("\\cite{inside}")
    (outside / "part.tex").write_text("\\cite{secret}")
    (project / "now").symlink_to(project / "a")
    text = "\\documentclass{article}\\begin{document}\\input{now/part}\\end{document}"
    main = project / "main.tex"
    main.write_text(text)
    model = Workspace([project], programs=False)
    model.open(main, text)
    assert [c.key for c in model.draft(main).citations] == ["inside"]
    (project / "now").unlink()
    (project / "now").symlink_to(outside)
    assert model.draft(main).citations == ()
    model.change(main, text + "\n")
    assert model.draft(main).citations == ()
    assert [p.code for p in model.problems(main)] == ["outside-project"]


def test_of_documents_that_share_chapters_only_what_was_typed_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The definitions of the documents differ, so each has its own citations of the same file."""
    for name in ("main", "anonymous"):
        text = f"\\documentclass{{article}}\\newcommand{{\\{name}}}{{x}}\\begin{{document}}\\input{{one}}\\input{{two}}\\end{{document}}"
        (tmp_path / f"{name}.tex").write_text(text)
    for name in ("one", "two"):
        (tmp_path / f"{name}.tex").write_text("Words \\cite{a}.")
    read: list[str] = []

    def counted(parsed: Parsed, *rest: Any) -> tuple[Citation, ...]:
        read.append(parsed.path.name)
        return citations(parsed, *rest)

    monkeypatch.setattr(project, "citations", counted)
    model, typed = Workspace([tmp_path], programs=False), tmp_path / "one.tex"
    paths = [tmp_path / "main.tex", tmp_path / "anonymous.tex"]
    model.open(typed, "Words \\cite{a}.")
    model.problems(*paths)
    read.clear()
    model.change(typed, "More words \\cite{a}.")
    model.problems(*paths)
    assert read == ["one.tex", "one.tex"]


@pytest.mark.parametrize(
    ("before", "typed"),
    [("Words.", "\\input{three}"), ("\\newcommand{\\next}{two}", "\\newcommand{\\next}{three}")],
)
def test_an_included_file_may_name_another_file(tmp_path: Path, before: str, typed: str) -> None:
    text = "\\documentclass{article}\\begin{document}\\input{one}\\input{\\next}\\end{document}"
    for name, held in {"main": text, "one": before, "two": "\\cite{a}", "three": "\\cite{b}"}.items():
        (tmp_path / f"{name}.tex").write_text(held)
    main, part = tmp_path / "main.tex", tmp_path / "one.tex"
    model = Workspace([tmp_path], programs=False)
    model.open(main, text)
    model.open(part, before)
    assert "b" not in [citation.key for citation in model.draft(main).citations]
    model.change(part, typed)
    assert "b" in [citation.key for citation in model.draft(main).citations]
