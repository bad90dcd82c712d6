"""Operations on text and blocks on files by others: verified, taken back exactly, made again, wherever they are not refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.document.mirror import Mirror
from agent.document.names import W_P
from agent.document.outline import walk
from agent.errors import OperationError
from tests.corpus import manifest
from tests.operations.trial import attempt

FILES = [row.path for row in manifest() if row.path.suffix == ".docx"]
Call = tuple[str, dict[str, Any]]


def in_the_body(mirror: Mirror) -> Iterator[Call]:
    """New, moved and deleted blocks at the first, the middle and the last block."""
    blocks = mirror.body_blocks()
    for block in dict.fromkeys([blocks[0], blocks[len(blocks) // 2], blocks[-1]]) if blocks else ():
        here = {"ids": [block]}
        for side in ("after", "before"):
            yield "add_paragraph", {"place": {side: here}, "text": "New **bold** text.\nAnd *more*."}
        yield "add_heading", {"place": {"after": here}, "text": "New heading", "level": 2}
        items = ["one", {"text": "two", "level": 2}]
        yield "add_list", {"place": {"before": here}, "items": items, "kind": "number"}
        yield "delete_blocks", {"target": here}
        yield "move_blocks", {"target": here, "place": {"at": "start"}}
        yield "move_blocks", {"target": here, "place": {"at": "end"}, "duplicate": True}
    yield "delete_blocks", {"target": {"where": "document"}}


def in_a_table(mirror: Mirror) -> Iterator[Call]:
    """The same in the last cell paragraph."""
    cells = [b.id for b in walk(mirror) if b.depth > 0 and b.tag == W_P]
    for cell in cells[-1:]:
        here = {"ids": [cell]}
        yield "add_paragraph", {"place": {"after": here}, "text": "Text of a cell"}
        yield "delete_blocks", {"target": here}
        yield "move_blocks", {"target": here, "place": {"at": "end"}}


def in_the_text(mirror: Mirror) -> Iterator[Call]:
    """Edits of the commonest word and of a paragraph in the middle."""
    written = [b for b in walk(mirror) if b.tag == W_P and b.text.strip()]
    words = Counter(w for b in written for w in re.findall(r"\w{3,}", b.text))
    for word, _ in words.most_common(1):
        yield "replace_text", {"find": word, "replace": "Ersatz"}
        yield "insert_text", {"target": {"text": word, "all": True}, "text": "plus"}
        yield "add_comment", {"target": {"text": word, "nth": 1}, "text": "Really?"}
        yield "insert_hyperlink", {"target": {"text": word, "nth": 1}, "url": "example.com"}
    for block in written[len(written) // 2 : len(written) // 2 + 1]:
        here = {"ids": [block.id]}
        half = " ".join([*block.text.split()[::2], "and", "more"])
        yield "rewrite_paragraph", {"target": here, "text": half}
        yield "rewrite_paragraph", {"target": here, "text": "Something else entirely."}
        yield "change_case", {"target": here, "case": "upper"}
        yield "add_list_item", {"place": {"after": here}, "text": "another"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_calls_on_a_real_file_are_verified_and_taken_back(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes(), path.name)
    done: Counter[str] = Counter()
    for name, params in [*in_the_body(mirror), *in_a_table(mirror), *in_the_text(mirror)]:
        try:
            execution = attempt(mirror, name, params)
        except OperationError:
            continue
        mirror.apply(execution.delta.inverse())
        done[name] += 1
    assert done["add_paragraph"] or not mirror.body_blocks()
    assert done["replace_text"] or not any(re.search(r"\w{3}", b.text) for b in walk(mirror))
