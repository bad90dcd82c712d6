"""What was just done, done to something else: "the same for the second table", "the heading Costs too"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.operations.catalogue import Catalogue
from agent.planning.local.parser import Candidate, Parsed
from agent.planning.local.reading import Reading
from agent.planning.local.slots import Filled, fits
from agent.planning.planner import Situation
from agent.steps import Call, Step

_SAME = re.compile(
    r"(?:and\s+)?(?:(?:do|make"
    r"|apply)\s+)?(?:exactly\s+)?(?:the\s+)?same\s+(?:thing\s+|again\s+)?(?:for|to|with|in|on)\s+",
    re.IGNORECASE,
)
_TOO = re.compile(r"\s*,?\s*(?:too|as\s+well|also)\s*$", re.IGNORECASE)


def same_for(reading: Reading, situation: Situation, operations: Catalogue) -> list[Parsed] | None:
    """The last calls with another target; None if the clause is not of this kind."""
    same = _SAME.match(reading.masked)
    too = _TOO.search(reading.masked)
    start = same.end() if same is not None else 0
    end = too.start() if too is not None else len(reading.masked)
    if same is None and too is None:
        return None
    phrase = reading.phrases.at(start)
    if phrase is None or phrase.end < end or phrase.named == "it":
        return (
            None
            if same is None
            else [Parsed(reading.text, (), None, "I cannot tell what is to be done in the same way")]
        )
    found: list[Parsed] = []
    for call in _last(situation):
        if call.operation not in operations:
            continue
        op = operations[call.operation]
        name = next((n for n in op.wants if n in call.params), None)
        if name is None or not fits(reading, phrase, op.wants[name], True, op):
            return [Parsed(reading.text, (), None, f"'{op.name.replace('_', ' ')}' cannot be done to that")]
        target = phrase.target.model_dump(exclude_none=True, exclude_defaults=True)
        filled = Filled(op, reading, {**call.params, name: target}, target=phrase, options=phrase.options)
        candidate = Candidate(op, filled.params, 1.0, filled)
        problem = (
            f"'{reading.text}' could mean {len(phrase.options)} things; say which one"
            if phrase.options
            else ""
        )
        found.append(Parsed(reading.text, (candidate,), phrase.target, problem, phrase.options))
    return found or [Parsed(reading.text, (), None, "nothing was done before that could be done again")]


def _last(situation: Situation) -> list[Call]:
    """The calls of the last thing that was done, in this request or the one before: those with one and the same target."""
    groups: list[Sequence[Step]] = [situation.steps, *(e.steps for e in reversed(situation.earlier))]
    for steps in groups:
        kept = [s.kept.call for s in steps if s.kept is not None]
        if kept:
            target = kept[-1].params.get("target")
            calls = [c for c in kept if c.params.get("target") == target]
            return calls if target is not None else []
    return []
