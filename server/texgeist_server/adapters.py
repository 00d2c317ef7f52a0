"""Creates the adapters that the settings select. Heavy imports happen only here, in the worker process or in
a command, never at the language server's start-up."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texgeist_retrieval.addresses import is_loopback
from texgeist_retrieval.defaults import BREADTH, SECTION_SECONDS
from texgeist_retrieval.embedding import NAME
from texgeist_retrieval.errors import WriterDenied
from texgeist_retrieval.models.providers import NAMES, provider_of
from texgeist_retrieval.paths import expanded

from .config import storage
from .config.credentials import Keys
from .config.storage import arxiv_pause, service_address
from .discovered import SENT_TO_DISCOVER, discovery_services, open_joined
from .embedders import build_embedder
from .index_places import Place, index_place
from .passage_library import indexed_papers

if TYPE_CHECKING:
    from texgeist_retrieval.pipeline.expansion import ModelExpander
    from texgeist_retrieval.ports import (
        Embedder,
        LanguageModel,
        PaperSource,
        Picker,
        Ranker,
        StrandFinder,
        Writer,
    )
    from texgeist_retrieval.services import Services

    from .config.settings import Settings

RANKED_MODEL = NAME


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings and keys of a run, and the index and writer that they select."""

    settings: Settings
    keys: Keys
    place: Place  # the index to search
    writer: str  # the provider of the writer; "extractive" means no model
    note: str = ""  # for the user: why another writer than configured is used


def setup_of(settings: Settings, keys: Keys, index: str | None = None, writer: str = "auto") -> Setup:
    """Resolves the settings to a `Setup`. `index` and `writer` override the index and the writer of the
    settings."""
    settings = with_method(settings)
    name, note = writer_name(settings, keys, writer)
    return Setup(settings, keys, index_place(settings, keys, index), name, note)


def with_method(settings: Settings) -> Settings:
    """The settings with the values that `relatedWork.method` implies: for `citegeist`, the values of the
    published pipeline (arXiv 2503.23229, section 3.1)."""
    related = settings.related_work
    if related.method == "texgeist":
        return settings
    breadth = BREADTH if related.breadth == "auto" else related.breadth
    related = related.model_copy(update={"order": "similarity", "breadth": breadth})
    writer = settings.writer.model_copy(update={"calls": ("summaries",), "path": "strong"})
    return settings.model_copy(update={"related_work": related, "writer": writer})


def writer_name(settings: Settings, keys: Keys, option: str = "auto") -> tuple[str, str]:
    """The provider of the writer, and a note for the user. `option` "auto" means the configured provider if
    it can be used (`has_what_it_needs`), else the extractive writer. The note is "" unless the configured
    provider was replaced."""
    if option != "auto":
        return option, ""
    chosen = settings.writer.provider
    if chosen == "extractive" or has_what_it_needs(settings, chosen, keys):
        return chosen, ""
    return "extractive", f"{_lack_of(chosen)}, so the extractive writer wrote this."


def _lack_of(name: str) -> str:
    return (
        f"The writer {name} works in VS Code only"
        if provider_of(name).elsewhere
        else f"There is no key for {name}"
    )


def writer_address(settings: Settings, name: str) -> str:
    """The address that the user set for the server of a provider; "" if none is set."""
    return settings.writer.base_url if name in NAMES and "base_url" in provider_of(name).takes else ""


def has_what_it_needs(settings: Settings, name: str, keys: Keys) -> bool:
    """Whether a provider can be used: the user gave its key or the address of a server, or its models are
    files."""
    provider = provider_of(name)
    return bool(keys.of(name) or provider.files or (provider.addressed and writer_address(settings, name)))


def sends(settings: Settings, keys: Keys) -> str:
    """A sentence that says which data these settings send to other machines; "" if they send none."""
    parts = []
    place = index_place(settings, keys)
    if place.remote:
        parts.append(f"the vector of your text goes to {place.location}")
    writer, _ = writer_name(settings, keys)
    if writer != "extractive" and not (provider := provider_of(writer)).files:  # else texgeist runs the model
        where = writer_address(settings, writer) or (writer if provider.variables else provider.reaches)
        parts.append(
            f"title, abstract and introduction (or all pages) of your draft and passages of papers go to {where}"
        )
    if asks_arxiv(settings, place.remote):
        parts.append(f"ids of papers go to {service_address('arxiv')}")
    if settings.index.discover:
        parts.append(f"{SENT_TO_DISCOVER} go to {discovery_services(settings)}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:] + "." if text else ""


def build_services(setup: Setup, project: str = "", *, discover: bool = False) -> Services:
    """Builds the adapters of the pipeline. `project`: the draft whose discovered papers are searched too.
    `discover`: ask the literature services that the user allowed (`index.discover`) for this draft. Raises
    `ModelMissing`, the `SearchError`s and `WriterDenied`."""
    from texgeist_retrieval.services import Services
    from texgeist_retrieval.writing import ExtractiveWriter

    settings = setup.settings
    embedder = remembering(build_embedder(settings))
    notes: list[str] = []
    model = build_model(settings, setup.keys, setup.writer)
    if model and provider_of(setup.writer).files:
        from texgeist_retrieval.models.local import check_place

        check_place(settings.writer.model, storage.writer_models())  # before minutes of searching
    strands, picker = strands_for(settings, model)
    index, discovery = open_joined(settings, setup.keys, setup.place, project, discover, embedder)
    return Services(
        embedder=embedder,
        index=index,
        discovery=discovery,
        source=build_source(settings, setup.place.remote),
        writer=model_writer(settings, model, embedder) if model else ExtractiveWriter(embedder),
        library=indexed_papers(settings, setup.place, embedder),
        model=model,
        ranker=ranker_for(settings, embedder, notes),
        expander=expander_for(settings, model),
        strands=strands,
        picker=picker,
        notes=tuple(filter(None, [*notes, setup.note])),
    )


def prepare_model(services: Services) -> None:
    """Prepares the model's first call in a thread, in parallel with the search. Call this only if the model
    will write text: a model on this machine takes gigabytes of memory."""
    if services.model:
        threading.Thread(target=services.model.prepare, name="texgeist-prepare", daemon=True).start()


def remembering(embedder: Embedder) -> Embedder:
    """Wraps the embedder to cache the vectors of papers' pages between runs."""
    from texgeist_retrieval.pipeline.reading import RememberingEmbedder

    return RememberingEmbedder(embedder, storage.cache_folder() / "vectors.sqlite")


def ranker_for(settings: Settings, embedder: Embedder, notes: list[str]) -> Ranker | None:
    """The configured ranker, or None if papers are ordered by similarity alone. The learned rankers need the
    embedding model with which they were trained; with other models, rank fusion (`HybridRanker`) is used. If
    the weights cannot be read, returns None and adds a note to `notes`."""
    from texgeist_retrieval.errors import RetrievalError
    from texgeist_retrieval.ranking.ranker import HybridRanker, LearnedRanker, LexiconRanker

    order = settings.related_work.order
    if order == "similarity":
        return None
    try:
        if order == "learned" and embedder.name == RANKED_MODEL:
            return LearnedRanker.load()
        if order == "lexicon" and embedder.name == RANKED_MODEL:
            return LexiconRanker.load()
        return HybridRanker.load()
    except RetrievalError as error:
        notes.append(f"{error.sentence()} Papers were ordered by similarity alone.")
        return None


def expander_for(settings: Settings, model: LanguageModel | None) -> ModelExpander | None:
    """The query expander, which sends the abstract to the model; None unless the user enabled `expansion`."""
    if model is None or "expansion" not in settings.writer.calls or is_small(settings, model):
        return None
    from texgeist_retrieval.pipeline.expansion import ModelExpander

    return ModelExpander(model)


def strands_for(
    settings: Settings, model: LanguageModel | None
) -> tuple[StrandFinder, Picker] | tuple[None, None]:
    """The model's steps before it writes: it finds the strands of earlier work on which the draft builds, and
    chooses among retrieved papers by their titles. None if there is no model or only a small one, or if another
    method is chosen."""
    if model is None or settings.related_work.method != "texgeist" or is_small(settings, model):
        return None, None
    from texgeist_retrieval.strands.asking import ModelPicker, ModelStrands

    return ModelStrands(model), ModelPicker(model)


def asks_arxiv(settings: Settings, remote_index: bool) -> bool:
    return settings.papers.arxiv == "always" or (settings.papers.arxiv == "auto" and remote_index)


def has_full_texts(settings: Settings, remote_index: bool) -> bool:
    """Whether there is a source of full texts besides the index."""
    return asks_arxiv(settings, remote_index) or bool(settings.papers.folders)


def build_source(settings: Settings, remote_index: bool) -> PaperSource:
    from texgeist_retrieval.fulltext import ArxivSource, ChainSource, LocalSource

    sources: list[PaperSource] = []
    if settings.papers.folders:
        folders = tuple(expanded(folder) for folder in settings.papers.folders)
        sources.append(LocalSource(folders, within=() if remote_index else folders))
    if asks_arxiv(settings, remote_index):
        sources.append(
            ArxivSource(
                base_url=service_address("arxiv"),
                cache=storage.cache_folder(),
                gate_seconds=arxiv_pause(),
            )
        )
    return ChainSource(tuple(sources))


def build_model(settings: Settings, keys: Keys, name: str) -> LanguageModel | None:
    if name == "extractive":
        return None
    chosen, provider, key = settings.writer, provider_of(name), keys.of(name)
    if not has_what_it_needs(settings, name, keys):
        raise WriterDenied(f"{_lack_of(name)}.", provider.how_to_have())
    near = provider.files or is_loopback(chosen.base_url)  # a slow processor reads a first prompt for minutes
    return provider.load()(
        model=chosen.model,
        api_key=key,
        timeout=_section_seconds(settings) if near else chosen.timeout_seconds,
        **{taken: getattr(chosen, taken) for taken in provider.takes},
        **({"folder": storage.writer_models(), "context": _context(settings)} if provider.files else {}),
    )


def _context(settings: Settings) -> int:
    from texgeist_retrieval.models.llama_server import CONTEXT, LONG_CONTEXT

    return LONG_CONTEXT if settings.writer.path == "strong" else CONTEXT


def _section_seconds(settings: Settings) -> float:
    return max(SECTION_SECONDS, settings.writer.timeout_seconds)


def is_small(settings: Settings, model: LanguageModel) -> bool:
    """Whether a small model shortens the notes (`writer.path`)."""
    return settings.writer.path == "small" or (settings.writer.path == "auto" and model.local)


def model_writer(settings: Settings, model: LanguageModel, embedder: Embedder | None = None) -> Writer:
    """The writer for this model. For an estimate of the costs alone, leave out `embedder`: no model is loaded."""
    from texgeist_retrieval.writing import ModelWriter, SmallWriter

    if is_small(settings, model):
        return SmallWriter(model, embedder, _section_seconds(settings))
    return ModelWriter(
        model,
        instructions=settings.related_work.instructions,
        summaries="summaries" in settings.writer.calls,
        passages=settings.related_work.method == "texgeist",
        embedder=embedder,
        second_reading="secondReading" in settings.writer.calls
        and not model.local,  # small models find nothing to improve
    )
