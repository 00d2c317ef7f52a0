"""A draft of thousands of pages is searched with some hundred of them."""

from __future__ import annotations

from pathlib import Path

from texgeist_latex.reading.draft import read_draft
from texgeist_server.sections.queries import MOST_PAGES, section_query


def test_a_draft_of_thousands_of_pages_is_searched_with_a_bounded_number(tmp_path: Path) -> None:
    paragraph = "We study retrieval of passages and rank papers by their words and vectors. " * 60
    body = "\n\n".join(f"{paragraph} Number {n}." for n in range(1_500))
    text = f"\\documentclass{{article}}\\begin{{document}}\\section{{A}}\n{body}\n\\end{{document}}"
    (tmp_path / "main.tex").write_text(text)
    draft = read_draft(tmp_path / "main.tex", programs=False)
    assert len(draft.pages) > MOST_PAGES
    parts = section_query(draft, "draft").parts
    assert len(parts) == MOST_PAGES and parts[0].text == draft.pages[0].text
    lines = [int(part.label.rpartition(":")[2]) for part in parts]
    assert lines == sorted(set(lines)) and lines[-1] > 0.95 * draft.pages[-1].line
