"""What the search is told of the papers that a draft cites already."""

from __future__ import annotations

from pathlib import Path

from texgeist_latex.reading.project import read_draft
from texgeist_server.sections.outcome import Ask, ask_from_json
from texgeist_server.sections.queries import cited
from texgeist_server.sections.runs import query_of


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
    assert ids == ("2101.00001",)
    assert works == (("{S}chrödinger", "Müller, Anna", 2019), ("Unsigned", "", None))
    ask = Ask("abstract", (("words", "abstract"),), cited_works=works)
    travelled = ask_from_json(
        {"kind": ask.kind, "parts": [["words", "abstract"]], "cited_works": [*map(list, works)]}
    )
    assert travelled == ask
    assert [(w.title, w.author, w.year) for w in query_of(ask).cited_works] == list(works)
