"""A picture in the text. Word: Insert > Pictures; `wp:inline`; Office.js `insertInlinePictureFromBase64` (WordApi 1.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from agent.document.changes import Change, Dimension, Kind
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.grid import blocks_of, cell_of, is_blank
from agent.document.layout import text_height, text_width
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_PPR, WP, A, R, W
from agent.document.pictures import (
    PictureFile,
    attached_name,
    find_picture,
    fitted,
    inline_picture,
    picture_relationship,
)
from agent.document.records import Paragraph, read
from agent.document.styles import style_property
from agent.document.text import paragraph_of
from agent.document.units import EMU_PER_POINT, emu
from agent.errors import AmbiguousTarget, InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, p, table
from agent.operations.table._effects import inside
from agent.operations.targets import Params, Place, Target, Wants

EMU_PER_TWIP = EMU_PER_POINT // 20


class InsertImage(Params):
    picture: str | None = None
    """Name of an attached file, or a data URI; left out, the only attached file."""
    place: Place | None = None
    """Where it goes, as a paragraph of its own; left out, the end of the document."""
    cell: Annotated[Target | None, Wants.CELL] = None
    """Put it inside this table cell instead of at a place."""
    width: str | None = None
    """Like "8cm" or "50%" of the text's width; the height follows unless it is given too."""
    height: str | None = None
    """Like "4cm"; the width follows unless it is given too."""
    alignment: Literal["left", "center", "right"] | None = None
    """Where it stands between the margins; left out, as the text does."""
    alt_text: str = ""
    """What the picture shows, for people who cannot see it."""


_RED = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAA"
    "EElEQVR42mP4z8AARwzIHABvqgf5aN2vpwAAAABJRU5ErkJggg=="
)


@operation(
    Intent.IMAGE,
    phrasings=[
        "insert the logo at the top of the document",
        "add the attached picture after the second paragraph",
        "put the photo team.jpg below the heading Our Team",
        "insert the image centred, 8 cm wide",
        "place chart.png at the end of the document",
        "add a picture in the first cell of the table",
        "insert this screenshot here at half the page width",
        "put the company logo on the right of the first page",
    ],
    touches=["media"],
    examples=[
        Example(
            "Insert the picture below the heading Team, centred, 6 cm wide",
            doc(h(1, "Team"), p("We are ten.")),
            {
                "picture": _RED,
                "place": {"after": {"heading": "Team"}},
                "width": "6cm",
                "alignment": "center",
                "alt_text": "The team",
            },
            result="A picture 'The team' was added; nothing else changed.",
        ),
        Example(
            "Put the picture into the first cell",
            doc(table([["", "Name"]])),
            {"picture": _RED, "cell": {"table": 1, "row": 1, "column": 1}},
            result="A picture was added; nothing else changed.",
        ),
        Example(
            "Insert logo.png at the end",
            doc(p("Hello.")),
            {"picture": "logo.png"},
            raises=TargetNotFound,
        ),
        Example(
            "Insert the picture that did not arrive whole",
            doc(p("Hello.")),
            {"picture": _RED[:70] + "AAAAAAAAAAAAAAAAAAAA"},
            raises=InvalidValue,
        ),
    ],
)
def insert_image(editor: Editor, params: InsertImage) -> None:
    """Insert a picture, inline, as a paragraph of its own or in a table cell; never wider than the text there."""
    mirror = editor.mirror
    picture = _picture(mirror, params)
    host, side, anchor = _host(mirror, params)
    around = host if host is not None else mirror.body
    size = _size(mirror, params, picture, host)
    run = inline_picture(
        picture_relationship(mirror, around, picture),
        editor.next_drawing_id(),
        picture,
        size,
        params.alt_text,
    )
    if params.cell is not None:
        paragraph = _paragraph_in(host)
    else:
        paragraph = new_element("w:p")
    paragraph.append(run)
    if params.cell is None:
        editor.place(side, anchor, [paragraph])
    if params.alignment is not None:
        editor.set_property(editor.ppr(paragraph), "jc", {"val": params.alignment})
    _free_height(editor, paragraph)


@insert_image.binds
def _(mirror: Mirror, params: InsertImage) -> InsertImage:
    """The name of the attachment, so that a replay takes the same one whatever has been attached since."""
    name = attached_name(_files(mirror, params), params.picture)
    return params if name in (None, params.picture) else params.model_copy(update={"picture": name})


def _picture(mirror: Mirror, params: InsertImage) -> PictureFile:
    return find_picture(_files(mirror, params), params.picture)


def _files(mirror: Mirror, params: InsertImage) -> dict[str, bytes]:
    gone = params.picture in mirror.withdrawn and params.picture not in mirror.attachments
    return mirror.withdrawn if gone else mirror.attachments


def _host(mirror: Mirror, params: InsertImage) -> tuple[Any, str, str]:
    if params.cell is not None:
        if params.place is not None:
            raise AmbiguousTarget("Give the picture a place or a cell to go into, not both.")
        return Resolver(mirror).cell(params.cell), "", ""
    if params.place is None:
        return None, "end", ""
    side, anchor = Resolver(mirror).place(params.place)
    return mirror.element(anchor) if anchor else None, side, anchor


def _most(mirror: Mirror, params: InsertImage, host: Any) -> tuple[int, int]:
    """Width and height that there is room for, in EMU."""
    inner = blocks_of(host)[0] if params.cell is not None and blocks_of(host) else host
    return text_width(mirror, inner) * EMU_PER_TWIP, text_height(mirror, inner) * EMU_PER_TWIP


def _size(mirror: Mirror, params: InsertImage, picture: PictureFile, host: Any) -> tuple[int, int]:
    most = _most(mirror, params, host)
    width = _length(params.width, most[0]) if params.width is not None else None
    height = _length(params.height, most[1]) if params.height is not None else None
    return fitted((picture.width, picture.height), width, height, most)


def _length(value: str, whole: int) -> int:
    text = value.strip()
    if text.endswith("%"):
        number = text[:-1].strip().replace(",", ".")
        if not number.replace(".", "", 1).isdigit():
            raise InvalidValue(f"'{value}' is not a size; write it like 50% or 8cm.")
        found = round(whole * float(number) / 100)
    else:
        found = emu(value)
    if found <= 0:
        raise InvalidValue(f"A picture cannot be {value} large; give a size above zero.")
    return found


def _paragraph_in(tc: Any) -> Any:
    """The blank paragraph of a blank cell, else a new one at the end of the cell."""
    blocks = blocks_of(tc)
    if blocks and is_blank(blocks[-1:]):
        return blocks[-1]
    paragraph = new_element("w:p")
    tc.append(paragraph)
    return paragraph


def _free_height(editor: Editor, paragraph: Any) -> None:
    """In lines of an exact height only a strip of the picture would show."""
    style = paragraph.find(f"{W_PPR}/{W}pStyle")
    own = paragraph.find(f"{W_PPR}/{W}spacing")
    name = style.get(W + "val", "") if style is not None else ""
    found = own if own is not None else style_property(editor.mirror, name, "pPr/spacing")
    if found is not None and found.get(W + "lineRule") == "exact":
        editor.set_property(editor.ppr(paragraph), "spacing", {"line": "240", "lineRule": "auto"})


@insert_image.effects
def _(mirror: Mirror, params: InsertImage) -> Iterable[Effect]:
    picture = _picture(mirror, params)
    host, side, anchor = _host(mirror, params)
    most = _most(mirror, params, host)
    _size(mirror, params, picture, host)
    known = Counter(mirror.id_of(paragraph_of(d)) for d in mirror.nodes_everywhere(WP + "inline"))
    cell = cell_of(host) if host is not None else None

    def check(after: After) -> str | None:
        made = list(after.mirror.nodes_everywhere(WP + "inline"))
        now = Counter(after.mirror.id_of(paragraph_of(d)) for d in made)
        if sum((now - known).values()) != 1:
            return f"{sum((now - known).values())} new pictures and not 1"
        holder = next(iter(now - known))
        new = [d for d in made if after.mirror.id_of(paragraph_of(d)) == holder][-1]
        part = after.mirror.part_of(new).related_parts[next(new.iter(A + "blip")).get(R + "embed")]
        if part.blob != picture.blob:
            return "the picture shows another file"
        paragraph = read(after.mirror, paragraph_of(new))
        assert isinstance(paragraph, Paragraph)
        shown = next(p for p in paragraph.pictures if p.reference == str(part.partname))
        if shown.alt != params.alt_text:
            return f"the picture has the alt text '{shown.alt}' and not '{params.alt_text}'"
        if shown.width > most[0] + 1 or shown.height > most[1] + 1:
            return "the picture is larger than the place it is in"
        if params.width is None or params.height is None:
            ratio = (shown.width / shown.height) / (picture.width / picture.height)
            if not 0.98 < ratio < 1.02:
                return "the picture is distorted"
        if params.alignment is not None and dict(paragraph.properties).get("alignment") != params.alignment:
            return f"the picture does not stand {params.alignment}"
        return _misplaced(after, paragraph_of(new), host if params.cell is not None else None, side, anchor)

    into = inside(mirror, [cell]) if cell is not None else None

    def covers(change: Change) -> bool:
        added = change.dimension is Dimension.STRUCTURE and change.kind is Kind.ADDED
        if added and change.path == "paragraph" and not change.after.strip():
            return mirror.has(change.target) and _by_a_picture(mirror.element(change.target))
        return into is not None and into(change)

    yield Effect(f"the picture {picture.name} stands there", check, covers)


def _by_a_picture(paragraph: Any) -> bool:
    """A new paragraph holds the picture, or parts its paragraph from a table."""
    beside = (paragraph, paragraph.getprevious(), paragraph.getnext())
    return any(b is not None and next(b.iter(WP + "inline"), None) is not None for b in beside)


def _misplaced(after: After, paragraph: Any, cell: Any, side: str, anchor: str) -> str | None:
    if cell is not None:
        return None if paragraph.getparent() is cell else "the picture is not in the cell"
    if side in ("after", "before"):
        beside = next(paragraph.itersiblings(W_P, W + "tbl", W + "sdt", preceding=side == "after"), None)
        right = beside is not None and after.mirror.id_of(beside) == anchor
        return None if right else f"the picture is not {side} {anchor}"
    edge = after.mirror.edge(side)[0]
    return (
        None if after.mirror.id_of(paragraph) == edge else f"the picture is not at the {side} of the document"
    )
