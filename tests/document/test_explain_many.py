"""How changes of many places are said in one sentence."""

from __future__ import annotations

import pytest

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.operations.specimens import Piece, bullets, doc, h, p
from tests.operations.trial import attempt

MANY: tuple[Piece, ...] = tuple(p(f"{n} is plain", (" and loud", {"bold": True})) for n in "ABCDE")


def said(pieces: tuple[Piece, ...], name: str, **params: object) -> str:
    return explain(attempt(Mirror.open(doc(*pieces)()), name, params).changes)


@pytest.mark.parametrize(
    ("pieces", "name", "params", "says"),
    [
        (
            MANY,
            "set_text_style",
            {"target": {"text": "loud", "all": True}, "bold": False},
            "5 places with 'loud' are no longer bold; nothing else changed.",
        ),
        (
            MANY,
            "apply_style",
            {"target": {"every": "paragraph"}, "style": "Quote", "clear_direct": True},
            "5 paragraphs now have the style Quote and no formatting of their own; nothing else changed.",
        ),
        (
            (h(1, "Scope"), *MANY, *[bullets("One", "Two")]),
            "set_line_spacing",
            {"target": {"where": "document"}, "spacing": 2},
            "8 paragraphs have double line spacing; nothing else changed.",
        ),
        (
            MANY[:2],
            "apply_style",
            {"target": {"where": "document"}, "style": "Quote", "clear_direct": True},
            "Paragraph 'A is plain and loud' and paragraph 'B is plain and loud' now have the style Quote and no "
            "formatting of their own; nothing else changed.",
        ),
    ],
)
def test_many_places_are_counted(
    pieces: tuple[Piece, ...], name: str, params: dict[str, object], says: str
) -> None:
    assert said(pieces, name, **params) == says
