from __future__ import annotations

import pytest

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import W
from agent.errors import InvalidValue
from agent.operations.specimens import doc, p
from tests.operations.test_set_text_style import first, with_paragraph
from tests.operations.trial import attempt

THEMED = '<w:r><w:rPr><w:color w:val="FF0000" w:themeColor="accent1" w:themeShade="BF"/></w:rPr><w:t>word</w:t></w:r>'


def test_a_theme_colour_gives_way() -> None:
    mirror = with_paragraph(THEMED)
    attempt(mirror, "set_font_color", {"target": {"text": "word"}, "color": "blue"})
    assert dict(first(mirror).find(f"{W}r/{W}rPr/{W}color").items()) == {W + "val": "0070C0"}


def test_the_same_value_without_its_theme_colour_is_a_change_that_is_told() -> None:
    mirror = with_paragraph(THEMED)
    done = attempt(mirror, "set_font_color", {"target": {"text": "word"}, "color": "red"})
    assert "theme" in explain(done.changes)


def test_automatic_is_a_colour() -> None:
    mirror = with_paragraph(THEMED)
    done = attempt(mirror, "set_font_color", {"target": {"paragraph": 1}, "color": "Automatic"})
    assert explain(done.changes) == "Paragraph 'word' is now automatic; nothing else changed."


def test_an_unknown_colour_names_near_ones() -> None:
    with pytest.raises(InvalidValue, match="dark blue"):
        attempt(
            Mirror.open(doc(p("x"))()), "set_font_color", {"target": {"paragraph": 1}, "color": "drak blue"}
        )
