"""Steps on text and blocks taken back in any order: what stands on others is run again, or is a conflict that says why."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from agent.document.mirror import Mirror
from agent.history import Conflict, History, run_and_judge
from agent.steps import Call
from tests.support.documents import canonical

REPORT = Path(__file__).parents[2] / "server" / "samples" / "quarterly-report.docx"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("add_paragraph", {"place": {"after": {"section": "Introduction"}}, "text": "Reviewed by **Finance**."}),
    ("add_heading", {"place": {"before": {"heading": "Next steps"}}, "text": "Outlook"}),
    ("add_list", {"place": {"after": {"heading": "Outlook"}}, "items": ["Grow", "Learn"], "kind": "number"}),
    ("add_list_item", {"place": {"after": {"text": "Prepare the budget"}}, "text": "Report to the board"}),
    ("replace_text", {"find": "per cent", "replace": "%"}),
    ("delete_blocks", {"target": {"section": "What did not go well"}}),
    ("delete_blocks", {"target": {"picture": 1}}),
    ("move_blocks", {"target": {"section": "Next steps"}, "place": {"before": {"section": "Summary"}}}),
    ("insert_text", {"target": {"where": "title"}, "text": "(draft)", "position": "end"}),
    ("rewrite_paragraph", {"target": {"ids": ["p7"]}, "text": "The South region needs attention now."}),
    ("change_case", {"target": {"every": "heading"}, "case": "upper"}),
    ("add_comment", {"target": {"text": "1,488", "nth": 1}, "text": "Source?"}),
    ("insert_hyperlink", {"target": {"text": "South region", "nth": 1}, "heading": "Outlook"}),
]


def carried_out() -> History:
    history = History(Mirror.open(REPORT.read_bytes()))
    for name, params in CALLS:
        key = history.next_key()
        execution, verdict = run_and_judge(history.mirror, history.catalogue, name, params, str(key))
        assert verdict.aligned, verdict.explanation
        history.append(key, name, Call(name, execution.params), execution.delta, execution.changes)
    return history


def test_each_step_can_be_taken_back_alone_and_done_again() -> None:
    history = carried_out()
    end = canonical(history.mirror)
    conflicts: dict[str, tuple[str, ...]] = {}
    for entry in history.entries:
        outcome = history.undo([entry.key])
        if isinstance(outcome, Conflict):
            conflicts[entry.title] = outcome.reasons
        else:
            assert canonical(history.mirror) != end
            assert not isinstance(history.redo([entry.key]), Conflict)
        assert canonical(history.mirror) == end
    assert list(conflicts) == ["add_heading"]
    assert "The heading that the link leads to is not there any more." in conflicts["add_heading"][0]


@pytest.mark.parametrize("seed", range(4))
def test_all_steps_taken_back_in_any_order_give_the_document_before(seed: int) -> None:
    history = carried_out()
    end = canonical(history.mirror)
    left = [e.key for e in history.entries]
    random.Random(seed).shuffle(left)
    while left:
        refused = [k for k in left if isinstance(history.undo([k]), Conflict)]
        assert len(refused) < len(left), "no step can be taken back"
        left = refused
    assert canonical(history.mirror) == canonical(Mirror.open(REPORT.read_bytes()))
    history.redo([e.key for e in history.entries])
    assert canonical(history.mirror) == end
