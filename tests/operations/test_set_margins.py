from __future__ import annotations

from pathlib import Path

import pytest

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import W_SECTPR, W
from agent.document.sections import margin, sections_of
from agent.errors import NoOp, OperationError, PreconditionFailed
from agent.operations.specimens import doc, p, section
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt


def changed(mirror: Mirror, path: str, **values: str) -> Mirror:
    """The document with attributes of the last section's element at `path` set; an empty value removes the element."""
    element = mirror.body.find(W_SECTPR).find(W + path)
    if not values:
        element.getparent().remove(element)
    for name, value in values.items():
        element.set(W + name, value)
    mirror._dirty.add("/word/document.xml")  # pyright: ignore[reportPrivateUsage]
    return Mirror.open(mirror.save())


def test_all_sections_change_and_each_keeps_what_is_not_named() -> None:
    mirror = Mirror.open(doc(p("One."), section(), p("Two."))())
    mirror = changed(mirror, "pgMar", top="2000")
    done = attempt(mirror, "set_margins", {"left": "3cm", "right": 72})
    assert [(margin(s, "left"), margin(s, "right")) for s in sections_of(mirror)] == [(1701, 1440)] * 2
    assert [margin(s, "top") for s in sections_of(mirror)] == [1440, 2000]
    assert explain(done.changes) == (
        "The page layouts of the first section and the last section have "
        "a left margin of 3 cm and a right margin of 2.54 cm; nothing else changed."
    )


def test_a_target_means_its_section_and_says_when_there_is_only_one() -> None:
    mirror = Mirror.open(doc(p("One."), section(), p("Two."))())
    assert not attempt(mirror, "set_margins", {"top": "1cm", "target": {"text": "One."}}).warnings
    assert [margin(s, "top") for s in sections_of(mirror)] == [567, 1440]
    single = Mirror.open(doc(p("One."))())
    warned = attempt(single, "set_margins", {"top": "1cm", "target": {"text": "One."}}).warnings
    assert "only one section" in warned[0]


def test_room_is_counted_with_columns_and_the_gutter() -> None:
    mirror = Mirror.open(doc(p("One."))())
    with pytest.raises(PreconditionFailed, match="needed"):
        attempt(mirror, "set_margins", {"gutter": "15cm"})
    two = changed(Mirror.open(doc(p("One."))()), "cols", num="6")
    with pytest.raises(PreconditionFailed, match="a column"):
        attempt(two, "set_margins", {"left": "5cm", "right": "5cm"})
    with pytest.raises(PreconditionFailed, match="high"):
        attempt(mirror, "set_margins", {"top": "13cm", "bottom": "14cm"})


def test_a_layout_without_margins_gets_all_of_them() -> None:
    mirror = changed(Mirror.open(doc(p("One."))()), "pgMar")
    attempt(mirror, "set_margins", {"left": "2cm"})
    made = mirror.body.find(f"{W_SECTPR}/{W}pgMar")
    assert {k.removeprefix(W) for k in made.keys()} == {  # noqa: SIM118
        "top", "right", "bottom", "left", "header", "footer", "gutter",
    }  # fmt: skip


def test_the_same_margins_again_are_no_change() -> None:
    mirror = Mirror.open(doc(p("One."))())
    with pytest.raises(NoOp):
        attempt(mirror, "set_margins", {"top": "1in"})


def test_a_remembered_old_layout_is_no_section() -> None:
    mirror = Mirror.open(corpus_file("python-docx__sct-section-props.docx").read_bytes())
    count = len(sections_of(mirror))
    assert count == len(mirror.document.sections)


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_margins_and_orientation_of_documents_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    attempt(mirror, "set_margins", {"top": "1.9cm", "left": "1.8cm"}, key="1")
    for orientation in ("landscape", "portrait"):
        try:
            attempt(mirror, "set_orientation", {"orientation": orientation}, key=orientation[0])
        except OperationError as error:
            assert isinstance(error, NoOp)  # noqa: PT017
