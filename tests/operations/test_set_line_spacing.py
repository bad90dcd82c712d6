from __future__ import annotations

import pytest

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import W
from agent.errors import InvalidValue, NoOp
from agent.operations.specimens import doc, p
from tests.operations.test_set_text_style import first, with_paragraph
from tests.operations.trial import attempt


def test_the_space_around_the_paragraph_stays() -> None:
    mirror = with_paragraph(
        '<w:pPr><w:spacing w:before="120" w:after="240"/></w:pPr><w:r><w:t>word</w:t></w:r>'
    )
    attempt(mirror, "set_line_spacing", {"target": {"paragraph": 1}, "spacing": 2})
    spacing = {k.removeprefix(W): v for k, v in first(mirror).find(f"{W}pPr/{W}spacing").items()}
    assert spacing == {"before": "120", "after": "240", "line": "480", "lineRule": "auto"}


def test_the_same_number_by_another_rule_is_told() -> None:
    mirror = with_paragraph(
        '<w:pPr><w:spacing w:line="360" w:lineRule="auto"/></w:pPr><w:r><w:t>word</w:t></w:r>'
    )
    done = attempt(mirror, "set_line_spacing", {"target": {"paragraph": 1}, "exact": 18})
    assert (
        explain(done.changes) == "Paragraph 'word' has line spacing of exactly 18 pt; nothing else changed."
    )
    with pytest.raises(NoOp):
        attempt(mirror, "set_line_spacing", {"target": {"paragraph": 1}, "exact": "18pt"})


def test_two_ways_at_once_and_none_are_refused() -> None:
    mirror = Mirror.open(doc(p("x"))())
    for params in ({}, {"spacing": 1.5, "exact": 12}, {"spacing": 0}, {"at_least": "two"}):
        with pytest.raises(InvalidValue):
            attempt(mirror, "set_line_spacing", {"target": {"paragraph": 1}, **params})
