"""Abstracts whose words or whose heading stand where one would not look at first."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft

WORDS = "Words of the abstract stand here."
REST = "\\section{Introduction}\nWe begin.\n\\end{document}\n"
BEGIN = "\\begin{document}\n\\title{T}\n"
FORMS = {
    "own-heading-of-section": (
        {},
        f"\\def\\somesection#1{{\\section*{{#1}}\\addcontentsline{{toc}}{{section}}{{#1}}}}\n{BEGIN}"
        f"\\somesection{{Abstract}}\n{WORDS}\n{REST}",
    ),
    "alias": ({}, f"\\let\\somesection\\section\n{BEGIN}\\somesection*{{Abstract}}\n{WORDS}\n{REST}"),
    "section-included": ({"abs.tex": WORDS}, f"{BEGIN}\\section{{Abstract}}\n\\input{{abs}}\n{REST}"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_the_abstract_is_read_and_nothing_else(form: str, tmp_path: Path):
    files, text = FORMS[form]
    for name, words in files.items():
        (tmp_path / name).write_text(words, "utf-8")
    root = tmp_path / "main.tex"
    root.write_text(f"\\documentclass{{article}}\n{text}", "utf-8")
    draft = read_draft(root)
    assert draft.abstract == WORDS
    assert draft.introduction == "We begin."
    assert [heading.title for heading in draft.headings] == ["Introduction"]
    assert WORDS not in " ".join(page.text for page in draft.pages)
    assert draft.abstract_span
    spanned = draft.sources[draft.abstract_span.file].text[
        draft.abstract_span.start : draft.abstract_span.end
    ]
    assert "bst" in spanned or "input{head}" in spanned
