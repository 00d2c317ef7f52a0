"""Decodes and encodes files so that unchanged text is written back byte by byte.

UTF-8 is tried first, because many files were converted to UTF-8 and still declare their old encoding; then
the declared encoding, cp1252, and finally latin-1, which accepts all bytes.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from ..types import SourceFile

_DECLARED = re.compile(
    rb"\\usepackage\s*\[([^\]\n]{1,40})\]\s*\{inputenc\}|%\s*!TEX\s+encoding\s*=\s*([A-Za-z0-9 _-]{1,40})",
    re.I,
)
_PYTHON_NAMES = {  # of encodings that Python knows under other names, or not completely
    "latin1": "latin-1", "isolatin1": "latin-1", "isolatin": "latin-1", "windowslatin1": "cp1252", "ansinew": "cp1252",
    "applemac": "mac-roman", "macosroman": "mac-roman", "gbk": "gb18030",
}  # fmt: skip
_FAITHFUL = ("utf-8", "cp1252", "latin-1")  # text decoded with these is encoded to the same bytes
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def decode(path: Path, data: bytes) -> SourceFile:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            try:
                text = data[len(bom) :].decode(encoding)
            except UnicodeDecodeError:
                break
            return SourceFile(path, text, encoding, True, _newline(text))
    for encoding in ("utf-8", declared_encoding(data), "cp1252"):
        try:
            if encoding:
                text = data.decode(encoding)
                if encoding in _FAITHFUL or text.encode(encoding) == data:
                    return SourceFile(path, text, encoding, False, _newline(text))
        except (UnicodeError, LookupError):
            continue
    text = data.decode("latin-1")
    return SourceFile(path, text, "latin-1", False, _newline(text))


def encode(source: SourceFile, text: str) -> bytes:
    """Encodes text in the file's encoding. Raises UnicodeEncodeError if the encoding lacks a character."""
    bom = next((bom for bom, encoding in _BOMS if source.bom and encoding == source.encoding), b"")
    return bom + text.encode(source.encoding)


def declared_encoding(data: bytes) -> str:
    """Python's name of the encoding declared by inputenc or a magic comment; "" if there is none."""
    match = _DECLARED.search(data[:20_000])
    if not match:
        return ""
    name = (match[1] or match[2]).decode("ascii", "ignore").strip().lower().replace(" ", "")
    name = name.split(",")[-1]
    encoding = _PYTHON_NAMES.get(name, name)
    try:
        codecs.lookup(encoding)
    except LookupError:
        return ""
    return "" if encoding in ("utf8", "utf-8", "utf8x") else encoding


def _newline(text: str) -> str:
    crlf = text.count("\r\n")
    bare = text.count("\n") - crlf
    if crlf > bare:
        return "\r\n"
    return "\r" if not bare and not crlf and "\r" in text else "\n"
