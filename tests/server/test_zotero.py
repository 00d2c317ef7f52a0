"""Zotero's library from a server on this machine that answers as Zotero does: with Better BibTeX, and without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from texgeist_retrieval.errors import NoSource, SourceUnavailable
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.sources.admission import admitted
from texgeist_retrieval.sources.records import Record
from texgeist_server.config.user_file import load
from texgeist_server.library.sources import SourceRequest
from texgeist_server.library.sources.zotero import open_zotero

from ..http_server import got, send

ENTRY = """@article{{{key},
  title = {{Retrieval of Kind {number}}},
  author = {{Stone, Ada and Miller, Ben}},
  date = {{2021-03-02}},
  journaltitle = {{Journal of Kinds}},
  doi = {{10.1000/kind.{number}}},
  abstract = {{We retrieve kind {number} by the words that it shares with a question.}},
  file = {{{file}}}
}}
"""


class Zotero:
    """`better`: with Better BibTeX; `locked`: other programs may not read."""

    port = ""

    def __init__(self, count: int, better: bool = False, locked: bool = False, file: str = "") -> None:
        self.entries = [ENTRY.format(key=f"stone{n}", number=n, file=file) for n in range(count)]
        self.better, self.locked = better, locked
        self.asked: list[str] = []

    @contextmanager
    def running(self) -> Iterator[Zotero]:
        def say(asked: BaseHTTPRequestHandler) -> None:
            status, text = self.answer(asked.path)
            send(asked, status, text.encode())

        with got(say) as address:
            self.port = address.rpartition(":")[2]
            yield self

    def answer(self, target: str) -> tuple[int, str]:
        self.asked.append(target)
        if target == "/better-bibtex/export/library?/1/library.biblatex":
            return (200, "\n".join(self.entries)) if self.better else (404, "No endpoint found")
        address = urlsplit(target)
        if address.path != "/api/users/0/items/top" or self.locked:
            return (403, "Local API is not enabled") if self.locked else (404, "")
        given = {name: values[0] for name, values in parse_qs(address.query).items()}
        start, limit = int(given["start"]), int(given["limit"])
        items = self.entries[start : start + limit]
        if given["format"] == "json":
            return 200, json.dumps([{"key": str(start + n)} for n in range(len(items))])
        assert given["format"] == "biblatex"
        return 200, "\n".join(item for item in items if item)


@pytest.fixture
def zotero(request: pytest.FixtureRequest) -> Iterator[Zotero]:
    with Zotero(**request.param).running() as zotero:
        yield zotero


def papers(zotero: Zotero, folders: list[str] | None = None) -> list[Record]:
    settings, _ = load({"papers": {"folders": folders or []}})
    read = list(open_zotero(SourceRequest(zotero.port, settings, "", Silent())))
    assert all(isinstance(one, Record) or one.where == "a.pdf" for one in read)  # which is a torn one
    return [one for one in read if isinstance(one, Record)]


@pytest.mark.parametrize("zotero", [{"count": 3, "better": True}], indirect=True)
def test_better_bibtex_gives_all_at_once(zotero: Zotero) -> None:
    found = papers(zotero)
    assert [one.paper.title for one in found] == [f"Retrieval of Kind {n}" for n in range(3)]
    assert found[0].paper.id == "doi:10.1000/kind.0" and found[0].paper.year == 2021
    assert found[0].paper.authors == ("Ada Stone", "Ben Miller") and "We retrieve" in found[0].paper.abstract
    assert len(zotero.asked) == 1


@pytest.mark.parametrize("zotero", [{"count": 1, "better": True}], indirect=True)
def test_no_proxy_is_asked_for_what_is_on_this_machine(
    zotero: Zotero, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert len(papers(zotero)) == 1


@pytest.mark.parametrize("zotero", [{"count": 230}], indirect=True)
def test_without_it_the_local_api_gives_page_after_page(zotero: Zotero) -> None:
    found = papers(zotero)
    assert len({one.paper.id for one in found}) == 230
    assert len(zotero.asked) == 1 + 4 + 1  # three pages, an empty one, and whether there are items in that


@pytest.mark.parametrize("zotero", [{"count": 1, "locked": True}], indirect=True)
def test_where_zotero_lets_nobody_read_the_setting_is_named(zotero: Zotero) -> None:
    with pytest.raises(NoSource, match="lets no other program read") as caught:
        papers(zotero)
    assert "Allow other applications" in caught.value.help


@contextmanager
def hostile(body: bytes, better: bool = True) -> Iterator[SourceRequest]:
    """In Zotero's place: whatever program got the port first. It does not say how long its answer is."""

    def say(asked: BaseHTTPRequestHandler) -> None:
        asked.send_response(404 if not better and "better-bibtex" in asked.path else 200)
        asked.send_header("Connection", "close")
        asked.end_headers()
        asked.wfile.write(body)

    with got(say) as address:
        yield SourceRequest(address.rpartition(":")[2], load({"papers": {"folders": []}})[0], "", Silent())


def test_pages_without_end_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("texgeist_server.library.sources.zotero.MOST_BYTES", 2**20)
    body = ENTRY.format(key="a", number=1, file="").encode() * 100
    with (
        hostile(body, better=False) as asked,
        pytest.raises(NoSource, match="larger than 1 MB") as caught,
    ):
        list(open_zotero(asked))
    assert "Export a part" in caught.value.help


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Sign in</body></html>",
        b"\xff\xfe\x00" * 1000,
        b"@article{" * 20_000,
        b"@string{a={x}}" + b"@string{a=a#a}" * 60,
        b"{" * 200_000,
        b"@article{k, title={T}, doi={javascript:alert(1)}, url={file:///etc/passwd}, file={/etc/passwd}, year={99999}}",
    ],
)
def test_what_is_no_library_gives_no_paper_and_no_traceback(body: bytes) -> None:
    with hostile(body) as asked, suppress(NoSource, SourceUnavailable):
        read = [one.paper for one in open_zotero(asked) if isinstance(one, Record)]
        taken = [admitted(paper) for paper in read]  # as every one is before it is stored
        assert not any(paper.files or paper.url or paper.doi for paper in taken)


def test_files_count_inside_the_users_own_folders_alone(tmp_path: Path) -> None:
    for name in ("storage", "elsewhere"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.pdf").write_bytes(b"%PDF-1.4")
    for name, counts in (("storage", True), ("elsewhere", False)):
        with Zotero(1, better=True, file=str(tmp_path / name / "a.pdf")).running() as zotero:
            (found,) = papers(zotero, [str(tmp_path / "storage")])
            assert bool(found.paper.files) == counts
            assert not papers(zotero)[0].paper.files
