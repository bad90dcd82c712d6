"""What would make Word repair a file, and validators do not see: checked on the saved bytes, apart from the product's code."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import ooxml_integrity
from lxml import etree
from ooxml_integrity import Finding
from openxml_audit import OpenXmlValidator

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
DOCPR = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BLOCKS = {W + "p", W + "tbl", W + "sdt"}
_MARKS = [W + n for n in ("bookmarkStart", "ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange")]


@lru_cache(maxsize=256)
def problems(data: bytes) -> Counter[str]:
    """Everything that these checks find; a file by others may have some of it from the start."""
    return Counter(_problems(data))


def _problems(data: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        files = {n: archive.read(n) for n in set(names)}
    yield from (f"{n} is twice in the zip" for n, count in Counter(names).items() if count > 1)
    yield from _content_types(files)
    roots = {
        n: etree.fromstring(b) for n, b in files.items() if n.endswith(".xml") and n != "[Content_Types].xml"
    }
    for name, root in roots.items():
        used = {str(v) for e in root.iter(etree.Element) for k, v in e.items() if str(k).startswith(R) and v}
        yield from (f"{name} refers to {rid}, which is not there" for rid in used - set(_rels(files, name)))
        if root.tag.startswith(W):
            yield from _words(name, root)
    yield from _relationships(files)
    story = [r for n, r in roots.items() if n.startswith("word/") and r.tag.startswith(W)]
    drawings = Counter(
        e.get("id") for r in story for e in r.iter(DOCPR) if next(e.iterancestors(FALLBACK), None) is None
    )
    yield from (f"drawing id {i} is used {n} times" for i, n in drawings.items() if n > 1)
    marks = Counter((e.get(W + "id")) for r in story for e in r.iter(*_MARKS))
    yield from (f"annotation id {i} is used {n} times" for i, n in marks.items() if n > 1)
    comments = [e.get(W + "id") for r in story for e in r.iter(W + "comment")]
    yield from (f"comment id {i} is used {n} times" for i, n in Counter(comments).items() if n > 1)
    yield from (f"comment {i} has the id of another mark" for i in comments if i in marks)
    names_ = Counter(e.get(W + "name") for r in story for e in r.iter(W + "bookmarkStart"))
    yield from (f"bookmark {i} is there {n} times" for i, n in names_.items() if n > 1)
    referred = {e.get(W + "id") for r in story for e in r.iter(W + "commentReference")}
    yield from (f"comment {i} is referred to and missing" for i in referred - set(comments))


def _content_types(files: dict[str, bytes]) -> Iterator[str]:
    types = etree.fromstring(files["[Content_Types].xml"])
    defaults = {e.get("Extension", "").lower() for e in types if e.tag.endswith("}Default")}
    overrides = {e.get("PartName", "").lstrip("/").lower() for e in types if e.tag.endswith("}Override")}
    for name in files:
        if name.endswith("/") or name == "[Content_Types].xml":
            continue
        if name.lower() not in overrides and name.rpartition(".")[2].lower() not in defaults:
            yield f"{name} has no content type"
    yield from (f"{n} has a content type and is not there" for n in overrides - {f.lower() for f in files})


def _rels(files: dict[str, bytes], name: str) -> dict[str, Any]:
    folder, file = posixpath.split(name)
    blob = files.get(posixpath.join(folder, "_rels", file + ".rels"))
    return {e.get("Id", ""): e for e in etree.fromstring(blob)} if blob is not None else {}


def _relationships(files: dict[str, bytes]) -> Iterator[str]:
    known = {n.lower() for n in files}
    for name in [n for n in files if n.endswith(".rels")]:
        folder = posixpath.dirname(posixpath.dirname(name))
        for rel in etree.fromstring(files[name]):
            target = posixpath.normpath(
                posixpath.join("/" + folder, unquote(rel.get("Target", "").split("#")[0]))
            )
            if rel.get("TargetMode") != "External" and target.lstrip("/").lower() not in known:
                yield f"{name} leads to {target}, which is not there"


def _words(name: str, root: Any) -> Iterator[str]:
    fields: list[bool] = []
    for mark in root.iter(W + "fldChar", W + "t"):
        kind = mark.get(W + "fldCharType")
        if kind == "begin":
            fields.append(False)
        elif kind == "end":
            if not fields:
                yield f"{name}: a field ends that did not start"
            else:
                fields.pop()
    yield from (f"{name}: a field does not end" for _ in fields)
    for start, end in (("bookmarkStart", "bookmarkEnd"), ("commentRangeStart", "commentRangeEnd")):
        one, other = (Counter(e.get(W + "id") for e in root.iter(W + tag)) for tag in (start, end))
        yield from (
            f"{name}: {start} {i} without an end, or the other way" for i in (one - other) + (other - one)
        )
    for tc in root.iter(W + "tc"):
        blocks = [c.tag for c in tc if c.tag in _BLOCKS]
        if not blocks or blocks[-1] == W + "tbl":
            yield f"{name}: a cell does not end with a paragraph"
    for tbl in root.iter(W + "tbl"):
        above: set[int] = set()
        for tr in tbl.iterchildren(W + "tr"):
            here, at = set[int](), int(_value(tr, "trPr", "gridBefore") or 0)
            for tc in tr.iterchildren(W + "tc"):
                merge = tc.find(f"{W}tcPr/{W}vMerge")
                if merge is not None:
                    here.add(at)
                    if merge.get(W + "val", "continue") == "continue" and at not in above:
                        yield f"{name}: a merged cell continues nothing"
                at += int(_value(tc, "tcPr", "gridSpan") or 1)
            above = here
    yield from (f"{name}: a line end in a text" for t in root.iter(W + "t") if "\n" in (t.text or ""))
    for mark in root.iter(W + "ins", W + "del"):
        if mark.getparent().tag == W + "r":
            yield f"{name}: a tracked change in a run"


def _value(element: Any, properties: str, name: str) -> str | None:
    found = element.find(f"{W}{properties}/{W}{name}")
    return found.get(W + "val") if found is not None else None


@lru_cache(maxsize=256)
def audited(data: bytes, folder: Path) -> Counter[str]:
    """What openxml-audit finds, without the places."""
    path = folder / "audited.docx"
    path.write_bytes(data)
    found = OpenXmlValidator(max_errors=500).validate(path).errors
    return Counter(f"{e.error_type}: {e.description}" for e in found)


def integrity(before: bytes, after: bytes, folder: Path) -> tuple[list[str], list[Finding]]:
    """What ooxml-integrity finds in the file afterwards and not before, and what it misses."""
    old, new = folder / "before.docx", folder / "after.docx"
    old.write_bytes(before)
    new.write_bytes(after)
    known = Counter((f.code, f.message) for f in ooxml_integrity.check(old))
    fresh = Counter((f.code, f.message) for f in ooxml_integrity.check(new)) - known
    lost = [f for f in ooxml_integrity.compare(old, new) if f.severity != ooxml_integrity.INFO]
    return [f"{code}: {message}" for code, message in fresh], lost
