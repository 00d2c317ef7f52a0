"""The commands that editors offer, declared once.

`scripts/generate` writes them into VS Code's manifest and client, into Neovim's and Emacs' lists and into
Neovim's help. They are implemented in `features/commands.py` (those that change text) and
`features/showing.py`, under the name of their `order`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Needs = Literal["nothing", "document", "selection", "cursor", "position"]


@dataclass(frozen=True, slots=True)
class EditorCommand:
    """`order`: the name of the server's command (`texgeist.server.…`). It is sent with `argument` and with
    the data that it `needs` from the editor: the document's URI, and the range of the selection or the
    position of the cursor. A command that needs a position returns text to show; a command that needs the
    cursor works on the section around the cursor."""

    order: str
    title: str  # the title in menus
    does: str  # the help text: a sentence
    needs: Needs = "document"
    argument: Mapping[str, str] = field(default_factory=dict)
    name: str = ""  # in VS Code, where one order has several commands
    short: str = ""  # in Neovim and Emacs, where `name` is long
    page: bool = False  # may answer with the address of a page, which Neovim and Emacs open themselves
    place: str = ""  # group in the context menu of VS Code; "" if not in this menu
    always: bool = False  # in the menu of the status bar
    while_working: bool = False  # useful only while a job runs

    @property
    def id(self) -> str:
        return self.name or self.order

    @property
    def called(self) -> str:
        return self.short or self.id


EDITOR_COMMANDS = (
    EditorCommand(
        "relatedWork",
        "Write Related Work from the Abstract",
        "Write related work from the abstract.",
        argument={"from": "abstract"},
        name="relatedWorkFromAbstract",
        short="relatedWork",
        page=True,
        place="1@1",
        always=True,
    ),
    EditorCommand(
        "relatedWork",
        "Write Related Work from the Whole Draft",
        "Write related work from the whole draft.",
        argument={"from": "draft"},
        name="relatedWorkFromDraft",
        page=True,
        place="1@2",
        always=True,
    ),
    EditorCommand(
        "discover",
        "Discover Papers for This Draft",
        "Search literature services for papers that your library lacks, after showing what is sent.",
        always=True,
    ),
    EditorCommand(
        "findCitations",
        "Find Citations for the Selection",
        "Find papers for the selected sentence, each with a passage, and cite the ones that you choose.",
        needs="selection",
        place="2@1",
    ),
    EditorCommand(
        "answer",
        "Answer the Selected Question with Citations",
        "Answer the selected question in a panel; you can insert the answer from there.",
        needs="selection",
        place="2@2",
    ),
    EditorCommand(
        "draftSection",
        "Draft This Section from Full Papers",
        "Draft the section at the cursor from the full papers of your index and your own text.",
        needs="cursor",
        place="1@4",
    ),
    EditorCommand(
        "gatherEvidence",
        "Gather Evidence for This Section",
        "Gather evidence for the section at the cursor, and show it.",
        needs="cursor",
        place="1@5",
    ),
    EditorCommand(
        "forAndAgainst",
        "Evidence for and against the Selection",
        "Show passages of full papers that support or contradict the selected sentence.",
        needs="selection",
        place="2@3",
    ),
    EditorCommand(
        "missingWorks",
        "What Would a Reviewer Miss?",
        "Show works of your index that similar papers cite and the draft does not.",
        place="1@6",
        always=True,
    ),
    EditorCommand(
        "verify",
        "Check the Bibliography",
        "Check the saved bibliography, and show the report on each entry.",
        always=True,
    ),
    EditorCommand(
        "correctEntries",
        "Correct the Bibliography",
        "Correct the details of entries that differ from the record of the same paper.",
    ),
    EditorCommand(
        "why",
        "Why Is This Citation Here?",
        "Show why the citation at the cursor was chosen.",
        needs="position",
        place="3@1",
    ),
    EditorCommand(
        "review",
        "Review the Papers before Writing",
        "Review the papers in the browser, then write from there.",
        page=True,
        place="1@3",
        always=True,
    ),
    EditorCommand(
        "insertPending",
        "Insert the Last Result",
        "Insert the answer that was shown, or the text that could not be inserted because the document had changed.",
    ),
    EditorCommand(
        "addEntry",
        "Add an Entry for the DOI, arXiv Id or Address at the Cursor",
        "Add an entry for the DOI, arXiv id or web address at the cursor.",
        needs="cursor",
    ),
    EditorCommand(
        "openPdf",
        "Open the PDF of the Citation at the Cursor",
        "Open your PDF of the paper cited at the cursor, or else the paper's web page.",
        needs="cursor",
        place="3@2",
    ),
    EditorCommand("showWritten", "Show the Last Change", "Go to the text that was written last."),
    EditorCommand(
        "undoWritten",
        "Undo the Last Change",
        "Undo what texgeist wrote last, in all files, if it was not edited since.",
    ),
    EditorCommand("whyThese", "Why These Papers?", "Show why each of the papers cited last was chosen."),
    EditorCommand("sync", "Sync the Index", "Sync the index.", needs="nothing", always=True),
    EditorCommand(
        "cancel", "Cancel the Running Job", "Cancel the running job.", needs="nothing", while_working=True
    ),
)
