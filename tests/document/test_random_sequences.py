"""Random sequences of every operation, of the user's own edits, of undo and redo; see `tests.support.sequences` for the laws.

`make search-sequences EXAMPLES=5000` searches longer.
"""

from __future__ import annotations

import io
import os
import random
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml import OxmlElement
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from agent import history
from agent.document.delta import Delta
from agent.document.mirror import Mirror
from agent.document.names import W_P, R, W
from agent.document.records import Paragraph, record_of
from agent.document.styles import find_style
from agent.errors import CapabilityUnavailable, RevisionMismatch
from agent.history import Conflict, History, Rebuilt, run_and_judge
from agent.operations.catalogue import Catalogue, catalogue
from agent.operations.specimens import doc, p, png, section
from agent.steps import Call
from server.hosts import reading
from server.hosts.push_plan import plan_push
from server.hosts.word_blocks import leaves
from tests.corpus import manifest
from tests.server.paper_word import PaperWord, body_of
from tests.support.documents import canonical
from tests.support.sequences import (
    DOCUMENTS,
    FILES,
    NAMES,
    OPERATIONS,
    SEQUENCES,
    SOURCES,
    SPECIMENS,
    WAYS,
    Action,
    Do,
    Session,
    User,
    check_conflict,
    check_ids,
    check_letters,
    check_log,
    check_replay,
    data_of,
    example_of,
    texts,
)
from tests.support.user_edits import TYPING, edited, noisy

EXAMPLES = int(os.environ.get("STET_SEQUENCES", "0"))
"""How many sequences each law is tried with; 0 for the few of the profile."""
LONG = EXAMPLES > 0 or settings().max_examples > 100
BOUNDED = settings(
    max_examples=EXAMPLES or settings().max_examples // 6,
    deadline=None,
    print_blob=True,
    # shrinking takes minutes: an ordinary run says how to have the failure again
    phases=tuple(Phase) if LONG else (Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


# -- the laws ----------------------------------------------------------------------------------------------------------


def undone_and_redone(session: Session, rng: random.Random) -> None:
    """Some entries are undone, which is as if they had never been, and redone, which gives back the same."""
    before, blocks = canonical(session.mirror), session.mirror.body_blocks()
    keys = [e.key for e in session.history.live()]
    if not keys:
        return
    outcome = session.take_back(rng.sample(keys, rng.randint(1, min(3, len(keys)))))
    check_log(session)
    check_replay(session)
    again = session.do_again(outcome.entries)
    check_ids(session)
    assert isinstance(again, Rebuilt)
    assert canonical(session.mirror) == before
    assert session.mirror.body_blocks() == blocks


def all_undone(session: Session, rng: random.Random) -> None:
    """Every entry is undone, in any order, which gives the document that was opened."""
    keys = [e.key for e in session.history.entries]
    rng.shuffle(keys)
    for key in keys:
        session.take_back([key])
    assert canonical(session.mirror) == session.base
    assert session.mirror.body_blocks() == session.blocks


@BOUNDED
@given(SOURCES, SEQUENCES, st.randoms(use_true_random=False))
def test_undoing_everything_in_any_order_gives_the_document_before(
    name: str, actions: list[Action], rng: random.Random
) -> None:
    session = Session(name)
    session.run(actions)
    all_undone(session, rng)


@BOUNDED
@given(SOURCES, SEQUENCES, st.randoms(use_true_random=False))
def test_undoing_some_equals_replaying_without_them_and_redo_gives_back_the_same(
    name: str, actions: list[Action], rng: random.Random
) -> None:
    session = Session(name)
    session.run(actions)
    undone_and_redone(session, rng)


class InWord(Session):
    """A session whose document is open in Word: steps are pushed, and the user's edits come in readings."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.word = PaperWord(data_of(name))

    def do(self, action: Do) -> bool:
        if not super().do(action):
            return False
        (*_, last) = self.history.entries
        try:
            self.word.do(plan_push(self.mirror, last.delta))
        except CapabilityUnavailable:  # as the agent does with what the host cannot carry
            self.mirror.apply(last.delta.inverse())
            self.history.entries.pop()
            for takers in self.takers.values():
                takers.discard(last.key)
        self.check_word()
        return True

    def user(self, action: User) -> None:
        seen = tuple(
            edit for edit in action.edits if "header" not in edit
        )  # of headers a reading tells nothing yet
        super().user(replace(action, edits=seen, way="reading"))
        self.word = PaperWord(self.newer)
        self.check_word()

    def rebuilt(self, outcome: Rebuilt) -> None:
        super().rebuilt(outcome)
        try:
            self.word.do(plan_push(self.mirror, outcome.delta))
        except CapabilityUnavailable:
            self.word = PaperWord(self.mirror.save())
        self.check_word()

    def check_word(self) -> None:
        """Word shows what the mirror holds."""
        assert self.word.body == body_of(self.mirror)


@BOUNDED
@given(SOURCES, SEQUENCES, st.randoms(use_true_random=False))
def test_word_holds_what_the_mirror_holds_after_every_step_reading_undo_and_redo(
    name: str, actions: list[Action], rng: random.Random
) -> None:
    session = InWord(name)
    session.run(actions)
    undone_and_redone(session, rng)
    all_undone(session, rng)


def test_the_sequences_draw_on_every_operation_example_and_document() -> None:
    assert set(OPERATIONS) == set(catalogue())
    for operation in catalogue().values():
        wanted = [e.params for e in operation.examples if e.raises is None]
        assert [example_of(operation, seed) for seed in range(len(wanted))] == wanted
    assert set(DOCUMENTS) == {*SPECIMENS, *(row.path.name for row in manifest())}
    features = " ".join(row.features for row in manifest())
    for feature in (
        "tables",
        "sections",
        "headers",
        "lists",
        "pictures",
        "comments",
        "strict",
        "macro",
        "Google Docs",
    ):
        assert feature in features


SOURCES_IN_TURN = dict(zip(OPERATIONS, cycle(FILES), strict=False))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_is_undone_and_redone_among_edits_by_the_user_in_files_of_others(
    operation: str,
) -> None:
    number = OPERATIONS.index(operation)
    for name in (SOURCES_IN_TURN[operation], "report", "layout"):
        session = Session(name)
        session.run([User((TYPING[number % 2].__name__,), WAYS[number % 3], number)])
        for seed in range(12 if name in SPECIMENS else 3):
            session.run([Do(operation, number + seed)])
            if operation in session.done:
                break
        edit = list(NAMES)[number % len(NAMES)]
        session.run([User((edit, "type_words"), WAYS[(number + 1) % 3], number)])
        undone_and_redone(session, random.Random(number))
        all_undone(session, random.Random(number))
        if operation in session.done:
            return
    pytest.fail(f"no sequence gets {operation} done")


# -- that the laws would notice ---------------------------------------------------------------------------------------


def written_in(session: Session) -> tuple[int, int]:
    """A step writes a paragraph, and the user writes on in it."""
    first = do(session, "add_paragraph", text="The agent's words.", place={"at": "end"})
    for seed in range(200):
        trial = Session(session.name)
        do(trial, "add_paragraph", text="The agent's words.", place={"at": "end"})
        trial.user(User(("type_words",), "at once", seed))
        if trial.history.entries[-1].delta.touched().changed == (f"p{first}.1",):
            session.user(User(("type_words",), "at once", seed))
            return first, session.history.entries[-1].key
    raise AssertionError("no edit is in the new paragraph")


def test_an_edit_that_is_dropped_without_a_word_breaks_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    carry_over = history._carry_over

    def dropping(*found: Any) -> Any:
        try:
            return carry_over(*found)
        except RevisionMismatch:
            return Delta.empty, (), {}

    monkeypatch.setattr(history, "_carry_over", dropping)
    session = Session("bare")
    first, _ = written_in(session)
    with pytest.raises(AssertionError, match="carried over without what the user typed"):
        session.take_back([first])


def test_a_refusal_that_does_not_name_all_or_names_too_many_breaks_a_law(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session("bare")
    first, edit = written_in(session)
    later = do(session, "set_alignment", target={"ids": [f"p{first}.1"]}, alignment="center")
    free = do(session, "set_alignment", target={"ids": ["p1"]}, alignment="center")
    conflict = session.history.undo([first])
    assert isinstance(conflict, Conflict)
    assert check_conflict(session, conflict, {edit, later, free}) == [edit, later]
    with pytest.raises(AssertionError):
        check_conflict(session, replace(conflict, dependents=(), reasons=()), {edit, later, free})
    many = replace(conflict, dependents=(later, free), reasons=("one", "two"))
    with pytest.raises(AssertionError):
        check_conflict(session, many, {edit, later, free})


def test_a_redo_that_takes_out_what_the_user_typed_is_told_or_breaks_a_law() -> None:
    session = Session("bare")
    session.user(User(("type_words",), "at once", 1))
    typed = session.history.entries[-1].key
    session.take_back([typed])
    after = do(session, "rewrite_paragraph", target={"ids": ["p1"]}, text="Another line.")
    outcome = session.do_again([typed])
    assert outcome is not None
    assert (outcome.entries, outcome.retold) == ((typed,), (after,))
    assert not session.letters()
    session.takers = {letter: set() for letter in session.takers}
    session.told = set()
    with pytest.raises(AssertionError, match="does not say so"):
        check_letters(session)


# -- found before ------------------------------------------------------------------------------------------------------


def do(session: Session, name: str, **params: Any) -> int:
    key = session.history.next_key()
    execution, verdict = run_and_judge(session.mirror, catalogue(), name, params, str(key))
    assert verdict.aligned, verdict.explanation
    session.history.append(key, name, Call(name, execution.params), execution.delta, execution.changes)
    return key


def test_what_stands_beside_a_block_of_an_entry_that_is_named_is_not_named_too() -> None:
    session = Session("report")
    first = do(session, "add_paragraph", text="The agent's.", place={"at": "end"})
    key = session.history.next_key()
    with session.mirror.edit(str(key)) as editor:
        written = session.mirror.element(f"p{first}.1")
        editor.replace_text(written, 4, 4, "old ")
        session.mirror.element("p3").addnext(editor.new_paragraph("mine"))
    session.history.append_user_edit(editor.delta, editor.changes(), key)
    beside = do(session, "add_paragraph", text="More.", place={"after": {"ids": [f"p{key}.1"]}})
    outcome = session.history.undo([first])
    assert isinstance(outcome, Conflict)
    assert (outcome.dependents, outcome.lost_keys) == ((), (key,))
    assert session.take_back([first]).entries == (first, key)
    assert [b for b in session.mirror.body_blocks() if b not in session.blocks] == [f"p{beside}.1"]


def test_sections_whose_headers_say_the_same_keep_each_its_own_in_a_reading() -> None:
    def headers(document: Any) -> None:
        for at in (1, 0):
            document.sections[at].header.is_linked_to_previous = False
            document.sections[at].header.paragraphs[0].text = "Acme"

    data = edited(doc(p("One."), section(), p("Two."))(), headers)
    mirror = Mirror.open(data)
    ids = [s.get(R + "id") for s in mirror.body.iter(W + "headerReference")]
    assert len(set(ids)) == 2

    def typed(document: Any) -> None:
        run = OxmlElement("w:r")
        run.text = "mine"
        next(
            e for e in document.element.body.iter(W_P) if next(e.iter(W + "sectPr"), None) is not None
        ).append(run)

    assert reading.fold(mirror, History(mirror), Mirror.open(edited(data, typed, noisy)))
    assert "mine" in "".join(texts(mirror))
    assert [s.get(R + "id") for s in mirror.body.iter(W + "headerReference")] == ids


def test_a_space_that_word_does_not_show_is_not_in_what_a_push_expects_to_find() -> None:
    data = doc(p("Status:"))()
    mirror = Mirror.open(
        edited(data, lambda d: setattr(d.paragraphs[0]._p.find(f"{W}r/{W}t"), "text", "Status: "))
    )
    block = mirror.body_blocks()[0]
    assert [leaf.text for leaf in leaves(block, mirror.element(block))] == texts(mirror) == ["Status:"]


def test_a_block_that_is_moved_into_a_cell_and_a_table_into_another_come_back() -> None:
    session = Session("report")
    mirror = session.mirror
    with mirror.edit("1") as editor:
        cell = next(mirror.element("t1").iter(W + "tc"))
        cell.append(mirror.element("p3"))
        cell.insert(1, mirror.element("p4"))
    check_ids(session)
    after, blocks = canonical(mirror), mirror.body_blocks()
    mirror.apply(editor.delta.inverse())
    check_ids(session)
    assert canonical(mirror) == session.base
    mirror.apply(editor.delta)
    check_ids(session)
    assert (canonical(mirror), mirror.body_blocks()) == (after, blocks)


def test_a_later_step_on_a_header_finds_it_again_when_the_step_that_made_it_is_redone() -> None:
    session = Session("report")
    first = do(session, "set_header", text="Acme")
    second = do(session, "replace_text", find="Acme", replace="Globex", scope="headers")
    before = canonical(session.mirror)
    assert session.take_back([first]).entries == (first, second)
    assert canonical(session.mirror) == session.base
    check_ids(session)
    assert isinstance(session.history.redo([first, second]), Rebuilt)
    assert canonical(session.mirror) == before


def test_a_block_that_the_user_deletes_is_not_brought_back_with_what_an_undone_step_did_to_it() -> None:
    session = Session("report")
    first = do(session, "set_text_style", target={"ids": ["p3"]}, italic=True)
    with session.mirror.edit("u") as editor:
        editor.remove(session.mirror.element("p3"))
    mine = session.history.append_user_edit(editor.delta).key
    session.take_back([first])
    assert not session.mirror.has("p3")
    session.take_back([mine])
    assert canonical(session.mirror) == session.base


def test_a_block_that_the_user_moves_keeps_its_place_and_loses_what_an_undone_step_did_to_it() -> None:
    session = Session("report")
    first = do(session, "set_alignment", target={"ids": ["p3"]}, alignment="center")
    with session.mirror.edit("u") as editor:
        session.mirror.element("p1").addprevious(session.mirror.element("p3"))
    session.history.append_user_edit(editor.delta)
    session.take_back([first])
    assert session.mirror.body_blocks()[0] == "p3"
    assert session.mirror.element("p3").find(f"{W}pPr/{W}jc") is None


def test_a_block_that_an_undone_step_made_is_gone_also_when_the_user_moved_it() -> None:
    session = Session("report")
    first = do(session, "add_paragraph", text="New.", place={"at": "end"})
    block = session.history.entry(first).delta.touched().added[-1]
    with session.mirror.edit("u") as editor:
        session.mirror.element("p1").addnext(session.mirror.element(block))
    moved = session.history.append_user_edit(editor.delta, editor.changes()).key
    before = canonical(session.mirror)
    assert session.take_back([first]).entries == (first,)
    assert canonical(session.mirror) == session.base
    assert isinstance(session.history.redo([first]), Rebuilt)
    assert canonical(session.mirror) == before
    session.take_back([moved])
    assert session.mirror.body_blocks()[-1] == block


def test_moves_by_the_user_to_and_fro_do_not_send_a_replay_round_in_circles() -> None:
    session = Session("report")
    first = do(session, "set_alignment", target={"ids": ["p1"]}, alignment="center")
    moves: list[int] = []
    for one, other in (("p3", "p4"), ("p4", "p3"), ("p3", "p4")):
        with session.mirror.edit("u") as editor:
            session.mirror.element(one).addnext(session.mirror.element(other))
            session.mirror.element("p1").addnext(session.mirror.element(one))
        moves.append(session.history.append_user_edit(editor.delta).key)
    with session.mirror.edit("u9") as editor:
        session.mirror.element("p4").addnext(editor.new_paragraph("mine"))
    session.history.append_user_edit(editor.delta)
    for key in (*moves, first):
        session.take_back([key])
    assert [b for b in session.mirror.body_blocks() if b != "pu9.1"] == session.blocks


def test_what_the_user_put_beside_a_block_that_a_redone_step_deletes_stays_where_that_stood() -> None:
    session = Session("report")
    deleted = do(session, "delete_blocks", target={"ids": ["p4"]})
    session.take_back([deleted])
    with session.mirror.edit("u") as editor:
        session.mirror.element("p4").addnext(editor.new_paragraph("mine"))
    session.history.append_user_edit(editor.delta, editor.changes())
    outcome = session.history.redo([deleted])
    assert isinstance(outcome, Rebuilt)
    assert session.mirror.body_blocks()[2:4] == ["p3", "pu.1"]


def test_the_users_own_formats_and_words_stay_when_a_step_on_the_same_paragraph_is_undone() -> None:
    session = Session("report")
    first = do(session, "set_alignment", target={"ids": ["p4"]}, alignment="center")
    with session.mirror.edit("u") as editor:
        element = session.mirror.element("p4")
        editor.set_run_property(editor.isolate(element, 0, 5), "b", {})
        editor.replace_text(element, 10, 10, " (all of them)")
        editor.replace_text(element, 5, 5, " really")
        editor.set_property(editor.ppr(element), "keepNext", {})
    session.history.append_user_edit(editor.delta, editor.changes())
    session.take_back([first])
    record = record_of(session.mirror, "p4")
    assert isinstance(record, Paragraph)
    assert record.text.startswith("Costs really fell (all of them).")
    assert record.properties == (("keepNext", "on"),)
    assert (record.spans[0].end, record.spans[0].properties) == (12, (("bold", "on"),))


def test_what_the_user_types_into_a_cell_stays_when_a_step_on_the_table_is_undone() -> None:
    session = Session("report")
    first = do(session, "set_cell_shading", target={"ids": ["t1"], "row": 1}, color="blue")
    with session.mirror.edit("u") as editor:
        cell = list(session.mirror.element("t1").iter(W_P))[3]
        editor.replace_text(cell, 3, 3, " euro")
    session.history.append_user_edit(editor.delta, editor.changes())
    session.take_back([first])
    record = record_of(session.mirror, "t1")
    assert record.text == "Name\tAmount\nRent\t900 euro\nFood\t120"
    assert session.mirror.element("t1").find(f".//{W}shd") is None


def test_a_user_edit_that_is_more_than_text_and_marks_is_refused_and_not_carried_in_part() -> None:
    session = Session("report")
    first = do(session, "set_alignment", target={"ids": ["p4"]}, alignment="center")
    with session.mirror.edit("u") as editor:
        element = session.mirror.element("p4")
        editor.replace_text(element, 0, 0, "Now ")
        run = element.find(W + "r")
        link_ = OxmlElement("w:hyperlink", {W + "anchor": "mine"})
        run.addprevious(link_)
        link_.append(run)
    session.history.append_user_edit(editor.delta, editor.changes())
    before = canonical(session.mirror)
    outcome = session.history.undo([first])
    assert isinstance(outcome, Conflict)
    assert outcome.lost_edits
    assert canonical(session.mirror) == before


def test_a_place_beside_what_an_earlier_undone_step_made_is_known_when_a_step_before_both_is_undone() -> None:
    session = Session("report")
    other = do(session, "set_alignment", target={"ids": ["p1"]}, alignment="center")
    made = do(session, "add_paragraph", text="First new.", place={"after": {"ids": ["p3"]}})
    block = session.history.entry(made).delta.touched().added[-1]
    last = do(session, "add_paragraph", text="Second new.", place={"after": {"ids": [block]}})
    assert session.take_back([made]).entries == (made,)
    assert session.take_back([other]).entries == (other,)
    assert isinstance(session.history.redo([made]), Rebuilt)
    order = [b for b in session.mirror.body_blocks() if b in (block, "p3") or b.startswith(f"p{last}.")]
    assert order == ["p3", block, f"p{last}.1"]


def test_a_user_edit_in_a_style_that_an_undone_step_made_is_named_and_not_left_without_it() -> None:
    session = Session("report")
    assert find_style(session.mirror, "Hyperlink", "character") is None
    first = do(session, "insert_hyperlink", target={"text": "Costs"}, url="https://example.org/")
    with session.mirror.edit("u") as editor:
        new = editor.new_paragraph("mine")
        editor.set_run_property(new.iter(W + "r"), "rStyle", {"val": "Hyperlink"})
        session.mirror.element("p1").addnext(new)
    session.history.append_user_edit(editor.delta, editor.changes())
    before = canonical(session.mirror)
    outcome = session.history.undo([first])
    assert isinstance(outcome, Conflict)
    assert "the style Hyperlink is not defined" in outcome.lost_edits[0]
    assert canonical(session.mirror) == before


def test_a_delta_whose_relationship_is_taken_is_refused() -> None:
    session = Session("report")
    with session.mirror.edit("1") as editor:
        session.mirror.document.add_picture(io.BytesIO(png(colour=(1, 1, 1))))
    session.mirror.apply(editor.delta.inverse())
    with session.mirror.edit("2"):
        session.mirror.document.part.relate_to("https://example.org/", RT.HYPERLINK, is_external=True)
    before = canonical(session.mirror)
    with pytest.raises(RevisionMismatch, match="relationship"):
        session.mirror.apply(editor.delta)
    assert canonical(session.mirror) == before
    check_ids(session)


def test_an_operation_that_crashes_when_it_is_run_again_is_a_conflict_and_changes_nothing() -> None:
    session = Session("report")
    first = do(session, "set_alignment", target={"ids": ["p1"]}, alignment="center")
    second = do(session, "set_alignment", target={"ids": ["p3"]}, alignment="center")
    before = canonical(session.mirror)

    def crash(*_: Any) -> None:
        raise AttributeError("a fault of its own")

    broken = replace(catalogue()["set_alignment"], run=crash)
    session.history.catalogue = Catalogue([broken])
    outcome = session.history.undo([first])
    assert isinstance(outcome, Conflict)
    assert outcome.dependents == (second,)
    assert "a fault of its own" in outcome.reasons[0]
    assert canonical(session.mirror) == before


def test_a_removal_that_lxml_refuses_is_not_taken_for_one() -> None:
    session = Session("report")
    with session.mirror.edit("1") as editor:
        with pytest.raises(ValueError, match="not a child"):
            session.mirror.element("t1").remove(session.mirror.element("p3"))
        with pytest.raises(ValueError, match="itself"):
            next(session.mirror.element("t1").iter(W_P)).append(session.mirror.element("t1"))
    check_ids(session)
    session.mirror.apply(editor.delta.inverse())
    check_ids(session)
    assert canonical(session.mirror) == session.base
