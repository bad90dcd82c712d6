"""Strict OOXML (ISO/IEC 29500 strict) uses other namespace names than the transitional form that Word writes by default.

The mirror works on the transitional names; a strict file's untouched parts keep their bytes and its changed parts are
written back with the strict names.
"""

from __future__ import annotations

import re

_BASE = b"http://purl.oclc.org/ooxml/"
_OFFICE = b"http://schemas.openxmlformats.org/officeDocument/2006/"
_PAIRS: tuple[tuple[bytes, bytes], ...] = (
    (
        _BASE + b"wordprocessingml/main",
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    ),
    (
        _BASE + b"drawingml/wordprocessingDrawing",
        b"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    ),
    (_BASE + b"drawingml/", b"http://schemas.openxmlformats.org/drawingml/2006/"),
    (_BASE + b"officeDocument/math", _OFFICE + b"math"),
    (_BASE + b"officeDocument/sharedTypes", _OFFICE + b"sharedTypes"),
    (_BASE + b"officeDocument/bibliography", _OFFICE + b"bibliography"),
    (_BASE + b"officeDocument/customXml", _OFFICE + b"customXml"),
    (
        _BASE + b"officeDocument/relationships/metadata/thumbnail",
        b"http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail",
    ),
    (_BASE + b"officeDocument/relationships", _OFFICE + b"relationships"),
    (_BASE + b"officeDocument/extendedProperties", _OFFICE + b"extended-properties"),
    (_BASE + b"officeDocument/customProperties", _OFFICE + b"custom-properties"),
    (_BASE + b"officeDocument/docPropsVTypes", _OFFICE + b"docPropsVTypes"),
)


_TOKEN = re.compile(
    rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+>", re.DOTALL
)
_NAME = re.compile(rb"(\s(?:xmlns(?::[^\s=]+)?|uri)\s*=\s*[\"'])(http://[^\"']+)")


def is_strict(members: dict[str, bytes]) -> bool:
    """Whether the package's own relationships use the strict names."""
    return _BASE in as_utf8(members.get("_rels/.rels", b""))


def as_utf8(blob: bytes) -> bytes:
    """A part that is in UTF-16 in UTF-8, without its declaration; any other as it is."""
    head = blob[:2]
    if b"\x00" not in head and head not in (b"\xff\xfe", b"\xfe\xff"):
        return blob
    little = head == b"\xff\xfe" or head[1:] == b"\x00"
    text = blob.decode("utf-16-le" if little else "utf-16-be", "ignore").lstrip("\ufeff")
    return re.sub(r"^<\?xml.*?\?>", "", text, count=1, flags=re.DOTALL).encode()


def transitional(name: str) -> str:
    """The transitional form of one name."""
    return _mapped(name.encode(), 0, 1).decode()


def strict(name: str) -> str:
    """The strict form of one name."""
    return _mapped(name.encode(), 1, 0).decode()


def to_transitional(blob: bytes) -> bytes:
    """The same XML, which must be well-formed, with transitional names where names stand. The text keeps what it says."""
    return _renamed(as_utf8(blob), 0, 1)


def to_strict(blob: bytes) -> bytes:
    """The same XML with strict names."""
    return _renamed(blob, 1, 0)


def _renamed(blob: bytes, old: int, new: int) -> bytes:
    def in_tag(match: re.Match[bytes]) -> bytes:
        token = match.group(0)
        if b"http:" not in token or token.startswith((b"<!", b"<?")):
            return token
        return _NAME.sub(lambda m: m.group(1) + _mapped(m.group(2), old, new), token)

    return _TOKEN.sub(in_tag, blob)


def _mapped(name: bytes, old: int, new: int) -> bytes:
    for pair in _PAIRS:
        if name.startswith(pair[old]):
            return pair[new] + name[len(pair[old]) :]
    return name
