"""Lists of words in the code: no word twice, no name given twice, none that another list makes dead."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from texgeist_retrieval.text.vocabulary import COUNTED, FUNCTION, NAMES, WIDE

from .conftest import ROOT

MODULES = sorted(path for part in ("latex", "retrieval", "server") for path in (ROOT / part).rglob("*.py"))
PAIRED = {"GREEK", "_ROMAN_LETTERS"}  # words that stand beside others, by their place


def word_lists(tree: ast.Module) -> Iterator[list[str]]:
    """Literals that are split into words."""
    paired = {
        id(node)
        for line in tree.body
        if isinstance(line, ast.Assign)
        and isinstance(line.targets[0], ast.Name)
        and line.targets[0].id in PAIRED
        for node in ast.walk(line)
    }
    for node in ast.walk(tree):
        if id(node) not in paired and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            text = node.func.value
            if node.func.attr == "split" and isinstance(text, ast.Constant) and not node.args:
                yield str(text.value).split()


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_no_word_and_no_name_stands_twice(module: Path):
    tree = ast.parse(module.read_text("utf-8"))
    targets = [target for line in tree.body if isinstance(line, ast.Assign) for target in line.targets]
    names = Counter(target.id for target in targets if isinstance(target, ast.Name))
    assert not [name for name, count in names.items() if count > 1]
    for words in word_lists(tree):
        assert not [word for word, count in Counter(words).items() if count > 1]


def test_no_list_holds_what_another_shuts_out():
    """A word of FUNCTION ends a phrase, so that it is never looked for inside one."""
    inside = [word for words in (NAMES, WIDE) for word in words if word in FUNCTION]
    assert not inside
    assert not [word for word in COUNTED if word in FUNCTION and f"{word}s" in FUNCTION]
    assert not [word for word in COUNTED if "-" in word]  # keys of phrases have no hyphens
