"""One call, executed in a transaction on the mirror."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.document.changes import Change
from agent.document.delta import Delta
from agent.document.mirror import Mirror
from agent.document.records import Record
from agent.document.state import INVALID_XML, READ_ERRORS
from agent.errors import NoOp, StateParseError
from agent.operations.catalogue import Catalogue, Operation
from agent.operations.expectations import Effect
from agent.operations.targets import Selection


@dataclass(frozen=True)
class Execution:
    """What came of a call; the document is in the state after it."""

    operation: Operation[Any]
    params: dict[str, Any]
    """The parameters with their targets bound to ids: what a replay runs."""
    delta: Delta
    changes: tuple[Change, ...]
    effects: Sequence[Effect]
    warnings: tuple[str, ...] = ()
    records_before: Mapping[str, Record] = field(default_factory=dict[str, Record])
    """What was known of the changed and removed blocks before."""


def execute(
    mirror: Mirror,
    catalogue: Catalogue,
    name: str,
    params: dict[str, Any],
    key: str,
    selection: Selection | None = None,
) -> Execution:
    """Run one call. Raises OperationError, with nothing changed, if it is refused; NoOp if it would change nothing.

    `key` (the step's number) goes into the ids of new blocks.
    """
    op = catalogue[name]
    try:
        bound = op.bind(mirror, op.parse(params), selection)
        effects = list(op.effects_of(mirror, bound)) if op.effects_of is not None else []
        with mirror.edit(key) as editor:
            result = op.run(editor, bound)
    except INVALID_XML as error:
        raise StateParseError(f"{op.name} meets XML that is not valid in the document: {error}.") from error
    try:
        changes = editor.changes()
    except READ_ERRORS as error:
        mirror.apply(editor.delta.inverse())
        raise StateParseError(f"After {op.name} the document's state cannot be read: {error}.") from error
    if not editor.delta or not changes:
        if editor.delta:
            mirror.apply(editor.delta.inverse())
        raise NoOp(f"There is nothing to change for {op.name}: it is already so.")
    return Execution(
        op,
        bound.model_dump(mode="json", exclude_none=True, exclude_defaults=True),
        editor.delta,
        changes,
        effects,
        result.warnings if result is not None else (),
        editor.transaction.records_before,
    )
