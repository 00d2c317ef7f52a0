"""What texgeist writes compiles: LaTeX, BibTeX and biber run on it for real."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from texgeist_latex.tex.symbols import (
    FORMULA_COMMANDS,
    LETTERS,
    MATHS,
    PLAIN_LETTERS,
    SPECIAL,
    T1_LETTERS,
    is_safe_formula,
)
from texgeist_latex.types import Reference
from texgeist_latex.writing.entry_style import protect_capitals
from texgeist_latex.writing.escape import Charset, escape

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.latex


@pytest.fixture(scope="session")
def tex() -> ModuleType:
    """The compiling half of benchmarks/latex_compile.py, which checks all the real projects."""
    missing = [name for name in ("pdflatex", "bibtex", "biber") if not shutil.which(name)]
    if missing:
        message = f"{', '.join(missing)} not found: scripts/test-tools installs TeX Live"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    spec = importlib.util.spec_from_file_location("latex_compile", ROOT / "benchmarks" / "latex_compile.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BIB = """@article{kingma2015adam,
  title = {Adam: A Method for Stochastic Optimization},
  author = {Kingma, Diederik P. and Ba, Jimmy},
  journal = {arXiv preprint arXiv:1412.6980},
  year = {2015},
}
"""
BODY = "\\begin{document}\n\\section{Introduction}\nOptimisers matter \\cite{kingma2015adam}.\n\\section{Method}\nOurs.\n"
DOCUMENTS = {
    "plain": "\\documentclass{article}\n" + BODY + "\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n",
    "natbib-german-latin1": "\\documentclass{article}\n\\usepackage[latin1]{inputenc}\n\\usepackage[ngerman]{babel}\n"
    "\\usepackage{natbib}\n" + BODY.replace("Ours.", "Größe.") + "\\bibliographystyle{plainnat}\n\\bibliography{refs}\n\\end{document}\n",
    "natbib-apalike": "\\documentclass{article}\n\\usepackage{natbib}\n"
    + BODY + "\\bibliographystyle{apalike}\n\\bibliography{refs}\n\\end{document}\n",
    "alpha-raw-letters": "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n"
    + BODY.replace("Ours.", "Größe.") + "\\bibliographystyle{alpha}\n\\bibliography{refs}\n\\end{document}\n",
    "natbib-abbrv": "\\documentclass{article}\n\\usepackage[numbers]{natbib}\n"
    + BODY.replace("\\cite", "\\citep") + "\\bibliographystyle{abbrv}\n\\bibliography{refs}\n\\end{document}\n",
    "biber-t1": "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[style=authoryear]{biblatex}\n"
    "\\addbibresource{refs.bib}\n" + BODY.replace("\\cite", "\\autocite") + "\\printbibliography\n\\end{document}\n",
    "biblatex-bibtex": "\\documentclass{article}\n\\usepackage[backend=bibtex]{biblatex}\n\\addbibresource{refs.bib}\n"
    + BODY + "\\printbibliography\n\\end{document}\n",
    "ieee": "\\documentclass{IEEEtran}\n" + BODY + "\\bibliographystyle{IEEEtran}\n\\bibliography{refs}\n\\end{document}\n",
    "apacite": "\\documentclass{article}\n\\usepackage{apacite}\n" + BODY + "\\bibliographystyle{apacite}\n\\bibliography{refs}\n\\end{document}\n",
    "acm": "\\documentclass[sigconf,nonacm]{acmart}\n\\title{T}\n\\author{A}\\affiliation{\\institution{I}\\country{C}}\n"
    + BODY.replace("document}\n", "document}\n\\maketitle\n", 1) + "\\bibliographystyle{ACM-Reference-Format}\n\\bibliography{refs}\n\\end{document}\n",
    "thebibliography": "\\documentclass{article}\n" + BODY
    + "\\begin{thebibliography}{9}\n\\bibitem{kingma2015adam} Kingma. Adam. 2015.\n\\end{thebibliography}\n\\end{document}\n",
    "none-yet": "\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\nText.\n\\end{document}\n",
    "none-yet-biblatex": "\\documentclass{article}\n\\usepackage{biblatex}\n\\begin{document}\n\\section{Introduction}\nText.\n\\end{document}\n",
    "none-yet-ieee": "\\documentclass{IEEEtran}\n\\begin{document}\n\\section{Introduction}\nText.\n\\end{document}\n",
}  # fmt: skip


# The fonts of acmart are half a gigabyte to fetch. Where they are not installed, packages of their names give the
# class what it takes from them (T1 letters, the AMS symbols) in Times: without any, it would set in OT1 fonts.
ACM_FONTS = {
    "libertine": "\\renewcommand{\\rmdefault}{ptm}\\renewcommand{\\sfdefault}{phv}\\newcommand{\\libertineLF}{}",
    "zi4": "\\renewcommand{\\ttdefault}{pcr}",
    "newtxmath": "\\RequirePackage{amssymb}",
}


def give_acm_fonts(folder: Path) -> None:
    for package, text in ACM_FONTS.items():
        name = f"{package}.sty"
        if subprocess.run(["kpsewhich", name], capture_output=True).returncode:
            options = "\\DeclareOption*{}\\ProcessOptions\\relax\n"
            (folder / name).write_text(f"\\ProvidesPackage{{{package}}}\n{options}{text}\n", "ascii")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_way_to_cite(name: str, tmp_path: Path, tex: ModuleType):
    text = DOCUMENTS[name]
    root = tmp_path / "main.tex"
    root.write_bytes(text.encode("latin-1" if "latin1" in name else "utf-8"))
    if "refs" in text:
        (tmp_path / "refs.bib").write_text(BIB.replace("Jimmy", "Jímmy") if "raw" in name else BIB, "utf-8")
    if name == "acm":
        give_acm_fonts(tmp_path)
    tex.write_into(root, tex.library_references())
    outcome = tex.compile_document(root)
    assert outcome.pdf and not outcome.errors and not outcome.undefined, outcome
    if name != "thebibliography":  # there is nothing for BibTeX to do
        assert "error message" not in (tmp_path / "main.blg").read_text("utf-8", "replace")


def test_biber_ends_on_names_without_capitals(tmp_path: Path, tex: ModuleType):
    """Written as "need, neural" and "ff, al" beside an author called "n", it compared them for ever."""
    root = tmp_path / "main.tex"
    root.write_text(DOCUMENTS["biber-t1"], "utf-8")
    (tmp_path / "refs.bib").write_text(BIB, "utf-8")
    names = [("n",), ("ff, al",), ("need, neural",), ("danah boyd", "bell hooks")]
    strange = [Reference(str(n), f"On {n}", a, 2020) for n, a in enumerate(names)]
    tex.write_into(root, [*strange, *tex.library_references()])
    outcome = tex.compile_document(root)
    assert outcome.pdf and not outcome.errors and not outcome.undefined, outcome


@pytest.mark.parametrize("name", ["convex-vins-ieee", "hslda-nips", "implicit-llncs"])
def test_real_projects_still_compile(name: str, shared_data: Path, tex: ModuleType):
    roots = {"convex-vins-ieee": "main.tex", "hslda-nips": "main.tex", "implicit-llncs": "paper.tex"}
    row = tex.check_project(shared_data / "latex" / name, roots[name], tex.library_references())
    assert row.verdict == "still compiles", row
    assert row.after.pages >= row.before.pages > 0


def test_the_example_paper_compiles(tmp_path: Path, tex: ModuleType):
    folder = tmp_path / "paper"
    shutil.copytree(ROOT / "examples" / "paper", folder)
    plan = tex.write_into(folder / "main.tex", tex.library_references())
    outcome = tex.compile_document(folder / "main.tex")
    assert outcome.pdf and not outcome.errors and not outcome.undefined, outcome
    listed = (folder / "main.bbl").read_text("utf-8")
    assert all(key in listed for key in plan.keys.values())


@pytest.mark.parametrize(("package", "t1"), [("", False), ("\\usepackage[T1]{fontenc}\n", True)])
def test_every_character_and_symbol_compiles(package: str, t1: bool, tmp_path: Path, tex: ModuleType):
    """All that `escape` may write, in a document that loads nothing else; again as a title in a `.bib`."""
    charset = Charset(t1=t1)
    letters = [
        chr(code)
        for code in [
            *range(0xA1, 0x250),
            *range(0x370, 0x460),
            *range(0x1E00, 0x1F00),
            *range(0x2010, 0x2300),
        ]
    ]
    known = "".join([*SPECIAL, *MATHS, *LETTERS, *T1_LETTERS, *PLAIN_LETTERS])
    formulas = [f"\\{name}" + "{x}" * count for name, count in FORMULA_COMMANDS.items()]
    assert all(is_safe_formula(code) for code in formulas)
    words = [*("".join(letters)), *known, *(f"${code}$" for code in formulas)]
    lines = "\n\n".join(
        escape(" ".join(words[start : start + 20]), charset) for start in range(0, len(words), 20)
    )
    title = protect_capitals(
        " ".join(f"{word}b" if not word.startswith("$") else word for word in words[:600]), charset
    )
    (tmp_path / "refs.bib").write_text(
        f"@misc{{k, title = {{{title}}}, author = {{A. B}}, year = 2020}}\n", "ascii"
    )
    root = tmp_path / "main.tex"
    root.write_text(
        f"\\documentclass{{article}}\n{package}\\begin{{document}}\n{lines}\n\n\\cite{{k}}\n"
        "\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n",
        "ascii",
    )
    outcome = tex.compile_document(root)
    assert outcome.pdf and not outcome.errors and not outcome.undefined, outcome
