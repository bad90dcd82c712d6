"""What is pushed makes Word's body look like the mirror's, or nothing is pushed and the reason is said."""

from __future__ import annotations

import io

import pytest
from docx import Document
from docx.document import Document as DocumentObject
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from agent.document.delta import BlockEdit, Delta
from agent.document.mirror import Mirror
from agent.errors import CapabilityUnavailable
from agent.operations.catalogue import Example, Operation, catalogue
from agent.operations.execution import execute
from server.hosts.push_plan import plan_push
from server.hosts.word_blocks import leaves
from server.protocol import PushOperation
from tests.server.paper_word import PaperWord, body_of

CASES = [
    pytest.param(op, example, id=f"{op.name}-{i}")
    for op in catalogue().values()
    for i, example in enumerate(op.examples)
    if example.raises is None
]
NOT_IN_WORD_YET = {"headers", "footers", "settings", "properties"}
"""What an operation may touch that a pane cannot carry."""


@pytest.mark.parametrize(("op", "example"), CASES)
def test_an_operation_and_its_undoing_reach_word_or_are_refused(op: Operation, example: Example) -> None:  # pyright: ignore[reportMissingTypeArgument]
    data = example.before()
    word, mirror = PaperWord(data), Mirror.open(data)
    before = body_of(mirror)
    execution = execute(mirror, catalogue(), op.name, dict(example.params), "1", example.selection)
    operations = planned(mirror, execution.delta)
    if isinstance(operations, str):
        assert "Word" in operations
        assert op.touches & NOT_IN_WORD_YET or _is_about_sections(execution.delta)
        return
    word.do(operations)
    assert word.body == body_of(mirror)
    back = execution.delta.inverse()
    mirror.apply(back)
    word.do(plan_push(mirror, back))
    assert word.body == before


def planned(mirror: Mirror, delta: Delta) -> list[PushOperation] | str:
    """The operations, or why there are none."""
    try:
        return plan_push(mirror, delta)
    except CapabilityUnavailable as error:
        return error.message


def _is_about_sections(delta: Delta) -> bool:
    return any(isinstance(edit, BlockEdit) and edit.id.startswith("s") for edit in delta.edits)


# -- the planner of pushes itself --------------------------------------------------------------------------------


def opened(document: DocumentObject) -> tuple[Mirror, PaperWord]:
    buffer = io.BytesIO()
    document.save(buffer)
    return Mirror.open(buffer.getvalue()), PaperWord(buffer.getvalue())


def lettered(letters: str) -> DocumentObject:
    document = Document()
    for letter in letters:
        document.add_paragraph(letter)
    return document


def texts(word: PaperWord) -> list[str]:
    return [seen.text for seen in word.body]


def test_changes_far_apart_become_operations_of_their_own_and_near_ones_become_one() -> None:
    mirror, word = opened(lettered("abcdefgh"))
    with mirror.edit() as editor:
        for place in (1, 2, 6):
            mirror.document.paragraphs[place].runs[0].bold = True
    operations = plan_push(mirror, editor.delta)
    assert [(o.index, o.expect, o.before, o.after) for o in operations] == [
        (6, ["g"], "f", "h"),
        (1, ["b", "c"], "a", "d"),
    ]
    word.do(operations)
    assert word.body == body_of(mirror)


def test_a_move_is_an_insertion_and_a_deletion() -> None:
    mirror, word = opened(lettered("abcdef"))
    with mirror.edit() as editor:
        paragraphs = mirror.document.paragraphs
        paragraphs[0]._p.addprevious(paragraphs[4]._p)
    operations = plan_push(mirror, editor.delta)
    assert [(o.index, o.expect, bool(o.ooxml)) for o in operations] == [(4, ["e"], False), (0, [], True)]
    word.do(operations)
    assert texts(word) == list("eabcdf")


def test_a_change_that_was_taken_back_within_a_delta_needs_no_push() -> None:
    mirror, _ = opened(lettered("abc"))
    with mirror.edit() as editor:
        mirror.document.paragraphs[1].add_run("!")
    mirror.apply(editor.delta.inverse())
    assert plan_push(mirror, editor.delta + editor.delta.inverse()) == []


def test_the_ends_of_the_body_have_no_neighbours() -> None:
    mirror, word = opened(lettered("ab"))
    with mirror.edit() as editor:
        for paragraph in mirror.document.paragraphs:
            paragraph.add_run("!")
    (operation,) = plan_push(mirror, editor.delta)
    assert (operation.index, operation.before, operation.after) == (0, None, None)
    word.do([operation])
    assert texts(word) == ["a!", "b!"]


def test_tables_and_paragraphs_in_content_controls_are_counted_as_word_counts_them() -> None:
    document = lettered("ab")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "x", "y"
    control = parse_xml(
        f"<w:sdt {nsdecls('w')}><w:sdtPr/><w:sdtContent><w:p><w:r><w:t>one</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>two</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    document.element.body.insert(1, control)
    document.add_paragraph("end")
    mirror, word = opened(document)
    assert texts(word) == ["a", "one", "two", "b", "x\ny", "end"]
    with mirror.edit() as editor:
        mirror.document.paragraphs[-1].add_run("!")
    (operation,) = plan_push(mirror, editor.delta)
    assert operation.index == 5
    assert operation.before == "x\ny"


def test_a_paragraph_in_a_content_control_is_written_alone() -> None:
    document = lettered("ab")
    document.element.body.insert(
        1,
        parse_xml(
            f"<w:sdt {nsdecls('w')}><w:sdtPr/><w:sdtContent><w:p><w:r><w:t>one</w:t></w:r></w:p>"
            "<w:p><w:r><w:t>two</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        ),
    )
    mirror, word = opened(document)
    inner = [leaf.element for block in mirror.body_blocks() for leaf in leaves(block, mirror.element(block))]
    with mirror.edit() as editor:
        mirror.document.paragraphs[0].add_run("!")
        inner[2].getparent()[1].r_lst[0].text = "second"
    operations = plan_push(mirror, editor.delta)
    assert [(o.index, o.expect, o.result) for o in operations] == [
        (2, ["two"], ["second"]),
        (0, ["a"], ["a!"]),
    ]
    assert "<w:sdt>" not in operations[0].ooxml
    word.do(operations)
    assert texts(word) == ["a!", "one", "second", "b"]


def test_taking_a_content_control_away_is_refused() -> None:
    document = lettered("ab")
    document.element.body.insert(
        1, parse_xml(f"<w:sdt {nsdecls('w')}><w:sdtPr/><w:sdtContent><w:p/></w:sdtContent></w:sdt>")
    )
    mirror, _ = opened(document)
    with mirror.edit() as editor:
        mirror.body.remove(mirror.body[1])
    with pytest.raises(CapabilityUnavailable, match="content control"):
        plan_push(mirror, editor.delta)


def test_a_new_style_travels_with_its_paragraph_and_a_changed_one_is_refused() -> None:
    mirror, _ = opened(lettered("ab"))
    with mirror.edit() as editor:
        mirror.document.styles.add_style("House", 1)
        mirror.document.paragraphs[0].style = "House"
    (operation,) = plan_push(mirror, editor.delta)
    assert 'w:styleId="House"' in operation.ooxml
    with mirror.edit() as editor:
        mirror.document.styles["Normal"].font.bold = True
    with pytest.raises(CapabilityUnavailable, match="definition of a style"):
        plan_push(mirror, editor.delta)


def test_headers_settings_properties_and_the_last_section_are_refused_with_a_sentence() -> None:
    def header(mirror: Mirror) -> None:
        mirror.document.sections[0].header.paragraphs[0].text = "Head"

    def properties(mirror: Mirror) -> None:
        mirror.document.core_properties.title = "Title"

    def margins(mirror: Mirror) -> None:
        mirror.document.sections[-1].left_margin = 1

    def settings(mirror: Mirror) -> None:
        mirror.document.settings.odd_and_even_pages_header_footer = True

    for change in (header, properties, margins, settings):
        mirror, _ = opened(lettered("ab"))
        with mirror.edit() as editor:
            change(mirror)
        assert editor.delta
        with pytest.raises(CapabilityUnavailable, match="nothing was changed in Word"):
            plan_push(mirror, editor.delta)


def test_deleted_text_is_not_seen_and_inserted_text_is() -> None:
    document = lettered("a")
    document.paragraphs[0]._p.append(
        parse_xml(
            f"<w:del {nsdecls('w')} w:id='1' w:author='A'><w:r><w:delText>gone</w:delText></w:r></w:del>"
        )
    )
    document.paragraphs[0]._p.append(
        parse_xml(
            f"<w:ins {nsdecls('w')} w:id='2' w:author='A'><w:r><w:t xml:space='preserve'> new</w:t></w:r></w:ins>"
        )
    )
    _, word = opened(document)
    assert texts(word) == ["a new"]
