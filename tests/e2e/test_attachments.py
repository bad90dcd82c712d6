"""Pictures given along with a request: chosen, pasted, dropped, removed; and put into the document by name."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from docx import Document
from playwright.sync_api import Page, expect

from agent.operations.specimens import doc, p, png
from server.hosts.pane_host import make_host
from server.planners import choose_planner
from server.workbench import opener
from tests.e2e.docx_bench import serving
from tests.e2e.playground import Playground, axe_violations
from tests.e2e.test_accessibility import LOOKS
from tests.e2e.test_word_pane import OpenPane, open_pane  # noqa: F401  # pyright: ignore[reportUnusedImport]  # a fixture

pytestmark = pytest.mark.browser

TRANSFER = """([name, type, bytes]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
    return transfer;
}"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving(opener(choose_planner("local"), make_host)) as address:
        yield address


@pytest.fixture
def playground(page: Page, server: str) -> Playground:
    playground = Playground(page, server)
    playground.open_sample()
    return playground


def attach(playground: Playground, name: str = "logo.png", data: bytes | None = None) -> None:
    """Choose a file with the button, as a user does."""
    with playground.page.expect_file_chooser() as chooser:
        playground.button("Attach a picture").click()
    chooser.value.set_files({"name": name, "mimeType": "image/png", "buffer": data or png(40, 20)})


def expect_attached(playground: Playground, *names: str) -> None:
    """These are on the chips, and nothing is on its way any more."""
    expect(playground.page.locator(".chip-name")).to_have_text(names)


def hand_over(playground: Playground, event: str, name: str, kind: str, data: bytes) -> None:
    """Paste (`paste`) or drag (`dragover`, `drop`) a file over the request box."""
    transfer = playground.page.evaluate_handle(TRANSFER, [name, kind, list(data)])
    key = "clipboardData" if event == "paste" else "dataTransfer"
    playground.request_box.evaluate(
        "(box, [event, key, transfer]) => box.dispatchEvent(new (key === 'clipboardData' ? ClipboardEvent : DragEvent)"
        "(event, { [key]: transfer, bubbles: true, cancelable: true }))",
        [event, key, transfer],
    )


def test_an_attached_picture_is_put_in_where_and_as_wide_as_was_asked(playground: Playground) -> None:
    before = Document(io.BytesIO(playground.download()))
    attach(playground)
    expect(playground.page.get_by_role("list", name="Attached pictures")).to_contain_text("logo.png")
    group = playground.ask("Insert the picture after the introduction, 4 cm wide")
    expect(group.get_by_text("Review", exact=True)).to_have_count(1)
    expect(group).to_contain_text("A picture was added; nothing else changed.")
    after = Document(io.BytesIO(playground.download()))
    assert len(after.inline_shapes) == len(before.inline_shapes) + 1
    texts = [p.text for p in before.paragraphs]
    at = next(n for n, p in enumerate(after.paragraphs) if p.text != texts[n])
    (picture,) = after.paragraphs[at]._p.xpath(".//wp:inline")
    assert (picture.extent.cx, picture.extent.cy) == (1_440_000, 720_000)
    expect(playground.block(at).locator("img")).to_be_visible()


def test_a_step_names_its_picture_although_another_came_and_it_was_removed(playground: Playground) -> None:
    attach(playground)
    group = playground.ask("Insert the picture at the end")
    group.get_by_role("button", name="Undo: Insert the picture at the end").click()
    expect(group.get_by_role("button", name="Redo: Insert the picture at the end")).to_be_visible()
    playground.button("Remove logo.png").click()
    expect(playground.button("Remove logo.png")).to_have_count(0)
    expect(playground.button("Attach a picture")).to_be_focused()
    attach(playground, "other.png", png(10, 10))
    expect(playground.button("Remove other.png")).to_be_visible()
    group.get_by_role("button", name="Redo: Insert the picture at the end").click()
    expect(group.get_by_text("Review", exact=True)).to_have_count(1)
    document = Document(io.BytesIO(playground.download()))
    blip = document.inline_shapes[-1]._inline.graphic.graphicData.pic.blipFill.blip
    assert document.part.related_parts[str(blip.embed)].blob == png(40, 20)


def test_a_picture_is_pasted_and_dropped_onto_the_request_box(playground: Playground) -> None:
    page = playground.page
    hand_over(playground, "paste", "image.png", "image/png", png(5, 5))
    expect(playground.button("Remove image.png")).to_be_visible()
    hand_over(playground, "dragover", "photo.png", "image/png", png(6, 6))
    expect(page.get_by_text("Drop the picture to attach it")).to_be_visible()
    expect(page.get_by_text("Drop the document to open it")).to_be_hidden()
    hand_over(playground, "drop", "photo.png", "image/png", png(6, 6))
    expect(playground.button("Remove photo.png")).to_be_visible()
    expect(page.get_by_text("Drop the picture to attach it")).to_be_hidden()
    expect_attached(playground, "image.png", "photo.png")
    page.reload()
    expect(playground.button("Remove photo.png")).to_be_visible()


def test_what_is_dropped_onto_the_request_box_and_is_no_picture_is_left_to_the_page(
    playground: Playground,
) -> None:
    hand_over(playground, "drop", "notes.txt", "text/plain", b"hello")
    expect(playground.page.get_by_role("alert")).to_contain_text("notes.txt")
    expect_attached(playground)


def test_what_is_no_picture_is_refused_in_a_sentence(playground: Playground) -> None:
    attach(playground, "drawing.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    expect(playground.page.get_by_role("alert")).to_contain_text(
        "'drawing.svg' is an SVG drawing; save it as PNG"
    )
    expect_attached(playground)


def test_a_picture_is_attached_and_removed_with_the_keyboard(playground: Playground) -> None:
    page = playground.page
    for name in ("one.png", "two.png"):
        attach(playground, name, png(5, len(name) + ord(name[0])))
        expect(playground.button(f"Remove {name}")).to_be_visible()
    expect_attached(playground, "one.png", "two.png")
    playground.request_box.focus()
    page.keyboard.press("Tab")
    expect(playground.button("Remove one.png")).to_be_focused()
    page.keyboard.press("Enter")
    expect(playground.button("Remove two.png")).to_be_focused()
    expect(playground.button("Remove one.png")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(playground.button("Attach a picture")).to_be_focused()
    with page.expect_file_chooser():
        page.keyboard.press("Enter")


def test_in_word_an_attached_picture_is_put_into_the_live_document(open_pane: OpenPane) -> None:  # noqa: F811
    pane = open_pane(doc(p("First"), p("Second"))())
    with pane.page.expect_file_chooser() as chooser:
        pane.page.get_by_role("button", name="Attach a picture").click()
    chooser.value.set_files({"name": "logo.png", "mimeType": "image/png", "buffer": png(40, 20)})
    expect(pane.page.get_by_role("button", name="Remove logo.png")).to_be_visible()
    pane.ask("Insert the logo after the first paragraph, 4 cm wide")
    expect(pane.step(1).get_by_text("Review", exact=True)).to_be_visible()
    (picture,) = pane.word.document().inline_shapes
    assert (picture.width, picture.height) == (1_440_000, 720_000)


@pytest.mark.parametrize("look", LOOKS)
def test_chips_fit_and_can_be_read_in_each_look(
    look: str, new_page: Callable[..., Page], server: str
) -> None:
    options: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, **LOOKS[look]}
    playground = Playground(new_page(**options), server)
    playground.open_sample()
    names = ("logo.png", "a very long name of a picture that was taken by somebody's telephone.png")
    for name in names:
        attach(playground, name, png(30, len(name)))
        expect(playground.button(f"Remove {name}")).to_be_visible()
    expect_attached(playground, *names)
    page = playground.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.locator(".request-box").bounding_box()
    assert box is not None
    for chip in page.locator(".chip").all():
        place = chip.bounding_box()
        assert place is not None
        assert box["x"] <= place["x"]
        assert place["x"] + place["width"] <= box["x"] + box["width"]
    assert axe_violations(page) == []
