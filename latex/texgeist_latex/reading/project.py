"""A project: its files, citations and bibliographies, and the draft."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice

from ..bib.library import Library
from ..disk.gate import Gate, check_root
from ..disk.paths import unread_because
from ..errors import Unreadable
from ..tex import wordlists
from ..tex.macros import Definitions
from ..tex.markdown import PARENTHETICAL, TEXTUAL, is_markdown, plain_markdown
from ..tex.plaintext import plain
from ..tex.scan import without_comments
from ..tex.wordlists import declared_language, guess_language
from ..types import Bibliography, Citation, CitationStyle, Draft, Heading, Problem, Span, TextPage
from .citations import MOST_UNDEFINED, citation_style, citations, cut_short
from .files import FileStore, Parsed, VersionCache
from .frontmatter import Abstract, choose_abstract, title_and_authors
from .insertion import find_insertion, find_related_work
from .own_headings import with_own_headings
from .pages import join, paged, paragraphs, parts
from .resolve import NamedBibliographies, Resolver, TexSearch, read_bibliographies
from .roots import Root, unfollowed
from .structure import Flow, Title, flow
from .surroundings import Cited, cited_in
from .walk import Step, Walk, walk

_MOST_NEAREST = 20  # undefined keys whose nearest key is looked up: 2 ms for each with 5,000 entries
_ENOUGH_FRONT_WORDS = 60  # words before the first heading that are more than a title page


class Project:
    """A root document with all that it includes, in its current version. Parts are computed when needed; the
    parts that each keystroke needs (citations, bibliographies) are computed without reading the prose."""

    def __init__(
        self, store: FileStore, root: Root, gate: Gate, resolver: Resolver, walk: Walk, kept: VersionCache
    ) -> None:
        self.pending = False  # a bibliography is being loaded
        self._kept = kept
        self.store = store
        self.root = root
        self.gate = gate
        self.resolver = resolver
        self.walk = walk

    def with_walk(self, walk: Walk) -> Project:
        """The project with a new version of a text or a bibliography."""
        return Project(self.store, self.root, self.gate, self.resolver, walk, self._kept)

    @property
    def texts(self) -> list[Parsed]:
        return self.walk.parsed

    @cached_property
    def definitions(self) -> Definitions:
        scans, packages = ([p.scan for p in each] for each in (self.walk.parsed, self.walk.packages))
        return self._kept.definitions_of(scans, packages)

    @cached_property
    def own_citations(self) -> dict[str, tuple[str, int]]:
        return self.definitions.cite_commands

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(chain.from_iterable(map(self.citations_of, self.texts)))

    def citations_of(self, parsed: Parsed) -> tuple[Citation, ...]:
        """The citations of a file, cached for each version of the file and of the document's definitions."""
        own = self.definitions
        return parsed.keep(
            "citations", (own,), lambda: citations(parsed, own.cite_commands, frozenset(own.macros))
        )

    @cached_property
    def cited(self) -> list[Cited]:
        """The citations with their surroundings, cached for each version of a file."""
        return list(chain.from_iterable(map(self._cited_in, self.texts)))

    def _cited_in(self, parsed: Parsed) -> list[Cited]:
        found = self.citations_of(parsed)
        return parsed.keep("cited", (found,), lambda: cited_in(parsed.text, found))

    @cached_property
    def _named(self) -> NamedBibliographies:
        named = read_bibliographies(
            self.store, self.resolver, self.root.path.stem, self.walk.packages, self.texts
        )
        self.pending = named.pending
        return named

    @cached_property
    def library(self) -> Library:
        return self._kept.library_of(self._named.indexes, self.store.loaded_library)

    @property
    def bibliographies(self) -> tuple[Bibliography, ...]:
        return tuple(index.bibliography for index in self.library.indexes)

    @cached_property
    def packages(self) -> dict[str, str]:
        """The class and packages that the document loads, with their options."""
        return _packages(self.texts)

    @cached_property
    def _loaded(self) -> dict[str, str]:
        """Packages that the project's own classes and packages load, with their options."""
        return _packages((*self.walk.packages, *self.walk.classes))

    @cached_property
    def style(self) -> CitationStyle:
        if is_markdown(self.root.path):
            return CitationStyle("plain", PARENTHETICAL, TEXTUAL)
        commands = {i.name for p in self.texts for i in p.scan.items if i.kind in ("bib", "mark")}
        return citation_style(self.citations, self.packages, self._loaded, commands, self.own_citations)

    @cached_property
    def steps(self) -> Sequence[Step]:
        return with_own_headings(self.walk.steps, self.definitions)

    @cached_property
    def flow(self) -> Flow:
        return flow(self.steps, self.definitions, self.show)

    def show(self, latex: str) -> str:
        """The plain text of LaTeX, cached."""
        if is_markdown(self.root.path):
            return plain_markdown(latex)
        texts = self._kept.texts_for(self.definitions)
        if (known := texts.get(latex)) is None:
            known = texts[latex] = plain(latex, self.definitions)
        return known

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(_heading(title) for title in self.flow.headings if title.region == "body")

    @cached_property
    def paragraphs(self) -> list[TextPage]:
        body = [p for p in join(paragraphs(self.flow.body, self.show)) if not wordlists.is_thanks(p.text)]
        if any(wordlists.is_introduction(title.title) for title in self.flow.headings):
            return body  # text before the first heading is a title page
        front = join(paragraphs(self.flow.front, self.show))
        if sum(len(p.text.split()) for p in front) >= _ENOUGH_FRONT_WORDS or not body:
            return front + body
        return body

    @cached_property
    def pages(self) -> tuple[TextPage, ...]:
        levels = [title.level for title in self.flow.headings]
        return paged(self.paragraphs, lambda heading: heading >= 0 and levels[heading] <= 1)

    @cached_property
    def abstract(self) -> Abstract:
        return choose_abstract(self.flow, self.show)

    @cached_property
    def introduction(self) -> str:
        """The text under the introduction's heading; else the text under or before the first heading."""
        titles = self.flow.headings
        body = [i for i, t in enumerate(titles) if t.region == "body"]
        first = next((i for i in body if wordlists.is_introduction(titles[i].title)), body[0] if body else -1)
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
        for name, options in self.packages.items():
            if name in ("babel", "polyglossia") or name.startswith("ctex"):
                declared = declared_language(options) or ("zh" if name.startswith("ctex") else declared)
        sample = " ".join(p.text for p in self.paragraphs[:40])
        return guess_language(sample, declared)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of all files, including bibliographies."""
        comments = (
            problem
            for p in self.texts
            for problem in unfollowed(p, self.root.path, self.root.doubt, self.store)
        )
        files = (*comments, *self.walk.problems, *self._named.problems, *self._cut)
        if self.pending:
            return files
        return (*files, *self.library.problems, *self._only_for_biber, *self.undefined)

    @property
    def _only_for_biber(self) -> Iterator[Problem]:
        if not any(each.comments for each in self.bibliographies) or self.style.biber:
            return
        message = "BibTeX does not allow comments inside entries: it stops at this % and skips the rest of the entry."
        for bibliography in self.bibliographies:
            for place in bibliography.comments:
                yield Problem("comment-in-entry", message, place)

    @property
    def _cut(self) -> tuple[Problem, ...]:
        return tuple(cut for p in self.texts for cut in cut_short(p, len(self.citations_of(p))))

    @cached_property
    def undefined(self) -> tuple[Problem, ...]:
        """The first MOST_UNDEFINED citations without an entry. Without a bibliography, what looks like a
        citation in Markdown may be something else. Entries that LaTeX has not written yet are unknown."""
        if self._named.made_by_latex or (is_markdown(self.root.path) and not self.library.indexes):
            return ()
        unknown = chain.from_iterable(map(self._undefined_in, self.texts))
        first = enumerate(islice(unknown, MOST_UNDEFINED))
        return tuple(self._undefined_problem(citation, at < _MOST_NEAREST) for at, citation in first)

    def _undefined_problem(self, citation: Citation, nearest: bool) -> Problem:
        near = self.library.nearest_key(citation.key) if nearest else ""
        message = f"No bibliography of this project has an entry “{citation.key}”."
        message += f" Did you mean “{near}”?" if near else ""
        return Problem("undefined-citation", message, citation.span, near)

    def _undefined_in(self, parsed: Parsed) -> tuple[Citation, ...]:
        """The citations of a file without an entry, cached for each version of the file and the entries."""
        keys, found = self.library.by_key, self.citations_of(parsed)
        return parsed.keep(
            "undefined", (keys, found), lambda: tuple(c for c in found if c.key not in keys and c.key != "*")
        )

    def draft(self) -> Draft:
        """The complete draft, including prose."""
        title, authors = title_and_authors(self.steps, self.show)
        abstract = self.abstract
        related = find_related_work(self.flow)
        bodies = [self.store.read(b.path) for b in self.bibliographies if b.exists]
        sources = {p.path: p.source for p in (*self.texts, *(b for b in bodies if b is not None))}
        return Draft(
            root=self.root.path,
            files=tuple(p.path for p in sorted(self.texts, key=lambda p: p.path != self.root.path)),
            missing=tuple(self.walk.missing),
            title=title,
            authors=authors,
            abstract=abstract.text,
            abstract_span=abstract.span,
            introduction=self.introduction,
            headings=self.headings,
            citations=self.citations,
            bibliographies=self.bibliographies,
            pages=self.pages,
            style=self.style,
            packages={**self._loaded, **self.packages},
            related_work=_heading(related) if related else None,
            insertion=None if is_markdown(self.root.path) else find_insertion(self.flow, self.steps),
            words=sum(len(p.text.split()) for p in self.paragraphs) + len(abstract.text.split()),
            language=self.language,
            problems=self.problems,
            sources=sources,
            inclusions=tuple(self.walk.inclusions),
            gate=self.gate,
            doubt=self.root.doubt,
            note=self.root.note,
            parts=parts(self.flow, self.steps, self.paragraphs, self.headings),
        )


def read_project(
    store: FileStore, root: Root, gate: Gate, search: TexSearch, kept: VersionCache | None = None
) -> Project:
    """Reads the root document and follows its inclusions. `kept`: the results of earlier versions, which a
    workspace reuses. Raises OutOfBounds or Unreadable."""
    check_root(gate, root.path)
    parsed = store.read(root.path)
    if parsed is None:
        reason = store.refused.get(root.path) or unread_because(root.path)
        raise Unreadable(f"{root.path.name} {reason}.", "Check the file and try again.")
    resolver = Resolver(store, root.path.parent, gate, search)
    starts = tuple(p for path in root.starts if (p := store.read(path)) is not None)
    return Project(store, root, gate, resolver, walk(store, parsed, resolver, starts), kept or VersionCache())


def _packages(texts: Iterable[Parsed]) -> dict[str, str]:
    """The classes and packages that the texts load, even conditionally, with all their options."""
    found: dict[str, str] = {}
    for scan in (parsed.scan for parsed in texts):
        for item in scan.items:
            if item.kind == "preamble" and item.groups and item.name != "includeonly":
                options = [without_comments(scan.words(option)) for option in item.options]
                for name in map(str.strip, scan.words(item.groups[0]).split(",")):
                    found[name] = ",".join(filter(None, [found.get(name), *options]))
    return found


def _heading(title: Title) -> Heading:
    span = Span(title.frame.parsed.path, title.item.start, title.item.end)
    line = title.frame.parsed.scan.line(title.item.start)
    return Heading(title.title, title.level, title.item.star, span, line)
