"""The reference implementation's steps, timed. Runs in an environment of its own, with
`citegeist-arxiv` 0.0.1 and what it imports (Python 3.12):

    python -m venv /tmp/reference && /tmp/reference/bin/pip install --no-deps citegeist-arxiv==0.0.1
    /tmp/reference/bin/pip install numpy scikit-learn PyMuPDF arxiv requests python-dotenv "pymilvus<3"

BERTopic and sentence-transformers are imported by it for their names only, when it is given a model: two
empty modules stand in for them. The addresses that it has built in are led to the local server. Its own
code is not changed. Reads a JSON task from standard input, writes JSON times to standard output.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import time
import types
import zlib
from typing import Any

import numpy as np


def stand_in(name: str, attribute: str) -> None:
    module = types.ModuleType(name)
    setattr(module, attribute, type(attribute, (), {}))
    sys.modules[name] = module


class Encoder:
    """A text's vector is drawn from the text: what a model costs is left out on both sides."""

    def encode(self, texts: Any, **_: Any) -> Any:
        return vector(texts) if isinstance(texts, str) else np.stack([vector(text) for text in texts])


def vector(text: str) -> Any:
    drawn = np.random.default_rng(zlib.crc32(text.encode())).normal(size=768).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


class Index:
    def __init__(self, ids: list[str], seconds: float) -> None:
        self.ids, self.seconds = ids, seconds

    def search(self, limit: int, **_: Any) -> list[list[dict[str, Any]]]:
        time.sleep(self.seconds)
        return [
            [
                {"id": id, "distance": 0.9 - 0.005 * i, "entity": {"embedding": vector(id).tolist()}}
                for i, id in enumerate(self.ids[:limit])
            ]
        ]


class Model:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def get_completion(self, prompt: str, **_: Any) -> str:
        time.sleep(self.seconds)
        return "A. Author0 (2024) shows that."


def main() -> None:
    stand_in("bertopic", "BERTopic")
    stand_in("sentence_transformers", "SentenceTransformer")
    import arxiv
    import requests
    from citegeist.generator import generate_related_work
    from citegeist.utils.filtering import (
        select_diverse_pages_for_top_b_papers,
        select_diverse_papers_with_weighted_similarity,
    )

    task = json.load(sys.stdin)
    address, breadth, depth = task["address"], task["breadth"], task["depth"]
    real = requests.get
    requests.get = lambda url, **more: real(url.replace("https://arxiv.org", address), **more)
    arxiv.Client.query_url_format = address + "/api/query?{}"
    topics = types.SimpleNamespace(embedding_model=types.SimpleNamespace(embedding_model=Encoder()))
    times: dict[str, float] = {}
    silent = contextlib.redirect_stdout(io.StringIO())

    pool = [
        {"id": id, "distance": 0.9 - 0.005 * i, "embedding": vector(id)} for i, id in enumerate(task["ids"])
    ]
    started = time.perf_counter()
    select_diverse_papers_with_weighted_similarity(pool, 3 * breadth, 0.25)
    times["selection"] = time.perf_counter() - started

    texts = [[f"{id} page {n}" for n in range(12)] for id in task["ids"][: 3 * breadth]]
    papers = [[{"text": text, "embedding": vector(text)} for text in pages] for pages in texts]
    started = time.perf_counter()
    # pages are compared as dictionaries that hold arrays, which fails where two have one similarity
    select_diverse_pages_for_top_b_papers(papers, "the abstract", topics, depth, breadth, 0.0)
    times["page steps"] = time.perf_counter() - started

    if task["whole"]:
        os.chdir(tempfile.mkdtemp())  # it writes PDFs to the working folder
        started = time.perf_counter()
        with silent:
            generate_related_work(
                "the abstract", breadth, depth, 0.0, topics, Encoder(), Index(task["ids"], task["search_s"]),
                Model(task["model_s"]), "none",
            )  # fmt: skip
        times["whole"] = time.perf_counter() - started
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
