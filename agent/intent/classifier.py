"""Ranks the eight intents for a sub-instruction, and embeds short texts with the same model.

The shipped model (`model/`) runs on onnxruntime and tokenizers: a few milliseconds of CPU, no torch. `STET_INTENT_MODEL` may
name a local directory of a transformers sequence classifier with the same eight labels; only then is transformers imported.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from agent.errors import AgentError
from agent.intent.intents import Intent

MODEL_VARIABLE = "STET_INTENT_MODEL"
SHIPPED = Path(__file__).parent / "model"
MAX_TOKENS = 128
"""Word pieces of a text that are read; the rest is cut off. A sub-instruction has 10 to 40."""
UNSURE = 0.5
"""Below this probability of the first intent, `top` answers with all eight."""

Floats = NDArray[np.float32]


class IntentModelUnavailable(AgentError):
    """The directory holds no usable classifier; the message names what is missing and how to get it."""

    code: ClassVar[str] = "INTENT_MODEL_UNAVAILABLE"


@dataclass(frozen=True)
class IntentScore:
    """One intent and how probable the classifier finds it."""

    intent: Intent
    probability: float
    """0 to 1; the eight of one text add up to 1."""


class Backend(Protocol):
    """What runs the network. Both calls may come from several threads at once."""

    labels: list[str]
    """The label of each logit."""

    def run(self, text: str) -> tuple[Floats, Floats]:
        """(logits, unit-length sentence embedding) of one text."""
        ...


class IntentClassifier:
    """Ranks intents; safe to share between threads."""

    def __init__(self, backend: Backend) -> None:
        known = {intent.value for intent in Intent}
        if set(backend.labels) != known:
            strange = sorted(set(backend.labels) ^ known)
            raise IntentModelUnavailable(
                f"the intent model's labels do not match the eight intents; differing: {', '.join(strange)}"
            )
        self._backend = backend
        self._intents = [Intent(label) for label in backend.labels]

    @classmethod
    def load(cls, directory: Path | None = None) -> IntentClassifier:
        """The classifier in `directory`, else the one `STET_INTENT_MODEL` names, else the shipped one.

        A directory with `model.int8.onnx` is served by onnxruntime, any other by transformers.
        """
        if directory is None:
            directory = Path(os.environ.get(MODEL_VARIABLE) or SHIPPED)
        if (directory / OnnxBackend.FILE).is_file():
            return cls(OnnxBackend(directory))
        if (directory / "config.json").is_file():
            return cls(TransformersBackend(directory))
        raise IntentModelUnavailable(
            f"no intent model in {directory}: neither {OnnxBackend.FILE} nor a transformers config.json is there"
        )

    def rank(self, text: str) -> list[IntentScore]:
        """All eight intents, the most probable first."""
        logits, _ = self._backend.run(text)
        powers = np.exp(logits.astype(np.float64) - logits.max())
        probabilities = powers / powers.sum()
        order = np.argsort(-probabilities, kind="stable")
        return [IntentScore(self._intents[index], float(probabilities[index])) for index in order]

    def top(self, text: str, k: int = 3) -> list[IntentScore]:
        """The `k` most probable intents; all eight when the first is less probable than `UNSURE`."""
        ranked = self.rank(text)
        return ranked if ranked[0].probability < UNSURE else ranked[:k]

    def embed(self, texts: Sequence[str]) -> Floats:
        """Unit-length sentence embeddings, (len(texts), width); their dot product is the cosine similarity.

        One text at a time: int8 scales depend on what is in a batch, and an embedding should not.
        """
        return np.stack([self._backend.run(text)[1] for text in texts])


def well_formed(text: str) -> str:
    """A text with lone surrogates, which no tokenizer takes, replaced by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


class OnnxBackend:
    """The exported model: `model.int8.onnx`, `tokenizer.json`, and `config.json` for the order of the labels."""

    FILE: ClassVar[str] = "model.int8.onnx"

    def __init__(self, directory: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        for name in ("tokenizer.json", "config.json"):
            if not (directory / name).is_file():
                raise IntentModelUnavailable(f"{directory} has {self.FILE} but no {name}")
        config = json.loads((directory / "config.json").read_text(encoding="utf-8"))
        self.labels = [
            label for _, label in sorted(config["id2label"].items(), key=lambda item: int(item[0]))
        ]
        self._tokenizer: Any = Tokenizer.from_file(str(directory / "tokenizer.json"))
        self._tokenizer.no_padding()  # the file asks for a fixed length, which costs time and changes nothing
        self._tokenizer.enable_truncation(MAX_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # a sentence is too short to share out; more threads only spin
        options.inter_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(
            str(directory / self.FILE), options, providers=["CPUExecutionProvider"]
        )

    def run(self, text: str) -> tuple[Floats, Floats]:
        encoding = self._tokenizer.encode(well_formed(text))
        feed = {
            "input_ids": np.asarray([encoding.ids], dtype=np.int64),
            "attention_mask": np.asarray([encoding.attention_mask], dtype=np.int64),
        }
        logits, embedding = self._session.run(["logits", "embedding"], feed)
        return logits[0], embedding[0]


class TransformersBackend:
    """A transformers checkpoint of any BERT-family sequence classifier, from a local directory."""

    def __init__(self, directory: Path) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError as error:
            raise IntentModelUnavailable(
                f"{directory} needs torch and transformers, which are not installed; unset {MODEL_VARIABLE} "
                "to use the shipped model"
            ) from error
        self._torch: Any = torch
        self._tokenizer: Any = AutoTokenizer.from_pretrained(directory, local_files_only=True)
        self._net: Any = AutoModelForSequenceClassification.from_pretrained(directory, local_files_only=True)
        self._net.eval()
        names: dict[int, str] = self._net.config.id2label
        self.labels = [names[index] for index in sorted(names)]

    def run(self, text: str) -> tuple[Floats, Floats]:
        feed = self._tokenizer(well_formed(text), truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
        with self._torch.inference_mode():
            output = self._net(**feed, output_hidden_states=True)
        pooled = output.hidden_states[-1][0].mean(0)
        return output.logits[0].numpy(), (pooled / pooled.norm()).numpy()


_lock = threading.Lock()
_default: IntentClassifier | None = None


def default_classifier() -> IntentClassifier:
    """The classifier of this process, loaded at the first call (about 0.3 s)."""
    global _default
    with _lock:
        if _default is None:
            _default = IntentClassifier.load()
        return _default
