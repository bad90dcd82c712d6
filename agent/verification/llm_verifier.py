"""The judge of what code cannot judge: does a change mean what the sub-instruction asked for (paper, 3.3)?

It is asked last, when effects, frame and validity have passed, and sees only the blocks that were touched.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from agent.document.changes import Change
from agent.llm import Llm
from agent.prompts import Verify
from agent.prompts.signatures import as_json
from agent.steps import Call, SubInstruction, Verdict, VerdictSource

MOST_CHANGES = 40
"""Changes that are shown one by one; of the rest only the number is said."""
MOST_CHARACTERS = 12_000
"""Of the touched blocks, before and after each."""


class Judgement(BaseModel):
    """The model's answer. The explanation comes first, so that it is made before the decision."""

    explanation: str = Field(min_length=1)
    aligned: bool
    confidence: float = Field(ge=0, le=1)


class LlmVerifier:
    """Asks a language model for a verdict."""

    def __init__(self, llm: Llm) -> None:
        self._llm = llm

    async def judge(
        self, goal: SubInstruction, call: Call, changes: Sequence[Change], before: str, after: str
    ) -> Verdict:
        """Whether the changes are what the goal asks for. Raises `ModelError` if there is no verdict.

        `before` and `after` are the touched blocks as outline text.
        """
        answer = await self._llm.ask(
            Verify(
                goal=goal.text,
                part=goal.part,
                call=as_json({"operation": call.operation, "params": dict(call.params)}),
                changes=_sentences(changes),
                before=_cut(before),
                after=_cut(after),
            ),
            Judgement,
        )
        return Verdict(answer.aligned, answer.confidence, answer.explanation.strip(), VerdictSource.MODEL)


def _sentences(changes: Sequence[Change]) -> tuple[str, ...]:
    said = list(dict.fromkeys(change.explain() for change in changes))
    more = len(said) - MOST_CHANGES
    return tuple(said) if more <= 0 else (*said[:MOST_CHANGES], f"and {more} more changes of these kinds")


def _cut(text: str) -> str:
    left = len(text) - MOST_CHARACTERS
    return text if left <= 0 else f"{text[:MOST_CHARACTERS]}\n... {left} more characters"
