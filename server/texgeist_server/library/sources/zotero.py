"""The library of the Zotero that runs on this machine, as its own export in BibLaTeX.

Better BibTeX exports the library whole, with keys and files; without it, Zotero's local API gives it by the
hundred (web API v3, "Export formats"). Both are asked on this machine alone, and write nothing there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import NoSource, PaperUnreadable

from .asked import SourceRequest
from .bib_file import BibEntries

if TYPE_CHECKING:
    from texgeist_retrieval.sources.client import SourceClient

NAMED = re.compile(r"zotero(?::(?=\d{1,5}$)|$)", re.IGNORECASE)  # or `zotero:24119`, where it listens there
PORT = "23119"
MOST_BYTES = 256 * 2**20
_PAGE = 100  # the most that the local API gives at once
_MOST_PAGES = 2_000
_ALLOW = (
    "In Zotero: Settings, Advanced, “Allow other applications on this computer to communicate with Zotero”."
)

_BY_FILE = "Export a part of it to a .bib file in Zotero, and give texgeist that."


def open_zotero(asked: SourceRequest) -> BibEntries:
    """Raises `NoSource` where Zotero lets nobody read, `SourceUnavailable` where it does not run."""
    from texgeist_retrieval.sources.client import Site, SourceClient
    from texgeist_retrieval.sources.pacing import Pacing

    site = Site("Zotero", check=_ALLOW, meanwhile="Start Zotero, then try again.")
    client = SourceClient(site, Pacing(0, "zotero"), total_s=600.0, silence_s=300.0)
    try:
        text = "\n".join(_exported(client, f"http://127.0.0.1:{asked.text or PORT}", asked))
    finally:
        client.close()
    return BibEntries(Path("zotero.bib"), text, asked.in_own_folders, asked.monitor, asked.abstracts)


def _exported(client: SourceClient, address: str, asked: SourceRequest) -> Iterator[str]:
    asked.monitor.report("Asking Zotero")
    try:
        whole = f"{address}/better-bibtex/export/library?/1/library.biblatex"  # "1": My Library
        yield client.get(whole, {}, MOST_BYTES, asked.monitor).decode(errors="replace")
        return
    except PaperUnreadable:
        pass  # no Better BibTeX
    left = MOST_BYTES  # of all pages together: whatever answers there may answer without end
    for start in range(0, _MOST_PAGES * _PAGE, _PAGE):
        asked.monitor.report("Asking Zotero", start)
        text = _items(client, address, "biblatex", start, _PAGE, asked)
        if text.strip():
            if (left := left - len(text)) < 0:
                raise NoSource(f"Zotero's library is larger than {MOST_BYTES >> 20} MB.", _BY_FILE)
            yield text.decode(errors="replace")
        elif _items(client, address, "json", start, 1, asked).strip() in (b"", b"[]"):
            return  # else notes and files of no item, of which there is nothing to export


def _items(
    client: SourceClient, address: str, form: str, start: int, most: int, asked: SourceRequest
) -> bytes:
    """Items that belong to no other, in this format."""
    part = {"format": form, "limit": str(most), "start": str(start)}
    try:
        return client.get(f"{address}/api/users/0/items/top", part, MOST_BYTES, asked.monitor)
    except PaperUnreadable:
        raise NoSource("Zotero lets no other program read its library.", _ALLOW) from None
