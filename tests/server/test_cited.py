"""What the search is told of the papers that a draft cites already."""

from __future__ import annotations

from pathlib import Path

from texgeist_latex.reading.draft import read_draft
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.types import CitedWork, Query, QueryPart
from texgeist_server.sections.queries import cited


def test_entries_are_told_by_title_first_author_and_year(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(
        '@article{a, title = {{S}chr\\"odinger}, author = {M{\\"u}ller, Anna and Bo Li}, date = {2019-05}}\n'
        "@misc{b, title = {Unsigned}, eprint = {2101.00001}}\n@misc{c, title = {Not cited}}\n",
        "utf-8",
    )
    root = tmp_path / "main.tex"
    root.write_text(
        "\\documentclass{article}\\begin{document}\\cite{a,b}\\bibliography{refs}\\end{document}", "utf-8"
    )
    ids, works = cited(read_draft(root))
    assert ids == {"2101.00001"}
    assert works == (CitedWork("Schrödinger", ("Müller, Anna",), 2019), CitedWork("Unsigned"))
    query = Query("abstract", (QueryPart("words", "abstract"),), cited_ids=ids, cited_works=works)
    assert from_plain(Query, to_plain(query)) == query
