"""The capabilities of the connected editor, its workspace folders, settings and keys."""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol.types import ClientInfo, InitializeParams, MarkupKind, PositionEncodingKind

from ...config.credentials import Keys, keys_from_environment
from .documents import Units

if TYPE_CHECKING:
    from ...config.settings import Settings


UNITS = ("utf-8", "utf-16", "utf-32")  # an editor may state one in its options: lsp-mode cannot negotiate


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities of the connected editor. Each field is a difference between editors; no field stands
    for a single editor."""

    name: str = ""
    units: Units = "utf-16"
    document_changes: bool = False
    annotations: bool = False  # edits can ask to be confirmed (VS Code's refactor preview)
    progress: bool = False
    own_progress: bool = False  # shows jobs from `texgeist/status` itself, with a cancel button
    show_document: bool = False
    markdown_hover: bool = False
    pulls_configuration: bool = False
    watches_files: bool = False
    lens_refresh: bool = False
    scoped_settings: bool = False  # the manifest keeps machine settings out of workspaces
    messages_with_actions: bool = False
    lists: bool = False  # shows `texgeist/pick` and `texgeist/panel`
    reveals: bool = False  # can scroll to a place without moving the cursor
    buttons: bool = False  # messages with buttons do not block the user
    completes_with_commands: bool = False  # runs the command of an accepted completion
    chooses_papers: bool = False  # has a list of indexes to search, and shows it on request


def client_of(params: InitializeParams) -> Client:
    window, workspace = params.capabilities.window, params.capabilities.workspace
    text = params.capabilities.text_document
    edit = workspace.workspace_edit if workspace else None
    hover = text.hover if text else None
    options = plain(params.initialization_options)
    watched = workspace.did_change_watched_files if workspace else None
    lens = workspace.code_lens if workspace else None
    return Client(
        name=str(options.get("client") or (params.client_info.name if params.client_info else "")),
        units=cast(Units, told) if (told := options.get("units")) in UNITS else units_of(params),
        document_changes=bool(edit and edit.document_changes),
        annotations=bool(edit and edit.change_annotation_support and edit.document_changes),
        progress=bool(window and window.work_done_progress),
        own_progress=bool(options.get("ownProgress", options.get("client") == "vscode")),
        show_document=bool(window and window.show_document and window.show_document.support),
        markdown_hover=bool(hover and MarkupKind.Markdown in (hover.content_format or ())),
        pulls_configuration=bool(workspace and workspace.configuration),
        watches_files=bool(watched and watched.dynamic_registration),
        lens_refresh=bool(lens and lens.refresh_support),
        scoped_settings=options.get("client") == "vscode",
        messages_with_actions=bool(window and window.show_message),
        lists=bool(options.get("lists", options.get("client") == "vscode")),
        reveals=options.get("client") == "vscode",
        buttons=options.get("client") == "vscode",
        chooses_papers=options.get("client") == "vscode",
        completes_with_commands=bool(
            options.get(
                "runsCommands", options.get("client") == "vscode" or _runs_commands(params.client_info)
            )
        ),
    )


def _runs_commands(info: ClientInfo | None) -> bool:
    """Whether the editor is known to run the command of a completion. Eglot, Helix and older Neovims do
    not."""
    name, version = (info.name.lower(), info.version or "") if info else ("", "")
    newer = re.match(r"v?(\d+)\.(\d+)", version)
    return name in ("emacs", "coc.nvim") or bool(
        name == "neovim" and newer and (int(newer[1]), int(newer[2])) >= (0, 11)
    )


def units_of(params: InitializeParams) -> Units:
    """The units that pygls chooses: the first known unit in the client's list, else UTF-16."""
    from pygls.capabilities import ServerCapabilitiesBuilder

    chosen = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
    value = chosen.value if isinstance(chosen, PositionEncodingKind) else str(chosen)
    return cast(Units, value)


def plain(value: Any) -> dict[str, Any]:
    """LSPAny as a dict; an empty dict if the value is not an object."""
    if isinstance(value, dict):
        return value
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    return {}


class Configuration:
    """The settings, keys, trust and folders of a session. They are written on the event loop and read in any
    thread, so values are replaced, never changed. Settings are loaded under a lock at first use, so that
    `initialize` does not wait for pydantic."""

    def __init__(self) -> None:
        self.client = Client()
        self.folders: tuple[Path, ...] = ()
        self.trusted = True
        self.keys: Keys = keys_from_environment()
        self.given: Mapping[str, Any] = {}  # the user's settings, sent by the editor at the start
        self._pulled: Mapping[str, Any] = {}  # settings sent later, or in answer to our request
        self._settings: Settings | None = None
        self._lock = threading.Lock()
        self._problems: list[str] = []  # messages not yet shown
        self._told: set[str] = set()

    @property
    def settings(self) -> Settings:
        with self._lock:
            if self._settings is None:
                self._settings = self._load()
            return self._settings

    async def loaded(self) -> Settings:
        """Loads the settings without blocking the event loop while pydantic is imported."""
        known = self._settings
        return known if known is not None else await asyncio.to_thread(lambda: self.settings)

    def change(self, pulled: Mapping[str, Any]) -> bool:
        """Stores the editor's current settings. Returns whether the project must be read again. Must not be
        called on the event loop, which it would block."""
        with self._lock:
            before = self._settings
            self._pulled = dict(pulled)
            self._settings = self._load()
            return before is not None and _read_by(before) != _read_by(self._settings)

    def new_problems(self) -> list[str]:
        """Messages on refused values; each is returned once."""
        with self._lock:
            new = [problem for problem in dict.fromkeys(self._problems) if problem not in self._told]
            self._told.update(new)
            self._problems = []
            return new

    def root_named(self) -> Path | None:
        """The root document that the settings name; None if they name none."""
        named = self.settings.project.root
        return Path(os.path.normpath(self.folders[0] / named)) if named and self.folders else None

    def folder_of(self, path: Path) -> Path | None:
        """The innermost workspace folder that contains `path`."""
        inside = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(inside, key=lambda folder: len(folder.parts), default=None)

    def project_of(self, path: Path) -> Path:
        """The project's folder (a project runs only one job at a time): the workspace folder that contains
        `path`, else the folder of `path`."""
        return self.folder_of(path) or path.parent

    def _load(self) -> Settings:
        from ...config import user_file

        user, workspace = dict(self.given), dict(self._pulled)
        if self.client.scoped_settings:
            user, workspace = {**user, **workspace}, {}
        settings, problems = user_file.load(user, workspace)
        self._problems += problems
        return settings


def _read_by(settings: Settings) -> tuple[object, ...]:
    """The settings on which the reading of a project depends."""
    return settings.project.root, settings.papers.bibliographies
