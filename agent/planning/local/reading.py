"""One clause as it is understood before an operation is chosen: its verb, the target, the place, the new words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from agent.document.mirror import Mirror
from agent.document.outline import walk
from agent.operations.targets import Place, Selection, Target
from agent.planning.local.clauses import Clause, quoted, quotes_masked
from agent.planning.local.phrases import Phrase, Phrases
from agent.planning.local.values import Value

_BEHIND = r"after|below|beneath|underneath|under|following|behind|right after|directly after|just after|immediately after|directly below|right below|just below"
_FRONT = r"before|above|in front of|ahead of|right before|just before|directly before|immediately before|right above|just above|directly above|over"
_SIDE = re.compile(rf"\b(?:(?P<after>{_BEHIND})|(?P<before>{_FRONT}))\s+", re.IGNORECASE)
_IN = re.compile(
    r"\b(?:(?:at|to|on)\s+the\s+(?P<edge>end|bottom|start|beginning|top|front)\s+of\s+|(?P<in>in|into|to|within|inside|for)\s+)",
    re.IGNORECASE,
)
_EDGE = re.compile(
    r"\b(?:at|to|on|as)\s+the\s+(?:very\s+)?(?P<edge>end|bottom|start|beginning|top|front|last thing|first thing)\b(?:\s+of\s+(?:the\s+|this\s+|my\s+)?(?:whole\s+|entire\s+)?(?:document|file|text|report|page|letter|contract))?"
    r"|\b(?:at|to)\s+(?P<edge2>end|start)\b",
    re.IGNORECASE,
)
_LAST = {"end", "bottom", "last thing"}
_UNKNOWN = re.compile(
    r"(?:the\s+|a\s+)?(?P<w>[\w\u00c0-\uffff][\w\u00c0-\uffff' -]*?)(?=\s*(?:$|[,.;:!?]|\b(?:with|saying|that|which|to say|called|titled|named|reading)\b))",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"(?:\b(?:saying|says|say|that says|which says|that reads|which reads|reading|reads|read|with the (?:text|words?|content|wording|caption|comment|note)|with text"
    r"|stating(?: that)?|states(?: that)?|containing|consisting of|to say|that states|noting(?: that)?|asking|that asks|explaining that)\b\s*:?\s*(?:that\s+)?|:\s*)",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\b(?:called|titled|named|entitled|labell?ed|headed|title|with the title|heading|headline|subheading)\s*:?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PlacePhrase:
    """Where something new goes, and the words that said it."""

    start: int
    end: int
    place: Place
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
    def phrases(self) -> Phrases:
        """The finder of noun phrases."""
        return Phrases(
            self.mirror, self.text, self.masked, {q.start: q.value for q in self.quotes}, self.previous
        )

    @cached_property
    def verb(self) -> str:
        """The first word."""
        match = re.match(r"[\w-]+", self.masked)
        return match.group(0).lower() if match else ""

    @cached_property
    def place(self) -> PlacePhrase | None:
        """Where something new goes, if the clause says so."""
        for match in _SIDE.finditer(self.masked):
            if match.end() >= len(self.masked) or match.start() == 0:
                continue
            phrase = self.phrases.at(match.end()) or self._in_document(match.end())
            if phrase is None:
                continue
            side = "after" if match.group("after") else "before"
            return PlacePhrase(match.start(), phrase.end, Place(**{side: _anchor(phrase)}), phrase)  # type: ignore[arg-type]
        edge = _EDGE.search(self.masked)
        inside = self._place_in()
        if inside is not None and (edge is None or inside.end > edge.end()):
            return inside
        if edge is not None:
            word = (edge.group("edge") or edge.group("edge2")).lower()
            return PlacePhrase(edge.start(), edge.end(), Place(at="end" if word in _LAST else "start"))
        return inside

    def _place_in(self) -> PlacePhrase | None:
        """ "in the section Scope", "at the end of Scope", "at the start of the Scope section"."""
        for match in _IN.finditer(self.masked):
            phrase = self.phrases.at(match.end())
            if phrase is None or phrase.named not in (
                "section",
                "heading",
                "topic",
                "table",
                "it",
                "title",
                "paragraph",
                "picture",
                "chart",
            ):
                continue
            if match.group("edge") is None and phrase.named not in ("section", "topic", "heading"):
                continue
            edge = (match.group("edge") or "end").lower()
            if edge in _LAST:
                heading = phrase.target.heading or phrase.target.section
                target = Target(section=heading) if heading else phrase.target
                return PlacePhrase(match.start(), phrase.end, Place(after=target), phrase)
            heading = phrase.target.section or phrase.target.heading
            target = Target(heading=heading) if heading else phrase.target
            return PlacePhrase(match.start(), phrase.end, Place(after=target), phrase)
        return None

    def _in_document(self, start: int) -> Phrase | None:
        """Words that are no known phrase: text of the document if they stand there, else taken for a heading's name, so that the
        refusal can name the headings that exist.
        """
        match = _UNKNOWN.match(self.masked, start)
        if match is None:
            return None
        words = self.text[match.start("w") : match.end("w")].strip()
        found = self.document_text(words)
        if found is not None:
            return Phrase(start, match.start("w") + len(found), Target(text=found), True, "text")
        return Phrase(start, match.end(), Target(section=words), True, "unknown")

    def document_text(self, words: str) -> str | None:
        """The longest beginning of the words that stands in the document: the longer ones first; at least one word of three letters."""
        tokens = words.split(" ")
        lower = [b.text.casefold() for b in walk(self.mirror)]
        for count in range(len(tokens), 0, -1):
            candidate = " ".join(tokens[:count]).strip(" ,.")
            if len(candidate) >= 3 and any(_has_words(t, candidate.casefold()) for t in lower):
                return candidate
        return None

    @cached_property
    def targets(self) -> list[Phrase]:
        """Noun phrases outside the place, in order, not inside one another."""
        return list(self._targets())

    def _targets(self) -> Iterator[Phrase]:
        place = self.place
        at = 0
        for match in re.finditer(r"(?<![\w\u0001])(?=[\w\u0001])", self.masked):
            if match.start() < at or (place is not None and place.start <= match.start() < place.end):
                continue
            phrase = self.phrases.at(match.start())
            if phrase is None or (place is not None and phrase.start < place.start < phrase.end):
                continue
            if (
                phrase.start == 0
                and phrase.named in ("text", "it")
                and phrase.end < len(self.masked)
                and phrase.named == "it"
            ):
                continue
            at = phrase.end
            yield phrase

    @cached_property
    def saying(self) -> Value | None:
        """New words without quotes: what follows "saying", "with the text" or a colon, up to the place if that comes later."""
        for match in _SAYING.finditer(self.masked):
            end = len(self.text)
            place = self.place
            if place is not None and place.start >= match.end():
                end = place.start
            words = self.text[match.end() : end].strip(" ,")
            if words and not words.startswith("\u0001"):
                return Value(match.start(), end, _unquoted(words))
        return None

    def called(self) -> Value | None:
        """A name: what follows "called", "titled" or the word heading, up to the place."""
        for match in _CALLED.finditer(self.masked):
            end = len(self.text)
            place = self.place
            if place is not None and place.start >= match.end():
                end = place.start
            words = self.text[match.end() : end].strip(" ,")
            if not words:
                continue
            inside = [q for q in self.quotes if q.start >= match.end() and q.end <= end]
            if inside:
                return Value(match.start(), inside[0].end, inside[0].value)
            return Value(match.start(), end, _unquoted(words))
        return None

    def free_quotes(self) -> list[Value]:
        """Quoted strings that neither the place nor a phrase with a noun ("the word 'x'") uses."""
        taken = [
            (t.start, t.end) for t in self.targets if t.named != "text" or self.masked[t.start] != "\u0001"
        ]
        if self.place is not None:
            taken.append((self.place.start, self.place.end))
        return [q for q in self.quotes if not any(a <= q.start and q.end <= b for a, b in taken)]


def _anchor(phrase: Phrase) -> Target:
    """A topic ("after the introduction") means its whole section; a bare kind ("after the table") its only one."""
    target = phrase.target
    if target.row is not None or target.column is not None:
        return target.model_copy(update={"row": None, "column": None})
    return target


def _has_words(text: str, words: str) -> bool:
    at = text.find(words)
    while at >= 0:
        if (at == 0 or not text[at - 1].isalnum()) and not text[
            at + len(words) : at + len(words) + 1
        ].isalnum():
            return True
        at = text.find(words, at + 1)
    return False


def _unquoted(words: str) -> str:
    stripped = words.strip()
    for a, b in (('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019")):
        if stripped.startswith(a) and stripped.endswith(b) and len(stripped) > 1:
            return stripped[1:-1]
    return stripped
