"""Pictures: files checked by their content, their parts in the package, `wp:inline` elements and their sizes in EMU.

Word takes PNG, JPEG, GIF, BMP and TIFF everywhere. A file is decoded before it goes in: what is damaged here would be a red
cross in Word.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml.shape import CT_Inline
from docx.parts.image import ImagePart
from docx.shared import Emu
from PIL import Image, UnidentifiedImageError

from agent.document.elements import new_element
from agent.document.names import WP, A
from agent.errors import AmbiguousTarget, InvalidValue, TargetNotFound

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

MOST_BYTES, MOST_PIXELS = 20 * 2**20, 50_000_000
EMU_PER_INCH = 914_400
_KINDS = {
    "PNG": ("png", "image/png"),
    "JPEG": ("jpg", "image/jpeg"),
    "MPO": ("jpg", "image/jpeg"),  # what some phones write: a JPEG with a second one behind it
    "GIF": ("gif", "image/gif"),
    "BMP": ("bmp", "image/bmp"),
    "TIFF": ("tiff", "image/tiff"),
}
_DATA_URI = re.compile(r"data:[\w/+.-]*(;[\w=-]+)*;base64,", re.IGNORECASE)


@dataclass(frozen=True)
class PictureFile:
    """A picture that can be decoded."""

    name: str
    blob: bytes
    extension: str
    content_type: str
    width: int
    """Natural size in EMU, by its pixels and dots per inch (96 if it does not say)."""
    height: int


def find_picture(attachments: Mapping[str, bytes], wanted: str | None) -> PictureFile:
    """The picture that a request means: an attached file by its name (None: the only one), or a data URI or base64 text."""
    if wanted is not None and (match := _DATA_URI.match(wanted)):
        return read_picture("picture", _decoded(wanted[match.end() :]))
    if (name := attached_name(attachments, wanted)) is not None:
        return read_picture(name, attachments[name])
    assert wanted is not None
    if len(wanted) > 60 and re.fullmatch(r"[A-Za-z0-9+/\s]+=*\s*", wanted):
        return read_picture("picture", _decoded(wanted))
    there = f"attached are {', '.join(attachments)}" if attachments else "no file is attached to the request"
    raise TargetNotFound(f"There is no attached picture '{wanted[:80]}'; {there}.")


def attached_name(attachments: Iterable[str], wanted: str | None) -> str | None:
    """Which attachment is wanted: by its name with or without the extension, or (None) the only one. None if none is called so.

    Raises TargetNotFound or AmbiguousTarget if the only one is wanted and there is none, or several.
    """
    attachments = list(attachments)
    if wanted is None:
        if len(attachments) > 1:
            raise AmbiguousTarget(
                f"Several files are attached: {', '.join(attachments)}. Say which one by its name."
            )
        if not attachments:
            raise TargetNotFound(
                "No picture is attached to the request; attach a PNG, JPEG, GIF, BMP or TIFF file."
            )
        return attachments[0]
    folded = wanted.strip().casefold()
    whole = [name for name in attachments if name.casefold() == folded]
    called = whole or [name for name in attachments if name.rpartition(".")[0].casefold() == folded]
    if len(called) > 1:
        raise AmbiguousTarget(f"Several attached files are called so: {', '.join(called)}. Say which one.")
    return called[0] if called else None


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidValue("The picture's data is no valid base64 text; it may be cut short.") from error


def read_picture(name: str, blob: bytes) -> PictureFile:
    """Check a file by its content. Raises InvalidValue with a sentence."""
    if len(blob) > MOST_BYTES:
        raise InvalidValue(
            f"'{name}' has {len(blob) / 2**20:.0f} MB; pictures may have {MOST_BYTES // 2**20} MB."
        )
    try:
        with Image.open(io.BytesIO(blob)) as image:
            kind, (width, height), dpi = image.format or "", image.size, image.info.get("dpi")
            if kind not in _KINDS:
                raise InvalidValue(f"'{name}' is a {kind} picture; Word takes PNG, JPEG, GIF, BMP and TIFF.")
            if width * height > MOST_PIXELS:
                raise InvalidValue(
                    f"'{name}' is {width} x {height} pixels; that is too large, make it smaller first."
                )
            image.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InvalidValue(
            f"'{name}' unpacks to a picture that is too large; make it smaller first."
        ) from error
    except UnidentifiedImageError as error:
        raise InvalidValue(_unknown(name, blob)) from error
    except (OSError, ValueError, SyntaxError, IndexError, TypeError, OverflowError, EOFError) as error:
        raise InvalidValue(f"The picture '{name}' is damaged or cut short and cannot be shown.") from error
    across, down = _dpi(dpi)
    extension, content_type = _KINDS[kind]
    return PictureFile(
        name,
        blob,
        extension,
        content_type,
        max(round(width * EMU_PER_INCH / across), 1),
        max(round(height * EMU_PER_INCH / down), 1),
    )


def _dpi(value: Any) -> tuple[float, float]:
    try:
        across, down = (float(v) for v in value)
    except (TypeError, ValueError, ZeroDivisionError):
        return 96.0, 96.0
    return (across, down) if 20 <= across <= 3000 and 20 <= down <= 3000 else (96.0, 96.0)


def _unknown(name: str, blob: bytes) -> str:
    head = blob[:400].lstrip().lower()
    if b"<svg" in head:
        return f"'{name}' is an SVG drawing; save it as PNG and try again."
    if head.startswith(b"%pdf"):
        return f"'{name}' is a PDF; save the page as PNG and try again."
    return f"'{name}' is not a picture that can be read; Word takes PNG, JPEG, GIF, BMP and TIFF."


def picture_relationship(mirror: Mirror, element: Any, picture: PictureFile) -> str:
    """Relationship id of the picture in the part that holds the element; a picture that the file has already is used again."""
    images = mirror.file.package.image_parts
    digest = hashlib.sha1(picture.blob).hexdigest()
    part = next((p for p in images if p.sha1 == digest), None)
    if part is None:
        name = mirror.file.package.next_partname(f"/word/media/image%d.{picture.extension}")
        part = ImagePart(name, picture.content_type, picture.blob)
        images.append(part)
    return mirror.part_of(element).relate_to(part, RT.IMAGE)


def inline_picture(rid: str, drawing_id: int, picture: PictureFile, size: tuple[int, int], alt: str) -> Any:
    """A `w:r` with a `w:drawing` that shows the picture in the line of text."""
    inline = CT_Inline.new_pic_inline(drawing_id, rid, picture.name, Emu(size[0]), Emu(size[1]))
    for name in ("distT", "distB", "distL", "distR"):
        inline.set(name, "0")
    if alt:
        inline.docPr.set("descr", alt)
    run, drawing = new_element("w:r"), new_element("w:drawing")
    drawing.append(inline)
    run.append(drawing)
    return run


def fitted(
    natural: tuple[int, int], width: int | None, height: int | None, most: tuple[int, int]
) -> tuple[int, int]:
    """The size for a wish: with one side the other follows, with none the natural size; never more than `most`, in proportion."""
    if width and height:
        size = (width, height)
    elif width:
        size = (width, natural[1] * width / natural[0])
    elif height:
        size = (natural[0] * height / natural[1], height)
    else:
        size = natural
    scale = min(1.0, most[0] / size[0], most[1] / size[1])
    return max(round(size[0] * scale), 1), max(round(size[1] * scale), 1)


def set_size(drawing: Any, width: int, height: int) -> None:
    """Give a `wp:inline` or `wp:anchor` a size: the frame and, of a picture or shape, the drawing in it."""
    sizes = [drawing.find(WP + "extent")]
    for content in drawing.iterfind(f"{A}graphic/{A}graphicData/*"):
        inner = [c for c in content if isinstance(c.tag, str) and c.tag.endswith(("}spPr", "}grpSpPr"))]
        sizes += [c.find(f"{A}xfrm/{A}ext") for c in inner]
    for size in sizes:
        if size is not None:
            for name, value in (("cx", width), ("cy", height)):
                if size.get(name) != str(value):
                    size.set(name, str(value))
    for relative in [c for c in drawing if isinstance(c.tag, str) and c.tag.startswith(_WP14 + "sizeRel")]:
        drawing.remove(relative)  # a size in per cent of the page would win


_WP14 = "{http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing}"
