"""Reads the library of a running Zotero on this machine, exported as BibLaTeX.

With Better BibTeX the whole library is exported, with keys and files; without it, Zotero's local API returns
pages of 100 items (web API v3, "Export formats"). Both interfaces are contacted only on this machine, and
Zotero's library is not changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import NoSource, PaperUnreadable

from . import SourceRequest
from .bib_file import BibEntries

if TYPE_CHECKING:
    from texgeist_retrieval.sources.client import SourceClient

NAMED = re.compile(r"zotero(?::(?=\d{1,5}$)|$)", re.IGNORECASE)  # `zotero:24119` names another port
PORT = "23119"
MOST_BYTES = 256 * 2**20
_PAGE = 100  # the maximum of the local API
_MOST_PAGES = 2_000
_ALLOW = (
    "In Zotero: Settings, Advanced, “Allow other applications on this computer to communicate with Zotero”."
)

_BY_FILE = "Export a part of it to a .bib file in Zotero, and give texgeist that."


def open_zotero(asked: SourceRequest) -> BibEntries:
    """The entries of the library. Raises `NoSource` if Zotero refuses access, `SourceUnavailable` if it is
    not running."""
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
        pass  # Better BibTeX is not installed
    left = MOST_BYTES  # of all pages together: the server's answers may be endless
    for start in range(0, _MOST_PAGES * _PAGE, _PAGE):
        asked.monitor.report("Asking Zotero", start)
        text = _items(client, address, "biblatex", start, _PAGE, asked)
        if text.strip():
            if (left := left - len(text)) < 0:
                raise NoSource(f"Zotero's library is larger than {MOST_BYTES >> 20} MB.", _BY_FILE)
            yield text.decode(errors="replace")
        elif _items(client, address, "json", start, 1, asked).strip() in (b"", b"[]"):
            return  # else the page had only notes and files without an item, which are not exported


def _items(
    client: SourceClient, address: str, form: str, start: int, most: int, asked: SourceRequest
) -> bytes:
    """At most `most` items of the library from number `start` on, without items that belong to another item.
    `form`: the export format."""
    part = {"format": form, "limit": str(most), "start": str(start)}
    try:
        return client.get(f"{address}/api/users/0/items/top", part, MOST_BYTES, asked.monitor)
    except PaperUnreadable:
        raise NoSource("Zotero lets no other program read its library.", _ALLOW) from None
