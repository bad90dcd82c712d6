"""Sections: stretches of pages with one layout, and which headers and footers they show.

A section's `w:sectPr` lies in the last paragraph of the section; that of the last section at the end of the body. A section
without a header reference of a kind shows what the section before it shows ("Link to Previous").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from agent.document.elements import new_element
from agent.document.layout import A4_WIDTH, INCH
from agent.document.names import W_PPR, W_SECTPR, R, W

if TYPE_CHECKING:
    from agent.document.editor import Editor
    from agent.document.mirror import Mirror

A4_HEIGHT = 16_838
Story = Literal["header", "footer"]
Kind = Literal["default", "first", "even"]
"""On which pages: all that have no other, the first of a section, even ones."""


@dataclass(frozen=True)
class PageSection:
    """One section of the body."""

    id: str
    """Of the paragraph that it ends with; of the `w:sectPr` for the last one; empty if the file has none for it."""
    sectpr: Any
    """None if the file has none for the last section."""
    number: int
    """From 1."""


def sections_of(mirror: Mirror) -> list[PageSection]:
    """The sections of the body in order; at least one."""
    found: list[PageSection] = []
    for sectpr in mirror.nodes(W_SECTPR):
        parent = sectpr.getparent()
        if parent is mirror.body:
            found.append(PageSection(mirror.id_of(sectpr) or "", sectpr, len(found) + 1))
        elif parent.tag == W_PPR:  # and not one that a tracked change remembers
            found.append(PageSection(mirror.id_of(parent.getparent()) or "", sectpr, len(found) + 1))
    if not found or found[-1].sectpr.getparent() is not mirror.body:
        found.append(PageSection("", None, len(found) + 1))
    return found


def sections_holding(mirror: Mirror, blocks: list[str]) -> list[PageSection]:
    """The sections that blocks of the body lie in."""
    every, index = sections_of(mirror), mirror.index
    ends = [index.position(mirror.owner(s.id)) for s in every[:-1]]
    positions = {index.position(owner) for b in blocks if (owner := mirror.owner(b)) in index}
    return [every[at] for at in sorted({sum(end < p for end in ends) for p in positions})]


def ensure_sectpr(editor: Editor, section: PageSection) -> Any:
    """The `w:sectPr` of a section; for a last one that has none it is made, with a page of A4 and margins of an inch."""
    if section.sectpr is not None:
        return section.sectpr
    found = editor.mirror.body.find(W_SECTPR)
    if found is None:
        found = new_element("w:sectPr")
        found.append(new_element("w:pgSz", {W + "w": str(A4_WIDTH), W + "h": str(A4_HEIGHT)}))
        sides = dict.fromkeys(("top", "right", "bottom", "left"), str(INCH))
        margins = {**sides, "header": "708", "footer": "708", "gutter": "0"}
        found.append(new_element("w:pgMar", {W + k: v for k, v in margins.items()}))
        editor.mirror.body.append(found)
    return found


def reference(sectpr: Any, story: Story, kind: Kind) -> Any | None:
    """The `w:headerReference` or `w:footerReference` of a kind that the section has itself."""
    for found in sectpr.iterchildren(f"{W}{story}Reference") if sectpr is not None else ():
        if found.get(W + "type", "default") == kind:
            return found
    return None


def owner(mirror: Mirror, section: PageSection, story: Story, kind: Kind) -> PageSection | None:
    """The section whose header (or footer) of a kind this section shows: itself, or the nearest before it that has one."""
    for candidate in reversed(sections_of(mirror)[: section.number]):
        if content(mirror, candidate, story, kind) is not None:
            return candidate
    return None


def content(mirror: Mirror, section: PageSection, story: Story, kind: Kind) -> Any | None:
    """The `w:hdr` or `w:ftr` element of a kind that a section has itself, or None."""
    found = reference(section.sectpr, story, kind)
    rel = mirror.file.document_part.rels.get(found.get(R + "id", "")) if found is not None else None
    if rel is None or rel.is_external:
        return None
    return getattr(rel.target_part, "element", None)


def has_title_page(section: PageSection) -> bool:
    """Whether the section's first page has a header and footer of its own (`w:titlePg`)."""
    found = section.sectpr.find(W + "titlePg") if section.sectpr is not None else None
    return found is not None and found.get(W + "val", "1") not in ("0", "false", "off")


def set_margins(editor: Editor, section: PageSection, values: dict[str, int]) -> None:
    """Write sides of `w:pgMar`; one that is made gets all its attributes, as the schema wants."""
    sectpr = ensure_sectpr(editor, section)
    if sectpr.find(W + "pgMar") is None:
        every = ("top", "right", "bottom", "left", "header", "footer", "gutter")
        values = {s: margin(section, s) for s in every} | values
    editor.set_property(sectpr, "pgMar", {side: str(value) for side, value in values.items()})


def page_size(section: PageSection) -> tuple[int, int]:
    """Width and height in twentieths of a point."""
    size = section.sectpr.find(W + "pgSz") if section.sectpr is not None else None
    return _int(size, "w", A4_WIDTH), _int(size, "h", A4_HEIGHT)


def margin(section: PageSection, side: str) -> int:
    """A value of `w:pgMar` in twentieths of a point; a top or bottom below zero is one that text never pushes further."""
    margins = section.sectpr.find(W + "pgMar") if section.sectpr is not None else None
    return _int(margins, side, {"gutter": 0, "header": 708, "footer": 708}.get(side, INCH))


def columns(section: PageSection) -> tuple[int, int]:
    """Number of text columns of one width, and the space between them."""
    cols = section.sectpr.find(W + "cols") if section.sectpr is not None else None
    return max(_int(cols, "num", 1), 1), _int(cols, "space", 720)


def _int(element: Any | None, name: str, default: int) -> int:
    try:
        return int(float(element.get(W + name, ""))) if element is not None else default
    except ValueError:
        return default
