"""What the hooks cannot see is not used: the ways of lxml around its elements' methods. What they can see is taken back."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from docx.oxml import OxmlElement

import agent
from agent.document.mirror import Mirror
from agent.document.package import relationships
from tests.corpus import corpus_file
from tests.support.documents import canonical

PROJECT = Path(agent.__file__).parents[1]
UNSEEN = {
    "strip_tags",
    "strip_elements",
    "strip_attributes",
    "cleanup_namespaces",
    "XSLT",
    "_setroot",
    "SubElement",
}
UNSEEN_ATTRIBUTES = {"tag", "base"}
OWN_TREES = {
    "agent/document/flat_opc.py": {"SubElement"},
    "agent/document/package.py": {"SubElement"},
    "agent/document/mirror.py": {"SubElement"},
    "agent/document/charts.py": {"SubElement"},
    "agent/document/fold.py": {"cleanup_namespaces"},
}
"""What modules use that build trees which are not in a document yet, where it does no harm."""


def blind_spots(source: str, allowed: set[str]) -> Iterator[str]:
    forbidden = UNSEEN - allowed
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) if name in forbidden:
                yield f"line {node.lineno}: etree.{name}"
            case ast.ImportFrom(names=names):
                yield from (f"line {node.lineno}: import of {n.name}" for n in names if n.name in forbidden)
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) if name in UNSEEN_ATTRIBUTES:
                yield f"line {node.lineno}: assignment to .{name}"
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=name), *_]) if (
                name in UNSEEN_ATTRIBUTES
            ):
                yield f"line {node.lineno}: setattr of {name}"
            case _:
                pass


def test_no_module_changes_a_tree_in_a_way_that_the_hooks_do_not_see() -> None:
    found = [
        f"{path.relative_to(PROJECT)}: {spot}"
        for room in ("agent", "server")
        for path in sorted((PROJECT / room).rglob("*.py"))
        for spot in blind_spots(
            path.read_text(encoding="utf-8"),
            OWN_TREES.get(path.relative_to(PROJECT).as_posix(), set()),
        )
    ]
    assert not found


def test_a_blind_spot_would_be_found() -> None:
    source = (
        "etree.strip_tags(p, 'x')\np.tag = 'y'\netree.SubElement(p, 'z')\nfrom lxml.etree import XSLT\n"
        "p.tag: str = 'y'\nq, p.base = 1, 2\nsetattr(p, 'tag', 'y')\n"
    )
    assert len(list(blind_spots(source, set()))) == 7


FILE = "python-docx__having-images.docx"


def _slice(start: int | None, stop: int | None, step: int | None = None, count: int = 2) -> Any:
    def change(mirror: Mirror) -> None:
        paragraph = next(p for p in mirror.body if len(p) >= 2)
        before = list(paragraph)
        new = [OxmlElement("w:r") for _ in range(count)]
        expected = list(before)
        expected[start:stop:step] = new
        paragraph[start:stop:step] = new
        assert list(paragraph) == expected

    return change


CHANGES: dict[str, Callable[[Mirror], Any]] = {
    "relationships cleared": lambda m: m.file.document_part.rels.clear(),
    "a relationship popped": lambda m: m.file.document_part.rels.pop(next(iter(m.file.document_part.rels))),
    "the last relationship popped": lambda m: m.file.document_part.rels.popitem(),
    "relationships updated": lambda m: m.file.document_part.rels.update(
        rId900=next(iter(m.file.document_part.rels.values()))
    ),
    "relationships joined": lambda m: m.file.document_part.rels.__ior__(
        {"rId901": next(iter(m.file.document_part.rels.values()))}
    ),
    "a relationship set where there is none": lambda m: m.file.document_part.rels.setdefault(
        "rId902", next(iter(m.file.document_part.rels.values()))
    ),
    "an empty slice near the end": _slice(-1, -1),
    "the whole slice": _slice(None, None),
    "every other": _slice(None, 2, 2, 1),
    "a slice behind the end": _slice(99, None),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_by_way_of_a_container_is_seen_and_taken_back(name: str) -> None:
    mirror = Mirror.open(corpus_file(FILE).read_bytes())
    before = canonical(mirror), relationships(mirror.file.document_part)
    with mirror.edit("1") as editor:
        CHANGES[name](mirror)
    assert editor.delta
    assert (canonical(mirror), relationships(mirror.file.document_part)) != before
    mirror.apply(editor.delta.inverse())
    assert (canonical(mirror), relationships(mirror.file.document_part)) == before
