"""All settings of texgeist, declared once.

The manifest's `contributes.configuration` and the README's table are generated from here
(`scripts/generate`), and a test fails on drift. In JSON and TOML the names are
camelCase (`relatedWork.breadth`).

Two scopes. *Machine* settings say where text and keys may go and which files are used: they are taken
from the user alone, never from a workspace, so that a cloned project cannot redirect them. All others
may also be set by a workspace. Keys and tokens are no settings: see `credentials.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from texgeist_retrieval.defaults import CONCURRENCY, DEPTH, DIVERSITY
from texgeist_retrieval.models.providers import NAMES

MACHINE: dict[str, Any] = {"scope": "machine"}
if TYPE_CHECKING:
    Provider = str
else:  # the names that are declared
    Provider = Literal["extractive", *NAMES]
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

    fall_back: bool = Field(default=True, json_schema_extra=MACHINE)
    """Search your own library, and say so, when the index above cannot be reached."""


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

    api_version: str = Field(default="", json_schema_extra=MACHINE)
    """Azure alone: the version of its interface. Naming one makes the address an Azure resource."""

    timeout_seconds: float = Field(default=120.0, ge=1, le=3600, json_schema_extra=MACHINE)
    """How long one answer of the model may take."""

    fall_back: bool = Field(default=False, json_schema_extra=MACHINE)
    """When the model fails, write with the built-in writer instead, and say so. Without it nothing is written."""

    concurrency: int = Field(default=CONCURRENCY, ge=1, le=32, json_schema_extra=MACHINE)
    """How many calls to the model run side by side."""

    summaries: bool = Field(default=False, json_schema_extra=MACHINE)
    """Have the model summarise every paper in the light of your draft before it writes: one call more for
    each paper. Without it the model writes from the papers' own words, which it sees either way."""

    second_reading: bool = Field(default=True, json_schema_extra=MACHINE)
    """Have the model read related work of eight papers or more, where it wrote that in one piece, once more as a
    strict reader would, and give weak sentences anew: one call more, which is sent what the first was sent and the sentences, and answers with a
    third as much. A model on this machine is not asked."""

    expansion: bool = Field(default=False, json_schema_extra=MACHINE)
    """Before the search, have the model describe papers that your draft would cite, and search with these
    descriptions as well. A small model on this machine did not find more this way."""

    input_price: float = Field(default=0.0, ge=0, json_schema_extra=MACHINE)
    """What your provider's price list says for a million tokens sent, in US dollars. With it and
    `outputPrice`, estimates and results are told in money too, else in tokens alone."""

    output_price: float = Field(default=0.0, ge=0, json_schema_extra=MACHINE)
    """The same for a million tokens written."""


class PapersSettings(Group):
    """Where metadata and full texts come from."""

    arxiv: Literal["auto", "always", "never"] = Field(default="auto", json_schema_extra=MACHINE)
    """Whether arXiv may be asked for metadata and PDFs of the papers found (their ids are sent, and titles
    of works that a model named, never your words). `auto`: only when the index is not on this machine,
    since it holds ids alone."""

    arxiv_address: str = Field(default="https://export.arxiv.org", json_schema_extra=MACHINE)
    """Base address of the arXiv interface."""

    arxiv_gate_seconds: float = Field(default=3.0, ge=0, le=60, json_schema_extra=MACHINE)
    """Least time between two requests to arXiv. arXiv asks for 3 seconds."""

    registries: tuple[Literal["arxiv", "crossref", "openalex"], ...] = Field(
        default=(), json_schema_extra=MACHINE
    )
    """Who may be asked whether the entries of your bibliographies are right, by `texgeist verify` and when you
    save, and for abstracts of entries that have none, when your library is filled: any of `arxiv`, `crossref`,
    `openalex`; empty for nobody. DOIs, arXiv ids and titles of entries are sent to them, nothing else.
    `texgeist verify --online` and `texgeist index add --online` ask all three, once."""

    crossref_address: str = Field(default="https://api.crossref.org", json_schema_extra=MACHINE)
    """Base address of Crossref's interface."""

    openalex_address: str = Field(default="https://api.openalex.org", json_schema_extra=MACHINE)
    """Base address of OpenAlex's interface."""

    full_text: bool = Field(default=True, json_schema_extra=MACHINE)
    """Read the papers themselves where they can be had, not their abstracts alone."""

    cache_megabytes: int = Field(default=1000, ge=0, le=100_000, json_schema_extra=MACHINE)
    """How much room fetched papers may take on disk."""

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

    breadth: Literal["auto"] | Annotated[int, Field(ge=1, le=60)] = "auto"
    """How many papers to cite. `auto`: 24, or with a language model as many as the parts of earlier work that your
    draft stands on need (15 to 30); fewer where the draft has no room or the index no more that is near. A number
    means that number."""

    choice: Literal["strands", "similarity"] = "strands"
    """With a language model, `strands`: the model names the parts of earlier work that your draft stands on, each is
    searched, and the choice covers them all. `similarity`, and always without a model: the draft is searched as a
    whole, and papers are chosen by Equation 1 of Citegeist alone."""

    depth: int = Field(default=DEPTH, ge=1, le=10)
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

    missing_file: bool = True
    """Included files that are not there."""

    outside_project: bool = True
    """Included files outside the workspace or of a kind that is not read."""

    undefined_citation: bool = True
    """Citation keys that no bibliography holds."""

    duplicate_key: bool = True
    """The same key in two entries."""

    same_paper: bool = True
    """Two entries for the same paper under different keys."""

    broken_entry: bool = True
    """Entries that cannot be read."""

    entry_checks: bool = True
    """What `texgeist verify` finds, when you save: entries that contradict themselves or what is known of
    their papers, and names in a draft that is for blind reviewers."""

    drift: bool = True
    """With them: generated sections whose abstract has changed since, or whose papers the index no longer
    holds."""

    unused_entry: bool = True
    """With them too: entries that no document of the folder cites, as hints, which editors show faded. Nothing
    where most of a `.bib` file is not cited: that is a library. texlab says it itself."""

    unsupported: Literal["off", "generated", "all"] = Field(default="generated", json_schema_extra=MACHINE)
    """Sentences that what they cite does not bear out, as hints, when you save: `generated` looks at those that
    texgeist wrote, `all` at yours too. A model judges, the one of `writer.provider` (each new sentence is sent
    to it once, with passages of what it cites); where that is `extractive`, nothing is said."""


class EditorSettings(Group):
    """What the editor shows."""

    beside: tuple[Literal["texlab", "latex-workshop", "digestif"], ...] = ()
    """Other LaTeX tools in the same editor. What they show already, texgeist leaves to them:
    completion, definition and references of keys, undefined citations, duplicate keys, missing files;
    and hover on citations that texgeist did not write. VS Code fills this in by itself."""

    review: Literal["off", "panel"] = "off"
    """Before a section is written: nothing, or the review panel, where papers are ticked."""

    hover: bool = True
    """Show on hover what a citation is and why it is there."""

    completion: bool = True
    """Complete citation keys by key, author or title."""

    links: bool = True
    """Make citation keys links to their papers, and DOIs and arXiv ids of bibliographies too."""

    inlay_hints: bool = False
    """Show author and year behind every citation key."""

    code_lens: bool = True
    """Show "Write related work" over the abstract and the age of generated sections."""


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
