"""PDFs that unfold: the reader's memory is bounded, and the next PDF is read."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import zlib
from pathlib import Path

import pytest
from texgeist_retrieval.errors import PaperUnreadable
from texgeist_retrieval.fulltext.extract import MOST_MEMORY
from texgeist_retrieval.fulltext.pdf import PdfProcess
from texgeist_retrieval.monitor import SILENT

MB = 2**20


def folded(words: bytes, repeated: int, times: int) -> bytes:
    """A PDF of one page with these words over and over, compressed so many times. The words are compressed in
    pieces, so that this process does not hold a gigabyte."""
    packer, piece = zlib.compressobj(9), words * min(repeated, 10_000)
    content = b"".join(packer.compress(piece) for _ in range(max(repeated // 10_000, 1))) + packer.flush()
    for _ in range(times - 1):
        content = zlib.compress(content, 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d/Filter[%s]>>stream\n%s\nendstream" % (len(content), b"/FlateDecode " * times, content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    whole, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(whole)
    whole += b"xref\n0 6\n0000000000 65535 f \n" + table
    return whole + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start


def most_memory(reader: PdfProcess, found: list[int], done: threading.Event) -> None:
    status = Path(f"/proc/{reader._process.pid}/status")
    while not done.is_set():
        with contextlib.suppress(OSError):
            lines = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
            found += [int(line.split()[1]) * 1024 for line in lines]
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the system's own account of memory")
@pytest.mark.parametrize(
    ("words", "repeated", "times"),
    [(b"q ", 150_000_000, 2), (b"\0", 2**30, 2), (b"BT /F 12 Tf (aaaaaaaa) Tj ET ", 3_000_000, 1)],
    ids=["states", "zeros", "letters"],
)
def test_a_pdf_that_unfolds_takes_no_more_than_the_bound(words: bytes, repeated: int, times: int) -> None:
    data = folded(words, repeated, times)
    assert len(data) < 400_000
    found, done, reader = [0], threading.Event(), PdfProcess()
    watcher = threading.Thread(target=most_memory, args=(reader, found, done))
    watcher.start()
    try:
        with contextlib.suppress(PaperUnreadable):
            reader.ask(data, SILENT, 30.0)
    finally:
        done.set()
        watcher.join()
        reader.end()
    assert 20 * MB < max(found) <= MOST_MEMORY


def test_a_large_paper_is_still_read() -> None:
    """The largest file that is fetched, most of it pictures that nobody looks at."""
    from texgeist_retrieval.fulltext.pdf import extract

    plain = folded(b"BT /F 12 Tf 50 700 Td (A paper of words.) Tj ET", 1, 1)
    data = plain.replace(b"%PDF-1.7\n", b"%PDF-1.7\n%" + b"x" * 60 * MB + b"\n", 1)
    assert extract(data).pages[0].strip() == "A paper of words."
