"""What the hooks cannot see is not used: the ways of lxml around its elements' methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import agent

ROOT = Path(agent.__file__).parent
UNSEEN = {"strip_tags", "strip_elements", "strip_attributes", "cleanup_namespaces"}
OWN_TREES = {"document/flat_opc.py", "document/package.py", "document/mirror.py", "document/charts.py"}
"""Modules that build trees which are not in a document yet, where `SubElement` does no harm."""


def blind_spots(source: str, *, own_trees: bool) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) if name in UNSEEN or (name == "SubElement" and not own_trees):
                yield f"line {node.lineno}: etree.{name}"
            case ast.Assign(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Attribute) and target.attr in ("tag", "base"):
                        yield f"line {node.lineno}: assignment to .{target.attr}"
            case _:
                pass


def test_no_module_changes_a_tree_in_a_way_that_the_hooks_do_not_see() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {spot}"
        for path in sorted(ROOT.rglob("*.py"))
        for spot in blind_spots(
            path.read_text(encoding="utf-8"), own_trees=path.relative_to(ROOT).as_posix() in OWN_TREES
        )
    ]
    assert not found


def test_a_blind_spot_would_be_found() -> None:
    source = "etree.strip_tags(p, 'x')\np.tag = 'y'\netree.SubElement(p, 'z')\n"
    assert len(list(blind_spots(source, own_trees=False))) == 3
