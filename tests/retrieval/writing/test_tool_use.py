"""Tools against a real server: by both protocols, by plain JSON, and with what servers make of either."""

from __future__ import annotations

from typing import Any

import pytest
from texgeist_retrieval.conversation import Asked, Results, Tool
from texgeist_retrieval.errors import WriterDenied, WriterTruncated
from texgeist_retrieval.models.tool_use import ToolUser
from texgeist_retrieval.monitor import Silent

from ..model_server import Turn, model_at

SEARCH = Tool(
    "search",
    "Searches.",
    {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)
ENOUGH = Tool("enough", "Ends.", {**SEARCH.schema, "properties": {"why": {"type": "string"}}})
ASKED = (Asked("The draft."),)


def step(user: ToolUser, turns: Any = ASKED, monitor: Any = None) -> Any:
    return user.step("Be good.", turns, (SEARCH, ENOUGH), max_tokens=50, monitor=monitor or Silent())


def test_calls_and_their_results_go_there_and_back(provider: str, server: Any) -> None:
    server.script = [
        Turn("I look.", calls=[("search", {"query": "ü"}), ("search", {"query": "b"})]),
        Turn("That will do."),
    ]
    user = ToolUser(model_at(provider, server.url))
    said, usage = step(user)
    assert [(c.name, dict(c.given)) for c in said.calls] == [
        ("search", {"query": "ü"}),
        ("search", {"query": "b"}),
    ]
    assert said.text == "I look." and usage.calls == 1
    told = Results(tuple((c.id, f"Found for {c.given['query']}.") for c in said.calls))
    last, _ = step(user, (*ASKED, said, told))
    assert last.text == "That will do." and not last.calls
    sent = server.requests[1]["messages"]
    assert "tool_choice" not in server.requests[1]
    if provider == "anthropic":
        assert [b["type"] for b in sent[1]["content"]] == ["thinking", "text", "tool_use", "tool_use"]
        assert sent[1]["content"][0]["signature"] == "signed"
        ids = [b["tool_use_id"] for b in sent[2]["content"]]
        assert ids == [c.id for c in said.calls] and sent[2]["content"][0]["content"] == "Found for ü."
        assert server.requests[0]["tools"][0]["input_schema"] == SEARCH.schema
    else:
        assert [m["role"] for m in sent] == ["system", "user", "assistant", "tool", "tool"]
        assert [m["tool_call_id"] for m in sent[3:]] == [c["id"] for c in sent[2]["tool_calls"]]
        assert server.requests[0]["tools"][0]["function"]["parameters"] == SEARCH.schema


def test_a_server_without_tools_is_asked_in_json(provider: str, server: Any) -> None:
    server.script = [
        Turn(status=400, message="this model does not support tools"),
        Turn({"calls": [{"tool": "search", "query": "a", "why": ""}]}),
        Turn({"calls": [{"tool": "enough", "query": "", "why": "all there"}]}),
    ]
    user = ToolUser(model_at(provider, server.url))
    said, _ = step(user)
    assert [(c.name, dict(c.given)) for c in said.calls] == [("search", {"query": "a"})]
    told = Results(((said.calls[0].id, "Nothing."),))
    last, _ = step(user, (*ASKED, said, told))
    assert [(c.name, dict(c.given)) for c in last.calls] == [("enough", {"why": "all there"})]
    assert len(server.requests) == 3 and all("tools" not in r for r in server.requests[1:])
    whole = str(server.requests[2]["messages"])
    assert "The draft." in whole and "Nothing." in whole and last.calls[0].id != said.calls[0].id


def test_what_is_given_and_is_no_json_calls_with_nothing(provider: str, server: Any) -> None:
    server.script = [Turn(None, calls=[("search", '{"query": "a'), ("nothing", "[1]")])]
    said, _ = step(ToolUser(model_at(provider, server.url)))
    assert [(c.name, dict(c.given), c.broken) for c in said.calls] == [
        ("search", {}, True),
        ("nothing", {}, True),
    ]


def test_refused_keys_and_endless_calls_are_errors(provider: str, server: Any) -> None:
    server.script = [Turn(status=401, message="bad key"), Turn(None, calls=[("search", "x" * 200_000)])]
    user = ToolUser(model_at(provider, server.url))
    with pytest.raises(WriterDenied):
        step(user)
    with pytest.raises(WriterTruncated):
        step(user)
