r"""Finds the PDFs that the `file` field of a `.bib` entry names. Reference managers write the field in
different forms:

- Zotero: `Full Text PDF:/home/u/Zotero/storage/AB/Smith - 2020.pdf:application/pdf;Snapshot:…:text/html`
- Better BibTeX: `/home/u/Zotero/storage/AB/Smith - 2020.pdf;/home/u/…/notes.html`
- JabRef: `:Smith2020 - Title.pdf:PDF;description:C\\:\\\\papers\\\\a.pdf:PDF`
- Mendeley: `:home/u/papers/smith.pdf:pdf`, without the leading slash"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PureWindowsPath

_MOST = 100  # files of an entry that are checked


def attached_pdfs(field: str, folder: Path, own: Iterable[Path] | None = None) -> tuple[Path, ...]:
    """The existing PDFs named by the field, in order. Relative names refer to `folder`, the folder of the
    `.bib` file; a file that was moved to `folder` is found by its name. `own`: the user's folders, for a
    field that is not trusted. Then only network shares that contain `folder` or a folder of `own` are
    accessed, because on Windows an access sends the user's credentials. None: the field is trusted."""
    shares = {share_of(each) for each in (folder, *own)} if own is not None else None
    parts = _split(field, ";")[:_MOST]
    found = (_existing(name, folder, shares) for part in parts for name in _names(part))
    return tuple(dict.fromkeys(path for path in found if path is not None))


def share_of(path: Path) -> str:
    """The network share or device of a path, as Windows reads it, whatever the spelling of the path; "" if
    there is none."""
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
