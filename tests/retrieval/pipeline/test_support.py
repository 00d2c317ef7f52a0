"""Is a sentence supported: the judge's answer is closed, and doubt is an abstention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from texgeist_retrieval.errors import WriterInvalid
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.support import NOT_JUDGED, Support, judge_support, read_support
from texgeist_retrieval.types import Usage


class Judge:
    """Answers what it is told to, and keeps what it was asked."""

    name, local, price = "judge", True, None

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def prepare(self) -> None: ...

    def complete_json(
        self, system: str, user: str, schema: Mapping[str, Any], **_: object
    ) -> tuple[Any, Usage]:
        self.asked.append(user)
        return self.answer, Usage()


@pytest.mark.parametrize(
    ("said", "label"), [("supported", "SUPPORT"), ("contradicted", "REFUTE"), ("not stated", "NEI")]
)
def test_a_sure_judge_is_believed(said: str, label: Any) -> None:
    judge = Judge({"label": said, "sureness": 90})
    assert judge_support(judge, "A claim.", "A passage.", Silent()) == Support(label, 0.9)
    assert "A claim." in judge.asked[0] and "A passage." in judge.asked[0]


def test_a_doubting_judge_abstains() -> None:
    assert read_support({"label": "contradicted", "sureness": 60}) == Support("ABSTAIN", 0.6)


@pytest.mark.parametrize(("claim", "text"), [("", "x"), ("x", " ")])
def test_nothing_is_asked_about_nothing(claim: str, text: str) -> None:
    judge = Judge({})
    assert judge_support(judge, claim, text, Silent()) == NOT_JUDGED and not judge.asked


@pytest.mark.parametrize(
    "answer", [None, [], {}, {"label": "yes", "sureness": 90}, {"label": "supported", "sureness": True},
               {"label": "supported", "sureness": 900}, {"label": "supported"}],
)  # fmt: skip
def test_an_open_answer_is_refused(answer: Any) -> None:
    with pytest.raises(WriterInvalid):
        read_support(answer)
