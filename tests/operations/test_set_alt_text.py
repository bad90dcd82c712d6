from __future__ import annotations

import pytest

from agent.document.mirror import Mirror
from agent.document.names import WP, A
from agent.errors import InvalidValue, NoOp
from agent.operations.specimens import doc, image
from tests.corpus import corpus_file
from tests.operations.trial import attempt


def test_a_decorative_picture_that_gets_a_text_is_decorative_no_more() -> None:
    mirror = Mirror.open(doc(image("old"))())
    attempt(mirror, "set_alt_text", {"target": {"picture": 1}, "decorative": True}, "8")
    properties = next(mirror.body.iter(WP + "docPr"))
    assert properties.get("descr") == ""
    assert [e.tag for e in properties.iter(A + "ext")] == [A + "ext"]
    with pytest.raises(NoOp):
        attempt(mirror, "set_alt_text", {"target": {"picture": 1}, "decorative": True}, "9")
    attempt(mirror, "set_alt_text", {"target": {"picture": 1}, "text": "new"}, "9")
    properties = next(mirror.body.iter(WP + "docPr"))
    assert properties.get("descr") == "new"
    assert not len(properties)


def test_other_extensions_and_links_of_a_picture_stay() -> None:
    mirror = Mirror.open(doc(image())())
    with mirror.edit("1"):
        properties = next(mirror.body.iter(WP + "docPr"))
        extensions = properties.makeelement(A + "extLst", {})
        extensions.append(properties.makeelement(A + "ext", {"uri": "{OTHER}"}))
        properties.append(extensions)
    attempt(mirror, "set_alt_text", {"target": {"picture": 1}, "decorative": True}, "8")
    attempt(mirror, "set_alt_text", {"target": {"picture": 1}, "text": "x"}, "9")
    assert [e.get("uri") for e in next(mirror.body.iter(WP + "docPr")).iter(A + "ext")] == ["{OTHER}"]


def test_all_pictures_of_a_document_by_others_and_a_chart() -> None:
    mirror = Mirror.open(corpus_file("python-docx__having-images.docx").read_bytes())
    attempt(mirror, "set_alt_text", {"target": {"every": "picture"}, "text": "Figure"})
    mirror = Mirror.open(corpus_file("python-docx__shp-inline-shape-access.docx").read_bytes())
    attempt(mirror, "set_alt_text", {"target": {"chart": 1}, "text": "Sales by quarter"})


@pytest.mark.parametrize(
    "wish",
    [{}, {"target": {"picture": 1}}, {"target": {"picture": 1}, "decorative": False}, {"text": "x"}],
)
def test_half_a_request_is_refused(wish: dict[str, object]) -> None:
    mirror = Mirror.open(doc(image())())
    with pytest.raises(InvalidValue):
        attempt(mirror, "set_alt_text", wish)
