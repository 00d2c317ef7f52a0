"""`texgeist verify` of references that are not BibTeX: a `.bbl`, a PDF, Word, Markdown and plain text."""

from __future__ import annotations

import json
import zipfile
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from texgeist_latex.errors import Unreadable
from texgeist_server.bibliography_checks.reference_lists import read_references

from ..http_server import Handler, send, served
from .test_bibliography_checks import RECORD, texgeist

FIRST = "A. Lovelace and C. Babbage. Steady tracking of distant objects with learned memories. In CVPR, 2021."
WRONG = "K. Weill and L. Lenya. Steady tracking of distant objects with learned memories. In CVPR, 2021."
LAST = "Noether, E. and von Neumann, J. (1999). The one after it. Songs, 5(3):1-9."
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def write_pdf(path: Path, lines: list[str]) -> None:
    """Each line of the PDF at the margin, or indented if it begins with a blank; a line of `#` is a heading."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    for at, line in enumerate(lines):
        canvas.setFont("Helvetica-Bold" if line.startswith("#") else "Helvetica", 10)
        canvas.drawString(50 + 15 * line.startswith(" "), 800 - 14 * at, line.strip("# "))
    canvas.save()


def write_docx(path: Path, lines: list[str]) -> None:
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(
            "word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        )


def write(folder: Path, kind: str) -> Path:
    path = folder / f"paper.{kind}"
    said = ["We cite one thing [1] and another."] * 3
    if kind == "bbl":
        items = "\n".join(rf"\bibitem{{{n}}} {text}" for n, text in enumerate((FIRST, WRONG, LAST), 1))
        path.write_text(rf"\begin{{thebibliography}}{{9}}{items}\end{{thebibliography}}")
    elif kind == "pdf":
        start, end = FIRST.split("objects ")
        write_pdf(path, [*said, "References", f"[1] {start}objects", end, f"[2] {WRONG}", f"[3] {LAST}"])
    elif kind == "docx":
        write_docx(path, [*said, "Literaturverzeichnis", FIRST, WRONG, LAST])
    elif kind == "md":
        path.write_text(
            "\n".join(
                [*said, "## References", f"1. {FIRST}", f"2. {WRONG}", f"3. {LAST}", "## Notes", "4. No"]
            )
        )
    else:
        path.write_text("\n\n".join((FIRST, WRONG, LAST)))
    return path


@pytest.fixture
def known(tmp_path: Path) -> str:
    (tmp_path / "known.jsonl").write_text(json.dumps(RECORD))
    return str(tmp_path / "known.jsonl")


@pytest.mark.parametrize("kind", ["bbl", "pdf", "docx", "md", "txt"])
def test_references_of_each_kind_of_file(tmp_path: Path, env: dict[str, str], known: str, kind: str) -> None:
    env = {**env, "TEXGEIST_GROBID_ADDRESS": "http://127.0.0.1:9"}
    done = texgeist(env, str(write(tmp_path, kind)), "--known", known, "--json")
    assert done.returncode == 4, done.stderr
    read = json.loads(done.stdout)
    assert [e["verdict"] for e in read["entries"]] == ["ok", "suspect", "not-found"]
    named = ["Lovelace 2021", "Weill 2021", "Noether 1999"] if kind in ("docx", "txt") else ["1", "2", "3"]
    assert [e["key"] for e in read["entries"]] == named
    assert read["read"].startswith("3 of 3 references could be read")


def test_unreadable_items_are_unknown_and_a_list_of_them_is_refused(
    tmp_path: Path, env: dict[str, str], known: str
) -> None:
    path = write(tmp_path, "bbl")
    path.write_text(path.read_text().replace(WRONG, "???"))
    done = texgeist(env, str(path), "--known", known, "--json")
    verdicts = {entry["key"]: entry["verdict"] for entry in json.loads(done.stdout)["entries"]}
    assert verdicts == {"1": "ok", "2": "unknown", "3": "not-found"}
    path.write_text(path.read_text().replace(FIRST, "???").replace(LAST, "???"))
    with pytest.raises(Unreadable) as refused:
        read_references(path)
    said = refused.value.sentence()
    assert "none of about 3 references" in said and ".bib" in said and "or .bbl" not in said


ASKED: list[dict[str, list[str]]] = []


class _Grobid(Handler):
    def do_GET(self) -> None:
        send(self, 200, b"true")

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        ASKED.append(form)
        bibtex = b"@inproceedings{-1, author = {Emmy Noether}, title = {As GROBID reads it}, year = {1999}}"
        send(self, *((200, bibtex) if "Noether" in form["citations"][0] else (204, b"")))


def test_grobid_reads_if_it_runs_and_is_told_to_ask_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler: type[BaseHTTPRequestHandler] = _Grobid
    with served(handler) as address:
        monkeypatch.setenv("TEXGEIST_GROBID_ADDRESS", address)
        read = read_references(write(tmp_path, "txt"))
    titles = [entry.fields["title"] for entry in read.bibliography.entries]
    assert (
        titles[0].startswith("Steady tracking")
        and titles[2] == "As GROBID reads it"
        and "GROBID" in read.share
    )
    assert all(form["consolidateCitations"] == ["0"] for form in ASKED)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.pdf", b"no"),
        ("a.docx", b"PK\x03\x04"),
        ("a.bbl", b"\\bye"),
        ("a.txt", b""),
        ("a.md", b"\xff\xfe\n# A"),
        ("a.odt", b"x"),
    ],
)
def test_files_without_references(tmp_path: Path, env: dict[str, str], name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    done = texgeist(env, str(tmp_path / name), "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["error"]["message"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("heads.bbl", "\\entry{k}{article}{}\n" * 50_000),
        ("groups.bbl", "\\entry{k}{article}{}" + "\\field{title}{x" * 50_000 + "\\endentry"),
        ("verbs.bbl", "\\entry{k}{article}{}" + "\\verb{doi}\n\\verb " * 50_000 + "\\endentry"),
        ("initials.txt", "\n\n".join(f"[{n}] {'A. ' * 1_600}" for n in range(1, 200))),
    ],
)
def test_hostile_lists_are_refused_in_linear_time(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(Unreadable):
        read_references(tmp_path / name)


def test_labels_with_nested_braces_are_read_and_each_item_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.bbl"
    labels = (r"[{M{\"{u}}ller(2017{\natexlab{a}})}]", "[Roe(2018)Roe, " + "Doe, " * 900 + r"\'{E}]", "")
    items = "\n".join(rf"\bibitem{label}{{k{n}}} {FIRST}" for n, label in enumerate(labels))
    path.write_text(rf"\begin{{thebibliography}}{{9}}{items} \end{{thebibliography}}")
    read = read_references(path)
    assert [entry.key for entry in read.bibliography.entries] == ["k0", "k1", "k2"]
    path.write_text(path.read_text().replace(r"\end{the", r"\bibitem[never closed{k3} Words. \end{the"))
    assert read_references(path).share == "3 of 4 references could be read from their LaTeX; 1 were not read."


def test_references_that_were_not_read_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("texgeist_server.bibliography_checks.reference_lists.MOST", 2)
    assert (
        "2 of 3 references could be read by rules; 1 were not read"
        in read_references(write(tmp_path, "txt")).share
    )


@pytest.mark.parametrize(
    "xml", ["<a/>", "<a>" * 500, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "<a>" * 500 + "damaged"]
)
def test_a_word_file_that_is_empty_damaged_or_hostile_is_refused(tmp_path: Path, xml: str) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("word/document.xml", xml)
    if "damaged" in xml:
        data = path.read_bytes()
        path.write_bytes(data[:50] + b"\xff" * 9 + data[59:])
    with pytest.raises(Unreadable):
        read_references(path)


def test_bullets_are_divided(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        f"# Bibliography\n- {LAST}\n- Roe, A. (2001). *A title* of [a link](https://a.b/c). Songs, 5:1-2.\n"
    )
    entries = read_references(path).bibliography.entries
    assert [entry.fields["title"] for entry in entries] == ["The one after it", "A title of a link"]


AUTHOR_YEAR = """\
“A Title Without Authors” (2019). In: Proceedings of the 2019 Conference of
 the Northern Chapter, Volume 1 (cited on page 3).
Altabaa, Awni and John Q. van der Doe (2024a). “Approximation of relation
 functions”. arXiv: 2402.08856 [cs.LG] (cited on page 4).
Altabaa, Awni, Taylor Webb, and John Doe (2024). “Cross-attention. A bias
 for reasoning”. In: Conference on Learning (cited on pages 3, 4).
Ba, Jimmy Lei et al. (June 2016). “Layer Normalization”. In: Journal of
 Lists 6.2, pp. 17–33 (cited on page 8).
— (2017). Graph Representation Learning. San Rafael, CA: Morgan & Claypool
 (cited on page 2).""".splitlines()


def test_an_author_year_list_is_divided_by_its_indents_and_ends_at_a_heading(tmp_path: Path) -> None:
    appendix = [
        "This proves the claim that Doe (2019) made.",
        *["It takes twelve lines of words to say so."] * 12,
    ]
    write_pdf(
        tmp_path / "a.pdf",
        ["Text"] * 12 + ["References", *AUTHOR_YEAR, "# A Proofs of the claims", *appendix],
    )
    listed = read_references(tmp_path / "a.pdf")
    read = [(entry.key, entry.fields["title"]) for entry in listed.bibliography.entries]
    assert read == [
        ("1", "A Title Without Authors"),
        ("Altabaa 2024", "Approximation of relation functions"),
        ("Altabaa 2024 (2)", "Cross-attention. A bias for reasoning"),
        ("Ba 2016", "Layer Normalization"),
        ("Ba 2017", "Graph Representation Learning"),
    ]
    assert listed.bibliography.entries[1].fields["author"] == "Altabaa, Awni and John Q. van der Doe"
    assert listed.bibliography.entries[2].fields["author"] == "Altabaa, Awni and Taylor Webb and John Doe"
    assert listed.share.startswith("4 of 5 references could be read by rules; 1 without")


def test_nothing_is_accused_if_most_of_a_list_could_not_be_read(tmp_path: Path, env: dict[str, str]) -> None:
    wrong = "Roe, A. (2020). A title. arXiv:2206.05056."  # posted in 2022
    unread = ["lorem ipsum 2001 dolor sit amet, consectetur 2002, adipiscing (2003) elit"] * 40
    write_pdf(tmp_path / "a.pdf", ["Text"] * 3 + ["References", wrong, *unread])
    done = texgeist(env, str(tmp_path / "a.pdf"))
    assert done.returncode == 1 and "references could be read" in done.stderr and "suspect" not in done.stdout


def test_a_bbl_of_biblatex_is_read_with_all_fields(tmp_path: Path) -> None:
    (tmp_path / "a.bbl").write_text(
        r"""\datalist[entry]{nyt/global//global/global}
        \entry{doe}{article}{}
          \name{author}{2}{}{%
            {{un=0,hash=AA}{%
               family={Doe}, familyi={D\bibinitperiod},
               given={Jane\bibnamedelima Q.}, giveni={J\bibinitperiod},
               prefix={van\bibnamedelima den}, suffix={Jr.}}}%
            {{hash=BB}{family={{The Team}}}}%
          }
          \list{publisher}{2}{%
            {An Academy}%
            {A {P}ress}%
          }
          \true{moreauthor}
          \field{labelyear}{1999}
          \field{journaltitle}{A Journal}
          \field{title}{A {B}ayesian title}
          \field{year}{2001}
          \field{pages}{7\bibrangedash 9}
          \verb{doi}
          \verb 10.1000/1%2
          \endverb
        \endentry
        \enddatalist
        \entry{doe}{article}{}\field{title}{In another list}\endentry"""
    )
    entry, *others = read_references(tmp_path / "a.bbl").bibliography.entries
    assert not others and (entry.key, entry.type) == ("doe", "article")
    assert dict(entry.fields) == {
        "author": "van den Doe, Jr., Jane Q. and {{The Team}} and others",
        "publisher": "An Academy and A {P}ress",
        "journal": "A Journal",
        "title": "A {B}ayesian title",
        "year": "2001",
        "pages": "7--9",
        "doi": "10.1000/1%2",
    }
