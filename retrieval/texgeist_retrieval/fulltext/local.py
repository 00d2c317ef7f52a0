"""The user's PDFs: files attached to entries of the bibliography, and folders of papers."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path, PureWindowsPath

from ..errors import PaperUnreadable
from ..identity import plain_title
from ..monitor import SILENT
from ..ports import Monitor, PaperSource
from ..sources.arxiv import ARXIV_ID
from ..types import Paper
from .pdf import read_pdf

MOST_FILES = 20_000
SHORTEST_TITLE = 15  # letters of a title that is matched with file names


class LocalSource(PaperSource):
    """A `PaperSource` of the user's files; nothing leaves the machine.

    A paper's PDF is a file that its record names (`Paper.files`), or a file in `folders` whose name contains
    the arXiv id or the title, as is usual in Zotero. An untrusted record may name any file; if `within` is
    given, only files that lie in these folders, after resolving links, are used."""

    def __init__(self, folders: Sequence[Path] = (), within: Sequence[Path] | None = None) -> None:
        self._folders = tuple(folders)
        self._within = within
        self._names: dict[str, Path] | None = None
        self._lock = threading.Lock()

    def metadata(self, ids: Sequence[str], monitor: Monitor = SILENT) -> dict[str, Paper]:
        return {}

    def pages(self, paper: Paper, monitor: Monitor = SILENT) -> list[str]:
        """See `PaperSource`. Raises `PaperUnreadable` if the user has no readable PDF of the paper."""
        failed = PaperUnreadable("There is no PDF of it among your files.")
        for path in self.files(paper):
            try:
                return read_pdf(path.read_bytes(), monitor)
            except OSError as error:
                failed = PaperUnreadable(f"{path.name} cannot be opened ({error.strerror}).")
            except PaperUnreadable as error:
                failed = PaperUnreadable(f"{path.name}: {error}")
        raise failed

    def files(self, paper: Paper) -> tuple[Path, ...]:
        """The user's PDFs of the paper, the most certain first."""
        named = [Path(file) for file in paper.files]
        if self._within is not None:
            named = [path for path in named if lies_within(path, self._within)]
        found = [path for path in (self._by_name(paper),) if path is not None]
        return tuple(dict.fromkeys(path for path in [*named, *found] if path.is_file()))

    def _by_name(self, paper: Paper) -> Path | None:
        names = self._scan()
        if paper.id in names:
            return names[paper.id]
        title = plain_title(paper.title)
        if len(title) < SHORTEST_TITLE:
            return None
        return next((path for name, path in names.items() if _names_title(name, title)), None)

    def _scan(self) -> dict[str, Path]:
        """The PDFs in `folders`, by the arXiv id in their name, else by the words of their name. The folders
        are scanned once."""
        with self._lock:
            if self._names is None:
                self._names = dict(_named(path) for path in self._pdfs())
            return self._names

    def _pdfs(self) -> list[Path]:
        files: list[Path] = []
        for folder in self._folders:
            for path in folder.rglob("*"):
                if path.suffix.lower() == ".pdf":
                    files.append(path)
                if len(files) >= MOST_FILES:
                    return files
        return files


def _named(path: Path) -> tuple[str, Path]:
    match = ARXIV_ID.search(path.stem) or ARXIV_ID.search(path.stem.replace("_", "/", 1))
    return (match["id"] if match else plain_title(path.stem.replace("_", " "))), path


def _names_title(name: str, title: str) -> bool:
    """Whether the name contains the whole title, or ends with a long beginning of it (Zotero truncates
    titles)."""
    if title in name:
        return True
    words = name.split()
    beginnings = (" ".join(words[i:]) for i in range(len(words)))
    return any(len(rest) >= 3 * SHORTEST_TITLE and title.startswith(rest) for rest in beginnings)


_MOST = 100  # files of an entry that are checked


def attached_pdfs(field: str, folder: Path, own: Iterable[Path] | None = None) -> tuple[Path, ...]:
    """The existing PDFs named by the field, in order. `folder`: the folder of the `.bib` file; relative names
    refer to it, and moved files are looked up in it by name. `own`: the user's folders if the field is not
    trusted, else None. For such a field, only network shares that contain `folder` or a folder of `own` are
    accessed, because on Windows an access sends the user's credentials."""
    shares = {share_of(each) for each in (folder, *own)} if own is not None else None
    parts = _split(field, ";")[:_MOST]
    found = (_existing(name, folder, shares) for part in parts for name in _names(part))
    return tuple(dict.fromkeys(path for path in found if path is not None))


def share_of(path: Path) -> str:
    """The network share or device of a path, in any spelling that Windows accepts; "" if there is none."""
    text = str(path).replace("/", "\\").lower()
    if text.startswith("\\??\\"):
        return text
    return PureWindowsPath(text).drive or text if text.startswith("\\\\") else ""


def lies_within(path: Path, folders: Iterable[Path]) -> bool:
    """Whether `path` is a PDF that lies in one of these folders, after resolving links."""
    try:
        end = path.resolve()
        return end.suffix.lower() == ".pdf" and any(folder.resolve() in end.parents for folder in folders)
    except (OSError, ValueError, RuntimeError):
        return False


def _names(part: str) -> Iterator[str]:
    """The possible paths in `description:path:type`, the most likely first; the whole part may also be a
    path."""
    pieces = _split(part, ":")
    if len(pieces) >= 3:
        middle = ":".join(pieces[1:-1])
        yield _bare(middle)
        yield "/" + _bare(middle)
    yield _bare(part)


def _split(text: str, mark: str) -> list[str]:
    """Splits the text at each `mark` that is not escaped and is not the colon of a Windows drive."""
    pieces: list[str] = []
    begin = i = 0
    while i < len(text):
        if text[i] == mark and not (mark == ":" and _is_drive(text, i)):
            pieces.append(text[begin:i])
            begin = i + 1
        i += 2 if text[i] == "\\" else 1
    return [*pieces, text[begin:]]


def _is_drive(text: str, colon: int) -> bool:
    around = text[max(colon - 2, 0) : colon + 2]
    return bool(re.fullmatch(r"[:;]?[A-Za-z]:[\\/]", around, re.ASCII))


def _bare(text: str) -> str:
    r"""Removes the escapes `\\:`, `\\;`, `\\_`, `\\&`, `{…}`, and `\\\\` for a backslash."""
    return re.sub(r"\\([:;_&%$#{}\\ ])", r"\1", text).replace("{", "").replace("}", "").strip()


def _existing(name: str, folder: Path, shares: Collection[str] | None = None) -> Path | None:
    if not name.lower().endswith(".pdf"):
        return None
    try:
        given = Path(name).expanduser()
    except RuntimeError:  # the home folder of an unknown user
        return None
    windows = Path(name.replace("\\", "/"))
    for path in (given, folder / given, folder / windows, folder / windows.name):
        if shares is not None and (share := share_of(path)) and share not in shares:
            continue
        try:
            if path.is_file():
                return path.resolve()
        except (OSError, ValueError):
            continue
    return None
