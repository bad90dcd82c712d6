"""The closing summary of a run, rendered from its steps: what was verified, what was not done and why."""

from __future__ import annotations

from collections.abc import Sequence

from agent.document.changes import shorten
from agent.steps import Step, StepStatus


def of(steps: Sequence[Step], stopped: bool, failure: str) -> str:
    """A few sentences: how many parts were done, and which were not. The reasons stand with the steps themselves."""
    done = [s for s in steps if s.status is StepStatus.DONE]
    not_done = [s for s in steps if s.status is not StepStatus.DONE]
    sentences: list[str] = []
    if done and not not_done:
        sentences.append("Done." if len(done) == 1 else f"All {len(done)} steps are done.")
    elif done:
        sentences.append(f"{len(done)} of {len(steps)} steps are done.")
    else:
        sentences.append("Nothing was changed.")
    if not_done and done:
        sentences.append(f"Not done: {'; '.join(shorten(s.goal.text.rstrip('.'), 60) for s in not_done)}.")
    if stopped:
        stay = "; the steps that were done stay until you undo them" if done else ""
        sentences.append(f"You stopped it{stay}.")
    if failure:
        sentences.append(f"It ended early: {_sentence(failure)}")
    if not steps and not failure and not stopped:
        sentences = ["Nothing in the request called for a change."]
    return " ".join(sentences)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."
