"""Writes the vectors of the sample library that ship with texgeist. Run in a checkout
(`scripts/sample-vectors`) after `examples/library.bib` or the model was changed."""

from __future__ import annotations

import sys
from pathlib import Path

from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.embedding.shipped import STORED, write_shipped
from texgeist_retrieval.index.update import embedded_text
from texgeist_retrieval.sources.admission import admitted
from texgeist_retrieval.sources.records import Record
from texgeist_server.config import storage
from texgeist_server.library.sources.bib_file import BibEntries

LIBRARY = Path(__file__).resolve().parents[2] / "examples" / "library.bib"


def sample_texts() -> list[str]:
    """The text to embed for each sample paper: the same text as when the paper is added to an index."""
    records = BibEntries(LIBRARY, LIBRARY.read_text(encoding="utf-8"))
    return [embedded_text(admitted(item.paper)) for item in records if isinstance(item, Record)]


def main() -> None:
    texts = sample_texts()
    write_shipped(texts, load_embedder(storage.model_folder()).embed_documents(texts))
    sys.stdout.write(f"{len(texts)} vectors in {STORED.name}, {STORED.stat().st_size / 1e3:.0f} KB\n")


if __name__ == "__main__":
    main()
