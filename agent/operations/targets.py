"""What an operation acts on, as people name it: by text, heading, ordinal, style, kind, table cell, picture, selection.

Ordinals count from 1 as people say them; -1 is the last. `resolver.py` finds what is named.

Before a call is executed its targets are bound: each becomes the ids that it means now (`ids`), so that a replay after
another step was undone acts on the same blocks, not on whatever is "the second table" then.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from agent.document.changes import shorten

if TYPE_CHECKING:
    from agent.operations.resolver import Resolver

Kind = Literal["paragraph", "heading", "list item", "table", "picture", "chart", "header row"]


class Params(BaseModel):
    """Base of parameter models: frozen, unknown fields refused, docstrings become descriptions."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    def located(self, resolver: Resolver) -> Self:
        """These parameters with what their targets mean besides ids, before the targets are bound; for operations to override."""
        return self


class Target(Params):
    """Where an operation acts. Give one way of naming it."""

    ids: list[str] | None = None
    """Block ids from the outline, such as ["p12"] or ["t3"]."""
    text: str | None = None
    """Words in the document. With `ids` or `section`: only there."""
    nth: int | None = None
    """Which match of `text`, from 1; -1 is the last. Leave out if there is only one."""
    heading: str | None = None
    """A heading, by its words: the heading line itself."""
    section: str | None = None
    """A heading, by its words: all that is under it, up to the next heading of its level, without the heading line."""
    paragraph: int | None = None
    """Body paragraph by number, from 1; headings, lists, empty lines and tables do not count. -1 is the last."""
    table: int | None = None
    """Table by number, from 1; -1 is the last."""
    row: int | Literal["header"] | None = None
    """Row of the table, from 1; -1 is the last; "header" is the first."""
    column: int | str | None = None
    """Column of the table: number from 1, -1 the last, or the words in its first row."""
    picture: int | None = None
    """Picture by number, from 1; -1 is the last."""
    chart: int | None = None
    """Chart by number, from 1; -1 is the last."""
    style: str | None = None
    """Everything in this style, such as "Heading 1"."""
    every: Kind | None = None
    """Everything of this kind. With `section`: only there."""
    where: Literal["title", "selection", "document", "first paragraph", "last paragraph"] | None = None
    """A place that needs no words: the title, what the user selected, the whole body, the first or last line with text."""
    all: bool = False
    """With `text`: every match."""

    @model_validator(mode="after")
    def _one_way(self) -> Target:
        ways = [n for n in WAYS if getattr(self, n) is not None]
        if not ways:
            raise ValueError(
                "a target names nothing; give ids, text, heading, section, table, picture or another way"
            )
        in_table = self.table is not None or self.ids is not None or self.every == "table"
        if (self.row is not None or self.column is not None) and not in_table:
            raise ValueError(
                'row and column go with table (its number), ids (its id) or every "table" (all of them)'
            )
        return self

    def __str__(self) -> str:
        return describe(self)


WAYS = (
    "ids", "text", "heading", "section", "paragraph", "table", "picture", "chart", "style", "every", "where",
)  # fmt: skip


class Place(Params):
    """Where something new goes. Give one of these."""

    after: Target | None = None
    """Behind this. `section` means behind the whole section; `heading` directly behind the heading line."""
    before: Target | None = None
    """In front of this. `section` means in front of its heading."""
    at: Literal["start", "end"] | None = None
    """Start or end of the document."""

    @model_validator(mode="after")
    def _one(self) -> Place:
        if sum(v is not None for v in (self.after, self.before, self.at)) != 1:
            raise ValueError("a place is one of after, before, at")
        return self


class Wants(Enum):
    """What a target field of an operation resolves to."""

    BLOCKS = "paragraphs, tables and content controls"
    PARAGRAPHS = "paragraphs"
    SPANS = "stretches of text"
    TABLE = "one table"
    TABLES = "tables"
    ROWS = "table rows"
    TABLE_OR_ROWS = "one table, or rows of it"
    CELLS = "table cells"
    CELL = "one table cell"
    DRAWING = "one picture or chart"
    DRAWINGS = "pictures and charts"


BlocksTarget = Annotated[Target, Wants.BLOCKS]
ParagraphsTarget = Annotated[Target, Wants.PARAGRAPHS]
SpansTarget = Annotated[Target, Wants.SPANS]
TableTarget = Annotated[Target, Wants.TABLE]
TablesTarget = Annotated[Target, Wants.TABLES]
RowsTarget = Annotated[Target, Wants.ROWS]
TableOrRowsTarget = Annotated[Target, Wants.TABLE_OR_ROWS]
CellsTarget = Annotated[Target, Wants.CELLS]
CellTarget = Annotated[Target, Wants.CELL]
DrawingTarget = Annotated[Target, Wants.DRAWING]
DrawingsTarget = Annotated[Target, Wants.DRAWINGS]


@dataclass(frozen=True)
class Selection:
    """What the user has selected: block ids, and the text if it is less than whole blocks."""

    blocks: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class TextSpan:
    """Characters of a paragraph."""

    paragraph: str
    start: int
    end: int


def describe(target: Target) -> str:
    """A target in words, for messages."""
    parts: list[str] = []
    if target.text is not None:
        parts.append(f"the text '{shorten(target.text)}'")
    if target.heading is not None:
        parts.append(f"the heading '{target.heading}'")
    if target.row is not None:
        parts.append("the header row" if target.row == "header" else f"row {target.row}")
    if target.column is not None:
        parts.append(f"column {target.column}")
    for name in ("paragraph", "table", "picture", "chart"):
        number = getattr(target, name)
        if number is not None:
            parts.append(f"the last {name}" if number == -1 else f"{name} {number}")
    if target.style is not None:
        parts.append(f"everything in the style {target.style}")
    if target.every is not None:
        parts.append(f"every {target.every}")
    if target.where is not None:
        parts.append(f"the {target.where}")
    if target.section is not None:
        parts.append(f"the section '{target.section}'")
    if target.ids is not None:
        parts.append(", ".join(target.ids))
    return " in ".join(parts)
