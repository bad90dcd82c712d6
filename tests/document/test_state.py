"""The seven-part state on documents by others, and that it is kept current."""

from __future__ import annotations

import pytest

from agent.document.mirror import Mirror
from agent.document.names import W_P
from agent.document.records import record_of
from agent.document.state import audit, state
from agent.errors import StateParseError
from agent.operations.specimens import bullets, doc, h, image, link, p, section, table, title
from tests.corpus import corpus_file, corpus_files

CORPUS = list(corpus_files())


def test_each_of_the_seven_parts_is_read() -> None:
    mirror = Mirror.open(
        doc(
            title("Report"), h(1, "Scope"), p("Text."), bullets("one"), table([["Name", "Amount"], ["Rent", "900"]]),
            link("See ", "the site", "https://example.com/"), image("a logo"), section(landscape=True), p("Wide."),
        )()
    )  # fmt: skip
    found = state(mirror)
    assert "python-docx" in found.metadata["creator"]
    assert [q.text for q in found.paragraphs][:4] == ["Report", "Scope", "Text.", "one"]
    assert [q.text for q in found.paragraphs][4:8] == ["Name", "Amount", "Rent", "900"]
    assert [t.text for t in found.tables] == ["Name\tAmount\nRent\t900"]
    assert [(picture.kind, picture.alt) for _, picture in found.images] == [("picture", "a logo")]
    assert [dict(layout).get("pgSz.orient", "portrait") for _, layout in found.page_layout] == [
        "portrait",
        "landscape",
    ]
    assert [(i.kind, i.value, i.text) for i in found.interactive] == [
        ("hyperlink", "https://example.com/", "the site")
    ]
    assert "heading 1" in {s.name.lower() for s in found.styles}


@pytest.mark.parametrize("path", CORPUS, ids=lambda q: q.name)
def test_the_state_of_a_document_by_others_is_read_and_stays_current_through_an_edit(path: object) -> None:
    mirror = Mirror.open(path.read_bytes())  # type: ignore[attr-defined]
    before = state(mirror)
    assert before.styles
    paragraphs = [b for b in mirror.body_blocks() if mirror.element(b).tag == W_P]
    if not paragraphs:
        return
    with mirror.edit("1") as editor:
        editor.replace_text(mirror.element(paragraphs[0]), 0, 0, "Stet ")
    changed = state(mirror)
    assert changed != before
    assert len(changed.paragraphs) == len(before.paragraphs)
    mirror.apply(editor.delta.inverse())
    assert state(mirror) == before


def test_a_record_that_is_not_what_the_document_says_is_found_by_the_audit() -> None:
    mirror = Mirror.open(corpus_file("benker__demo.docx").read_bytes())
    state(mirror)
    block = next(b for b in mirror.body_blocks() if mirror.element(b).tag == W_P)
    other = next(b for b in mirror.body_blocks() if b != block)
    mirror.records[block] = record_of(mirror, other)
    with pytest.raises(AssertionError, match="stale"):
        audit(mirror)


def test_a_state_that_cannot_be_read_names_the_block() -> None:
    mirror = Mirror.open(doc(image("x"))())
    drawing = next(e for e in mirror.body.iter() if str(e.tag).endswith("}extent"))
    drawing.set("cx", "not a number")
    with pytest.raises(StateParseError, match=r"block p1 cannot be read"):
        state(mirror)
