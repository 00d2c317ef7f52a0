"""Full papers in an index, and evidence from them, as a person and as another program call them."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.errors import IndexMissing
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline import selection
from texgeist_retrieval.types import Matrix
from texgeist_server import adapters, passage_library
from texgeist_server.config.settings import Settings
from texgeist_server.index_places import Place
from texgeist_server.library import syncing
from texgeist_server.lsp.hover_text import why
from texgeist_server.sections import provenance

from ..local_index import Quick, Run, commands, end_servers
from ..retrieval.agent.conftest import WordEmbedder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Quick())
    yield commands(monkeypatch, tmp_path, data)
    end_servers(tmp_path)


def paper(id_: str, title: str, year: int, **sections: str) -> dict[str, Any]:
    """A full paper; each section's text is one sentence a full stop."""
    return {
        "id": id_,
        "title": title,
        "year": year,
        "sections": [
            {
                "heading": name.replace("_", " "),
                "sentences": [[n, f"{s}."] for n, s in enumerate(text.split(". "))],
            }
            for name, text in sections.items()
        ],
    }


LIBRARY = [
    paper(
        "P1", "Word reordering in translation", 2000,
        Abstract="We describe a search for machine translation that reorders words. It is based on dynamic programming",
        _2_Search="Word positions are covered one after the other. The restriction keeps the search polynomial",
        _3_Results="On travel dialogues the word error rate falls by a tenth",
    ),
    paper(
        "P2", "Resolving pronouns", 1998,
        Abstract="Pronouns are resolved with little knowledge. Indicators prefer antecedents in the text before",
        Method="Each noun phrase gets a score by its indicators. The highest is taken as the antecedent",
    ),
    paper(
        "P3", "Maximum entropy taggers", 2000,
        Abstract="A tagger for named entities by maximum entropy. It uses features of the whole document",
        Experiments="The tagger with document features has the fewest errors of entities",
    ),
]  # fmt: skip


def write(path: Path, papers: Sequence[dict[str, Any]]) -> str:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in papers)
    return str(path)


def evidence(run: Run, query: str, *more: str, code: int = 0) -> dict[str, Any]:
    arguments = ("evidence", query, "--index", "I", "--no-model", "--json", *more)
    return dict(json.loads(run(*arguments, code=code).stdout))


def test_full_papers_are_added_and_found_by_what_they_say(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "papers.jsonl.gz", LIBRARY)
    added = json.loads(run("index", "add", source, "--index", "I", "--json").stdout)[source]
    assert (added["added"], added["full_texts"], added["passages"]) == (3, 3, 7)

    found = evidence(run, "The antecedent of a pronoun is the noun phrase with the highest score.")
    first = found["evidence"][0]
    assert (first["paper"], first["title"], first["section"]) == ("P2", "Resolving pronouns", "methods")
    assert first["heading"] == "Method" and "highest is taken" in first["text"]
    assert first["page"] is None and first["model"] is None and first["summary"] == ""
    assert found["queries"] and found["stopped"]
    assert "searched by words alone" in found["notes"][0] and "model fetch" in found["notes"][0]

    about = json.loads(run("index", "status", "--index", "I", "--json").stdout)
    assert (about["papers"], about["full_papers"], about["passages"]) == (3, 3, 7)


def test_a_search_gives_what_a_program_needs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapters, "build_embedder", lambda *_, **__: Quick())
    cited = {**LIBRARY[1], "doi": "10.1000/p2", "venue": "COLING"}
    bare = {"id": "1904.00001", "title": "Parsing by pronouns", "abstract": "Antecedents guide a parser."}
    run("index", "add", write(tmp_path / "papers.jsonl.gz", [LIBRARY[0], cited, bare]), "--index", "I")
    rows = json.loads(run("search", "the score of an antecedent", "--index", "I", "--json").stdout)
    found = {row["id"]: row for row in rows}
    pronouns, parsing = found["P2"], found["1904.00001"]
    assert (pronouns["doi"], pronouns["venue"], pronouns["arxiv_id"]) == ("10.1000/p2", "COLING", "")
    assert pronouns["passages"][0]["heading"] == "Method" and len(pronouns["passages"]) <= 3
    assert "Each noun phrase gets a score" in pronouns["why"]
    assert (parsing["arxiv_id"], parsing["passages"]) == ("1904.00001", [])
    assert parsing["why"] == "It says: “Antecedents guide a parser.”"
    assert parsing["url"] == "https://arxiv.org/abs/1904.00001"


def test_what_is_unchanged_costs_nothing_and_what_changed_takes_its_passages_along(
    run: Run, tmp_path: Path
) -> None:
    source = write(tmp_path / "papers.jsonl.gz", LIBRARY)
    run("index", "add", source, "--index", "I")
    again = json.loads(run("index", "add", source, "--index", "I", "--json").stdout)[source]
    assert (again["unchanged"], again["full_texts"], again["full_texts_unchanged"]) == (3, 0, 3)

    shorter = paper(
        "P2",
        "Resolving pronouns",
        1998,
        Abstract="Pronouns are resolved by a giraffe in a very long sentence here",
    )
    write(tmp_path / "papers.jsonl.gz", [shorter])
    changed = json.loads(run("index", "add", source, "--index", "I", "--json").stdout)[source]
    assert (changed["full_texts"], changed["passages"]) == (1, 1)
    texts = [one["text"] for one in evidence(run, "pronouns and their antecedent, noun phrase")["evidence"]]
    assert any("giraffe" in text for text in texts) and not any("highest is taken" in text for text in texts)

    run("index", "remove", "P2", "--index", "I")
    assert evidence(run, "pronouns and a giraffe", code=5)["evidence"] == []
    assert json.loads(run("index", "status", "--index", "I", "--json").stdout)["passages"] == 5


def test_an_index_without_full_papers_says_how_to_get_some(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "a", "title": "T", "abstract": "Of words. " * 9}))
    run("index", "add", "a.jsonl", "--index", "I")
    said = run("evidence", "words", "--index", "I", "--no-model", code=1).stderr
    assert "holds no full papers" in said and "texgeist index add" in said


def test_what_is_no_full_text_does_no_harm(run: Run, tmp_path: Path) -> None:
    odd: list[dict[str, Any]] = [
        {"id": "o1", "title": "T", "sections": "none"},
        {"id": "o2", "title": "T", "abstract": "Of words.", "sections": [7, {"heading": 3, "sentences": {"a": 1}}]},
        {"id": "o3", "title": "T", "year": "1999", "sections": [
            {"heading": "A\u202eB" * 400, "sentences": [[1, "Zebras graze in the evening."], [2], [3, None], 4, "Bare zebras."]}]},
        {"id": "o4", "title": "T", "sections": [{"heading": "", "sentences": [[1, "letters" * 30_000]]}]},
    ]  # fmt: skip
    source = write(tmp_path / "odd.jsonl.gz", odd)
    added = json.loads(run("index", "add", source, "--index", "I", "--json").stdout)[source]
    assert added["full_texts"] == 2 and added["unreadable"] == 0
    first = evidence(run, "zebras graze")["evidence"][0]
    assert first["paper"] == "o3" and first["text"] == "Zebras graze in the evening. Bare zebras."
    assert "\u202e" not in first["heading"] and len(first["heading"].encode()) <= 300


def test_the_last_full_paper_leaves_the_index_whole(run: Run, tmp_path: Path) -> None:
    run("index", "add", write(tmp_path / "p.jsonl.gz", LIBRARY[:1]), "--index", "I")
    said = run("index", "remove", "P1", "--index", "I")
    assert said.stderr.strip().endswith("1 removed")
    about = json.loads(run("index", "status", "--index", "I", "--json").stdout)
    assert (about["papers"], about["full_papers"], about["passages"]) == (0, 0, 0)
    assert "P1" not in run("index", "remove", "P1", "--index", "I", code=5).stdout
    said = run("evidence", "words", "--index", "I", "--no-model", code=1)
    assert "holds no full papers" in said.stderr


def test_full_texts_outlive_a_lost_index_and_a_kill_before_the_snapshot(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "p.jsonl.gz", LIBRARY)
    run("index", "add", source)
    end_servers(tmp_path, seconds=30)
    for path in (tmp_path / "data").rglob("*.db"):
        shutil.rmtree(path)
    assert "library" in run("evidence", "pronouns", "--no-model", code=1).stderr, (
        "the snapshot is not searched"
    )
    again = json.loads(run("index", "add", source, "--json").stdout)[source]
    assert (again["full_texts"], again["full_texts_unchanged"], again["added"]) == (0, 3, 3)

    renamed = [{**one, "title": "Of pronouns"} if one["id"] == "P2" else one for one in LIBRARY]
    with pytest.MonkeyPatch.context() as patch:  # as if killed before the snapshot was rebuilt
        patch.setattr(passage_library, "snapshot_of", lambda *_: None)
        run("index", "add", write(tmp_path / "p.jsonl.gz", renamed))
    found = json.loads(run("evidence", "pronouns and their antecedent", "--no-model", "--json").stdout)
    assert (found["evidence"][0]["paper"], found["evidence"][0]["title"]) == ("P2", "Of pronouns")


def test_full_papers_of_an_earlier_version_are_named_until_they_are_added_again(
    run: Run, tmp_path: Path
) -> None:
    source = write(tmp_path / "p.jsonl.gz", LIBRARY)
    (tmp_path / "bare.jsonl").write_text(
        "".join(json.dumps({**one, "sections": [], "abstract": "Of words. " * 9}) + "\n" for one in LIBRARY)
    )
    run("index", "add", "bare.jsonl")
    assert "earlier version" not in run("index", "status").stderr
    with closing(sqlite3.connect(tmp_path / "data" / "library.db.hashes.texts.sqlite")) as base, base:
        base.execute(
            "CREATE TABLE texts (id TEXT PRIMARY KEY, digest BLOB NOT NULL, passages INTEGER NOT NULL)"
        )
        base.executemany("INSERT INTO texts VALUES (?, x'00', 3)", [("P1",), ("P2",), ("removed since",)])
    said = "2 full papers added by an earlier version of texgeist cannot be searched any more: add the files again"
    assert said in run("index", "status").stderr
    assert said in run("evidence", "pronouns", "--no-model", code=1).stderr
    found = json.loads(run("doctor", "--json", code=1).stdout)  # 1: there is no embedding model
    about = next(one for one in found if one["what"] == "index")
    assert about["state"] == "note" and said in about["help"]
    run("index", "add", source)
    assert "earlier version" not in run("index", "status").stderr


def test_a_damaged_file_of_full_papers_is_named(run: Run, tmp_path: Path) -> None:
    source = write(tmp_path / "p.jsonl.gz", LIBRARY)
    run("index", "add", source, "--index", "I")
    file = tmp_path / "I.full-texts.sqlite"
    file.write_bytes(b"none of ours " * 1000)
    for command in (["index", "add", source], ["index", "status"], ["evidence", "pronouns", "--no-model"]):
        said = run(*command, "--index", "I", code=1).stderr
        assert "I.full-texts.sqlite, is damaged" in said and "Move it away" in said
    file.unlink()
    assert "3 full papers" in run("index", "add", source, "--index", "I").stdout


def test_a_server_without_full_papers_of_this_machine_names_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path))
    monkeypatch.setattr(passage_library, "open_as_it_is", lambda *_: ExitStack())
    with pytest.raises(IndexMissing, match="no full papers on this machine") as raised:
        passage_library.snapshot_of(Settings(), Place("https://team.example:19530", "", True), Silent())
    assert "--index library" in raised.value.help


def test_a_snapshot_is_rebuilt_if_another_model_made_the_index(run: Run, tmp_path: Path) -> None:
    run("index", "add", write(tmp_path / "p.jsonl.gz", LIBRARY), "--index", "I")
    about = tmp_path / "I.snapshot" / "about.json"
    place, settings = Place(str(tmp_path / "I"), "", False), Settings()
    made = json.loads(about.read_text())["model"]
    passage_library.snapshot_of(settings, place, Silent(), made)
    before = about.stat().st_ino
    for other in ("", made):
        passage_library.snapshot_of(settings, place, Silent(), other)
        assert about.stat().st_ino == before
    passage_library.snapshot_of(settings, place, Silent(), "another model")
    assert about.stat().st_ino != before


def typeset(path: Path, *pages: str) -> Path:
    """A PDF of these pages, a line each line, by PDFium."""
    import ctypes

    pypdfium2 = pytest.importorskip("pypdfium2")
    raw = pypdfium2.raw
    document = pypdfium2.PdfDocument.new()
    for text in pages:
        page = document.new_page(595, 842)
        for number, line in enumerate(text.split("\n")):
            words = raw.FPDFPageObj_NewTextObj(document, b"Helvetica", ctypes.c_float(10))
            coded = (line + "\0").encode("utf-16-le")
            raw.FPDFText_SetText(words, ctypes.cast(ctypes.c_char_p(coded), ctypes.POINTER(ctypes.c_ushort)))
            raw.FPDFPageObj_Transform(words, 1, 0, 0, 1, 60, 780 - 13 * number)
            raw.FPDFPage_InsertObject(page, words)
        page.gen_content()
    document.save(path)
    return path


PAGE = """Salience and Pronouns
Abstract
Pronouns are resolved to the most salient noun phrase of the two sentences before them, and we measure it.
1 Introduction
Readers resolve pronouns quickly, and salience is said to be the reason why they do it so quickly here.
2 Results
Salience resolves four pronouns of five in newspaper text, which no other cue of the text does alone."""


def test_pdfs_that_a_bibliography_attaches_are_full_papers(run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    typeset(mine / "salience.pdf", PAGE)
    (mine / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    (mine / "refs.bib").write_text(
        "@article{a, title={Salience and Pronouns}, year={2001}, file={Full Text:salience.pdf:application/pdf}}\n"
        "@article{b, title={Torn}, abstract={Of torn things in general.}, file={torn.pdf}}\n"
        "@article{c, title={Plain}, abstract={Of plain things in general.}}\n"
    )
    settings = f'[papers]\nfolders = ["{mine}"]\n'
    said = run("index", "add", "mine/refs.bib", "--index", "I", config=settings)
    assert "torn.pdf" in said.stderr and "damaged or protected" in said.stderr
    about = json.loads(run("index", "status", "--index", "I", "--json").stdout)
    assert (about["papers"], about["full_papers"]) == (3, 1)
    first = evidence(run, "Salience resolves pronouns in newspaper text.")["evidence"][0]
    assert (first["paper"], first["title"], first["page"]) == ("bib:a", "Salience and Pronouns", 1)
    assert first["section"] == "results" and "four pronouns of five" in first["text"]


class ByWords(Quick):
    """Texts with the same words are near."""

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        rows = WordEmbedder().embed_documents(texts)
        return np.pad(rows, ((0, 0), (0, self.dimension - rows.shape[1])))


DRAFT = r"""\documentclass{article}
\title{The noun phrase with the highest score is the antecedent}
\begin{document}
\begin{abstract}
Each noun phrase gets a score by its indicators, and the highest is taken as the antecedent.
\end{abstract}
\section{Related Work}
\bibliography{refs}
\end{document}
"""


def test_related_work_reads_the_full_papers_of_the_index(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: ByWords())
    monkeypatch.setattr(adapters, "build_embedder", lambda *_, **__: ByWords())
    monkeypatch.setattr(selection, "NEAR", 0.1)  # of cosines of words
    bare = {"id": "B1", "title": "Parsing by pronouns", "abstract": "Antecedents of pronouns guide a parser."}
    named = [{**record, "authors": ["Ann Smith"]} for record in (*LIBRARY, bare)]
    run("index", "add", write(tmp_path / "papers.jsonl.gz", named), "--index", "I")
    draft = tmp_path / "draft.tex"
    draft.write_text(DRAFT)
    (tmp_path / "refs.bib").write_text("")
    run("related-work", str(draft), "--index", "I", "--apply", "--breadth", "3")
    cited = {one.paper.title: one for one in provenance.read(draft).citations.values()}
    pronouns = cited["Resolving pronouns"]
    assert any(one.heading == "Method" for one in pronouns.evidence)
    assert "(abstract)" in why(pronouns)  # the notes quote a sentence of it
    status = json.loads(run("index", "status", "--index", "I", "--json").stdout)
    assert 0 < status["embedded"] <= status["passages"], "what was read is embedded for later searches"
