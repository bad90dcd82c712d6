"""Noun phrases that name a part of the document: "the last row of the second table", "all headings", "the introduction"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agent.document.mirror import Mirror
from agent.document.names import W_TBL
from agent.document.outline import headings, walk
from agent.document.records import cells_of, rows_of
from agent.operations.targets import Target
from agent.planning.local.words import NUMBER, ORDINAL, number, ordinal

Q = "(?P<q>\u0001+)"
_DET = r"(?:(?:the|a|an|this|that|my|our|its|their|your)\s+)?"
_ALL = r"(?:all(?:\s+of)?(?:\s+(?:the|my|our))?|every(?:\s+single)?|each(?:\s+of\s+the)?|both)\s+"
_KINDS: dict[str, str] = {
    r"headings?|headlines?|section titles?|titles?|subheadings?": "heading",
    r"(?:body |normal |text )?paragraphs?|body text": "paragraph",
    r"tables?": "table",
    r"pictures?|images?|photos?|figures?|illustrations?|graphics?|logos?": "picture",
    r"charts?|graphs?|diagrams?|plots?": "chart",
    r"(?:list |bullet |bulleted )?(?:items?|points?)|bullets?|lists?": "list item",
    r"(?:table )?header rows?|table headers?": "header row",
}
_NUMBERED = {"paragraph": "paragraph", "table": "table", "picture": "picture", "chart": "chart"}
_STOP = (
    r"(?=\s*(?:$|[,.;:!?]|\b(?:to|in|into|with|and|then|as|by|from|on|at|for|so|using|that|which|bold|italic|red|blue|green|is|are|be"
    r"|centred|centered|left|right|larger|smaller|a|should|of|one|under|below|above|after|before)\b))"
)
_WORDS = r"(?P<w>[\w\u00c0-\uffff][^\u0001,.;:!?\n]{0,60}?)"
_TITLED = r"(?P<w>[A-Z0-9\u00c0-\u00de\u4e00-\u9fff][\w&'/\u00c0-\uffff-]*(?:\s+(?:(?:of|and|the|for|to|in|on|with|&|a)\s+)*[A-Z0-9\u00c0-\u00de][\w&'/\u00c0-\uffff-]*)*)"


@dataclass(frozen=True)
class Phrase:
    """A noun phrase at a place of a clause."""

    start: int
    end: int
    target: Target
    single: bool = True
    """Whether it names one thing; "all headings" names many."""
    named: str = ""
    """What kind of word names it: "heading", "section", "table", ..., "it", "text"."""


Match = Callable[[re.Match[str], "Phrases"], "tuple[Target, bool, str] | None"]


class Phrases:
    """Finds noun phrases in one clause. `masked`: the clause with quoted strings as runs of \u0001; `quotes`: what was in them."""

    def __init__(
        self, mirror: Mirror, text: str, masked: str, quotes: dict[int, str], previous: Target | None
    ) -> None:
        self.mirror = mirror
        self.text = text
        self.masked = masked
        self.quotes = quotes
        self.previous = previous
        self._headings = sorted({h.text.strip() for h in headings(mirror)}, key=len, reverse=True)

    def at(self, start: int) -> Phrase | None:
        """The longest noun phrase that starts here."""
        best: Phrase | None = None
        for pattern, build in _GRAMMAR:
            match = pattern.match(self.masked, start)
            if match is None or match.end() == start or (best is not None and match.end() <= best.end):
                continue
            built = build(match, self)
            if built is not None:
                best = Phrase(start, match.end(), *built)
        heading = self._heading_at(start)
        if heading is not None and (best is None or heading.end > best.end or best.named == "it"):
            best = heading
        return best

    def quote(self, match: re.Match[str]) -> str:
        """The words of the quoted string that the group q matched."""
        return self.quotes[match.start("q")]

    def words(self, match: re.Match[str], group: str = "w") -> str:
        """The words of a group, as the user wrote them."""
        return self.text[match.start(group) : match.end(group)].strip()

    def _heading_at(self, start: int) -> Phrase | None:
        """A heading of the document, named by its words, with or without its number and the word "section"."""
        lead = re.compile(rf"{_DET}(?:(?:section|chapter|part|heading|headline)\s+)?", re.IGNORECASE).match(
            self.masked, start
        )
        assert lead is not None
        at = lead.end()
        said = lead.group(0).lower()
        for heading in self._headings:
            for name in _names(heading):
                end = at + len(name)
                if (
                    not name
                    or self.text[at:end].casefold() != name.casefold()
                    or self.text[end : end + 1].isalnum()
                ):
                    continue
                after = re.compile(
                    r"\s+(section|chapter|part|heading|headline|title)\b", re.IGNORECASE
                ).match(self.masked, end)
                word = after.group(1).lower() if after else ""
                kind = (
                    "heading"
                    if "head" in said + word or word == "title"
                    else "section"
                    if (said.split()[-1:] and said.split()[-1] in ("section", "chapter", "part")) or word
                    else "topic"
                )
                target = Target(heading=heading) if kind == "heading" else Target(section=heading)
                return Phrase(start, after.end() if after else end, target, True, kind)
        return None


def _names(heading: str) -> Sequence[str]:
    head, _, rest = heading.partition(" ")
    names = [heading]
    if rest and re.fullmatch(r"[\dIVXivx]+(?:\.\d+)*[.)]?|[A-Z][.)]", head):
        names.append(rest.strip())
    bare = heading.rstrip(" .:")
    if bare != heading:
        names.append(bare)
    first = names[-1].split(" ")[0]
    if first.lower() == "introduction":
        names.append("intro")
    return names


def _cell_target(
    phrases: Phrases, row: Any = None, column: Any = None, table: Target | None = None
) -> Target:
    """Cells of the table that was named; without one, of the only table, or of the only one that has such a column. Of several, all
    are given, so that the resolver refuses and lists them.
    """
    if table is not None and table.table is not None:
        return Target(table=table.table, row=row, column=column)
    if table is not None and table.ids is not None:
        return Target(ids=table.ids, row=row, column=column)
    every = [b for b in walk(phrases.mirror) if b.tag == W_TBL and b.depth == 0]
    if isinstance(column, str):
        having = [b for b in every if column.casefold() in [n.casefold() for n in _header_names(b.element)]]
        every = having or every
    if not every:
        return Target(table=1, row=row, column=column)
    return Target(ids=[b.id for b in every], row=row, column=column)


def _header_names(table: Any) -> list[str]:
    rows = rows_of(table)
    return ["".join(tc.itertext()).strip() for tc in cells_of(rows[0])] if rows else []


def _row(match: re.Match[str], phrases: Phrases) -> int | str | None:
    groups = match.groupdict()
    if groups.get("header"):
        return "header"
    word = groups.get("o") or groups.get("n") or ""
    return ordinal(word) if groups.get("o") else number(word)


def _table_of(match: re.Match[str], phrases: Phrases) -> Target | None:
    """The table that "of the second table" names, from the group `t`."""
    groups = match.groupdict()
    if not groups.get("t"):
        previous = phrases.previous
        if previous is not None and (previous.table is not None or (previous.ids or [""])[0].startswith("t")):
            return previous
        return None
    inner = phrases.at(match.start("t"))
    return inner.target if inner is not None else None


_OF_TABLE = (
    r"(?:\s+(?:of|in|from)\s+(?P<t>(?:the\s+)?(?:" + ORDINAL + r"\s+)?table(?:\s+\d+)?|(?:it|that table)))?"
)


def _build_row(m: re.Match[str], p: Phrases) -> tuple[Target, bool, str] | None:
    row = _row(m, p)
    return (_cell_target(p, row, None, _table_of(m, p)), True, "row") if row is not None else None


def _build_column(m: re.Match[str], p: Phrases) -> tuple[Target, bool, str] | None:
    groups = m.groupdict()
    if groups.get("q"):
        column: Any = p.quote(m)
    elif groups.get("o"):
        column = ordinal(groups["o"])
    elif groups.get("n"):
        column = number(groups["n"])
    else:
        column = p.words(m)
    return (_cell_target(p, None, column, _table_of(m, p)), True, "column") if column else None


def _build_cell(m: re.Match[str], p: Phrases) -> tuple[Target, bool, str] | None:
    groups = m.groupdict()
    if groups.get("letter"):
        row, column = int(groups["digits"]), ord(groups["letter"].upper()) - 64
    else:
        row_word, column_word = groups["r"], groups["c"]
        row = ordinal(row_word) or number(row_word)
        column = ordinal(column_word) or number(column_word) or p.words(m, "c")
    return (_cell_target(p, row, column, _table_of(m, p)), True, "cell") if row and column else None


def _kind_of(word: str) -> str | None:
    for pattern, kind in _KINDS.items():
        if re.fullmatch(pattern, word.strip(), re.IGNORECASE):
            return kind
    return None


def _build_every(m: re.Match[str], p: Phrases) -> tuple[Target, bool, str] | None:
    kind = _kind_of(m.group("k"))
    if kind is None:
        return None
    level = m.groupdict().get("level")
    if kind == "heading" and level:
        return Target(style=f"Heading {number(level)}"), False, "heading"
    return Target(every=kind), False, kind  # pyright: ignore[reportArgumentType]


def _build_numbered(m: re.Match[str], p: Phrases) -> tuple[Target, bool, str] | None:
    kind = _kind_of(m.group("k"))
    groups = m.groupdict()
    n = ordinal(groups["o"]) if groups.get("o") else number(groups.get("n") or "")
    if kind is None or n is None:
        return None
    if kind in _NUMBERED:
        return Target(**{kind: n}), True, kind  # type: ignore[arg-type]
    if kind == "heading":
        names = [h for h in headings(p.mirror)]
        if 0 < abs(n) <= len(names):
            return Target(ids=[names[n - 1 if n > 0 else n].id]), True, "heading"
    if kind == "list item":
        from agent.operations.targets import Resolver

        items = Resolver(p.mirror)._of_kind("list item")  # pyright: ignore[reportPrivateUsage]
        if 0 < abs(n) <= len(items):
            return Target(ids=[items[n - 1 if n > 0 else n]]), True, "list item"
    return None


def _build_bare(m: re.Match[str], p: Phrases) -> tuple[Target, bool, str] | None:
    kind = _kind_of(m.group("k"))
    if kind is None:
        return None
    if (
        kind == "table"
        and p.previous is not None
        and ((p.previous.ids or [""])[0].startswith("t") or p.previous.table is not None)
    ):
        return p.previous.model_copy(update={"row": None, "column": None}), True, "table"
    return Target(every=kind), True, kind  # pyright: ignore[reportArgumentType]


def _text(words: str, every: bool = False) -> Target:
    return Target(text=words, all=every)


_I = re.IGNORECASE
_KIND = "(?P<k>" + "|".join(_KINDS) + r")\b"
_GRAMMAR: list[tuple[re.Pattern[str], Match]] = [
    (re.compile(rf"{_DET}(?P<header>header|heading|top header)\s+row{_OF_TABLE}\b", _I), _build_row),
    (re.compile(rf"{_DET}(?P<o>{ORDINAL})\s+row{_OF_TABLE}\b", _I), _build_row),
    (re.compile(rf"{_DET}row\s+(?:number\s+)?(?P<n>{NUMBER}){_OF_TABLE}\b", _I), _build_row),
    (re.compile(rf"{_DET}(?P<o>{ORDINAL})\s+column{_OF_TABLE}\b", _I), _build_column),
    (re.compile(rf"{_DET}column\s+(?:number\s+)?(?P<n>\d+){_OF_TABLE}\b", _I), _build_column),
    (re.compile(rf"{_DET}column\s+(?:called\s+|named\s+)?{Q}{_OF_TABLE}", _I), _build_column),
    (re.compile(rf"{_DET}column\s+(?:called\s+|named\s+)?{_TITLED}{_OF_TABLE}\b"), _build_column),
    (re.compile(rf"{_DET}{Q}\s+column{_OF_TABLE}\b", _I), _build_column),
    (re.compile(rf"(?:the\s+)?{_TITLED}\s+column{_OF_TABLE}\b"), _build_column),
    (re.compile(rf"{_DET}cell\s+(?P<letter>[A-Za-z])(?P<digits>\d+){_OF_TABLE}\b", _I), _build_cell),
    (re.compile(rf"(?:{_DET}cell\s+(?:in|at|of)\s+)?(?:the\s+)?row\s+(?P<r>{NUMBER})\s*,?\s*(?:and\s+)?(?:in\s+)?column\s+(?P<c>\d+|{NUMBER}|[A-Z]\w+){_OF_TABLE}\b", _I), _build_cell),
    (re.compile(rf"{_DET}cell\s+(?:in|at|of)\s+(?:the\s+)?(?P<r>{ORDINAL})\s+row\s*,?\s*(?:and\s+)?(?:in\s+)?(?:the\s+)?(?P<c>{ORDINAL})\s+column{_OF_TABLE}\b", _I), _build_cell),
    (re.compile(rf"{_ALL}(?:level[- ](?P<level>\d)\s+)?{_KIND}", _I), _build_every),
    (re.compile(rf"(?:{_ALL})?(?:the\s+)?{_KIND.replace('(?P<k>', '(?P<k>(?:').replace(')' + chr(92) + 'b', '))' + chr(92) + 'b')}\s+(?:of|at|on|with)\s+level\s+(?P<level>\d)", _I), _build_every),
    (re.compile(r"(?:all\s+(?:the\s+)?)?heading\s+(?P<n>[1-9])s?\b(?:\s+(?:headings|paragraphs|text))?", _I), lambda m, p: (Target(style=f"Heading {m.group('n')}"), False, "heading")),
    (re.compile(r"(?:the\s+)?(?:whole|entire|full|complete)\s+(?:document|text|file|report|letter|contract|thing)\b|everything\b|all\s+(?:of\s+)?(?:the\s+)?(?:text|content)\b|(?:the|this)\s+document\b|throughout(?:\s+the\s+document)?\b", _I), lambda m, p: (Target(where="document"), False, "document")),
    (re.compile(r"(?:the\s+)?(?:main\s+|document(?:'s)?\s+)?title(?:\s+of\s+the\s+document)?\b", _I), lambda m, p: (Target(where="title"), True, "title")),
    (re.compile(r"(?:the\s+|my\s+)?(?:selection|selected\s+\w+|highlighted\s+text|marked\s+text)\b", _I), lambda m, p: (Target(where="selection"), True, "selection")),
    (re.compile(rf"{_DET}(?P<o>{ORDINAL})\s+{_KIND}", _I), _build_numbered),
    (re.compile(rf"{_DET}{_KIND.replace(chr(92) + 'b', '')}\s+(?:number\s+|no\.?\s*|#)?(?P<n>\d+)\b", _I), _build_numbered),
    (re.compile(rf"{_DET}(?:heading|headline|subheading)\s+(?:called\s+|named\s+|titled\s+)?{Q}", _I), lambda m, p: (Target(heading=p.quote(m)), True, "heading")),
    (re.compile(rf"{_DET}(?:section|chapter|part)\s+(?:called\s+|named\s+|titled\s+|on\s+|about\s+)?{Q}", _I), lambda m, p: (Target(section=p.quote(m)), True, "section")),
    (re.compile(rf"{_DET}{Q}\s+(?:heading|headline|subheading)\b", _I), lambda m, p: (Target(heading=p.quote(m)), True, "heading")),
    (re.compile(rf"{_DET}{Q}\s+(?:section|chapter|part)\b", _I), lambda m, p: (Target(section=p.quote(m)), True, "section")),
    (re.compile(r"(?:the\s+)?(?:section|chapter)\s+(?P<w>\d+(?:\.\d+)*)\b", _I), lambda m, p: (Target(section=p.words(m)), True, "section")),
    (re.compile(rf"(?:the\s+)?(?:section|chapter)\s+(?:called\s+|named\s+|titled\s+|on\s+|about\s+)?{_TITLED}"), lambda m, p: (Target(section=p.words(m)), True, "section")),
    (re.compile(rf"(?:the\s+)?heading\s+(?:called\s+|named\s+|titled\s+)?{_TITLED}"), lambda m, p: (Target(heading=p.words(m)), True, "heading")),
    (re.compile(rf"(?:the\s+)?{_TITLED}\s+(?:section|chapter)\b"), lambda m, p: (Target(section=p.words(m)), True, "section")),
    (re.compile(rf"(?:the\s+)?{_TITLED}\s+heading\b"), lambda m, p: (Target(heading=p.words(m)), True, "heading")),
    (re.compile(rf"(?:all|every|each)\s+(?:the\s+)?(?:occurrences?|instances?|mentions?|appearances?)\s+of\s+(?:the\s+(?:word|phrase|name|text|term)\s+)?{Q}|(?:every|each)\s+{Q.replace('<q>', '<q2>')}", _I), lambda m, p: (_text(p.quotes[m.start('q') if m.group('q') else m.start('q2')], True), False, "text")),
    (re.compile(r"(?:all|every|each)\s+(?:the\s+)?(?:occurrences?|instances?|mentions?|appearances?)\s+of\s+(?:the\s+(?:word|phrase|name|text|term)\s+)?(?P<w>[\w'-]+)", _I), lambda m, p: (_text(p.words(m), True), False, "text")),
    (re.compile(rf"{_DET}(?:(?P<all>words|every word)|word|phrase|text|sentence|term|name|number|expression|string|line)\s+{Q}", _I), lambda m, p: (_text(p.quote(m)), True, "text")),
    (re.compile(r"(?:the\s+)?(?:word|term|name)\s+(?P<w>[\w'-]+)\b", _I), lambda m, p: (_text(p.words(m)), True, "text")),
    (re.compile(rf"{_DET}(?:paragraph|sentence|line|clause|bullet(?: point)?|item|list item|one|row)\s+(?:(?:that\s+)?(?:starts?|starting|begins?|beginning)\s+with|(?:that\s+)?(?:says|saying|reads|reading|contains|containing|mentions|mentioning)|with(?:\s+the\s+(?:words?|text))?|about)\s+(?:the\s+(?:words?|text|phrase)\s+)?{Q}", _I), lambda m, p: (_text(p.quote(m)), True, "paragraph text")),
    (re.compile(rf"{_DET}{Q}\s+(?:paragraph|sentence|line|clause|item|bullet)\b", _I), lambda m, p: (_text(p.quote(m)), True, "paragraph text")),
    (re.compile(rf"{_DET}table\s+(?:that\s+)?(?:with|about|of|containing|contains|on|for|listing|showing|has|shows)\s+(?:the\s+)?(?:{Q}|{_WORDS}){_STOP}", _I), lambda m, p: _build_table_about(m, p)),
    (re.compile(rf"(?:the|this|that|my|our)\s+{_KIND}", _I), _build_bare),
    (re.compile(r"(?:it|them|these|those|this|that|the\s+same(?:\s+(?:one|text|paragraph|table|heading|picture))?|(?:that|this)\s+one)\b(?!\s+(?:says|reads|starts|\w+ing))", _I), lambda m, p: (p.previous, True, "it") if p.previous is not None else None),
    (re.compile(Q), lambda m, p: (_text(p.quote(m)), True, "text")),
]  # fmt: skip


def _build_table_about(m: re.Match[str], p: Phrases) -> tuple[Target, bool, str] | None:
    """The table in which the words stand."""
    words = p.quote(m) if m.group("q") else p.words(m)
    wanted = [w.casefold().rstrip("s") for w in re.findall(r"\w+", words)]
    found: list[str] = []
    for block in walk(p.mirror):
        if block.tag == W_TBL:
            text = " ".join(block.element.itertext()).casefold()
            if wanted and all(w in text for w in wanted):
                found.append(block.id)
    return (Target(ids=found), True, "table") if found else None
