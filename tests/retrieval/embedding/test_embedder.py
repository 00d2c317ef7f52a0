"""The embedder: the same vectors as sentence-transformers, without torch."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.embedding import GRAPH, TOKENIZER, load_embedder
from texgeist_retrieval.embedding.export import export_eight_bit, export_mpnet
from texgeist_retrieval.embedding.fetch import EIGHT_BIT, WEIGHTS
from texgeist_retrieval.embedding.onnx import PACKED_AFTER, OnnxEmbedder
from texgeist_retrieval.ports import Embedder

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def embedder(model_folder: Path) -> Embedder:
    return load_embedder(model_folder)


@pytest.fixture(scope="module")
def graphs(original: Path) -> Iterator[Path]:
    """A folder with the exact graph, the graph with 8-bit weights, and the tokenizer."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / TOKENIZER).symlink_to(original / TOKENIZER)
        export_mpnet(original / WEIGHTS, folder / GRAPH)
        export_eight_bit(folder / GRAPH, folder / EIGHT_BIT)
        yield folder


def real_abstracts(shared_data: Path, count: int) -> list[str]:
    """Abstracts of all fields. Mostly short ones, so that the test stays short; twenty of middling length,
    and the ten longest there are, of which some are cut off at 384 tokens."""
    with gzip.open(shared_data / "arxiv" / "records.jsonl.gz", "rt", encoding="utf-8") as lines:
        all_of_them = sorted((json.loads(line)["abstract"] for line in lines), key=len)
    middle = len(all_of_them) // 2
    return (
        all_of_them[100 : 6 * count : 6][: count - 30] + all_of_them[middle : middle + 20] + all_of_them[-10:]
    )


EMBED = """
import json, sys
from pathlib import Path
import numpy as np
from texgeist_retrieval.embedding.onnx import OnnxEmbedder
from texgeist_retrieval.embedding.torch import SentenceTransformersEmbedder
how, folder, out = sys.argv[1:]
by_torch = how == "torch"
embedder = SentenceTransformersEmbedder(folder, device="cpu") if by_torch else OnnxEmbedder(Path(folder), eight_bit=True)
texts = json.load(sys.stdin)
np.save(out, np.vstack([embedder.embed_documents(texts), embedder.embed_documents([]), embedder.embed_query(texts[0])]))
print(embedder.name, embedder.dimension)
"""


def embedded_elsewhere(how: str, folder: Path, texts: list[str], out: Path) -> np.ndarray[Any, Any]:
    """By another process, which gives the memory of its model back (torch and the exact model together take 2.3 GB);
    the first text once more at the end, as a query."""
    done = subprocess.run(
        [sys.executable, "-c", EMBED, how, str(folder), str(out)],
        input=json.dumps(texts), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["all-mpnet-base-v2", "768"]
    rows = np.load(out)
    assert len(rows) == len(texts) + 1 and np.allclose(rows[0], rows[-1], atol=1e-4)
    return rows[:-1]


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_the_vectors_are_those_of_sentence_transformers(
    graphs: Path, original: Path, shared_data: Path, tmp_path: Path
) -> None:
    abstracts = real_abstracts(shared_data, 80)
    theirs = embedded_elsewhere("torch", original, abstracts, tmp_path / "theirs.npy")
    cosines = np.sum(theirs * OnnxEmbedder(graphs / GRAPH).embed_documents(abstracts), axis=1)
    assert len(cosines) == 80
    assert cosines.min() >= 0.9999, f"abstract {cosines.argmin()}: {cosines.min()}"


@pytest.mark.parametrize(("graph", "least"), [(GRAPH, 0.999999), (EIGHT_BIT, 0.999)])
def test_rows_come_back_in_the_order_given(graphs: Path, graph: str, least: float) -> None:
    """Batches are sorted by length inside; padding must not leak into a vector."""
    embedder = OnnxEmbedder(graphs / graph, eight_bit=graph == EIGHT_BIT)
    texts = ["word " * length for length in (40, 1, 90, 3, 60, 2, 10)] + ["", "Ünïcødé ∑ 漢字"]
    together = embedder.embed_documents(texts)
    alone = np.stack([embedder.embed_query(text) for text in texts])
    assert np.sum(together * alone, axis=1).min() > least
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert together.dtype == np.float32


def test_what_is_beyond_the_models_length_is_cut(embedder: Embedder) -> None:
    text = "retrieval " * 500
    assert np.allclose(embedder.embed_query(text), embedder.embed_query(text + "tail " * 500), atol=1e-6)


def test_eight_bits_stay_near(graphs: Path, shared_data: Path, tmp_path: Path) -> None:
    abstracts = real_abstracts(shared_data, 80)[::4]
    fast = embedded_elsewhere("fast", graphs / EIGHT_BIT, abstracts, tmp_path / "fast.npy")
    exact = OnnxEmbedder(graphs / GRAPH).embed_documents(abstracts)
    assert np.sum(exact * fast, axis=1).min() > 0.999


def test_neither_torch_nor_transformers_is_imported(model_folder: Path) -> None:
    """The base install has none of them, and importing them takes seconds."""
    program = (
        "import sys; from pathlib import Path; from texgeist_retrieval.embedding import load_embedder\n"
        "load_embedder(Path(sys.argv[1])).embed_query('x')\n"
        "print([m for m in ('torch', 'transformers', 'sentence_transformers', 'onnx', 'pandas', 'pymilvus')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(model_folder)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_query_does_not_copy_the_weights(model_folder: Path) -> None:
    program = (
        "import re, sys; from pathlib import Path; from texgeist_retrieval.embedding import load_embedder\n"
        "load_embedder(Path(sys.argv[1])).embed_query('x')\n"
        "print(re.search(r'Anonymous: +([0-9]+)', Path('/proc/self/smaps_rollup').read_text())[1])"
    )
    load_embedder(model_folder)  # writes the references on first use
    command = [sys.executable, "-c", program, str(model_folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 200_000  # KB; the weights have 435 MB


def test_vectors_stay_equal_when_the_weights_are_packed(graphs: Path) -> None:
    embedder = OnnxEmbedder(graphs / GRAPH)
    before = embedder.embed_query("A text.")
    embedder.embed_documents(["word"] * (PACKED_AFTER + 1))
    assert np.allclose(embedder.embed_query("A text."), before, atol=1e-5)
