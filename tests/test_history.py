"""Undo of any step in any order, redo, conflicts, and the user's own edits in between."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from agent.document.mirror import Mirror
from agent.document.text import text_of
from agent.errors import RevisionMismatch
from agent.history import Conflict, History, Rebuilt
from agent.operations.catalogue import catalogue
from agent.operations.execution import execute
from agent.operations.specimens import doc, h, p, table, title
from agent.steps import Call
from tests.corpus import corpus_file
from tests.support.documents import canonical

DOCUMENT = doc(
    title("Report"),
    h(1, "Scope"),
    p("Revenue grew."),
    p("Costs fell."),
    table([["Name", "Amount"], ["Rent", "900"]]),
)


class Session:
    """A mirror, its history, and steps done one after the other."""

    def __init__(self) -> None:
        self.mirror = Mirror.open(DOCUMENT())
        self.history = History(self.mirror)
        self.base = canonical(self.mirror)

    def do(self, name: str, **params: Any) -> int:
        key = self.history.next_key()
        execution = execute(self.mirror, catalogue(), name, params, str(key))
        self.history.append(key, name, Call(name, execution.params), execution.delta, execution.changes)
        return key

    def type_into(self, block: str, at: int, words: str) -> int:
        with self.mirror.edit("u") as editor:
            editor.replace_text(self.mirror.element(block), at, at, words)
        return self.history.append_user_edit(editor.delta, editor.changes()).key

    def text(self, block: str) -> str:
        return text_of(self.mirror.element(block))

    def undo(self, *keys: int) -> Rebuilt | Conflict:
        return self.history.undo(keys)


def align(session: Session, target: dict[str, Any], alignment: str) -> int:
    return session.do("set_alignment", target=target, alignment=alignment)


TITLE = {"where": "title"}


def test_a_middle_step_is_undone_and_the_others_stay() -> None:
    session = Session()
    align(session, TITLE, "center")
    second = align(session, {"section": "Scope"}, "right")
    align(session, {"heading": "Scope"}, "center")
    outcome = session.undo(second)
    assert isinstance(outcome, Rebuilt)
    assert {"p3", "p4"} <= {c.target for c in outcome.changes}
    assert not {"p1", "p2"} & {c.target for c in outcome.changes}
    alone = Session()
    align(alone, TITLE, "center")
    align(alone, {"heading": "Scope"}, "center")
    assert canonical(session.mirror) == canonical(alone.mirror)


def test_undoing_all_in_any_order_gives_the_document_before() -> None:
    for order in itertools.permutations(range(3)):
        session = Session()
        keys = [
            align(session, TITLE, "center"),
            align(session, TITLE, "right"),
            align(session, {"text": "Costs"}, "justify"),
        ]
        for i in order:
            assert isinstance(session.undo(keys[i]), Rebuilt)
        assert canonical(session.mirror) == session.base


def test_redo_gives_back_the_same_document() -> None:
    session = Session()
    first = align(session, TITLE, "center")
    align(session, {"text": "Costs"}, "right")
    after = canonical(session.mirror)
    session.undo(first)
    outcome = session.history.redo([first])
    assert isinstance(outcome, Rebuilt)
    assert [c.explain() for c in outcome.changes] == ["Paragraph 'Report' is now centred"]
    assert canonical(session.mirror) == after


def test_undo_of_an_earlier_step_keeps_what_a_later_one_put_over_it() -> None:
    session = Session()
    first = align(session, TITLE, "center")
    align(session, TITLE, "right")
    session.undo(first)
    ppr = session.mirror.element("p1").pPr
    assert ppr.jc.val is not None
    assert "right" in str(ppr.jc.val).lower()


def test_undoing_a_step_keeps_what_the_user_typed_after_it_elsewhere() -> None:
    session = Session()
    first = align(session, {"text": "Revenue"}, "right")
    session.type_into("p4", 5, " really")
    assert isinstance(session.undo(first), Rebuilt)
    assert session.text("p4") == "Costs really fell."


def test_undoing_a_step_keeps_what_the_user_typed_into_the_same_paragraph() -> None:
    session = Session()
    first = align(session, {"text": "Revenue"}, "right")
    session.type_into("p3", 7, " really")
    assert isinstance(session.undo(first), Rebuilt)
    assert session.text("p3") == "Revenue really grew."
    assert session.mirror.element("p3").pPr is None or session.mirror.element("p3").pPr.jc is None
    assert isinstance(session.history.redo([first]), Rebuilt)
    assert session.text("p3") == "Revenue really grew."


def test_a_later_step_on_what_an_undone_step_made_is_a_conflict_and_nothing_changes() -> None:
    session = Session()
    made = session.do("add_paragraph", text="Entirely new words.", place={"at": "end"})
    on_it = align(session, {"text": "Entirely new words."}, "right")
    apart = align(session, TITLE, "center")
    before = canonical(session.mirror)
    outcome = session.undo(made)
    assert isinstance(outcome, Conflict)
    assert outcome.step == made
    assert outcome.dependents == (on_it,)
    assert canonical(session.mirror) == before
    assert not any(e.undone for e in session.history.entries)
    assert isinstance(session.undo(made, on_it), Rebuilt)
    assert [e.key for e in session.history.live()] == [apart]


def test_a_later_insertion_beside_what_an_undone_step_made_keeps_its_place() -> None:
    session = Session()
    made = session.do("add_paragraph", text="First new.", place={"after": {"text": "Revenue"}})
    session.do("add_paragraph", text="Second new.", place={"after": {"text": "First new."}})
    assert isinstance(session.undo(made), Rebuilt)
    texts = [session.text(b) for b in session.mirror.body_blocks() if not b.startswith("t")]
    assert texts[2:5] == ["Revenue grew.", "Second new.", "Costs fell."]


def test_typing_into_text_that_an_undone_step_wrote_is_named_and_not_lost() -> None:
    session = Session()
    made = session.do("add_paragraph", text="Entirely new words.", place={"at": "end"})
    block = session.history.entry(made).delta.touched().added[0]
    session.type_into(block, 0, "My ")
    outcome = session.undo(made)
    assert isinstance(outcome, Conflict)
    assert outcome.lost_edits
    assert session.text(block) == "My Entirely new words."
    assert isinstance(session.history.undo([made], lose_edits=True), Rebuilt)
    assert canonical(session.mirror) == session.base


def test_a_target_by_number_stays_the_same_when_an_earlier_table_goes() -> None:
    session = Session()
    made = session.do("insert_table", rows=2, columns=2, place={"before": {"heading": "Scope"}})
    align(session, {"table": 2}, "right")
    assert isinstance(session.undo(made), Rebuilt)
    rent = next(e for e in session.mirror.body.iter("{*}p") if text_of(e) == "Rent")
    assert rent.pPr.jc is not None


def test_an_unknown_step_is_named_with_those_that_exist() -> None:
    session = Session()
    align(session, TITLE, "center")
    with pytest.raises(RevisionMismatch, match=r"no step 9.*the steps are 1"):
        session.undo(9)


def test_undoing_what_is_undone_changes_nothing() -> None:
    session = Session()
    first = align(session, TITLE, "center")
    session.undo(first)
    outcome = session.undo(first)
    assert isinstance(outcome, Rebuilt)
    assert outcome.entries == ()
    assert canonical(session.mirror) == session.base


def test_a_later_step_that_changes_something_else_without_the_undone_one_is_named() -> None:
    session = Session()
    first = align(session, TITLE, "center")
    second = align(session, TITLE, "right")
    outcome = session.undo(first)
    assert isinstance(outcome, Rebuilt)
    assert outcome.retold == (second,)
    assert session.history.entry(second).changes[0].before == ""


@pytest.mark.parametrize(
    "calls",
    [
        [("set_footer", {"text": "Foot"}), ("set_footer", {"text": "Acme"})],
        [
            ("add_comment", {"target": {"text": "Costs"}, "text": "Check"}),
            ("delete_blocks", {"target": {"text": "Costs"}}),
        ],
        [("set_properties", {"custom": {"Client": "A"}}), ("set_properties", {"custom": {"Client": "B"}})],
        [("set_header", {"text": "One"}), ("insert_page_number", {"position": "header"})],
    ],
    ids=lambda calls: calls[0][0],
)
def test_steps_that_make_a_part_and_change_it_are_undone_together_and_apart(
    calls: list[tuple[str, dict[str, Any]]],
) -> None:
    for order in ([0, 1], [1, 0], None):
        session = Session()
        keys = [session.do(name, **params) for name, params in calls]
        if order is None:
            assert isinstance(session.history.undo(keys), Rebuilt)
        else:
            for at in order:
                outcome = session.history.undo([keys[at]])
                if isinstance(outcome, Conflict):
                    assert isinstance(session.history.undo([keys[at], *outcome.dependents]), Rebuilt)
        assert canonical(session.mirror) == session.base
        assert isinstance(session.history.redo(keys), Rebuilt)


def put(session: Session, *made: tuple[int, Any]) -> int:
    """The user puts something without width into the third paragraph's only run, at some offsets."""
    with session.mirror.edit("u") as editor:
        paragraph = session.mirror.element("p3")
        for at, element in made:
            editor.isolate(paragraph, at, at)
            runs = [e for e in paragraph if e.tag.endswith("}r") and text_of(paragraph)]
            offset = 0
            for run in runs:
                if offset == at:
                    run.addprevious(element)
                    break
                offset += len(run.text)
            else:
                paragraph.append(element)
    return session.history.append_user_edit(editor.delta, editor.changes()).key


def bookmark(number: int) -> tuple[Any, Any]:
    mark = {qn("w:id"): str(number)}
    return (
        OxmlElement("w:bookmarkStart", {**mark, qn("w:name"): "Mine"}),
        OxmlElement("w:bookmarkEnd", mark),
    )


def test_a_bookmark_that_the_user_put_into_a_paragraph_survives_the_undo_of_a_step_there() -> None:
    session = Session()
    first = align(session, {"text": "Revenue"}, "right")
    start, end = bookmark(900)
    put(session, (8, start), (13, end))
    assert isinstance(session.undo(first), Rebuilt)
    paragraph = session.mirror.element("p3")
    assert paragraph.pPr is None or paragraph.pPr.jc is None
    tags = [(e.tag.rpartition("}")[2], e.text if e.tag.endswith("}r") else "") for e in paragraph]
    assert [t for t in tags if t[0] != "pPr"] == [
        ("r", "Revenue "),
        ("bookmarkStart", ""),
        ("r", "grew."),
        ("bookmarkEnd", ""),
    ]


def test_a_bookmark_in_words_that_the_undone_step_wrote_is_named_and_not_lost() -> None:
    session = Session()
    first = session.do("replace_text", find="grew", replace="exploded entirely")
    start, end = bookmark(900)
    put(session, (17, start), (25, end))
    before = canonical(session.mirror)
    outcome = session.undo(first)
    assert isinstance(outcome, Conflict)
    assert outcome.lost_edits
    assert canonical(session.mirror) == before


def test_typing_in_a_text_box_survives_the_undo_of_a_step_on_the_paragraph_around_it() -> None:
    mirror = Mirror.open(corpus_file("docx-parse-eval__textbox.docx").read_bytes())
    history = History(mirror)
    base = canonical(mirror)
    box = next(
        p for p in mirror.body.iter(qn("w:p")) if next(p.iterancestors(qn("w:txbxContent")), None) is not None
    )
    holder = mirror.block_of(box)
    assert holder is not None
    params = {"target": {"ids": [holder]}, "alignment": "right"}
    execution = execute(mirror, catalogue(), "set_alignment", params, "1")
    assert execution.delta.touched().changed == (holder,)
    history.append(
        history.next_key(),
        "align",
        Call("set_alignment", execution.params),
        execution.delta,
        execution.changes,
    )
    with mirror.edit("u") as editor:
        editor.replace_text(box, 0, 0, "Typed ")
    entry = history.append_user_edit(editor.delta, editor.changes())
    assert isinstance(history.undo([1]), Rebuilt)
    assert any(text_of(p).startswith("Typed ") for p in mirror.element(holder).iter(qn("w:p")))
    assert isinstance(history.undo([entry.key]), Rebuilt)
    assert canonical(mirror) == base
