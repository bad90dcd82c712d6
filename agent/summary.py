"""The closing summary of a run, rendered from its steps: what was verified, what was not done and why."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.steps import Step, StepStatus


def of(steps: Sequence[Step], stopped: bool, failure: str) -> str:
    """A few sentences: how many parts were done; each part that was not, with its reason."""
    done = [s for s in steps if s.status is StepStatus.DONE]
    not_done = [s for s in steps if s.status is not StepStatus.DONE]
    sentences: list[str] = []
    if done and not not_done:
        sentences.append("Done." if len(done) == 1 else f"All {len(done)} steps are done.")
    elif done:
        sentences.append(f"{len(done)} of {len(steps)} steps are done.")
    else:
        sentences.append("Nothing was changed.")
    sentences += [f"Not done: {s.goal.text.rstrip('.')}: {_sentence(s.explanation)}" for s in not_done]
    if stopped:
        sentences.append("You stopped it; the steps that were done stay until you undo them.")
    if failure:
        sentences.append(f"It ended early: {_sentence(failure)}")
    if not steps and not failure and not stopped:
        sentences = ["Nothing in the request called for a change."]
    return " ".join(sentences)


_BLOCK = r"(?:[\w-]+\.)?[ptcsx]\d+(?:\.\d+)?"


def for_people(reason: str) -> str:
    """A refusal without the ids and parameter names that are in it for a model: "1: p6 'Revenue grew'"."""
    plain = re.sub(
        rf"The document has no block {_BLOCK}\b", "What it acts on is not in the document any more", reason
    )
    plain = re.sub(rf"\b{_BLOCK} (?=')", "", plain)
    plain = re.sub(rf"(?<=') \({_BLOCK}\)", "", plain)
    return plain.replace(" (nth)", "")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."
