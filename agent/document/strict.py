"""Strict OOXML (ISO/IEC 29500 strict) uses other namespace names than the transitional form that Word writes by default.

The mirror works on the transitional names; a strict file's untouched parts keep their bytes and its changed parts are
written back with the strict names.
"""

from __future__ import annotations

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
    (_BASE + b"schemaLibrary/main", b"http://schemas.openxmlformats.org/schemaLibrary/2006/main"),
)


def is_strict(members: dict[str, bytes]) -> bool:
    """Whether the package's own relationships use the strict names."""
    return _BASE in members.get("_rels/.rels", b"")


def to_transitional(blob: bytes) -> bytes:
    """The same XML with transitional names."""
    for strict, transitional in _PAIRS:
        blob = blob.replace(strict, transitional)
    return blob


def to_strict(blob: bytes) -> bytes:
    """The same XML with strict names."""
    for strict, transitional in _PAIRS:
        blob = blob.replace(transitional, strict)
    return blob
