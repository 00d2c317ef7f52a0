"""Nothing that strangers wrote breaks a document: hostile sentences, papers and whole builds, counted.

    python -m benchmarks.latex.written [--sentences 20000] [--papers 20000] [--documents 200] [--seed 1]

Sentences go through `escape` for several kinds of document, and what comes out is taken apart: nothing
but letters, known commands that write a character, and known formulas may be in it. Papers become entries,
which must read back. Documents get a section of hostile sentences on hostile papers, and are compiled:
half by pdfLaTeX with BibTeX, half by LuaLaTeX with biber.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from texgeist_latex.errors import Unfit
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.tex.symbols import FORMULA_COMMANDS, LETTERS, SPECIAL, T1_LETTERS, is_safe_formula
from texgeist_latex.types import ProseSection
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.edits import plan_related_work
from texgeist_latex.writing.entries import new_entry
from texgeist_latex.writing.entry_style import BibStyle
from texgeist_latex.writing.escape import Charset, escape

from benchmarks.latex import hostile
from benchmarks.latex_compile import Outcome, compile_document

CHARSETS = (
    Charset(),
    Charset(frozenset({"latin", "cyrillic", "cjk"}), t1=True, ams=True),
    Charset(frozenset({"latin"}), encoding="latin-1"),
    Charset(any_letter=True, t1=True, ams=True),
    Charset(frozenset({"latin"}), t1=True, decoded=True),
)
STYLES = (
    BibStyle(),
    BibStyle(quotes=True, trailing_comma=False, last_first=True),
    BibStyle(double_title=True, align=12, before_equals="", field_case="title", raw_letters=True),
)
_TEXT_COMMANDS = {
    *(name for value in SPECIAL.values() for name in re.findall(r"\\([A-Za-z]+|.)", value)),
    *(value[1:] for value in LETTERS.values()),
    *(command[1:] for command, _ in T1_LETTERS.values()),
    *"`'^~=\"uvHcdbkr.,$%#&_",
}
_FORMULA_COMMANDS = {*FORMULA_COMMANDS, *_TEXT_COMMANDS, "mathbb", "text"}
_RAISED = re.compile(r"([\^_])\{[A-Za-z]+\}")
_FORMULA = re.compile(r"(?<!\\)\$((?:[^$\\]|\\.)*)\$")


def faults(latex: str, charset: Charset) -> list[str]:
    """What of the LaTeX is no letter, no known command and no known formula."""
    found = ["a line end"] if re.search(r"[\r\n]", latex) else []
    text = _FORMULA.sub(" ", latex)
    for formula in _FORMULA.findall(latex):
        unknown = set(re.findall(r"\\([A-Za-z]+)", formula)) - _FORMULA_COMMANDS
        short = _RAISED.sub(r"\1{x}", formula.replace("{}", "{x}"))  # raised letters in a row are no prose
        if unknown or not is_safe_formula(short, ams=True):
            found.append(f"the formula {formula}")
    found += [f"\\{name}" for name in re.findall(r"\\([A-Za-z]+|.)", text) if name not in _TEXT_COMMANDS]
    bare = re.sub(r"\\[$%#&_\"'`^~=.,]", "", text)
    found += [f"a bare {sign}" for sign in re.findall(r"[$%#&~^\"\x00-\x1f\x7f\ud800-\udfff]", bare)]
    if bare.count("{") != bare.count("}"):
        found.append("braces that do not match")
    try:
        latex.encode(charset.encoding)
    except UnicodeEncodeError:
        found.append(f"what {charset.encoding} does not hold")
    return found


def try_sentences(count: int, seed: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for number in range(count):
        chance = random.Random(f"{seed}:sentence:{number}")
        charset = chance.choice(CHARSETS)
        found.update(faults(escape(hostile.sentence(chance), charset), charset))
    return found


def try_papers(count: int, seed: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for number in range(count):
        chance = random.Random(f"{seed}:paper:{number}")
        paper = hostile.paper(chance, str(number))
        try:
            new_entry(
                paper,
                "k",
                chance.choice(STYLES),
                chance.choice(CHARSETS),
                biblatex=chance.random() < 0.5,
            )
        except Unfit as error:
            found[f"{error} {paper!r}"[:600]] += 1
    return found


BODY = "\\begin{document}\n\\section{Introduction}\nOptimisers matter \\cite{kingma2015adam}.\n\\section{Method}\nOurs.\n"
END = "\\end{document}\n"
BIB = """@article{kingma2015adam,
  title = {Adam: A Method for Stochastic Optimization},
  author = {Kingma, Diederik P. and Ba, Jimmy},
  journal = {arXiv preprint arXiv:1412.6980},
  year = {2015},
}
"""


def _bibtex(preamble: str, style: str, body: str = BODY) -> str:
    ending = f"\\bibliographystyle{{{style}}}\n\\bibliography{{refs}}\n"
    return f"\\documentclass{{article}}\n{preamble}{body}{ending}{END}"


def _biber(preamble: str, style: str) -> str:
    loaded = f"\\usepackage[style={style}]{{biblatex}}\n\\addbibresource{{refs.bib}}\n"
    return f"\\documentclass{{article}}\n{preamble}{loaded}{BODY}\\printbibliography\n{END}"


DOCUMENTS = {
    "pdflatex": (
        _bibtex("", "plain"),
        _bibtex("\\usepackage{natbib}\n\\usepackage{hyperref}\n", "plainnat"),
        _bibtex("\\usepackage[T1]{fontenc}\n", "alpha", BODY.replace("Ours.", "Größe.")),
        _bibtex("\\usepackage[ngerman]{babel}\n\\usepackage{natbib}\n", "apalike"),
        _bibtex("\\usepackage[T1]{fontenc}\n", "abbrv"),
        _bibtex("\\usepackage{apacite}\n", "apacite"),
        _bibtex("", "IEEEtran").replace("{article}", "{IEEEtran}"),
        f"\\documentclass{{article}}\n\\usepackage{{natbib}}\n{BODY}\\begin{{thebibliography}}{{9}}\n"
        f"\\bibitem[Kingma(2015)]{{kingma2015adam}} Kingma. Adam. 2015.\n\\end{{thebibliography}}\n{END}",
    ),
    "lualatex": (
        _biber("", "numeric"),
        _biber("\\usepackage{fontspec}\n", "authoryear"),
        _biber(
            "\\usepackage{fontspec}\n\\usepackage[ngerman]{babel}\n\\usepackage{csquotes}\n", "alphabetic"
        ),
        _biber("\\usepackage{amssymb}\n\\usepackage{hyperref}\n", "apa"),
    ),
}


def build(engine: str, number: int, seed: int, folder: Path) -> list[str]:
    """Writes a hostile section into one document and compiles it; what went wrong."""
    chance = random.Random(f"{seed}:{engine}:{number}")
    root = folder / "main.tex"
    root.write_text(DOCUMENTS[engine][number % len(DOCUMENTS[engine])], "utf-8")
    (folder / "refs.bib").write_text(BIB, "utf-8")
    papers = [hostile.paper(chance, str(each)) for each in range(25)]
    ids = [paper.id for paper in papers]
    paragraphs = tuple(tuple(hostile.cited(chance, ids) for _ in range(8)) for _ in range(4))
    draft = read_draft(root, programs=False)
    plan = plan_related_work(draft, ProseSection(hostile.words(chance, 4), paragraphs), papers)
    apply_plan(plan, draft)
    return _complaints(folder, compile_document(root, 200, engine))


def _complaints(folder: Path, outcome: Outcome) -> list[str]:
    log = folder / "main.blg"
    has_tool = "thebibliography" not in (folder / "main.tex").read_text("utf-8")
    said = log.read_text("utf-8", "replace") if has_tool and log.exists() else ""
    errors = re.findall(r"^.*(?:error message|ERROR - ).*$", said, re.M)
    errors += re.findall(
        r"^(?:I was expecting|Illegal|Name \d+ in|Too many commas|White space in|A bad cross|I'm skipping).*$",
        said,
        re.M,
    )
    missing = [f"undefined: {key}" for key in sorted(outcome.undefined)]
    return [*outcome.errors, *errors, *missing, *([] if outcome.pdf else ["no PDF"])]


def try_documents(count: int, seed: int) -> list[str]:
    """Half with each engine, two at a time."""

    def one(number: int) -> str:
        engine = ("pdflatex", "lualatex")[number % 2]
        with tempfile.TemporaryDirectory(prefix="texgeist-written-") as scratch:
            found = build(engine, number // 2, seed, Path(scratch))
        return f"{engine} {number // 2}: {'; '.join(found[:4])}" if found else ""

    broken: list[str] = []
    with ThreadPoolExecutor(2) as pool:
        for number, line in enumerate(pool.map(one, range(count)), 1):
            broken += [line] if line else []
            if line or number % 20 == 0:
                print(f"  {number} built, {len(broken)} broken {line}", flush=True)
    return broken


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    sentences = try_sentences(options.sentences, options.seed)
    print(f"{options.sentences} sentences, {sentences.total()} faults {sentences.most_common(5)}", flush=True)
    papers = try_papers(options.papers, options.seed)
    print(
        f"{options.papers} papers, {papers.total()} entries that do not read back {papers.most_common(3)}",
        flush=True,
    )
    broken = try_documents(options.documents, options.seed)
    print(f"{options.documents} documents, {len(broken)} builds broken", *broken[:20], sep="\n  ")
    return int(bool(sentences or papers or broken))


if __name__ == "__main__":
    sys.exit(main())
