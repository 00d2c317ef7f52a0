"""A model on this machine that judges by a word: what holds `hinder` is contradicted, what holds `unheard` is not
stated, all else is supported. It speaks OpenAI's protocol."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..http_server import Handler, served


@dataclass
class Judge:
    address: str = ""
    asked: list[str] = field(default_factory=list)

    @property
    def config(self) -> str:
        return f'[writer]\nbaseUrl = "{self.address}"\nmodel = "m"\n'


MISSING = "that anybody \x1b[31mheard of it."


def verdict_on(words: str, missing: str) -> dict[str, object]:
    label = "contradicted" if "hinder" in words else "not stated" if "unheard" in words else "supported"
    return {"label": label, "sureness": 90, "missing": "" if label == "supported" else missing}


@contextlib.contextmanager
def judging(weakened: str = "", missing: str = MISSING) -> Iterator[Judge]:
    """`weakened`: what it makes of a sentence that is to be weakened; `missing`: what it finds lacking."""
    judge = Judge()

    class Judging(Handler):
        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
            judge.asked.append(asked)
            user = str(json.loads(asked)["messages"][-1]["content"])
            text = json.dumps(verdict_on(user, missing))
            if user.startswith("["):  # several pairs
                pairs = json.loads(user[: user.rindex("]") + 1])
                verdicts = [{"pair": one["pair"], **verdict_on(one["sentence"], missing)} for one in pairs]
                text = json.dumps({"verdicts": verdicts})
            if "You edit one sentence" in asked:
                text = json.dumps({"sentence": weakened})
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for delta, reason in (({"content": text}, None), ({}, "stop")):
                choice = {"index": 0, "delta": delta, "finish_reason": reason}
                chunk = {
                    "id": "1",
                    "object": "chat.completion.chunk",
                    "created": 1,
                    "model": "m",
                    "choices": [choice],
                }
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")

    with served(Judging) as address:
        judge.address = f"{address}/v1"
        yield judge
