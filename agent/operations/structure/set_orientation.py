"""Portrait or landscape. Word: `w:pgSz` of a section (width, height, `w:orient`); no Office.js call (WordApi 1.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.names import W
from agent.document.sections import PageSection, ensure_sectpr, margin, page_size, set_margins
from agent.errors import InvalidValue, NoOp, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import Effect
from agent.operations.specimens import doc, p, section, title
from agent.operations.structure._layout import layouts_pass, note_on_target, sections_meant
from agent.operations.targets import Params, Target, Wants

_TURN = {"top": "left", "right": "top", "bottom": "right", "left": "bottom"}
"""Which old margin each side gets when a page is laid on its side: Word turns the sheet, the margins go along."""
_TURN_BACK = {old: new for new, old in _TURN.items()}


class SetOrientation(Params):
    orientation: Literal["portrait", "landscape"]
    """Upright or on its side."""
    target: Annotated[Target | None, Wants.BLOCKS] = None
    """Something in the section whose pages are meant; leave out for the whole document."""


@operation(
    Intent.STRUCTURE,
    phrasings=[
        "switch the document to landscape",
        "make the pages landscape",
        "turn the page sideways",
        "set the orientation to portrait",
        "I want the whole document in landscape format",
        "put the section with the big table in landscape",
        "change the page orientation back to upright",
        "rotate the pages",
    ],
    examples=[
        Example(
            "Switch the document to landscape",
            doc(title("Report"), p("Revenue grew.")),
            {"orientation": "landscape"},
            result="The page layout is now landscape; nothing else changed.",
        ),
        Example(
            "Put the part with the costs in landscape",
            doc(p("Revenue grew."), section(), p("Costs fell.")),
            {"orientation": "landscape", "target": {"text": "Costs fell"}},
            result="The page layout of the last section is now landscape; nothing else changed.",
        ),
        Example(
            "All pages upright",
            doc(p("Revenue grew."), section(landscape=True), p("Costs fell.")),
            {"orientation": "portrait"},
            result="The page layout of the last section is now portrait; nothing else changed.",
        ),
        Example(
            "Set the pages to portrait", doc(p("Revenue grew.")), {"orientation": "portrait"}, raises=NoOp
        ),
        Example(
            "Turn the section Appendix to landscape",
            doc(p("Revenue grew.")),
            {"orientation": "landscape", "target": {"section": "Appendix"}},
            raises=TargetNotFound,
        ),
        Example(
            "Set the pages diagonally",
            doc(p("Revenue grew.")),
            {"orientation": "diagonal"},
            raises=InvalidValue,
        ),
    ],
)
def set_orientation(editor: Editor, params: SetOrientation) -> Result:
    """Turn the pages to landscape or portrait: width and height change places, the margins turn with the page.

    All sections, or the one that holds the target; one that is so already stays as it is.
    """
    wide = params.orientation == "landscape"
    turned = [s for s in sections_meant(editor.mirror, params.target) if _is_landscape(s) is not wide]
    for page in turned:
        width, height = page_size(page)
        margins = _turned(page, params.orientation)
        sectpr = ensure_sectpr(editor, page)
        size = editor.set_property(sectpr, "pgSz", {"w": str(height), "h": str(width)})
        if params.orientation == "landscape":
            editor.set_property(sectpr, "pgSz", {"orient": "landscape"})
        elif size.get(W + "orient") is not None:
            del size.attrib[W + "orient"]
        set_margins(editor, page, margins)
    return Result(note_on_target(editor.mirror, params.target) if turned else ())


def _is_landscape(page: PageSection) -> bool:
    width, height = page_size(page)
    return width > height


def _turned(page: PageSection, orientation: str) -> dict[str, int]:
    """The margins after the turn. One below zero (text may not push it) is so only at the top and bottom."""
    order = _TURN if orientation == "landscape" else _TURN_BACK
    return {new: abs(margin(page, old)) for new, old in order.items()}


@set_orientation.effects
def _(mirror: Mirror, params: SetOrientation) -> Iterable[Effect]:
    meant = sections_meant(mirror, params.target)
    before = {p.number: page_size(p) for p in meant}
    sides = {p.number: sorted(abs(margin(p, s)) for s in _TURN) for p in meant}

    def check(page: PageSection) -> str | None:
        size = page.sectpr.find(W + "pgSz") if page.sectpr is not None else None
        if _is_landscape(page) is not (params.orientation == "landscape"):
            return f"the pages are not {params.orientation}"
        if sorted(page_size(page)) != sorted(before[page.number]):
            return f"the pages have another size than before: {page_size(page)}"
        marked = size is not None and size.get(W + "orient", "portrait") == "landscape"
        if page_size(page) != before[page.number] and marked is not (params.orientation == "landscape"):
            return "the pages are not marked so"
        if sorted(abs(margin(page, s)) for s in _TURN) != sides[page.number]:
            return "the margins are not those from before"
        return None

    yield layouts_pass(mirror, params.target, check, ("pgSz", "pgMar"), f"the pages are {params.orientation}")
