"""Operations on words that stand in text boxes, headers, footers and notes only."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from agent.document import scopes
from agent.document import text as texts
from agent.document.editor import Editor
from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import MC, W_P, W_RPR, W_T, W_TXBX, W
from agent.document.text import text_of
from agent.errors import OperationError
from agent.operations.catalogue import Catalogue, catalogue
from agent.operations.execution import execute
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, footer, header, p
from agent.operations.targets import Target
from agent.verification.code_verdict import judge
from tests.operations.crowded import CROWDED
from tests.operations.trial import attempt, refused, tried

PLACES = [
    "in header",
    "in footer",
    "in footnotes",
    "in endnotes",
    "in a box",
    "in an old box",
    "in custom XML",
]


@pytest.mark.parametrize("words", PLACES)
@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("set_text_style", {"bold": True}),
        ("set_font_color", {"color": "red"}),
        ("set_font", {"size": 15}),
        ("set_alignment", {"alignment": "center"}),
        ("set_line_spacing", {"spacing": 2}),
        ("change_case", {"case": "upper"}),
        ("rewrite_paragraph", {"text": "Globex in it"}),
    ],
)
def test_words_are_found_there_and_the_call_is_verified_and_undone(
    words: str, name: str, params: dict[str, Any]
) -> None:
    tried(CROWDED, name, {"target": {"text": words}, **params})


def test_the_body_comes_first() -> None:
    data = doc(header("Draft"), p("A draft."), footer("Draft, 2024"))()
    mirror, execution = tried(
        data, "set_text_style", {"target": {"text": "Draft", "all": True}, "bold": True}
    )
    assert execution.params["target"]["ids"] == ["p1"]
    message = refused(
        doc(header("Draft"), p("Text."), footer("Draft"))(),
        "set_text_style",
        {"target": {"text": "Draft"}, "bold": True},
        OperationError,
    )
    assert "header1.p1" in message
    assert "footer1.p1" in message
    assert mirror.body is not None


def test_words_in_a_block_are_also_those_in_its_text_boxes() -> None:
    mirror = Mirror.open(CROWDED)
    beside = next(q for q in scopes.paragraphs(mirror, "body") if "beside a box" in text_of(q))
    target = {"ids": [mirror.id_of(beside)], "text": "in a box"}
    execution = attempt(mirror, "set_text_style", {"target": target, "bold": True})
    (block,) = execution.params["target"]["ids"]
    assert text_of(mirror.element(block)) == "Acme in a box"


def test_a_text_box_in_a_table_counts_once() -> None:
    mirror = Mirror.open(CROWDED)
    with mirror.edit("1") as editor:
        cell = next(mirror.body.iter(W + "tc"))
        cell.insert(0, copy.deepcopy(next(q for q in mirror.body if "beside a box" in text_of(q))))
        table = editor.id(next(cell.iterancestors(W + "tbl")))
    spans = Resolver(mirror).spans(Target(ids=[table], text="Acme in a box"))
    assert len(spans) == 1


def test_both_copies_of_a_text_box_are_formatted() -> None:
    mirror, _ = tried(CROWDED, "set_text_style", {"target": {"text": "in a box"}, "italic": True})
    copies = [q for box in mirror.body.iter(W_TXBX) for q in box.iter(W_P) if text_of(q) == "Acme in a box"]
    assert len(copies) == 2
    assert sum(any(a.tag == MC + "Fallback" for a in q.iterancestors()) for q in copies) == 1
    for q in copies:
        italic = [r for r in q.iter(W + "r") if r.find(f"{W_RPR}/{W}i") is not None]
        assert [texts.node_text(n) for r in italic for n in r if n.tag == W_T] == ["in a box"]


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("insert_table", {"place": {"after": {"text": "in header"}}, "rows": 1, "columns": 1}),
        ("add_paragraph", {"place": {"before": {"text": "in footnotes"}}, "text": "x"}),
        ("delete_blocks", {"target": {"text": "in footer"}}),
    ],
)
def test_blocks_of_the_body_are_not_looked_for_elsewhere(name: str, params: dict[str, Any]) -> None:
    assert "is not in the document" in refused(CROWDED, name, params, OperationError)


def test_the_rest_of_a_note_is_watched() -> None:
    _, execution = tried(CROWDED, "set_text_style", {"target": {"text": "in footnotes"}, "bold": True})
    assert explain(execution.changes).endswith("is formatted differently; nothing else changed.")
    honest = catalogue()["set_text_style"]

    def run(editor: Editor, bound: Any) -> None:
        honest.run(editor, bound)
        own = editor.element(bound.target.ids[0])
        beside = next(q for q in own.getparent() if q.tag == W_P and q is not own)
        editor.set_run_property(texts.runs_of(beside), "b", {})

    careless = Catalogue([replace(honest, run=run)])
    mirror = Mirror.open(CROWDED)
    verdict = judge(mirror, execute(mirror, careless, "set_text_style", dict(execution.params), "1"))
    assert not verdict.aligned
    assert "something else changed in the note" in verdict.explanation


@pytest.mark.parametrize("words", ["in header", "in footnotes"])
def test_what_a_call_was_bound_to_is_found_in_a_file_that_was_just_opened(words: str) -> None:
    _, execution = tried(CROWDED, "change_case", {"target": {"text": words}, "case": "upper"})
    ids = execution.params["target"]["ids"]
    assert [Mirror.open(CROWDED).has(i) for i in ids] == [True]
    mirror, _ = tried(CROWDED, "change_case", dict(execution.params))
    assert text_of(mirror.element(ids[0])) == f"Acme {words.upper()}"
    assert not Mirror.open(CROWDED).has("header99.p1")
