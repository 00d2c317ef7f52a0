"""Drawn projects of two documents that share bibliographies, in which keys are followed and renamed.

Keys hold braces, commas, control characters and a hundred thousand letters, entries share keys, and the fields `file`,
`url`, `doi` and `eprint` lead out. Bibliographies are links to others inside, and outside. A failure is a link to
anywhere but a page, the user's own PDFs or a bibliography that was read, and a renaming that changed one place and not
the next, or that its opposite does not take back.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.types import Draft
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.renaming import places_of, plan_renaming, with_sources_of
from texgeist_server.lsp.features.navigation import document_of, location_of, target_of

from benchmarks.latex.fuzz import Tally

PDFS = ("mine/paper.pdf", "outside/private.pdf", "project/planted.pdf", "home/private.pdf")
KEYS = [
    "smith2020", "smith2020", "Smith2020", "doe:21", "a", "b", "kéy", "ключ", "ke\u202ey", "a b", "a\tb",
    "a{b}c", "a{b", "a}b", "a,b", "{a}", "\\input{x}", "a\x00b", "a\x1bb", "a\x7fb", "#1", "%x", "~", "$x$",
    "@a", "a=b", "a'b", 'a"b', "*", "(a)", "-", "a" * 300, "\\cite{b}", "../x", "a%0Ab", "\ufeffa",
    "a\u2028b",
]  # fmt: skip
FILES = [
    "WORLD/mine/paper.pdf", "x:WORLD/mine/paper.pdf:pdf;../outside/private.pdf", "WORLD/mine/paper.pdf",
    "../outside/private.pdf", "WORLD/outside/private.pdf", "~/private.pdf", "planted.pdf", "link.pdf",
    "WORLD/mine/paper.pdf", "WORLD/mine/../outside/private.pdf", "WORLD/mine/trap.pdf", "/dev/zero",
    "\\\\\\\\evil\\\\share\\\\a.pdf", "//evil/share/a.pdf", "file:///etc/passwd", "javascript:alert(1).pdf",
    "x:WORLD/outside/private.pdf:pdf", ":../outside/private.pdf:PDF;planted.pdf", "a\x00.pdf",
    "C:\\\\a.pdf", "~nobody/a.pdf", "/etc/passwd", "a" * 5000 + ".pdf", ";" * 500, ":" * 500 + ".pdf",
    "{{}}", "\\",
]  # fmt: skip
URLS = [
    "javascript:alert(1)", "file:///etc/passwd", "command:workbench.action.quit", "vscode://x",
    "data:text/html,x", "https://user@evil.example/", "https://good.example\\@evil.example",
    "//evil.example/x", "http://", "HTTPS://x", "https://evil.example/\x1b[31m",
    "https://evil.example/\u202egpj", "https://evil.example/a b", "\\url{https://x}",
    "https://evil.example/)](command:x)", "https://evil.example/'onclick=x", "https://a.example/ok",
]  # fmt: skip
IDS = [
    "10.1/a", "10.1234/../../x", "10.1/a?b#c", "10.1/<script>", "10.1/a\x1bb", "2401.00001",
    "2401.00001v2/../x", "hep-th/9901001", "javascript:x", "10.5555/" + "a" * 3000, "10.1/é\u202e",
    "//evil.example", "2401.00001?x=y",
]  # fmt: skip


def attack(chance: random.Random, world: Path, tally: Tally) -> Iterator[None]:
    """One pair of documents, its keys followed and one of them renamed as the editor does it."""
    project = world / "project"
    for name in ("outside/victim.bib", "outside/deep/victim.bib", "home/victim.bib"):
        (world / name).write_text(_entries(chance, world))
    for name in PDFS:
        (world / name).parent.mkdir(parents=True, exist_ok=True)
        (world / name).write_text("%PDF-1.4")
    (world / "mine" / "trap.pdf").symlink_to(world / "outside" / "private.pdf")
    documents = _project(chance, project, world)
    model = Workspace([project], programs=False)
    yield
    try:
        _follow(model, documents, world, tally)
        _rename(chance, model, documents, project, tally)
    finally:
        model.stop()


def _follow(model: Workspace, documents: list[Path], world: Path, tally: Tally) -> None:
    """All that a click on a key can do, for every key of the documents."""
    for path in documents:
        for citation in model.citations_in(path):
            at = citation.span.start
            leads = [
                target_of(model, path, citation.key),
                document_of(model, path, at, [str(world / "mine")]),
            ]
            spans = [*model.definition(path, at), *model.references(path, at)]
            places = [place.uri for span in spans if (place := location_of(model, {}, span, "utf-16"))]
            tally.counts["followed"] += 1
            tally.counts["opened"] += leads[1].startswith("file:")
            wrong = [
                one for one in leads[:1] + places if one and not _is_page(one) and not _is_text(one, world)
            ]
            wrong += [one for one in leads[1:] if one and not _is_page(one) and not _is_own_pdf(one, world)]
            tally.failures += [f"{citation.key[:40]!r} leads to {one[:200]!r}" for one in wrong]


def _is_page(address: str) -> bool:
    """Of the web, of whose address nobody is misled."""
    parts = urlsplit(address)
    safe = re.fullmatch(r"https?://[^\s\"<>{}\\^`]+", address) is not None and address.isprintable()
    return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc and safe


def _path(address: str) -> Path | None:
    parts = urlsplit(address)
    return (
        Path(os.path.realpath(unquote(parts.path))) if parts.scheme == "file" and not parts.netloc else None
    )


def _is_text(address: str, world: Path) -> bool:
    """A bibliography, wherever TeX finds it, or a text of the project."""
    path = _path(address)
    return path is not None and (path.suffix == ".bib" or path.is_relative_to(world / "project"))


def _is_own_pdf(address: str, world: Path) -> bool:
    path = _path(address)
    return path is not None and path.is_relative_to(world / "mine") and path.suffix == ".pdf"


def _rename(
    chance: random.Random, model: Workspace, documents: list[Path], project: Path, tally: Tally
) -> None:
    """One key to another and back."""
    path = documents[0]
    cited = model.citations_in(path)
    if not cited:
        return
    at = chance.choice(cited).span.start
    old, new = model.key_at(path, at), chance.choice([*KEYS, "new1", "new2", "new3"])
    if not old or old == new:
        return
    first = _contents(project)
    draft = model.draft(path)
    others = model.sharing(draft, old)
    places, standing = _count(old, draft, *others), _count(new, *map(model.draft, documents))
    try:
        plan = plan_renaming(draft, old, new, others)
        apply_plan(plan, with_sources_of(draft, others))
    except LatexError as error:
        tally.counts["refused"] += 1
        if _contents(project) != first:
            tally.failures.append(f"{error}, and files changed")
        return
    finally:
        model.look_again()
    tally.counts["renamed"] += 1
    draft = model.draft(path)
    others = model.sharing(draft, new)
    left = _count(old, draft, *others)
    made = _count(new, draft, *others)
    if left or (made != places and not standing):
        tally.failures.append(f"{old[:40]!r} to {new[:40]!r}: {places} places, {left} left, {made} made")
    if standing:  # an entry was given the key by which it was cited already
        return
    apply_plan(plan_renaming(draft, new, old, others), with_sources_of(draft, others))
    model.look_again()
    if not _alike(first, _contents(project)):
        tally.failures.append(f"{old[:40]!r} to {new[:40]!r} and back is another text")


def _count(key: str, *drafts: Draft) -> int:
    return len({(os.path.realpath(s.file), s.start) for draft in drafts for s in places_of(draft, key)})


def _alike(one: dict[str, bytes], other: dict[str, bytes]) -> bool:
    """But for the case of a key in a field that names it, which BibTeX does not tell apart."""
    return {name: text.lower() for name, text in one.items()} == {
        n: text.lower() for n, text in other.items()
    }


def _contents(project: Path) -> dict[str, bytes]:
    files = sorted(path for path in project.rglob("*") if path.is_file() and ".texgeist" not in path.parts)
    return {str(path): path.read_bytes() for path in files}


def _project(chance: random.Random, project: Path, world: Path) -> list[Path]:
    """The stranger's project; its documents."""
    bibs = ["refs", "more", "same", "away"]
    (project / "link.pdf").symlink_to(world / "outside" / "private.pdf")
    _put(project / "refs.bib", _entries(chance, world))
    _put(project / "more.bib", _entries(chance, world))
    (project / "same.bib").symlink_to(
        chance.choice([project / "refs.bib", Path("more.bib"), Path("same.bib")])
    )
    away = chance.choice(
        ["outside/victim.bib", "outside/deep/victim.bib", "outside/.profile", "outside/new.bib"]
    )
    (project / "away.bib").symlink_to(world / away)
    bibs += ["../outside/victim", str(world / "home" / "victim"), "~/victim", "../project/refs", "./refs"]
    documents = []
    for name in ("main.tex", "second.tex"):
        named = chance.sample(bibs, chance.randint(1, 3))
        named = [each for each in named if chance.random() < 0.5 or each in ("refs", "more")] or ["refs"]
        cites = "".join(_citation(chance) for _ in range(chance.randint(1, 5)))
        inner = chance.choice(
            ["", "\\input{part}", "\\input{../outside/thesis}", "\\bibitem{a} A", "\\verb|\\cite{a}|"]
        )
        text = f"\\documentclass{{article}}\n\\begin{{document}}\n{cites}{inner}\n\\bibliography{{{','.join(named)}}}\n"
        _put(project / name, text + "\\end{document}\n")
        documents.append(project / name)
    _put(project / "part.tex", _citation(chance) + _citation(chance))
    return documents


def _citation(chance: random.Random) -> str:
    keys = ",".join(_key(chance) for _ in range(chance.randint(1, 3)))
    command = chance.choice(
        ["\\cite", "\\citep[see][p.~3]", "\\textcite", "\\nocite", "\\footcite", "\\cites{a}"]
    )
    return f"Words {command}{{{keys}}} on.\n"


def _key(chance: random.Random) -> str:
    """Mostly of those that the others have too; once in a while of a hundred thousand letters."""
    if chance.random() < 0.004:
        return chance.choice("ab{,") * 100_000
    return chance.choice(KEYS if chance.random() < 0.5 else KEYS[:5])


def _entries(chance: random.Random, world: Path) -> str:
    return "".join(_entry(chance, world) for _ in range(chance.randint(0, 6)))


FIELDS = {
    "title": ["A Title", "{", "\\input{x}", "@misc{a,"], "file": FILES, "url": URLS, "doi": IDS, "eprint": IDS,
    "crossref": [*KEYS[:5] * 6, *KEYS], "ids": KEYS, "related": ["a,b", "smith2020, doe:21", *KEYS],
    "note": ["crossref = {a}", "smith2020"],
}  # fmt: skip


def _entry(chance: random.Random, world: Path) -> str:
    begin, end = chance.choice([("{", "}"), ("{", "}"), ("{", "}"), ("(", ")"), ("{", "")])
    fields = ""
    for name, values in FIELDS.items():
        if chance.random() < 0.4:
            left, right = chance.choice([("{", "}"), ('"', '"')])
            fields += f", {name} = {left}{chance.choice(values).replace('WORLD', str(world))}{right}"
    return f"@{chance.choice(['misc', 'article', 'set', 'string', 'comment', 'xdata'])}{begin}{_key(chance)}{fields}\n{end}\n"


def _put(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
