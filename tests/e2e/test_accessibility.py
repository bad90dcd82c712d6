"""axe-core and the keyboard over the pane in its states and looks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.docx_bench import serving
from tests.e2e.playground import AXE, Playground, axe_violations

pytestmark = pytest.mark.browser

ENGLISH = Path(__file__).resolve().parents[2] / "taskpane" / "src" / "locales" / "en.json"

LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced colours": {"forced_colors": "active"},
    "320 px": {"viewport": {"width": 320, "height": 640}},
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def open_playground(new_page: Callable[..., Page], server: str) -> Callable[..., Playground]:
    def open_it(look: str = "light") -> Playground:
        options = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **LOOKS[look]}
        return Playground(new_page(**options), server)

    return open_it


def landing(playground: Playground) -> None:
    expect(playground.page.get_by_role("heading", name="Or start with a sample")).to_be_visible()


def empty(playground: Playground) -> None:
    playground.open_sample()
    expect(playground.page.get_by_text("Try one of these")).to_be_visible()


def working(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("wait", wait=False)
    playground.ask("bold 3", wait=False)
    expect(playground.page.get_by_text("Step 1: Wait")).to_be_visible()
    expect(playground.page.get_by_text("Queued", exact=True)).to_be_visible()


def done(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("bold 3; add after 4: A line; retry 5; heading 6")
    playground.button("Keep: Bold 3").click()
    # What follows may move when the button goes.
    expect(playground.step("Bold 3").get_by_text("Kept", exact=True)).to_be_visible()
    playground.button("Undo: Retry 5").click()
    expect(playground.button("Redo: Retry 5")).to_be_visible()
    playground.step("Heading 6").get_by_text("Details").click()


def failed(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("refuse: There is no table 7, the document has 2.")
    expect(playground.page.get_by_text("Instead you could ask")).to_be_visible()


def conflict(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("add after 4: A line; stand on 1: More")
    playground.button("Undo: Add after 4: A line").click()
    expect(playground.page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(
    "state", [landing, empty, working, done, failed, conflict], ids=lambda one: one.__name__
)
def test_axe_finds_nothing(
    open_playground: Callable[..., Playground], look: str, state: Callable[[Playground], None]
) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: `npm ci` in taskpane/ installs it")
    playground = open_playground(look)
    state(playground)
    assert axe_violations(playground.page) == []
    width: int = playground.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "the page scrolls sideways"


def test_everything_is_reached_by_the_keyboard_in_reading_order(
    open_playground: Callable[..., Playground],
) -> None:
    playground = open_playground()
    playground.open_sample()
    playground.ask("bold 3; heading 4")
    # The walk goes through what is on the page for good: the samples have arrived, the document is drawn.
    expect(playground.button("Samples")).to_be_visible()
    expect(playground.paper.locator("[data-mark]")).to_have_count(2)
    # A click beside the controls starts the walk at the top of the page.
    playground.page.get_by_text("Stet", exact=True).first.click()
    names: list[str] = []
    for _ in range(40):
        playground.page.keyboard.press("Tab")
        name = playground.page.evaluate(
            "() => document.activeElement === document.body ? '' : (document.activeElement.ariaLabel"
            " || document.activeElement.labels?.[0]?.textContent || document.activeElement.textContent).trim()"
        )
        if name in names or not name:
            break
        names.append(name)
    assert names == [
        "Open: Word document (.docx)",
        "Samples",
        "Download Quarterly report.docx",
        "Pages",
        "finance pages",  # a link of the document
        "Keep all",
        "Undo all",
        "Keep: Bold 3",
        "Undo: Bold 3",
        "Show in document: Bold 3",
        "Details: Bold 3",
        "Keep: Heading 4",
        "Undo: Heading 4",
        "Show in document: Heading 4",
        "Details: Heading 4",
        "Your request",
        "Attach a picture",
    ]


def test_texts_of_a_wordier_language_fit_into_320_px(new_page: Callable[..., Page], server: str) -> None:
    page = new_page(viewport={"width": 320, "height": 640})
    texts = [
        form
        for text in json.loads(ENGLISH.read_text(encoding="utf-8")).values()
        for form in ([text] if isinstance(text, str) else text.values())
    ]
    replaced = 0

    def wordier(route: Route) -> None:
        nonlocal replaced
        response = route.fetch()
        script = response.text()
        for text in texts:
            longer = text + " " + ("lorem ipsum " * 20)[: max(2, len(text) * 2 // 5)]
            for quote in ("`", '"', "'"):
                found = f"{quote}{text}{quote}"
                replaced += found in script
                script = script.replace(found, f"{quote}{longer}{quote}")
        route.fulfill(response=response, body=script)

    page.route("**/assets/*.js", wordier)
    playground = Playground(page, server)
    # The names of the pages' parts are longer too, so they are found by what the user wrote.
    page.get_by_role("button", name="Quarterly report").click()
    page.get_by_role("textbox").fill("bold 3; refuse: There is none.; wait")
    page.keyboard.press("Control+Enter")
    expect(playground.step("Wait")).to_be_visible()
    assert replaced > 100
    for part in ("html", ".log", ".commands", ".request-box"):
        wide, room = page.locator(part).evaluate("(one) => [one.scrollWidth, one.clientWidth]")
        assert wide <= room, part
