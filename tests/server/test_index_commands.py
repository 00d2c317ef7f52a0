"""`texgeist index` and `texgeist model`, as a person and as another program call them."""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Iterator, Sequence
from contextlib import closing
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.index.hashes import HashTable
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Matrix, Vector
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.library import syncing

from ..http_server import got, send
from ..local_index import Quick, Run, commands, end_servers

BIB = """
@misc{karpukhin2020, title = {Dense {P}assage Retrieval}, author = {M{\\"u}ller, Vladimir and Oguz, Barlas and others},
  year = 2020, eprint = {2004.04906}, archivePrefix = {arXiv}, primaryClass = {cs.CL},
  abstract = {Passages are retrieved with dense vectors alone, by two encoders.}}
@article{knuth1984, title = {Literate Programming}, author = {Donald E. Knuth}, year = 1984, doi = {10.1093/comjnl/27.2.97},
  abstract = {Programs are written for people, as works of literature.}}
@book{nothing, title = {Untold}, author = {Nobody}}
"""


@pytest.fixture
def data(tmp_path: Path, model_folder: Path) -> Iterator[Path]:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "model").symlink_to(model_folder.resolve(), target_is_directory=True)
    yield folder
    end_servers(folder)


@pytest.fixture
def run(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return commands(monkeypatch, tmp_path, data)


@pytest.mark.model
def test_a_bibliography_is_added_looked_at_and_searched(run: Run, tmp_path: Path) -> None:
    (tmp_path / "my.bib").write_text(BIB)

    added = json.loads(run("index", "add", "my.bib", "--json").stdout)["my.bib"]
    assert (added["read"], added["added"], added["without_abstract"], added["embedded"]) == (3, 2, 1, 2)
    again = run("index", "add", "my.bib").stdout
    assert "2 unchanged" in again and "1 left out: no abstract" in again

    about = json.loads(run("index", "status", "--json").stdout)
    assert (about["papers"], about["recorded"], about["model"]) == (2, 2, "all-mpnet-base-v2")
    assert "2 papers in" in run("index", "status").stdout

    found = json.loads(run("search", "two encoders for dense retrieval", "--json").stdout)
    assert [row["id"] for row in found] == ["2004.04906", "doi:10.1093/comjnl/27.2.97"]
    assert found[0]["title"] == "Dense Passage Retrieval"

    draft = "\\documentclass{article}\\begin{document}A.\n\\bibliography{refs}\n\\end{document}\n"
    (tmp_path / "main.tex").write_text(draft)
    (tmp_path / "refs.bib").write_text("")
    run("add", "2004.04906", "main.tex")
    assert "Barlas Oguz and others}" in (tmp_path / "refs.bib").read_text(), "the list stays open"

    assert "1 removed; not in the index: nope" in run("index", "remove", "2004.04906", "nope").stderr
    assert "0 removed" in run("index", "remove", "nope", code=5).stderr
    assert json.loads(run("index", "status", "--json").stdout)["papers"] == 1


class Interrupted:
    """An embedder at whose third batch the user presses Ctrl+C."""

    name, dimension = "all-mpnet-base-v2", 768

    def __init__(self) -> None:
        self.texts = 0

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self.texts += len(texts)
        if self.texts == 3 * 64:
            os.kill(os.getpid(), signal.SIGINT)
        return np.tile(np.eye(1, 768, dtype=np.float32), (len(texts), 1))


def test_a_broken_off_add_says_what_it_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [{"id": f"2401.{n:05}", "title": f"T{n}", "abstract": f"A{n}."} for n in range(900)]
    (tmp_path / "many.jsonl").write_text("\n".join(map(json.dumps, records)))
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Interrupted())

    said = run("index", "add", "many.jsonl", code=130).stderr
    assert "Cancelled. Until then: 192 papers put into the index." in said
    assert "nothing was changed" not in said
    about = json.loads(run("index", "status", "--json").stdout)
    assert about["papers"] == 192


def test_a_disk_that_is_full_and_a_record_that_is_torn(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Quick())
    lines = [
        json.dumps({"id": f"2401.{n:05}", "title": f"On {n}", "abstract": f"We study {n}."})
        for n in range(500)
    ]
    (tmp_path / "one.jsonl").write_text(lines[0])
    (tmp_path / "all.jsonl").write_text("\n".join(lines))
    run("index", "add", "one.jsonl", "--index", "new.db")  # its server knows no limit
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, hard))
    try:
        said = run("index", "add", "all.jsonl", "--index", "new.db", code=1).stderr
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "could not be written" in said and "Free some disk space" in said
    assert "500 read" in run("index", "add", "all.jsonl", "--index", "new.db").stdout

    record = tmp_path / "new.db.hashes.sqlite"
    record.write_bytes(b"none of ours " * 1000)
    said = run("index", "add", "all.jsonl", "--index", "new.db", code=1).stderr
    assert "is damaged" in said and "Move it away" in said
    record.rename(tmp_path / "away")
    run("index", "add", "one.jsonl", "--index", "new.db", "--mine")
    assert json.loads(run("index", "status", "--index", "new.db", "--json").stdout)["papers"] == 500
    for name in ("all.csv", "none/all.bib"):
        run("index", "export", name, "--index", "new.db", code=2)
    end_servers(tmp_path)


def test_what_is_no_source_makes_no_index(run: Run, data: Path) -> None:
    said = run("index", "add", "nowhere.jsonl", code=1).stderr
    assert "There is no nowhere.jsonl" in said and "oai:cs" in said
    assert "no library" in run("index", "status", code=1).stderr
    assert {path.name for path in data.iterdir()} - {"texgeist.log"} == {"model"}


def test_a_folder_of_pdfs(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Quick())
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    folder = tmp_path / "pdfs"
    folder.mkdir()
    page = Canvas(str(folder / "Smith - 2020 - A Study of Traps.pdf"), pagesize=A4)
    page.setTitle("untitled")
    lines = ["A Study of Traps", "Jo Smith", "Abstract", *["Isotopes are held in traps that we cool."] * 6]
    for number, line in enumerate([*lines, "1 Introduction", "Much was said before."]):
        page.drawString(72, 760 - 16 * number, line)
    page.save()
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing more")

    one = run("index", "add", "pdfs/Smith - 2020 - A Study of Traps.pdf")
    assert "1 new" in one.stdout
    none = run("index", "add", "pdfs/broken.pdf", code=5)
    assert "1 unreadable left out" in none.stdout and "broken.pdf" in none.stderr
    done = run("index", "add", "pdfs")

    assert "1 unchanged" in done.stdout and "1 unreadable" in done.stdout
    assert "broken.pdf" in done.stderr


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A mirror of arXiv with one page of OAI-PMH."""
    asked: list[str] = []
    record = """<record><header><identifier>oai:arXiv.org:2401.00001</identifier></header><metadata>
      <arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>2401.00001</id><created>2024-01-02</created>
      <title>T</title><authors/>
      <categories>cs.CL</categories><abstract>Dense vectors.</abstract></arXiv></metadata></record>"""
    body = (
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-11-20T01:02:03Z'
        f"</responseDate><ListRecords>{record}</ListRecords></OAI-PMH>"
    ).encode()

    def serve(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.path)
        send(handler, 200, body)

    with got(serve) as address:
        monkeypatch.setenv("TEXGEIST_ARXIV_ADDRESS", address)
        monkeypatch.setenv("TEXGEIST_ARXIV_PAUSE", "0")
        yield asked


def test_a_harvest_goes_on_from_the_last_one_and_pruning_reads_the_whole_source(
    run: Run, mirror: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Quick())
    assert "1 new" in run("index", "sync", "oai:cs").stdout
    assert "1 unchanged" in run("index", "sync", "oai:cs").stdout
    first, second = mirror
    assert "set=cs" in first and "from" not in first and "from=2026-11-20" in second

    run("index", "sync", "oai:cs", "--prune")
    assert "from=" not in mirror[2]
    said = run("index", "sync", "oai:cs", "--prune", "--since", "2024-01-01", code=1).stderr
    assert "cannot prune" in said and len(mirror) == 3


def test_an_update_reads_the_other_sources_if_one_is_gone(
    run: Run, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Quick())
    (tmp_path / "my.bib").write_text(BIB)
    run("index", "add", "my.bib")
    with closing(HashTable(data / "library.db.hashes.sqlite")) as table:
        table.record_run("snapshot.json 3/16", "2026-01-01")  # by an older version, a part of a source
    message = syncing.sync(Settings(), Keys(), [], Silent())
    assert "2 unchanged" in message and "There is no snapshot.json 3/16." in message


@pytest.mark.parametrize(
    "name", ["pipe.bib", "pipe.jsonl", "endless.bib", "endless.jsonl", "half\udcff.bib", ""]
)
def test_what_is_no_file_of_records_is_refused_at_once(tmp_path: Path, name: str) -> None:
    """A pipe gives nothing for ever, a device everything: neither is read."""
    from texgeist_retrieval.errors import SourceUnavailable
    from texgeist_server.library.harvest_sources import check_source

    path = tmp_path / name
    if name.startswith("pipe"):
        os.mkfifo(path)
    elif name.startswith("endless"):
        path.symlink_to("/dev/zero")
    elif name:
        path.touch()
    with pytest.raises(SourceUnavailable, match=r"not a regular file|unprintable|not a source|There is no"):
        check_source(str(path) if name else "")


@pytest.mark.parametrize(
    ("text", "form", "rest"),
    [
        ("oai", "oai or oai:cs", ""),
        ("OAI:cs.CL", "oai or oai:cs", "cs.CL"),
        ("oai:", "oai or oai:cs", ""),
        ("cat:cs.CL", "a query", "cat:cs.CL"),
        ("api:deep learning", "a query", "deep learning"),
        ("papers.BIB", "a .bib file", "papers.BIB"),
        ("arxiv.json.gz", "JSON lines", "arxiv.json.gz"),
        (".", "a folder", "."),
        ("oai-papers.bib", "a .bib file", "oai-papers.bib"),
        ("oai cs", None, "oai cs"),
        ("paper.tex", "a LaTeX document", "paper.tex"),
        ("notes.md", None, "notes.md"),
        ("2401.12345v2, hep-th/9901001", "arXiv ids", "2401.12345v2, hep-th/9901001"),
        ("paper.docx", None, "paper.docx"),
    ],
)
def test_each_source_is_known_by_how_it_is_written(text: str, form: str | None, rest: str) -> None:
    from texgeist_server.library.harvest_sources import FORMS, _source_of

    found, said = _source_of(text)
    assert said == rest
    if form is None:
        assert found is None
    else:
        assert found and found.form.startswith(form) and found.form in FORMS
