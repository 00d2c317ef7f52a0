"""Drawn pairs of documents that share a bibliography: after a new entry both build as before with real BibTeX, and
every citation prints the paper that it printed. `TEXGEIST_PAIRS=2000` draws more of them."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from texgeist_latex.bib.keys import SCHOLAR, KeyStyle, new_key
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.types import Draft, Reference, no_neighbours
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.charsets import document_charset
from texgeist_latex.writing.edits import plan_citation
from texgeist_latex.writing.new_entries import new_entries

from .conftest import KINGMA, PAPERS

PAIRS = int(os.environ.get("TEXGEIST_PAIRS", "60"))
WITH_BIBER = max(1, PAIRS // 100)
NAMES = ("Ada Byron", "Emil Post", "Kurt Grelling", "Grete Hermann", "Rózsa Péter", "Alonzo Church")
WORDS = ("Lattices", "Proofs", "Numbers", "Machines", "Orders", "Trees", "Groups", "Words")
STYLES = (
    SCHOLAR,
    KeyStyle((("", "Author"), ("", "yyyy"))),
    KeyStyle((("", "author"), (":", "yyyy"), (":", "word"))),
    KeyStyle((("", "Author"), ("", "yyyy")), letter=True),
)
Build = Callable[[Path, Sequence[str], Sequence[str]], tuple[bool, dict[str, str]]]


@dataclass(frozen=True)
class Pair:
    mine: Path
    other: Path


def read(root: Path) -> Draft:
    return read_draft(
        root, workspace=root.parent if root.name == "a.tex" else root.parents[1], programs=False
    )


def drawn(folder: Path, rng: random.Random) -> Pair:
    """Two documents; in what only the second reads or cites stand keys that the first would give to new papers."""
    style = rng.choice(STYLES)
    serial = iter(range(1000))

    def paper(key: str = "") -> tuple[str, str]:
        author, year, number = rng.choice(NAMES), rng.randint(1990, 2024), next(serial)
        title = f"{rng.choice(WORDS)} {number} of {rng.choice(WORDS)}"
        key = key or new_key(Reference("", title, (author,), year), style, set()) + f"x{number}" * (
            number % 7 == 0
        )
        fields = f"title = {{{title}}},\n  author = {{{author}}},\n  year = {{{year}}},\n"
        return key, f"@{rng.choice(('article', 'misc', 'Book'))}{{{key},\n  {fields}}}\n"

    def likely() -> str:
        key = new_key(rng.choice(PAPERS), style, set())
        return rng.choice((str, str, str.upper, str.lower))(key) + rng.choice(("", "", "", "a", "b"))

    def bibliography(count: int, keys: Sequence[str] = ()) -> list[tuple[str, str]]:
        papers = [paper() for _ in range(count)] + [paper(key) for key in keys]
        rng.shuffle(papers)
        return papers

    used: dict[str, str] = {}  # key in lower case to its entry

    def distinct(papers: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(key, text) for key, text in papers if used.setdefault(key.lower(), text) is text]

    shared = distinct(bibliography(rng.randint(1, 6), [likely()] if rng.random() < 0.2 else ()))
    own = distinct(bibliography(rng.randint(0, 3), [likely() for _ in range(rng.randint(0, 3))]))
    extra = distinct(bibliography(rng.randint(0, 2)))
    for name, papers in (("refs", shared), ("talk/own", own), ("extra", extra)):
        path = folder / f"{name}.bib"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(text for _, text in papers), "utf-8")

    def document(path: Path, names: Sequence[str], keys: Sequence[str]) -> Path:
        cited = rng.sample(list(keys), rng.randint(0, len(keys)))
        body = " ".join(f"Words say so \\cite{{{key}}}." for key in cited)
        head = "\\documentclass{article}\n\\begin{document}\n"
        end = f"\\bibliographystyle{{plain}}\n\\bibliography{{{','.join(names)}}}\n\\end{{document}}\n"
        path.write_text(f"{head}Here it stands.\n\n{body}\n\n{end}", "utf-8")
        return path

    undefined = [likely()] if rng.random() < 0.3 else []
    undefined = [key for key in undefined if key.lower() not in used]
    mine_names = ["refs", "extra"] if rng.random() < 0.5 else ["refs"]
    names = rng.choice((["../refs", "own"], ["own", "../refs"]))
    keys = [key for key, _ in (*shared, *own)]
    return Pair(
        document(folder / "a.tex", mine_names, [key for key, _ in shared]),
        document(folder / "talk" / "b.tex", names, [*keys, *undefined]),
    )


def by_bibtex(folder: Path, keys: Sequence[str], names: Sequence[str]) -> tuple[bool, dict[str, str]]:
    """Whether BibTeX finds no error, and what every key prints."""
    cites = "".join(f"\\citation{{{key}}}\n" for key in keys)
    (folder / "x.aux").write_text(f"\\bibstyle{{plain}}\n{cites}\\bibdata{{{','.join(names)}}}\n", "utf-8")
    done = subprocess.run(["bibtex", "x"], cwd=folder, capture_output=True, check=False)
    text = (folder / "x.bbl").read_text("utf-8") if (folder / "x.bbl").exists() else ""
    return done.returncode < 2, _printed(text, r"\\bibitem\{([^}]*)\}(.*?)(?=\\bibitem|\\end\{thebib)")


def _printed(text: str, pattern: str) -> dict[str, str]:
    return {key: " ".join(what.split()) for key, what in re.findall(pattern, text, re.S)}


def biber_of(folder: Path) -> Build:
    """biber with the control file that biblatex wrote for one document, its keys and bibliographies exchanged."""
    body = "\\cite{KEY}\\printbibliography\\end{document}"
    head = "\\documentclass{article}\\usepackage{biblatex}\\addbibresource{NAME.bib}\\begin{document}"
    (folder / "x.tex").write_text(head + body)
    subprocess.run(["pdflatex", "-interaction=batchmode", "x"], cwd=folder, capture_output=True, check=False)
    template = (folder / "x.bcf").read_text("utf-8")

    def by_biber(where: Path, keys: Sequence[str], names: Sequence[str]) -> tuple[bool, dict[str, str]]:
        text = template
        for pattern, values in (
            (r"[^\n]*<bcf:datasource.*?</bcf:datasource>\n", [f"{name}.bib" for name in names]),
            (r"[^\n]*<bcf:citekey .*?</bcf:citekey>\n", keys),
        ):
            line = re.search(pattern, text)
            assert line
            lines = (re.sub(r">[^<>]*</", f">{value}</", line[0]) for value in values)
            text = text.replace(line[0], "".join(lines))
        (where / "x.bcf").write_text(text, "utf-8")
        done = subprocess.run(["biber", "x"], cwd=where, capture_output=True, check=False)
        found = (where / "x.bbl").read_text("utf-8") if (where / "x.bbl").exists() else ""
        entries = _printed(found, r"\\entry\{([^}]*)\}(.*?)\\endentry")
        titles = {key: re.search(r"\\field\{title\}\{(.*?)\}\s", what) for key, what in entries.items()}
        return done.returncode < 2, {key: title[1] if title else "" for key, title in titles.items()}

    return by_biber


def built(root: Path, build: Build) -> tuple[bool, dict[str, str], list[str]]:
    draft = read(root)
    keys = list(dict.fromkeys(citation.key for citation in draft.citations))
    names = re.findall(r"\\bibliography\{(.*)\}", root.read_text("utf-8"))[0].split(",")
    whole, printed = build(root.parent, keys, names) if keys else (True, {})
    return whole, printed, keys


def check(folder: Path, seed: int, build: Build, neighbours: bool = True) -> list[str]:
    """What is wrong after new papers were cited in the first document."""
    rng = random.Random(seed)
    pair = drawn(folder, rng)
    before = {root: built(root, build) for root in (pair.mine, pair.other)}
    draft = read(pair.mine)
    draft = draft if neighbours else replace(draft, neighbours=no_neighbours)
    papers = rng.sample(PAPERS, rng.randint(1, len(PAPERS)))
    plan = plan_citation(draft, pair.mine, draft.sources[pair.mine].text.index("Here"), papers)
    apply_plan(plan, draft)
    faults = []
    for root, (whole, printed, keys) in before.items():
        now, after, _ = built(root, build)
        if whole and not now:
            faults.append(f"{seed}: {root.name} builds no more")
        faults += [
            f"{seed}: {key} of {root.name} prints another paper"
            for key in keys
            if after.get(key) != printed.get(key)
        ]
        if root == pair.mine:
            for paper in papers:
                title = re.sub(r"\W", "", paper.title).lower()[:12]
                shown = re.sub(r"\W|\\.", "", after.get(plan.keys[paper.id], "")).lower()
                if title.encode("ascii", "ignore").decode()[:6] not in shown:
                    faults.append(f"{seed}: the new citation of {paper.id} prints {shown!r}")
    return faults


def faults_of(folder: Path, seeds: range, build: Build, neighbours: bool = True) -> list[str]:
    found: list[str] = []
    for seed in seeds:
        here = folder / str(seed)
        here.mkdir()
        found += check(here, seed, build, neighbours)
        shutil.rmtree(here)
    return found


def shared(folder: Path, own: str) -> tuple[Path, Path]:
    text = "\\documentclass{article}\\begin{document}\nHere.\n\\bibliography{NAMES}\\end{document}\n"
    (folder / "a.tex").write_text(text.replace("NAMES", "refs"))
    (folder / "b.tex").write_text(text.replace("NAMES", "refs,own"))
    (folder / "refs.bib").write_text("@misc{some, title={Some}}\n")
    (folder / "own.bib").write_text(own)
    return folder / "a.tex", folder / "own.bib"


def key_for(draft: Draft) -> str:
    return plan_citation(draft, draft.root, draft.sources[draft.root].text.index("Here"), [KINGMA]).keys[
        KINGMA.id
    ]


@pytest.mark.parametrize(
    "own",
    [
        "@misc{kingma2014adam, title={Other}}",
        "@misc{KINGMA2014Adam, title={Other}}",
        "@misc{kingma2014adam, title={",
    ],
)
def test_a_key_of_a_document_that_shares_the_file_is_not_given(tmp_path: Path, own: str) -> None:
    assert key_for(read_draft(shared(tmp_path, own)[0], programs=False)) == "kingma2014adama"
    (tmp_path / "b.tex").unlink()
    assert key_for(read_draft(tmp_path / "a.tex", programs=False)) == "kingma2014adam"


def test_an_unsaved_bibliography_of_the_other_document_counts_too(tmp_path: Path) -> None:
    root, own = shared(tmp_path, "")
    model = Workspace([tmp_path], programs=False)
    draft = model.draft(root)
    model.open(own, "@misc{kingma2014adam, title={Other}}")
    assert key_for(draft) == "kingma2014adama"
    model.stop()


def test_a_key_that_was_given_long_ago_is_given_anew_if_another_document_took_it(tmp_path: Path) -> None:
    root, _ = shared(tmp_path, "@misc{kingma2014adam, title={Other}}")
    draft = read_draft(root, programs=False)
    charset = document_charset(draft, root)
    assert (
        new_entries(draft, [KINGMA], None, root, charset, {"adam": "kingma2014adam"}).keys["adam"]
        == "kingma2014adama"
    )
    assert new_entries(draft, [KINGMA], None, root, charset, {"adam": "free"}).keys["adam"] == "free"


@pytest.mark.latex
def test_a_new_entry_leaves_both_documents_as_they_were(tmp_path: Path) -> None:
    assert faults_of(tmp_path, range(PAIRS), by_bibtex) == []


@pytest.mark.latex
def test_the_draws_would_show_a_key_that_another_document_has(tmp_path: Path) -> None:
    found = faults_of(tmp_path, range(20), by_bibtex, neighbours=False)
    assert any("builds no more" in each for each in found) and any("another paper" in each for each in found)


@pytest.mark.latex
def test_with_biber_as_well(tmp_path: Path) -> None:
    (tmp_path / "template").mkdir()
    assert faults_of(tmp_path, range(WITH_BIBER), biber_of(tmp_path / "template")) == []
