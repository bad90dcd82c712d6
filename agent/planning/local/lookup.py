"""What a document holds, by the words that people use for it. Made once a revision, so that a clause costs no walk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.document import text as texts
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL, W
from agent.document.numbering import list_of, number_format
from agent.document.outline import Block, headings, section_blocks, walk
from agent.document.records import cells_of, rows_of
from agent.document.styles import style_name
from agent.errors import OperationError, TargetNotFound
from agent.operations.resolver import Resolver, span_of
from agent.operations.targets import Target


@dataclass(frozen=True)
class Cell:
    """A table cell: grid column from 0, its text, the ids of its own paragraphs."""

    column: int
    text: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """A table as words."""

    id: str
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def header(self) -> tuple[Cell, ...]:
        """The first row."""
        return self.rows[0] if self.rows else ()

    @cached_property
    def words(self) -> str:
        """All its text, folded."""
        return " \n ".join(fold(c.text) for row in self.rows for c in row)

    @cached_property
    def row_names(self) -> dict[str, int]:
        """Names of rows, folded, to their numbers; a row is named by a cell that no other row has, the first before others."""
        found: dict[str, set[int]] = {}
        for i, row in enumerate(self.rows[1:], 2):
            for name in short_names(row[0].text) if row else ():
                found.setdefault(name, set()).add(i)
        first = set(found)
        for i, row in enumerate(self.rows[1:], 2):
            for name in (n for c in row[1:] for n in short_names(c.text) if n not in first):
                found.setdefault(name, set()).add(i)
        return {name: rows.pop() for name, rows in found.items() if len(rows) == 1}

    @cached_property
    def column_names(self) -> dict[str, int]:
        """Names of columns, folded, to their numbers."""
        found: dict[str, int] = {}
        for cell in self.header:
            for name in short_names(cell.text):
                found.setdefault(name, cell.column + 1)
        return found

    def column(self, name: str) -> int | None:
        """Number, from 1, of the only column with this header, or the only one whose header contains it as words."""
        wanted = fold(name)
        exact = [c.column + 1 for c in self.header if same_words(c.text, wanted)]
        near = [c.column + 1 for c in self.header if has_words(fold(c.text), wanted)]
        found = exact or near
        return found[0] if len(found) == 1 else None

    def paragraphs(self, row: int) -> list[str]:
        """Ids of the paragraphs in a row's cells; the row from 1, -1 the last."""
        cells = self.rows[row - 1 if row > 0 else row]
        return [p for c in cells for p in c.paragraphs]


class Lookup:
    """Words to blocks, for one revision of a document."""

    def __init__(self, mirror: Mirror) -> None:
        self.mirror = mirror
        self._kinds: dict[str, list[str]] = {}

    @classmethod
    def of(cls, mirror: Mirror) -> Lookup:
        """The lookup of the document as it is now."""
        cached = mirror.views.get("local lookup")
        if cached is not None and cached[0] == mirror.revision:
            return cached[1]
        made = cls(mirror)
        mirror.views["local lookup"] = (mirror.revision, made)
        return made

    @cached_property
    def blocks(self) -> Sequence[Block]:
        """Every block in reading order."""
        return walk(self.mirror)

    @cached_property
    def text(self) -> dict[str, str]:
        """Folded text of each paragraph by id."""
        return {b.id: fold(b.text) for b in self.blocks if b.tag == W_P}

    @cached_property
    def _everything(self) -> str:
        return "\n".join(self.text.values())

    def contains(self, words: str) -> bool:
        """Whether the words stand in the document, in any letter case, as whole words."""
        return has_words(self._everything, fold(words))

    def paragraphs_reading(self, words: str) -> list[str]:
        """Paragraphs whose whole text is this."""
        wanted = fold(words)
        return [b for b, text in self.text.items() if text == wanted]

    def paragraphs_with(self, words: str) -> tuple[list[str], list[str]]:
        """Paragraphs in which the words stand as whole words, and those in which they stand at all."""
        wanted = fold(words)
        parts = [b for b, text in self.text.items() if wanted and wanted in text]
        return [b for b in parts if has_words(self.text[b], wanted)], parts

    def of_kind(self, kind: str) -> list[str]:
        """Ids of everything of a kind that targets know."""
        if kind not in self._kinds:
            try:
                self._kinds[kind] = Resolver(self.mirror).blocks(Target.model_validate({"every": kind}))
            except TargetNotFound:
                self._kinds[kind] = []
        return self._kinds[kind]

    @cached_property
    def headings(self) -> list[Block]:
        """The headings in order."""
        return headings(self.mirror)

    @cached_property
    def heading_names(self) -> dict[str, Block]:
        """What each heading may be called, folded; of short names only those that one heading has."""
        found: dict[str, Block | None] = {}
        for heading in self.headings:
            for name in _names(heading.text):
                found[name] = None if name in found and found[name] is not heading else heading
        for heading in self.headings:
            found[fold(heading.text)] = heading
        return {name: block for name, block in found.items() if block is not None}

    def headings_with(self, words: str) -> list[Block]:
        """Headings that contain these words."""
        return [h for h in self.headings if has_words(fold(h.text), fold(words))]

    def section(self, heading: Block) -> list[str]:
        """Blocks under a heading."""
        return section_blocks(self.mirror, heading)

    @cached_property
    def grids(self) -> list[Grid]:
        """The tables in order."""
        return [_grid(self.mirror, b) for b in self.blocks if b.tag == W_TBL]

    def grid(self, table: str) -> Grid | None:
        """One table by its id."""
        return next((g for g in self.grids if g.id == table), None)

    @cached_property
    def links(self) -> list[tuple[str, str]]:
        """Paragraph and words of each link."""
        found: list[tuple[str, str]] = []
        for block in self.blocks:
            if block.tag == W_P:
                for link in block.element.iter(W + "hyperlink"):
                    words = "".join(t.text or "" for t in link.iter(W + "t"))
                    if words.strip():
                        found.append((block.id, words))
        return found

    @cached_property
    def placeholders(self) -> list[str]:
        """Names in double braces, square brackets, guillemets or angle brackets, as they are written."""
        lines = [b.text for b in self.blocks]
        parts = [
            p
            for p in self.mirror.file.package.iter_parts()
            if re.search(r"/(?:header|footer)\d*\.xml$", p.partname)
        ]
        elements = [getattr(p, "element", None) for p in parts]
        lines += ["".join(e.itertext()) for e in elements if e is not None]
        found = re.findall(
            r"\{\{\s*(.+?)\s*\}\}|\[([^\[\]\n]{2,40})\]|\u00ab(.+?)\u00bb|<([^<>\n]{2,40})>", "\n".join(lines)
        )
        return list(dict.fromkeys(next(g for g in groups if g).strip() for groups in found))

    @cached_property
    def lists(self) -> list[tuple[str, list[str]]]:
        """Lists: "bullet" or "number", and the ids of the items that follow one another."""
        found: list[tuple[str, list[str]]] = []
        items = set(self.of_kind("list item"))
        last = ""
        for block in self.blocks:
            if block.tag != W_P or block.depth:
                continue
            if block.id in items:
                shape = _list_shape(self.mirror, block)
                if last in items and found and found[-1][0] == shape:
                    found[-1][1].append(block.id)
                else:
                    found.append((shape, [block.id]))
            last = block.id
        return found

    @cached_property
    def styles(self) -> dict[str, str]:
        """Names of paragraph styles that are in use, folded, but for those that are words of their own ("title", "heading 1")."""
        used = {
            style_name(self.mirror, b.style)
            for b in self.blocks
            if b.tag == W_P and b.style and b.text.strip()
        }
        own = re.compile(r"normal|title|subtitle|heading( \d)?|list\b.*|body text.*|table.*|no spacing")
        return {fold(name): name for name in used if not own.fullmatch(fold(name))}

    def in_style(self, name: str) -> list[str]:
        """Paragraphs with text in a style."""
        return [
            b.id
            for b in self.blocks
            if b.tag == W_P and b.text.strip() and style_name(self.mirror, b.style) == name
        ]

    def near_heading(self, block: str) -> str:
        """The folded text of the heading that a block stands under."""
        last = ""
        for b in self.blocks:
            if b.id == block:
                return last
            if b.level is not None and b.text.strip():
                last = fold(b.text)
        return last

    def within(self, target: Target) -> set[str] | None:
        """Ids of the blocks that a target covers, those in tables included; None if it cannot be found."""
        resolver = Resolver(self.mirror)
        try:
            return {*resolver.blocks(target), *resolver.paragraphs(target)}
        except OperationError:
            return None

    def in_table(self, paragraph: str) -> bool:
        """Whether a paragraph is in a table cell."""
        return any(paragraph in c.paragraphs for g in self.grids for row in g.rows for c in row)

    def label(self, block: str) -> str:
        """A block in a few words, for a question."""
        grid = self.grid(block)
        if grid is not None:
            return f"table {self.grids.index(grid) + 1} ({', '.join(c.text for c in grid.header[:4])})"
        text = " ".join(texts.text_of(self.mirror.element(block)).split())
        return f"'{text[:40]}…'" if len(text) > 41 else f"'{text}'"


def short_names(text: str) -> list[str]:
    """What a cell may be called: its folded text, in the singular and plural, and without what is in brackets."""
    name = fold(text).strip(" .:")
    if len(name) > 60:
        return []
    bare = re.sub(r"\s*\(.*?\)$", "", name)
    names = [name, bare, f"{bare}s"]
    if len(bare) > 3 and bare.endswith("s") and not bare.endswith("ss"):
        names.append(bare[:-1])
    return [n for n in dict.fromkeys(names) if len(n) > 1 or (n and not n.isdigit())]


def fold(text: str) -> str:
    """Without letter case and double spaces."""
    return " ".join(text.casefold().replace("\u2019", "'").split())


def has_words(text: str, words: str) -> bool:
    """Whether folded words stand in a folded text as whole words."""
    if not words:
        return False
    at = text.find(words)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(words) : at + len(words) + 1]
        if not (before.isalnum() and words[0].isalnum()) and not (after.isalnum() and words[-1].isalnum()):
            return True
        at = text.find(words, at + 1)
    return False


def same_words(text: str, wanted: str) -> bool:
    """Whether two texts are the same but for letter case, final points and a plural s."""
    return singular(fold(text).strip(" .:")) == singular(wanted.strip(" .:"))


def singular(word: str) -> str:
    """Without a plural s."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def all_in(text: str, words: Iterable[str]) -> bool:
    """Whether each word (singular or plural) begins a word of the text."""
    return all(re.search(rf"\b{re.escape(singular(w))}", text) is not None for w in words)


def _names(heading: str) -> list[str]:
    """Folded: whole; without its number; up to a colon or dash; "intro" for an introduction."""
    text = fold(heading)
    names = [text, text.rstrip(" .:")]
    bare = re.sub(
        r"^(?:[\divx]+(?:\.\d+)*[.)]?|[a-z][.)]|(?:section|chapter|article|clause)\s+\d+\W*)\s+", "", text
    )
    names += [bare, re.split(r"\s*[:\u2013\u2014]\s", bare)[0]]
    if bare == "introduction":
        names.append("intro")
    return [n for n in dict.fromkeys(names) if len(n) > 1]


def _grid(mirror: Mirror, block: Block) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    for row in rows_of(block.element):
        cells: list[Cell] = []
        at = 0
        for tc in cells_of(row):
            own = list(tc.iterchildren(W_P))
            ids = tuple(i for p in own if (i := mirror.id_of(p)) is not None)
            cells.append(Cell(at, " ".join(texts.text_of(p) for p in own).strip(), ids))
            at += span_of(tc)
        rows.append(tuple(cells))
    return Grid(block.id, tuple(rows))


def _list_shape(mirror: Mirror, block: Block) -> str:
    found = list_of(mirror, block.element)
    return "bullet" if found is None or number_format(mirror, *found) in ("bullet", "none", "") else "number"
