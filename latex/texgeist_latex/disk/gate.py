"""The gate for every path that a project, a workspace or a foreign record contains.

A project is not trusted: its texts, links and settings may name any file of this machine. So a gate, made
from what the user opened, decides which files may be read and written:

- Texts are read inside the bounds, if they are of a kind that TeX includes.
- Bibliographies are read wherever TeX finds them, but only `.bib` files.
- The files that may be written are TeX, Markdown and `.bib` files inside the bounds, and bibliographies in the user's
  settings. A new file must have a plain name and must not be in a hidden folder of another program
  (`.git/hooks`).

Links are resolved first: the rules apply to the file to which a path leads.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import OutOfBounds
from .paths import real, seen_from

MARKDOWN = frozenset((".md", ".markdown", ".qmd", ".rmd"))
_LATEX = frozenset((".tex", ".ltx", ".latex", ".rnw", ".rtex", ".lhs"))
DOCUMENTS = _LATEX | MARKDOWN
_TEXTS = _LATEX | frozenset(
    (
        *(".sty", ".cls", ".clo", ".def", ".dtx", ".inc", ".txt", ".bbl", ".tikz", ".tikzstyles"),
        *(".pgf", ".pdf_tex", ".eps_tex", ".svg_tex", ".pdf_t", ".pdftex_t", ".eepic"),
    )
)
# Special characters of shells (TeX opens pipes by such names), and names that look like options.
_ODD = re.compile(r"[|\"<>*?$`;&\0-\x1f\x7f]|^~|(?:^|/)[-.]")
CLOSED = "\0"  # the bounds of a gate that accepts nothing
_HELP = "Nothing was changed. Open the folder that contains both, or move the file into the project."
_OTHER_NAME = "Nothing was changed. Correct the name, or put a regular file in its place."


@dataclass(frozen=True, slots=True)
class Gate:
    """`bounds`: the resolved path of the project's folder; `own`: resolved paths of bibliographies outside
    the bounds, from the user's settings; `home`: the resolved path of the root document's folder, which may
    be inside a hidden folder."""

    bounds: str
    own: frozenset[str] = frozenset()
    home: str = field(default="", compare=False)

    def inside(self, path: Path) -> bool:
        """Whether the resolved path is within the bounds."""
        return _holds(self.bounds, real(path))

    def may_read(self, path: Path) -> bool:
        """Whether `path` may be read as a text of the project."""
        return self.reads(real(path))

    def reads(self, end: str) -> bool:
        """Like `may_read`, for a resolved path."""
        return _holds(self.bounds, end) and _suffix(end) in _TEXTS

    def may_write(self, path: Path) -> bool:
        return not self._refusal(path, real(path))

    def check(self, path: Path) -> Path:
        """The resolved path, if it may be written to; use it instead of `path`. Raises OutOfBounds if it may
        not be written to."""
        end = real(path)
        if reason := self._refusal(path, end):
            raise OutOfBounds(reason, _OTHER_NAME if _holds(self.bounds, end) else _HELP)
        return Path(end)

    def _refusal(self, path: Path, end: str) -> str:
        shown = _shown(path, end)
        if end in self.own and _suffix(end) == ".bib":
            return ""
        if not _holds(self.bounds, end):
            return f"{shown} is outside the project ({self.bounds}), so texgeist does not write to it."
        if _suffix(end) not in DOCUMENTS | {".bib"}:
            return f"{shown} is neither a text nor a .bib file, so texgeist does not write to it."
        if os.path.islink(end):  # noqa: PTH114
            return f"{shown} is a link that leads to itself, so no file can be written there."
        start = self.home if self.home and _holds(self.home, end) else self.bounds
        name = seen_from(Path(start), end)
        if _ODD.search(name) and not os.path.lexists(end):
            return f"The project names the file {name}, which does not exist, and texgeist creates no file with such a name."
        return ""


def check_root(gate: Gate, root: Path) -> None:
    """Raises OutOfBounds if the root document must not be read."""
    shown = _shown(root, real(root))
    if not gate.inside(root):
        raise OutOfBounds(f"{shown} is outside the project ({gate.bounds}), so it is not read.", _HELP)
    if root.exists() and not is_text(root):  # a new document, not yet saved, may have any name
        raise OutOfBounds(f"{shown} is not a .tex file, so it is not read.", "Name the root .tex file.")


def _holds(bounds: str, end: str) -> bool:
    end, bounds = os.path.normcase(end), os.path.normcase(bounds)
    named = "\0" not in end  # no file name may contain \0
    return named and (end == bounds or end.startswith(bounds.rstrip(os.sep) + os.sep))


def _shown(path: Path, end: str) -> str:
    return f"{path}" if str(path) == end else f"{path}, which leads to {end},"


def is_text(path: Path) -> bool:
    """Whether the resolved path is of a kind that TeX includes as text."""
    return _suffix(real(path)) in _TEXTS | MARKDOWN


def is_bibliography(path: Path) -> bool:
    """Whether the resolved path is a `.bib` file."""
    return _suffix(real(path)) == ".bib"


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()  # noqa: PTH122
