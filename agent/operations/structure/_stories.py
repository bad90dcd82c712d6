"""What the operations on headers and footers share: which parts a call means, making them, writing text into them.

Pictures and fields (the page number!) are never dropped: a paragraph with a field stays as it is, one with a picture keeps
the picture when its text is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from agent.document import text as texts
from agent.document.changes import Change
from agent.document.changes import Kind as ChangeKind
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.names import MC, W_P, W_PPR, W_SDT, W_TBL, W_VAL, R, W
from agent.document.removal import remove_blocks
from agent.document.sections import (
    Kind,
    PageSection,
    Story,
    content,
    ensure_sectpr,
    has_title_page,
    owner,
    sections_holding,
    sections_of,
)
from agent.document.styles import styles_root

if TYPE_CHECKING:
    from agent.document.mirror import Mirror
    from agent.operations.targets import Target

Alignment = Literal["left", "center", "right"]
_OBJECTS = (W + "drawing", W + "pict", W + "object")
_FIELDS = (W + "fldChar", W + "fldSimple", W + "instrText")


@dataclass(frozen=True)
class Place:
    """A header or footer of one kind that a call means."""

    section: PageSection
    """The section that has it, or is to get it."""
    shown_in: PageSection
    """A section that the call names and that shows it."""


def places(mirror: Mirror, target: Target | None, story: Story, kind: Kind) -> list[Place]:
    """Where to write: without a target every section's (a first page: that of the document), each once. What a section takes over
    from one before is changed there, as in Word; where there is none yet, the first section gets one.
    """
    if target is not None:
        named = sections_holding(mirror, target.ids or [])
    else:
        named = sections_of(mirror)[: 1 if kind == "first" else None]
    found: dict[int, Place] = {}
    for section in named:
        has = owner(mirror, section, story, kind) or sections_of(mirror)[0]
        found.setdefault(has.number, Place(has, section))
    return list(found.values())


def root_of(mirror: Mirror, place: Place, story: Story, kind: Kind) -> Any | None:
    """The `w:hdr` or `w:ftr` of a place as the document is now, or None."""
    section = sections_of(mirror)[place.section.number - 1]
    return content(mirror, section, story, kind)


def ensure_root(editor: Editor, place: Place, story: Story, kind: Kind) -> Any:
    """The `w:hdr` or `w:ftr` of a place, made if missing and shown: a first-page one by `w:titlePg`, an even one by a setting."""
    mirror = editor.mirror
    section = sections_of(mirror)[place.section.number - 1]
    root = content(mirror, section, story, kind)
    if root is None:
        part: Any = mirror.file.document_part
        new, rid = part.add_header_part() if story == "header" else part.add_footer_part()
        root = new.element
        _insert_reference(ensure_sectpr(editor, section), story, kind, rid)
        for paragraph in root.iterchildren(W_P):
            _set_story_style(editor, paragraph, story)
    if kind == "first":
        shown = sections_of(mirror)[place.shown_in.number - 1]
        if not has_title_page(shown):
            sectpr = ensure_sectpr(editor, shown)
            editor.set_property(sectpr, "titlePg", None)
            editor.set_property(sectpr, "titlePg", {})
    elif kind == "even" and not _has_even_pages(mirror):
        mirror.document.settings.odd_and_even_pages_header_footer = True
    return root


def _insert_reference(sectpr: Any, story: Story, kind: Kind, rid: str) -> None:
    new = new_element(f"w:{story}Reference", {W + "type": kind, R + "id": rid})
    old = list(sectpr.iterchildren(W + "headerReference", W + "footerReference"))
    if old:
        old[-1].addnext(new)
    else:
        sectpr.insert(0, new)


def _set_story_style(editor: Editor, paragraph: Any, story: Story) -> None:
    """The built-in style "header" or "footer", whatever its id; none in a file without styles."""
    if styles_root(editor.mirror) is None:
        editor.set_property(editor.ppr(paragraph), "pStyle", None)
        return
    editor.set_property(editor.ppr(paragraph), "pStyle", {"val": editor.ensure_style(story)})


def _has_even_pages(mirror: Mirror) -> bool:
    from docx.opc.constants import RELATIONSHIP_TYPE as RT

    for rel in mirror.file.document_part.rels.values():
        if rel.reltype == RT.SETTINGS and not rel.is_external:
            found = rel.target_part.element.find(W + "evenAndOddHeaders")  # pyright: ignore[reportAttributeAccessIssue]
            return found is not None and found.get(W_VAL, "1") not in ("0", "false", "off")
    return False


# -- writing -----------------------------------------------------------------------------------------------------------


def has_object(element: Any) -> bool:
    """Whether there is a picture, a shape or an embedded object in it."""
    return next(element.iter(*_OBJECTS), None) is not None


def has_field(element: Any) -> bool:
    """Whether there is a field in it, such as the page number."""
    return next(element.iter(*_FIELDS), None) is not None


def field_codes(root: Any) -> list[str]:
    """The instructions of all fields, in order, each once though a text box is in the file twice."""
    return [
        " ".join((node.text or node.get(W + "instr", "")).split())
        for node in root.iter(W + "instrText", W + "fldSimple")
        if not any(a.tag == MC + "Fallback" for a in node.iterancestors())
    ]


def write(
    editor: Editor, root: Any, lines: Sequence[str], story: Story, *, replace: bool
) -> tuple[list[Any], list[str]]:
    """Write lines as paragraphs into a header or footer; the paragraphs written, and the texts that stayed for their fields."""
    paragraphs = [p for p in root.iterchildren(W_P) if not has_field(p)]
    if not replace:
        empty = [p for p in paragraphs if _is_blank(p)]
        blocks = list(root.iterchildren(W_P, W_TBL, W_SDT))
        carrier = blocks[-1] if blocks and blocks[-1] in empty else _new_last(editor, root, story)
        return _fill(editor, carrier, lines), []
    stayed = [texts.text_of(p) for p in root.iter(W_P) if has_field(p) and texts.text_of(p).strip()]
    written = [p for p in paragraphs if texts.text_of(p).strip()]
    carrier = next(iter([*written, *[p for p in paragraphs if _is_blank(p)]]), None)
    if carrier is None and lines:
        carrier = _new_behind_pictures(editor, root, story)
    gone: list[Any] = []
    for block in list(root.iterchildren(W_P, W_TBL, W_SDT)):
        if block is carrier or has_field(block) or (block.tag == W_P and not texts.text_of(block).strip()):
            continue
        if has_object(block):
            for p in block.iter(W_P):
                editor.replace_text(p, 0, len(texts.text_of(p)), "")
        else:
            gone.append(block)
    if gone:
        remove_blocks(editor, gone)
    if lines:
        return _fill(editor, carrier, lines), stayed
    if carrier is not None:
        editor.replace_text(carrier, 0, len(texts.text_of(carrier)), "")
    return [], stayed


def _is_blank(paragraph: Any) -> bool:
    return not texts.text_of(paragraph).strip() and not has_object(paragraph) and not has_field(paragraph)


def _fill(editor: Editor, carrier: Any, lines: Sequence[str]) -> list[Any]:
    old = texts.text_of(carrier)
    first = lines[0] if lines else ""
    if old != first:
        editor.replace_text(carrier, 0, len(old), first)
    found = [carrier]
    for line in lines[1:]:
        new = editor.new_paragraph(line, like=carrier)
        found.append(editor.insert_after(found[-1], new))
    return found


def _new(editor: Editor, story: Story, like: Any | None) -> Any:
    new = editor.new_paragraph(like=like) if like is not None else new_element("w:p")
    if new.find(f"{W_PPR}/{W}pStyle") is None:
        _set_story_style(editor, new, story)
    return new


def _new_last(editor: Editor, root: Any, story: Story) -> Any:
    """A new paragraph at the end, in the style of the one that is last now."""
    like = next((p for p in reversed(list(root.iterchildren(W_P)))), None)
    new = _new(editor, story, like)
    last = next((b for b in reversed(list(root.iterchildren(W_P, W_TBL, W_SDT)))), None)
    if last is not None:
        return editor.insert_after(last, new)
    root.append(new)
    return new


def _new_behind_pictures(editor: Editor, root: Any, story: Story) -> Any:
    """A new paragraph behind the pictures, in front of what has fields."""
    new = _new(editor, story, None)
    blocks = list(root.iterchildren(W_P, W_TBL, W_SDT))
    pictures = [b for b in blocks if has_object(b) and not has_field(b)]
    if pictures:
        return editor.insert_after(pictures[-1], new)
    if blocks:
        return editor.insert_before(blocks[0], new)
    root.append(new)
    return new


def align(editor: Editor, paragraphs: Sequence[Any], alignment: Alignment | None) -> None:
    """Set the alignment of paragraphs; None leaves it."""
    if alignment is not None:
        for paragraph in paragraphs:
            editor.set_property(editor.ppr(paragraph), "jc", {"val": alignment})


def warnings(mirror: Mirror, found: Sequence[Place], story: Story, kind: Kind) -> Iterator[str]:
    """What a person should know besides: pages that keep a header of their own, or have an empty one now."""
    other = "footer" if story == "header" else "header"
    if kind == "first":
        for place in found:
            hides = owner(mirror, place.shown_in, other, "default") is not None
            own = owner(mirror, place.shown_in, other, "first") is not None
            if hides and not own and not has_title_page(place.shown_in):
                yield f"The first page no longer shows the {other} of the other pages; it has an empty one of its own."
    elif kind == "even":
        if not _has_even_pages(mirror) and owner(mirror, found[0].shown_in, other, "default") is not None:
            yield f"Even pages no longer show the {other} of the other pages; they have an empty one of their own."
    else:
        if any(has_title_page(s) for s in sections_of(mirror)):
            yield f"The first page has a {story} of its own, which stayed as it was."
        if _has_even_pages(mirror):
            yield f"Even pages have a {story} of their own, which stayed as it was."


# -- effects -----------------------------------------------------------------------------------------------------------


def covers(mirror: Mirror, found: Sequence[Place], story: Story, kind: Kind) -> Callable[[Change], bool]:
    """Covers changes in the headers (or footers) of these places, also new ones, and what makes them show."""
    known = {s.prefix: s.container for s in mirror.stories() if s.prefix}
    roots = [root_of(mirror, place, story, kind) for place in found]
    own = tuple(p for p, container in known.items() if any(container is r for r in roots if r is not None))
    sections = {p.section.id for p in found} | {p.shown_in.id for p in found}

    def inside(change: Change) -> bool:
        prefix = change.target.partition(".")[0] + "."
        if prefix in own or (prefix not in known and prefix.startswith(story)):
            return True
        if change.path == "section" and change.kind is ChangeKind.ADDED:
            return True
        if change.target in sections:
            return change.path.startswith(f"{story}Reference") or (
                kind == "first" and change.path == "titlePg"
            )
        return kind == "even" and change.path == "evenAndOddHeaders"

    return inside


def shown(mirror: Mirror, place: Place, kind: Kind) -> str | None:
    """What keeps a header of a kind from being shown; None if nothing does."""
    if kind == "first" and not has_title_page(sections_of(mirror)[place.shown_in.number - 1]):
        return "the first page does not show a header or footer of its own"
    if kind == "even" and not _has_even_pages(mirror):
        return "even pages do not show a header or footer of their own"
    return None
