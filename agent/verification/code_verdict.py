"""The judgement that needs no model: effects, then the frame, then validity. Costs no tokens and is never unsure."""

from __future__ import annotations

from agent.document.mirror import Mirror
from agent.document.state import READ_ERRORS
from agent.document.validity import new_problems
from agent.errors import TargetNotFound
from agent.operations.execution import Execution
from agent.operations.expectations import After
from agent.steps import Verdict, VerdictSource
from agent.verification.frame import outside


def judge(mirror: Mirror, execution: Execution) -> Verdict:
    """Whether an execution did what its operation promises, and nothing else."""
    after = After(mirror, execution.delta, execution.changes)
    try:
        failures = [f for effect in execution.effects if (f := effect.check(after)) is not None]
    except (*READ_ERRORS, TargetNotFound) as error:
        return Verdict(False, 1.0, f"the state afterwards cannot be read: {error}", VerdictSource.STATE)
    if failures:
        return Verdict(False, 1.0, "; ".join(failures), VerdictSource.EFFECT)
    found = outside(
        mirror, execution.delta, execution.changes, execution.effects, execution.operation.touches
    )
    if found:
        return Verdict(False, 1.0, "something else changed: " + "; ".join(found[:5]), VerdictSource.FRAME)
    problems = new_problems(mirror, execution.delta)
    if problems:
        return Verdict(
            False, 1.0, "Word would not accept the file: " + "; ".join(problems[:5]), VerdictSource.VALIDITY
        )
    says = "; ".join(effect.says for effect in execution.effects)
    return Verdict(True, 1.0, says, VerdictSource.EFFECT)
