"""The page that Word opens, where Word is slow, absent, or not there at all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.docx_bench import serving

pytestmark = pytest.mark.browser

OFFICE = "https://appsforoffice.microsoft.com/**"

OUTSIDE_OFFICE = """
// As the real script does: both functions are gone, and no host is found.
history.pushState = null;
history.replaceState = null;
window.Office = {
    HostType: { Word: "Word" },
    onReady: () => Promise.resolve({ host: null, platform: null }),
};
"""

NEVER_READY = "window.Office = { HostType: { Word: 'Word' }, onReady: () => new Promise(() => {}) };"

READY_WHEN_TOLD = """
window.Office = {
    HostType: { Word: "Word" },
    onReady: () => new Promise((resolve) => { window.answer = () => resolve({ host: null, platform: null }); }),
};
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving() as address:
        yield address


def with_office(page: Page, script: str) -> None:
    page.route(OFFICE, lambda route: route.fulfill(content_type="text/javascript", body=script))


def stop_the_clock(page: Page) -> None:
    """From here on time passes only by `run_for`; an installed clock goes on by itself."""
    page.clock.install(time=0)
    page.clock.pause_at(1)


def test_outside_word_the_page_leads_to_the_playground(page: Page, server: str) -> None:
    with_office(page, OUTSIDE_OFFICE)
    page.goto(f"{server}/taskpane.html")
    page.get_by_role("link", name="Open the playground").click()
    expect(page.get_by_role("heading", name="Edit a Word document in plain words")).to_be_visible()


def test_the_functions_that_office_takes_away_are_given_back(page: Page, server: str) -> None:
    with_office(page, OUTSIDE_OFFICE)
    page.goto(f"{server}/taskpane.html")
    expect(page.get_by_role("link", name="Open the playground")).to_be_visible()
    assert page.evaluate("history.replaceState({}, '', '?here'), location.search") == "?here"


def test_where_the_script_cannot_be_loaded_the_page_says_so(page: Page, server: str) -> None:
    # The fixture lets no request leave the machine.
    page.goto(f"{server}/taskpane.html")
    expect(page.get_by_role("heading", name="Word does not answer")).to_be_visible()
    expect(page.get_by_role("button", name="Retry")).to_be_visible()


def test_a_script_that_never_comes_does_not_leave_the_page_blank(page: Page, server: str) -> None:
    stop_the_clock(page)
    page.route(OFFICE, lambda route: None)
    page.goto(f"{server}/taskpane.html", wait_until="commit")
    expect(page.get_by_text("Waiting for Word…")).to_be_visible()
    page.clock.run_for(5_500)
    expect(page.get_by_role("heading", name="Word does not answer")).to_be_visible()
    page.unroute_all()


def test_after_five_seconds_without_an_answer_the_user_is_told(page: Page, server: str) -> None:
    stop_the_clock(page)
    with_office(page, NEVER_READY)
    page.goto(f"{server}/taskpane.html")
    expect(page.get_by_text("Waiting for Word…")).to_be_visible()
    page.clock.run_for(4_000)
    expect(page.get_by_text("Waiting for Word…")).to_be_visible()
    page.clock.run_for(1_500)
    expect(page.get_by_role("alert")).to_contain_text("The document was not touched.")


def test_an_answer_that_comes_late_still_wins(page: Page, server: str) -> None:
    stop_the_clock(page)
    with_office(page, READY_WHEN_TOLD)
    page.goto(f"{server}/taskpane.html")
    page.clock.run_for(6_000)
    expect(page.get_by_role("heading", name="Word does not answer")).to_be_visible()
    page.evaluate("window.answer()")
    expect(page.get_by_role("heading", name="This page belongs inside Word")).to_be_visible()
