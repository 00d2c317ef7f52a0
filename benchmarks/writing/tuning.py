"""The recipe for a tuned writer (docs/local-models.md), from end to end on a processor.

    python -m benchmarks.writing.tuning --model smollm2.gguf --out tuned.gguf [--minutes 120] [--asked 10]

Needs torch, transformers, peft, gguf and xllamacpp, and a GGUF file of the architecture `llama`. Drafts of
DeepScholar-Bench with one to three of their papers, and the sentences of `retold.jsonl` for these papers, become
the requests and answers of `texgeist export-training` (UR3WG, sections 4.4-4.5). LoRA learns the answers, in
the last blocks only, because the backward pass through all takes twice the time. The product's local writer
then writes on other drafts with both files; an answer that cites an id that was not given is refused."""

from __future__ import annotations

import argparse
import contextlib
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from texgeist_retrieval.errors import WriterError
from texgeist_retrieval.models.local import LocalModel
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.training.export import Example, lines
from texgeist_retrieval.writing import ModelWriter

from .data import Task, as_selected, retold, tasks, vectors

HELD = 6  # drafts that are asked for and not learned
RANK, RATE, BLOCKS = 8, 1e-3, 10
LAYERS = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
}  # fmt: skip
OUTSIDE = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}


def examples(some: Sequence[Task]) -> Iterator[Example]:
    """One to three neighbouring papers of a draft, with a sentence for each."""
    told = dict(retold())
    for task in some:
        papers = [paper for paper in task.papers if paper.id in told]
        for size in range(1, 4):
            for window in (tuple(papers[at : at + size]) for at in range(len(papers) - size + 1)):
                said = [told[paper.id] for paper in window]
                text = (f"[{n}] {s}" if s[0].islower() else f"{s[:-1]} [{n}]." for n, s in enumerate(said, 1))
                yield Example("", task.abstract, window, " ".join(text))


def tune(base: Path, data: Sequence[list[dict[str, str]]], out: Path, seconds: float) -> None:
    """Trains LoRA weights on the chats for at most `seconds`, merges them, and writes the model to `out`."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    tokenizer = AutoTokenizer.from_pretrained(base.parent, gguf_file=base.name)
    dense = GgufConfig(dequantize=True)
    model = AutoModelForCausalLM.from_pretrained(
        base.parent, gguf_file=base.name, dtype=torch.bfloat16, quantization_config=dense
    )
    blocks = [*range(model.config.num_hidden_layers)][-BLOCKS:]
    linear = [name.split(".")[1] for name in LAYERS.values() if "." in name]
    lora = LoraConfig(r=RANK, lora_alpha=2 * RANK, target_modules=linear, layers_to_transform=blocks)
    model = get_peft_model(model, lora)
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=RATE)
    losses, started = list[float](), time.monotonic()
    for count, messages in enumerate(data, 1):
        whole = tokenizer.apply_chat_template(messages, tokenize=False)
        asked = tokenizer.apply_chat_template(messages[:-1], tokenize=False, add_generation_prompt=True)
        ids = tokenizer(whole, return_tensors="pt").input_ids
        answer = ids.shape[1] - len(tokenizer(asked).input_ids)
        logits = model(input_ids=ids, logits_to_keep=answer + 1).logits[0, :-1]
        loss = torch.nn.functional.cross_entropy(logits.float(), ids[0, -answer:])
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        losses.append(loss.item())
        spent = time.monotonic() - started
        if count % 10 == 0:
            print(f"{count} examples, loss {sum(losses[-10:]) / 10:.2f}, {spent:.0f} s", flush=True)
        if spent > seconds:
            break
    write_gguf(model.merge_and_unload(), base, out)


def write_gguf(model: Any, base: Path, out: Path) -> None:
    """Writes the weights (16 bits) with the metadata and the tokenizer of `base`. llama.cpp stores the rows of
    queries and keys in another order than transformers."""
    import gguf
    import numpy as np

    reader, writer = gguf.GGUFReader(base), gguf.GGUFWriter(out, "llama")
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name != "general.architecture":
            kind, file_type = field.types[0], field.name == "general.file_type"
            value = int(gguf.LlamaFileType.MOSTLY_F16) if file_type else field.contents()
            inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(field.name, value, kind, inner)
    heads = {"attn_q": model.config.num_attention_heads, "attn_k": model.config.num_key_value_heads}
    state = model.state_dict()
    for tensor in reader.tensors:
        *block, name = tensor.name.removesuffix(".weight").rsplit(".", 1)
        key = f"model.layers.{block[0].split('.')[1]}.{LAYERS[name]}" if block else OUTSIDE[name]
        rows = state[f"{key}.weight"].float().numpy()
        if name in heads:
            rows = rows.reshape(heads[name], 2, -1, rows.shape[1]).swapaxes(1, 2).reshape(rows.shape)
        writer.add_tensor(tensor.name, rows.astype(np.float32 if rows.ndim == 1 else np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def answers(file: Path, some: Sequence[Example], data: Path) -> str:
    """What the local writer accepts of this model."""
    known, cited = vectors(data), list[set[str]]()
    writer = ModelWriter(LocalModel(file.stem, folder=file.parent, timeout=300.0), summaries=False)
    for example in some:
        with contextlib.suppress(WriterError):
            selected = as_selected(example.references, known)
            section = writer.write(example.query, selected, Silent()).section
            cited.append({id for p in section.paragraphs for s in p.sentences for id in s.evidence})
    given = sum(len(example.references) for example in some)
    return (
        f"{file.stem}: {len(cited)} of {len(some)} accepted, {sum(map(len, cited))} of {given} papers cited"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--asked", type=int, default=10)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[3] / "shared" / "data")
    options = parser.parse_args()
    found = tasks(options.data)
    others, held = [*examples(found[HELD:])], [*examples(found[:HELD])]
    random.Random(0).shuffle(others)
    chats = [line["messages"] for line in lines(others, []) if '"section"' in line["messages"][-1]["content"]]
    tune(options.model, chats, options.out, 60.0 * options.minutes)
    for file in (options.model, options.out):
        print(answers(file, random.Random(0).sample(held, options.asked), options.data), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
