"""A change inside a table or control is kept by the smallest part that holds it; a wider one takes the narrower ones in."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from agent.document.delta import Delta, ReplaceBlock, ReplaceInside
from agent.document.elements import new_element
from agent.document.images import image_of, widened
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TC, W_TR, W
from agent.operations.specimens import doc, p, table
from tests.support.documents import canonical


@pytest.fixture
def mirror() -> Mirror:
    return Mirror.open(doc(p("Before"), table([["a", "b"], ["c", "d"], ["e", "f"]]), p("After"))())


def paragraph(mirror: Mirror, row: int, cell: int) -> Any:
    tr = list(mirror.element("t1").iterchildren(W_TR))[row]
    return next(list(tr.iterchildren(W_TC))[cell].iterchildren(W_P))


def kinds(delta: Delta) -> list[tuple[str, int]]:
    return [(type(e).__name__, len(getattr(e, "path", ()))) for e in delta.edits]


def there_and_back(mirror: Mirror, delta: Delta, before: dict[str, bytes]) -> None:
    after = canonical(mirror)
    mirror.apply(delta.inverse())
    assert canonical(mirror) == before
    mirror.apply(Delta.from_json(delta.to_json()))
    assert canonical(mirror) == after


def test_a_word_in_a_cell_is_one_paragraph(mirror: Mirror) -> None:
    before = canonical(mirror)
    with mirror.edit("1") as editor:
        editor.replace_text(paragraph(mirror, 1, 1), 0, 1, "new")
    assert kinds(editor.delta) == [("ReplaceInside", 3)]
    there_and_back(mirror, editor.delta, before)


def test_a_cell_s_format_takes_in_the_paragraph_that_was_changed_before(mirror: Mirror) -> None:
    before = canonical(mirror)
    with mirror.edit("1") as editor:
        one = paragraph(mirror, 1, 1)
        editor.replace_text(one, 0, 1, "new")
        editor.replace_text(paragraph(mirror, 0, 0), 0, 1, "other")
        editor.set_property(editor.properties(one.getparent()), "shd", {"fill": "FF0000"})
    assert kinds(editor.delta) == [("ReplaceInside", 3), ("ReplaceInside", 2)]
    there_and_back(mirror, editor.delta, before)


def test_a_new_row_takes_in_all_that_was_changed_before(mirror: Mirror) -> None:
    before = canonical(mirror)
    with mirror.edit("1") as editor:
        one = paragraph(mirror, 1, 1)
        editor.replace_text(one, 0, 1, "new")
        cell = one.getparent()
        cell.append(new_element("w:p"))
        row = new_element("w:tr")
        row.append(new_element("w:tc"))
        row[0].append(new_element("w:p"))
        cell.getparent().addnext(row)
        editor.replace_text(paragraph(mirror, 0, 0), 0, 1, "other")
    assert kinds(editor.delta) == [("ReplaceBlock", 0)]
    there_and_back(mirror, editor.delta, before)


def test_a_changed_table_that_is_then_taken_away_comes_back_as_it_was(mirror: Mirror) -> None:
    before, ids = canonical(mirror), mirror.part_ids("/word/document.xml")
    with mirror.edit("1") as editor:
        editor.replace_text(paragraph(mirror, 1, 1), 0, 1, "new")
        editor.remove(mirror.element("t1"))
    there_and_back(mirror, editor.delta, before)
    mirror.apply(editor.delta.inverse())
    assert mirror.part_ids("/word/document.xml") == ids


def test_inline_controls_of_a_paragraph_in_a_cell_keep_their_ids() -> None:
    mirror = Mirror.open(doc(table([["a", "b"]]))())
    with mirror.edit("1") as editor:
        one = paragraph(mirror, 0, 0)
        sdt, content = new_element("w:sdt"), new_element("w:sdtContent")
        one.append(sdt)
        sdt.append(content)
        content.append(one.find(W + "r"))
    ids = mirror.part_ids("/word/document.xml")
    with mirror.edit("2") as editor:
        editor.replace_text(paragraph(mirror, 0, 0), 0, 1, "new")
    assert kinds(editor.delta) == [("ReplaceInside", 3)]
    assert mirror.part_ids("/word/document.xml") == ids
    mirror.apply(editor.delta.inverse())
    assert mirror.part_ids("/word/document.xml") == ids


def test_whoever_needs_whole_blocks_gets_them(mirror: Mirror) -> None:
    story = mirror.story(mirror.body_key)
    assert story is not None
    was = image_of(mirror, story, "t1")
    with mirror.edit("1") as editor:
        editor.replace_text(paragraph(mirror, 1, 1), 0, 1, "new")
        editor.replace_text(paragraph(mirror, 0, 1), 0, 1, "also")
    assert kinds(editor.delta) == [("ReplaceInside", 3)] * 2
    (edit,) = widened(mirror, editor.delta).edits
    assert isinstance(edit, ReplaceBlock)
    assert edit.after == image_of(mirror, story, "t1")
    assert edit.before.ids == was.ids
    assert etree.tostring(story.parse(edit.before.xml), method="c14n") == etree.tostring(
        story.parse(was.xml), method="c14n"
    )


def test_a_part_says_where_it_is(mirror: Mirror) -> None:
    with mirror.edit("1") as editor:
        editor.replace_text(paragraph(mirror, 2, 1), 0, 1, "new")
    (edit,) = editor.delta.edits
    assert isinstance(edit, ReplaceInside)
    node = mirror.element("t1")
    for at in edit.path:
        node = node[at]
    assert node is paragraph(mirror, 2, 1)
