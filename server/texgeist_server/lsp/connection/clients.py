"""The capabilities of the connected editor, read once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, cast

from lsprotocol.types import ClientInfo, InitializeParams, MarkupKind, PositionEncodingKind

from .positions import Units

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
