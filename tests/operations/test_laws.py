"""The laws that every operation keeps, shown on every example of every operation."""

from __future__ import annotations

import json

import pytest

from agent.document.delta import Delta
from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.errors import OperationError
from agent.operations.catalogue import Example, Operation, catalogue
from agent.operations.execution import Execution, execute
from agent.operations.expectations import After
from agent.verification.code_verdict import judge
from tests.support.documents import canonical

CASES = [
    pytest.param(op, example, id=f"{op.name}-{i}")
    for op in catalogue().values()
    for i, example in enumerate(op.examples)
]
DONE = [c for c in CASES if c.values[1].raises is None]  # type: ignore[attr-defined]
REFUSED = [c for c in CASES if c.values[1].raises is not None]  # type: ignore[attr-defined]


def run(op: Operation, example: Example) -> tuple[Mirror, Execution]:  # pyright: ignore[reportMissingTypeArgument]
    mirror = Mirror.open(example.before())
    return mirror, execute(mirror, catalogue(), op.name, dict(example.params), "1", example.selection)


@pytest.mark.parametrize(("op", "example"), DONE)
def test_an_example_changes_what_it_states_and_is_verified(op: Operation, example: Example) -> None:  # pyright: ignore[reportMissingTypeArgument]
    mirror, execution = run(op, example)
    verdict = judge(mirror, execution)
    assert verdict.aligned, verdict.explanation
    assert explain(execution.changes) == example.result
    if example.check is not None:
        example.check(mirror)


@pytest.mark.parametrize(("op", "example"), DONE)
def test_the_inverse_of_an_example_restores_the_document_exactly(op: Operation, example: Example) -> None:  # pyright: ignore[reportMissingTypeArgument]
    before = canonical(Mirror.open(example.before()))
    mirror, execution = run(op, example)
    after = canonical(mirror)
    mirror.apply(execution.delta.inverse())
    assert canonical(mirror) == before
    mirror.apply(execution.delta)
    assert canonical(mirror) == after


@pytest.mark.parametrize(("op", "example"), DONE)
def test_the_effects_of_an_example_fail_on_the_document_before(op: Operation, example: Example) -> None:  # pyright: ignore[reportMissingTypeArgument]
    mirror = Mirror.open(example.before())
    bound = op.bind(mirror, op.parse(example.params), example.selection)
    assert op.effects_of is not None, "an operation declares its effects"
    effects = list(op.effects_of(mirror, bound))
    nothing = After(mirror, Delta.empty, ())
    assert any(effect.check(nothing) is not None for effect in effects), (
        "effects that hold before say nothing"
    )


@pytest.mark.parametrize(("op", "example"), DONE)
def test_parameters_and_delta_of_an_example_survive_json(op: Operation, example: Example) -> None:  # pyright: ignore[reportMissingTypeArgument]
    params = op.parse(example.params)
    again = op.parse(json.loads(json.dumps(params.model_dump(mode="json", exclude_none=True))))
    assert again == params
    _, execution = run(op, example)
    assert Delta.from_json(json.loads(json.dumps(execution.delta.to_json()))) == execution.delta
    op.parse(json.loads(json.dumps(execution.params)))


@pytest.mark.parametrize(("op", "example"), DONE)
def test_the_bound_call_of_an_example_replays_to_the_same_document(op: Operation, example: Example) -> None:  # pyright: ignore[reportMissingTypeArgument]
    mirror, execution = run(op, example)
    after = canonical(mirror)
    mirror.apply(execution.delta.inverse())
    execute(mirror, catalogue(), op.name, execution.params, "1")
    assert canonical(mirror) == after


@pytest.mark.parametrize(("op", "example"), DONE)
def test_a_saved_example_opens_again_with_the_same_content(op: Operation, example: Example) -> None:  # pyright: ignore[reportMissingTypeArgument]
    mirror, _ = run(op, example)
    again = Mirror.open(mirror.save())
    assert canonical(again) == canonical(mirror)


@pytest.mark.parametrize(("op", "example"), REFUSED)
def test_a_refused_example_changes_nothing_and_says_why(op: Operation, example: Example) -> None:  # pyright: ignore[reportMissingTypeArgument]
    mirror = Mirror.open(example.before())
    before = canonical(mirror)
    assert example.raises is not None
    with pytest.raises(example.raises) as caught:
        execute(mirror, catalogue(), op.name, dict(example.params), "1", example.selection)
    assert isinstance(caught.value, OperationError)
    assert len(caught.value.message.split()) >= 4, "a refusal is a sentence"
    assert canonical(mirror) == before


@pytest.mark.parametrize("op", catalogue().values(), ids=lambda op: op.name)
def test_an_operation_is_described(op: Operation) -> None:  # pyright: ignore[reportMissingTypeArgument]
    assert op.summary.endswith(".")
    assert op.intents
    assert len(op.phrasings) >= 5
    assert any(e.raises is None for e in op.examples)
    assert any(e.raises is not None for e in op.examples)
    assert all(e.result for e in op.examples if e.raises is None)
    missing = [n for n, f in op.params.model_fields.items() if not f.description]
    assert not missing, f"parameters without a description: {missing}"
