"""One clause as it is understood before an operation is chosen: its verb, the targets, the place, the new words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from agent.document.mirror import Mirror
from agent.errors import OperationError
from agent.operations.resolver import Resolver
from agent.operations.targets import Place, Selection, Target
from agent.planning.local.clauses import Clause, quoted, quotes_masked
from agent.planning.local.lookup import Lookup, fold
from agent.planning.local.phrases import Phrase, Phrases
from agent.planning.local.values import Value
from agent.planning.local.words import ORDINAL, REMOVING, VERBS, ordinal

_I = re.IGNORECASE
_NEAR = r"(?:right\s+|directly\s+|just\s+|immediately\s+|straight\s+)?"
_SIDE = re.compile(
    rf"\b{_NEAR}(?:(?P<after>after|behind|following)|(?P<below>below|beneath|underneath|under)"
    rf"|(?P<before>before|above|in\s+front\s+of|ahead\s+of))\s+",
    _I,
)
_IN = re.compile(
    r"\b(?:(?:(?:at|to|on)\s+the\s+(?P<edge>end|bottom|start|beginning|top|front)\s+of"
    r"|as\s+the\s+(?P<item>last|first)\s+(?:\w+\s+){1,2}(?:of|in|under))\s+"
    r"|(?P<in>in|into|to|within|inside|for)\s+)",
    _I,
)
_EDGE = re.compile(
    r"\b(?:at|to|on|as)\s+the\s+(?:very\s+)?(?P<edge>end|bottom|start|beginning|top|front|last\s+thing|first\s+thing)\b"
    r"(?:\s+of\s+(?:the\s+|this\s+|my\s+)?(?:whole\s+|entire\s+)?(?:document|file|text"
    r"|report|page|letter|contract|memo|agreement)\b)?"
    r"|\b(?:at|to)\s+(?P<edge2>end|start)\b",
    _I,
)
_FRONTED = re.compile(
    r"(?:at|in|on|after|before|under|below|above|to|for|as|within|inside|behind|throughout)\b", _I
)
_LAST = {"end", "bottom", "last thing"}
_SAYING = re.compile(
    r"\b(?:should\s+(?:say|read)|saying|that\s+says|which\s+says|says|that\s+reads|which\s+reads|reading|reads"
    r"|to\s+say|to\s+read|stating(?:\s+that)?|that\s+states"
    r"|with\s+(?:the\s+)?(?:text|words?|content|wording|note|message|caption)|consisting\s+of"
    r"|containing|that\s+asks|asking)\b\s*:?\s*(?:that\s+)?",
    _I,
)
_COLON = re.compile(r":(?=\s)(?!\s*$)\s*")
_JOINT = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+(?:also\s+)?|\s*&\s*|\s+as\s+well\s+as\s+)", _I)
_PLACED = (
    "section",
    "heading",
    "topic",
    "table",
    "it",
    "title",
    "paragraph",
    "picture",
    "chart",
    "list",
    "list item",
    "row",
    "subtitle",
)
_WHOLE = ("delete", "remove", "erase", "drop", "move", "cut")
Side = Literal["after", "below", "before", "in", "start of", "end of", "at"]


@dataclass(frozen=True)
class PlacePhrase:
    """Where something new goes, and the words that said it."""

    start: int
    end: int
    place: Place
    side: Side
    phrase: Phrase | None = None


@dataclass
class Reading:
    """A clause and what was found in it."""

    clause: Clause
    mirror: Mirror
    previous: Target | None = None
    """What "it" means: the target of the clause before."""
    selection: Selection | None = None
    used: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    @property
    def text(self) -> str:
        """The clause's words."""
        return self.clause.text

    @cached_property
    def masked(self) -> str:
        """The words with quoted strings as runs of \u0001."""
        return quotes_masked(self.text)

    @cached_property
    def quotes(self) -> list[Value]:
        """Quoted strings, their marks included in the place."""
        return [Value(a, b, words) for a, b, words in quoted(self.text)]

    @cached_property
    def lookup(self) -> Lookup:
        """What the document holds."""
        return Lookup.of(self.mirror)

    @cached_property
    def phrases(self) -> Phrases:
        """The finder of noun phrases."""
        quotes = {q.start: (q.end, q.value) for q in self.quotes}
        selected = self.selection is not None and bool(self.selection.blocks)
        return Phrases(self.lookup, self.text, self.masked, quotes, self.previous, selected)

    @cached_property
    def verb_at(self) -> int:
        """Where the verb stands: at the start, or behind "at the end, ..." and its like."""
        if not _FRONTED.match(self.masked):
            return 0
        for match in re.finditer(r"(?:,\s*|\s+)(?=(?P<w>[\w-]+))", self.masked[: self._request_end]):
            if match.group("w").lower() in VERBS and match.group("w").islower():
                return match.end()
        return 0

    @cached_property
    def verb(self) -> str:
        """The verb, as it is written but for capitals."""
        if REMOVING.match(self.masked, self.verb_at):
            return "delete"
        match = re.compile(r"[\w-]+").match(self.masked, self.verb_at)
        return match.group(0).lower() if match else ""

    @cached_property
    def colon(self) -> int | None:
        """Where the content behind a colon begins."""
        match = _COLON.search(self.masked)
        return match.end() if match is not None else None

    @property
    def _request_end(self) -> int:
        """Where the request ends and what is only to be written begins."""
        return self.colon - 1 if self.colon is not None else len(self.masked)

    @cached_property
    def place(self) -> PlacePhrase | None:
        """Where something new goes, if the clause says so."""
        return self._beside() or self._inside_or_edge()

    def _beside(self) -> PlacePhrase | None:
        for match in _SIDE.finditer(self.masked, 0, self._request_end):
            if self.verb not in ("move", "put", "place", "shift") and any(
                p.start < match.start() < p.end for p in self._everything
            ):
                continue  # "end the paragraph under Scope with ..."
            phrase = self.phrases.at(match.end()) or self._anchor_words(match.end())
            if phrase is None:
                continue
            side: Side = "before" if match.group("before") else "after" if match.group("after") else "below"
            target = _anchor(
                phrase,
                side,
                "" if re.search(r"\b(?:first|top)\b", self.masked[: match.start()], _I) else match.group(0),
            )
            place = Place(before=target) if side == "before" else Place(after=target)
            return PlacePhrase(match.start(), phrase.end, place, side, phrase)
        return None

    def _inside_or_edge(self) -> PlacePhrase | None:
        edge = _EDGE.search(self.masked, 0, self._request_end)
        inside = self._place_in()
        if inside is not None and (edge is None or inside.end > edge.end()):
            return inside
        if edge is None:
            return inside
        word = " ".join((edge.group("edge") or edge.group("edge2")).lower().split())
        return PlacePhrase(edge.start(), edge.end(), Place(at="end" if word in _LAST else "start"), "at")

    def _place_in(self) -> PlacePhrase | None:
        """As in "in the section Scope", "at the end of Scope", "as the last item of the list"."""
        for match in _IN.finditer(self.masked, 0, self._request_end):
            if any(p.start < match.start() < p.end for p in self._everything):
                continue  # "the first row in the table": part of what is meant
            phrase = self.phrases.at(match.end())
            if (
                phrase is None
                or phrase.named not in _PLACED
                or (phrase.many and phrase.named not in ("list", "it"))
            ):
                continue
            edge = (match.group("edge") or match.group("item") or "").lower()
            first = edge in ("start", "beginning", "top", "front", "first")
            target = phrase.target
            side: Side = "start of" if first else "end of" if edge else "in"
            if first and target.section is not None:
                target = Target(heading=target.section)
            elif target.heading is not None and not first:
                target = Target(section=target.heading)
            return PlacePhrase(match.start(), phrase.end, Place(after=target), side, phrase)
        return None

    @cached_property
    def _everything(self) -> list[Phrase]:
        """Noun phrases from left to right, places among them."""
        found: list[Phrase] = []
        for match in re.finditer(r"(?<![\w\u0001])(?=[\w\u0001])", self.masked[: self._request_end]):
            if found and match.start() < found[-1].end:
                continue
            phrase = self.phrases.at(match.start())
            if phrase is not None:
                found.append(phrase)
        return found

    def _anchor_words(self, at: int) -> Phrase | None:
        """Words of the document without quotation marks, as in "before approved in March"."""
        same = re.compile(
            rf"(?:the\s+)?(?P<o>{ORDINAL})(?:\s+one)?(?=\s*(?:$|[,.:]|\b(?:saying|reading)\b))", _I
        ).match(self.masked, at)
        if same is not None:
            return self._of_the_same_kind(at, same)
        lead = re.compile(r"(?:the\s+)?", _I).match(self.masked, at)
        assert lead is not None
        found = self.phrases.known_words(lead.end())
        if found is not None and len(found[0]) > 2:
            return self.phrases.words(at, found[1], found[0])
        named = re.compile(
            r"(?:the\s+)?(?P<w>[\w'-]+(?:\s+[\w'-]+){0,3}?)(?=\s*(?:$|[,.;:!?]|\b(?:with|saying|that|called|titled)\b))",
            _I,
        )
        match = named.match(self.masked, at)
        if match is None:
            return None
        return Phrase(
            at, match.end(), Target(heading=match.group("w")), "topic"
        )  # the resolver will name what is there instead

    def _of_the_same_kind(self, at: int, match: re.Match[str]) -> Phrase | None:
        """As in "before the first" behind "the second paragraph": the first paragraph."""
        before = [
            p
            for p in self._everything
            if p.end <= at and p.named in ("paragraph", "table", "picture", "chart")
        ]
        n = ordinal(match.group("o"))
        if n is None:
            return None
        new = re.search(r"\b(?P<k>paragraph|table|picture|chart)\b[^:]*$", self.masked[:at], _I)
        if not before and new is not None:  # "add a paragraph after the first"
            kind = new.group("k").lower()
            return Phrase(at, match.end(), Target.model_validate({kind: n}), kind)
        if not before:
            return None
        return Phrase(at, match.end(), Target.model_validate({before[-1].named: n}), before[-1].named)

    @cached_property
    def targets(self) -> list[Phrase]:
        """Noun phrases outside the place and outside what is only to be written, in order; "the title and the heading" as one."""
        found: list[Phrase] = []
        for phrase in self._phrases():
            joint = self.masked[found[-1].end : phrase.start] if found else ""
            joined = self._joined(found[-1], phrase) if found and joint and _JOINT.fullmatch(joint) else None
            if joined is not None:
                found[-1] = joined
            else:
                found.append(phrase)
        return found

    def _phrases(self) -> Iterator[Phrase]:
        place = self.place
        at = 0
        limit = self._request_end
        saying = self.saying
        if saying is not None:
            limit = min(limit, saying.start)
        for match in re.finditer(r"(?<![\w\u0001])(?=[\w\u0001])", self.masked):
            start = match.start()
            if start < at or start >= limit or (place is not None and place.start <= start < place.end):
                continue
            phrase = self.phrases.at(start)
            if phrase is None or (
                place is not None and phrase.start < place.start < phrase.end and place.phrase is not None
            ):
                continue
            if start == 0 and phrase.named == "it":
                continue
            at = phrase.end
            yield phrase

    def _joined(self, one: Phrase, other: Phrase) -> Phrase | None:
        """Two phrases as one target, if both are blocks that are there."""
        if (
            one.options
            or other.options
            or one.target.text is not None
            or other.target.text is not None
            or "it" in (one.named, other.named)
        ):
            return None
        resolver = Resolver(self.mirror, self.selection)
        ids: list[str] = []
        for phrase in (one, other):
            heading = self.lookup.heading_names.get(fold(phrase.target.section or ""))
            if heading is not None and self.verb in _WHOLE:
                ids.append(heading.id)  # a section that goes takes its heading along
            try:
                cells = phrase.target.row is not None or phrase.target.column is not None
                ids += resolver.paragraphs(phrase.target) if cells else resolver.blocks(phrase.target)
            except OperationError:
                return None
        return replace(one, end=other.end, target=Target(ids=list(dict.fromkeys(ids))), many=True)

    @cached_property
    def saying(self) -> Value | None:
        """New words: what follows a colon, or "saying" and its like, quoted or not; up to a place that ends the clause."""
        match = _SAYING.search(self.masked, 0, self._request_end)
        if match is not None and not self._names_paragraph(match):
            return self._content(match.start(), match.end())
        if self.colon is not None:
            return self._content(self.colon, self.colon, whole=True)
        return None

    def _names_paragraph(self, match: re.Match[str]) -> bool:
        """Whether "that says 'x'" tells which paragraph is meant, and not what is to be written."""
        for start in range(max(0, match.start() - 40), match.start()):
            if start == 0 or not self.masked[start - 1].isalnum():
                phrase = self.phrases.at(start)
                if phrase is not None and phrase.end > match.end() and phrase.start < match.start():
                    return phrase.named in ("paragraph", "list item", "text", "row", "table")
        return False

    def _content(self, start: int, at: int, whole: bool = False) -> Value | None:
        end = len(self.text)
        place = self._beside() or self._inside_or_edge() if not whole else None
        if place is not None and place.start >= at and place.end >= len(self.masked.rstrip(" .!?")):
            end = place.start
        quote = next((q for q in self.quotes if q.start == at), None)
        if quote is not None and not self.masked[quote.end : end].strip(" .!?"):
            return Value(start, quote.end, quote.value)
        if quote is not None and not whole:
            return Value(start, quote.end, quote.value)
        words = self.text[at:end].strip(" ,")
        return Value(start, end, _unquoted(words)) if words else None

    def free_quotes(self) -> list[Value]:
        """Quoted strings that neither the place nor a phrase with a noun ("the word 'x'") uses; no file's name."""
        taken = [
            (t.start, t.end)
            for t in self.targets
            if not t.missing and (self.masked[t.start] != "\u0001" or t.named != "text")
        ]
        if self.place is not None:
            taken.append((self.place.start, self.place.end))
        return [
            q
            for q in self.quotes
            if q.value not in self.mirror.attachments
            and not any(a <= q.start and q.end <= b for a, b in taken)
        ]


def _anchor(phrase: Phrase, side: Side, near: str) -> Target:
    """A topic means its whole section ("after the introduction"), but "below Budget" is directly below that heading."""
    target = phrase.target
    if target.row is not None or target.column is not None:
        return target.model_copy(update={"row": None, "column": None})
    if (
        side == "below"
        and target.section is not None
        and phrase.named == "topic"
        and not near.lower().startswith("under ")
    ):
        return Target(heading=target.section)
    return target


def _unquoted(words: str) -> str:
    stripped = words.strip()
    for a, b in (('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019")):
        if stripped.startswith(a) and stripped.endswith(b) and len(stripped) > 1:
            return stripped[1:-1]
    return stripped
