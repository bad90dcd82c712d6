"""Why a part of a request is not done, in plain words, and up to three requests that would work on this document."""

from __future__ import annotations

import re

from agent.document.mirror import Mirror
from agent.errors import AmbiguousTarget, OperationError
from agent.operations.targets import Selection
from agent.planning.local.clauses import Clause, quotes_masked
from agent.planning.local.conditions import taken_back
from agent.planning.local.lookup import Lookup
from agent.planning.local.parser import Parsed, Parser
from agent.planning.local.words import IMPOSSIBLE, PROSE
from agent.steps import Declined

_QUESTION = re.compile(
    r"^(?:what|which|who|whom|whose|when|where|why|how|is|are|does|do|did|was|were|has|have|can i|should i)\b.*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_UNDO = re.compile(r"^(?:undo|revert|roll\s+back|take\s+(?:that|it)\s+back|redo)\b", re.IGNORECASE)
_MODEL = "which takes a language model; none is set up"
CHOICES = 3


def beyond(clause: Clause) -> Declined | None:
    """What no planner without a model, or no planner at all, can do."""
    masked = quotes_masked(clause.text)
    if clause.bound and not _QUESTION.match(masked):
        back = taken_back(masked)
        why = "Part of this takes another part back" if back else "This depends on a condition"
        return Declined(clause.part, f"{why}, {_MODEL}. Say just what is to be done.")
    if _UNDO.match(masked):
        return Declined(
            clause.part,
            "The Undo button of a step takes it back, the last one or any other; no request is needed.",
        )
    if IMPOSSIBLE.match(masked):
        return Declined(
            clause.part, "Stet works inside the document; it cannot send, share, upload or print it."
        )
    if _QUESTION.match(masked):
        return Declined(clause.part, f"This asks a question about the document, {_MODEL}.")
    if PROSE.search(masked) and "\u0001" not in masked and ":" not in masked:
        return Declined(clause.part, f"This needs new wording, {_MODEL}.")
    return None


def unsure(clause: Clause, parsed: Parsed, mirror: Mirror, parser: Parser) -> Declined:
    """A clause without a sure reading: which part is the trouble, and what would work."""
    reason = parsed.problem or "I am not sure what is meant"
    reason = f"{reason[:1].upper()}{reason[1:]}".rstrip(".")
    if parsed.options:
        lookup = Lookup.of(mirror)
        labels = "; ".join(lookup.label(b) for b in parsed.options[:6])
        return Declined(clause.part, f"{reason}: {labels}.", _which(clause, parsed, lookup))
    requests = (
        parser.request_for(op, mirror)
        for op in parsed.likely[:4]
        if op.name != "insert_image" or mirror.attachments
    )
    choices = tuple(_sentence(r) for r in requests if r is not None)[:CHOICES]
    hint = "Requests such as those below would work here" if choices else "Put it in other words"
    return Declined(clause.part, f"{reason}. {hint}; free wording needs a language model.", choices)


def ambiguous(clause: Clause, parsed: Parsed, mirror: Mirror, selection: Selection | None) -> Declined | None:
    """A question, if a sure reading names words that stand in several places."""
    best = parsed.candidates[0]
    try:
        best.operation.bind(mirror, best.operation.parse(best.params), selection)
    except AmbiguousTarget as error:
        phrase = best.filled.target
        words = phrase.target.text if phrase is not None else None
        if phrase is None or words is None or phrase.end <= phrase.start:
            return Declined(clause.part, error.message)
        lookup = Lookup.of(mirror)
        said = "; ".join(lookup.label(b) for b in lookup.paragraphs_with(words)[1][:4])
        before, after = clause.text[: phrase.start], clause.text[phrase.end :]
        choices = tuple(
            _sentence(f"{before}{which} '{words}'{after}") for which in ("every", "the first", "the last")
        )
        return Declined(
            clause.part, f"'{words}' stands in several places; say which one, or every: {said}.", choices
        )
    except OperationError:
        return None  # the step says why
    return None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _which(clause: Clause, parsed: Parsed, lookup: Lookup) -> tuple[str, ...]:
    """The request again, once for each block that may be meant, named by its number or its words."""
    phrase = parsed.candidates[0].filled.target if parsed.candidates else None
    if phrase is None or phrase.end == phrase.start:
        return ()
    names: list[str] = []
    for block in parsed.options[:CHOICES]:
        grid = lookup.grid(block)
        if grid is not None:
            number = lookup.grids.index(grid) + 1
            part = clause.text[phrase.start : phrase.end]
            names.append(f"table {number}" if phrase.named == "table" else f"{part} of table {number}")
        elif phrase.named in ("picture", "chart", "paragraph") and block in lookup.of_kind(phrase.named):
            names.append(f"{phrase.named} {lookup.of_kind(phrase.named).index(block) + 1}")
        else:
            names.append(f'"{lookup.text.get(block, "")}"')
    return tuple(_sentence(clause.text[: phrase.start] + name + clause.text[phrase.end :]) for name in names)
