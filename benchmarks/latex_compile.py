"""Do real projects still compile after texgeist has written into them?

    python benchmarks/latex_compile.py [PROJECT ...] [--data ../shared/data/latex]

Each project is copied, compiled untouched, given a related-work section on five papers of
examples/library.bib and two awkward ones by `plan_related_work` and `apply_plan`, and compiled again.
Printed: errors and undefined citations before and after. Needs TeX Live (see CONTRIBUTING).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from texgeist_latex.bib.authors import split_authors
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import EditPlan, ProseSection, ProseSentence, Reference
from texgeist_latex.writing.edits import apply_plan, plan_related_work

ROOT = Path(__file__).resolve().parent.parent
_ERROR = re.compile(r"^(?:! .*|.*:\d+: .*)$", re.MULTILINE)
_BOX = re.compile(  # shows the text that is in it, which may begin with "! "
    r"^(?:Over|Under)full \\hbox .* at lines? .*\n(?:.*\n){1,20}? \[\]$", re.MULTILINE
)
_UNDEFINED = re.compile(
    r"Citation\s+[`'‘]?([^\s'’]+)['’]?(?:\s+on\s+page\s+\S+)?(?:\s+on\s+input\s+line\s+\d+)?\s+undefined|"
    r"following\s+entry\s+could\s+not\s+be\s+found\s+in\s+the\s+database:\s*(?:\(biblatex\)\s*)?(\S+)",
    re.I,
)
_UNICODE_ENGINE = re.compile(r"\{[^}]*\b(?:fontspec|xeCJK|ctex\w*|polyglossia|unicode-math)\b[^}]*\}")


@dataclass
class Outcome:
    """One compilation: `pdf` tells whether a document came out, `errors` what TeX complained of."""

    pdf: bool
    pages: int = 0
    errors: list[str] = field(default_factory=list)
    undefined: set[str] = field(default_factory=set)
    seconds: float = 0.0


def compile_document(root: Path, timeout: int = 400, engine: str = "") -> Outcome:
    """LaTeX, BibTeX or biber, LaTeX twice, in the root document's folder, without shell escape."""
    started = time.perf_counter()
    engine = engine or engine_of(root)
    folder, stem = root.parent, root.stem
    command = [engine, "-interaction=nonstopmode", "-no-shell-escape", "-file-line-error", root.name]
    for run in range(3):
        _run(command, folder, timeout)
        if run == 0:
            _follow_output_folder(folder, stem)
            tool = ["biber", "-q", stem] if (folder / f"{stem}.bcf").exists() else ["bibtex", stem]
            _run(tool, folder, timeout)
    log = _read(folder / f"{stem}.log").replace("\n(biblatex)", " ")
    unwrapped = re.sub(r"(?<=.{79})\n", "", log)  # TeX breaks its lines at 79 characters
    pages = re.search(r"\((\d+) pages?", unwrapped)
    return Outcome(
        pdf=(folder / f"{stem}.pdf").exists(),
        pages=int(pages[1]) if pages else 0,
        errors=[match[0][:120] for match in _ERROR.finditer(_BOX.sub("", log)) if "Warning" not in match[0]],
        undefined={match[1] or match[2] for match in _UNDEFINED.finditer(unwrapped)},
        seconds=round(time.perf_counter() - started, 1),
    )


def _follow_output_folder(folder: Path, stem: str) -> None:
    """revtex writes a `.bib` of notes; authors who compile into a folder look for it there."""
    if match := re.search(r"\\bibdata\{(\w+)/", _read(folder / f"{stem}.aux")):
        (folder / match[1]).mkdir(exist_ok=True)
        for notes in folder.glob("*Notes.bib"):
            shutil.copy(notes, folder / match[1])


def engine_of(root: Path) -> str:
    """xelatex where the preamble or a class beside it asks for Unicode fonts."""
    texts = [_read(path) for path in (root, *root.parent.glob("*.cls"), *root.parent.glob("*/preamble.tex"))]
    loads = [text for text in texts if _UNICODE_ENGINE.search(text) and "ifpdftex" not in text.lower()]
    if "luatex85" in texts[0] or "luacode" in texts[0]:
        return "lualatex"
    return "xelatex" if loads and "acmart" not in texts[0] else "pdflatex"


# Made up, with what breaks entries: underscores, percent signs, tildes, names that are none.
AWKWARD = [
    Reference(
        id="published",
        title="100% of a_b & the GPT-4 {case}: a study of Nguyễn's $\\alpha$-law",
        authors=("Nguyễn Văn Đức", "ATLAS Collaboration", "O'Neil, Jr., Zoë", "Wałęsa and Sons"),
        year=2020,
        doi="10.1007/978_3#x%y",
        venue="Journal of Things & Co.",
        kind="article",
    ),
    Reference(id="page", title="A Page", authors=(), year=None, url="https://example.org/a_b%20c~d#e"),
]


def library_references(count: int = 5) -> list[Reference]:
    """Real papers from the sample library, and two awkward ones."""
    path = ROOT / "examples" / "library.bib"
    entries = [entry for entry in read_bib(path, path.read_text("utf-8")).entries if "eprint" in entry.fields]
    return [
        Reference(
            id=entry.key,
            title=entry.fields["title"].replace("{", "").replace("}", ""),
            authors=tuple(split_authors(entry.fields["author"])),
            year=int(entry.fields["year"]),
            arxiv_id=entry.fields["eprint"],
            primary_class=entry.fields.get("primaryclass", ""),
        )
        for entry in entries[:: max(1, len(entries) // count)][:count]
    ] + AWKWARD


HOSTILE = (
    "Papers hold 100% of strange text: \\input{/etc/passwd}, #1 & x_1^2, {braces, ~tildes~, <tags> | “quo” "
    '"more", β ≤ 1, Müller–Łukasz Nguyễn, $5 and $10, $O(n \\log n)$, $\\undefined{x}$, \\end{document}.'
)


def section_on(references: list[Reference]) -> ProseSection:
    """Parenthetical and textual citations, one and several keys, and text that tries to break out."""
    ids = [reference.id for reference in references]
    first = (
        ProseSentence("Retrieval has been studied for language models.", tuple(ids[:2])),
        ProseSentence("propose another way.", (ids[2],), True, "More recently,"),
        ProseSentence(HOSTILE, (ids[3],)),
    )
    second = (
        ProseSentence("compare several of these.", (ids[3], ids[4]), True),
        ProseSentence("Others are published elsewhere.", (ids[5], ids[6])),
        ProseSentence("Our work differs from all of them."),
    )
    return ProseSection("Related Work", (first, second))


def write_into(root: Path, references: list[Reference]) -> EditPlan:
    draft = read_draft(root)
    plan = plan_related_work(draft, section_on(references), references)
    apply_plan(plan, draft)
    return plan


@dataclass
class Row:
    name: str
    root: str
    before: Outcome
    after: Outcome | None = None
    new_undefined: list[str] = field(default_factory=list)
    new_errors: list[str] = field(default_factory=list)
    missing_from_bbl: list[str] = field(default_factory=list)
    problem: str = ""

    @property
    def verdict(self) -> str:
        if self.problem:
            return f"FAILED: {self.problem}"
        if not self.before.pdf or self.before.pages == 0:
            return "does not compile untouched"
        assert self.after is not None
        bad = self.new_undefined or self.new_errors or self.missing_from_bbl or not self.after.pdf
        return "BROKEN" if bad else "still compiles"


def check_project(source: Path, root: str, references: list[Reference]) -> Row:
    """One project, untouched and written into, each in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="texgeist-") as scratch:
        before = Path(scratch, "before", source.name)
        after = Path(scratch, "after", source.name)
        for folder in (before, after):
            shutil.copytree(source, folder, symlinks=True)
            _make_writable(folder)
            _fill_gaps(folder / root)
            for name in OUTDATED.get(source.name, ()):
                (folder / name).unlink()
        row = Row(source.name, root, compile_document(before / root))
        try:
            plan = write_into(after / root, references)
        except LatexError as error:
            row.problem = f"{type(error).__name__}: {error}"
            return row
        row.after = compile_document(after / root)
        row.new_undefined = sorted(row.after.undefined - row.before.undefined)
        known = {_without_place(error) for error in row.before.errors}
        row.new_errors = [error for error in row.after.errors if _without_place(error) not in known]
        listed = "".join(_read(path) for path in after.rglob("*.bbl")) + "".join(
            _read(path) for path in after.rglob("*.tex") if "bibitem" in _read(path)
        )
        row.missing_from_bbl = (
            sorted({key for key in plan.keys.values() if key not in listed}) if row.before.pdf else []
        )
        return row


def _fill_gaps(root: Path) -> None:
    """Empty files where the project's own inclusions are missing, so that the rest can be compiled."""
    for name in read_draft(root).missing:
        path = root.parent / (name if name.endswith(".tex") else f"{name}.tex")
        if not path.exists() and path.resolve().is_relative_to(root.parent.resolve()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")


def _without_place(error: str) -> str:
    return re.sub(r":\d+:", ":", error)


def _run(command: list[str], folder: Path, timeout: int) -> None:
    env = {**os.environ, "max_print_line": "79", "LC_ALL": "C.UTF-8"}
    try:
        subprocess.run(
            command, cwd=folder, env=env, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL
        )
    except (subprocess.TimeoutExpired, FileNotFoundError) as error:
        print(f"{command[0]} in {folder.name}: {error}", file=sys.stderr)


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""


def _make_writable(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200 | (0o100 if path.is_dir() else 0))


# The documents that their authors compile, where index.json names a template or a part first.
ROOTS = {
    "fefu-masters-thesis-ru": "document.tex",
    "kaleidoscope-cvpr": "main.tex",
    "sts-revtex": "STS_processing.tex",
    "relconv": "arxiv/main.tex",
}
# Their own copies of a class that today's LaTeX kernel refuses: the distribution's takes their place.
OUTDATED = {
    "sts-revtex": (
        "revtex4-1.cls",
        "ltxdocext.sty",
        "ltxfront.sty",
        "ltxgrid.sty",
        "ltxutil.sty",
        "revsymb4-1.sty",
    )
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("projects", nargs="*")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "latex")
    options = parser.parse_args()
    references = library_references()
    rows = []
    for project in json.loads((options.data / "index.json").read_text("utf-8")):
        name = project["name"]
        if options.projects and name not in options.projects:
            continue
        row = check_project(options.data / name, ROOTS.get(name, project["roots"][0]), references)
        rows.append(row)
        old, new = row.before, row.after or Outcome(False)
        print(
            f"{name:28} {row.root:22} {row.verdict:26} errors {len(old.errors)} -> {len(new.errors)}, "
            f"undefined {len(old.undefined)} -> {len(new.undefined)}, pages {old.pages} -> {new.pages}, "
            f"{old.seconds:.0f}+{new.seconds:.0f} s"
        )
        shown = {"undefined": row.new_undefined, "error": row.new_errors, "not in .bbl": row.missing_from_bbl}
        for label, items in shown.items() if row.verdict == "BROKEN" else ():
            for item in items[:5]:
                print(f"    new {label}: {item}")
        if not row.before.pdf or row.before.errors:
            for error in row.before.errors[:3]:
                print(f"    untouched: {error}")
        sys.stdout.flush()
    return int(any(row.verdict.startswith(("FAILED", "BROKEN")) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
