"""Language models in GGUF files: lists the models that texgeist offers, fetches them, and chooses a file."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from ..errors import ModelCorrupt, ModelMissing, WriterDenied
from ..ports import Monitor


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """A file of the model hub, with the SHA-256 that the hub publishes for it."""

    name: str
    repository: str
    file: str
    size: int  # bytes
    sha256: str
    licence: str
    memory: int  # gigabytes of memory that make it the default; 0: never the default
    threads: int = 1  # threads that make it the default: with fewer, a sentence takes minutes


PUBLISHED = (
    PublishedModel(
        "qwen2.5-7b",
        "bartowski/Qwen2.5-7B-Instruct-GGUF",
        "Qwen2.5-7B-Instruct-Q4_K_M.gguf",
        4_683_074_240,
        "65b8fcd92af6b4fefa935c625d1ac27ea29dcb6ee14589c55a8f115ceaaa1423",
        "Apache-2.0",
        memory=15,
        threads=8,
    ),
    PublishedModel(
        "qwen2.5-1.5b",
        "Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        "qwen2.5-1.5b-instruct-q4_k_m.gguf",
        1_117_320_736,
        "6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e",
        "Apache-2.0",
        memory=1,
    ),
)
_FETCH = "`texgeist model fetch writer` fetches one; or use the extractive writer."


def published(name: str) -> PublishedModel:
    """The model of this name; for "", the largest model that suits the machine. Raises `ModelMissing`."""
    threads, memory = os.cpu_count() or 1, _gigabytes()
    fitting = [model for model in PUBLISHED if 0 < model.memory <= memory and model.threads <= threads]
    for model in PUBLISHED if name else fitting or PUBLISHED[1:]:
        if name in ("", model.name):
            return model
    raise ModelMissing(
        f"texgeist knows no model {name}.",
        f"It knows {', '.join(model.name for model in PUBLISHED)}; `--from FILE` takes any other.",
    )


def _gigabytes() -> float:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
    except (AttributeError, ValueError, OSError):
        return 0.0


def fetch(model: PublishedModel, folder: Path, monitor: Monitor, *, force: bool = False) -> Path:
    """Fetches the model into `folder`; returns at once if it is there. An interrupted fetch continues where it
    stopped. Raises `ModelMissing` and `ModelCorrupt`."""
    from ..embedding.downloads import HubUnavailable, download_from_hub
    from ..embedding.fetch import fetching

    target = folder / f"{model.name}.gguf"
    part = folder / f"{model.name}.download"
    folder.mkdir(parents=True, exist_ok=True)
    with fetching(folder, monitor):
        if target.exists() and not force:
            return target
        _check_room(model, folder, Path(f"{part}.part"))
        try:
            download_from_hub(model.file, part, monitor, model.repository, model.size)
        except HubUnavailable as error:
            raise ModelMissing(
                f"The model hub did not send {model.name}: {error}.",
                "Try again: it continues where it stopped. If you have the file from elsewhere: "
                "`texgeist model fetch writer --from FILE`.",
            ) from error
        monitor.report("Checking the model's hash")
        if _hash(part) != model.sha256:
            part.unlink()
            raise ModelCorrupt(
                f"The file that the hub sent is not the published {model.name}: its SHA-256 does not agree.",
                "It was deleted. Try again later or from another network.",
            )
        part.replace(target)
    return target


def _check_room(model: PublishedModel, folder: Path, part: Path) -> None:
    missing = model.size - (part.stat().st_size if part.exists() else 0)
    if (free := shutil.disk_usage(folder).free) < missing + 100_000_000:
        raise ModelMissing(
            f"{model.name} needs {missing / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free.",
            f"Free space on the disk of {folder}, or name another folder in TEXGEIST_DATA.",
        )


def _hash(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def adopt(file: Path, folder: Path) -> Path:
    """Adds a GGUF file of this machine to `folder`, as a hard link if possible, else as a copy. Raises
    `ModelMissing` and `ModelCorrupt`."""
    try:
        with file.open("rb") as opened:
            is_gguf = opened.read(4) == b"GGUF"
        if not is_gguf:
            raise ModelCorrupt(f"{file} is no GGUF file.", "Name a file whose name ends with .gguf.")
        target = folder / f"{file.stem}.gguf"
        folder.mkdir(parents=True, exist_ok=True)
        if target.exists() and target.samefile(file):
            return target
        target.unlink(missing_ok=True)
        try:
            os.link(file.resolve(), target)
        except OSError:
            shutil.copyfile(file, target)
    except OSError as error:
        raise ModelMissing(f"{file} cannot be copied: {error.strerror}.", "Check the path.") from error
    return target


def models_in(folder: Path) -> list[Path]:
    """The model files in `folder`, the largest first."""
    return sorted(folder.glob("*.gguf"), key=lambda file: file.stat().st_size, reverse=True)


def chosen_file(name: str, folder: Path) -> Path:
    """The file of the model `name`; for "", the largest file. Raises `WriterDenied`."""
    present = models_in(folder)
    for file in present:
        if name in ("", file.stem):
            return file
    if not present:
        raise WriterDenied("The local writer has no model on this machine yet.", _FETCH)
    have = ", ".join(file.stem for file in present)
    raise WriterDenied(
        f"The local writer has no model {name}; it has {have}.",
        f"Set `writer.model` to one of these. {_FETCH}",
    )
