"""Drawn pairs of documents that share a bibliography, built before and after the first of them cites new papers.

    python -m benchmarks.latex.pairs 2000

What only the second document reads or cites holds keys that the first would give to new papers. All pairs are built
with BibTeX, and with biber (200 documents a run). A fault is a document that no longer builds, or a citation that
prints another paper than before.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from texgeist_latex.bib.keys import SCHOLAR, KeyStyle, new_key
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Reference
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.edits import plan_citation

PAPERS = (
    Reference("bert", "BERT: Pre-training", ("Jacob Devlin", "Kenton Lee"), 2018, "1810.04805"),
    Reference("adam", "Adam: A Method", ("Diederik P. Kingma", "Jimmy Ba"), 2014, "1412.6980"),
    Reference("gpt", "GPT Models", ("Maximilian Nickel",), 2017, "1705.08039"),
)
STYLES = (SCHOLAR, KeyStyle((("", "Author"), ("", "yyyy")), letter=True))
LATEX = "\\documentclass{article}\\begin{document}\n"
CITED = re.compile(r"\\cite\{([^}]*)\}")
NAMED = re.compile(r"\\bibliography\{([^}]*)\}")
ITEM = re.compile(r"\\bibitem\{([^}]*)\}(.*?)(?=\\bibitem|\\end\{thebib)", re.DOTALL)
ENTRY = re.compile(r"\\entry\{([^}]*)\}(?:(?!\\endentry).)*?\\field\{title\}\{(.*?)\}\n", re.DOTALL)
SECTION = re.compile(r"\\refsection\{(\d+)\}(.*?)\\endrefsection", re.DOTALL)


Build = Callable[[Sequence[Path]], list[dict[str, str]]]
"""What each key of each document prints; nothing for a document that the program refuses."""


def draw_pair(folder: Path, rng: random.Random) -> tuple[Path, Path]:
    style, used = rng.choice(STYLES), set[str]()

    def likely() -> str:
        key = new_key(rng.choice(PAPERS), style, set())
        return rng.choice((str, str, str.upper, str.lower))(key) + rng.choice(("", "", "", "a", "b"))

    def bibliography(name: str, likely_keys: int) -> list[str]:
        keys = [f"{name[-3:]}{i}" for i in range(rng.randint(1, 5))] + [likely() for _ in range(likely_keys)]
        kept = {key.lower(): key for key in keys if key.lower() not in used}
        used.update(kept)
        entries = (f"@misc{{{key},\n title = {{Title {key}}},\n year = 1990\n}}\n" for key in kept.values())
        (folder / f"{name}.bib").write_text("\n".join(entries))
        return list(kept.values())

    def document(name: str, files: Sequence[str], cited: Sequence[str]) -> Path:
        body = "".join(f"\\cite{{{key}}}\n" for key in cited) + f"\\bibliography{{{','.join(files)}}}"
        (folder / name).write_text(f"{LATEX}Here it stands.\n\n{body}\\end{{document}}\n")
        return folder / name

    (folder / "talk").mkdir(parents=True)
    shared, own = bibliography("refs", rng.random() < 0.2), bibliography("talk/own", rng.randint(0, 3))
    undefined = [key for key in [likely()] if rng.random() < 0.3 and key.lower() not in used]
    names = rng.choice((["../refs", "own"], ["own", "../refs"]))
    return document("a.tex", ["refs"], shared), document("talk/b.tex", names, [*shared, *own, *undefined])


def printed(folder: Path, commands: Sequence[Sequence[str]]) -> str:
    """The `.bbl` that the last of the commands makes; "" if it reports an error."""
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return (folder / "x.bbl").read_text("utf-8") if done.returncode < 2 else ""


def by_bibtex(documents: Sequence[Path]) -> list[dict[str, str]]:
    found = []
    for document in documents:
        text = document.read_text("utf-8")
        lines = [f"\\citation{{{key}}}\n" for key in CITED.findall(text)]
        lines += [f"\\bibdata{{{name}}}\n\\bibstyle{{plain}}\n" for name in NAMED.findall(text)]
        (document.parent / "x.aux").write_text("".join(lines))
        found.append(dict(ITEM.findall(printed(document.parent, [["bibtex", "x"]]))))
    return found


def by_biber(documents: Sequence[Path]) -> list[dict[str, str]]:
    """Builds one document in which each of the given ones is a section of references."""
    whole = LATEX.replace("\\begin", "\\usepackage{biblatex}\\begin")
    for document in documents:
        text = document.read_text("utf-8")
        files = ",".join(f"{document.parent / name}.bib" for name in NAMED.findall(text)[0].split(","))
        whole += f"\\newrefsection[{files}]\\nocite{{{','.join(CITED.findall(text))}}}\n"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "x.tex").write_text(f"{whole}\\end{{document}}\n")
        bbl = printed(Path(folder), [["pdflatex", "-interaction=batchmode", "x"], ["biber", "x"]])
    parts = dict(SECTION.findall(bbl))
    return [dict(ENTRY.findall(parts.get(str(number), ""))) for number in range(1, len(documents) + 1)]


def cite(document: Path, rng: random.Random) -> dict[str, str]:
    """Cites drawn papers in the document; gives the beginnings of their titles by key."""
    draft = read_draft(document, workspace=document.parent, programs=False)
    papers = rng.sample(PAPERS, rng.randint(1, len(PAPERS)))
    plan = plan_citation(draft, document, draft.sources[document].text.index("Here"), papers)
    apply_plan(plan, draft)
    return {plan.keys[paper.id]: paper.title[:3] for paper in papers}


def faults_of(folder: Path, seeds: range, build: Build) -> list[str]:
    """What is wrong after new papers were cited in the first document of each pair."""
    pairs = [draw_pair(folder / str(seed), random.Random(seed)) for seed in seeds]
    documents = [document for pair in pairs for document in pair]
    before, found = build(documents), list[str]()
    for seed, (first, _), at in zip(seeds, pairs, range(0, len(documents), 2), strict=True):
        before[at] |= cite(first, random.Random(seed))
    for document, old, now in zip(documents, before, build(documents), strict=True):
        where = document.relative_to(folder)
        wrong = [key for key, text in old.items() if text not in now.get(key, "")]
        found += [f"{where}: {key} prints another paper" for key in wrong] if now else []
        found += [f"{where} no longer builds"] if old and not now else []
    return found


if __name__ == "__main__":
    for build in (by_bibtex, by_biber):
        faults = list[str]()
        for start in range(0, int(sys.argv[1]), 100):
            with tempfile.TemporaryDirectory() as folder:
                faults += faults_of(Path(folder), range(start, start + 100), build)
        print(build.__name__, len(faults), "faults", *faults[:5], sep="\n", flush=True)
