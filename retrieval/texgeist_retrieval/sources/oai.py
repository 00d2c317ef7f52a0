"""Reads all changes at arXiv since the last run, by OAI-PMH. Only a date and the name of a set are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from ..errors import SourceUnavailable
from ..types import Paper
from .arxiv import LARGEST_ANSWER, parse_xml
from .records import Record, UnreadableRecord, is_withdrawn, one_line
from .registered import Harvest

_OAI = {"o": "http://www.openarchives.org/OAI/2.0/", "x": "http://arxiv.org/OAI/arXiv/"}


class OaiHarvest(Harvest):
    """All changes in a set of arXiv, including deletions. A set is, for example, `cs`; "" stands for all
    papers."""

    usual = "https://oaipmh.arxiv.org"
    path = "oai"
    largest = LARGEST_ANSWER

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        parameters = {"verb": "ListRecords", "metadataPrefix": "arXiv"}
        parameters |= {"set": self._text} if self._text else {}
        parameters |= {"from": self._since} if self._since else {}
        while parameters:
            answer = self._answer(parameters)
            self.until = self.until or (answer.findtext("o:responseDate", "", _OAI))[:10]
            for element in answer.iterfind("o:ListRecords/o:record", _OAI):
                self.position += 1
                if (record := _record(element)) is not None:
                    yield record
            parameters = self._following(answer.find("o:ListRecords/o:resumptionToken", _OAI))

    def _following(self, token: ElementTree.Element | None) -> dict[str, str]:
        if token is None or not (token.text or "").strip():
            return {}
        total = token.get("completeListSize", "")
        self.size = int(total) if total.isdecimal() and len(total) < 12 else None
        return {"verb": "ListRecords", "resumptionToken": str(token.text).strip()}

    def _answer(self, parameters: Mapping[str, str]) -> ElementTree.Element:
        if (answer := parse_xml(self._ask(parameters))) is None:
            raise SourceUnavailable("arXiv did not answer with a list of records.", "Try again in a minute.")
        error = answer.find("o:error", _OAI)
        if error is not None and error.get("code") != "noRecordsMatch":
            raise SourceUnavailable(
                f"arXiv refused the harvest: {one_line(error.text) or error.get('code')}.",
                "Check the set and the date, and run the command again.",
            )
        return answer


def _record(element: ElementTree.Element) -> Record | UnreadableRecord | None:
    header = element.find("o:header", _OAI)
    name = element.findtext("o:header/o:identifier", "", _OAI).removeprefix("oai:arXiv.org:")
    if header is not None and header.get("status") == "deleted":
        return Record(Paper(id=name, title=""), gone=True) if name else None
    metadata = element.find("o:metadata/x:arXiv", _OAI)
    if metadata is None:
        return UnreadableRecord(name or "a record", "it has no metadata")
    paper, comments = _paper(metadata)
    if not paper.id or not paper.title:
        return UnreadableRecord(name or "a record", "it has no id or no title")
    return Record(paper, is_withdrawn(paper.abstract, comments))


def _paper(metadata: ElementTree.Element) -> tuple[Paper, str]:
    known: dict[str, Any] = {
        name: one_line(metadata.findtext(f"x:{name}", "", _OAI))
        for name in ("id", "title", "abstract", "created", "updated", "doi", "comments", "journal-ref")
    }
    categories = tuple(metadata.findtext("x:categories", "", _OAI).split())
    created = known["created"]
    paper = Paper(
        id=known["id"],
        title=known["title"],
        abstract=known["abstract"],
        authors=tuple(
            one_line(
                " ".join(
                    author.findtext(f"x:{part}", "", _OAI) for part in ("forenames", "keyname", "suffix")
                )
            )
            for author in metadata.iterfind("x:authors/x:author", _OAI)
        ),
        year=int(created[:4]) if created[:4].isdecimal() else None,
        published=created,
        updated=known["updated"],
        primary=categories[0] if categories else "",
        categories=categories,
        doi=known["doi"],
        venue=known["journal-ref"],
        url=f"https://arxiv.org/abs/{known['id']}",
    )
    return paper, known["comments"]
