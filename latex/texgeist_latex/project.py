"""A project as read: the files, what they cite, and the draft that they make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from . import names, words
from .citations import citations
from .errors import NoRoot, Unreadable
from .files import FileStore, Parsed, real, tidy
from .flow import Flow, Segment, Title, flow
from .frontmatter import choose_abstract, read_front_matter
from .insertion import find_insertion, find_related_work
from .language import BABEL, guess_language
from .macros import Definitions, read_definitions
from .pages import Paragraph, join, paged, paragraphs
from .plaintext import plain
from .resolve import Resolver, TexSearch
from .roots import Root, RootFinder, bounds_of
from .style import citation_style
from .types import Bibliography, Citation, CitationStyle, Draft, Heading, Problem, Span, TextPage
from .walk import Walk, walk

_ENOUGH_FRONT_WORDS = 60  # text before the first heading that is more than a title page


class Project:
    """One root document with all that it includes, as of now. Parts are made when they are asked for;
    what the keystroke path needs (citations, bibliographies) never touches the prose."""

    def __init__(
        self,
        store: FileStore,
        root: Root,
        bounds: Path,
        search: TexSearch,
        texts: dict[str, str] | None = None,
    ) -> None:
        self.store = store
        self.root = root
        parsed = store.read(root.path)
        if parsed is None:
            reason = store.refused.get(root.path, "is not there")
            raise Unreadable(f"{root.path.name} {reason}.", "Check the file and try again.")
        self.main = parsed
        self.resolver = Resolver(store, root.path.parent, bounds, search)
        starts = tuple(p for path in root.starts if (p := store.read(path)) is not None)
        self.walk: Walk = walk(store, parsed, self.resolver, starts)
        self._texts = texts if texts is not None else {}

    @property
    def texts(self) -> list[Parsed]:
        return self.walk.parsed

    @cached_property
    def definitions(self) -> Definitions:
        return read_definitions(
            scans=[p.scan for p in self.walk.parsed], packages=[p.scan for p in self.walk.packages]
        )

    @cached_property
    def own_citations(self) -> dict[str, tuple[str, int]]:
        return self.definitions.cite_commands()

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        defined = frozenset(self.definitions.macros)
        return tuple(c for parsed in self.texts for c in citations(parsed, self.own_citations, defined))

    @cached_property
    def _bibliographies(self) -> tuple[tuple[Bibliography, ...], tuple[Problem, ...]]:
        found: dict[str, Bibliography] = {}
        problems: list[Problem] = []
        for parsed in (*self.walk.packages, *self.texts):
            for item in parsed.scan.items:
                if item.kind == "bib" and item.groups:
                    self._named(parsed, item.groups[0], found, problems)
        for parsed in self.texts:
            if (items := parsed.item_bibliography) is not None:
                found[real(parsed.path)] = items
        return tuple(found.values()), tuple(problems)

    @property
    def bibliographies(self) -> tuple[Bibliography, ...]:
        return self._bibliographies[0]

    def _named(
        self, parsed: Parsed, group: tuple[int, int], found: dict[str, Bibliography], problems: list[Problem]
    ) -> None:
        start = group[0]
        for part in parsed.scan.words(group).split(","):
            name = part.strip()
            at = start + len(part) - len(part.lstrip())
            start += len(part) + 1
            if not name or "\\" in name or "#" in name or "\0" in name or "://" in name:
                continue
            span = Span(parsed.path, at, at + len(name))
            where = self.resolver.bib(name, [self.resolver.folder, parsed.path.parent])
            if where.installed:
                continue
            read = self.store.read(where.path) if where.path is not None else None
            if read is not None:
                found.setdefault(real(read.path), read.bibliography)
                continue
            suffix = "" if name.endswith(".bib") else ".bib"
            path = tidy(self.resolver.folder / (name + suffix))
            found.setdefault(real(path), Bibliography(path, (), exists=False))
            reason = self.store.refused.get(where.path) if where.path else None
            problems.append(
                Problem("missing-file", f"The bibliography {name}{suffix} {reason or 'is not there'}.", span)
            )

    @cached_property
    def packages(self) -> tuple[tuple[str, str], ...]:
        """(name, options) of the class and the packages that the document loads."""
        found: list[tuple[str, str]] = []
        for parsed in self.texts:
            for item in parsed.scan.items:
                if item.kind == "preamble" and item.groups and item.name != "includeonly":
                    options = ",".join(parsed.scan.words(o) for o in item.options)
                    found += [(n.strip(), options) for n in parsed.scan.words(item.groups[0]).split(",")]
        return tuple(found)

    @cached_property
    def style(self) -> CitationStyle:
        loaded = {n for p in (*self.walk.packages, *self.walk.classes) for n in _loaded(p)}
        commands = {i.name for p in self.texts for i in p.scan.items if i.kind in ("bib", "mark")}
        return citation_style(self.citations, self.packages, loaded, commands, self.own_citations)

    @cached_property
    def flow(self) -> Flow:
        return flow(self.walk.steps, self.definitions, self.show)

    def show(self, latex: str) -> str:
        """Plain text, made once per piece of LaTeX."""
        known = self._texts.get(latex)
        if known is None:
            known = self._texts[latex] = plain(latex, self.definitions)
        return known

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(_heading(title) for title in self.flow.headings if title.region == "body")

    @cached_property
    def paragraphs(self) -> list[Paragraph]:
        body = join(paragraphs(self.flow.body, self.show))
        front = join(paragraphs(self.flow.front, self.show))
        if sum(len(p.text.split()) for p in front) >= _ENOUGH_FRONT_WORDS or not body:
            return front + body
        return body

    @cached_property
    def pages(self) -> tuple[TextPage, ...]:
        levels = [title.level for title in self.flow.headings]
        return paged(self.paragraphs, lambda heading: heading >= 0 and levels[heading] <= 1)

    @cached_property
    def introduction(self) -> str:
        """The text under the introduction's heading; else that before, or under, the first heading."""
        titles = self.flow.headings
        body = [i for i, t in enumerate(titles) if t.region == "body"]
        first = next((i for i in body if words.is_introduction(titles[i].title)), body[0] if body else -1)
        last = first
        for index in body:
            if index > first >= 0 and titles[index].level <= titles[first].level:
                break
            last = max(last, index)
        inside = [p.text for p in self.paragraphs if first <= p.heading <= last]
        return "\n\n".join(inside) or "\n\n".join(p.text for p in self.paragraphs[:5])

    @cached_property
    def language(self) -> str:
        declared = ""
        for name, options in self.packages:
            if name in ("babel", "polyglossia", "ctex") or name.startswith("ctex"):
                given = [BABEL.get(o.strip().removeprefix("main=").lower(), "") for o in options.split(",")]
                declared = next(
                    (g for g in reversed(given) if g), "zh" if name.startswith("ctex") else declared
                )
        sample = " ".join(p.text for p in self.paragraphs[:40])
        return guess_language(sample, declared)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        from .problems import project_problems

        return (*self.walk.problems, *self._bibliographies[1], *project_problems(self))

    def draft(self) -> Draft:
        """Everything, prose included."""
        front = read_front_matter(self.walk.steps, self.show)
        abstract = choose_abstract(self.flow, self.show)
        related = find_related_work(self.flow)
        bodies = [self.store.read(b.path) for b in self.bibliographies if b.exists]
        sources = {p.path: p.source for p in (*self.texts, *(b for b in bodies if b is not None))}
        return Draft(
            root=self.root.path,
            files=tuple(p.path for p in sorted(self.texts, key=lambda p: p.path != self.root.path)),
            missing=tuple(self.walk.missing),
            title=front.title,
            authors=front.authors,
            abstract=abstract.text,
            abstract_span=abstract.span,
            introduction=self.introduction,
            headings=self.headings,
            citations=self.citations,
            bibliographies=self.bibliographies,
            pages=self.pages,
            style=self.style,
            related_work=_heading(related) if related else None,
            insertion=find_insertion(self.flow, self.walk.steps),
            words=sum(len(p.text.split()) for p in self.paragraphs) + len(abstract.text.split()),
            language=self.language,
            problems=self.problems,
            sources=sources,
            inclusions=tuple(self.walk.inclusions),
        )


def _loaded(parsed: Parsed) -> set[str]:
    """Names of the packages that a class or package of the project asks for, under whatever condition."""
    items = [i for i in parsed.scan.items if i.kind == "preamble" and i.groups]
    return {name.strip() for i in items for name in parsed.scan.words(i.groups[0]).split(",")}


def _heading(title: Title) -> Heading:
    span = Span(title.frame.parsed.path, title.item.start, title.item.end)
    line = title.frame.parsed.scan.line(title.item.start)
    return Heading(title.title, title.level, title.item.star, span, line)


def read_draft(
    path: Path,
    *,
    overlay: Mapping[Path, str] | None = None,
    root: Path | None = None,
    workspace: Path | None = None,
    programs: bool = True,
) -> Draft:
    """Read the project that `path` belongs to. Raises NoRoot or Unreadable.

    `overlay` holds open buffers, which win over the disk; `root` names the root document outright;
    nothing outside `workspace` (or the project's own folder) is taken for text; `programs=False` runs
    no kpsewhich.
    """
    store = FileStore(overlay)
    search = TexSearch(programs)
    path = tidy(path)
    if root is not None:
        root = tidy(root)
        if not store.exists(root):
            raise NoRoot(
                f"The root document {root} is not there.", "Check the setting or the option that names it."
            )
        found = Root(root, "named by the setting")
    else:
        found = RootFinder(store, search).find(path, workspace)
    return Project(store, found, bounds_of(found.path, workspace), search).draft()


__all__ = ["Project", "Segment", "names", "read_draft"]
