"""Draw Stet's icons: an S that is let stand, with the proof-reader's dots beneath it.

    python -m tools.make_icons [folder]

Pure Python: shapes are signed distances in units of the icon's side, a pixel's cover is its distance to the
edge, the PNG is written by hand (RGBA, 8 bits). Office asks for 16, 32 and 80 pixels, shows 20, 24, 40, 48
and 64 where the screen wants them, and the store 128. Sizes under 32 get a heavier stroke, else the mark is
lost.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

SIZES = (16, 20, 24, 32, 40, 48, 64, 80, 128)
ICONS = Path(__file__).parent.parent / "taskpane" / "public" / "icons"

PAPER = (255, 255, 255)
INK = (22, 92, 84)
MARK = (255, 207, 92)

Distance = Callable[[float, float], float]
"""How far a point is outside a shape; negative inside. Units: the icon's side, y downwards."""
Colour = tuple[int, int, int]


def rounded_square(inset: float, radius: float) -> Distance:
    """The icon's ground."""
    half = 0.5 - inset - radius

    def distance(x: float, y: float) -> float:
        dx, dy = abs(x - 0.5) - half, abs(y - 0.5) - half
        return math.hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius

    return distance


def dot(cx: float, cy: float, radius: float) -> Distance:
    """One of the dots under the word."""
    return lambda x, y: math.hypot(x - cx, y - cy) - radius


def arc(cx: float, cy: float, radius: float, start: float, sweep: float, width: float) -> Distance:
    """A stroke with round ends along a circle: `sweep` degrees clockwise from `start` (0 is to the right)."""
    ends = [
        (cx + radius * math.cos(math.radians(a)), cy + radius * math.sin(math.radians(a)))
        for a in (start, start + sweep)
    ]

    def distance(x: float, y: float) -> float:
        angle = math.degrees(math.atan2(y - cy, x - cx))
        if (angle - start) % 360 <= sweep:
            return abs(math.hypot(x - cx, y - cy) - radius) - width / 2
        return min(math.hypot(x - ex, y - ey) for ex, ey in ends) - width / 2

    return distance


def layers(size: int) -> list[tuple[Colour, list[Distance]]]:
    """What is painted, bottom first."""
    small = size < 32
    width = 0.135 if small else 0.115
    radius, middle = (0.125, 0.365) if small else (0.135, 0.395)
    return [
        (INK, [rounded_square(inset=0.0 if small else 0.02, radius=0.2)]),
        (
            PAPER,
            [
                arc(0.5, middle - radius, radius, start=90, sweep=245, width=width),
                arc(0.5, middle + radius, radius, start=270, sweep=245, width=width),
            ],
        ),
        (MARK, [dot(0.5 + 0.2 * i, 0.83, 0.068 if small else 0.055) for i in (-1, 0, 1)]),
    ]


def pixels(size: int) -> bytes:
    """The icon as rows of RGBA, each row led by PNG's filter byte 0."""
    painted = layers(size)
    rows = bytearray()
    for row in range(size):
        rows.append(0)
        for column in range(size):
            x, y = (column + 0.5) / size, (row + 0.5) / size
            red, green, blue, alpha = 0.0, 0.0, 0.0, 0.0
            for colour, shapes in painted:
                cover = min(1.0, max(0.0, 0.5 - min(shape(x, y) for shape in shapes) * size))
                red, green, blue = (
                    old * (1 - cover) + new * cover
                    for old, new in zip((red, green, blue), colour, strict=True)
                )
                alpha = alpha * (1 - cover) + cover
            # The colours above are weighted by their cover; PNG wants them unweighted.
            scale = 1 / alpha if alpha else 0.0
            rows += bytes(round(value) for value in (red * scale, green * scale, blue * scale, alpha * 255))
    return bytes(rows)


def png(size: int) -> bytes:
    """The icon as a PNG file (PNG specification, sections 5.3 and 11.2)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    body = zlib.compress(pixels(size), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def main(argv: list[str] | None = None) -> int:
    """Write all sizes."""
    arguments = sys.argv[1:] if argv is None else argv
    folder = Path(arguments[0]) if arguments else ICONS
    folder.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        (folder / f"stet-{size}.png").write_bytes(png(size))
    return 0


if __name__ == "__main__":
    sys.exit(main())
