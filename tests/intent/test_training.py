"""One short training on a small subset: the whole path from phrasings to a served model. Skipped without torch."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.intent.classifier import IntentClassifier
from agent.intent.intents import Intent
from agent.intent.widen import DATA, phrasings

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
    served, original = IntentClassifier.load(out), IntentClassifier.load(weights)
    for text, _ in rows[::9]:
        exact = {score.intent: score.probability for score in original.rank(text)}
        for score in served.rank(text):
            assert score.probability == pytest.approx(exact[score.intent], abs=0.05)
        assert served.embed([text])[0] @ original.embed([text])[0] > 0.95
