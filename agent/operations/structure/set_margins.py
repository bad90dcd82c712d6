"""Page margins. Word: `w:pgMar` of a section, in twentieths of a point; Office.js `PageSetup.topMargin` on the desktop only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import model_validator

from agent.document import sections, units
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.sections import PageSection, columns, margin, page_size
from agent.errors import InvalidValue, PreconditionFailed
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import Effect
from agent.operations.specimens import doc, p, section, title
from agent.operations.structure._layout import layouts_pass, note_on_target, sections_meant
from agent.operations.targets import Params, Target, Wants

_FIELDS = {
    "top": "top", "bottom": "bottom", "left": "left", "right": "right", "gutter": "gutter",
    "header_distance": "header", "footer_distance": "footer",
}  # fmt: skip
"""Parameters to attributes of `w:pgMar`."""
_LEAST = 720
"""Half an inch: what Word wants to be left for text."""
_MOST = 31_680
"""22 inches, the largest page that Word knows."""


class SetMargins(Params):
    top: float | str | None = None
    """Such as "2.5cm", "1in" or points; leave out to keep it."""
    bottom: float | str | None = None
    """Likewise."""
    left: float | str | None = None
    """Likewise."""
    right: float | str | None = None
    """Likewise."""
    gutter: float | str | None = None
    """Extra margin for the binding."""
    header_distance: float | str | None = None
    """From the top edge of the page to the header."""
    footer_distance: float | str | None = None
    """From the bottom edge of the page to the footer."""
    target: Annotated[Target | None, Wants.BLOCKS] = None
    """Something in the section whose pages are meant; leave out for the whole document."""

    @model_validator(mode="after")
    def _lengths(self) -> SetMargins:
        if all(getattr(self, name) is None for name in _FIELDS):
            raise ValueError("nothing to change; give top, bottom, left or right")
        for name, value in self:
            if name in _FIELDS and value is not None:
                try:
                    length = units.twips(value)
                except InvalidValue as error:
                    raise ValueError(f"{name}: {error.message.rstrip('.')}") from error
                if not 0 <= length <= _MOST:
                    raise ValueError(f"{name}: a margin goes from 0 to 55.87 cm, not {value}")
        return self


def _wanted(params: SetMargins) -> dict[str, int]:
    return {a: units.twips(v) for n, a in _FIELDS.items() if (v := getattr(params, n)) is not None}


@operation(
    Intent.STRUCTURE,
    phrasings=[
        "set all margins to 2 cm",
        "make the margins narrower, 1.5 cm left and right",
        "the top margin should be 3 cm",
        "change the page margins to 1 inch on all sides",
        "I need a wider left margin for binding, 4 cm",
        "use narrow margins",
        "set the bottom margin to 50 pt",
        "page margins: top 2.5 cm, bottom 2 cm, sides 3 cm",
        "leave 1 cm more room on the right side of the page, 3.5 cm",
    ],
    examples=[
        Example(
            "Set all margins to 2 cm",
            doc(title("Report"), p("Revenue grew.")),
            {"top": "2cm", "bottom": "2cm", "left": "2cm", "right": "2cm"},
            result="The page layout has margins of 2 cm on all sides; nothing else changed.",
        ),
        Example(
            "Left margin 4 cm",
            doc(p("Revenue grew.")),
            {"left": "4cm"},
            result="The page layout has a left margin of 4 cm; nothing else changed.",
        ),
        Example(
            "Margins of 1.5 cm left and right in the part with the costs",
            doc(p("Revenue grew."), section(), p("Costs fell.")),
            {"left": "1.5cm", "right": "1.5cm", "target": {"text": "Costs fell"}},
            result="The page layout of the last section has left and right margins of 1.5 cm; nothing else changed.",
        ),
        Example(
            "Left and right margins of 12 cm",
            doc(p("Revenue grew.")),
            {"left": "12cm", "right": "12cm"},
            raises=PreconditionFailed,
        ),
        Example("Margins of 3 ells", doc(p("Revenue grew.")), {"left": "3 ells"}, raises=InvalidValue),
    ],
)
def set_margins(editor: Editor, params: SetMargins) -> Result:
    """Set the margins of the pages, each side by itself; what is left out stays.

    All sections, or the one that holds the target. Refused if no room would be left for text.
    """
    wanted = _wanted(params)
    meant = sections_meant(editor.mirror, params.target)
    for page in meant:
        _refuse_no_room(page, wanted)
    for page in meant:
        sections.set_margins(editor, page, wanted)
    return Result(note_on_target(editor.mirror, params.target))


def _refuse_no_room(page: PageSection, wanted: dict[str, int]) -> None:
    width, height = page_size(page)
    side = {s: wanted.get(s, margin(page, s)) for s in ("left", "right", "top", "bottom", "gutter")}
    count, between = columns(page)
    room = (width - side["left"] - side["right"] - side["gutter"] - (count - 1) * between) // count
    if room < _LEAST:
        raise PreconditionFailed(
            f"With margins of {_cm(side['left'])} left and {_cm(side['right'])} right on a page {_cm(width)} wide, "
            f"{_cm(max(room, 0))} {'a column' if count > 1 else ''}would be left for text; at least 1.27 cm are needed."
        )
    tall = height - abs(side["top"]) - abs(side["bottom"])
    if tall < _LEAST:
        raise PreconditionFailed(
            f"With margins of {_cm(abs(side['top']))} at the top and {_cm(abs(side['bottom']))} at the bottom of a page "
            f"{_cm(height)} high, {_cm(max(tall, 0))} would be left for text; at least 1.27 cm are needed."
        )


def _cm(twips: int) -> str:
    return f"{twips / 567:.3g} cm"


@set_margins.effects
def _(mirror: Mirror, params: SetMargins) -> Iterable[Effect]:
    wanted = _wanted(params)
    kept = [s for s in _FIELDS.values() if s not in wanted]
    before = {
        p.number: {s: margin(p, s) for s in kept}
        for p in sections_meant(mirror, params.target)
        if p.sectpr is not None
    }

    def check(page: PageSection) -> str | None:
        for side, value in wanted.items():
            if margin(page, side) != value or page.sectpr is None:
                return f"the {side} margin is {_cm(margin(page, side))} and not {_cm(value)}"
        for side, value in before.get(page.number, {}).items():
            if margin(page, side) != value:
                return f"the {side} margin changed too"
        return None

    said = ", ".join(f"{side} {_cm(value)}" for side, value in wanted.items())
    yield layouts_pass(mirror, params.target, check, ("pgMar",), f"the margins are {said}")
