"""A section with its entries into a bibliography of many megabytes: what it takes grows with the length, and no faster."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MB = 2**20
TEXT = "\\documentclass{article}\n\\begin{document}\nA \\cite{k0}.\n\\section{Method}\nOurs.\n\\bibliography{refs}\n\\end{document}\n"
ENTRY = """@article{k%d,
  title = {On the Matter of Number %d and Others},
  author = {Lovelace, Ada and Babbage, Charles},
  year = {2020},
  abstract = {Words that nobody reads here. Words that nobody reads here. Words that nobody reads here, of a paper on numbers.},
}
"""
APPLY = """
import resource, sys, time
from pathlib import Path
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.edits import plan_related_work
papers = [Reference(str(n), f"A New Paper {n}", ("Ann Ash",), 2024) for n in range(10)]
section = ProseSection("Related Work", (tuple(ProseSentence("They did it.", (p.id,)) for p in papers),))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
draft = read_draft(Path(sys.argv[1]), programs=False)
apply_plan(plan_related_work(draft, section, papers), draft)
print(1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before), time.process_time())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told in other units elsewhere")
def test_memory_and_time_grow_with_the_bibliography(tmp_path: Path) -> None:
    took = []
    for count in (5_000, 20_000):
        folder = tmp_path / str(count)
        folder.mkdir()
        (folder / "main.tex").write_text(TEXT)
        old = "".join(ENTRY % (n, n) for n in range(count))
        (folder / "refs.bib").write_text(old)
        told = subprocess.run(
            [sys.executable, "-P", "-c", APPLY, str(folder / "main.tex")],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        memory, seconds = map(float, told.split())
        after = (folder / "refs.bib").read_text()
        assert after.startswith(old.rstrip("\n")) and after.count("@article{k") == count
        assert (
            after.count("A New Paper") == 10
            and "\\cite" in (folder / "main.tex").read_text().split("Method")[1]
        )
        assert memory < 20 * len(old) + 40 * MB
        took.append(seconds)
    assert took[1] < 10 * took[0]  # four times the text; the square of it is sixteen times
