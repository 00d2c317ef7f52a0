"""Small projects on the disk, drawn in the test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, EditPlan, ProseSection, ProseSentence, Reference
from texgeist_latex.writing.apply import edited
from texgeist_latex.writing.edits import apply_plan

DEVLIN = Reference(
    "bert",
    "BERT: Pre-training of Deep Transformers",
    ("Jacob Devlin", "Ming-Wei Chang", "Kenton Lee"),
    2018,
    "1810.04805",
    "cs.CL",
)
KINGMA = Reference("adam", "Adam: A Method", ("Diederik P. Kingma", "Jimmy Ba"), 2014, "1412.6980", "cs.LG")
NICKEL = Reference("nickel", "Poincaré Embeddings", ("Maximilian Nickel",), 2017, "1705.08039")
PAPERS = (DEVLIN, KINGMA, NICKEL)
ADAM_BIB = """@article{kingma2015adam,
  title = {Adam: a method},
  author = {Kingma, Diederik P. and Ba, Jimmy},
  journal = {arXiv preprint arXiv:1412.6980},
  year = {2015},
}
"""
SECTION = ProseSection(
    "Related Work",
    (
        (
            ProseSentence("Models are trained on text.", ("bert", "nickel")),
            ProseSentence("propose an optimiser.", ("adam",), True, "More recently,"),
        ),
        (ProseSentence("Our work differs."),),
    ),
)


@dataclass
class Project:
    """A project's folder, its root and the ways to read, plan for and write into it."""

    folder: Path
    root: Path

    def draft(self) -> Draft:
        return read_draft(self.root)

    def text(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode("utf-8")

    def after(self, plan: EditPlan) -> dict[str, str]:
        """What the plan would make of the files, by name."""
        texts = {edit.file: "" for edit in plan.edits}
        for file in texts:
            if file.exists():
                texts[file] = file.read_bytes().decode("utf-8", "surrogateescape")
        return {
            file.name: edited(text, [edit for edit in plan.edits if edit.file == file])
            for file, text in texts.items()
        }

    def write(self, plan: EditPlan) -> None:
        apply_plan(plan, self.draft())


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Project]:
    """`project({"main.tex": ..., "refs.bib": ...})`: the first file is the root. Strings are written as
    UTF-8, bytes as they are."""

    def make(files: Mapping[str, str | bytes]) -> Project:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Project(tmp_path, tmp_path / next(iter(files)))

    return make
