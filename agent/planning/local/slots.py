"""Parameters of an operation, filled from a reading by their names and types.

A required parameter that the clause does not give is never guessed: the operation is then not a candidate.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Union, get_args, get_origin

from agent.errors import OperationError
from agent.operations.catalogue import Operation
from agent.operations.resolver import Resolver
from agent.operations.targets import Place, Target, Wants
from agent.planning.local import values
from agent.planning.local.phrases import Phrase
from agent.planning.local.reading import Reading
from agent.planning.local.retrieval import stemmed
from agent.planning.local.values import Value

_TABLES = {Wants.TABLE, Wants.TABLES, Wants.ROWS, Wants.CELLS, Wants.CELL, Wants.TABLE_OR_ROWS}
_DRAWINGS = {Wants.DRAWING, Wants.DRAWINGS}
_IN_TABLE = ("row", "column", "cell", "header row")
_REMOVING = re.compile(
    r"(?:delete|remove|erase|drop|take\s+out|get\s+rid|cut|strip|clear|throw)\b", re.IGNORECASE
)


@dataclass
class Filled:
    """What a clause gives an operation."""

    operation: Operation[Any]
    reading: Reading
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    used: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    missing: list[str] = field(default_factory=list[str])
    given: int = 0
    """Parameters other than targets and places that the clause gave."""
    target: Phrase | None = None
    options: tuple[str, ...] = ()
    """Ids of the blocks among which the user has to choose."""
    implied: bool = False
    """The target was not said but concluded."""

    def take(self, name: str, value: Value) -> None:
        """Set a parameter from something that was read."""
        self.params[name] = value.value
        self.used.append((value.start, value.end))
        self.given += 1

    def free(self) -> str:
        """The clause without quotes and what is used already; of the same length."""
        text = self.reading.masked
        spans = [*self.used, *self.reading.used]
        for start, end in spans:
            text = text[:start] + " " * (end - start) + text[end:]
        return text

    def overlaps(self, value: Value) -> bool:
        """Whether something was used already."""
        return any(value.start < b and a < value.end for a, b in self.used)


@dataclass(frozen=True)
class Slot:
    """A parameter to fill."""

    name: str
    kind: Any
    """Its type without "or None"."""
    required: bool
    default: Any


Filler = Callable[[Filled, Slot], "Value | None"]


def fill(op: Operation[Any], reading: Reading) -> Filled:
    """Fill what can be filled: targets and the place first, then what must be there, then the rest."""
    filled = Filled(op, reading)
    fields = op.params.model_fields
    slots = [Slot(n, _base(f.annotation), f.is_required(), f.default) for n, f in fields.items()]
    order = {n: i for i, n in enumerate(fields)}
    for slot in sorted(
        slots, key=lambda s: (s.name not in op.wants, s.kind is not Place, not s.required, order[s.name])
    ):
        if slot.name in op.wants:
            _fill_target(filled, slot, op.wants[slot.name])
        elif slot.kind is Place:
            _fill_place(filled, slot)
        else:
            value = _value(filled, slot)
            if value is not None:
                filled.take(slot.name, value)
        if slot.required and slot.name not in filled.params:
            filled.missing.append(slot.name)
    return filled


def _base(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [a for a in get_args(annotation) if a is not type(None)]
        return rest[0] if len(rest) == 1 else rest
    return annotation


# -- targets and places ------------------------------------------------------------------------------------------------


def _fill_place(filled: Filled, slot: Slot) -> None:
    place = filled.reading.place
    inside = place is not None and place.side in ("in", "end of", "start of") and place.phrase is not None
    if (
        inside
        and place is not None
        and place.phrase is not None
        and (
            place.phrase.named in ("paragraph", "title", "subtitle")
            or (place.side == "in" and place.phrase.named == "table")
        )
    ):
        return  # inside a line is no place for something of its own
    if place is not None and not any(place.start < b and a < place.end for a, b in filled.used):
        filled.params[slot.name] = place.place.model_dump(exclude_none=True, exclude_defaults=True)
        filled.used.append((place.start, place.end))
        if place.phrase is not None and place.phrase.options:
            filled.options = filled.options or place.phrase.options
    elif slot.required and filled.target is None:
        fields = filled.operation.params.model_fields
        only = [n for n, f in fields.items() if f.is_required()] == [slot.name]
        first = next((p for p in filled.reading.targets if not p.missing and p.target.text is None), None)
        if only and first is not None:  # "start the conclusion on a new page"
            filled.params[slot.name] = {
                "before": first.target.model_dump(exclude_none=True, exclude_defaults=True)
            }
            filled.used.append((first.start, first.end))
            filled.options = filled.options or first.options
        else:
            filled.params[slot.name] = {"at": "end"}


def _fill_target(filled: Filled, slot: Slot, wants: Wants) -> None:
    reading = filled.reading
    phrase = next(
        (p for p in _candidates(filled, slot) if fits(reading, p, wants, slot.required, filled.operation)),
        None,
    )
    if phrase is None and slot.required and not filled.params.get(slot.name):
        phrase = _implied(filled, wants)
        filled.implied = phrase is not None and phrase.end == phrase.start
    if phrase is None:
        return
    target = phrase.target
    phrase = _widened(filled, phrase)
    target = phrase.target
    if phrase.options and wants in _TABLES and len(reading.lookup.grids) == 1:
        phrase = Phrase(phrase.start, phrase.end, target, phrase.named, phrase.many)
    if (
        not slot.required and target.text is not None and target.ids is not None
    ):  # "the word x in the title": in the title
        filled.params[slot.name] = {"ids": target.ids}
        return
    if wants is Wants.CELL and phrase.named == "column":  # "rename the column Owner": its first cell
        target = target.model_copy(update={"row": "header"})
    filled.params[slot.name] = target.model_dump(exclude_none=True, exclude_defaults=True)
    if phrase.end > phrase.start:
        filled.used.append((phrase.start, phrase.end))
        place = reading.place
        if place is not None and phrase is place.phrase:
            filled.used.append((place.start, place.end))
    place = reading.place
    in_table = (
        place is not None
        and place.side == "in"
        and place.phrase is not None
        and place.phrase.named == "table"
    )
    if phrase.named in _IN_TABLE and in_table and place is not None:
        filled.used.append((place.start, place.end))
    filled.target = filled.target or phrase
    filled.options = filled.options or phrase.options


_EVERYWHERE = re.compile(
    r"\s(?:everywhere|throughout(?:\s+the\s+(?:whole\s+)?document)?"
    r"|wherever\s+it\s+(?:appears|occurs))\b",
    re.IGNORECASE,
)


def _widened(filled: Filled, phrase: Phrase) -> Phrase:
    """Words that are meant everywhere, or only in what the place names: "underline Acme everywhere", "Ann in the table"."""
    reading, target = filled.reading, phrase.target
    if target.text is None or target.nth is not None or phrase.missing:
        return phrase
    everywhere = _EVERYWHERE.search(reading.masked)
    if everywhere is not None:
        filled.used.append(everywhere.span())
        return replace(phrase, target=target.model_copy(update={"all": True}), many=True)
    place = reading.place
    if (
        place is None
        or place.side != "in"
        or place.phrase is None
        or place.phrase is phrase
        or target.ids is not None
    ):
        return phrase
    inside = reading.lookup.within(place.phrase.target)
    here = [b for b in reading.lookup.paragraphs_with(target.text)[0] if inside is not None and b in inside]
    if not here:
        return phrase
    filled.used.append((place.start, place.end))
    return replace(phrase, target=target.model_copy(update={"ids": here}))


def _candidates(filled: Filled, slot: Slot) -> Sequence[Phrase]:
    """The clause's phrases, without the quotation that is to be written.

    The place counts as a target where the operation has no place of its own ("insert 'x' before 'y'").
    """
    reading, op = filled.reading, filled.operation
    free = [p for p in reading.targets if not any(p.start < b and a < p.end for a, b in filled.used)]
    free.sort(key=lambda p: p.missing)
    kinds = [_base(f.annotation) for f in op.params.model_fields.values()]
    place = reading.place
    beside = [place.phrase] if place is not None and place.phrase is not None and Place not in kinds else []
    takes_words = any(n in TEXTS for n in op.params.model_fields)
    if (
        beside
        and takes_words
        and place is not None
        and (
            (place.side != "before" and beside[0].named in ("section", "topic"))
            or (
                beside[0].named in ("table", "picture", "chart", "list")
                and op.wants.get(slot.name) not in (*_DRAWINGS, *_TABLES)  # "add an alt text to the picture"
            )
        )
    ):
        beside = []  # "add 'x' at the end of the section": a paragraph of its own
    if beside and _REMOVING.match(reading.masked, reading.verb_at):
        beside = []
    if takes_words:
        free = _without_words(reading, free)
    if beside and takes_words:
        return [*beside, *free]
    return [*free, *beside]


_BEHIND_PREPOSITION = re.compile(
    r"\b(?:on|at|after|before|in|for|of|near|around|beside|behind|to)\s+$", re.IGNORECASE
)
_CHANGE = re.compile(
    r"(?:change|rename|replace|turn|make|update|correct|swap|set|switch|link|hyperlink|comment)\b",
    re.IGNORECASE,
)


def _without_words(reading: Reading, free: list[Phrase]) -> list[Phrase]:
    """The phrases without the quotation to be written: the one that no preposition leads, unless it is what is changed."""
    bare = [p for p in free if reading.masked[p.start] == "\u0001" or p.missing]
    if not bare or reading.saying is not None:
        return free
    led = [p for p in bare if _BEHIND_PREPOSITION.search(reading.masked, max(0, p.start - 12), p.start)]
    if len(bare) == 1:
        to = re.compile(r"\s+(?:to|into|as|by|with)\s+", re.IGNORECASE).match(reading.masked, bare[0].end)
        changed = _CHANGE.match(reading.masked, reading.verb_at) is not None and to is not None
        return free if changed or (led and not bare[0].missing) else [p for p in free if p not in bare]
    words = [p for p in bare if p not in led]
    if len(led) == 1 and words and words[0].start < led[0].start:
        return [p for p in free if p not in words]
    return free


def fits(reading: Reading, phrase: Phrase, wants: Wants, required: bool, op: Operation[Any]) -> bool:
    """Whether a phrase names what a target field resolves to."""
    if not required and phrase.named == "text" and phrase.target.text is not None:
        return wants is Wants.PARAGRAPHS and phrase.target.ids is not None
    if wants in (Wants.CELL, Wants.CELLS) and not required:
        return phrase.named == "cell"
    renaming = reading.verb in ("rename", "retitle", "call") and phrase.named == "column"
    if wants is Wants.CELL and not renaming and phrase.named in ("table", "row", "column", "header row"):
        return False
    if wants in (Wants.TABLE, Wants.TABLES) and phrase.named in _IN_TABLE:
        return False
    if wants in _TABLES:
        if phrase.named in ("text", "paragraph", "list item"):
            return phrase.target.text is not None or all(
                reading.lookup.in_table(i) for i in phrase.target.ids or ("",)
            )
        return phrase.named in (*_IN_TABLE, "table", "it", "selection")
    if wants in _DRAWINGS:
        return phrase.named in ("picture", "chart", "it", "selection")
    if wants is Wants.PARAGRAPHS and any(n in TEXTS for n in op.params.model_fields):
        return (
            phrase.named != "text" or phrase.target.text is None
        )  # not a whole paragraph for some words of it
    if wants is Wants.SPANS and phrase.named in ("picture", "chart"):
        return False
    if wants is Wants.BLOCKS:
        partial = phrase.named == "text" and phrase.target.text is not None
        return phrase.named not in _IN_TABLE and not partial
    return True


_PART = re.compile(
    rf"\b(?:the|that|this|these|those|its|{values.ORDINAL}|\w+'s)\s+(?:[\w-]+\s+){{0,2}}(?:rows?|columns?|cells?|line)\b"
    r"(?!\s+(?:without|where|whose|with|that|which|in\s+which)\b)|\b(?:rows?|columns?)\s+\d",
    re.IGNORECASE,
)


def _implied(filled: Filled, wants: Wants) -> Phrase | None:
    """A target that the clause does not spell out: the only table, the only picture, the selection, words of the document."""
    reading = filled.reading
    if wants in _TABLES:
        spoken = re.search(r"\b(?:tables?|rows?|columns?|cells?)\b", reading.masked, re.IGNORECASE)
        about_it = reading.previous is not None and _is_table(reading, reading.previous)
        if _PART.search(filled.free()) or not (spoken or about_it):
            return None  # some row or column that was not understood
        if reading.previous is not None and _is_table(reading, reading.previous):
            return Phrase(0, 0, reading.previous, "it")
        grids = tuple(g.id for g in reading.lookup.grids)
        return (
            Phrase(0, 0, Target(ids=list(grids)), "table", False, grids if len(grids) > 1 else ())
            if grids
            else None
        )
    if wants in _DRAWINGS and reading.previous is not None and _is_drawing(reading, reading.previous):
        return Phrase(0, 0, reading.previous, "it")
    if wants in _DRAWINGS:
        kind = "chart" if re.search(r"\b(?:chart|graph)\b", reading.masked, re.IGNORECASE) else "picture"
        ids = tuple(reading.lookup.of_kind(kind))
        return Phrase(0, 0, Target.model_validate({"every": kind}), kind, False, ids if len(ids) > 1 else ())
    place = reading.place
    own = any(n in TEXTS for n in filled.operation.params.model_fields)
    part = wants is Wants.SPANS or (wants is Wants.PARAGRAPHS and not own)
    words = _words_of_document(reading) if part else None
    if words is not None:
        return words
    if (
        place is not None
        and place.phrase is not None
        and not (own and place.phrase.named in ("section", "topic"))
        and place.side in ("in", "end of", "start of")
        and place.place.after is not None
        and not _REMOVING.match(reading.masked, reading.verb_at)
    ):
        return Phrase(place.start, place.end, place.place.after, place.phrase.named)
    if reading.selection is not None and reading.selection.blocks:
        return Phrase(0, 0, Target(where="selection"), "selection", True)
    return None


def _is_drawing(reading: Reading, target: Target) -> bool:
    return target.picture is not None or target.chart is not None or target.every in ("picture", "chart")


def _is_table(reading: Reading, target: Target) -> bool:
    try:
        return bool(Resolver(reading.mirror).tables(target))
    except OperationError:
        return False


_VERB = re.compile(
    r"(?:[\w-]+\s+)(?:(?:the\s+)?(?:words?|text|phrase|term|name|signature|line|sentence)\s+(?:line\s+)?|the\s+)?",
    re.IGNORECASE,
)
_NOT_TEXT = frozenset((
    "table", "the", "a", "an", "and", "text", "paragraph", "heading", "title", "page", "pages", "new", "row", "column",
    "list", "picture", "image", "chart", "it", "them", "all",
))  # fmt: skip


def _words_of_document(reading: Reading) -> Phrase | None:
    """Unquoted words behind the verb that stand in the document: "make net revenue bold"."""
    match = _VERB.match(reading.masked)
    if match is None or match.end() >= len(reading.masked) or reading.masked[match.end()] == "\u0001":
        return None
    found = reading.phrases.known_words(match.end())
    if found is None or found[0].lower() in _NOT_TEXT or len(found[0]) < 3:
        return None
    verb = re.match(r"[\w-]+\s+", reading.masked)
    phrase = reading.phrases.words(match.end(), found[1], found[0])
    return replace(phrase, start=verb.end() if verb is not None else phrase.start)


# -- values ------------------------------------------------------------------------------------------------------------

TEXTS = (
    "text",
    "content",
    "new_text",
    "comment",
    "description",
    "alt",
    "alt_text",
    "words",
    "caption",
    "body",
)
"""Names of parameters that take new words."""


def _value(filled: Filled, slot: Slot) -> Value | None:
    """One parameter by its name, else by its type, else by "its name: value"."""
    from agent.planning.local.fillers import BY_NAME, named_value, own_property, pairs

    if get_origin(slot.kind) is dict:
        return pairs(filled, slot) if slot.required else own_property(filled, slot)
    filler = BY_NAME.get(slot.name)
    if filler is not None:
        return filler(filled, slot)
    if get_origin(slot.kind) is Literal:
        return choice(filled, slot)
    if slot.kind is bool:
        return _yes_or_no(filled, slot)
    return named_value(filled, slot)


def _yes_or_no(filled: Filled, slot: Slot) -> Value | None:
    """A property that is switched on or off by its name ("bold", "no banded rows", "keep the heading")."""
    if slot.name in values.TOGGLES:
        return values.toggle(filled.free(), slot.name)
    if stemmed(filled.reading.verb) == stemmed(slot.name.strip("_")):
        return Value(filled.reading.verb_at, filled.reading.verb_at + len(filled.reading.verb), True)
    said = re.escape(slot.name.strip("_").replace("_", " ")).replace(r"\ ", r"(?:\s+|-)(?:the\s+)?")
    match = re.search(
        rf"\b(?P<no>(?:no|without|not|don't|remove|switch\s+off|turn\s+off|hide)\s+(?:the\s+|a\s+)?)?{said}s?\b",
        filled.free(),
        re.IGNORECASE,
    )
    if match is not None:
        return Value(match.start(), match.end(), match.group("no") is None)
    if slot.name.startswith("keep_"):
        emptied = re.compile(r"(?:empty|clear)\b", re.IGNORECASE).match(
            filled.reading.masked, filled.reading.verb_at
        )
        return Value(emptied.start(), emptied.end(), True) if emptied is not None else None
    return None


def choice(filled: Filled, slot: Slot) -> Value | None:
    """Which of the options is spoken of; of "underline_kind" only where underlining is spoken of."""
    options = [a for a in get_args(slot.kind) if isinstance(a, str)]
    free = filled.free()[: filled.reading.colon]
    about = [w for w in slot.name.split("_")[:-1] if len(w) > 3]
    if about and not all(
        re.search(rf"\b{re.escape(w[:6])}", filled.reading.masked, re.IGNORECASE) for w in about
    ):
        return None
    return values.literal(free, options)


__all__ = ["TEXTS", "Filled", "Filler", "Slot", "choice", "fill", "fits"]
