"""What was read can be written back byte for byte, whatever it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.tex.encodings import decode, encode

PATH = Path("/x.tex")


@given(st.binary(max_size=400))
def test_any_bytes_come_back(data: bytes) -> None:
    source = decode(PATH, data)
    assert encode(source, source.text) == data


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        ("é".encode(), "utf-8", "é"),
        ("é".encode("latin-1"), "cp1252", "é"),
        ("\\usepackage[latin1]{inputenc} é".encode("latin-1"), "latin-1", "\\usepackage[latin1]{inputenc} é"),
        (
            "\\usepackage[ansinew]{inputenc} “é”".encode("cp1252"),
            "cp1252",
            "\\usepackage[ansinew]{inputenc} “é”",
        ),
        (
            "\\usepackage[cp1251]{inputenc} Привет".encode("cp1251"),
            "cp1251",
            "\\usepackage[cp1251]{inputenc} Привет",
        ),
        ("% !TEX encoding = koi8-r\nПривет".encode("koi8-r"), "koi8-r", "% !TEX encoding = koi8-r\nПривет"),
        ("\\usepackage[latin1]{inputenc} é".encode(), "utf-8", "\\usepackage[latin1]{inputenc} é"),
        (b"\x81\x8d\xff", "latin-1", "\x81\x8d\xff"),
        ("\ufeffé".encode(), "utf-8", "é"),
        ("é".encode("utf-16"), "utf-16-le", "é"),
    ],
)
def test_encoding_by_trial_and_declaration(data: bytes, encoding: str, text: str) -> None:
    source = decode(PATH, data)
    assert (source.encoding, source.text) == (encoding, text)
    assert encode(source, source.text) == data


def test_included_latin1_files_and_their_offsets(tmp_path: Path) -> None:
    main = "\\documentclass{article}\\usepackage[latin1]{inputenc}\r\n\\begin{document}\r\n\\input{a}\r\n\\end{document}\r\n"
    (tmp_path / "main.tex").write_bytes(main.encode())
    (tmp_path / "a.tex").write_bytes("\\section{Éa}\r\nVoilà \\cite{é}.\r\n".encode("latin-1"))
    draft = read_draft(tmp_path / "main.tex", workspace=tmp_path, programs=False)
    (citation,) = draft.citations
    source = draft.sources[tmp_path / "a.tex"]
    assert source.text[citation.span.start : citation.span.end] == "é"
    assert (source.encoding, source.newline, citation.line) == ("cp1252", "\r\n", 2)
    assert draft.headings[0].title == "Éa"


@pytest.mark.parametrize(
    "declared",
    ["undefined", "idna", "punycode", "hex", "rot13", "utf-7", "shift_jis", "gb18030", "hz", "utf-16"],
)
def test_an_odd_declaration_loses_no_byte(declared: str) -> None:
    """Some codecs raise errors of their own, some give a text that they do not turn back into the bytes."""
    data = f"\\usepackage[{declared}]{{inputenc}} ".encode() + bytes(range(32, 256)) + b"\x81\x5c ~{A+AGEA-"
    source = decode(PATH, data)
    assert encode(source, source.text) == data
