"""What a paragraph or run gets from its styles: the nearest style that says something about a property.

Order, as Word looks: character style, paragraph style, table style, document defaults (ECMA-376 part 1, 17.7.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.document.names import W_P, W_RPR, W_TBL, W_VAL, W
from agent.document.styles import chain, styles_root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent.document.mirror import Mirror

_OFF = ("0", "false", "off", "none", "baseline")
DEFAULT_SIZE = 10.0
"""Points; what Word takes when nothing says a size."""


def inherited(mirror: Mirror, paragraph: Any, name: str, character_style: str = "") -> Any | None:
    """The element `w:name` that the styles of a `w:p` (and of a run's character style) give to its text, or None."""
    for level in _levels(mirror, paragraph, character_style):
        found = _nearest(level, name)
        if found is not None:
            return found
    return None


def turned_on(mirror: Mirror, paragraph: Any, name: str, character_style: str = "") -> bool:
    """Whether the character, paragraph or table style turns a property on. Word adds toggles of several up ("bold" in two of them
    is not bold), so that one of them says so is what calls for an explicit off.
    """
    for level in _levels(mirror, paragraph, character_style):
        found = _nearest(level, name)
        if found is not None and found.get(W_VAL, "on") not in _OFF:
            return True
    return False


def font_size(mirror: Mirror, paragraph: Any, character_style: str = "", direct: str = "") -> float:
    """Size of text in points; `direct`: the run's own `w:sz`, in half-points, if it has one."""
    found = inherited(mirror, paragraph, "sz", character_style)
    value = direct or (found.get(W_VAL, "") if found is not None else "")
    try:
        return float(value) / 2
    except ValueError:
        return DEFAULT_SIZE


def _levels(mirror: Mirror, paragraph: Any, character_style: str) -> Iterator[list[Any]]:
    """The `w:rPr` elements of the styles: a list a level, nearest first, in it the style before what it is based on."""
    if character_style:
        yield _formats(chain(mirror, character_style))
    style = paragraph.find(f"{W}pPr/{W}pStyle")
    yield _formats(chain(mirror, style.get(W_VAL, "") if style is not None else ""))
    table = next((a for a in paragraph.iterancestors() if a.tag in (W_TBL, W_P)), None)
    name = table.find(f"{W}tblPr/{W}tblStyle") if table is not None and table.tag == W_TBL else None
    for style in chain(mirror, name.get(W_VAL, "")) if name is not None else ():
        yield _formats([style])
        yield from (
            [rpr] for rpr in style.iterfind(f"{W}tblStylePr/{W_RPR}")
        )  # of the first row, the last column, ...
    root = styles_root(mirror)
    if root is not None:
        yield list(root.iterfind(f"{W}docDefaults/{W}rPrDefault/{W_RPR}"))


def _formats(styles: list[Any]) -> list[Any]:
    return [rpr for style in styles for rpr in style.iterfind(W_RPR)]


def _nearest(formats: list[Any], name: str) -> Any | None:
    return next((e for rpr in formats if (e := rpr.find(W + name)) is not None), None)


__all__ = ["DEFAULT_SIZE", "font_size", "inherited", "turned_on"]
