"""Other numbers on what was gathered, without waiting again; and the citations for one sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.defaults import UNANSWERED, UNSUPPORTED
from texgeist_retrieval.index.joined import HeldPaper, JoinedIndex
from texgeist_retrieval.pipeline import choose, find_citations, gather, related_work
from texgeist_retrieval.pipeline.citable import TITLE_ONLY
from texgeist_retrieval.pipeline.fitting import nearest_in_words
from texgeist_retrieval.pipeline.reasons import ALONE, TOO_FAR
from texgeist_retrieval.pipeline.search import find
from texgeist_retrieval.pipeline.selection import relevances
from texgeist_retrieval.ports import Ranker
from texgeist_retrieval.services import Options
from texgeist_retrieval.types import (
    Candidate,
    CitationGraph,
    CitationLink,
    Filters,
    Paper,
    Query,
    QueryPart,
    Result,
)
from texgeist_retrieval.writing import ExtractiveWriter

from .conftest import MemoryIndex, Recorder, WordEmbedder, World, about

QUERY = "red fish swim in deep cold water"
WORDS = QUERY.split()


AUTHORS = ("Ann Smith",)


def library(count: int = 30) -> list[Paper]:
    return [
        Paper(f"2401.{i:05d}", f"Title {i}", " ".join([*WORDS[: max(1, 7 - i // 5)], f"w{i}"]), AUTHORS)
        for i in range(count)
    ]


@pytest.fixture
def gathered() -> Any:
    papers = library()
    pages = {paper.id: [f"{paper.abstract} {paper.id}"] for paper in papers}
    return gather(about(QUERY), World(papers, pages).services(), Options(breadth=5), Recorder())


def ids(chosen: Any) -> list[str]:
    return [paper.candidate.paper.id for paper in chosen.selected]


def test_pinned_papers_stay_and_excluded_ones_go(gathered: Any) -> None:
    last = gathered.candidates[-1].paper.id
    plain = choose(gathered, Options(breadth=3))
    chosen = choose(
        gathered, Options(breadth=3), pinned=frozenset({last}), excluded=frozenset({ids(plain)[0]})
    )
    assert last in ids(chosen) and len(chosen.selected) == 3
    far = World([*library(1), *FAR]).services()
    found = gather(about(QUERY), far, Options(), Recorder())
    assert (
        choose(found, Options()).notes and not choose(found, Options(), pinned=frozenset({FAR[0].id})).notes
    )
    assert ids(plain)[0] not in ids(chosen)
    reasons = {out.paper.id: out.left_out for out in chosen.left_out}
    assert reasons[ids(plain)[0]] == "You left it out."
    assert last not in reasons
    both = choose(gathered, Options(breadth=3), pinned=frozenset({last}), excluded=frozenset({last}))
    assert last not in ids(both)
    assert {out.paper.id: out.left_out for out in both.left_out}[last] == "You left it out."


def test_a_rankers_order_is_kept_on_the_scale_of_similarities() -> None:
    pool = [
        Candidate(Paper(str(i), "t"), similarity, i, score=score)
        for i, (similarity, score) in enumerate([(0.5, 0.031), (0.9, 0.030), (0.7, 0.029)])
    ]
    assert relevances(pool, ranked=True).tolist() == pytest.approx([0.9, 0.7, 0.5])
    assert relevances(pool, ranked=False).tolist() == pytest.approx([0.031, 0.030, 0.029])


FAR = [Paper(f"2402.{i:05d}", f"Far {i}", f"bees honey {i} hives deep") for i in range(20)]
BARE = [Paper(f"bare{i}", f"{QUERY} {i}") for i in range(3)]


@pytest.mark.parametrize(
    ("near", "breadth", "chosen", "said"),
    [
        (20, None, 12, ""),
        (20, 15, 15, ""),
        (5, None, 5, "5 of 25 papers were chosen, because 20 are too far from the subject of the draft. "),
        (5, 12, 5, "5 of 25 papers were chosen"),
        (1, 12, 0, "and one paper makes no section. Discover papers for the draft (--discover)"),
    ],
)  # fmt: skip
def test_a_section_cites_only_papers_near_the_draft_with_a_text(
    near: int, breadth: int | None, chosen: int, said: str
) -> None:
    papers = [replace(paper, abstract=QUERY) for paper in library(near)]
    services = World([*FAR, *BARE, *papers]).services()
    result = related_work(about(QUERY), services, Options(breadth=breadth), Recorder())
    assert len(result.selected) == chosen and {*ids(result)} <= {paper.id for paper in papers}
    reasons = {one.paper.id: one.left_out for one in result.left_out}
    assert all(reasons[paper.id] == TITLE_ONLY for paper in BARE)
    assert all(reasons[paper.id] == TOO_FAR for paper in FAR)
    assert said in " ".join(result.notes)
    assert near != 1 or reasons[papers[0].id] == ALONE
    assert chosen or not result.section.paragraphs


def test_a_ranker_decides_the_order() -> None:
    class Reversed:
        def search_rows(self, query: Any) -> Any:
            return np.eye(2, query.size, dtype=np.float32)

        def rank(self, query: Any, asked: Any, candidates: Any, graph: Any = None) -> list[Candidate]:
            ordered = list(reversed(candidates))
            return [replace(c, score=1 / (60 + i), scores={"bm25": 1.0}) for i, c in enumerate(ordered)]

    papers = library(6)
    services = replace(World(papers).services(), ranker=Reversed())
    result = related_work(about(QUERY), services, Options(breadth=3), Recorder())
    assert [p.candidate.rank for p in result.selected] == [1, 2, 3]
    assert ids(result)[0] == papers[-1].id
    assert "after reranking" in result.selected[0].reasons.numbers
    assert services.index.searches == [(3, 100)]  # the abstract and what the ranker adds, one call
    pages = tuple(QueryPart(paper.abstract, paper.id) for paper in papers[:2])
    draft = Query("draft", pages, abstract=QUERY)
    fused = related_work(draft, services, Options(breadth=6), Recorder())
    assert services.index.searches[1] == (5, 100)
    assert sorted(ids(fused)) == sorted(paper.id for paper in papers)
    scores = {p.candidate.paper.id: p.candidate.score for p in fused.selected}
    assert scores[papers[0].id] == pytest.approx(1 / 21 + 1 / 26)  # first by its pages, last by the ranker


def test_the_ranker_sees_the_citations_around_the_draft() -> None:
    seen: list[CitationGraph] = []

    class Noting(Ranker):
        def search_rows(self, query: Any) -> Any:
            return np.eye(1, query.size, dtype=np.float32)

        def rank(self, query: Any, asked: Any, candidates: Any, graph: Any = None) -> list[Candidate]:
            seen.append(graph)
            return list(candidates)

    papers, embedder = library(4), WordEmbedder()
    graph = CitationGraph((Paper("cited", "A cited work"),), (CitationLink(papers[0].id, "cited"),))
    index = JoinedIndex(None, embedder.name, embedder.dimension)
    rows = embedder.embed_documents([paper.abstract for paper in papers])
    index.hold((HeldPaper(paper, row, "") for paper, row in zip(papers, rows, strict=True)), graph)
    services = World(papers).services(ranker=Noting())
    for place in (services.index, index):
        related_work(about(QUERY), replace(services, index=place), Options(breadth=2), Recorder())
    assert seen == [CitationGraph(), graph]


def test_a_failed_download_is_no_advantage() -> None:
    # pages are always further from the query than abstracts; the unread paper has the weakest abstract
    papers = library(6)
    pages = {paper.id: [f"{paper.abstract} and many other words {i}"] for i, paper in enumerate(papers[:5])}
    weak = Paper("2402.00001", "Weak", " ".join([*WORDS[:5], "a", "b", "c"]))
    services = World([*papers, weak], pages).services()
    result = related_work(about(QUERY), services, Options(breadth=7), Recorder())
    assert ids(result)[-1] in (weak.id, papers[5].id)
    assert ids(result).index(weak.id) >= 5


def sentence_query(sentence: str, paragraph: str) -> Query:
    return Query("sentence", (QueryPart(paragraph, "the selected sentence"),), text=sentence)


def test_a_sentence_gets_at_most_three_papers_each_with_its_passage() -> None:
    text = "Bioluminescent dinoflagellates illuminate brackish estuarine mangrove lagoons."
    papers = [
        Paper(
            f"2401.{i:05d}",
            f"Title {i}",
            f"Nothing of it here. Bioluminescent dinoflagellates illuminate brackish estuarine mangrove {i}. Trees. Stones rest.",
        )
        for i in range(4)
    ]
    others = [Paper(f"2402.{i:05d}", f"Trees {i}", "Trees grow. Stones rest.") for i in range(40)]
    pages = {papers[0].id: [f"Something else entirely. {text} More. Still more."]}
    query = sentence_query(text, f"{text} Trees grow.")
    services = World([*papers, *others], pages).services()
    result = find_citations(query, services, Options(), Recorder())
    assert len(result.selected) == 3
    assert result.selected[0].candidate.paper.id == papers[0].id
    (evidence,) = result.selected[0].evidence
    assert evidence.passage.page == 1 and "mangrove lagoons" in evidence.passage.text
    assert len(evidence.passage.text) < 140
    (sentence,) = result.section.sentences
    assert sentence.text == query.text and sentence.evidence == ("1", "2", "3")
    assert "chance to fit your sentence" in result.selected[0].reasons.numbers


def test_a_sentence_that_nothing_supports_gets_nothing() -> None:
    papers = [Paper("2401.00001", "T", "Entirely other matters are at hand.")]
    query = sentence_query("Red fish swim.", "Red fish swim.")
    result = find_citations(query, World(papers).services(), Options(), Recorder())
    assert result.selected == () and result.section.paragraphs == ()
    assert UNSUPPORTED in result.notes
    assert result.left_out


def test_papers_that_do_not_fit_the_sentence_are_left_out_and_offered_last_for_picking() -> None:
    sentence = "Red fish swim in deep cold water."
    abstract = "Fish are rare. Trees grow in old woods where quiet rivers bend around many green hills today."
    papers = [
        Paper("2401.00001", "Woods", abstract, AUTHORS),
        Paper("2401.00002", "Stars", "Stars shine at night.", AUTHORS),
    ]
    query = sentence_query(sentence, sentence)
    without = find_citations(query, World(papers).services(), Options(), Recorder())
    assert without.selected == () and without.notes[0] == UNSUPPORTED
    assert without.left_out[0].paper == papers[0] and not without.left_out[0].likely, "the nearest first"
    held = World([*papers, Paper("2401.00003", "Fish in deep cold water", sentence, AUTHORS)]).services()
    found = find_citations(query, held, Options(), Recorder())
    assert [s.candidate.paper.title for s in found.selected] == ["Fish in deep cold water"]
    assert UNSUPPORTED not in found.notes
    offered = find_citations(query, held, Options(), Recorder(), offered=True).selected
    assert [s.candidate.likely for s in offered] == [True, False, False]
    chances = [s.candidate.chance or 0 for s in offered]
    assert chances == sorted(chances, reverse=True)


def test_a_question_that_no_paper_answers_gets_no_quotations() -> None:
    papers = [
        Paper("2401.00001", "Woods", "Trees grow in old woods. Red fish swim in cold water there.", AUTHORS)
    ]
    services = replace(World(papers).services(), writer=ExtractiveWriter(WordEmbedder()))

    def answer(question: str, cited: frozenset[str] = frozenset()) -> Result:
        query = Query("question", (QueryPart(question, "the question"),), text=question, cited_ids=cited)
        return related_work(query, services, Options(), Recorder())

    without = answer("Is the earth flat?")
    assert without.selected == () and not without.section.sentences
    assert without.notes[-1] == UNANSWERED, "papers on other subjects are not named"
    for cited in (frozenset(), frozenset({papers[0].id})):  # a paper that the draft cites answers too
        [sentence] = answer("Where do red fish swim in water?", cited).section.sentences
        assert "Red fish swim" in sentence.text


def test_a_whole_draft_is_one_batch_and_one_search_and_says_which_page_found_a_paper() -> None:
    papers = [
        Paper("2401.00001", "Fish", "red fish swim in water"),
        Paper("2401.00002", "Birds", "blue birds fly over land"),
    ]
    services = World(papers).services()
    parts = (
        QueryPart("blue birds fly over hills", "a.tex:1"),
        QueryPart("red fish swim in lakes", "b.tex:9"),
    )
    query = Query("draft", parts, abstract="fish and birds")
    result = related_work(query, services, Options(breadth=2, full_text=False), Recorder())
    assert services.index.searches == [(3, 12 + 2)]  # two pages and the abstract
    assert services.embedder.batches == [3]
    why = {p.candidate.paper.title: p.reasons.numbers for p in result.selected}
    assert "closest to a.tex:1" in why["Birds"] and "closest to b.tex:9" in why["Fish"]


def test_similarities_are_exact_for_parts_whose_search_did_not_return_the_paper() -> None:
    from texgeist_retrieval.pipeline.candidates import merge

    rows = np.eye(2, dtype=np.float32)
    mixed = np.array([0.6, 0.8], dtype=np.float32)
    found = [[Candidate(Paper("a", "A"), 0.6, 1, vector=mixed)], []]
    (candidate,) = merge(found, rows, 2)
    assert candidate.score == pytest.approx(0.7)
    assert candidate.similarity == pytest.approx(0.8) and candidate.found_by == 1


TEXTS = ["red fish swim in water", "blue birds fly over land", "green trees grow on hills"]
PARTS = tuple(QueryPart(text, f"draft.tex:{n}") for n, text in enumerate(TEXTS, start=1))


def test_every_page_of_the_draft_counts_when_pages_are_chosen() -> None:
    # the paper's second page answers the draft's third part; by part one alone, page 1 would be chosen
    paper = Paper("2401.00001", "Trees", "green trees grow and red fish swim")
    pages = {paper.id: ["red fish and other animals of many kinds", PARTS[2].text]}
    query = Query("draft", PARTS, abstract="nature")
    result = related_work(query, World([paper], pages).services(), Options(breadth=1, depth=1), Recorder())
    assert [e.passage.page for e in result.selected[0].evidence] == [None, 2]


def test_a_paper_without_authors_is_not_cited_unless_another_record_names_them() -> None:
    named, unnamed, twin = library(3)
    unnamed, bare = (
        replace(unnamed, authors=()),
        replace(twin, authors=(), title="A Title of Many Words Here"),
    )
    twin = replace(bare, id="bib:twin", abstract="", authors=AUTHORS)
    papers, embedder = [named, unnamed, bare, twin], WordEmbedder()
    index = JoinedIndex(None, embedder.name, embedder.dimension)
    rows = embedder.embed_documents([paper.abstract or paper.title for paper in papers])
    held = (HeldPaper(paper, row, "") for paper, row in zip(papers, rows, strict=True))
    index.hold(held, CitationGraph())
    services = World(papers).services(index=index)
    result = related_work(about(QUERY), services, Options(breadth=4), Recorder())
    cited = {s.candidate.paper.id: s.candidate.paper.authors for s in result.selected}
    assert cited == {named.id: AUTHORS, bare.id: AUTHORS}
    assert any("no authors are known: 1 paper, such as" in note for note in result.notes)


def test_papers_cited_elsewhere_are_cited_again_on_request_or_if_the_library_has_few_others() -> None:
    papers = library(8)
    query = replace(
        about(QUERY), cited_ids=frozenset(p.id for p in papers[:4]), discussed=(Paper(papers[0].id, ""),)
    )

    def cited(asked: Query, held: list[Paper]) -> tuple[set[str], bool]:
        result = related_work(asked, World(held).services(), Options(breadth=8), Recorder())
        told = any("cites papers that you cite elsewhere" in note for note in result.notes)
        return {s.candidate.paper.id for s in result.selected}, told

    few, many = papers[:5], [*papers, *library(20)[8:]]
    assert cited(query, few) == ({p.id for p in papers[1:5]}, True), "not the paper that is discussed already"
    assert not cited(query, many)[0] & query.cited_ids
    ids, told = cited(replace(query, again=True), many)
    assert ids & query.cited_ids == {p.id for p in papers[1:4]} and not told
    titles = [replace(p, abstract="") for p in papers[1:4]]
    left = related_work(
        replace(query, again=True), World(titles).services(), Options(breadth=8), Recorder()
    ).left_out
    assert not any(c.already_cited for c in left), "the reason is that only their titles are known"
    searched = find(query, World(few).services(), 8, Filters(), Recorder())
    assert sum(c.already_cited for c in searched.candidates) == 4, "only a section cites again"
    sentence = replace(query, kind="sentence", text=QUERY)
    searched = find(sentence, World(few).services(), 8, Filters(), Recorder())
    assert sum(c.again for c in searched.candidates) == 4, "a sentence may cite what others cite"


def test_notes_give_no_place_to_papers_of_which_only_the_title_is_known() -> None:
    papers = library(8)
    bare = [replace(paper, abstract="", title=f"{QUERY} {n}") for n, paper in enumerate(papers[:4])]
    services = World([*bare, *papers[4:]]).services()
    result = related_work(about(QUERY), services, Options(breadth=4, full_text=False), Recorder())
    assert {s.candidate.paper.id for s in result.selected} == {paper.id for paper in papers[4:]}
    assert {c.left_out for c in result.left_out} == {
        "Only its title is known, so nothing of it can be quoted."
    }


@pytest.mark.parametrize("bare", [60, 300])
def test_titles_of_a_large_bibliography_do_not_take_the_places_of_papers_with_abstracts(bare: int) -> None:
    titles = [Paper(f"bib:{n}", f"{QUERY} {n}", "", AUTHORS) for n in range(bare)]
    held = [*titles, *library(12)]
    index = MemoryIndex(WordEmbedder(), held)
    index.vectors = WordEmbedder().embed_documents([paper.abstract or paper.title for paper in held])
    options = Options(breadth=10, full_text=False)
    result = related_work(about(QUERY), World(held).services(index=index), options, Recorder())
    assert len(result.selected) == 10 and all(s.candidate.paper.abstract for s in result.selected)


def test_papers_that_fit_a_question_are_not_said_to_be_about_something_else() -> None:
    found = [
        replace(Candidate(Paper("a", "Fish", "Fish swim."), 0.5, 1), chance=chance) for chance in (0.6, 0.1)
    ]
    assert nearest_in_words(found) == "Nearest: “Fish” (no year, likely)."
    assert nearest_in_words(found[1:]) == "Nearest: “Fish” (no year, unlikely)."
    assert nearest_in_words([replace(found[1], similarity=0.1)]) == ""
