"""Random sequences of every operation and of the user's own edits, undone and redone in any order.

Each sequence is plain data: a document, and actions whose `seed` decides what they act on in the document as it is then.
`make soak` searches longer (Hypothesis profile "search").
"""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import pytest
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml import OxmlElement
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.document.mirror import Mirror, inner_elements
from agent.document.names import MC, W_P, W_TBL, WP, W
from agent.document.outline import headings
from agent.document.records import Paragraph, cells_of, record_of, rows_of
from agent.document.styles import find_style
from agent.document.text import text_of
from agent.errors import AgentError, RevisionMismatch
from agent.history import (
    Conflict,
    History,
    Rebuilt,
    run_and_judge,
)
from agent.operations.catalogue import Catalogue, Operation, catalogue
from agent.operations.specimens import (
    bullets,
    doc,
    footer,
    h,
    header,
    image,
    link,
    merged_table,
    numbered,
    p,
    png,
    section,
    table,
    title,
)
from agent.operations.targets import Wants
from agent.steps import Call
from tests.corpus import corpus_file
from tests.support.documents import canonical

SPECIMENS = {
    "report": doc(
        title("Report"),
        h(1, "Scope"),
        p("Revenue grew by ", ("5 percent", {"bold": True}), " in Acme."),
        p("Costs fell. Dear [Name], see {{Company}}."),
        bullets("apples", "pears"),
        table([["Name", "Amount"], ["Rent", "900"], ["Food", "120"]]),
        h(1, "Plan"),
        link("See ", "our website", "https://example.com/", " for more."),
        numbered("first", "second"),
    ),
    "layout": doc(
        header("Acme Confidential"),
        footer("Version 1"),
        h(1, "Goals"),
        p("Wide text."),
        section(landscape=True),
        image("a logo"),
        merged_table([["A", "B", "C"], ["1", "2", "3"], ["4", "5", "6"]], (0, 0), (0, 1)),
        p("Last line."),
    ),
    "bare": doc(p("Only one line.")),
}
FILES = (
    "python-docx__comments-rich-para.docx",
    "docx-parse-eval__textbox.docx",
    "mammoth__footnote-hyperlink.docx",
    "mammoth__strict-format.docx",
    "docx-revisions__OXML_TrackChanges_Test.docx",
    "python-docx-ng__macro-enabled.docm",
    "pydocx__nested_table_rowspan.docx",
    "docx2html__header_footer_problem.docx",
    "docx-plus__sample-1.docx",
    "python-docx-ng__frm-form-fields.docx",
    "python-docx__having-images.docx",
    "pydocx__list_in_table.docx",
)
DOCUMENTS = (*SPECIMENS, *SPECIMENS, *SPECIMENS, *FILES)
OPERATIONS = tuple(catalogue())


def mark(key: int) -> str:
    """What the user types in the edit with that number: letters that are nowhere else."""
    return chr(0x4E00 + 2 * key) + chr(0x4E01 + 2 * key)


@lru_cache(maxsize=64)
def data_of(name: str) -> bytes:
    return SPECIMENS[name]() if name in SPECIMENS else corpus_file(name).read_bytes()


# -- actions -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Do:
    """The agent calls an operation as in one of its examples, on something else."""

    operation: str
    seed: int


@dataclass(frozen=True)
class Type:
    """The user replaces some characters of a paragraph."""

    seed: int


@dataclass(frozen=True)
class Insert:
    """The user types a new paragraph."""

    seed: int


@dataclass(frozen=True)
class Remove:
    """The user deletes a block."""

    seed: int


@dataclass(frozen=True)
class Format:
    """The user makes some words bold and their paragraph stand apart."""

    seed: int


@dataclass(frozen=True)
class Move:
    """The user drags a block to another place."""

    seed: int


@dataclass(frozen=True)
class Paste:
    """The user pastes a picture at the end."""

    seed: int


@dataclass(frozen=True)
class TypeInHeader:
    """The user types into a header or footer that is there."""

    seed: int


Mine = Type | Insert | Remove | Format | Move | Paste | TypeInHeader
Action = Do | Mine
SEEDS = st.integers(0, 2**16)
ACTIONS = st.one_of(
    st.builds(Do, st.sampled_from(OPERATIONS), SEEDS),
    st.builds(Do, st.sampled_from(OPERATIONS), SEEDS),
    st.builds(Do, st.sampled_from(OPERATIONS), SEEDS),
    st.builds(Type, SEEDS),
    st.builds(Insert, SEEDS),
    *(st.builds(kind, SEEDS) for kind in (Remove, Format, Move, Paste, TypeInHeader)),
)
SEQUENCES = st.lists(ACTIONS, min_size=2, max_size=7)


class Session:
    """A document with a history, and what the actions did to it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.mirror = Mirror.open(data_of(name), name)
        self.history = History(self.mirror)
        self.base = canonical(self.mirror)
        self.blocks = self.mirror.body_blocks()
        self.twice = twice(self.mirror)

    def run(self, actions: Sequence[Action]) -> None:
        for action in actions:
            match action:
                case Do():
                    self._do(action)
                case _:
                    self._user(action)
            check_ids(self)

    def _do(self, action: Do) -> None:
        rng = random.Random(action.seed)
        operation = catalogue()[action.operation]
        params = retargeted(self.mirror, operation, rng)
        before = canonical(self.mirror)
        key = self.history.next_key()
        try:
            execution, verdict = run_and_judge(self.mirror, catalogue(), operation.name, params, str(key))
        except AgentError:
            assert canonical(self.mirror) == before, "a refused call changed the document"
            return
        if not verdict.aligned:
            self.mirror.apply(execution.delta.inverse())
            assert canonical(self.mirror) == before, "a step that was rolled back left something"
            return
        call = Call(operation.name, execution.params)
        self.history.append(key, operation.name, call, execution.delta, execution.changes)

    def _user(self, action: Mine) -> None:
        rng = random.Random(action.seed)
        mirror = self.mirror
        key = self.history.next_key()
        words = mark(key)
        with mirror.edit(f"u{key}") as editor:
            match action:
                case Type() | TypeInHeader():
                    roots = [mirror.body] if isinstance(action, Type) else headers(mirror)
                    paragraphs = [e for r in roots for e in r.iter(W_P) if mirror.id_of(e) is not None]
                    if not paragraphs:
                        return
                    element = rng.choice(paragraphs)
                    length = len(text_of(element))
                    at = rng.randint(0, length)
                    editor.replace_text(element, at, min(length, at + rng.choice((0, 0, 0, 3))), words)
                case Format():
                    written = [e for e in mirror.body.iter(W_P) if text_of(e) and mirror.id_of(e) is not None]
                    if not written:
                        return
                    element = rng.choice(written)
                    at = rng.randrange(len(text_of(element)))
                    editor.set_run_property(editor.isolate(element, at, at + 4), "b", {})
                    editor.set_property(editor.ppr(element), "keepNext", {})
                case Move():
                    blocks = [b for b in mirror.body_blocks() if free(mirror.element(b))]
                    if len(blocks) < 2:
                        return
                    one, other = rng.sample(blocks, 2)
                    mirror.element(one).addnext(mirror.element(other))
                case Paste():
                    colour = (rng.randrange(256), rng.randrange(256), rng.randrange(256))
                    number = editor.next_drawing_id()
                    made = mirror.document.add_picture(io.BytesIO(png(colour=colour)))
                    made._inline.docPr.set("id", str(number))
                case Insert():
                    blocks = mirror.body_blocks()
                    new = editor.new_paragraph(words)
                    if blocks:
                        editor.place(rng.choice(("after", "before")), rng.choice(blocks), [new])
                    else:
                        editor.append_to_body(new)
                case Remove():
                    blocks = [b for b in mirror.body_blocks() if free(mirror.element(b))]
                    if len(blocks) < 2:
                        return
                    editor.remove(mirror.element(rng.choice(blocks)))
        if editor.delta:
            self.history.append(key, f"your edit {key}", None, editor.delta, editor.changes())

    def typed(self) -> set[str]:
        """What the user typed and is to be read in the document."""
        roots = [self.mirror.body, *headers(self.mirror)]
        every = "\n".join(text_of(e) for root in roots for e in root.iter(W_P))
        return {m for m in (mark(e.key) for e in self.history.entries) if m in every}

    def take_back(self, keys: Sequence[int]) -> Rebuilt:
        """Undo, with what depends on it when it is refused; a refusal changes nothing."""
        for _ in range(len(self.history.entries) + 1):
            before, marks, typed = canonical(self.mirror), self.marks(), self.typed()
            outcome = self.history.undo(keys)
            check_ids(self)
            if isinstance(outcome, Rebuilt):
                mine = {mark(k) for k in keys}
                assert typed - self.typed() <= mine, "what the user typed is lost"
                return outcome
            assert canonical(self.mirror) == before, "a conflict changed the document"
            assert self.marks() == marks
            assert len(outcome.dependents) == len(outcome.reasons)
            more = {*outcome.dependents, *outcome.lost_keys}
            assert more - set(keys), "a conflict that names nothing new"
            keys = [*keys, *more]
        raise AssertionError("undo never ends")

    def marks(self) -> list[tuple[int, bool]]:
        return [(e.key, e.undone) for e in self.history.entries]


def headers(mirror: Mirror) -> list[Any]:
    """Roots of headers and footers."""
    return [s.container for s in mirror.stories() if s.container.tag in (W + "hdr", W + "ftr")]


def free(block: Any) -> bool:
    """Whether a user's program could delete this block by itself and leave a sound file."""
    tied = ("fldChar", "bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "sectPr")
    return not any(next(block.iter(W + name), None) is not None for name in tied)


def replayed(session: Session) -> Mirror:
    """The live entries on the document as it was opened, one after the other."""
    fresh = Mirror.open(data_of(session.name), session.name)
    history = History(fresh, [replace(entry, undone=True) for entry in session.history.entries])
    assert isinstance(history.redo([e.key for e in session.history.live()]), Rebuilt)
    return fresh


# -- what a call acts on -----------------------------------------------------------------------------------------------


def retargeted(mirror: Mirror, operation: Operation[Any], rng: random.Random) -> dict[str, Any]:
    """Parameters of one of the operation's examples, with other targets and places."""
    found = rng.choice([e for e in operation.examples if e.raises is None])
    params = dict(found.params)
    for name, value in params.items():
        if name == "place" or (isinstance(value, dict) and {"after", "before", "at"} & set(value)):
            params[name] = a_place(mirror, rng) or value
        elif name in operation.wants:
            params[name] = a_target(mirror, operation.wants[name], rng) or value
    if "find" in params and rng.random() < 0.8:
        words = [w for e in mirror.body.iter(W_P) for w in text_of(e).split()]
        if words:
            params["find"] = rng.choice(words)
            params.pop("within", None)
            params.pop("scope", None)
    return params


def a_place(mirror: Mirror, rng: random.Random) -> dict[str, Any] | None:
    blocks = mirror.body_blocks()
    if not blocks or rng.random() < 0.15:
        return {"at": rng.choice(("start", "end"))}
    return {rng.choice(("after", "before")): {"ids": [rng.choice(blocks)]}}


def a_target(mirror: Mirror, wants: Wants, rng: random.Random) -> dict[str, Any] | None:
    match wants:
        case Wants.BLOCKS:
            blocks = mirror.body_blocks()
            if not blocks:
                return None
            at = rng.randrange(len(blocks))
            return {"ids": blocks[at : at + rng.choice((1, 1, 2))]}
        case Wants.PARAGRAPHS | Wants.SPANS:
            return a_text(mirror, rng)
        case Wants.DRAWING | Wants.DRAWINGS:
            return {"picture": rng.choice((1, -1))}
        case _:
            tables = [e for e in mirror.body.iter(W_TBL) if mirror.id_of(e) is not None]
            if not tables:
                return None
            tbl = rng.choice(tables)
            found: dict[str, Any] = {"ids": [mirror.id_of(tbl)]}
            rows = rows_of(tbl)
            if rows and wants not in (Wants.TABLE, Wants.TABLES):
                row = rng.randrange(len(rows))
                found["row"] = row + 1
                if wants is Wants.CELL or (wants is Wants.CELLS and rng.random() < 0.5):
                    found["column"] = rng.randrange(max(len(cells_of(rows[row])), 1)) + 1
            return found


def a_text(mirror: Mirror, rng: random.Random) -> dict[str, Any] | None:
    if rng.random() < 0.15:
        titles = [x.text for x in headings(mirror) if x.text.strip()]
        return rng.choice([{"every": "heading"}, *({"section": t} for t in titles)])
    paragraphs = [e for e in mirror.body.iter(W_P) if mirror.id_of(e) is not None]
    written = [e for e in paragraphs if text_of(e).strip()] if rng.random() < 0.9 else paragraphs
    if not written:
        return None
    element = rng.choice(written)
    target: dict[str, Any] = {"ids": [mirror.id_of(element)]}
    words = text_of(element).split()
    if words and rng.random() < 0.5:
        target |= {"text": rng.choice(words), "nth": 1}
    return target


# -- what must hold of every state -------------------------------------------------------------------------------------


def twice(mirror: Mirror) -> Counter[tuple[str, str]]:
    """Drawing, bookmark and comment ids that are there more than once."""
    found: Counter[tuple[str, str]] = Counter()
    for story in mirror.stories():
        if "#" in story.key:
            continue
        for element in story.container.iter(WP + "docPr"):
            if not any(a.tag == MC + "Fallback" for a in element.iterancestors()):
                found["drawing", element.get("id", "")] += 1
        for name in ("bookmarkStart", "comment"):
            for element in story.container.iter(W + name):
                found[name, element.get(W + "id", "")] += 1
    return Counter({k: n for k, n in found.items() if n > 1})


def check_ids(session: Session) -> None:
    """The mirror's ids are those of the elements that are in the document, one each; so are the file's own."""
    mirror = session.mirror
    seen: dict[str, Any] = {}
    for element, owner in addressable(mirror):
        block = mirror.id_of(element)
        assert block is not None, f"{element.tag} has no id"
        assert block not in seen, f"{block} is there twice"
        seen[block] = element
        assert mirror.element(block) is element
        assert mirror.owner(block) == (mirror.id_of(owner) or block)
    known = set(mirror._elements)  # pyright: ignore[reportPrivateUsage]
    assert known == set(seen), f"ids of what is gone: {sorted(known - set(seen))[:5]}"
    assert len(mirror._ids) == len(seen)  # pyright: ignore[reportPrivateUsage]
    assert not twice(mirror) - session.twice, "an id is used twice"


def addressable(mirror: Mirror) -> Iterator[tuple[Any, Any]]:
    for story in mirror.stories():
        for block in story.container:
            if isinstance(block.tag, str) and block.tag != W + "body":
                yield block, block
                yield from ((inner, block) for inner in inner_elements(block))


# -- the laws ----------------------------------------------------------------------------------------------------------

BOUNDED = settings(
    max_examples=settings().max_examples // 3,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@BOUNDED
@given(st.sampled_from(DOCUMENTS), SEQUENCES, st.randoms(use_true_random=False))
def test_undoing_everything_in_any_order_gives_the_document_before(
    name: str, actions: list[Action], rng: random.Random
) -> None:
    session = Session(name)
    session.run(actions)
    keys = [e.key for e in session.history.entries]
    rng.shuffle(keys)
    for key in keys:
        session.take_back([key])
    assert canonical(session.mirror) == session.base
    assert session.mirror.body_blocks() == session.blocks


@BOUNDED
@given(st.sampled_from(DOCUMENTS), SEQUENCES, st.randoms(use_true_random=False))
def test_undoing_some_equals_replaying_without_them_and_redo_gives_back_the_same(
    name: str, actions: list[Action], rng: random.Random
) -> None:
    session = Session(name)
    session.run(actions)
    before, blocks = canonical(session.mirror), session.mirror.body_blocks()
    keys = [e.key for e in session.history.entries]
    if not keys:
        return
    outcome = session.take_back(rng.sample(keys, rng.randint(1, min(3, len(keys)))))
    fresh = replayed(session)
    assert canonical(session.mirror) == canonical(fresh)
    assert session.mirror.body_blocks() == fresh.body_blocks()
    again = session.history.redo(outcome.entries)
    check_ids(session)
    assert isinstance(again, Rebuilt), again
    assert canonical(session.mirror) == before
    assert session.mirror.body_blocks() == blocks


# -- found before ------------------------------------------------------------------------------------------------------


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


def do(session: Session, name: str, **params: Any) -> int:
    key = session.history.next_key()
    execution, verdict = run_and_judge(session.mirror, catalogue(), name, params, str(key))
    assert verdict.aligned, verdict.explanation
    session.history.append(key, name, Call(name, execution.params), execution.delta, execution.changes)
    return key
