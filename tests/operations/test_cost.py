"""A step on one block does as much in a long document as in a short one: counted in calls of functions, not in time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from agent.document.delta import ReplaceInside
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL
from agent.document.outline import HEADINGS
from agent.document.state import state
from agent.history import run_and_judge
from agent.operations.catalogue import catalogue
from benchmarks.documents import one_table, synthetic

SHORT, LONG = 400, 4_000


@pytest.fixture(scope="module")
def documents() -> dict[int, Mirror]:
    found = {size: Mirror.open(synthetic(size)) for size in (SHORT, LONG)}
    for mirror in found.values():
        state(mirror)
    return found


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mirror, "paranoid", False)  # reading all again costs what the document costs


def calls_of(work: Callable[[], Any]) -> int:
    """How many functions, of Python and of C, are called."""
    count = 0

    def seen(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def step_and_back(mirror: Mirror, name: str, params: dict[str, Any]) -> None:
    execution, verdict = run_and_judge(mirror, catalogue(), name, params, "9")
    assert verdict.aligned, verdict.explanation
    mirror.apply(execution.delta.inverse())


def plain_paragraphs(mirror: Mirror) -> list[str]:
    return [b for b in mirror.body_blocks() if mirror.element(b).tag == W_P and len(mirror.element(b)) == 4]


STEPS: dict[str, Callable[[str, str, str], dict[str, Any]]] = {
    "set_alignment": lambda a, b, h: {"target": {"ids": [a]}, "alignment": "right"},
    "set_text_style": lambda a, b, h: {"target": {"ids": [a]}, "underline": True},
    "set_font_color": lambda a, b, h: {"target": {"ids": [a]}, "color": "purple"},
    "set_line_spacing": lambda a, b, h: {"target": {"paragraph": 40}, "spacing": 1.7},
    "apply_style": lambda a, b, h: {"target": {"ids": [a]}, "style": "Quote"},
    "add_paragraph": lambda a, b, h: {"place": {"after": {"ids": [a]}}, "text": "New."},
    "add_heading": lambda a, b, h: {"place": {"after": {"ids": [a]}}, "text": "New", "level": 1},
    "add_list": lambda a, b, h: {"place": {"after": {"ids": [a]}}, "items": ["One", "Two"], "kind": "bullet"},
    "insert_table": lambda a, b, h: {"place": {"after": {"ids": [a]}}, "rows": 2, "columns": 2},
    "insert_page_break": lambda a, b, h: {"place": {"before": {"ids": [a]}}},
    "delete_blocks": lambda a, b, h: {"target": {"ids": [a]}},
    "move_blocks": lambda a, b, h: {"target": {"ids": [a]}, "place": {"after": {"ids": [b]}}},
    "add_comment": lambda a, b, h: {"target": {"ids": [a]}, "text": "Why?"},
    "insert_hyperlink": lambda a, b, h: {"target": {"heading": h}, "url": "https://example.com/"},
    "set_cell_text": lambda a, b, h: {"target": {"table": 2, "row": 2, "column": 2}, "text": "New"},
}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_on_one_block_does_not_walk_the_document(name: str, documents: dict[int, Mirror]) -> None:
    costs: dict[int, int] = {}
    for size, mirror in documents.items():
        paragraphs = plain_paragraphs(mirror)
        heading = mirror.index.all(HEADINGS)[5].text
        params = STEPS[name](paragraphs[60], paragraphs[75], heading)
        step_and_back(mirror, name, params)  # what is found out once
        costs[size] = calls_of(lambda m=mirror, p=params: step_and_back(m, name, p))
    assert costs[LONG] <= 1.3 * costs[SHORT] + 400, costs


def test_a_change_in_a_large_table_is_told_by_what_changed_and_costs_no_more_than_in_a_small_one() -> None:
    costs: list[int] = []
    for rows in (20, 2_000):
        mirror = Mirror.open(one_table(rows, 6))
        state(mirror)
        table = next(b for b in mirror.body_blocks() if mirror.element(b).tag == W_TBL)
        cell = [mirror.id_of(e) for e in mirror.element(table).iter(W_P)][50]
        params = {"target": {"ids": [cell]}, "text": "New"}
        step_and_back(mirror, "set_cell_text", params)
        costs.append(calls_of(lambda m=mirror, p=params: step_and_back(m, "set_cell_text", p)))
        execution, _ = run_and_judge(mirror, catalogue(), "set_cell_text", params, "9")
        (edit,) = execution.delta.edits
        assert isinstance(edit, ReplaceInside)
        assert (edit.id, len(edit.path)) == (table, 3)
        assert len(edit.before.xml) < 100
    assert costs[1] <= 1.3 * costs[0] + 400, costs
