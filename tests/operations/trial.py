"""One call tried out: carried out, judged, taken back exactly, and carried out again."""

from __future__ import annotations

from typing import Any

import pytest

from agent.document.mirror import Mirror
from agent.errors import OperationError
from agent.operations.catalogue import catalogue
from agent.operations.execution import Execution, execute
from agent.operations.targets import Selection
from agent.verification.code_verdict import judge
from tests.support.documents import canonical


def attempt(
    mirror: Mirror, name: str, params: dict[str, Any], key: str = "9", selection: Selection | None = None
) -> Execution:
    """Carry out a call on a mirror; it must be verified, invertible and repeatable. The mirror has the result."""
    before = canonical(mirror)
    execution = execute(mirror, catalogue(), name, params, key, selection)
    verdict = judge(mirror, execution)
    assert verdict.aligned, verdict.explanation
    after = canonical(mirror)
    mirror.apply(execution.delta.inverse())
    assert canonical(mirror) == before
    again = execute(mirror, catalogue(), name, execution.params, key)
    assert canonical(mirror) == after
    return again


def tried(data: bytes, name: str, params: dict[str, Any]) -> tuple[Mirror, Execution]:
    """An `attempt` on a file: the mirror with the result, and what was done."""
    mirror = Mirror.open(data)
    return mirror, attempt(mirror, name, params)


def refused(data: bytes, name: str, params: dict[str, Any], error: type[OperationError]) -> str:
    """The sentence with which a call is refused; nothing may have changed."""
    mirror = Mirror.open(data)
    before = canonical(mirror)
    with pytest.raises(error) as caught:
        execute(mirror, catalogue(), name, params, "9")
    assert canonical(mirror) == before
    return caught.value.message
