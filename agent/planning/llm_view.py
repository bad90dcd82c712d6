"""A situation as text: what of the document, the selection and the history a prompt shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.outline import outline, record_text, walk
from agent.document.records import record_of
from agent.planning.planner import Situation
from agent.prompts import StepLine, TriedCall
from agent.prompts.signatures import as_json
from agent.steps import Attempt, Step, StepStatus

OUTLINE_TOKENS = 4000
WHOLE_CHARACTERS = 12_000
"""The most that is shown of blocks in full."""
_WORD = re.compile(r"[A-Za-z][\w.]*\d")
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{3,})[\"”“»]|(?<!\w)['‘]([^'‘’]{3,})['’](?!\w)")


def outline_for(situation: Situation, words: str) -> str:
    """The document's outline; where it is too long, with the blocks that some words are about. Then what is attached."""
    mirror = situation.document
    text = outline(mirror, OUTLINE_TOKENS, [*_selected(situation), *blocks_meant(mirror, words)])
    files = ", ".join(mirror.attachments)
    return f"{text}\nPictures attached by the user, not in the document yet: {files}" if files else text


def whole_blocks(situation: Situation, words: str) -> str:
    """The blocks that some words name by id, and the selected ones, in full: the outline shortens each block."""
    mirror = situation.document
    ids = dict.fromkeys([*blocks_named(mirror, words), *_selected(situation)])
    return shortened("\n".join(record_text(mirror, record_of(mirror, block)) for block in ids))


def selection_in_words(situation: Situation) -> str:
    """What is selected: the blocks, and the words if they are fewer than the blocks'."""
    selection = situation.selection
    if selection is None or not selection.blocks:
        return ""
    blocks = ", ".join(f"[{block}]" for block in selection.blocks)
    return f"{blocks}, of it the words: {selection.text}" if selection.text else blocks


def blocks_named(mirror: Mirror, words: str) -> list[str]:
    """Blocks whose ids occur in some words, in the order in which they do."""
    known = {block.id for block in walk(mirror)}
    return [word for word in dict.fromkeys(_WORD.findall(words)) if word in known]


def blocks_meant(mirror: Mirror, words: str) -> list[str]:
    """Blocks that some words name by id, or that hold a text that the words quote."""
    quoted = [(double or single).casefold() for double, single in _QUOTED.findall(words)]
    holding = [
        block.id
        for block in walk(mirror)
        if quoted and block.text and any(text in block.text.casefold() for text in quoted)
    ]
    return [*blocks_named(mirror, words), *holding]


def step_lines(steps: Iterable[Step]) -> tuple[StepLine, ...]:
    """The steps of this request that are over."""
    return tuple(
        StepLine(step.goal.text, step.status is StepStatus.DONE, step.explanation or "no reason was given")
        for step in steps
        if step.status in (StepStatus.DONE, StepStatus.NOT_DONE)
    )


def earlier_lines(situation: Situation, most: int = 6) -> tuple[str, ...]:
    """The last requests of the session with their outcomes."""
    return tuple(f"{past.instruction} -> {past.summary}" for past in situation.earlier[-most:])


def tried(attempt: Attempt) -> TriedCall:
    """An attempt that was taken back, as prompts show it."""
    call = as_json({"operation": attempt.call.operation, "params": dict(attempt.call.params)})
    observed = shortened(explain(attempt.changes)) if attempt.changes else ""
    return TriedCall(call, observed, attempt.verdict.explanation)


def shortened(text: str, most: int = WHOLE_CHARACTERS) -> str:
    """A text cut to a length, with a mark that says how much is missing."""
    return text if len(text) <= most else f"{text[:most]}\n... {len(text) - most} more characters"


def _selected(situation: Situation) -> Sequence[str]:
    selection = situation.selection
    return [b for b in selection.blocks if situation.document.has(b)] if selection else []
