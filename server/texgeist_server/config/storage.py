"""Where texgeist keeps its own things on this machine. Nothing of the user's projects is kept here."""

from __future__ import annotations

import os
from pathlib import Path

from texgeist_retrieval.paths import expanded


def data_folder() -> Path:
    """`TEXGEIST_DATA`, else the platform's folder for user data."""
    if named := os.environ.get("TEXGEIST_DATA"):
        return expanded(named)
    from platformdirs import user_data_path

    return user_data_path("texgeist", appauthor=False)


def config_file() -> Path:
    """`TEXGEIST_CONFIG`, else `config.toml` in the platform's folder for settings."""
    if named := os.environ.get("TEXGEIST_CONFIG"):
        return expanded(named)
    from platformdirs import user_config_path

    return user_config_path("texgeist", appauthor=False) / "config.toml"


def model_folder(data: Path) -> Path:
    return data / "model"


def library(data: Path) -> Path:
    """The local index that is used where the settings name no other."""
    return data / "library.db"


def cache_folder(data: Path) -> Path:
    """Metadata and PDFs from arXiv, for this user alone: papers must not be passed on. In the platform's
    folder for caches, which backups leave out; in `data` where the user named that, or where it was before."""
    old = data / "cache"
    if os.environ.get("TEXGEIST_DATA") or data != data_folder() or old.exists():
        return old
    from platformdirs import user_cache_path

    return user_cache_path("texgeist", appauthor=False)


def log_file() -> Path:
    """In the data folder where the user named one, else in the platform's folder for logs."""
    if named := os.environ.get("TEXGEIST_DATA"):
        return expanded(named) / "texgeist.log"
    from platformdirs import user_log_path

    return user_log_path("texgeist", appauthor=False) / "texgeist.log"
