"""One short training on a small subset: the whole path from phrasings to a served model. Skipped without torch."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agent.intent.classifier import IntentClassifier
from agent.intent.intents import Intent
from agent.intent.widen import DATA, phrasings, plain_pairs

# as in agent/intent/export.py, which cannot be imported without torch
NEARNESS, WEIGHT, FLOOR = 0.05, 0.5, 0.01

needed = ("torch", "transformers", "onnx", "onnxscript")
missing = [name for name in needed if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.model,
    pytest.mark.skipif(bool(missing), reason=f"training needs {', '.join(missing)}"),
]

TINY_BERT = """
import sys
from transformers import BertConfig, BertModel, BertTokenizerFast
folder, words = sys.argv[1], sys.argv[2].split()
vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(set(words))]
open(folder + "/vocab.txt", "w").write("\\n".join(vocabulary))
BertTokenizerFast(vocab={word: at for at, word in enumerate(vocabulary)}).save_pretrained(folder)
config = BertConfig(vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64)
BertModel(config).save_pretrained(folder)
"""


def python(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        capture_output=True,
        text=True,
        cwd=DATA.parents[2],
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_one_epoch_on_64_sentences_gives_a_model_that_both_backends_serve(tmp_path: Path) -> None:
    base, out, weights = tmp_path / "base", tmp_path / "out", tmp_path / "weights"
    base.mkdir()
    rows = [(line, intent) for intent in Intent for line in phrasings(intent)[:8]]
    small = tmp_path / "small.jsonl"
    small.write_text(
        "".join(json.dumps({"text": text, "intent": intent.value}) + "\n" for text, intent in rows)
    )
    words = " ".join(text for text, _ in rows).lower()
    python("-c", TINY_BERT, str(base), words)
    files = {"base": base, "out": out, "weights": weights, "train": small, "test": small}
    options = [f"--{name}={path}" for name, path in files.items()]
    python("-m", "agent.intent.train", *options, "--epochs=1", "--batch=8")

    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["served_int8"]["count"] == 64
    assert sum(sum(row.values()) for row in metrics["served_int8"]["confusion"].values()) == 64
    assert sorted(path.name for path in out.iterdir()) == [
        "config.json",
        "metrics.json",
        "model.int8.onnx",
        "tokenizer.json",
    ]
    served, network = IntentClassifier.load(out), IntentClassifier.load(weights)
    plain = {text for text, _ in plain_pairs()}
    memory = [(text, intent) for text, intent in rows if text in plain]
    expected: dict[tuple[str, Intent], float] = {}
    vectors = network.embed([text for text, _ in memory])
    for text, _ in rows[::9]:
        votes = np.exp(vectors @ network.embed([text])[0] / NEARNESS)
        for score in served.rank(text):
            alone = next(other.probability for other in network.rank(text) if other.intent is score.intent)
            share = sum(
                vote for vote, (_, intent) in zip(votes, memory, strict=True) if intent is score.intent
            )
            share /= votes.sum()
            expected[text, score.intent] = alone * (share + FLOOR) ** WEIGHT
        total = sum(expected[text, intent] for intent in Intent)
        for score in served.rank(text):
            assert score.probability == pytest.approx(expected[text, score.intent] / total, abs=0.08)
        assert served.embed([text])[0] @ network.embed([text])[0] > 0.95
