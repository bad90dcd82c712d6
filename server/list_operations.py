"""`stet ops`: the catalogue on the terminal, made from the operations themselves."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from agent.operations.catalogue import GROUPS, Operation, catalogue

WIDTH = 100


def list_operations(name: str | None = None, *, as_json: bool = False) -> str:
    """All operations by group, or one with its parameters and examples. Raises `UnknownOperation` with the nearest
    names.
    """
    found = [catalogue()[name]] if name else list(catalogue().values())
    if as_json:
        described = [_as_json(operation) for operation in found]
        return json.dumps(described[0] if name else described, indent=2, ensure_ascii=False)
    return _whole(found[0]) if name else _table(found)


def _as_json(operation: Operation[Any]) -> dict[str, Any]:
    return {
        "name": operation.name,
        "group": operation.group,
        "intents": [intent.value for intent in operation.intents],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": operation.schema(),
        "touches": sorted(operation.touches),
        "checked": operation.effects_of is not None,
    }


def _table(operations: list[Operation[Any]]) -> str:
    lines: list[str] = []
    for group in GROUPS:
        members = [operation for operation in operations if operation.group == group]
        lines += [f"{group} ({len(members)})"]
        for operation in members:
            parameters = ", ".join(
                field if info.is_required() else f"[{field}]"
                for field, info in operation.params.model_fields.items()
            )
            lines.append(f"  {operation.name}({parameters})")
            lines += textwrap.wrap(
                operation.summary, WIDTH, initial_indent="      ", subsequent_indent="      "
            )
    return "\n".join([*lines, "", f"{len(operations)} operations; `stet ops NAME` shows one in full."])


def _whole(operation: Operation[Any]) -> str:
    lines = [f"{operation.name} ({operation.group})", "", *_wrapped(operation.description), "", "Parameters:"]
    for field, info in operation.params.model_fields.items():
        need = "" if info.is_required() else " (optional)"
        description = " ".join((info.description or "").split())
        lines += _wrapped(f"{field}{need}: {description}", "  ", "      ")
    beside = ", ".join(sorted(operation.touches))
    lines += [
        "",
        f"May change besides the text: {beside}." if beside else "Changes nothing besides the text.",
    ]
    if worked := [example.goal for example in operation.examples if example.raises is None]:
        lines += ["", "Examples:", *(f"  {goal}" for goal in worked)]
    refused = [(example.goal, example.raises.code) for example in operation.examples if example.raises]
    if refused:
        lines += ["", "Refused:", *(f"  {goal}: {code}" for goal, code in refused)]
    return "\n".join(lines)


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    return [
        line
        for paragraph in text.split("\n")
        for line in textwrap.wrap(paragraph, WIDTH, initial_indent=first, subsequent_indent=rest) or [""]
    ]
