"""An editor over the real server process: pytest-lsp's client, with documents that edits are applied to.

Profiles are the clients that texgeist is made for, by what they advertise; what they do differently
(`../shared/recipes/editors`) is done here too.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, Union

from lsprotocol import types as lsp
from pygls.protocol import default_converter
from pygls.uris import from_fs_path, to_fs_path
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features
from texgeist_server.lsp.connection.documents import Lines, Units

T = TypeVar("T")
SERVER = [sys.executable, "-P", "-m", "texgeist_server", "lsp"]


@dataclass(frozen=True)
class Profile:
    capabilities: Callable[[], lsp.ClientCapabilities]
    units: Units = "utf-16"
    checks_versions: bool = True
    options: dict[str, Any] = field(default_factory=dict)
    info: lsp.ClientInfo | None = None


def _vscode() -> lsp.ClientCapabilities:
    capabilities = client_capabilities("visual_studio_code")
    assert capabilities.window
    capabilities.window.show_document = lsp.ShowDocumentClientCapabilities(support=True)
    return capabilities


def _neovim11() -> lsp.ClientCapabilities:
    capabilities = client_capabilities("neovim@0.11")
    assert capabilities.workspace and capabilities.workspace.workspace_edit and capabilities.general
    capabilities.workspace.workspace_edit.document_changes = None
    capabilities.general.position_encodings = [
        lsp.PositionEncodingKind.Utf8,
        lsp.PositionEncodingKind.Utf16,
    ]
    return capabilities


def _neovim07() -> lsp.ClientCapabilities:
    return client_capabilities("neovim@0.7")


def _eglot() -> lsp.ClientCapabilities:
    capabilities = client_capabilities("emacs")
    assert capabilities.workspace and capabilities.workspace.workspace_edit
    capabilities.workspace.workspace_edit.document_changes = True
    if capabilities.window:
        capabilities.window.work_done_progress = None
        capabilities.window.show_document = None
    return capabilities


PROFILES = {
    "vscode": Profile(_vscode, options={"client": "vscode", "ownProgress": False}),
    "neovim-0.11": Profile(
        _neovim11, units="utf-8", checks_versions=False, info=lsp.ClientInfo("Neovim", "0.11.2")
    ),
    "neovim-0.7": Profile(_neovim07, checks_versions=False, info=lsp.ClientInfo("Neovim", "0.7.2")),
    "eglot": Profile(_eglot),
}


class Editor:
    """Open documents by path, as text; `refuse` makes it turn the next edit down."""

    def __init__(self, client: LanguageClient, profile: Profile) -> None:
        self.client = client
        self.profile = profile
        self.texts: dict[Path, str] = {}
        self.versions: dict[Path, int] = {}
        self.edits: list[lsp.WorkspaceEdit] = []
        self.messages = client.messages
        self.statuses: list[Any] = []
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()
        self.before_edit: Callable[[], None] = lambda: None
        self.refuse = False
        self.unticks: Callable[[lsp.WorkspaceEdit, lsp.TextEdit], bool] = lambda whole, edit: False
        self.questions: list[str] = []
        self.picks = ""  # the answer to questions that have it
        client.feature(lsp.WORKSPACE_APPLY_EDIT)(lambda params: self._apply_edit(params))
        client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(lambda params: self._asked(params))
        client.feature("texgeist/status")(lambda params: self.statuses.append(plain(params)))
        self.picks_first = 3  # papers of a list
        self.lists: list[Any] = []
        self._answers: set[Any] = set()
        self.panels: list[Any] = []
        client.feature("texgeist/pick")(lambda params: self._listed(plain(params)))
        client.feature("texgeist/panel")(lambda params: self.panels.append(plain(params)))
        client.feature("texgeist/problem")(lambda params: self._problem(plain(params)))
        self.mends: list[str] = []  # commands of the buttons beside errors
        self.choose_papers: Callable[[], bool] = lambda: False  # what the client's own list does
        client.feature("texgeist/choosePapers")(lambda params: self.choose_papers())
        client.feature("texgeist/reveal")(lambda params: None)
        client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)(lambda params: None)
        client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda params: None)

    def _problem(self, given: Any) -> None:
        self.messages.append(lsp.ShowMessageParams(lsp.MessageType.Error, given["message"]))
        self.mends += [one["command"] for one in given["mends"]]

    def open(self, path: Path) -> str:
        self.texts[path] = path.read_bytes().decode()
        self.versions[path] = 1
        uri = self.uri(path)
        item = lsp.TextDocumentItem(uri, "latex", 1, self.texts[path])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return uri

    def type(self, path: Path, at: int, text: str, replacing: int = 0) -> None:
        """Types `text` at an offset, over `replacing` code points, and tells the server."""
        range_ = Lines(self.texts[path], self.profile.units).range(at, at + replacing)
        self._change(path, [lsp.TextEdit(range_, text)])

    def save(self, path: Path) -> None:
        path.write_bytes(self.texts[path].encode())
        identifier = lsp.TextDocumentIdentifier(self.uri(path))
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(identifier))

    def position(self, path: Path, needle: str, inside: int = 1) -> lsp.Position:
        text = self.texts[path]
        return Lines(text, self.profile.units).position(text.index(needle) + inside)

    def range(self, path: Path, needle: str) -> lsp.Range:
        start = self.texts[path].index(needle)
        return Lines(self.texts[path], self.profile.units).range(start, start + len(needle))

    def document(self, path: Path) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(path))

    def at(self, path: Path, needle: str, inside: int = 1) -> dict[str, Any]:
        """What a command is sent with the cursor there."""
        place = self.position(path, needle, inside)
        return {"uri": self.uri(path), "position": {"line": place.line, "character": place.character}}

    def selected(self, path: Path, needle: str) -> dict[str, Any]:
        """What a command is sent with these words selected."""
        ends = self.at(path, needle, 0), self.at(path, needle, len(needle))
        return {"uri": self.uri(path), "range": {"start": ends[0]["position"], "end": ends[1]["position"]}}

    async def lenses(self, path: Path) -> list[lsp.Command]:
        params = lsp.CodeLensParams(self.document(path))
        found = await self.client.text_document_code_lens_async(params) or []
        return [lens.command for lens in found if lens.command]

    async def completions(self, path: Path, needle: str, inside: int = 1) -> lsp.CompletionList:
        params = lsp.CompletionParams(self.document(path), self.position(path, needle, inside))
        found = await self.client.text_document_completion_async(params)
        assert isinstance(found, lsp.CompletionList)
        return found

    async def links(self, path: Path) -> list[lsp.DocumentLink]:
        params = lsp.DocumentLinkParams(self.document(path))
        return list(await self.client.text_document_document_link_async(params) or [])

    async def definition(self, path: Path, needle: str, inside: int = 1) -> Any:
        params = lsp.DefinitionParams(self.document(path), self.position(path, needle, inside))
        return await self.client.text_document_definition_async(params)

    async def prepare_rename(self, path: Path, needle: str) -> Any:
        params = lsp.PrepareRenameParams(self.document(path), self.position(path, needle))
        return await self.client.text_document_prepare_rename_async(params)

    async def fixes(self, path: Path, range_: lsp.Range, only: str = "quickfix") -> list[Any]:
        params = lsp.CodeActionParams(self.document(path), range_, lsp.CodeActionContext([], only=[only]))
        return list(await self.client.text_document_code_action_async(params) or [])

    async def actions(self, path: Path, range_: lsp.Range) -> dict[str, lsp.Command]:
        """Titles to commands."""
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(self.uri(path)), range_, lsp.CodeActionContext([])
        )
        found = await self.client.text_document_code_action_async(params) or []
        commands = [item.command if isinstance(item.command, lsp.Command) else item for item in found]
        return {command.title: command for command in commands if isinstance(command, lsp.Command)}

    async def execute(self, name: str, argument: dict[str, Any]) -> Any:
        name = name if name.startswith("texgeist.") else f"texgeist.server.{name}"
        params = lsp.ExecuteCommandParams(name, [argument])
        return plain(await self.client.workspace_execute_command_async(params))

    async def run(self, command: lsp.Command) -> Any:
        assert command.arguments
        return await self.execute(command.command, plain(command.arguments[0]))

    async def hover(self, path: Path, needle: str) -> str:
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri(path)), self.position(path, needle))
        found = await self.client.text_document_hover_async(params)
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    async def said(self, words: str, seconds: float = 150) -> str:
        """Waits for a message with these words in it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for message in self.messages:
                if words in message.message:
                    return message.message
            await asyncio.sleep(0.02)
        raise AssertionError(f"nobody said {words!r}; said was: {[m.message for m in self.messages]}")

    async def until(self, holds: Callable[[], bool], seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < deadline, "waited in vain"
            await asyncio.sleep(0.02)

    async def until_found(self, look: Callable[[], Awaitable[T]], holds: Callable[[T], bool]) -> T:
        """Looks again until what is found holds: what is fetched in the background comes with a later look."""
        deadline = time.monotonic() + 60
        while not holds(found := await look()):
            assert time.monotonic() < deadline, f"still {found!r}"
            await asyncio.sleep(0.1)
        return found

    async def idle(self, seconds: float = 60) -> None:
        """Waits until no job is under way: one ends just behind its words."""
        deadline = time.monotonic() + seconds
        while (await self.execute("status", {}))["jobs"]:
            assert time.monotonic() < deadline, "a job does not end"
            await asyncio.sleep(0.05)

    def progress(self) -> list[Any]:
        """What was reported, of all jobs, in order."""
        return [value for values in self.client.progress_reports.values() for value in values]

    @staticmethod
    def uri(path: Path) -> str:
        uri = from_fs_path(str(path))
        assert uri
        return uri

    def _apply_edit(self, params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        self.before_edit()
        self.edits.append(params.edit)
        changes = _by_path(params.edit)
        if self.refuse or (self.profile.checks_versions and not self._current(params.edit)):
            return lsp.ApplyWorkspaceEditResult(applied=False)
        for path, edits in changes.items():
            edits = [edit for edit in edits if not self.unticks(params.edit, edit)]
            if path not in self.texts:
                self.open(path)
            self._change(path, edits)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    def _listed(self, given: Any) -> None:
        """Picks the first papers of a list."""
        self.lists.append(given)
        chosen = [item["id"] for item in given["items"][: self.picks_first]]
        self._answers.add(
            task := asyncio.ensure_future(self.execute("picked", {"id": given["id"], "chosen": chosen}))
        )
        task.add_done_callback(self._answers.discard)

    def _asked(self, params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        if any(action.title in ("Undo", "Insert into the document") for action in params.actions or ()):
            self.messages.append(lsp.ShowMessageParams(lsp.MessageType.Info, params.message))
        else:
            self.questions.append(params.message)
        return next((a for a in params.actions or () if self.picks and self.picks in a.title), None)

    def _current(self, edit: lsp.WorkspaceEdit) -> bool:
        for change in edit.document_changes or ():
            assert isinstance(change, lsp.TextDocumentEdit)
            path, version = _path(change.text_document.uri), change.text_document.version
            if version is not None and version != self.versions.get(path):
                return False
        return True

    def _change(self, path: Path, edits: list[lsp.TextEdit]) -> None:
        lines = Lines(self.texts[path], self.profile.units)
        text = self.texts[path]
        in_turn = sorted(edits, key=lambda e: lines.offsets(e.range))[::-1]  # of one place the last first
        for edit in in_turn:
            start, end = lines.offsets(edit.range)
            text = text[:start] + edit.new_text + text[end:]
        self.versions[path] += 1
        changes: list[Any] = [
            lsp.TextDocumentContentChangePartial(range=e.range, text=e.new_text) for e in in_turn
        ]
        self.texts[path] = text
        identifier = lsp.VersionedTextDocumentIdentifier(self.versions[path], self.uri(path))
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, changes))


@contextlib.asynccontextmanager
async def editor(
    folder: Path,
    profile: str = "vscode",
    env: dict[str, str] | None = None,
    settings: dict[str, Any] | None = None,
    **options: Any,
) -> AsyncIterator[Editor]:
    """An editor with `folder` as its workspace. `settings` are the user's own."""
    chosen = PROFILES[profile]
    client = LanguageClient(converter_factory=converter)
    register_lsp_features(client)
    one = Editor(client, chosen)
    config = ClientServerConfig(server_command=SERVER)
    command, *arguments = config.server_command
    await client.start_io(command, *arguments, env=env)
    params = lsp.InitializeParams(
        capabilities=chosen.capabilities(),
        workspace_folders=[lsp.WorkspaceFolder(Editor.uri(folder), folder.name)],
        root_uri=Editor.uri(folder),
        client_info=chosen.info,
        initialization_options={**chosen.options, "settings": settings or {}, **options},
    )
    try:
        await asyncio.wait_for(client.initialize_session(params), 30)
        yield one
    finally:
        await asyncio.wait_for(client.shutdown_session(), 30)
        await client.stop()


def converter() -> Any:
    """lsprotocol 2025.0.0 takes a code action that carries a command for a plain command."""
    made = default_converter()

    def structure(value: Any, _: Any) -> Any:
        plainly = isinstance(value.get("command"), str)
        return made.structure(value, lsp.Command if plainly else lsp.CodeAction)

    made.register_structure_hook(Union[lsp.Command, lsp.CodeAction], structure)  # noqa: UP007
    return made


def plain(value: Any) -> Any:
    """LSPAny as plain data."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def _by_path(edit: lsp.WorkspaceEdit) -> dict[Path, list[Any]]:
    if edit.document_changes is not None:
        assert not edit.changes
        changes: dict[Path, list[Any]] = {}
        for change in edit.document_changes:
            assert isinstance(change, lsp.TextDocumentEdit)
            changes.setdefault(_path(change.text_document.uri), []).extend(change.edits)
        return changes
    return {_path(uri): list(edits) for uri, edits in (edit.changes or {}).items()}


def _path(uri: str) -> Path:
    path = to_fs_path(uri)
    assert path
    return Path(path)
