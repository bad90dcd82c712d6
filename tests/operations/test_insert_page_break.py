from __future__ import annotations

from pathlib import Path

import pytest

from agent.document.mirror import Mirror
from agent.document.names import W_P, W_SECTPR, W_TC, W
from agent.document.sections import sections_of
from agent.errors import InvalidTarget, OperationError, PreconditionFailed
from agent.operations.specimens import doc, h, header, p, page_break, section, table
from tests.corpus import manifest
from tests.operations.test_set_text_style import with_paragraph
from tests.operations.trial import attempt


def insert(mirror: Mirror, **place: object) -> None:
    attempt(mirror, "insert_page_break", {"place": place})


def test_the_break_has_a_paragraph_of_its_own_without_the_style_of_the_heading() -> None:
    mirror = Mirror.open(doc(p("One."), h(1, "Scope"))())
    insert(mirror, before={"heading": "Scope"})
    _, new, _ = mirror.body.findall(W_P)
    assert new.find(f"{W}r/{W}br").get(W + "type") == "page"
    assert new.find(f"{W}pPr") is None


def test_behind_the_last_paragraph_of_a_section_it_belongs_to_that_section() -> None:
    mirror = with_paragraph(
        '<w:pPr><w:sectPr><w:type w:val="continuous"/></w:sectPr></w:pPr><w:r><w:t>One.</w:t></w:r>'
    )
    mirror.body.find(W_SECTPR).append(
        mirror.body.find(f".//{W}type")
    )  # the next section goes on on the same page
    mirror._dirty.add("/word/document.xml")  # pyright: ignore[reportPrivateUsage]
    mirror = Mirror.open(mirror.save())
    insert(mirror, after={"text": "One."})
    first, new = mirror.body.findall(W_P)
    assert first.find(f".//{W_SECTPR}") is None
    assert new.find(f"{W}pPr/{W_SECTPR}") is not None
    assert len(sections_of(mirror)) == 2


def test_a_second_break_is_refused_also_beside_other_ways_to_start_a_page() -> None:
    cases = (
        (Mirror.open(doc(p("One."), page_break(), p("Two."))()), {"before": {"text": "Two."}}),
        (Mirror.open(doc(p("One."), page_break(), p("Two."))()), {"after": {"text": "One."}}),
        (Mirror.open(doc(p("One."), section(), p("Two."))()), {"before": {"text": "Two."}}),
        (Mirror.open(doc(p("One."), p("Two."), page_break())()), {"at": "end"}),
    )
    for mirror, place in cases:
        with pytest.raises(PreconditionFailed, match="already"):
            insert(mirror, **place)


def test_a_paragraph_that_starts_on_a_new_page_by_itself_is_told() -> None:
    mirror = Mirror.open(doc(p("One."), p("Two."))())
    two = mirror.body.findall(W_P)[1]
    two.get_or_add_pPr().append(two.makeelement(W + "pageBreakBefore"))
    with pytest.raises(PreconditionFailed, match=r"'Two\.' starts on a new page"):
        insert(mirror, before={"text": "Two."})


def test_in_front_of_everything_and_inside_a_cell_it_is_refused() -> None:
    mirror = Mirror.open(doc(header("Head"), table([["a", "b"]]), p("One."))())
    cell = mirror.id_of(next(mirror.body.iter(W_TC)).find(W_P))
    with pytest.raises(InvalidTarget, match="cell"):
        insert(mirror, after={"ids": [cell]})
    with pytest.raises(PreconditionFailed, match="empty first page"):
        insert(mirror, before={"table": 1})
    with pytest.raises(PreconditionFailed, match="empty first page"):
        insert(mirror, at="start")
    with pytest.raises(InvalidTarget, match="body"):
        insert(mirror, after={"ids": ["header1.p1"]})


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_documents_by_others_take_a_page_break(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    blocks = mirror.body_blocks()
    for block in blocks[1 :: max(len(blocks) // 5, 1)]:
        try:
            attempt(mirror, "insert_page_break", {"place": {"before": {"ids": [block]}}}, key=block)
        except OperationError as error:
            assert isinstance(error, PreconditionFailed)  # noqa: PT017
