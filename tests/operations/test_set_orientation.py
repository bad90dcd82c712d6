from __future__ import annotations

from agent.document.mirror import Mirror
from agent.document.names import W_SECTPR, W
from agent.document.sections import margin, page_size, sections_of
from agent.operations.specimens import doc, p, section
from tests.operations.test_set_margins import changed
from tests.operations.trial import attempt

SIDES = ("top", "right", "bottom", "left")


def margins(mirror: Mirror) -> list[int]:
    return [margin(sections_of(mirror)[-1], s) for s in SIDES]


def test_the_margins_turn_with_the_page_and_back_again() -> None:
    mirror = changed(
        Mirror.open(doc(p("One."))()), "pgMar", top="1000", right="2000", bottom="3000", left="4000"
    )
    attempt(mirror, "set_orientation", {"orientation": "landscape"})
    assert margins(mirror) == [4000, 1000, 2000, 3000]
    assert page_size(sections_of(mirror)[0]) == (15840, 12240)
    attempt(mirror, "set_orientation", {"orientation": "portrait"}, key="10")
    assert margins(mirror) == [1000, 2000, 3000, 4000]
    assert mirror.body.find(f"{W_SECTPR}/{W}pgSz").get(W + "orient") is None


def test_a_margin_below_zero_is_one_only_at_the_top_and_bottom() -> None:
    mirror = changed(Mirror.open(doc(p("One."))()), "pgMar", top="-1000")
    attempt(mirror, "set_orientation", {"orientation": "landscape"})
    assert min(margins(mirror)) >= 0


def test_only_sections_that_are_otherwise_turn() -> None:
    mirror = Mirror.open(doc(p("One."), section(landscape=True), p("Two."))())
    before = page_size(sections_of(mirror)[1])
    attempt(mirror, "set_orientation", {"orientation": "landscape"})
    assert page_size(sections_of(mirror)[1]) == before
    assert all(w > h for w, h in map(page_size, sections_of(mirror)))


def test_a_layout_without_a_page_size_is_taken_for_a4() -> None:
    mirror = changed(Mirror.open(doc(p("One."))()), "pgSz")
    attempt(mirror, "set_orientation", {"orientation": "landscape"})
    assert page_size(sections_of(mirror)[0]) == (16838, 11906)
