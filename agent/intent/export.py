"""Writes a trained classifier as one int8 ONNX file with two outputs, and reads it back as serving does.

`logits` (batch, 8) rank the intents; `embedding` (batch, width) is the mean-pooled, unit-length sentence embedding. The
logits are the network's log-probabilities plus those of a memory: training texts near the text in the embedding vote for
their intents. The two err in different places, so together they err less. Dynamic quantisation of the weights (int8, one
scale a column) makes MiniLM's 91 MB into 23 MB; the memory adds 2 MB.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from agent.intent.classifier import IntentClassifier
from agent.intent.intents import Intent

if TYPE_CHECKING:
    from agent.intent.train import Model, Pairs

LABELS = [intent.value for intent in Intent]

MODEL_FILE = "model.int8.onnx"


NEARNESS = 0.05
"""Temperature of the vote: a training text whose cosine is less by this much counts e times less."""
WEIGHT = 0.5
"""Weight of the memory's log-probabilities beside the network's."""
FLOOR = 0.01
"""Least probability that the memory gives an intent, so that it cannot rule one out."""


class Served(nn.Module):
    """The traced graph: token ids and mask in, logits and embedding out."""

    def __init__(self, model: Model, memory: Pairs) -> None:
        super().__init__()
        self.net = model.net
        self.both = model.forward
        grouped = [[text for text, intent in memory if intent == label] for label in LABELS]
        vectors = model.predict([text for texts in grouped for text in texts])[1]
        self.memory = nn.Linear(
            vectors.shape[1], len(vectors), bias=False
        )  # a layer, so that it is quantised too
        self.memory.weight = nn.Parameter(vectors.clone(), requires_grad=False)
        self.sizes = [len(texts) for texts in grouped]

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        logits, embedding = self.both(input_ids, attention_mask)
        votes = torch.softmax(self.memory(embedding) / NEARNESS, dim=-1)
        shares = torch.cat([part.sum(-1, keepdim=True) for part in votes.split(self.sizes, dim=-1)], dim=-1)
        return torch.log_softmax(logits, dim=-1) + WEIGHT * torch.log(shares + FLOOR), embedding


def export(model: Model, memory: Pairs, out: Path) -> None:
    """Writes `model.int8.onnx`, `tokenizer.json` and `config.json` into `out`."""
    out.mkdir(parents=True, exist_ok=True)
    model.net.eval()
    ids, mask = model.encode(["Make the title bold", "Insert a table with two rows after the introduction"])
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        # the tracing exporter is deprecated; the other one fixes the length of the texts
        warnings.simplefilter("ignore")
        full = Path(scratch) / "model.onnx"
        torch.onnx.export(
            Served(model, memory).eval(),
            (ids, mask),
            str(full),
            input_names=["input_ids", "attention_mask"],
            output_names=["logits", "embedding"],
            dynamic_axes={name: {0: "batch", 1: "tokens"} for name in ("input_ids", "attention_mask")}
            | {name: {0: "batch"} for name in ("logits", "embedding")},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(full, out / MODEL_FILE, weight_type=QuantType.QInt8, per_channel=True)
    model.tokenizer.backend_tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    model.net.config.to_json_file(str(out / "config.json"))


def onnx_probabilities(directory: Path, texts: list[str]) -> list[list[float]]:
    """Probabilities in label order, one text at a time, through the classifier that is served."""
    classifier = IntentClassifier.load(directory)
    rows: list[list[float]] = []
    for text in texts:
        by_intent = {score.intent: score.probability for score in classifier.rank(text)}
        rows.append([by_intent[intent] for intent in Intent])
    return rows
