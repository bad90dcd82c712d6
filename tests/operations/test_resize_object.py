from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docx.oxml import OxmlElement

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import PIC, W_P, WP, A, W
from agent.errors import InvalidValue, NoOp, OperationError
from agent.operations.specimens import Piece, doc, h, image, table
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt


def opened(*pieces: Piece) -> Mirror:
    return Mirror.open(doc(*pieces)())


def sizes(mirror: Mirror) -> list[tuple[int, int]]:
    return [(int(e.get("cx")), int(e.get("cy"))) for e in mirror.body.iter(WP + "extent")]


def resize(mirror: Mirror, target: dict[str, Any], **wish: Any) -> str:
    return explain(attempt(mirror, "resize_object", {"target": target, **wish}).changes)


def test_frame_and_picture_get_the_same_size() -> None:
    mirror = opened(image(width_cm=3))
    resize(mirror, {"picture": 1}, height="1cm")
    assert sizes(mirror) == [(540_000, 360_000)]
    inner = next(next(mirror.body.iter(PIC + "spPr")).iter(A + "ext"))
    assert (inner.get("cx"), inner.get("cy")) == ("540000", "360000")


def test_one_side_alone_if_the_ratio_is_not_kept_and_both_sides_as_given() -> None:
    mirror = opened(image(width_cm=3))
    resize(mirror, {"picture": 1}, height="1cm", keep_ratio=False)
    assert sizes(mirror) == [(1_080_000, 360_000)]
    mirror = opened(image(width_cm=3))
    resize(mirror, {"picture": 1}, width="5cm", height="5cm")
    assert sizes(mirror) == [(1_800_000, 1_800_000)]


def test_per_cent_of_the_text_width_in_a_cell_is_that_of_the_cell() -> None:
    mirror = opened(table([["", "x"]]), image(width_cm=3))
    with mirror.edit("1") as editor:
        cell = next(mirror.body.iter(W + "tc"))
        picture = mirror.body.findall(W_P)[-1]
        editor.mirror.body.remove(picture)
        cell.insert(1, picture)
        mirror.body.find(W + "tbl").addnext(OxmlElement("w:p"))
    resize(mirror, {"every": "picture"}, width="50%")
    assert sizes(mirror)[0][0] == round((4320 - 216) * 635 * 0.5)


def test_only_the_pictures_of_a_section_and_of_them_the_named_one() -> None:
    mirror = opened(h(1, "A"), image(), h(1, "B"), image(colour=(1, 1, 1)), image(colour=(2, 2, 2)))
    said = resize(mirror, {"every": "picture", "section": "B"}, width="6cm")
    assert said == "2 pictures are now 6 x 4 cm; nothing else changed."
    assert [w for w, _ in sizes(mirror)] == [1_080_000, 2_160_000, 2_160_000]
    resize(mirror, {"picture": 2}, scale=50)
    assert [w for w, _ in sizes(mirror)] == [1_080_000, 1_080_000, 2_160_000]


def test_a_floating_picture_sized_in_per_cent_of_the_page_takes_the_new_size() -> None:
    mirror = opened(image())
    with mirror.edit("1"):
        drawing = next(mirror.body.iter(WP + "inline"))
        ns = "{http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing}"
        drawing.append(drawing.makeelement(ns + "sizeRelH", {"relativeFrom": "margin"}))
    resize(mirror, {"picture": 1}, width="4cm")
    assert not [e for e in next(mirror.body.iter(WP + "inline")) if e.tag.endswith("sizeRelH")]


def test_sizes_that_make_no_sense_and_those_it_has_are_refused() -> None:
    mirror = opened(image(width_cm=3))
    for wish in (
        {"width": "0cm"},
        {"width": "80cm"},
        {"scale": 50, "width": "3cm"},
        {"width": "big"},
        {"scale": -5},
    ):
        with pytest.raises(InvalidValue):
            resize(mirror, {"picture": 1}, **wish)
    with pytest.raises(NoOp):
        resize(mirror, {"picture": 1}, width="3cm")


def test_a_picture_wider_than_the_text_is_told_of() -> None:
    mirror = opened(image(width_cm=3))
    assert attempt(mirror, "resize_object", {"target": {"picture": 1}, "width": "20cm"}).warnings


def test_a_chart_is_resized_by_its_frame() -> None:
    mirror = Mirror.open(corpus_file("python-docx__shp-inline-shape-access.docx").read_bytes())
    said = resize(mirror, {"chart": 1}, scale=50)
    assert "chart" in said


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_all_pictures_of_documents_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    try:
        resize(mirror, {"every": "picture"}, scale=75)
    except OperationError as error:
        if "has no picture" not in error.message:
            pytest.fail(error.message)
