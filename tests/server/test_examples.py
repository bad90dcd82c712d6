"""The example requests of the empty pane."""

from __future__ import annotations

import pytest

from agent.document.mirror import Mirror
from agent.events import InstructionFinished
from agent.history import History
from agent.operations.specimens import doc, h, p
from server import samples
from server.examples import examples_for
from server.planners import choose_planner
from server.protocol import SampleView


@pytest.mark.parametrize("sample", samples.listed(), ids=lambda sample: sample.id)
async def test_every_example_for_a_sample_is_carried_out_whole_without_a_model(sample: SampleView) -> None:
    examples = examples_for(Mirror.open(samples.read(sample)))
    assert len(examples) == 3
    for example in examples:
        mirror = Mirror.open(samples.read(sample))
        agent = choose_planner("local").agents().make(None)
        *_, last = [event async for event in agent.run(mirror, History(mirror), example)]
        assert isinstance(last, InstructionFinished)
        assert last.complete, f"{example}: {last.summary}"


def test_examples_name_what_is_in_the_document() -> None:
    plain = examples_for(Mirror.open(doc(p("Hello."))()))
    assert len(plain) == 3
    assert not any("title" in example or "table" in example for example in plain)
    headed = examples_for(Mirror.open(doc(h(1, "Scope"), p("For [CLIENT NAME]."))()))
    assert "[CLIENT NAME]" in headed[0]
    assert '"Scope"' in headed[1]
