"""From a clause to calls: candidate operations, their filled parameters, and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.document.mirror import Mirror
from agent.errors import OperationError
from agent.intent.intents import Intent
from agent.operations.catalogue import Catalogue, Operation
from agent.operations.targets import Selection, Target
from agent.planning.local.clauses import Clause
from agent.planning.local.reading import Reading
from agent.planning.local.retrieval import Index, features
from agent.planning.local.slots import Filled, fill
from agent.steps import Call

CANDIDATES = 8
"""How many operations are tried for a clause."""
SURE = 0.5
"""Below this score a clause is not acted on."""
_GLUE = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "with",
        "and",
        "or",
        "my",
        "our",
        "this",
        "that",
        "it",
        "its",
        "all",
        "every",
        "each",
        "so",
        "is",
        "are",
        "be",
        "as",
        "from",
        "by",
        "up",
        "me",
        "you",
        "i",
        "we",
        "please",
        "into",
        "make",
        "set",
        "change",
        "give",
        "put",
        "should",
        "text",
        "word",
        "words",
        "one",
        "them",
    ]
)


@dataclass(frozen=True)
class Candidate:
    """One way of reading a clause."""

    operation: Operation[Any]
    params: dict[str, Any]
    score: float
    filled: Filled

    @property
    def call(self) -> Call:
        return Call(self.operation.name, self.params)


@dataclass(frozen=True)
class Parsed:
    """A clause, or a part of one that needs a call of its own, and the ways of reading it, best first."""

    text: str
    candidates: tuple[Candidate, ...]
    target: Target | None
    """What the clause is about; "it" in the next one."""
    problem: str = ""
    """Why there is no sure reading."""


class Parser:
    """Reads clauses against a catalogue."""

    def __init__(self, operations: Catalogue, index: Index) -> None:
        self._operations = operations
        self._index = index

    def parse(
        self,
        clause: Clause,
        mirror: Mirror,
        previous: Target | None,
        selection: Selection | None,
        intents: Sequence[Intent] = (),
    ) -> list[Parsed]:
        """The calls that a clause asks for: mostly one; "make it bold, red and 14 pt" are three."""
        reading = Reading(clause, mirror, previous, selection)
        ranked = self._index.search(clause.text)
        candidates = self._candidates(reading, ranked, intents)
        if not candidates or candidates[0].score < SURE:
            return [Parsed(clause.text, tuple(candidates), _target(reading), self._problem(reading, ranked))]
        best = candidates[0]
        found = [Parsed(clause.text, tuple(candidates), _target(reading))]
        rest = self._rest(reading, best, ranked)
        if rest:
            found += rest
        return found

    def _candidates(
        self, reading: Reading, ranked: Sequence[tuple[Operation[Any], float]], intents: Sequence[Intent]
    ) -> list[Candidate]:
        found: list[Candidate] = []
        top = ranked[0][1] if ranked else 0.0
        for op, likeness in ranked[:CANDIDATES]:
            if likeness < max(0.12, top * 0.4):
                continue
            filled = fill(op, reading)
            if filled.missing or not _valid(op, filled):
                continue
            score = 0.55 * min(likeness * 1.25, 1.0) + 0.45 * _coverage(reading, op, filled)
            if intents and set(intents) & set(op.intents):
                score += 0.04 if intents[0] in op.intents else 0.02
            found.append(Candidate(op, filled.params, score, filled))
        return sorted(found, key=lambda c: -c.score)

    def _rest(
        self, reading: Reading, best: Candidate, ranked: Sequence[tuple[Operation[Any], float]]
    ) -> list[Parsed]:
        """Further attributes of the same target that the best operation has no parameter for: "bold and red"."""
        found: list[Parsed] = []
        used = list(best.filled.used)
        tried = {best.operation.name}
        target = best.filled.target
        if target is None or Intent.FORMATTING not in best.operation.intents:
            return found
        while True:
            options: list[tuple[int, float, Candidate]] = []
            for op, likeness in ranked:
                if op.name in tried or Intent.FORMATTING not in op.intents or not op.wants:
                    continue
                again = Reading(
                    reading.clause, reading.mirror, reading.previous, reading.selection, used=list(used)
                )
                filled = fill(op, again)
                fresh = [s for s in filled.used if not any(s[0] < b and a < s[1] for a, b in used)]
                if filled.missing or not fresh or not filled.values or not _valid(op, filled):
                    continue
                options.append(
                    (sum(b - a for a, b in fresh), likeness, Candidate(op, filled.params, likeness, filled))
                )
            if not options:
                return found
            _, _, chosen = max(options, key=lambda o: (o[0], o[1]))
            tried.add(chosen.operation.name)
            words = " ".join(
                reading.text[a:b] for a, b in chosen.filled.used if not any(a < d and c < b for c, d in used)
            )
            used += chosen.filled.used
            noun = reading.text[target.start : target.end] or "it"
            found.append(Parsed(f"Make {noun} {words.strip()}", (chosen,), target.target))

    def _problem(self, reading: Reading, ranked: Sequence[tuple[Operation[Any], float]]) -> str:
        """What is missing for the likeliest operation, in a sentence."""
        for op, likeness in ranked[:1]:
            if likeness < 0.3:
                break
            filled = fill(op, reading)
            if filled.missing:
                what = " and ".join(name.replace("_", " ") for name in filled.missing)
                return f"it looks like '{op.name.replace('_', ' ')}', but I cannot tell its {what} from the words"
            error = _error(op, filled)
            if error:
                return error
        return ""


def _target(reading: Reading) -> Target | None:
    if reading.targets:
        return reading.targets[0].target
    if reading.place is not None and reading.place.phrase is not None:
        return reading.place.phrase.target
    return reading.previous


def _valid(op: Operation[Any], filled: Filled) -> bool:
    """Whether the parameters make a call: they parse, and say more than a target where the operation needs more."""
    optional = [n for n, f in op.params.model_fields.items() if not f.is_required() and n not in op.wants]
    needs_value = bool(optional) and all(
        n in op.wants for n, f in op.params.model_fields.items() if f.is_required()
    )
    if needs_value and not filled.values and _all_optional_none(op):
        return False
    return _error(op, filled) == ""


def _all_optional_none(op: Operation[Any]) -> bool:
    return all(
        f.default is None
        for n, f in op.params.model_fields.items()
        if not f.is_required() and n not in op.wants
    )


def _error(op: Operation[Any], filled: Filled) -> str:
    try:
        op.parse(filled.params)
    except OperationError as error:
        return error.message
    return ""


def _coverage(reading: Reading, op: Operation[Any], filled: Filled) -> float:
    """Which share of the clause's words is explained: used for a value, or among the words of the operation's own phrasings."""
    known = {f for phrase in (*op.phrasings, op.name.replace("_", " "), op.summary) for f in features(phrase)}
    total = explained = 0.0
    for match in re.finditer(r"\u0001+|[\w\u00c0-\uffff]+", reading.masked):
        word = match.group(0).lower()
        if word in _GLUE:
            continue
        weight = 2.0 if "\u0001" in word or word.isdigit() else 1.0
        total += weight
        if (
            any(a <= match.start() and match.end() <= b for a, b in filled.used)
            or set(features(word)) & known
        ):
            explained += weight
    return explained / total if total else 0.0
