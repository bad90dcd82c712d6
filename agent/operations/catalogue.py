"""The catalogue: what an operation is, how operations are found, and the documents made from them.

One file an operation, in the folder of its group. The file is found, not listed; its function's docstring, parameter
model, phrasings and examples are what the model's prompt, `stet ops`, CATALOGUE.md, the local planner and the law test
are made from. `python -m agent.operations.catalogue` writes CATALOGUE.md and schemas.json; `--check` says if they differ.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError
from pydantic.json_schema import GenerateJsonSchema

from agent import operations
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.errors import InvalidValue, OperationError, UnknownOperation
from agent.intent.intents import Intent
from agent.operations.expectations import Effect
from agent.operations.resolver import Resolver
from agent.operations.targets import Params, Place, Selection, Target, Wants

P = TypeVar("P", bound=Params)
Run = Callable[[Editor, P], "Result | None"]
Effects = Callable[[Mirror, P], Iterable[Effect]]
Binding = Callable[[Mirror, P], P]


@dataclass(frozen=True)
class Result:
    """What an operation has to tell besides what it changed."""

    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Example:
    """One use of an operation: a line of CATALOGUE.md, a worked example in prompts, and a test."""

    goal: str
    """A sub-instruction in plain words."""
    before: Callable[[], bytes]
    """Makes the document; see `agent.operations.specimens`."""
    params: Mapping[str, Any]
    """The call's parameters, as a planner writes them."""
    result: str = ""
    """The explanation that the observed changes must render to."""
    raises: type[OperationError] | None = None
    """For a refusal: the error; nothing may have changed."""
    check: Callable[[Mirror], None] | None = None
    """Anything more that must be true of the document afterwards (asserts)."""
    selection: Selection | None = None


@dataclass
class Operation(Generic[P]):
    """One entry of the catalogue."""

    name: str
    group: str
    """Folder name: content, modification, table, image, chart, formatting, structure, lifecycle."""
    intents: tuple[Intent, ...]
    params: type[P]
    run: Run[P]
    summary: str
    """First line of the docstring."""
    description: str
    """The whole docstring."""
    phrasings: tuple[str, ...]
    """Requests as people write them; the local planner retrieves by them."""
    examples: tuple[Example, ...]
    touches: frozenset[str]
    """Kinds of parts besides the body that it may change: styles, numbering, settings, comments, headers, footers, media, charts,
    notes, properties."""
    effects_of: Effects[P] | None = None
    wants: dict[str, Wants] = field(default_factory=dict)
    """Target fields and what they resolve to."""
    binding: Binding[P] | None = None
    """Says what other parameters mean now, so that a replay does the same."""

    def effects(self, function: Effects[P]) -> Effects[P]:
        """Decorator for the function that declares what must be true afterwards."""
        self.effects_of = function
        return function

    def binds(self, function: Binding[P]) -> Binding[P]:
        """Decorator for the function that binds what is neither a target nor a place."""
        self.binding = function
        return function

    def parse(self, params: Mapping[str, Any]) -> P:
        """Parameters from plain data. Raises InvalidValue with a sentence for each thing that is wrong."""
        try:
            return self.params.model_validate(dict(params))
        except ValidationError as error:
            raise InvalidValue(_validation_sentence(self, error)) from error

    def schema(self) -> dict[str, Any]:
        """JSON schema of the parameters, with descriptions."""
        return self.params.model_json_schema(schema_generator=_UntitledFields)

    def bind(self, mirror: Mirror, params: P, selection: Selection | None = None) -> P:
        """The same parameters with every target and place as the ids it means now. Raises OperationError."""
        resolver = Resolver(mirror, selection)
        params = params.located(resolver)
        bound: dict[str, Any] = {}
        for name in type(params).model_fields:
            value = getattr(params, name)
            if isinstance(value, Target) and name in self.wants:
                bound[name] = resolver.bind(value, self.wants[name])
            elif isinstance(value, Place):
                bound[name] = resolver.bind_place(value)
        params = params.model_copy(update=bound) if bound else params
        return self.binding(mirror, params) if self.binding is not None else params


def operation(
    *intents: Intent,
    phrasings: Sequence[str],
    examples: Sequence[Example],
    touches: Iterable[str] = (),
) -> Callable[[Run[P]], Operation[P]]:
    """Decorator that makes an `Operation` of a function `(editor, params) -> Result | None`.

    The function's name is the operation's name, its docstring the description, the annotation of `params` the model.
    """

    def make(run: Run[P]) -> Operation[P]:
        model = _params_model(run)
        text = (run.__doc__ or "").strip()
        wants = {
            name: item
            for name, f in model.model_fields.items()
            for item in f.metadata
            if isinstance(item, Wants)
        }
        return Operation(
            name=run.__name__,
            group=run.__module__.split(".")[-2],
            intents=tuple(intents),
            params=model,
            run=run,
            summary=text.split("\n")[0],
            description=text,
            phrasings=tuple(phrasings),
            examples=tuple(examples),
            touches=frozenset(touches),
            wants=wants,
        )

    return make


def _params_model(run: Callable[..., Any]) -> type[Any]:
    import typing

    hints = typing.get_type_hints(run)
    return hints["params"]


class Catalogue(Mapping[str, Operation[Any]]):
    """Operations by name, in the order of groups and names."""

    def __init__(self, operations_: Iterable[Operation[Any]]) -> None:
        self._operations = {o.name: o for o in operations_}

    def __getitem__(self, name: str) -> Operation[Any]:
        found = self._operations.get(name)
        if found is None:
            import difflib

            near = difflib.get_close_matches(name, self._operations, 3, 0.4)
            hint = f"; the nearest are {', '.join(near)}" if near else ""
            raise UnknownOperation(f"There is no operation '{name}'{hint}.")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._operations)

    def __len__(self) -> int:
        return len(self._operations)

    def __contains__(self, name: object) -> bool:
        return name in self._operations

    def for_intents(self, intents: Iterable[Intent]) -> list[Operation[Any]]:
        """The operations that serve any of the intents."""
        wanted = set(intents)
        return [o for o in self._operations.values() if wanted & set(o.intents)]


GROUPS = ("content", "modification", "table", "image", "chart", "formatting", "structure", "lifecycle")


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Every operation of the project."""
    found: list[Operation[Any]] = []
    for group in GROUPS:
        path = Path(operations.__path__[0]) / group
        for module in sorted(pkgutil.iter_modules([str(path)]), key=lambda m: m.name):
            if module.name.startswith("_"):
                continue
            loaded = importlib.import_module(f"agent.operations.{group}.{module.name}")
            here = [
                v
                for v in vars(loaded).values()
                if isinstance(v, Operation) and v.run.__module__ == loaded.__name__
            ]
            if len(here) != 1 or here[0].name != module.name:
                raise ImportError(f"{loaded.__name__} must define exactly one operation, {module.name}")
            found += here
    return Catalogue(found)


def _validation_sentence(op: Operation[Any], error: ValidationError) -> str:
    parts: list[str] = []
    for item in error.errors():
        where = ".".join(str(p) for p in item["loc"]) or "parameters"
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            message = f"is not a parameter; {op.name} takes {', '.join(op.params.model_fields)}"
        elif item["type"] == "missing":
            message = "is missing"
        parts.append(f"{where}: {message}")
    return f"{op.name}: " + "; ".join(parts) + "."


class _UntitledFields(GenerateJsonSchema):
    """Titles repeat the names and cost tokens."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


# -- generated documents -----------------------------------------------------------------------------------------------

_HERE = Path(__file__).parent


def catalogue_text() -> str:
    """CATALOGUE.md."""
    every = catalogue()
    lines = [
        "# Operations",
        "",
        f"{len(every)} operations. Generated from their files by `make catalogue`; do not edit.",
    ]
    for group in GROUPS:
        members = [o for o in every.values() if o.group == group]
        lines += ["", f"## {group.capitalize()} ({len(members)})"]
        for op in members:
            lines += ["", f"### {op.name}", "", op.description, "", *_parameter_lines(op), ""]
            for example in op.examples:
                outcome = f"refused: {example.raises.code}" if example.raises else example.result
                lines.append(
                    f"- {example.goal} → `{json.dumps(dict(example.params), ensure_ascii=False)}` → {outcome}"
                )
    return "\n".join(lines) + "\n"


def _parameter_lines(op: Operation[Any]) -> list[str]:
    lines: list[str] = []
    for name, info in op.params.model_fields.items():
        need = "" if info.is_required() else " (optional)"
        wants = f" Resolves to {op.wants[name].value}." if name in op.wants else ""
        lines.append(f"- `{name}`{need}: {' '.join((info.description or '').split())}{wants}")
    return lines


def schemas_text() -> str:
    """schemas.json: name, intents, summary and parameter schema of every operation."""
    every = [
        {
            "name": o.name,
            "group": o.group,
            "intents": list(o.intents),
            "summary": o.summary,
            "parameters": o.schema(),
        }
        for o in catalogue().values()
    ]
    return json.dumps(every, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Write the generated documents, or with `--check` say which of them differ."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args(argv).check
    stale = 0
    for name, text in (("CATALOGUE.md", catalogue_text()), ("schemas.json", schemas_text())):
        path = _HERE / name
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            print(
                f"agent/operations/{name} differs from the operations: run `make catalogue`", file=sys.stderr
            )
            stale = 1
        elif not check:
            path.write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    # run as a script, this module would be loaded twice and no operation would be an instance of this class
    from agent.operations import catalogue as module

    sys.exit(module.main())
