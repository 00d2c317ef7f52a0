"""What BibTeX and biber print for each key of real documents, to compare with what texgeist reads."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

LATEX = "\\documentclass{article}\\begin{document}\n"
CITED = re.compile(r"\\cite\{([^}]*)\}")
NAMED = re.compile(r"\\bibliography\{([^}]*)\}")
ITEM = re.compile(r"\\bibitem\{([^}]*)\}(.*?)(?=\\bibitem|\\end\{thebib)", re.DOTALL)
ENTRY = re.compile(r"\\entry\{([^}]*)\}(?:(?!\\endentry).)*?\\field\{title\}\{(.*?)\}\n", re.DOTALL)
SECTION = re.compile(r"\\refsection\{(\d+)\}(.*?)\\endrefsection", re.DOTALL)


Build = Callable[[Sequence[Path]], list[dict[str, str]]]
"""What each key of each document prints; nothing for a document that the program refuses."""


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
