"""The verbs that operations are made of. An editor lives for one transaction (`with mirror.edit() as editor`).

The verbs are conveniences: whatever an operation does to the elements or through python-docx is seen as well.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from docx.text.paragraph import Paragraph as DocxParagraph

from agent.document import marks, numbering, styles, text
from agent.document.changes import Change, analyse
from agent.document.delta import Delta
from agent.document.elements import new_element
from agent.document.index import Summary
from agent.document.names import ANNOTATIONS, W_P, W_PPR, W_R, W_RPR, W_SECTPR, W_VAL, WP, R, W, whole_number
from agent.document.removal import drop_unused
from agent.document.schema import ORDER
from agent.document.transaction import Transaction

if TYPE_CHECKING:
    from agent.document.mirror import Mirror


class Editor:
    """Changes one mirror. After the transaction `delta` and `changes()` say what was done."""

    def __init__(self, mirror: Mirror, key: str) -> None:
        self.mirror = mirror
        self.transaction = Transaction(mirror, key)
        self.delta = Delta.empty

    def changes(self) -> tuple[Change, ...]:
        """Change analysis of the finished transaction."""
        return analyse(self.mirror, self.delta, self.transaction.records_before)

    def element(self, block: str) -> Any:
        """The element with this id."""
        return self.mirror.element(block)

    def id(self, element: Any) -> str:
        """The id of an element that has one."""
        found = self.mirror.id_of(element)
        assert found is not None
        return found

    # -- blocks --------------------------------------------------------------------------------------------------------

    def insert_after(self, anchor: Any, new: Any) -> Any:
        """Put a block behind another."""
        anchor.addnext(new)
        return new

    def insert_before(self, anchor: Any, new: Any) -> Any:
        """Put a block before another."""
        anchor.addprevious(new)
        return new

    def append_to_body(self, new: Any) -> Any:
        """Put a block at the end of the body, before the page layout."""
        body = self.mirror.body
        last = body[-1] if len(body) and body[-1].tag == W_SECTPR else None
        if last is not None:
            last.addprevious(new)
        else:
            body.append(new)
        return new

    def place(self, side: str, anchor: str, new: Sequence[Any]) -> None:
        """Put blocks, in this order, where `Resolver.place` says: "after" or "before" the block with the id, at the "start" or
        "end" of the document.
        """
        if side == "end" or (side == "start" and not self.mirror.edge("start")):
            for block in new:
                self.append_to_body(block)
            return
        first = anchor if side != "start" else self.mirror.edge("start")[0]
        element = last = self.element(first)
        for block in new:
            if side == "after":
                last.addnext(block)
                last = block
            else:
                element.addprevious(block)
        if side == "after" and new:
            self._keep_section(element, last)

    def _keep_section(self, anchor: Any, last: Any) -> None:
        """What is put behind the last paragraph of a section belongs to that section: the section break goes behind it."""
        sect = anchor.find(f"{W_PPR}/{W_SECTPR}") if anchor.tag == W_P else None
        if sect is None:
            return
        if last.tag != W_P:
            last.addnext(new_element("w:p"))
            last = last.getnext()
        ppr = self.ppr(last)
        change = ppr.find(W + "pPrChange")
        if change is not None:
            change.addprevious(sect)
        else:
            ppr.append(sect)

    def properties(self, element: Any) -> Any:
        """The `w:tblPr`, `w:trPr` or `w:tcPr` of a table, row or cell, made if missing."""
        local = element.tag.rpartition("}")[2]
        found = element.find(f"{W}{local}Pr")
        if found is None:
            found = new_element(f"w:{local}Pr")
            exceptions = element.find(W + "tblPrEx")
            if exceptions is not None:
                exceptions.addnext(found)
            else:
                element.insert(0, found)
        return found

    def remove(self, element: Any) -> None:
        """Take an element out. See `agent.document.removal` for deletions that clean up after themselves."""
        element.getparent().remove(element)

    def new_paragraph(self, content: str = "", *, style: str = "", like: Any = None) -> Any:
        """A `w:p`. `like`: a paragraph whose paragraph format (without section and numbering) it takes, and the character format
        that most of its text has; `style`: a style id.
        """
        p = new_element("w:p")
        if like is not None:
            ppr = like.find(W_PPR)
            if ppr is not None:
                clone = copy.deepcopy(ppr)
                for tag in ("sectPr", "pPrChange", "numPr", "pageBreakBefore", "framePr"):
                    for child in clone.findall(W + tag):
                        if (
                            child.find(f"{W}numId[@{W_VAL}='0']") is None
                        ):  # that takes the style's number away
                            clone.remove(child)
                p.append(clone)
        if style:
            self.set_style(p, style)
        if content:
            text.replace(p, 0, 0, content)
            rpr = text.dominant_format(like) if like is not None and not style else None
            if rpr is not None:
                for run in p.iterchildren(W_R):
                    self.set_format(run, rpr)
        return p

    # -- text ----------------------------------------------------------------------------------------------------------

    def replace_text(self, paragraph: Any, start: int, end: int, new: str) -> None:
        """Replace characters of a `w:p`; every other character keeps its format. Where a link leads goes with the link."""
        links = [(link, link.get(R + "id")) for link in paragraph.iter(W + "hyperlink")]
        text.replace(paragraph, start, end, new)
        lost = {rid for link, rid in links if rid and paragraph not in link.iterancestors(W_P)}
        if lost and self.mirror.story_of(paragraph) is not None:
            drop_unused(self.mirror, {self.mirror.part_of(paragraph): lost})

    def isolate(self, paragraph: Any, start: int, end: int) -> list[Any]:
        """Runs that hold exactly those characters."""
        return text.isolate(paragraph, start, end)

    # -- formats -------------------------------------------------------------------------------------------------------

    def set_style(self, paragraph: Any, style_id: str) -> None:
        """Give a `w:p` a style; the default style is written as no style."""
        default = styles.default_style(self.mirror)
        ppr = paragraph.find(W_PPR)
        if style_id == default or not style_id:
            if ppr is not None:
                self.set_property(ppr, "pStyle", None)
            return
        self.set_property(self.ppr(paragraph), "pStyle", {"val": style_id})

    def ppr(self, paragraph: Any) -> Any:
        """The `w:pPr`, made if missing."""
        ppr = paragraph.find(W_PPR)
        if ppr is None:
            ppr = new_element("w:pPr")
            paragraph.insert(0, ppr)
        return ppr

    def rpr(self, run: Any) -> Any:
        """The `w:rPr` of a run, made if missing."""
        first = run[0] if len(run) else None
        if first is not None and first.tag == W_RPR:
            return first
        rpr = run.find(W_RPR)
        if rpr is None:
            rpr = new_element("w:rPr")
            run.insert(0, rpr)
        return rpr

    def set_property(self, parent: Any, name: str, attributes: dict[str, str] | None) -> Any:
        """Set, or with None remove, a property element below a `w:pPr`, `w:rPr`, `w:tblPr`, `w:trPr` or `w:tcPr`, in the schema's
        order. Attributes that it already has and that are not named stay.
        """
        old = None
        for found in (
            list(parent.iterchildren(W + name)) if len(parent) else ()
        ):  # LibreOffice writes some of them twice
            if attributes is None or old is not None:
                parent.remove(found)
            else:
                old = found
        if attributes is None:
            return None
        if old is None:
            old = new_element(f"w:{name}", {W + key: value for key, value in attributes.items()})
            _insert_ordered(parent, old)
            return old
        for key, value in attributes.items():
            if old.get(W + key) != value:
                old.set(W + key, value)
        return old

    def set_run_property(self, runs: Iterable[Any], name: str, attributes: dict[str, str] | None) -> None:
        """Set, or with None remove, a property of runs."""
        for run in runs:
            if attributes is not None or run.find(f"{W}rPr/{W}{name}") is not None:
                self.set_property(self.rpr(run), name, attributes)

    def set_format(self, run: Any, rpr: Any) -> None:
        """Give a run a copy of a `w:rPr` in place of its own; None takes its own away."""
        own = run.find(W + "rPr")
        if own is not None:
            run.remove(own)
        if rpr is not None:
            run.insert(0, copy.deepcopy(rpr))

    def emphasise(self, paragraph: Any, stretches: Iterable[marks.Stretch]) -> None:
        """Make stretches of a `w:p` bold or italic."""
        for stretch in stretches:
            runs = text.isolate(paragraph, stretch.start, stretch.end)
            for name in {"bold": ("b", "bCs"), "italic": ("i", "iCs")}[stretch.format]:
                self.set_run_property(runs, name, None)
                self.set_run_property(runs, name, {})

    def ensure_style(self, name: str, kind: str = "paragraph") -> str:
        """Style id for a name; built-in styles that the file lacks are made."""
        return styles.ensure_style(self.mirror, name, kind)

    def new_list(self, kind: numbering.ListKind, **options: Any) -> int:
        """A new list's number id."""
        return numbering.new_list(self.mirror, kind, **options)

    def new_list_like(self, number_id: int, start: int = 1) -> int:
        """The number id of a new list that looks like another."""
        return numbering.new_list_like(self.mirror, number_id, start=start)

    def set_list(self, paragraph: Any, number_id: int, level: int = 0) -> None:
        """Make a paragraph an item of a list."""
        ppr = self.ppr(paragraph)
        num = self.set_property(ppr, "numPr", {})
        for child in list(num):
            num.remove(child)
        for name, value in (("ilvl", level), ("numId", number_id)):
            num.append(new_element(f"w:{name}", {W_VAL: str(value)}))

    # -- ids that must be unique ---------------------------------------------------------------------------------------

    def next_drawing_id(self) -> int:
        """An unused `wp:docPr/@id`, over the body, headers, footers and notes."""
        return 1 + max(
            max(self.mirror.index_of(s).of_chunks(_HIGHEST_DRAWING)) for s in self.mirror.stories()
        )

    def next_annotation_id(self) -> int:
        """An unused `w:id`: one number space over bookmarks, comments and revisions (they clash in Word otherwise)."""
        return 1 + max(
            max(self.mirror.index_of(s).of_chunks(_HIGHEST_ANNOTATION)) for s in self.mirror.stories()
        )

    def python_docx(self, paragraph: Any) -> DocxParagraph:
        """python-docx's view of a `w:p`, with the part that it lies in as parent."""
        return DocxParagraph(paragraph, self.mirror.part_of(paragraph))  # pyright: ignore[reportArgumentType]

    def paragraphs_in(self, element: Any) -> list[Any]:
        """The element itself if it is a `w:p`, else all those inside."""
        return [element] if element.tag == W_P else list(element.iter(W_P))


def _insert_ordered(parent: Any, child: Any) -> None:
    later = _later(parent.tag, child.tag)
    for sibling in parent if later else ():
        if sibling.tag in later:
            sibling.addprevious(child)
            return
    parent.append(child)


@lru_cache(maxsize=512)
def _later(parent: str, child: str) -> frozenset[str]:
    """What must stand behind a property in its parent."""
    order = [W + name for name in ORDER.get(parent, ())]
    return frozenset(order[order.index(child) + 1 :]) if child in order else frozenset()


def _highest(attribute: str, *tags: str) -> Summary[int, int]:
    return Summary(
        lambda mirror, block, element: max(
            (whole_number(e.get(attribute, "0")) for e in element.iter(*tags)), default=0
        ),
        lambda values: max(values, default=0),
    )


_HIGHEST_DRAWING = _highest("id", WP + "docPr")
_HIGHEST_ANNOTATION = _highest(W + "id", *ANNOTATIONS)
