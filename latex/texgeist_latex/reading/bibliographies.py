"""Reads the bibliographies that a project names, from the disk, a buffer or a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..bib.index import BibIndex
from ..disk.paths import real, tidy, unread_because
from ..tex.scan import makes_file
from ..types import Bibliography, Problem, Span
from .files import FileStore, Parsed
from .resolve import Resolver

_LONGEST_NAME = 500


@dataclass
class NamedBibliographies:
    """The bibliographies in the order in which the project names them. `pending`: at least one is still being
    loaded; `made_by_latex`: at least one does not exist until LaTeX has run (`filecontents`)."""

    found: dict[str, BibIndex] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    pending: bool = False
    made_by_latex: bool = False

    @property
    def indexes(self) -> tuple[BibIndex, ...]:
        return tuple(self.found.values())


def read_bibliographies(
    store: FileStore, resolver: Resolver, job: str, packages: Sequence[Parsed], texts: Sequence[Parsed]
) -> NamedBibliographies:
    r"""The bibliographies named in `packages` and `texts`, then each `thebibliography`. `job` replaces
    \jobname."""
    named = NamedBibliographies()
    for parsed in (*packages, *texts):
        for name, span in bibliography_names(parsed, job):
            _add(named, name, span, store, resolver, (*packages, *texts))
    for parsed in texts:
        if (items := parsed.item_bibliography) is not None:
            named.found[real(parsed.path)] = items
    return named


def bibliography_names(parsed: Parsed, job: str) -> Iterator[tuple[str, Span]]:
    """The names in the text's bibliography commands, with their spans."""
    for item in parsed.scan.leading:
        if item.kind != "bib" or not item.groups:
            continue
        start = item.groups[0][0]
        for part in parsed.scan.words(item.groups[0]).split(","):
            name = part.strip()
            at = start + len(part) - len(part.lstrip())
            start += len(part) + 1
            span = Span(parsed.path, at, at + len(name))
            name = name.replace("\\jobname", job)
            if name and len(name) <= _LONGEST_NAME and "://" not in name and not set(name) & set("\\#\0\n"):
                yield name, span


def _add(
    named: NamedBibliographies,
    name: str,
    span: Span,
    store: FileStore,
    resolver: Resolver,
    texts: Sequence[Parsed],
) -> None:
    where = resolver.bib(name, [resolver.folder, span.file.parent])
    full = name if name.endswith(".bib") else f"{name}.bib"
    path = where.path or tidy(resolver.folder / full)
    if where.installed:
        return
    if where.path is None and where.outside is not None:
        named.found.setdefault(real(where.outside), BibIndex(Bibliography(where.outside, (), exists=False)))
        text = f"{name} leads to {where.outside.name}, which is not a .bib file, so it is not read."
        named.problems.append(Problem("outside-project", text, span))
        return
    index = store.bibliography(where.path) if where.path is not None else None
    if index is not None:
        named.found.setdefault(real(index.bibliography.path), index)
    elif path in store.pending:
        named.pending = True
        named.found.setdefault(real(path), BibIndex(Bibliography(path, ())))
    else:
        named.found.setdefault(real(path), BibIndex(Bibliography(path, (), exists=False)))
        if any(makes_file(text.text, path.name) for text in texts):
            named.made_by_latex = True
            return
        reason = store.refused.get(path) or unread_because(path)
        named.problems.append(Problem("missing-file", f"The bibliography {full} {reason}.", span))
