"""All settings of texgeist, declared once.

The manifest's `contributes.configuration` and docs/settings.md are generated from here (`scripts/generate`), and
a test fails on drift. In JSON and TOML the names are camelCase (`relatedWork.breadth`).

Two scopes. *Machine* settings say where text and keys may go and which files are used: they are taken
from the user alone, never from a workspace, so that a cloned project cannot redirect them. All others
may also be set by a workspace. Keys and tokens are not settings: see `credentials.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from texgeist_latex.diagnostic_codes import CODES, ENTRY_CHECKS
from texgeist_retrieval.defaults import DEPTH, DIVERSITY, MOST_BREADTH, MOST_DEPTH
from texgeist_retrieval.models.providers import NAMES
from texgeist_retrieval.types import SERVICES, ServiceName

MACHINE: dict[str, Any] = {"scope": "machine"}
if TYPE_CHECKING:
    Provider = str
    DiagnosticName = str
else:  # the names that are declared
    Provider = Literal["extractive", *NAMES]
    DiagnosticName = Literal[ENTRY_CHECKS, *CODES]
Order = Literal["learned", "hybrid", "lexicon", "similarity"]


class Group(BaseModel):
    machine: ClassVar[bool] = False  # whether all settings of the group are machine settings
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        alias_generator=to_camel,
        populate_by_name=True,
    )


class MachineGroup(Group):
    machine = True


class IndexSettings(MachineGroup):
    """The index of papers to search."""

    location: str = "library"
    """The index to search: `library` (your own, in a file on this machine), `citegeist` (arXiv abstracts,
    hosted by the Citegeist authors: vectors of your abstract and title are sent there), the path of a Milvus
    Lite file, or the address of a Milvus server. The server's token comes from the environment variable
    `TEXGEIST_INDEX_TOKEN` or from the editor's secret storage."""

    collection: str = "abstracts"
    """The collection on the server or in the file."""

    discover: tuple[ServiceName, ...] = ()
    """Services that may be searched for papers that your index lacks: any of `openalex`, `semanticscholar`, `arxiv`,
    `crossref`; empty for none. They receive the draft's title, key words and up to two sentences with citations (or
    the topics and works that a language model names for it), ids and titles of the works that it cites, and the
    sentence for which you search citations. The papers found are kept on this machine, in a library of the draft.
    `--discover` asks all four for one run."""

    mine: tuple[str, ...] = ()
    """Indexes made on another machine that texgeist may change: addresses of Milvus servers or paths of files.
    All other indexes from other machines are only searched. The Citegeist index is not allowed here."""


class EmbeddingSettings(MachineGroup):
    """The model that turns texts into vectors."""

    model: str = Field(default="all-mpnet-base-v2", min_length=1)
    """The embedding model: the built-in model, or the name or folder of another sentence-transformers model
    (`sentence-transformers/allenai-specter`), which needs `pip install '.[torch]'` in a clone. An index can only be
    searched with the model that embedded it: another model needs a separate library (`index.location`). The
    hosted index uses `all-mpnet-base-v2`."""

    device: str = Field(default="cpu", pattern=r"^(auto|cpu|(cuda|mps|xpu)(:\d{1,2})?)$")
    """The device for the embedding model: `cpu`, a graphics processor (`cuda`, `cuda:1`, `mps`, `xpu`), or
    `auto` for a graphics processor if there is any. All except `cpu` need `pip install '.[torch]'` in a clone."""

    base_url: str = ""
    """The address of an OpenAI-compatible server that embeds with `embedding.model` (LM Studio, Ollama, llama.cpp:
    `http://127.0.0.1:11434/v1`); empty to embed without a server. Your drafts and your papers are sent there."""


class WriterSettings(MachineGroup):
    """The writer of the text."""

    provider: Provider = "extractive"
    """`extractive` needs no model and sends nothing. `local` runs a small model on this machine
    (`texgeist model fetch writer`). All other providers receive title, abstract and introduction
    (or all pages) of your draft and passages of papers. `openai` means any server with the OpenAI protocol, including servers on this machine."""

    model: str = ""
    """The model's name at the provider; empty for the provider's default model. For `local`: a fetched model,
    empty for the largest."""

    base_url: str = ""
    """The address of an OpenAI-compatible server (LM Studio, Ollama, llama.cpp, vLLM, Gemini, Mistral,
    Azure) or of a proxy; empty for the provider's default address."""

    path: Literal["auto", "small", "strong"] = "auto"
    """How a section is written. `strong`: in one request with all papers, some 30,000 tokens. `small`: for
    each of at most twelve papers, the model chooses where the sentence quoted from it ends, in a request of
    some 60 tokens. `auto`: `small` for a model on this machine.
    """

    timeout_seconds: float = Field(default=120.0, ge=1, le=3600)
    """Time limit for an answer of the model, in seconds. For a model on this machine it is at least 360, and also
    the limit for all requests by which a small model shortens notes."""

    calls: tuple[Literal["expansion", "summaries", "secondReading"], ...] = ("secondReading",)
    """Additional calls to the model. `expansion`: before the search, the model describes papers that your draft
    would cite, and the index is searched for these descriptions too (with a small model on this machine, this
    found no additional papers). `summaries`: the model summarises each paper with respect to your draft, a call for each paper;
    without summaries it reads the papers' own words. `secondReading`: the model reads the section critically and
    corrects sentences, and in another call compares each sentence with the passages that it cites; these two calls are
    skipped for a model on this machine."""


class PapersSettings(MachineGroup):
    """Sources of metadata and full texts."""

    arxiv: Literal["auto", "always", "never"] = "auto"
    """Whether to ask arXiv for metadata and PDFs of search results. Only paper ids and titles of works that a
    model named are sent, never your text. `auto`: only if the index is on another machine, because such an
    index contains only ids."""

    registries: tuple[Literal["arxiv", "crossref", "openalex"], ...] = ()
    """Registries that texgeist may ask about bibliography entries: any of `arxiv`, `crossref`, `openalex`; empty for
    none. They are used to check entries (`texgeist verify`, and when you save) and to get missing abstracts
    when papers are added to your library. Only DOIs, arXiv ids and titles of entries are sent. `texgeist verify --online` and
    `texgeist index add --online` ask all three for that run only."""

    folders: tuple[str, ...] = ()
    """Folders with your PDFs, and your `.bib` files whose `file` fields point to PDFs in these folders. Only
    sources that are inside these folders or listed here may attach PDFs to papers."""

    bibliographies: tuple[str, ...] = ()
    """Absolute paths of bibliographies outside the project that texgeist may append new entries to, such as a
    master `.bib`. Other bibliographies outside the project are only read."""


class RelatedWorkSettings(Group):
    """The choice of papers for a section."""

    breadth: Literal["auto"] | Annotated[int, Field(ge=1, le=MOST_BREADTH)] = "auto"
    """Number of papers to cite. `auto`: 12, or with a language model 15 to 30, depending on the parts of earlier
    work that your draft builds on; fewer if the draft's other sections are short or the index contains too few similar papers.
    With another number, papers far from the draft are not cited either."""

    method: Literal["texgeist", "citegeist"] = Field(default="texgeist", json_schema_extra=MACHINE)
    """`texgeist`: with a language model, the model names the parts of earlier work that your draft builds on, texgeist
    searches for each part, and the chosen papers cover all parts. `citegeist`: the pipeline as published. The whole
    draft is the query, papers are ordered by vectors alone and chosen by Equation 1 and by their best pages, a model
    summarises each, and the section is written from the summaries. `relatedWork.order` and `writer.calls` are then
    not used, and `auto` means 10 papers."""

    depth: int = Field(default=DEPTH, ge=1, le=MOST_DEPTH)
    """Number of pages to use of each paper."""

    diversity: float = Field(default=DIVERSITY, ge=0, le=1)
    """0: the papers most similar to the draft. 1: papers that differ from each other as much as possible."""

    order: Order = "learned"
    """Ranking of search results. `learned`: by the citations of papers similar to yours, and by words. `hybrid`: by vector
    similarity and words, without learned weights. `lexicon`: lexicon-enhanced dense retrieval, as in UR3WG, which
    finds less than `learned`; its weights come with the source, not with the package. `similarity`: by vectors
    only, as in Citegeist. For a sentence or question, the papers found are listed by their chance to fit."""

    instructions: str = Field(default="", max_length=2000)
    """Instructions on style for the model: "British English, past tense, 400 words"."""

    since: str = Field(default="", pattern=r"^(\d{4}(-(0[1-9]|1[0-2])(-\d{2})?)?)?$")
    """Only papers since this date (2020, 2020-06 or 2020-06-01)."""

    until: str = Field(default="", pattern=r"^(\d{4}(-(0[1-9]|1[0-2])(-\d{2})?)?)?$")
    """Only papers up to this date. In an index without dates and categories, such as the hosted index, the search
    goes deeper until enough papers match."""

    categories: tuple[str, ...] = ()
    """Only these arXiv categories (`cs.CL`) or archives (`cs`)."""

    topics: tuple[str, ...] = ()
    """Only these topics, if the index has topics: by name in your own library, by number in the hosted index
    (`texgeist search --json` shows them)."""


class EvidenceSettings(Group):
    """The search for evidence in full papers."""

    method: Literal["texgeist", "paperqa"] = Field(default="texgeist", json_schema_extra=MACHINE)
    """With a language model, `texgeist` rates 12 to 14 passages per query, several in a call. `paperqa` works as
    PaperQA2 describes: 6 to 8 default queries, 20 passages of different papers per query, a call for each
    passage, of which 8 are kept. It takes about eight times as many calls."""


class ProjectSettings(Group):
    """The LaTeX project, if texgeist does not detect it correctly."""

    root: str = ""
    """The root document, relative to the workspace folder and inside it."""

    bibliography: str = ""
    """The `.bib` file for new entries, relative to the root document's folder; inside the project, or listed in
    `papers.bibliographies`."""


class DiagnosticsSettings(Group):
    """The diagnostics shown in the editor."""

    off: tuple[DiagnosticName, ...] = ()
    """Codes of diagnostics to hide, such as `same-paper` or `unused`; `entry-checks` means all checks that run when
    you save. docs/verify.md lists the codes."""

    unsupported: Literal["off", "generated", "all"] = Field(default="generated", json_schema_extra=MACHINE)
    """When you save, report sentences that their cited papers do not support: `generated` checks sentences that
    texgeist wrote, `all` also checks yours. The model of `writer.provider` judges; each new sentence is sent to it
    once, with passages of the cited papers. With `extractive` and `local` nothing is checked."""


class EditorSettings(Group):
    """Display in the editor."""

    beside: tuple[Literal["texlab", "latex-workshop", "digestif"], ...] = ()
    """Other LaTeX tools in the same editor. texgeist does not repeat what they already show: completion, definition
    and references of keys, undefined citations, duplicate keys, missing files, and hover on citations that
    texgeist did not write. VS Code detects these tools automatically."""

    show: tuple[Literal["hover", "completion", "inlineCompletion", "links", "codeLens"], ...] = (
        "hover",
        "completion",
        "inlineCompletion",
        "links",
        "codeLens",
    )
    """The features to show. `hover`: details of a citation and why it was chosen. `completion`: citation keys by key,
    author or title. `inlineCompletion`: after a sentence that needs a citation, an entry of your bibliographies as
    grey text (in editors without it, a quick fix). `links`: citation keys, DOIs and arXiv ids as links to papers. `codeLens`: "Write related work"
    above the abstract, and the age of generated sections."""


class Settings(Group):
    """The settings of texgeist."""

    index: IndexSettings = IndexSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    writer: WriterSettings = WriterSettings()
    papers: PapersSettings = PapersSettings()
    related_work: RelatedWorkSettings = RelatedWorkSettings()
    evidence: EvidenceSettings = EvidenceSettings()
    project: ProjectSettings = ProjectSettings()
    diagnostics: DiagnosticsSettings = DiagnosticsSettings()
    editor: EditorSettings = EditorSettings()

    def with_discovery(self) -> Settings:
        """A copy that allows discovery: from all services, unless `index.discover` names some."""
        index = self.index.model_copy(update={"discover": self.index.discover or tuple(SERVICES)})
        return self.model_copy(update={"index": index})
