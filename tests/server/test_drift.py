"""Generated sections that their draft, or their index, has left behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_server.bibliography_checks.checking import check, of_draft, read_file
from texgeist_server.bibliography_checks.corrections import finds
from texgeist_server.sections import provenance
from texgeist_server.sections.safeguards import check_sections

from .records import provenance_with
from .test_cli import texgeist

ABSTRACT = (
    "Dense retrievers encode questions and passages into vectors and search the nearest ones of a "
    "collection. We measure how many of them are found."
)
TEXT = """\\documentclass{{article}}
\\begin{{document}}
\\begin{{abstract}}
{abstract}
\\end{{abstract}}
\\section{{Introduction}} Words.
% texgeist:begin related-work
Alpha reads~\\cite{{a}}.
% texgeist:end related-work
\\bibliography{{refs}}
\\end{{document}}
"""


@pytest.fixture
def main(tmp_path: Path) -> Path:
    file = tmp_path / "main.tex"
    file.write_text(TEXT.format(abstract=ABSTRACT))
    (tmp_path / "refs.bib").write_text("@misc{a, title = {Alpha}, author = {A. Ash}, year = {2020}}\n")
    why = {"paper": {"id": "2001.00001", "title": "Alpha"}, "section": "related-work"}
    section = {"abstract": ABSTRACT, "date": "2026-01-02", "index": "your own library", "text": "x"}
    data: dict[str, Any] = {"citations": {"a": why}, "sections": {"related-work": section}}
    provenance.write(file, provenance_with(**data))
    return file


def codes(main: Path) -> list[str]:
    return [problem.code for problem in check_sections(read_draft(main))]


@pytest.mark.parametrize(
    ("abstract", "drifts"),
    [
        (ABSTRACT, False),
        (ABSTRACT.replace("  ", "\n").replace("We measure", "We\nmeasure"), False),
        (ABSTRACT.replace("nearest ones", "nearest neighbours"), False),
        (ABSTRACT + " A sentence more says that sparse ones are found as well, and why it is so.", True),
        ("Spheres are packed into spaces of eight dimensions.", True),
        ("", False),
    ],
)
def test_an_abstract_that_changed(main: Path, abstract: str, drifts: bool) -> None:
    main.write_text(TEXT.format(abstract=abstract))
    assert codes(main) == (["drift"] if drifts else [])


def test_drift_is_told_at_the_section_and_by_verify(main: Path, env: dict[str, str]) -> None:
    main.write_text(TEXT.format(abstract="Spheres are packed into spaces of eight dimensions."))
    [problem] = check_sections(read_draft(main))
    text = main.read_text()
    assert text[problem.span.start : problem.span.end] == "% texgeist:begin related-work"
    assert "2026-01-02" in problem.message and "%" in problem.message
    done = texgeist(env, "verify", str(main), "--json")
    told = {remark["code"]: remark for remark in json.loads(done.stdout)["draft"]}
    assert told["drift"]["line"] == 7 and told["drift"]["severity"] == "information"
    draft = read_draft(main)
    read = of_draft(draft, [problem])
    found = [one for one in finds(draft, read, check(read, [], 2026)) if one.code == "drift"]
    assert found[0].anchor == "% texgeist:begin related-work"
    assert any(remark.code == "drift" for remark in check(read_file(main, check_sections), [], 2026).draft)
