"""Folders for texgeist's files, addresses of the public registries, and logging. Nothing from the user's
projects is stored."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from pathlib import Path

from texgeist_retrieval.paths import expanded


def data_folder() -> Path:
    """The folder for texgeist's files: `TEXGEIST_DATA`, else the platform's folder for user data."""
    if named := os.environ.get("TEXGEIST_DATA"):
        return expanded(named)
    from platformdirs import user_data_path

    return user_data_path("texgeist", appauthor=False)


def config_file() -> Path:
    """The user's settings file: `TEXGEIST_CONFIG`, else `config.toml` in the platform's folder for
    settings."""
    if named := os.environ.get("TEXGEIST_CONFIG"):
        return expanded(named)
    from platformdirs import user_config_path

    return user_config_path("texgeist", appauthor=False) / "config.toml"


def model_folder() -> Path:
    return data_folder() / "model"


def writer_models() -> Path:
    """The folder for the language models that texgeist itself runs, as GGUF files."""
    return data_folder() / "writers"


def library() -> Path:
    """The path of the user's library, the index that is used by default."""
    return data_folder() / "library.db"


def discoveries() -> Path:
    return data_folder() / "discovered"


def discovered(project: str) -> Path:
    """The file with the papers discovered for a draft (see `Query.project`)."""
    return discoveries() / f"{hashlib.sha256(project.encode()).hexdigest()[:24]}.sqlite"


def cache_folder() -> Path:
    """The folder for metadata and PDFs from arXiv, only for this user, because papers must not be
    redistributed: `cache` in the data folder that the user set, else the platform's cache folder, which backups
    skip."""
    if named := os.environ.get("TEXGEIST_DATA"):
        return expanded(named) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("texgeist", appauthor=False)


def log_file() -> Path:
    """The log file: in the data folder if the user set that folder, else in the platform's folder for
    logs."""
    if named := os.environ.get("TEXGEIST_DATA"):
        return expanded(named) / "texgeist.log"
    from platformdirs import user_log_path

    return user_log_path("texgeist", appauthor=False) / "texgeist.log"


_PUBLIC = {
    "arxiv": "https://export.arxiv.org",
    "crossref": "https://api.crossref.org",
    "openalex": "https://api.openalex.org",
}


def service_address(name: str) -> str:
    """The address of a registry or literature service: `TEXGEIST_<NAME>_ADDRESS`, else the public address; ""
    if the service's own module knows it."""
    return os.environ.get(f"TEXGEIST_{name.upper()}_ADDRESS") or _PUBLIC.get(name, "")


def model_ports() -> dict[str, int]:
    """The loopback ports on which texgeist looks for model servers, by the name of the server.
    `TEXGEIST_MODEL_PORTS`: "Ollama=1, vLLM=2"."""
    from texgeist_retrieval.models.nearby import PORTS

    if (given := os.environ.get("TEXGEIST_MODEL_PORTS")) is None:
        return PORTS
    pairs = (each.split("=") for each in given.split(",") if "=" in each)
    return {name.strip(): int(port) for name, port in pairs if name.strip() in PORTS}


def arxiv_pause() -> float:
    """The pause between requests to arXiv, in seconds."""
    return float(os.environ.get("TEXGEIST_ARXIV_PAUSE") or 3.0)


LINES = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
MOST_BYTES, OLDER = 1_000_000, 2


def log_to_file(verbose: bool = False) -> None:
    """Logs to the file and, with `verbose`, to standard error. Works without a file if none can be written."""
    from logging.handlers import RotatingFileHandler

    from texgeist_retrieval.errors import RetrievalError

    ours = [logging.getLogger(name) for name in ("texgeist_server", "texgeist_retrieval", "texgeist_latex")]
    for logger in ours:
        logger.setLevel(logging.DEBUG if verbose else logging.INFO)
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)] if verbose else []
    try:
        log_file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = RotatingFileHandler(
            log_file(), maxBytes=MOST_BYTES, backupCount=OLDER, encoding="utf-8", delay=True
        )
    except (OSError, RetrievalError):  # code that needs the folder reports the error
        kept = None
    for handler in [*handlers, *([kept] if kept else [])]:
        handler.setFormatter(logging.Formatter(LINES))
        for logger in ours:
            logger.addHandler(handler)
    for logger in ours:
        logger.propagate = logger.propagate and not verbose
