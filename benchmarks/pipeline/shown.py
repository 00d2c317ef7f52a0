"""What each step of a run asked, got and took, for `trace.py`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlsplit

from texgeist_retrieval.costs import in_words
from texgeist_retrieval.pipeline.longlist import Listed
from texgeist_retrieval.pipeline.reading import Reading
from texgeist_retrieval.pipeline.recipes import Chosen, Gathered
from texgeist_retrieval.services import Options
from texgeist_retrieval.types import Result

from tests.retrieval.arxiv_server import Arxiv
from tests.retrieval.model_server import Call, ModelServer


def search(gathered: Gathered, read: int) -> None:
    found = gathered.found
    by = "by the learned order" if gathered.ranked else "by similarity"
    print(
        f"\nSEARCH  {found.index}, ids and vectors alone: {len(found.candidates)} papers, {by}, {read} read"
    )


def longlist(listed: Sequence[Listed], options: Options) -> None:
    print(f"\nLONGLIST  {len(listed)} by Equation 1, diversity {options.diversity}")
    for number, one in enumerate(listed, start=1):
        candidate = one.candidate
        print(
            f"  {number:2} s={one.relevance:.3f} max sim={one.redundancy:.3f} search rank {candidate.rank:2}  "
            f"{candidate.paper.id} {candidate.paper.title[:64]}"
        )


def arxiv(server: Arxiv) -> None:
    requests = server.asked_for("/api/query")
    pdfs = [(path, took) for path, took in server.took if path.startswith("/pdf/")]
    print(
        "\nARXIV  asked for metadata in", "one request" if len(requests) == 1 else f"{len(requests)} requests"
    )
    for path in requests:
        ids = parse_qs(urlsplit(path).query)["id_list"][0].split(",")
        took = next(seconds for asked, seconds in server.took if asked == path)
        print(f"  {len(ids)} ids ({', '.join(ids[:3])}, …), answered in {1000 * took:.0f} ms")
    if pdfs:
        mean = sum(took for _, took in pdfs) / len(pdfs)
        print(f"  {len(pdfs)} PDFs, at most {server.most_at_once} at once, {1000 * mean:.0f} ms each")


def pages(weighed: Sequence[Listed], readings: Mapping[str, Reading]) -> None:
    print("\nPAGES  of the best papers, kept ones with *, similarity in parentheses")
    for paper in weighed:
        kept = {page.passage.page: page.similarity for page in paper.pages}
        held = readings.get(paper.candidate.paper.id)
        numbers = [p.page for p in held.passages] if held else []
        marks = " ".join(f"{n}*({kept[n]:.3f})" if n in kept else f"{n}" for n in numbers)
        print(f"  {paper.score:.3f} [{marks}] {paper.candidate.paper.title[:70]}")


def shortlist(chosen: Chosen) -> None:
    print("\nSHORTLIST")
    for selected in chosen.selected:
        ids = ", ".join(e.id for e in selected.evidence)
        print(f"  {selected.candidate.paper.title}\n      evidence {ids}; {selected.why}")


def calls(server: ModelServer) -> None:
    if not server.calls:
        return
    print(f"\nMODEL  {len(server.calls)} calls, at most {server.most_open} at once")
    first = min(call.began for call in server.calls)
    for call in sorted(server.calls, key=lambda call: call.began):
        sent, written = call.turn.tokens
        times = f"{call.began - first:5.2f}-{call.ended - first:5.2f} s"
        print(f"  {times}  {sent:5} tokens in, {written:4} out  {_asked(call)[:60]}")
    for call in (server.calls[0], server.calls[-1]):
        print(f"\n  the {'first' if call is server.calls[0] else 'last'} call, as it went over the wire:")
        for message in call.request["messages"]:
            print(_block(f"{message['role']}: {message['content']}", 1100))
        print(_block(f"answer: {json.dumps(call.turn.answer, ensure_ascii=False)}", 900))


def _asked(call: Call) -> str:
    return " ".join(call.request["messages"][0]["content"].split())


def _block(text: str, most: int) -> str:
    text = " ".join(text.split())
    cut = text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters)"
    return textwrap.fill(cut, 108, initial_indent="    ", subsequent_indent="    ")


def section(result: Result) -> None:
    owner = {e.id: s.candidate.paper for s in result.selected for e in s.evidence}
    numbers = {s.candidate.paper.id: n for n, s in enumerate(result.selected, start=1)}
    print(f"\nSECTION  by {result.writer}")
    for paragraph in result.section.paragraphs:
        words = []
        for sentence in paragraph.sentences:
            keys = ",".join(sorted({str(numbers[owner[e].id]) for e in sentence.evidence}, key=int))
            lead = f"{sentence.lead} " if sentence.lead else ""
            cited = f"{lead}[{keys}] {sentence.text}" if sentence.textual else f"{sentence.text} [{keys}]"
            words.append(cited.replace(" []", ""))
        print(textwrap.fill(" ".join(words), 110), "\n")
    for selected in result.selected:
        print(f"[{numbers[selected.candidate.paper.id]}] {selected.candidate.paper.title}")
    for note in result.notes:
        print("note:", note)
    used = result.usage
    if used.calls:
        print("tokens:", in_words(used.calls, used.input_tokens, used.output_tokens))
    print("left out:", len(result.left_out), "for instance:")
    for left in result.left_out[:3]:
        print(f"  {left.candidate.paper.title[:60]}: {left.reason}")
