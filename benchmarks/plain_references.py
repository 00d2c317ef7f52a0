"""Are printed references read right, and are right ones left alone?

    python -m benchmarks.plain_references [FIRST]

500 known entries (250 of real projects, 250 of CiteTracer's records; `FIRST` chooses others, default 0) are
typeset in seven styles, two of them author-year lists of biblatex and BibTeX, with the pages that cite. The `.bbl` and the list of references in the PDF are read: the share of entries
with the right authors (family names, order, first initials), title, year and venue, each letter by letter. Then
they are checked against the entries themselves: every accusation is a fault of reading, or of the entry.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from texgeist_latex.bib.authors import OTHERS, parse_name, split_authors
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.tex.accents import to_ascii
from texgeist_latex.tex.plaintext import plain
from texgeist_latex.types import BibEntry
from texgeist_server.bibliography_checks.checking import check, entries_of, read_file

from benchmarks.__main__ import DATA

KEPT = frozenset(
    "title author year journal booktitle volume number pages publisher editor series month address".split()
)
STYLES = {  # and their packages
    "plain": "",
    "ieeetr": "",
    "apalike": r"\usepackage{apalike}",
    "acm": "",
    "unsrtnat": r"\usepackage[numbers]{natbib}",
    "chicago": r"\usepackage{natbib}\usepackage[pagebackref]{hyperref}",
    "authoryear": r"\usepackage[style=authoryear,backref,doi=false,maxbibnames=99]{biblatex}\addbibresource{refs.bib}",
}
DOCUMENT = r"""\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb,url,textcomp}%s\begin{document}\title{A paper}\maketitle Text. %s
%s\end{document}"""


def main() -> int:
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    bibtex = "\n".join(entries(first))
    known = read_bib(Path("refs.bib"), bibtex).entries
    records = Records(known, "the entries")
    for style in STYLES:
        with tempfile.TemporaryDirectory() as folder:
            _typeset(Path(folder), style, bibtex)
            for file in ("paper.bbl", "paper.pdf"):
                read = read_file(Path(folder, file))
                right, verdicts = Counter[str](), Counter[str]()
                by_title = {_letters(e.fields.get("title", ""))[:40]: e for e in entries_of(read)}
                for entry in known:
                    got = by_title.get(_letters(entry.fields["title"])[:40])
                    right.update(
                        name for name, value in _fields(entry).items() if got and _fields(got)[name] == value
                    )
                verdicts.update(one.verdict for one in check(read, [records], 2026).entries)
                shares = ", ".join(
                    f"{name} {right[name] / len(known):.3f}" for name in ("author", "title", "year", "venue")
                )
                mean = sum(right.values()) / 4 / len(known)
                print(f"{style} {file}: {shares}, mean {mean:.3f}; {dict(verdicts)}; {read.share}")
    return 0


def entries(first: int, count: int = 250) -> Iterator[str]:
    """`count` entries of each of the two kinds, with authors (at most 11), title, year and venue, each title once."""
    seen: set[str] = set()
    real = [
        entry
        for path in sorted((DATA / "latex").rglob("*.bib"))
        for entry in read_bib(path, path.read_text("utf-8", "replace")).entries
    ]
    with gzip.open(DATA / "citetracer" / "known.jsonl.gz", "rt", encoding="utf-8") as lines:
        made = [json.loads(line) for line in lines]
    pools: list[list[tuple[str, dict[str, str]]]] = [[], []]
    for at, (kind, fields) in [
        *((0, (e.type, e.fields)) for e in real),
        *((1, (m["type"], _escaped(m["fields"]))) for m in made),
    ]:
        title = _letters(fields.get("title", ""))
        if _is_whole(kind, fields) and title not in seen:
            seen.add(title)
            pools[at].append((kind, fields))
    for pool in pools:
        random.Random(7).shuffle(pool)
        for at, (kind, fields) in enumerate(pool[first : first + count]):
            inner = ",\n".join(f"{name} = {{{value}}}" for name, value in fields.items() if name in KEPT)
            yield f"@{kind}{{k{at}x{len(pool)},\n{inner}}}"


def _escaped(fields: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): re.sub(r"(?<!\\)([&%#_])", r"\\\1", value) for name, value in fields.items()}


def _is_whole(kind: str, fields: Mapping[str, str]) -> bool:
    venue = fields.get("journal") or fields.get("booktitle")
    authors = len(split_authors(fields.get("author", "")))
    year = re.fullmatch(r"\d{4}", fields.get("year", "").strip())
    return bool(
        kind in ("article", "inproceedings")
        and 0 < authors < 12
        and venue
        and year
        and fields.get("title")
        and "crossref" not in fields
    )


def _typeset(folder: Path, style: str, bibtex: str) -> None:
    (folder / "refs.bib").write_text(bibtex, encoding="utf-8")
    biblatex = "biblatex" in STYLES[style]
    printed = r"\printbibliography" if biblatex else rf"\bibliographystyle{{{style}}}\bibliography{{refs}}"
    cited = "\n".join(rf"\cite{{{entry.key}}}" for entry in read_bib(Path("refs.bib"), bibtex).entries)
    (folder / "paper.tex").write_text(DOCUMENT % (STYLES[style], cited, printed), encoding="utf-8")
    latex = ["pdflatex", "-interaction=batchmode", "paper"]
    reader = ["biber", "paper"] if biblatex else ["bibtex", "-min-crossrefs=99", "paper"]
    for command in (latex, reader, latex, latex):
        subprocess.run(command, cwd=folder, capture_output=True, check=False)


def _fields(entry: BibEntry) -> dict[str, object]:
    fields = entry.fields
    names = [parse_name(name) for name in split_authors(fields.get("author", ""))]
    people = [
        (_letters(n.last), _letters(n.first)[:1])
        for n in names
        if n.last.lower().strip(".") not in (OTHERS, "al", "et al")
    ]
    return {
        "author": people,
        "title": _letters(fields.get("title", "")),
        "year": fields.get("year", "").strip(),
        "venue": _letters(fields.get("booktitle") or fields.get("journal", "")),
    }


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", to_ascii(plain(text)).lower())


if __name__ == "__main__":
    raise SystemExit(main())
