from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.document.mirror import Mirror
from agent.document.names import W_P, W_VAL, W
from agent.errors import InvalidValue
from agent.operations.specimens import doc, h, p
from tests.corpus import manifest
from tests.operations.test_set_text_style import first, with_paragraph
from tests.operations.trial import attempt


def font(mirror: Mirror, target: dict[str, Any], **wanted: Any) -> None:
    attempt(mirror, "set_font", {"target": target, **wanted})


def fonts(run: Any) -> dict[str, str]:
    found = run.find(f"{W}rPr/{W}rFonts")
    return {k.removeprefix(W): v for k, v in found.items()} if found is not None else {}


def test_theme_fonts_give_way_to_the_named_font() -> None:
    mirror = with_paragraph(
        '<w:r><w:rPr><w:rFonts w:asciiTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi" w:eastAsiaTheme="minorEastAsia" '
        'w:cstheme="minorBidi"/></w:rPr><w:t>word</w:t></w:r>'
    )
    font(mirror, {"paragraph": 1}, font="Arial")
    assert fonts(first(mirror).find(W + "r")) == {
        "ascii": "Arial", "hAnsi": "Arial", "cs": "Arial", "eastAsiaTheme": "minorEastAsia",
    }  # fmt: skip


def test_east_asian_text_takes_the_font_and_may_have_one_of_its_own() -> None:
    mirror = Mirror.open(doc(p("Report"), p("报告"))())
    font(mirror, {"where": "document"}, font="Arial")
    latin, chinese = (x.find(W + "r") for x in mirror.body.findall(W_P))
    assert "eastAsia" not in fonts(latin)
    assert fonts(chinese)["eastAsia"] == "Arial"
    font(mirror, {"where": "document"}, font="Arial", east_asian="SimSun")
    latin, chinese = (x.find(W + "r") for x in mirror.body.findall(W_P))
    assert fonts(latin)["eastAsia"] == fonts(chinese)["eastAsia"] == "SimSun"
    assert fonts(chinese)["ascii"] == "Arial"


def test_a_relative_size_starts_from_the_size_that_each_word_has() -> None:
    mirror = with_paragraph(
        '<w:r><w:rPr><w:sz w:val="40"/></w:rPr><w:t>big</w:t></w:r><w:r><w:t xml:space="preserve"> normal</w:t></w:r>'
    )
    font(mirror, {"paragraph": 1}, size_change="+2")
    assert [r.find(f"{W}rPr/{W}sz").get(W_VAL) for r in first(mirror).findall(W + "r")] == ["44", "26"]
    assert [r.find(f"{W}rPr/{W}szCs").get(W_VAL) for r in first(mirror).findall(W + "r")] == ["44", "26"]


@pytest.mark.parametrize(
    ("change", "size"),
    [("larger", "32"), ("smaller", "24"), ("50%", "14"), (-4, "20"), ("1.5pt", "31")],
)
def test_a_size_changes_by_steps_percent_and_points(change: object, size: str) -> None:
    mirror = Mirror.open(doc(h(1, "Scope"))())  # 14 pt by its style
    font(mirror, {"heading": "Scope"}, size_change=change)
    assert first(mirror).find(f"{W}r/{W}rPr/{W}sz").get(W_VAL) == size


def test_wrong_sizes_and_names_are_refused_with_what_would_work() -> None:
    mirror = Mirror.open(doc(p("one"))())
    for params, says in (
        ({"size": 0}, "from 1 to 1638"),
        ({"size_change": "a lot"}, "larger"),
        ({"font": " "}, "name of a font"),
        ({}, "nothing to change"),
        ({"size": 12, "size_change": 1}, "either"),
    ):
        with pytest.raises(InvalidValue, match=says):
            font(mirror, {"paragraph": 1}, **params)


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_documents_by_others_can_be_set_in_another_font_and_size(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    if not any(t.text for t in mirror.body.iter(W + "t")):
        pytest.skip("no text")
    font(mirror, {"where": "document"}, font="Georgia", size_change=1)
