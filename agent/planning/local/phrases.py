"""Noun phrases that name a part of the document: "the last row of the second table", "all headings", "the introduction".

A phrase is a head with what narrows it: how many, which one by number, a name before or behind it, what it contains,
what it is in. What stands behind a head and narrows it must be understood, else the phrase would name too much.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Container
from dataclasses import dataclass, replace

from agent.document.outline import Block
from agent.operations.targets import Target
from agent.planning.local.lookup import Lookup, all_in, fold
from agent.planning.local.words import GLUE, NUMBER, ORDINAL, VERBS, number, ordinal

_I = re.IGNORECASE
KINDS = {
    "header row": r"(?:table )?header rows?|heading rows?|table headers?|column headers?",
    "subtitle": r"subtitle|sub-title",
    "heading": r"headings?|headlines?|sub-?headings?|section titles?|chapter titles?|titles",
    "title": r"(?:main |document )?title(?: line)?|main heading",
    "paragraph": r"(?:body |normal |text )?(?:paragraphs?|paras?)|body text|running text|normal text",
    "list item": r"(?:list |bullet |bulleted |numbered )(?:items?|points?)|items?|bullets?|points?|steps?",
    "list": r"(?:bullet(?:ed)? |bullet[- ]point |numbered )?lists?",
    "table": r"tables?",
    "picture": r"pictures?|images?|photos?|figures?|illustrations?|graphics?|logos?",
    "chart": r"charts?|graphs?|diagrams?",
    "link": r"(?:hyper)?links?",
    "section": r"sections?|chapters?|clauses?|parts?",
    "text": r"(?:occurrences?|instances?|mentions?|appearances?)\s+of(?:\s+(?:the\s+)?(?:word|name|phrase|term|text))?"
    r"|words?|phrases?|terms?|names?|expressions?|strings?|text|numbers?|values?",
    "line": r"sentences?|lines?|entry|entries|ones?",
}
_HEAD = re.compile("|".join(rf"(?P<{k.replace(' ', '_')}>(?:{v})\b)" for k, v in KINDS.items()), _I)
_LEAD = re.compile(
    rf"(?P<quant>(?:all|both|every|each|any)\b(?:\s+(?:single|one)\b)?(?:\s+of\b)?\s+)?"
    rf"(?P<det>(?:the|a|an|this|that|these|those|my|our|its|their|your|his|her)\s+)?"
    rf"(?:(?:very\s+)?(?P<ord>{ORDINAL})\s+)?(?:(?P<count>{NUMBER})\s+)?"
    rf"(?:level[- ](?P<level>\d)\s+|(?P<level2>first|second|third|top)[- ]level\s+)?(?:(?:existing|current|whole|entire)\s+)?",
    _I,
)
_LEVELS = {"first": 1, "top": 1, "second": 2, "third": 3}
_AFTER_LEVEL = re.compile(r"s?\s+(?:of|at|on|with)\s+(?:the\s+)?level\s+(?P<n>\d)\b", _I)
_NUMBER_AFTER = re.compile(
    r"\s+(?:number\s+|no\.?\s*|#)?(?P<n>\d+)s?(?![\w.,]*\d)\b(?!\s*(?:cm|mm|pt"
    r"|points?|inch|inches|per\s*cent|x)\b|\s*%)",
    _I,
)
_CALLED = re.compile(r"\s+(?:called|named|titled|entitled|headed|labelled|labeled)\s+", _I)
_ABOUT = re.compile(
    r"\s+(?:(?:that|which)\s+)?(?P<how>starts?\s+with|starting\s+with|begins?\s+with"
    r"|beginning\s+with|contain(?:s|ing)?|mention(?:s|ing)?"
    r"|says?|saying|reads?|reading|about|with|on|of|for|listing|showing"
    r"|shows?)\s+(?:the\s+(?:words?|text|phrase|name)\s+)?(?:the\s+)?",
    _I,
)
_SCOPE = re.compile(r"\s+(?:of|in|from|within|inside|under|for)\s+", _I)
_TITLED = re.compile(
    r"[A-Z0-9\u00c0-\u00de\u4e00-\u9fff][\w&'/\u00c0-\uffff-]*"
    r"(?:\s+(?:(?:of|and|the|for|to|in|on|with|&|a)\s+)*[A-Z0-9\u00c0-\u00de][\w&'/\u00c0-\uffff-]*)*"
)
_STOP = re.compile(
    r"\s*(?:$|[,.;:!?\n\u0001]|\b(?:to|in|into|with|and|then|as|by|from|on|at|so|using"
    r"|that|which|is|are|be|should|under|below|above"
    r"|after|before|bold|italic|if|but|except|unless|please)\b)",
    _I,
)
_DOCUMENT = re.compile(
    r"(?:the\s+)?(?:whole|entire|full|complete)\s+(?:document|text|file|report|letter"
    r"|contract|memo|agreement|thing|doc)\b|everything\b"
    r"|all\s+(?:of\s+)?(?:the\s+)?(?:text|content)\b|(?:the|this)\s+(?:document|file)\b",
    _I,
)
_SELECTION = re.compile(r"(?:the\s+|my\s+)?(?:selection|selected\s+\w+|marked\s+text)\b", _I)
_PRONOUN = re.compile(
    r"(?:it|them|they|these|those|this|that|the\s+same)\b(?!\s+(?:says|reads|starts|\w+ing\b|not\b)|'s)(?:\s+ones?\b)?",
    _I,
)


@dataclass(frozen=True)
class Phrase:
    """A noun phrase at a place of a clause."""

    start: int
    end: int
    target: Target
    named: str
    """What it names: a key of `KINDS`, or topic, row, column, cell, document, selection, it."""
    many: bool = False
    """Whether it means all that it names; "the heading" means one."""
    options: tuple[str, ...] = ()
    """When it means one and could be several: the ids of the blocks it could be."""
    missing: bool = False
    """It names something by words that the document does not have there."""


@dataclass(frozen=True)
class Lead:
    """What stands in front of the head."""

    end: int
    every: bool
    determined: bool
    ordinal: int | None
    count: int | None
    level: int | None
    new: bool
    """As in "a table", "another row": something that is not there yet."""


_NOT_A_HEAD = re.compile(r"\s+(?:styles?|case|numbers?|numbering)\b(?!\s+\d)", _I)
_MEASURE = re.compile(r"\d+(?:[.,]\d+)?\s*(?:points?|pt)\b", _I)
_SEVERAL = re.compile(rf"(?:the\s+)?(?P<a>{ORDINAL})\s+and\s+(?:the\s+)?(?P<b>{ORDINAL})\s+", _I)
_NUMBERS = re.compile(r"\s+(?P<a>\d+)\s*(?P<joint>and|,|&|to|-|\u2013)\s*(?P<b>\d+)\b", _I)
NEW_BEFORE = re.compile(
    r"\b(?:an?|another|new|some|no|following)\s+(?:(?!(?:to|of|in|on|at|for|with|and|under|from|after"
    r"|before|below|above|behind)\b)[\w-]+\s+){0,2}$",
    _I,
)


class Phrases:
    """Finds noun phrases in one clause. `masked`: the clause with quoted strings as runs of \u0001; `quotes`: what is in them."""

    def __init__(
        self,
        lookup: Lookup,
        text: str,
        masked: str,
        quotes: dict[int, tuple[int, str]],
        previous: Target | None,
        selected: bool,
    ) -> None:
        from agent.planning.local.table_phrases import TablePhrases

        self.lookup = lookup
        self.text = text
        self.masked = masked
        self.quotes = quotes
        self.previous = previous
        self.selected = selected
        self._tables = TablePhrases(self)
        self._runs: dict[int, list[tuple[str, int]]] = {}
        self._found: dict[int, Phrase | None] = {}

    def at(self, start: int) -> Phrase | None:
        """The longest noun phrase that starts here."""
        if start not in self._found:
            self._found[start] = self._at(start)
        return self._found[start]

    def _at(self, start: int) -> Phrase | None:
        found = [
            p
            for p in (
                self._tables.at(start),
                self._head(start),
                self._whole(start),
                self._heading_name(start),
                self._in_style(start),
                self._several(start),
                self._quoted(start),
            )
            if p is not None
        ]
        return max(found, key=lambda p: p.end) if found else None

    def lead(self, start: int) -> Lead:
        """Quantifier, determiner, ordinal, count and level at a place."""
        match = _LEAD.match(self.masked, start)
        assert match is not None
        level = match.group("level") or match.group("level2")
        det = (match.group("det") or "").strip().lower()
        new = det in ("a", "an") or NEW_BEFORE.search(self.masked, max(0, start - 30), start) is not None
        return Lead(
            match.end(),
            match.group("quant") is not None,
            det not in ("", "a", "an"),
            ordinal(match.group("ord")) if match.group("ord") else None,
            number(match.group("count")) if match.group("count") else None,
            _LEVELS.get(level.lower()) or int(level)
            if level and (level.isdigit() or level.lower() in _LEVELS)
            else None,
            new,
        )

    def name_at(self, at: int, names: Container[str]) -> tuple[str, int] | None:
        """The longest of some folded names that the clause says here, or quotes here, and where it ends."""
        if at in self.quotes:
            end, words = self.quotes[at]
            return (fold(words), end) if fold(words) in names else None
        return next(((said, end) for said, end in self._said(at) if said in names), None)

    def _said(self, at: int) -> list[tuple[str, int]]:
        """The next words, folded: as many as a name may have, then fewer and fewer."""
        if at not in self._runs:
            found: list[tuple[str, int]] = []
            for token in itertools.islice(re.compile(r"[^\s\u0001]+").finditer(self.masked, at), 12):
                if "\u0001" in self.masked[at : token.end()]:
                    break
                bare = token.group(0).rstrip(".,;:!?")
                ends = {token.end(), token.start() + len(bare)}
                found += [(fold(self.text[at:end]), end) for end in ends]
            self._runs[at] = sorted(found, key=lambda f: -f[1])
        return self._runs[at]

    def titled(self, at: int) -> tuple[str, int] | None:
        """Quoted words, or words with capital letters, at a place."""
        if at in self.quotes:
            end, words = self.quotes[at]
            return words, end
        match = _TITLED.match(self.masked, at)
        return (match.group(0), match.end()) if match is not None else None

    # -- whole things --------------------------------------------------------------------------------------------------

    def _whole(self, start: int) -> Phrase | None:
        match = _DOCUMENT.match(self.masked, start)
        if match is not None:
            scope = _SCOPE.match(self.masked, match.end())
            inner = self.at(scope.end()) if scope is not None else None
            if inner is not None and inner.named != "document":
                return replace(inner, start=start, many=True)  # "everything in the introduction"
            return Phrase(start, match.end(), Target(where="document"), "document", True)
        match = _SELECTION.match(self.masked, start)
        if match is not None:
            return Phrase(start, match.end(), Target(where="selection"), "selection", True)
        match = _PRONOUN.match(self.masked, start)
        if match is None:
            return None
        if self.previous is not None:
            return Phrase(start, match.end(), self.previous, "it", True)
        return (
            Phrase(start, match.end(), Target(where="selection"), "selection", True)
            if self.selected
            else None
        )

    def _quoted(self, start: int) -> Phrase | None:
        lead = re.compile(
            rf"(?P<all>(?:all|every"
            rf"|each)\s+)?(?:the\s+)?(?:(?P<o>{ORDINAL})\s+(?:(?:occurrence|instance|mention)\s+of\s+)?)?",
            _I,
        ).match(self.masked, start)
        assert lead is not None
        if lead.end() in self.quotes:
            end, words = self.quotes[lead.end()]
            if lead.group("o"):
                return Phrase(start, end, Target(text=words, nth=ordinal(lead.group("o"))), "text")
            return self._words_in(self.words(start, end, words, lead.group("all") is not None))
        if lead.group("all") is None:
            return None
        titled = _TITLED.match(self.masked, lead.end())
        if titled is None or not self.lookup.contains(titled.group(0)):
            return None
        return self.words(start, titled.end(), titled.group(0), True)

    def words(self, start: int, end: int, words: str, every: bool = False) -> Phrase:
        """Words of the document; the paragraph if they are all it says; whole words rather than parts of words."""
        whole = self.lookup.paragraphs_reading(words)
        if len(whole) == 1 and not every:
            return Phrase(start, end, Target(ids=whole), "text")
        with_words, with_parts = self.lookup.paragraphs_with(words)
        missing = not with_parts
        if with_words and len(with_words) < len(with_parts):
            return Phrase(start, end, Target(ids=with_words, text=words, all=every), "text", every)
        return Phrase(start, end, Target(text=words, all=every), "text", every, missing=missing)

    def _words_in(self, phrase: Phrase) -> Phrase:
        """Words with where they are: "'new office' in the last paragraph"."""
        scope = re.compile(r"\s+(?:in|of|from|within)\s+", _I).match(self.masked, phrase.end)
        if scope is None or phrase.target.text is None:
            return phrase
        inner = self.at(scope.end())
        if inner is None or inner.named in ("text", "it", "document", "selection") or inner.options:
            return phrase
        target = (
            Target(section=inner.target.heading)
            if inner.named == "section" and inner.target.heading
            else inner.target
        )
        inside = self.lookup.within(target)
        if inside is None:
            return phrase
        ids = [b for b in self.lookup.text if b in inside]
        here = [b for b in self.lookup.paragraphs_with(phrase.target.text)[1] if b in set(ids)]
        kept = Target(ids=here or ids, text=phrase.target.text, all=phrase.target.all)
        return replace(phrase, end=inner.end, target=kept, missing=not here)

    def _in_style(self, start: int) -> Phrase | None:
        """What a style of the document is called: "the caption", "all clause headings"."""
        lead = self.lead(start)
        if lead.new or not (lead.determined or lead.every):
            return None
        for said, end in self._said(lead.end):
            name = next((n for n in (said, said[:-1]) if n in self.lookup.styles), None)
            if name is None:
                continue
            ids = self.lookup.in_style(self.lookup.styles[name])
            many = lead.every or said != name
            if lead.ordinal is not None:
                n = lead.ordinal
                ids = [ids[n - 1 if n > 0 else n]] if 0 < abs(n) <= len(ids) else []
            if not ids:
                return None
            return Phrase(
                start, end, Target(ids=ids), "paragraph", many, () if many or len(ids) == 1 else tuple(ids)
            )
        return None

    def _several(self, start: int) -> Phrase | None:
        """As in "paragraphs 1 and 2", "the second and the third bullet"."""
        match = _SEVERAL.match(self.masked, start)
        head = _HEAD.match(self.masked, match.end()) if match is not None else None
        if match is not None and head is not None:
            wanted = [ordinal(match.group("a")), ordinal(match.group("b"))]
            end = head.end()
        else:
            head = _HEAD.match(self.masked, start)
            match = _NUMBERS.match(self.masked, head.end()) if head is not None else None
            if head is None or match is None:
                return None
            first, last = int(match.group("a")), int(match.group("b"))
            wanted = (
                [first, last] if match.group("joint") in ("and", ",", "&") else list(range(first, last + 1))
            )
            end = match.end()
        kind = str(head.lastgroup).replace("_", " ")
        if kind not in ("paragraph", "list item", "heading", "table", "picture", "chart"):
            return None
        ids = self.lookup.of_kind(kind)
        if not all(n is not None and 0 < abs(n) <= len(ids) for n in wanted):
            return None
        return Phrase(
            start, end, Target(ids=[ids[n - 1 if n > 0 else n] for n in wanted if n is not None]), kind, True
        )

    def _heading_name(self, start: int) -> Phrase | None:
        """A heading of the document by its words alone: the topic, that is its section."""
        lead = re.compile(r"(?:the\s+)?", _I).match(self.masked, start)
        assert lead is not None
        found = self.name_at(lead.end(), self.lookup.heading_names) if lead.end() not in self.quotes else None
        if found is None or (start == 0 and found[0].split(" ")[0] in VERBS):
            return None  # "delete the first table" asks for something, also where a heading reads so
        heading = self._heading_called(found[0])
        return Phrase(start, found[1], Target(section=heading.text.strip()), "topic")

    def _heading_called(self, name: str) -> Block:
        return self.lookup.heading_names[name]

    # -- heads ---------------------------------------------------------------------------------------------------------

    def _head(self, start: int) -> Phrase | None:
        """A phrase with a head word: "the second table", "all bullets under Risks", "the 'Costs' heading"."""
        lead = self.lead(start)
        if lead.new or re.search(r"\d\s*$", self.masked[:start]) or _MEASURE.match(self.masked, start):
            return None
        match = _HEAD.match(self.masked, lead.end)
        if match is not None and match.lastgroup is not None:
            return self._narrowed(start, lead, match, None)
        name = self._name_before(lead)
        if name is None:
            return None
        words, at = name
        match = _HEAD.match(self.masked, at)
        assert match is not None
        return self._narrowed(start, lead, match, words)

    def _name_before(self, lead: Lead) -> tuple[str, int] | None:
        """A name in front of a head ("the Costs section", "the price table", "'X' paragraph"), and where the head starts."""
        if lead.end in self.quotes:
            end, words = self.quotes[lead.end]
            gap = re.compile(r"\s+").match(self.masked, end)
            return (words, gap.end()) if gap is not None and _HEAD.match(self.masked, gap.end()) else None
        named = self.name_at(lead.end, self.lookup.heading_names)
        if named is not None:
            gap = re.compile(r"\s+").match(self.masked, named[1])
            if gap is not None and _HEAD.match(self.masked, gap.end()):
                return named[0], gap.end()
        match = re.compile(
            r"(?P<w>[\w'-]+(?:\s+(?!(?:to|in|of|with|and|after|before|as|by)\b)[\w'-]+){0,2}?)\s+(?=(?P<h>[a-z]))"
        ).match(self.masked, lead.end)
        while match is not None and lead.determined:
            head = _HEAD.match(self.masked, match.end())
            if head is not None and head.lastgroup in (
                "table",
                "section",
                "heading",
                "picture",
                "chart",
                "list",
            ):
                return match.group("w"), match.end()
            return None
        return None

    def _narrowed(self, start: int, lead: Lead, head: re.Match[str], name: str | None) -> Phrase | None:
        kind = str(head.lastgroup).replace("_", " ")
        if _NOT_A_HEAD.match(self.masked, head.end()):
            return None  # "the table style", "page numbers"
        said, end = head.group(0).lower(), head.end()
        plural = (said.endswith("s") and kind not in ("title", "subtitle")) or said in (
            "body text",
            "running text",
            "normal text",
        )
        if lead.every and lead.ordinal is not None:
            return None  # "every second paragraph"
        every = lead.every or (plural and lead.ordinal is None and lead.count is None)
        match kind:
            case "title" if name is None:
                return self._scoped(Phrase(start, end, Target(where="title"), "title"))
            case "subtitle":
                return Phrase(start, end, Target(style="Subtitle"), "subtitle")
            case "section" | "heading" if (found := self._section(start, end, kind, name, lead)) is not None:
                return found
            case "link":
                return self._links(start, end, lead, every)
            case "line" if name is None and lead.ordinal in (1, -1) and said.startswith("line"):
                where = "first paragraph" if lead.ordinal == 1 else "last paragraph"
                return self._scoped(Phrase(start, end, Target(where=where), "paragraph"))
            case "text" | "line":
                return self._named_words(start, end, kind, name, every)
            case "list":
                return self._list(start, end, said, lead, every)
            case "section":
                return self._section_about(start, end)
            case "title":
                return None
            case _:
                return self._blocks(start, end, kind, name, lead, every, said)

    def _section(self, start: int, end: int, kind: str, name: str | None, lead: Lead) -> Phrase | None:
        """A heading or section by its name or number."""

        def made(words: str, to: int) -> Phrase:
            named = self.lookup.headings_with(words)
            target = words if len(named) != 1 else named[0].text.strip()
            found = Target(section=target) if kind == "section" else Target(heading=target)
            return Phrase(start, to, found, kind, missing=not named)

        if name is not None:
            return made(name, end)
        called = _CALLED.match(self.masked, end) or re.compile(
            r"\s+(?:(?:about|on|of)\s+)?(?:the\s+)?"
        ).match(self.masked, end)
        if called is not None:
            known = self.name_at(called.end(), self.lookup.heading_names)
            if known is not None and not (kind == "heading" and re.search(r"\d", self.masked[end : end + 3])):
                text = self._heading_called(known[0]).text.strip()
                return Phrase(
                    start, known[1], Target(section=text) if kind == "section" else Target(heading=text), kind
                )
            titled = self.titled(called.end()) if not lead.every else None
            if titled is not None and not titled[0][0].isdigit():
                return made(*titled)
        digits = re.compile(r"\s+(?P<n>\d+(?:\.\d+)*)\b").match(self.masked, end)
        wanted = digits.group("n") if digits is not None else None
        if kind == "section" and (wanted is not None or lead.ordinal is not None):
            numbered = [
                h for h in self.lookup.headings if wanted and h.text.split(" ")[0].rstrip(".)") == wanted
            ]
            top = min((h.level or 1 for h in self.lookup.headings), default=1)
            n = int(wanted) if wanted is not None and wanted.isdigit() else lead.ordinal
            tops = [h for h in self.lookup.headings if h.level == top]
            if not numbered and n is not None and 0 < abs(n) <= len(tops):
                numbered = [tops[n - 1 if n > 0 else n]]
            to = digits.end() if digits is not None else end
            if numbered:
                return Phrase(start, to, Target(section=numbered[0].text.strip()), "section")
            return Phrase(
                start, to, Target(section=wanted or f"number {lead.ordinal}"), "section", missing=True
            )
        return None

    def _section_about(self, start: int, end: int) -> Phrase | None:
        """As in "the part with the costs": the smallest section that has these words."""
        about = _ABOUT.match(self.masked, end)
        if about is None:
            return None
        stop = _STOP.search(self.masked, about.end())
        to = stop.start() if stop is not None else len(self.masked)
        words = re.findall(r"[\w'-]+", fold(self.text[about.end() : to]))
        found: list[Block] = []
        for heading in self.lookup.headings:
            inside = " ".join(
                [fold(heading.text), *(self.lookup.text.get(b, "") for b in self.lookup.section(heading))]
            )
            if words and all_in(inside, words):
                found.append(heading)
        if not found or not words:
            return None
        deepest = max(h.level or 1 for h in found)
        found = [h for h in found if h.level == deepest]
        phrase = Phrase(start, to, Target(section=found[0].text.strip()), "section")
        return phrase if len(found) == 1 else replace(phrase, options=tuple(h.id for h in found))

    def _named_words(self, start: int, end: int, kind: str, name: str | None, every: bool) -> Phrase | None:
        """As in "the word 'x'", "the sentence "..."", "the words Acme Estates", "every occurrence of Acme"."""
        if name is not None:
            return self.words(start, end, name, every)
        inside = re.compile(r"\s+(?:in|of|inside)\s+", _I).match(self.masked, end)
        inner = self.at(inside.end()) if inside is not None and kind == "text" else None
        said = re.search(r"\b(?:text|words)$", self.masked[start:end], _I)
        if inner is not None and said is not None and inner.named not in ("text", "picture", "chart"):
            return replace(inner, start=start)  # "the text in the second table"
        gap = re.compile(r"\s+(?:(?:that\s+)?(?:says|reads|saying|reading)\s+)?").match(self.masked, end)
        if gap is None:
            return None
        all_of = kind == "text" and (every or "of" in self.masked[start:end].lower().split())
        if gap.end() in self.quotes:
            to, words = self.quotes[gap.end()]
            every = all_of and self.masked[start:end].lower().startswith(("all", "every", "each"))
            return self._words_in(self.words(start, to, words, every))
        definite = re.match(r"(?:the|all|every|each|word|phrase)\b", self.masked[start:end], _I) is not None
        found = self.known_words(gap.end()) if kind == "text" and definite else None
        return self._words_in(self.words(start, found[1], found[0], all_of)) if found is not None else None

    def _links(self, start: int, end: int, lead: Lead, every: bool) -> Phrase | None:
        """The words of the only link, or of the one with a number."""
        links = self.lookup.links
        if every or not lead.determined or not links:
            return None
        n = lead.ordinal or 1
        if lead.ordinal is None and len(links) > 1:
            return Phrase(
                start,
                end,
                Target(ids=[links[0][0]], text=links[0][1]),
                "text",
                options=tuple(p for p, _ in links),
            )
        if not 0 < abs(n) <= len(links):
            return None
        paragraph, words = links[n - 1 if n > 0 else n]
        return Phrase(start, end, Target(ids=[paragraph], text=words), "text")

    def known_words(self, at: int) -> tuple[str, int] | None:
        """The longest run of words from here that stands in the document."""
        tokens = list(re.finditer(r"[^\s\u0001]+", self.masked[at : at + 120]))
        for count in range(min(len(tokens), 12), 0, -1):
            end = at + tokens[count - 1].end()
            words = self.text[at:end].rstrip(" ,.;:!?")
            telling = any(t.group(0).lower().strip(" ,.;:!?") not in GLUE for t in tokens[:count])
            if (
                telling
                and len(words) >= 2
                and tokens[0].group(0).lower() not in GLUE
                and self.lookup.contains(words)
            ):
                return words, at + len(words)
        return None

    def _list(self, start: int, end: int, said: str, lead: Lead, every: bool) -> Phrase | None:
        shape = "number" if said.startswith("numbered") else "bullet" if said.startswith("bullet") else ""
        lists = [ids for kind, ids in self.lookup.lists if not shape or kind == shape]
        about = re.compile(r"\s+(?:of|with|about)\s+(?:the\s+)?").match(self.masked, end)
        if about is not None:
            inner = self.at(about.end())
            inside = (
                self.lookup.within(inner.target)
                if inner is not None and inner.named in ("topic", "section")
                else None
            )
            if inner is not None and inside is not None:
                lists, end = [ids for ids in lists if set(ids) & inside], inner.end
        if lead.ordinal is not None:
            n = lead.ordinal
            lists = [lists[n - 1 if n > 0 else n]] if 0 < abs(n) <= len(lists) else []
        if not lists or (not lead.determined and not every):
            return None
        phrase = Phrase(start, end, Target(ids=[i for ids in lists for i in ids]), "list", True)
        return self._scoped(
            phrase if every or len(lists) == 1 else replace(phrase, options=tuple(ids[0] for ids in lists))
        )

    def _blocks(
        self, start: int, end: int, kind: str, name: str | None, lead: Lead, every: bool, said: str
    ) -> Phrase | None:
        """Headings, paragraphs, list items, tables, pictures, charts, header rows: some or all of a kind."""
        level = lead.level
        if kind == "heading":
            after = _AFTER_LEVEL.match(
                self.masked, end - (1 if said.endswith("s") else 0)
            ) or _NUMBER_AFTER.match(self.masked, end)
            if after is not None:
                level, end, every = int(after.group("n")), after.end(), True
            if said.startswith("sub"):
                level = level or 2
            if level is not None and lead.ordinal is None:
                return self._scoped(Phrase(start, end, Target(style=f"Heading {level}"), "heading", True))
        ids = self.lookup.of_kind(kind)
        if level is not None:
            ids = [b.id for b in self.lookup.headings if b.level == level]
        narrowed = self._narrow(start, end, kind, name, ids)
        if narrowed is None:
            return None
        ids, end, scoped, missing = narrowed
        if missing:
            return Phrase(start, end, Target(text=missing), kind, missing=True)
        n = lead.ordinal
        after = _NUMBER_AFTER.match(self.masked, end) if n is None and not scoped else None
        if after is not None and kind in ("paragraph", "table", "picture", "chart", "list item"):
            n, end = int(after.group("n")), after.end()
        if n is not None and lead.count is not None and lead.count > 1:
            chosen = ids[: lead.count] if n > 0 else ids[-lead.count :]
            return Phrase(start, end, Target(ids=chosen), kind, True) if len(chosen) == lead.count else None
        if n is not None and kind in ("paragraph", "table", "picture", "chart") and not scoped:
            return Phrase(start, end, Target.model_validate({kind: n}), kind)
        if n is not None:
            chosen = [ids[n - 1 if n > 0 else n]] if 0 < abs(n) <= len(ids) else []
            return Phrase(start, end, Target(ids=chosen), kind) if chosen else None
        if not lead.determined and not every and name is None and not scoped:
            return None  # "a table", "table": something new, or not this phrase
        if not every and self.previous is not None and kind in ("table", "picture", "chart") and not scoped:
            about = self._of_previous(kind)
            if about is not None:
                return Phrase(start, end, about, kind)
        every = every or kind == "header row"
        target = Target(ids=ids) if scoped and ids else Target.model_validate({"every": kind})
        options = () if every or len(ids) <= 1 else tuple(ids)
        if lead.count is not None and lead.count > 1:
            every, options = True, () if len(ids) == lead.count else tuple(ids)
        if scoped and not ids:
            return None
        return Phrase(start, end, target, kind, every, options)

    def _of_previous(self, kind: str) -> Target | None:
        """As in "the table" right after something was done to one: that one."""
        previous = self.previous
        assert previous is not None
        inside = (
            previous.ids
            if previous.ids
            else [i for i in (self.lookup.within(previous) or ()) if i.startswith("t")]
        )
        tables = [i for i in inside if i.startswith("t")]
        if kind == "table" and len(tables) == 1:
            return Target(ids=tables)
        number = getattr(previous, kind, None)
        return Target.model_validate({kind: number}) if number is not None else None

    def _narrow(
        self, start: int, end: int, kind: str, name: str | None, ids: list[str]
    ) -> tuple[list[str], int, bool, str] | None:
        """Those of some blocks that have a name, contain words or lie in something; the words that none contains."""
        scoped = False
        if name is not None:
            ids, scoped = self._called(kind, ids, name), True
        while True:
            about = _ABOUT.match(self.masked, end)
            called = _CALLED.match(self.masked, end)
            scope = _SCOPE.match(self.masked, end)
            inner = self.at(scope.end()) if scope is not None else None
            if inner is not None and inner.named in (
                "topic",
                "section",
                "table",
                "document",
                "list",
                "heading",
                "row",
                "cell",
                "column",
            ):
                inside = self.lookup.within(
                    Target(section=inner.target.heading) if inner.target.heading else inner.target
                )
                if inside is None:
                    return [], inner.end, True, inner.target.section or inner.target.heading or "that part"
                ids, end, scoped = (
                    [i for i in ids if i in inside or inner.named == "document"],
                    inner.end,
                    scoped or inner.named != "document",
                )
                continue
            match = called or about
            if match is None:
                beside = self._beside(end, kind, ids)
                return (*beside, True, "") if beside is not None else (ids, end, scoped, "")
            found = self._containing(match.end(), ids, match.groupdict().get("how") or "")
            if found is None:
                return ids, end, scoped, ""
            ids, end, missing = found
            scoped = True
            if missing:
                return ids, end, scoped, missing

    def _called(self, kind: str, ids: list[str], name: str) -> list[str]:
        """Those of some blocks that people would call so: a table by its heading or column names before its contents."""
        words = fold(name).split()
        if kind == "table":
            for texts in (
                lambda i: self.lookup.near_heading(i),
                lambda i: " ".join(
                    fold(c.text) for g in [self.lookup.grid(i)] if g is not None for c in g.header
                ),
            ):
                found = [i for i in ids if all_in(texts(i), words)]
                if found:
                    return found
        return [i for i in ids if self._about(i, name)]

    def _beside(self, end: int, kind: str, ids: list[str]) -> tuple[list[str], int] | None:
        """Words right behind the head: "the bullet 'Lost boxes'", "the item Late delivery"."""
        gap = re.compile(r"\s+(?=\S)").match(self.masked, end)
        if gap is None or kind not in ("paragraph", "list item"):
            return None
        at = gap.end()
        if at in self.quotes:
            to, words = self.quotes[at]
            found = [i for i in ids if self._says(i, words, False)]
            return (found, to) if found else None
        known = self.known_words(at) if self.text[at].isupper() else None
        if known is None:
            return None
        found = [i for i in ids if self._says(i, known[0], False)]
        return (found, known[1]) if found else None

    def _containing(self, at: int, ids: list[str], how: str) -> tuple[list[str], int, str] | None:
        starts = how.lower().startswith(("start", "begin"))
        if at in self.quotes:
            end, words = self.quotes[at]
            found = [i for i in ids if self._says(i, words, starts)]
            return found, end, "" if found else words
        stop = _STOP.search(self.masked, at)
        to = stop.start() if stop is not None else len(self.masked)
        words = re.findall(r"[\w'-]+", self.text[at:to])
        if not words or (
            how.lower() in ("of", "on", "for", "with") and not any(self._about(i, words[0]) for i in ids)
        ):
            return None
        found = [i for i in ids if self._about(i, " ".join(words))]
        return found, to, "" if found else self.text[at:to].strip()

    def _says(self, block: str, words: str, starts: bool) -> bool:
        grid = self.lookup.grid(block)
        text = grid.words if grid is not None else self.lookup.text.get(block, "")
        return text.startswith(fold(words)) if starts else fold(words) in text

    def _about(self, block: str, words: str) -> bool:
        """Whether a block has all these words, each as the beginning of one of its own."""
        grid = self.lookup.grid(block)
        text = grid.words if grid is not None else self.lookup.text.get(block, "")
        return all_in(text, fold(words).split())

    def _scoped(self, phrase: Phrase) -> Phrase:
        """The phrase with a following "of the document" taken along."""
        match = re.compile(
            r"\s+(?:of|in)\s+(?:the|this|my)\s+(?:whole\s+|entire\s+)?(?:document|file"
            r"|report|letter|memo|contract|agreement)\b",
            _I,
        ).match(self.masked, phrase.end)
        return replace(phrase, end=match.end()) if match is not None else phrase
