"""Size of drawings. Word: Picture Format > Size; `wp:extent` and `a:ext`; Office.js `InlinePicture.width` (WordApi 1.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from agent.document.changes import Change, Dimension
from agent.document.editor import Editor
from agent.document.layout import text_width
from agent.document.mirror import Mirror
from agent.document.names import PIC, WP, A
from agent.document.pictures import set_size
from agent.document.text import paragraph_of
from agent.document.units import EMU_PER_CM, EMU_PER_POINT, emu
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, image, p
from agent.operations.targets import DrawingsTarget, Params

MOST = 22 * 914_400
"""Word's limit: 22 inches."""


class ResizeObject(Params):
    target: DrawingsTarget
    """The pictures or charts."""
    width: str | None = None
    """Like "8cm" or "50%" of the width of the text."""
    height: str | None = None
    """Like "4cm"."""
    scale: float | None = Field(None, gt=0)
    """Per cent of the size that it has now, such as 50 for half."""
    keep_ratio: bool = True
    """Whether, if only one side is given, the other follows."""


@operation(
    Intent.IMAGE,
    Intent.CHART,
    phrasings=[
        "make the first picture 8 cm wide",
        "resize the image to half its size",
        "make all pictures the same width, 10 cm",
        "enlarge the chart by 50 percent",
        "shrink the logo",
        "set the picture to 5 x 5 cm",
        "make the photo as wide as the text",
        "reduce the height of the second picture to 3 cm",
    ],
    examples=[
        Example(
            "Make the picture 6 cm wide",
            doc(p("We:"), image(width_cm=3)),
            {"target": {"picture": 1}, "width": "6cm"},
            result="The picture is now 6 x 4 cm; nothing else changed.",
        ),
        Example(
            "Scale all pictures to half",
            doc(image(width_cm=3), p("Text"), image(width_cm=3, colour=(9, 9, 9))),
            {"target": {"every": "picture"}, "scale": 50},
            result="2 pictures are now 1.5 x 1 cm; nothing else changed.",
        ),
        Example(
            "Resize the second picture to 4 cm",
            doc(image()),
            {"target": {"picture": 2}, "width": "4cm"},
            raises=TargetNotFound,
        ),
        Example(
            "Resize the picture",
            doc(image()),
            {"target": {"picture": 1}},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def resize_object(editor: Editor, params: ResizeObject) -> Result:
    """Change the size of pictures and charts, in the text or floating; one side given, the other follows."""
    too_wide = 0
    for drawing, (width, height) in _sizes(editor.mirror, params):
        set_size(drawing, width, height)
        too_wide += width > text_width(editor.mirror, drawing) * (EMU_PER_POINT // 20) + 1
    if too_wide:
        what = "It is" if too_wide == 1 else f"{too_wide} of them are"
        return Result((f"{what} wider than the text there.",))
    return Result()


def _sizes(mirror: Mirror, params: ResizeObject) -> list[tuple[Any, tuple[int, int]]]:
    """Each drawing, and the size in EMU that it gets."""
    if params.scale is not None and (params.width is not None or params.height is not None):
        raise InvalidValue("Give a scale, or a width and height, not both.")
    if params.scale is None and params.width is None and params.height is None:
        raise InvalidValue('Give a width, a height, or a scale in per cent: "8cm", "4cm", or 50.')
    return [(d, _size(mirror, params, d)) for d in Resolver(mirror).drawings(params.target)]


def _size(mirror: Mirror, params: ResizeObject, drawing: Any) -> tuple[int, int]:
    extent = drawing.find(WP + "extent")
    width, height = max(int(extent.get("cx", "0")), 1), max(int(extent.get("cy", "0")), 1)
    if params.scale is not None:
        found = (width * params.scale / 100, height * params.scale / 100)
    else:
        wide = _length(mirror, params.width, drawing) if params.width is not None else None
        high = _length(mirror, params.height, drawing) if params.height is not None else None
        follow = params.keep_ratio
        found = (
            wide or (high * width / height if high and follow else width),
            high or (wide * height / width if wide and follow else height),
        )
    if max(found) > MOST:
        raise InvalidValue(
            f"That would be {max(found) / EMU_PER_CM:.1f} cm; Word's largest size is {MOST / EMU_PER_CM:.1f} cm."
        )
    return max(round(found[0]), 1), max(round(found[1]), 1)


def _length(mirror: Mirror, value: str, drawing: Any) -> int:
    text = value.strip()
    number = text[:-1].strip().replace(",", ".")
    if text.endswith("%") and number.replace(".", "", 1).isdigit():
        found = round(text_width(mirror, drawing) * (EMU_PER_POINT // 20) * float(number) / 100)
    else:
        found = emu(value)
    if found <= 0:
        raise InvalidValue(f"A picture cannot be {value} large; give a size above zero.")
    return found


@resize_object.effects
def _(mirror: Mirror, params: ResizeObject) -> Iterable[Effect]:
    wanted = [size for _, size in _sizes(mirror, params)]
    paragraphs = {mirror.id_of(paragraph_of(d)) for d, _ in _sizes(mirror, params)}

    def check(after: After) -> str | None:
        drawings = Resolver(after.mirror).drawings(params.target)
        if len(drawings) != len(wanted):
            return f"there are {len(drawings)} pictures and not {len(wanted)}"
        for drawing, size in zip(drawings, wanted, strict=True):
            for found in (drawing.find(WP + "extent"), drawing.find(f".//{PIC}spPr/{A}xfrm/{A}ext")):
                if found is not None and (int(found.get("cx", "0")), int(found.get("cy", "0"))) != size:
                    return f"a size is {found.get('cx')} x {found.get('cy')} and not {size[0]} x {size[1]}"
        return None

    def covers(change: Change) -> bool:
        formatting = change.dimension is Dimension.FORMATTING and change.path.endswith(" size")
        return change.target in paragraphs and formatting

    yield Effect("the sizes are as asked for", check, covers)
