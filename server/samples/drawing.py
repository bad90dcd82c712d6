"""A bar chart as a PNG, drawn without a library so that its bytes depend on nothing but this file."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

WIDTH, HEIGHT = 480, 240
PALETTE = ((255, 255, 255), (31, 78, 121), (157, 195, 230), (217, 217, 217), (89, 89, 89))
WHITE, DARK, LIGHT, GRID, AXIS = range(5)


def bar_chart(groups: Sequence[tuple[int, int]]) -> bytes:
    """Two bars a group, heights in percent of the plot. Returns the PNG: 480 by 240 pixels, 4 bits each."""
    rows = [bytearray([WHITE]) * WIDTH for _ in range(HEIGHT)]

    def fill(left: int, top: int, right: int, bottom: int, colour: int) -> None:
        for row in rows[top:bottom]:
            row[left:right] = bytes([colour]) * (right - left)

    floor, ceiling, left, right = HEIGHT - 20, 20, 30, WIDTH - 15
    for percent in (25, 50, 75, 100):
        y = floor - (floor - ceiling) * percent // 100
        fill(left, y, right, y + 1, GRID)
    step = (right - left) // len(groups)
    for number, heights in enumerate(groups):
        start = left + number * step + step // 5
        width = step * 3 // 10
        for place, (percent, colour) in enumerate(zip(heights, (LIGHT, DARK), strict=True)):
            x = start + place * width
            fill(x, floor - (floor - ceiling) * percent // 100, x + width - 4, floor, colour)
    fill(left, ceiling, left + 2, floor, AXIS)
    fill(left, floor, right, floor + 2, AXIS)
    return _png(rows)


def _png(rows: Sequence[bytearray]) -> bytes:
    """PNG (RFC 2083) with a palette and 4-bit pixels."""
    raw = b"".join(b"\0" + bytes(row[x] << 4 | row[x + 1] for x in range(0, WIDTH, 2)) for row in rows)
    header = WIDTH.to_bytes(4, "big") + HEIGHT.to_bytes(4, "big") + bytes([4, 3, 0, 0, 0])
    palette = bytes(value for colour in PALETTE for value in colour)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", _stored(raw)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
        for kind, data in chunks
    )


def _stored(data: bytes) -> bytes:
    """A zlib stream (RFC 1950) of stored blocks: compressors differ from build to build, this does not."""
    blocks: list[bytes] = []
    for start in range(0, len(data), 65_535):
        block = data[start : start + 65_535]
        last = start + len(block) == len(data)
        length = len(block).to_bytes(2, "little")
        blocks.append(bytes([last]) + length + bytes(byte ^ 0xFF for byte in length) + block)
    return b"\x78\x01" + b"".join(blocks) + zlib.adler32(data).to_bytes(4, "big")
