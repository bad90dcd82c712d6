"""What the agent does, as the pane shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from agent.document.changes import Change
from agent.events import (
    Event,
    InstructionFinished,
    InstructionStarted,
    StepChecking,
    StepDone,
    StepNotDone,
    StepPlanned,
    StepRetrying,
    StepRunning,
)
from agent.steps import Call
from server.protocol import BlockView, CallView, ChangeView, RetryView, StepView

MOST_CHANGES = 200
"""Changes of one step that are sent; a request such as "make everything bold" makes one for every block."""
MOST_BLOCKS = 5000
"""Blocks of one step that are named to the pane, which marks them and brings the first into view."""
LONGEST_TEXT = 2000
"""Characters of a text in a change that are sent."""


def change_view(change: Change) -> ChangeView:
    """One change for the details of a step."""
    return ChangeView(
        dimension=change.dimension.value,
        target=change.target,
        text=change.explain(),
        before=_cut(change.before),
        after=_cut(change.after),
    )


def change_views(changes: Sequence[Change]) -> list[ChangeView]:
    """The changes of a step; of very many the first, and how many more there are."""
    views = [change_view(change) for change in changes[:MOST_CHANGES]]
    if (more := len(changes) - MOST_CHANGES) > 0:
        views.append(ChangeView(dimension="other", target="", text=f"and {more} more changes"))
    return views


def call_view(call: Call) -> CallView:
    """The call of a step."""
    return CallView(operation=call.operation, params=dict(call.params))


def block_views(ids: Iterable[str], places: dict[str, int]) -> list[BlockView]:
    """Those of the blocks that are in the body, with their places, in document order; of very many the first."""
    found = sorted((places[block], block) for block in dict.fromkeys(ids) if block in places)
    return [BlockView(id=block, index=index) for index, block in found[:MOST_BLOCKS]]


class StepViews:
    """The steps of one request, as its events tell of them."""

    def __init__(self, request: int) -> None:
        self._request = request
        self._steps: dict[int, StepView] = {}

    def take(self, event: Event, blocks: Sequence[str] = ()) -> StepView | None:
        """The step as it is after an event; None for an event about no step. `blocks`: what it touched."""
        match event:
            case InstructionStarted() | InstructionFinished():
                return None
            case StepPlanned():
                return self._set(
                    StepView(
                        id=event.step,
                        request=self._request,
                        title=event.goal,
                        state="planned",
                        intents=[intent.value for intent in event.intents],
                    )
                )
            case StepRunning():
                return self._update(event.step, state="running", call=call_view(event.call))
            case StepChecking():
                return self._update(event.step, state="checking", changes=change_views(event.changes))
            case StepRetrying():
                retries = self._of(event.step).retries
                retry = RetryView(level=event.level.value, reason=event.reason)
                return self._update(event.step, state="retrying", changes=[], retries=[*retries, retry])
            case StepDone():
                return self._update(
                    event.step,
                    state="review",
                    explanation=event.explanation,
                    call=call_view(event.call),
                    changes=change_views(event.changes),
                    warnings=list(event.warnings),
                    blocks=list(blocks[:MOST_BLOCKS]),
                )
            case StepNotDone():
                return self._update(
                    event.step,
                    state="not_done",
                    title=event.goal,
                    explanation=event.reason,
                    changes=[],
                    choices=list(event.choices),
                )
            case _:
                assert_never(event)

    def _of(self, step: int) -> StepView:
        # A part that the planner declines is reported without having been planned.
        return self._steps.get(step) or StepView(id=step, request=self._request, title="", state="planned")

    def _update(self, step: int, **changes: object) -> StepView:
        return self._set(self._of(step).model_copy(update=changes))

    def _set(self, view: StepView) -> StepView:
        self._steps[view.id] = view
        return view


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}..."
