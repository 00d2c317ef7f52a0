"""All settings of texgeist, declared once.

The manifest's `contributes.configuration` and the README's table are generated from here
(`scripts/generate`), and a test fails on drift. In JSON and TOML the names are
camelCase (`relatedWork.breadth`).

Two scopes. *Machine* settings say where text and keys may go and which files are used: they are taken
from the user alone, never from a workspace, so that a cloned project cannot redirect them. All others
may also be set by a workspace. Keys and tokens are not settings: see `credentials.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from texgeist_latex.diagnostic_codes import CODES, ENTRY_CHECKS
from texgeist_retrieval.defaults import DEPTH, DIVERSITY, MOST_BREADTH, MOST_DEPTH
from texgeist_retrieval.models.providers import NAMES

MACHINE: dict[str, Any] = {"scope": "machine"}
if TYPE_CHECKING:
    Provider = str
    DiagnosticName = str
else:  # the names that are declared
    Provider = Literal["extractive", *NAMES]
    DiagnosticName = Literal[ENTRY_CHECKS, *CODES]
Order = Literal["learned", "hybrid", "similarity"]


class Group(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        alias_generator=to_camel,
        populate_by_name=True,
    )


class IndexSettings(Group):
    """Which papers are searched."""

    location: str = Field(default="library", json_schema_extra=MACHINE)
    """The index to search: `library` (your own, in a file on this machine), `citegeist` (the hosted
    arXiv abstracts of the Citegeist authors: vectors made from your abstract and title are sent there), a
    path to a Milvus Lite file, or the address of a Milvus server. The token of a server comes from the
    environment variable `TEXGEIST_INDEX_TOKEN` or from the editor's secret storage."""

    collection: str = Field(default="abstracts", json_schema_extra=MACHINE)
    """The collection on the server or in the file."""

    mine: tuple[str, ...] = Field(default=(), json_schema_extra=MACHINE)
    """Indexes that are yours though they were not made on this machine: addresses of Milvus servers, paths
    of files. All others are searched and never changed; the one of Citegeist cannot be named here."""


class EmbeddingSettings(Group):
    """The model that turns texts into vectors."""

    model: str = Field(default="all-mpnet-base-v2", min_length=1, json_schema_extra=MACHINE)
    """The embedding model: the one that texgeist brings, or the name or folder of another of
    sentence-transformers (`sentence-transformers/allenai-specter`), which needs `pip install 'texgeist[torch]'`.
    An index is searched by the model that it was made with: another model needs a library of its own
    (`index.location`); the hosted one is of `all-mpnet-base-v2`."""

    device: str = Field(
        default="cpu", pattern=r"^(auto|cpu|(cuda|mps|xpu)(:\d{1,2})?)$", json_schema_extra=MACHINE
    )
    """Where it computes: `cpu`, a graphics processor (`cuda`, `cuda:1`, `mps`, `xpu`), or `auto` for one where
    there is one. All but `cpu` need `pip install 'texgeist[torch]'`."""


class WriterSettings(Group):
    """Who writes the sentences."""

    provider: Provider = Field(default="extractive", json_schema_extra=MACHINE)
    """`extractive` needs no model and sends nothing. All others are sent your abstract and passages of the
    papers; `openai` is any server that speaks the OpenAI protocol, also one on this machine."""

    model: str = Field(default="", json_schema_extra=MACHINE)
    """The model's name as the provider spells it; empty for the provider's usual one."""

    base_url: str = Field(default="", json_schema_extra=MACHINE)
    """The address of an OpenAI-compatible server (LM Studio, Ollama, llama.cpp, vLLM, Gemini, Mistral,
    Azure) or of a proxy; empty for the provider's own."""

    timeout_seconds: float = Field(default=120.0, ge=1, le=3600, json_schema_extra=MACHINE)
    """How long one answer of the model may take."""

    calls: tuple[Literal["expansion", "summaries", "secondReading"], ...] = Field(
        default=("secondReading",), json_schema_extra=MACHINE
    )
    """Further calls to the model. `expansion`: before the search, the model describes papers that your draft would
    cite, and these descriptions are searched too (a small model on this machine found no more this way).
    `summaries`: it summarises every paper in the light of your draft, one call for each; without them it still sees
    the papers' own words. `secondReading`: it reads related work of eight papers or more again as a strict reviewer
    and rewrites weak sentences; a model on this machine is not asked."""


class PapersSettings(Group):
    """Where metadata and full texts come from."""

    arxiv: Literal["auto", "always", "never"] = Field(default="auto", json_schema_extra=MACHINE)
    """Whether arXiv may be asked for metadata and PDFs of the papers found (their ids are sent, and titles
    of works that a model named, never your words). `auto`: only when the index is not on this machine,
    since it holds ids alone."""

    registries: tuple[Literal["arxiv", "crossref", "openalex"], ...] = Field(
        default=(), json_schema_extra=MACHINE
    )
    """Who may be asked whether the entries of your bibliographies are right, by `texgeist verify` and when you
    save, and for abstracts of entries that have none, when your library is filled: any of `arxiv`, `crossref`,
    `openalex`; empty for nobody. DOIs, arXiv ids and titles of entries are sent to them, nothing else.
    `texgeist verify --online` and `texgeist index add --online` ask all three, once."""

    full_text: bool = Field(default=True, json_schema_extra=MACHINE)
    """Read the papers themselves where they can be had, not their abstracts alone."""

    folders: tuple[str, ...] = Field(default=(), json_schema_extra=MACHINE)
    """Folders with your own PDFs, and `.bib` files of yours whose `file` fields name PDFs in these folders.
    Only sources that lie in them, or are named here, may attach PDFs to papers."""

    bibliographies: tuple[str, ...] = Field(default=(), json_schema_extra=MACHINE)
    """Bibliographies of yours outside of a project, by their whole path, that new entries may be appended
    to: a master `.bib`. Others outside are only read."""


class StorageSettings(Group):
    """Where texgeist keeps the model, your library and its caches."""

    folder: str = Field(default="", json_schema_extra=MACHINE)
    """Folder for the embedding model, the library and caches; empty for the usual place."""


class RelatedWorkSettings(Group):
    """How papers are chosen for a section."""

    breadth: Literal["auto"] | Annotated[int, Field(ge=1, le=MOST_BREADTH)] = "auto"
    """How many papers to cite. `auto`: 24, or with a language model as many as the parts of earlier work that your
    draft stands on need (15 to 30); fewer where the draft has no room or the index no more that is near. A number
    means that number."""

    choice: Literal["strands", "similarity"] = "strands"
    """With a language model, `strands`: the model names the parts of earlier work that your draft stands on, each is
    searched, and the choice covers them all. `similarity`, and always without a model: the draft is searched as a
    whole, and papers are chosen by Equation 1 of Citegeist alone."""

    depth: int = Field(default=DEPTH, ge=1, le=MOST_DEPTH)
    """How many pages of each paper to go by."""

    diversity: float = Field(default=DIVERSITY, ge=0, le=1)
    """0: the papers most similar to the draft. 1: papers as unlike each other as possible."""

    order: Order = "learned"
    """What comes first. `learned`: by what papers like yours cite, and by words. `hybrid`: by similarity and by
    words, nothing learned. `similarity`: Citegeist's own order, by the vectors alone. Sentences and questions
    are ordered in the same way."""

    include_cited: bool = False
    """Consider papers again that the draft cites already."""

    instructions: str = Field(default="", max_length=2000)
    """Your words on style for a model: "British English, past tense, 400 words"."""

    since: str = Field(default="", pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")
    """Only papers from this date on (2020, 2020-06 or 2020-06-01)."""

    until: str = Field(default="", pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")
    """Only papers up to this date. An index that holds no dates and categories, as the hosted one, is searched
    deeper until enough papers are within these limits."""

    categories: tuple[str, ...] = ()
    """Only these arXiv categories (`cs.CL`) or archives (`cs`)."""

    topics: tuple[str, ...] = ()
    """Only these topics, where the index has topics: by name in your own library, by number in the hosted one
    (`texgeist search --json` shows them)."""


class ProjectSettings(Group):
    """The LaTeX project, where texgeist does not find it by itself."""

    root: str = ""
    """The root document, relative to the workspace folder and inside it."""

    bibliography: str = ""
    """The `.bib` file that new entries go to, relative to the root document's folder; inside the project, or
    one of `papers.bibliographies`."""


class DiagnosticsSettings(Group):
    """What is underlined in the editor."""

    off: tuple[DiagnosticName, ...] = ()
    """Codes of diagnostics that are not shown, such as `same-paper` or `unused`; `entry-checks` stands for all that is
    checked when you save. docs/verify.md lists the codes."""

    unsupported: Literal["off", "generated", "all"] = Field(default="generated", json_schema_extra=MACHINE)
    """Show, when you save, sentences that the papers they cite do not support: `generated` checks the sentences that
    texgeist wrote, `all` checks yours too. The model of `writer.provider` judges (each new sentence is sent to it
    once, with passages of the papers it cites); with `extractive` nothing is checked."""


class EditorSettings(Group):
    """What the editor shows."""

    beside: tuple[Literal["texlab", "latex-workshop", "digestif"], ...] = ()
    """Other LaTeX tools in the same editor. What they show already, texgeist leaves to them:
    completion, definition and references of keys, undefined citations, duplicate keys, missing files;
    and hover on citations that texgeist did not write. VS Code fills this in by itself."""

    review: Literal["off", "panel"] = "off"
    """Before a section is written: nothing, or the review panel, where papers are ticked."""

    show: tuple[Literal["hover", "completion", "links", "codeLens", "inlayHints"], ...] = (
        "hover",
        "completion",
        "links",
        "codeLens",
    )
    """What texgeist shows. `hover`: what a citation is and why it was chosen. `completion`: citation keys by key,
    author or title. `links`: citation keys, DOIs and arXiv ids as links to papers. `codeLens`: "Write related work"
    above the abstract, and the age of generated sections. `inlayHints`: author and year behind every citation key."""


class Settings(Group):
    """The settings of texgeist."""

    index: IndexSettings = IndexSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    writer: WriterSettings = WriterSettings()
    papers: PapersSettings = PapersSettings()
    storage: StorageSettings = StorageSettings()
    related_work: RelatedWorkSettings = RelatedWorkSettings()
    project: ProjectSettings = ProjectSettings()
    diagnostics: DiagnosticsSettings = DiagnosticsSettings()
    editor: EditorSettings = EditorSettings()
