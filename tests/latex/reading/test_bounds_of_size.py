"""Projects that a stranger made large: what is read is bounded, and where reading stopped is said."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.errors import NoPlace
from texgeist_latex.reading import resolve
from texgeist_latex.reading.citations import MOST_CITATIONS
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, SourceFile
from texgeist_latex.writing.targets import Target, check_appendable, choose_target

MB = 2**20
TEXT = "\\documentclass{article}\n\\begin{document}\n%s\n\\bibliography{refs}\n\\end{document}\n"


def draft_of(folder: Path, body: str, bib: str = "@misc{a, title={T}}\n") -> Draft:
    (folder / "main.tex").write_text(TEXT % body)
    if bib:
        (folder / "refs.bib").write_text(bib)
    return read_draft(folder / "main.tex", programs=False)


@contextmanager
def memory_below(most: float) -> Iterator[None]:
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < most


def doubling(times: int) -> str:
    strings = "".join(f"@string{{s{n} = s{n - 1} # s{n - 1}}}\n" for n in range(1, times))
    entries = f"@misc{{a, title = s{times - 1}}}\n@misc{{b, title = {{B}}}}\n"
    return f'@string{{s0 = "xxxxxxxx"}}\n{strings}{entries}'


@pytest.mark.parametrize("times", [20, 40, 1000])
def test_strings_that_double_are_bounded(times: int) -> None:
    with memory_below(30 * MB):
        found = read_bib(Path("a.bib"), doubling(times))
    assert "b" in {entry.key for entry in found.entries}  # what uses no string is read all the same
    assert any("many times as long" in problem.message for problem in found.problems)


@pytest.mark.parametrize("use", ["s", "s # s # s", "s # {} # s"])
def test_a_long_string_used_often_is_bounded(use: str) -> None:
    entries = "".join(f"@misc{{k{n}, t={use}}}\n" for n in range(20_000))
    text = f'@string{{s = "{"x" * 100_000}"}}\n{entries}'
    started = time.process_time()
    with memory_below(60 * MB):
        found = read_bib(Path("a.bib"), text)
    assert time.process_time() - started < 20
    assert sum(len(value) for e in found.entries for value in e.fields.values()) < len(text) + 2_000_000


def test_what_entries_inherit_is_bounded() -> None:
    parent = "@book{p, " + ",".join(f"f{n}={{x}}" for n in range(5_000)) + "}\n"
    children = "".join(f"@misc{{c{n}, crossref={{p}}}}\n" for n in range(5_000))
    found = read_bib(Path("a.bib"), children + parent)
    assert sum(len(entry.fields) for entry in found.entries) < 5_000 * 62 + 5_000


def test_missing_names_are_asked_about_a_hundred_times_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    search = resolve.TexSearch()
    monkeypatch.setattr(search, "_ask", lambda name, format, folder: asked.append(name))
    for number in range(3_000):
        assert search.find(f"nothing{number}", "tex", tmp_path) is None
    assert len(asked) == resolve.MOST_ASKED


def test_citations_beyond_the_bound_are_left_out_and_said(tmp_path: Path) -> None:
    found = draft_of(tmp_path, ("\\cite{" + ",".join(["a"] * 9_000) + "}\n") * 20)
    assert len(found.citations) == MOST_CITATIONS
    assert any("cites more than 50,000 times" in problem.message for problem in found.problems)


def test_a_bibliography_too_long_to_read_is_not_written_to(tmp_path: Path) -> None:
    with (tmp_path / "refs.bib").open("wb") as file:
        file.truncate(200_000_000)
    found = draft_of(tmp_path, "\\cite{a}", bib="")
    with pytest.raises(NoPlace, match=r"refs\.bib is 200 MB long; files over 128 MB are not read") as caught:
        choose_target(found, None, None)
    assert "Split" in caught.value.help
    assert (tmp_path / "refs.bib").stat().st_size == 200_000_000


@pytest.mark.parametrize(
    "text", ["@a{" * 100_000 + "}" * 100_000, "@a{x {}}\n" * 100_000], ids=["nested", "side by side"]
)
def test_broken_entries_are_looked_through_once(text: str) -> None:
    found = read_bib(Path("a.bib"), text)
    problems = tuple(replace(p) for p in found.problems)
    assert len(problems) >= 1
    target = Target(replace(found, problems=problems), SourceFile(Path("a.bib"), text))
    started = time.process_time()
    with pytest.raises(NoPlace):
        check_appendable(target)
    assert time.process_time() - started < 5
