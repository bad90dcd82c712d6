"""A zip archive put together from members that are compressed already.

`zipfile` compresses whatever it writes anew. Here a member is a `Packed`: what is unchanged keeps the stream that it came
with, and a stream may consist of pieces that were compressed one by one. Layout: PKWARE's APPNOTE 4.3, without zip64.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_UTF8_NAME = 0x800
_EMPTY_BLOCK = b"\x03\x00"
"""The end of a deflate stream whose pieces were flushed."""


@dataclass(frozen=True)
class Packed:
    """A member's content, compressed."""

    method: int
    """`zipfile.ZIP_STORED` or `ZIP_DEFLATED`, or another that the file came with."""
    crc: int
    size: int
    """Bytes before compression."""
    stream: tuple[bytes | memoryview, ...]


def pack(content: bytes, method: int = zipfile.ZIP_DEFLATED) -> Packed:
    """Compress a member."""
    if method == zipfile.ZIP_STORED:
        return Packed(method, zlib.crc32(content), len(content), (content,))
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return Packed(
        zipfile.ZIP_DEFLATED, zlib.crc32(content), len(content), (packer.compress(content) + packer.flush(),)
    )


def packed_as_read(data: bytes, info: zipfile.ZipInfo) -> Packed:
    """A member of an archive as it is there."""
    name, extra = struct.unpack_from("<HH", data, info.header_offset + 26)
    start = info.header_offset + 30 + name + extra
    stream = memoryview(data)[start : start + info.compress_size]
    return Packed(info.compress_type, info.CRC, info.file_size, (stream,))


def write_archive(members: Iterable[tuple[zipfile.ZipInfo, Packed]]) -> bytes:
    """The archive with these members; of the infos, the name, the time and the external attributes count."""
    out: list[bytes | memoryview] = []
    directory: list[bytes] = []
    at = 0
    for info, packed in members:
        name = info.filename.encode()
        flags = 0 if info.filename.isascii() else _UTF8_NAME
        year, month, day, hour, minute, second = info.date_time
        time = hour << 11 | minute << 5 | second // 2
        date = (year - 1980) << 9 | month << 5 | day
        length = sum(map(len, packed.stream))
        said = (20, flags, packed.method, time, date, packed.crc, length, packed.size, len(name), 0)
        out += [_LOCAL.pack(b"PK\x03\x04", *said), name, *packed.stream]
        directory.append(_CENTRAL.pack(b"PK\x01\x02", 20, *said, 0, 0, 0, info.external_attr, at) + name)
        at += _LOCAL.size + len(name) + length
    central = b"".join(directory)
    end = _END.pack(b"PK\x05\x06", 0, 0, len(directory), len(directory), len(central), at, 0)
    return b"".join((*out, central, end))


@dataclass(frozen=True)
class Piece:
    """A stretch of a member's content, compressed so that pieces can be put one behind the other."""

    crc: int
    size: int
    stream: bytes


def piece(content: bytes) -> Piece:
    """Compress a stretch."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    stream = packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)
    return Piece(zlib.crc32(content), len(content), stream)


def joined(pieces: Sequence[Piece]) -> Packed:
    """One member from its pieces."""
    crc = 0
    for each in pieces:
        crc = _crc_behind(crc, each.size) ^ each.crc
    streams = (*(each.stream for each in pieces), _EMPTY_BLOCK)
    return Packed(zipfile.ZIP_DEFLATED, crc, sum(each.size for each in pieces), streams)


# -- checksums of pieces -----------------------------------------------------------------------------------------------
# A CRC-32 is linear: that of a + b is that of a, carried over as many zero bytes as b is long, and that of b, added.

_POLYNOMIAL = 0xEDB88320


def _crc_behind(crc: int, length: int) -> int:
    """A CRC-32 carried over so many zero bytes."""
    power = 0
    while length and crc:
        if length & 1:
            low, second, third, high = _tables(power)
            crc = low[crc & 255] ^ second[crc >> 8 & 255] ^ third[crc >> 16 & 255] ^ high[crc >> 24]
        length >>= 1
        power += 1
    return crc


@lru_cache(maxsize=64)
def _tables(power: int) -> tuple[list[int], ...]:
    """What carrying over 2 ** `power` zero bytes makes of each value of each of the four bytes."""
    columns = _columns(power)
    found: list[list[int]] = []
    for byte in range(4):
        table = [0]
        for bit in range(8):
            table += [value ^ columns[8 * byte + bit] for value in table]
        found.append(table)
    return tuple(found)


@lru_cache(maxsize=64)
def _columns(power: int) -> tuple[int, ...]:
    """What carrying over makes of each bit."""
    if power == 0:
        found: list[int] = []
        for bit in range(32):
            value = 1 << bit
            for _ in range(8):
                value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
            found.append(value)
        return tuple(found)
    half = _columns(power - 1)
    return tuple(_times(half, column) for column in half)


def _times(columns: Sequence[int], value: int) -> int:
    found = 0
    for column in columns:
        if value & 1:
            found ^= column
        value >>= 1
    return found
