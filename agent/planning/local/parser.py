"""From a clause to calls: candidate operations, their filled parameters, and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agent.document.mirror import Mirror
from agent.errors import OperationError
from agent.intent.intents import Intent
from agent.operations.catalogue import Catalogue, Operation
from agent.operations.targets import Selection, Target, Wants
from agent.planning.local import values
from agent.planning.local.clauses import Clause
from agent.planning.local.guards import passed_over
from agent.planning.local.lookup import singular
from agent.planning.local.phrases import NEW_BEFORE
from agent.planning.local.picture_fillers import attachment
from agent.planning.local.reading import Reading
from agent.planning.local.retrieval import Index, features, stemmed
from agent.planning.local.slots import Filled, fill
from agent.planning.local.values import Value
from agent.planning.local.words import GLUE, LIMITS, NUMBER, NUMBERS, ORDINALS, POLITE, REMOVING, SOFT, VERBS
from agent.steps import Call

CANDIDATES = 16
"""How many operations are tried for a clause."""
SURE = 0.55
"""Below this score a clause is not acted on."""


@dataclass(frozen=True)
class Candidate:
    """One way of reading a clause."""

    operation: Operation[Any]
    params: dict[str, Any]
    score: float
    filled: Filled
    unread: tuple[str, ...] = ()
    """Words that this reading does not explain."""

    @property
    def call(self) -> Call:
        """As the agent makes it."""
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
    options: tuple[str, ...] = ()
    """Ids of the blocks that may be meant."""
    likely: tuple[Operation[Any], ...] = ()
    """Operations that are spoken of in such words, best first."""

    @property
    def sure(self) -> bool:
        """Whether it may be acted on."""
        return not self.problem and bool(self.candidates) and self.candidates[0].score >= SURE


class Parser:
    """Reads clauses against a catalogue."""

    def __init__(self, operations: Catalogue, index: Index) -> None:
        self._operations = operations
        self._index = index
        self._things = {stemmed(n) for name in operations for n in name.split("_")[1:]} - _VAGUE

    def parse(
        self,
        clause: Clause,
        mirror: Mirror,
        previous: Target | None = None,
        selection: Selection | None = None,
        intents: Sequence[Intent] = (),
    ) -> list[Parsed]:
        """The calls that the clause asks for, in order; one that is not sure says why."""
        reading = Reading(clause, mirror, previous, selection)
        named = [
            p.named
            for p in reading.targets
            if p.named not in ("topic", "it", "text", "document", "selection")
        ]
        said, picture = clause.text, attachment(reading)
        if picture is not None:
            said = f"{said[: picture.start]}the picture{said[picture.end :]}"
        ranked = self._index.search(" ".join([said, *(n for n in named if n not in clause.text.lower())]))
        candidates = self._candidates(reading, ranked, intents)
        best = candidates[0] if candidates else None
        rest = self._rest(reading, best, ranked) if best is not None else []
        if best is not None and rest:
            best = self._scored(best.operation, best.filled, ranked, rest)
            candidates = [best, *candidates[1:]]
        if best is None or candidates[0].score < SURE or candidates[0].unread:
            return [
                Parsed(
                    clause.text,
                    tuple(candidates),
                    _target(reading),
                    self._problem(reading, candidates, ranked),
                    likely=_likely(reading.masked, reading.verb, candidates, ranked),
                )
            ]
        if best.filled.options:
            problem = f"'{clause.text}' could mean {len(best.filled.options)} things; say which one"
            return [Parsed(clause.text, tuple(candidates), None, problem, best.filled.options)]
        return [Parsed(clause.text, tuple(candidates), _about(best, reading)), *rest]

    def request_for(self, op: Operation[Any], mirror: Mirror, most: int = 8) -> str | None:
        """A request for an operation, of those it carries, that can be carried out on this document."""
        for said in (*op.phrasings, *(e.goal for e in op.examples if e.raises is None))[:most]:
            parsed = self.parse(Clause(said, said), mirror)
            if len(parsed) != 1 or not parsed[0].sure or parsed[0].candidates[0].operation is not op:
                continue
            try:
                op.bind(mirror, op.parse(parsed[0].candidates[0].params))
            except OperationError:
                continue
            return said
        return None

    def _candidates(
        self, reading: Reading, ranked: Sequence[tuple[Operation[Any], float]], intents: Sequence[Intent]
    ) -> list[Candidate]:
        found: list[Candidate] = []
        top = ranked[0][1] if ranked else 0.0
        for op, likeness in ranked[:CANDIDATES]:
            if likeness < max(0.06, top * 0.15):
                continue
            filled = fill(op, reading)
            if filled.missing or not _valid(op, filled):
                continue
            candidate = self._scored(op, filled, ranked)
            if intents and set(intents) & set(op.intents):
                bonus = 0.03 if intents[0] in op.intents else 0.01
                candidate = Candidate(op, filled.params, candidate.score + bonus, filled, candidate.unread)
            found.append(candidate)
        return sorted(found, key=lambda c: (bool(c.unread), -c.score))

    def _scored(
        self,
        op: Operation[Any],
        filled: Filled,
        ranked: Sequence[tuple[Operation[Any], float]],
        rest: Sequence[Parsed] = (),
    ) -> Candidate:
        likeness = next((value for o, value in ranked if o is op), 0.0)
        also = [(a, b) for p in rest for a, b in p.candidates[0].filled.used]
        coverage, unread = explained(filled, also)
        target = filled.target
        modifiers = {
            n
            for n, w in op.wants.items()
            if w is Wants.BLOCKS and not op.params.model_fields[n].is_required()
        }
        modified = modifiers & set(filled.params) and target is not None and target.named != "document"
        if modified and target is not None and re.fullmatch(r"\w+\s+", filled.reading.masked[: target.start]):
            unread = (
                *unread,
                filled.reading.text[target.start : target.end],
            )  # it is what is to be changed, not where
        score = 0.45 * min(likeness * 1.3, 1.0) + 0.55 * coverage - 0.05 * filled.implied
        unread = (*unread, *sorted(self._passed_over(op, filled, also)), *passed_over(op, filled, also))
        if coverage < (0.95 if op.name.split("_")[0] in _STRICT else 0.6):
            score = min(score, SURE - 0.01)
        fits = self._verb_fits(op, filled.reading)
        score -= _absent(op, filled)
        told = [
            n
            for n, f in op.params.model_fields.items()
            if f.is_required() and f.annotation is str and n in filled.params
        ]
        score += 0.12 * (len(told) > 1)  # both what is to be found and what takes its place: hardly by chance
        if fits is False:
            unread = (*unread, filled.reading.verb)
        elif fits is None:
            score -= 0.12
        return Candidate(op, filled.params, score, filled, unread)

    def _passed_over(self, op: Operation[Any], filled: Filled, also: Sequence[tuple[int, int]]) -> set[str]:
        """Things that other operations are about, by their names, which the clause speaks of and this reading does not use."""
        own = {stemmed(n) for n in op.name.split("_")}
        spans = [*filled.used, *also]
        found: set[str] = set()
        for match in re.finditer(r"[a-z]+", filled.reading.masked[: filled.reading.colon].lower()):
            stem = stemmed(match.group(0))
            if stem in self._things and stem not in own and not any(a <= match.start() < b for a, b in spans):
                found.add(filled.reading.text[match.start() : match.end()])
        return found

    def _verb_fits(self, op: Operation[Any], reading: Reading) -> bool | None:
        """Whether an operation is asked for with this verb: yes, hardly (None), or no since that verb means something else."""
        verb = reading.verb
        if verb in ("make", "turn", "set", "give") and op.name.startswith(("add", "insert")):
            return _NEW_THING.match(reading.masked, reading.verb_at) is not None or stemmed(
                "link"
            ) in features(reading.masked)
        if verb not in VERBS or verb in PLAIN:
            return True
        if verb in ("replace", "overwrite") and op.name in ("set_header", "set_footer"):
            return True
        stem = stemmed(verb)
        sizes = {"size", "size_change", "scale", "width", "spacing", "top"} & set(op.params.model_fields)
        if stem in first_words(op) or (verb in _SIZING and sizes):
            return True
        if op.name.split("_")[0] in _STRICT:
            return False
        return None if stem in _COMMON or stem in vocabulary(op) else False

    def _rest(
        self, reading: Reading, best: Candidate, ranked: Sequence[tuple[Operation[Any], float]]
    ) -> list[Parsed]:
        """Further attributes of the same target that the best operation has no parameter for: "bold and red"."""
        found: list[Parsed] = []
        target = best.filled.target
        if target is None or not _styles(best.operation):
            return found
        used = list(best.filled.used)
        tried = {best.operation.name}
        while True:
            options: list[tuple[int, float, Candidate]] = []
            for op, likeness in ranked:
                if op.name in tried or not _styles(op):
                    continue
                again = copy(reading)  # what was found in the clause is kept
                again.used = list(used)
                filled = fill(op, again)
                fresh = [s for s in filled.used if not any(s[0] < b and a < s[1] for a, b in used)]
                if (
                    filled.missing
                    or not fresh
                    or not filled.given
                    or not _valid(op, filled)
                    or filled.implied
                ):
                    continue
                options.append(
                    (sum(b - a for a, b in fresh), likeness, Candidate(op, filled.params, likeness, filled))
                )
            if not options:
                return found
            chosen = max(options, key=lambda o: (o[0], o[1]))[2]
            tried.add(chosen.operation.name)
            new = [(a, b) for a, b in chosen.filled.used if not any(a < d and c < b for c, d in used)]
            used += chosen.filled.used
            noun = reading.text[target.start : target.end] or "it"
            words = " ".join(reading.text[a:b].strip() for a, b in sorted(new))
            sure = Candidate(chosen.operation, chosen.params, 1.0, chosen.filled)
            found.append(Parsed(f"Make {noun} {words}", (sure,), target.target))

    def _problem(
        self,
        reading: Reading,
        candidates: Sequence[Candidate],
        ranked: Sequence[tuple[Operation[Any], float]],
    ) -> str:
        """What stands in the way of the likeliest reading, in a sentence."""
        if candidates:
            every = list(dict.fromkeys(candidates[0].unread))
            words = [w for w in every if w != reading.verb and not any(w != v and w in v for v in every)]
            if every and not words:
                return "This is nothing that I can do here"
            said = " and ".join(f"'{w}'" for w in words[:2])
            return f"I do not know what to do with {said}" if words else "I am not sure what is meant"
        for op, likeness in ranked[:1]:
            if likeness < 0.3:
                break
            filled = fill(op, reading)
            if filled.missing:
                what = " and ".join(
                    dict.fromkeys(_ASKED.get(name, "what exactly") for name in filled.missing)
                )
                return f"I cannot tell {what}"
        return "I do not understand this"


_ASKED = {
    "target": "what it is to be done to", "targets": "what it is to be done to", "find": "which words to find",
    "replace": "which words take their place", "text": "which words to write", "place": "where it goes", "color": "which colour",
    "style": "which style", "alignment": "which alignment", "values": "which values", "items": "which items",
    "case": "which letter case", "url": "which address", "spacing": "how much space", "orientation": "which orientation",
    "table": "which table", "kind": "which kind", "series": "which numbers", "categories": "which names",
    "image": "which picture", "picture": "which picture",
}  # fmt: skip
"""What a missing parameter is called in a sentence."""


def _likely(
    said: str, verb: str, candidates: Sequence[Candidate], ranked: Sequence[tuple[Operation[Any], float]]
) -> tuple[Operation[Any], ...]:
    found = {c.operation.name: c.operation for c in candidates[:1]}
    found.update({op.name: op for op, likeness in ranked[:3] if likeness > 0.3})
    removing = stemmed(verb) in _DESTROYS
    return tuple(
        op
        for op in found.values()
        if not removing and op.name.split("_")[0] not in _DESTROYS and _akin(op, said)
    )


def _akin(op: Operation[Any], said: str) -> bool:
    """Whether a clause speaks of what an operation is about, by a word of its name or a value of its kind."""
    spoken = set(features(said))
    nouns = {stemmed(n) for n in op.name.split("_")[1:]} - {"text"}
    kinds = {"color": "colorx", "shading": "colorx", "font": "fontx", "margin": "lengthx"}
    looks = {"bold", "italic", "underline", "strike"}
    return bool(
        nouns & spoken
        or {kinds[n] for n in nouns if n in kinds} & spoken
        or (op.name == "set_text_style" and looks & spoken)
    )


def _values(reading: Reading) -> list[Value]:
    """Colours, fonts, lengths and percentages: no reading may leave one over."""
    text = reading.masked[: reading.colon]
    return [*values.colours(text), *values.lengths(text), *values.percents(text), *values.fonts(text)]


def _made(op: Operation[Any]) -> set[str]:
    """What an operation makes, in the words that phrases are named by."""
    nouns = set(op.name.split("_")[1:])
    return (
        nouns | ({"picture"} if "image" in nouns else set()) | ({"section"} if "heading" in nouns else set())
    )


_NAMED = frozenset(("header", "footer", "rows", "cells", "margins"))


def _absent(op: Operation[Any], filled: Filled) -> float:
    """How much less likely an operation is because the clause does not speak of what it makes, by its name."""
    verb, *nouns = op.name.split("_")
    if verb not in ("add", "insert") and not _NAMED & set(nouns):
        return 0.0
    said = set(features(filled.reading.masked))
    place = filled.reading.place
    if place is not None and place.phrase is not None:
        said |= set(features(place.phrase.named))
    absent = [n for n in nouns if stemmed(n) not in said]
    if nouns[-1] in ("paragraph", "text") and absent and place is not None and place.phrase is not None:
        words = place.phrase.named == "text" and place.phrase.target.text is not None
        return (
            0.12 if words == (nouns[-1] == "paragraph") else 0.0
        )  # words go beside words, a paragraph beside a block
    if not absent or nouns[-1] in ("paragraph", "text"):
        return 0.03 * len(absent)
    return 0.2 if len(absent) == len(nouns) else 0.08 if nouns[-1] in absent else 0.03


_AFTER_THE = re.compile(
    r"\b(?:the|this|that|these|those|my|our)\s+(?!following\b)(?P<w>[\w-]+)", re.IGNORECASE
)
_NEW_THING = re.compile(rf"\w+\s+(?:me\s+|us\s+)?(?:an?|some|another|{NUMBER})\s", re.IGNORECASE)
_DEFINITE = re.compile(
    r"\b(?:the|that|this|those|these)\s+(?!following\b)(?:[\w-]+\s+){0,2}?(?P<n>sections?|chapters?|parts?|rows?"
    r"|columns?|cells?|paragraphs?|headings?|bullets?)\b",
    re.IGNORECASE,
)
"""Parts of the document that a request speaks of; a reading that passes one over would act on something else."""
_VAGUE = frozenset(
    stemmed(w)
    for w in ("text", "blocks", "object", "line", "number", "case", "font", "color", "alt", "style", "page")
)
_COMMON = frozenset(("add", "set", "write", "start", "show", "use", "apply"))
_SIZING = frozenset(("reduce", "increase", "decrease", "enlarge", "shrink", "lower", "raise", "scale"))
_DESTROYS = frozenset(("delete", "merge", "move"))
"""What is never offered instead of something else."""
_STRICT = frozenset(("delete", "move", "merge", "replace", "fill"))
"""Operations with these verbs are not done because of other verbs: what they do cannot be meant by chance."""
PLAIN = frozenset(("make", "give", "get", "take", "have", "put"))
"""Verbs that any operation may be asked for with."""


def _styles(op: Operation[Any]) -> bool:
    """Whether an operation gives looks to something that is there."""
    return (
        bool(op.wants)
        and op.name.startswith(("set_", "apply_"))
        and bool({Intent.FORMATTING, Intent.TABLE} & set(op.intents))
    )


def _about(best: Candidate, reading: Reading) -> Target | None:
    return best.filled.target.target if best.filled.target is not None else _target(reading)


def _target(reading: Reading) -> Target | None:
    if reading.targets:
        return reading.targets[0].target
    if reading.place is not None and reading.place.phrase is not None:
        return reading.place.phrase.target
    return reading.previous


def _valid(op: Operation[Any], filled: Filled) -> bool:
    """Whether the parameters make a call: they parse, and say more than a target where the operation needs more."""
    fields = op.params.model_fields
    kinds = set(op.wants.values())
    if (
        kinds
        and not kinds & {Wants.BLOCKS, Wants.CELL, Wants.PARAGRAPHS}
        and not any(n in filled.params for n in op.wants)
    ):
        return False  # what it is to be done to is not said
    optional = [n for n, f in fields.items() if not f.is_required() and n not in op.wants]
    only_targets = all(n in op.wants for n, f in fields.items() if f.is_required())
    if (
        optional
        and only_targets
        and not filled.given
        and all(fields[n].default is None for n in optional)
        and op.name.startswith("set")
    ):
        return False
    return _error(op, filled) == ""


def _error(op: Operation[Any], filled: Filled) -> str:
    try:
        op.parse(filled.params)
    except OperationError as error:
        return error.message
    return ""


@lru_cache(maxsize=512)
def _first_words(op: str, said: tuple[str, ...]) -> frozenset[str]:
    words = (re.match(r"[\w-]+", POLITE.sub("", REMOVING.sub("delete ", phrase))) for phrase in said)
    return frozenset(stemmed(m.group(0).lower()) for m in words if m is not None)


def first_words(op: Operation[Any]) -> frozenset[str]:
    """The verbs with which an operation is asked for."""
    goals = tuple(e.goal for e in op.examples if e.raises is None)
    return _first_words(op.name, (*op.phrasings, op.name.replace("_", " "), *goals))


@lru_cache(maxsize=512)
def _vocabulary(op: str, said: tuple[str, ...]) -> frozenset[str]:
    return frozenset(f for phrase in said for f in features(phrase))


def vocabulary(op: Operation[Any], names_only: bool = False) -> frozenset[str]:
    """The words in which an operation is spoken of; or only those of its name, summary and parameters."""
    goals = tuple(e.goal for e in op.examples if e.raises is None)
    names = tuple(n.replace("_", " ") for n in op.params.model_fields)
    if names_only:
        return _vocabulary(op.name, (op.name.replace("_", " "), op.summary, *names))
    return _vocabulary(op.name, (*op.phrasings, op.name.replace("_", " "), op.summary, *names, *goals))


def explained(filled: Filled, also: Sequence[tuple[int, int]] = ()) -> tuple[float, tuple[str, ...]]:
    """Which share of the clause's words a reading explains (used for a value, or words of the operation).

    And the words that it does not, but for those that say little: each may be what the request is about.
    """
    reading = filled.reading
    every, names = vocabulary(filled.operation), vocabulary(filled.operation, names_only=True)
    spans = [*filled.used, *also, *(m.span() for m in REMOVING.finditer(reading.masked))]
    op_nouns = {stemmed(n) for n in filled.operation.name.split("_")}
    total = done = 0.0
    unread = [
        reading.text[v.start : v.end]
        for v in _values(reading)
        if not any(v.start < b and a < v.end for a, b in spans)
    ]
    for match in re.finditer(r"\u0001+|[\w\u00c0-\uffff'-]+", reading.masked):
        word = match.group(0).lower()
        used = any(a <= match.start() and match.end() <= b for a, b in spans)
        if not used and word in LIMITS:
            unread.append(reading.text[match.start() :].strip())
            break
        if word in GLUE:
            continue
        which = word in ORDINALS and word not in ("top", "bottom", "final")
        which = which and not NEW_BEFORE.search(reading.masked[: match.start()])
        number = which or (word in NUMBERS and NUMBERS[word] > 1)
        telling = (
            "\u0001" in word
            or word[0].isdigit()
            or number
            or (match.start() > 0 and match.group(0)[0].isupper())
        )
        weight = 2.0 if telling else 1.0
        total += weight
        stems = [f for f in features(word) if " " not in f]
        known = names if telling and match.start() > 0 else every
        if (
            used
            or (any(s in known for s in stems) and not ("\u0001" in word or word[0].isdigit() or number))
            or singular(word) in known
        ):
            done += weight
        elif telling or (match.start() > reading.verb_at and word not in SOFT):
            unread.append(reading.text[match.start() : match.end()])
    making = filled.operation.name.startswith(("add", "insert")) and reading.verb != "put"
    for phrase in reading.targets:
        if making and set(phrase.named.split()) & _made(filled.operation):
            continue  # "add the bullet ..."
        if phrase.named not in ("it", "text", "document", "selection") and not any(
            phrase.start < b and a < phrase.end for a, b in spans
        ):
            unread.append(reading.text[phrase.start : phrase.end])
    for match in _DEFINITE.finditer(reading.masked):
        at = match.start("n")
        if not any(a <= at < b for a, b in spans) and stemmed(match.group("n").lower()) not in op_nouns:
            unread.append(reading.text[match.start() : match.end()])
    for match in _AFTER_THE.finditer(reading.masked):
        at = match.start("w")
        word = match.group("w").lower()
        stems = [f for f in features(word) if " " not in f]
        if not any(a <= at < b for a, b in spans) and word not in GLUE and not any(s in every for s in stems):
            unread.append(reading.text[match.start() : match.end()])
    return (done / total if total else 0.0), tuple(dict.fromkeys(unread))
