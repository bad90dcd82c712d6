"""Content controls that hold text (`w:sdt`): where their text is, and when it is only a prompt to type something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agent.document.names import W14, W_P, W_RPR, W_SDT, W_VAL, W
from agent.document.styles import style_name
from agent.document.text import pieces_of

if TYPE_CHECKING:
    from agent.document.editor import Editor
    from agent.document.mirror import Mirror

_NOT_TEXT = [
    W + name
    for name in (
        "dropDownList", "picture", "docPartObj", "docPartList", "group", "equation", "citation", "bibliography",
        "dataBinding",
    )
] + [W14 + "checkbox"]  # fmt: skip
"""Kinds whose text follows from something else; a bound control is overwritten from its XML when the file is opened."""


def text_controls(mirror: Mirror, paragraph: Any) -> Iterator[tuple[Any, list[str], int, int]]:
    """The controls whose text is in a paragraph, with their title and tag and the offsets of the text: those in the line, and one
    around the whole paragraph.
    """
    pieces = pieces_of(paragraph)
    for control in paragraph.iter(W_SDT):
        inside = [p for p in pieces if control in p.run.iterancestors()]
        names = _names(control)
        if inside and names:
            yield control, names, inside[0].start, inside[-1].end
    content = paragraph.getparent()
    if (
        content is not None
        and content.tag == W + "sdtContent"
        and len(content.findall(W_P)) == len(content) == 1
    ):
        names = _names(content.getparent())
        if names and pieces:
            yield content.getparent(), names, 0, pieces[-1].end


def _names(control: Any) -> list[str]:
    properties = control.find(W + "sdtPr")
    if properties is None or any(properties.find(kind) is not None for kind in _NOT_TEXT):
        return []
    found = [properties.find(W + name) for name in ("alias", "tag")]
    return list(dict.fromkeys(e.get(W_VAL, "") for e in found if e is not None and e.get(W_VAL)))


def is_vacant(control: Any) -> bool:
    """Whether it shows its prompt, not text that someone gave."""
    return control.find(f"{W}sdtPr/{W}showingPlcHdr") is not None


def show_as_text(editor: Editor, control: Any) -> None:
    """Its text is no prompt any more: without the mark of one, and without the grey character style of one."""
    mark = control.find(f"{W}sdtPr/{W}showingPlcHdr")
    if mark is not None:
        mark.getparent().remove(mark)
    for style in list(control.iterfind(f".//{W_RPR}/{W}rStyle")):
        if style_name(editor.mirror, style.get(W_VAL, "")).lower() == "placeholder text":
            style.getparent().remove(style)
