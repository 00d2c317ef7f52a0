"""A snapshot: memory-mapped files with all passages of an index, their words and vectors, for searches within
milliseconds.

Milvus Lite reads every row in Python at each search (54 ms at 100,000 rows), and cannot search the words of
whole papers. A snapshot is built from the texts in the index, and rebuilt after the index has changed. The
vectors of passages are stored only here (`passage_vectors`), and copied into a rebuilt snapshot.

    about.json        stamp of the index, model of the abstracts, papers
    abstracts.npy     float32 [papers, dimension]: the vectors of the index of abstracts
    vectors/          see `passage_vectors`
    paper, section, place, page .npy   [passages]: row of the paper in `about`, number of the type, …
    texts.bin, headings.bin, with offsets .npy
    WHAT.words.txt, .starts/.rows/.weights .npy   BM25 of passages, whole papers, titles with abstracts, titles"""

from __future__ import annotations

import glob
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ..ports import Monitor
from ..ranking.bm25 import Bm25
from ..sources.admission import NotAdmitted, admit
from ..types import Matrix, Paper, Passage, SectionType, Vector
from .full_texts import SECTIONS
from .hashes import updating
from .passage_vectors import PassageVectors, carry_over, load_vectors, mapped

FORMAT = 2
ABOUT = "about.json"
PASSAGES, WHOLE, ABSTRACTS, TITLES = "passages", "papers", "abstracts", "titles"
PapersOf = Callable[[Sequence[str]], Mapping[str, tuple[Paper, Vector]]]


@dataclass(frozen=True)
class Snapshot:
    """`paper` (row in `papers`), `section` (index into `kinds`), `place` and `page` have a value for each
    passage. The passages of a paper are consecutive and in order."""

    stamp: str
    model: str  # the model that embedded the abstracts
    papers: tuple[Paper, ...]
    abstracts: Matrix
    paper: NDArray[np.int32]
    section: NDArray[np.int8]
    place: NDArray[np.int32]
    page: NDArray[np.int32]
    texts: Texts
    headings: Texts
    by_passage: Bm25
    by_paper: Bm25
    by_abstract: Bm25
    by_title: Bm25
    vectors: PassageVectors | None = None  # None: nothing is embedded yet

    @property
    def kinds(self) -> tuple[SectionType, ...]:
        """The section types; `section` contains indices into them."""
        return SECTIONS

    @cached_property
    def years(self) -> NDArray[np.int32]:
        """Publication year of each paper, 0 if unknown."""
        return np.array([paper.year or 0 for paper in self.papers], np.int32)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The row of each paper's first passage."""
        return np.searchsorted(self.paper, np.arange(len(self.papers)))

    def rows_of(self, paper: int) -> tuple[int, int]:
        """The range of a paper's passages: first row, and the row after the last."""
        ends = [*self.starts[paper + 1 : paper + 2], len(self.paper)]
        return int(self.starts[paper]), int(ends[0])

    def vectors_by(self, model: str) -> PassageVectors | None:
        """The vectors of passages that `model` made; None if there are none."""
        return self.vectors if self.vectors and self.vectors.model == model else None

    @cached_property
    def rows_by_id(self) -> Mapping[str, int]:
        """The row of each paper in `papers`, by id."""
        return {paper.id: row for row, paper in enumerate(self.papers)}

    def passage(self, row: int) -> Passage:
        page = int(self.page[row])
        embedded = self.vectors is not None and bool(self.vectors.done[row])
        return Passage(
            self.papers[self.paper[row]].id,
            page or None,
            self.texts[row],
            np.asarray(self.vectors.rows[row]) if self.vectors is not None and embedded else None,
            SECTIONS[self.section[row]],
            self.headings[row],
            int(self.place[row]),
        )


class Texts:
    """Many texts in one file, read on access."""

    def __init__(self, data: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        self._data, self._ends = data, ends

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, row: int) -> str:
        start = int(self._ends[row - 1]) if row else 0
        return self._data[start : int(self._ends[row])].tobytes().decode()


def build(
    folder: Path,
    stamp: str,
    model: str,
    passages: Iterable[Passage],
    papers_of: PapersOf,
    monitor: Monitor,
) -> None:
    """Writes a snapshot to `folder`, replacing the existing one; other programs that build it wait meanwhile.
    `papers_of` returns, by id, papers and the vectors of their abstracts, made by `model`. Passages of papers
    that it does not return are left out."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with updating(folder, monitor) as monitor:
        for left in folder.parent.glob(f"{glob.escape(folder.name)}.*part"):  # left by crashed programs
            shutil.rmtree(left, ignore_errors=True)
        part = folder.with_name(f"{folder.name}.{uuid4().hex}.part")
        part.mkdir(0o700)  # may contain the user's full papers
        try:
            papers = [asdict(paper) for paper in _write(part, folder, passages, papers_of, monitor)]
            about = {"format": FORMAT, "stamp": stamp, "model": model, "papers": papers}
            (part / ABOUT).write_text(json.dumps(about, ensure_ascii=False), "utf-8")
            shutil.rmtree(folder, ignore_errors=True)
            part.rename(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _write(
    part: Path, old: Path, passages: Iterable[Passage], papers_of: PapersOf, monitor: Monitor
) -> list[Paper]:
    """Writes all files except `about.json`; returns the papers in order. `old`: the folder of the previous
    snapshot, from which vectors are copied."""
    monitor.report("Reading the passages")
    read = [*passages]
    known = papers_of(sorted({passage.paper_id for passage in read}))
    held = sorted((p for p in read if p.paper_id in known), key=lambda p: (p.paper_id, p.place))
    del read
    monitor.check()
    ids = list(dict.fromkeys(passage.paper_id for passage in held))
    rows = {id_: row for row, id_ in enumerate(ids)}
    papers = [known[id_][0] for id_ in ids]
    vectors = [known[id_][1] for id_ in ids]
    np.save(part / "abstracts.npy", np.stack(vectors) if vectors else np.zeros((0, 0), np.float32))
    np.save(part / "paper.npy", np.array([rows[p.paper_id] for p in held], np.int32))
    np.save(part / "section.npy", np.array([SECTIONS.index(p.section or "other") for p in held], np.int8))
    np.save(part / "place.npy", np.array([p.place for p in held], np.int32))
    np.save(part / "page.npy", np.array([p.page or 0 for p in held], np.int32))
    _save_texts(part / "texts", [p.text for p in held])
    _save_texts(part / "headings", [p.heading for p in held])
    monitor.report("Counting the words of the passages")
    _save_words(part / PASSAGES, [p.text for p in held])
    monitor.check()
    whole: dict[str, list[str]] = {id_: [] for id_ in ids}
    for passage in held:
        whole[passage.paper_id].append(passage.text)
    _save_words(part / WHOLE, [" ".join(texts) for texts in whole.values()])
    _save_words(part / ABSTRACTS, [f"{paper.title} {paper.abstract}" for paper in papers])
    _save_words(part / TITLES, [paper.title for paper in papers])
    if (before := load(old)) is not None and before.vectors is not None:
        carry_over(before.vectors, before.texts.__getitem__, part, [p.text for p in held], len(ids))
    return papers


def load(folder: Path) -> Snapshot | None:
    """The snapshot in `folder`; None if it cannot be read."""
    try:
        about = json.loads((folder / ABOUT).read_text("utf-8"))
        if about["format"] != FORMAT:
            return None
        return Snapshot(
            about["stamp"],
            about["model"],
            tuple(admit(paper) for paper in about["papers"]),
            mapped(folder / "abstracts.npy", "r"),
            np.load(folder / "paper.npy"),
            np.load(folder / "section.npy"),
            np.load(folder / "place.npy"),
            np.load(folder / "page.npy"),
            _texts(folder, "texts"),
            _texts(folder, "headings"),
            _words(folder, PASSAGES),
            _words(folder, WHOLE),
            _words(folder, ABSTRACTS),
            _words(folder, TITLES),
            load_vectors(folder),
        )
    except (OSError, EOFError, ValueError, KeyError, TypeError, NotAdmitted):
        return None


def stamp_of(folder: Path) -> str:
    """The stamp of the snapshot in `folder`, "" if there is none."""
    try:
        about = json.loads((folder / ABOUT).read_text("utf-8"))
        return str(about["stamp"]) if about["format"] == FORMAT else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _save_texts(path: Path, texts: Sequence[str]) -> None:
    data = [text.encode() for text in texts]
    path.with_suffix(".bin").write_bytes(b"".join(data))
    np.save(path.with_suffix(".npy"), np.cumsum([len(one) for one in data], dtype=np.int64))


def _texts(folder: Path, name: str) -> Texts:
    path = folder / f"{name}.bin"
    data = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.zeros(0, np.uint8)
    return Texts(data, np.load(folder / f"{name}.npy"))


def _save_words(path: Path, texts: Sequence[str]) -> None:
    built = Bm25.build(texts)
    path.with_suffix(".words.txt").write_text("\n".join(built.vocabulary), "utf-8")
    for name in ("starts", "rows", "weights"):
        np.save(path.with_suffix(f".{name}.npy"), getattr(built, name))


def _words(folder: Path, name: str) -> Bm25:
    words = (folder / f"{name}.words.txt").read_text("utf-8").split()
    starts = np.load(folder / f"{name}.starts.npy")
    texts = len(np.load(folder / "paper.npy", mmap_mode="r")) if name == PASSAGES else 0
    if name != PASSAGES:
        texts = len(json.loads((folder / ABOUT).read_text("utf-8"))["papers"])
    vocabulary = {word: number for number, word in enumerate(words)}
    rows, weights = (mapped(folder / f"{name}.{part}.npy", "r") for part in ("rows", "weights"))
    return Bm25(vocabulary, starts, rows, weights, texts)
