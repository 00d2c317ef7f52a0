"""`expansion` in `writer.calls`: the model is asked before the search only where the user wants it, and a dry run
shows what it would be sent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .slow import SlowModel
from .test_cli import texgeist

ASKED = "its related-work section would cite"


def configure(model: SlowModel, env: dict[str, str], expansion: bool) -> None:
    written = [f'{name} = "{value}"' for name, value in model.settings()["writer"].items()]
    Path(env["TEXGEIST_CONFIG"]).write_text(
        "\n".join(["[writer]", *written, "calls = ['expansion']" if expansion else "calls = []"])
    )


@pytest.mark.parametrize("expansion", [True, False])
def test_the_model_is_asked_first_where_it_is_wanted(
    paper: Path, searching: dict[str, str], slow_model: SlowModel, expansion: bool
) -> None:
    configure(slow_model, searching, expansion)
    command = ("related-work", str(paper / "main.tex"), "--breadth", "2", "--json")

    shown = json.loads(texgeist(searching, *command, "--dry-run").stdout)

    assert slow_model.prompts == []
    assert (ASKED in shown["text"]) == expansion
    done = texgeist(searching, *command)
    assert done.returncode == 0, done.stderr
    assert [ASKED in prompt for prompt in slow_model.prompts].count(True) == expansion
    if expansion:
        _, user = json.loads(slow_model.prompts[0])
        assert user["content"] in shown["text"], "the exact text"
