"""The planner without a model behind the `Planner` protocol. One instance plans one instruction at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.errors import TargetNotFound
from agent.operations.catalogue import Catalogue, Operation, catalogue
from agent.operations.targets import Target
from agent.planning.local.again import same_for
from agent.planning.local.clauses import Clause, quotes_masked, split
from agent.planning.local.declines import ambiguous, beyond, unsure
from agent.planning.local.parser import SURE, Parsed, Parser
from agent.planning.local.reading import Reading
from agent.planning.local.retrieval import Index, default_index
from agent.planning.planner import Situation
from agent.steps import Attempt, Call, Declined, Finished, Step, StepStatus, SubInstruction

_PRONOUN = re.compile(r"\b(?:it|its|them|they|their)\b", re.IGNORECASE)
_NEAR = 0.12
"""How much worse another operation may score to be tried after the best one failed."""


@dataclass
class LocalPlanner:
    """Splits the request into clauses and reads each against the document as it is when its turn comes."""

    operations: Catalogue | None = None
    name: str = "local"
    _clauses: list[Clause] = field(default_factory=list[Clause])
    _pending: list[Parsed] = field(default_factory=list[Parsed])
    _current: Parsed | None = None
    _tried: list[Call] = field(default_factory=list[Call])
    _previous: Target | None = None
    _lost: bool = False
    """The clause before was declined: "it" means nothing."""
    _parser: Parser | None = None

    async def next_sub_instruction(self, situation: Situation) -> SubInstruction | Declined | Finished:
        if not situation.steps:
            self._start(situation)
        self._tried = []
        while not self._pending:
            if not self._clauses:
                return Finished()
            clause = self._clauses.pop(0)
            declined = beyond(clause) or self._read(clause, situation)
            if declined is not None:
                self._pending, self._previous, self._lost = [], None, True
                return declined
            self._lost = False
        self._current = self._pending.pop(0)
        self._previous = self._current.target or self._previous
        return SubInstruction(_title(self._current.text), self._current.text)

    async def choose_call(
        self, situation: Situation, goal: SubInstruction, operations: Sequence[Operation[Any]]
    ) -> Call:
        assert self._current is not None
        return self._try(self._current.candidates[0].call)

    async def revise_parameters(self, situation: Situation, goal: SubInstruction, failed: Attempt) -> Call:
        """Another way to read the parameters of the same operation. The parser has one reading an operation, so there is none."""
        assert self._current is not None
        for candidate in self._current.candidates:
            if candidate.operation.name == failed.call.operation and candidate.call not in self._tried:
                return self._try(candidate.call)
        return await self.revise_operation(situation, goal, [failed], ())

    async def revise_operation(
        self,
        situation: Situation,
        goal: SubInstruction,
        failed: Sequence[Attempt],
        operations: Sequence[Operation[Any]],
    ) -> Call:
        """The next best operation, if it is nearly as likely; a wrong change is worse than none."""
        assert self._current is not None
        if failed and failed[0].code in ("TARGET_NOT_FOUND", "AMBIGUOUS_TARGET"):
            raise TargetNotFound("")  # another operation would find something else, not what was meant
        best = self._current.candidates[0].score
        for candidate in self._current.candidates:
            untried = candidate.operation.name not in {c.operation for c in self._tried}
            if untried and not candidate.unread and candidate.score >= max(SURE, best - _NEAR):
                return self._try(candidate.call)
        raise TargetNotFound("")

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _start(self, situation: Situation) -> None:
        self._clauses = split(situation.instruction)
        self._pending, self._current = [], None
        self._previous, self._lost = None, False
        for exchange in reversed(situation.earlier):
            self._previous = _made(exchange.steps) or _about(exchange.steps)
            if self._previous is not None:
                break

    def _read(self, clause: Clause, situation: Situation) -> Declined | None:
        """Fill what is pending with the calls of a clause, or say why there are none."""
        failed = bool(situation.steps) and situation.steps[-1].status is not StepStatus.DONE
        if (self._lost or failed) and _PRONOUN.search(_asked(clause)) is not None:
            self._lost = True
            return Declined(clause.part, "What 'it' means is open, since the part before was not done.")
        previous = None if self._lost else _made(situation.steps) or self._previous
        self._pending = self._parse(clause, situation, previous)
        first = self._pending[0]
        if not first.sure:
            return unsure(clause, first, situation.document, self._reader())
        return ambiguous(clause, first, situation.document, situation.selection)

    def _reader(self) -> Parser:
        if self._parser is None:
            operations = self.operations if self.operations is not None else catalogue()
            self._parser = Parser(
                operations, default_index() if self.operations is None else Index(operations)
            )
        return self._parser

    def _parse(self, clause: Clause, situation: Situation, previous: Target | None) -> list[Parsed]:
        if previous is not None and not _alive(previous, situation):
            previous = None
        reading = Reading(clause, situation.document, previous, situation.selection)
        operations = self.operations if self.operations is not None else catalogue()
        again = same_for(reading, situation, operations)
        return again or self._reader().parse(clause, situation.document, previous, situation.selection)

    def _try(self, call: Call) -> Call:
        self._tried.append(call)
        return call


def _made(steps: Sequence[Step]) -> Target | None:
    """The blocks that the last done step made: what "it" means after "add a heading"."""
    for step in reversed(steps):
        if step.status is not StepStatus.DONE or step.kept is None or step.kept.delta is None:
            continue
        added = [b for b in step.kept.delta.touched().added if b[0] in "ptc"]
        added = [b for b in added if b[0] == "t"] or added  # a table is meant, not the empty line behind it
        return Target(ids=added) if added else None
    return None


def _about(steps: Sequence[Step]) -> Target | None:
    """What the last done step was about."""
    for step in reversed(steps):
        if step.kept is not None:
            found = step.kept.call.params.get("target")
            if isinstance(found, dict):
                try:
                    return Target.model_validate(found)
                except ValueError:
                    return None
    return None


def _asked(clause: Clause) -> str:
    """The words of a clause without what is quoted or only to be written."""
    masked = quotes_masked(clause.text)
    return re.split(r":\s|\b(?:saying|reading|says|reads)\b", masked, maxsplit=1)[0]


def _alive(target: Target, situation: Situation) -> bool:
    return all(situation.document.has(b) for b in target.ids or ())


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["LocalPlanner"]
