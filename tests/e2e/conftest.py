"""Chromium from the machine, driven by Playwright; nothing but loopback is reached from its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect, sync_playwright

from tests.conftest import is_loopback, require

SCREENSHOTS = Path(__file__).resolve().parents[2] / "test-results"

PATIENCE = 15_000
"""Milliseconds that a page gets; a busy machine is no failure."""
expect.set_options(timeout=PATIENCE)

# Chromium's own services would otherwise look for hosts on the Internet. No sandbox: CI runs as root.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One headless Chromium for all tests."""
    program = require("chromium", "browser tests drive it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Open a page in a context of its own; `new_page(viewport=...)` takes what `Browser.new_context` takes.

    Requests that leave the machine are aborted unless the test routes them itself. At the end an uncaught
    error in any page fails the test, and a failed test leaves a screenshot of each page in `test-results/`.
    """
    pages: list[Page] = []
    errors: list[Error] = []

    def open_page(**options: Any) -> Page:
        context = chromium.new_context(**{"ignore_https_errors": True, **options})
        context.route(lambda url: not stays_here(url), lambda route: Route.abort(route))
        context.on("weberror", lambda event: errors.append(event.error))
        page = context.new_page()
        # From the start, since it is told to the page apart from key presses: a press right behind it overtakes it, the
        # file chooser opens unseen, and `expect_file_chooser` waits in vain.
        page.on("filechooser", lambda _: None)
        page.set_default_timeout(PATIENCE)
        pages.append(page)
        return page

    failed_before = request.session.testsfailed
    yield open_page
    if request.session.testsfailed > failed_before or errors:
        SCREENSHOTS.mkdir(exist_ok=True)
        for number, page in enumerate(pages):
            if not page.is_closed():
                page.screenshot(path=SCREENSHOTS / f"{request.node.name}-{number}.png", full_page=True)
    for context in {page.context for page in pages}:
        context.close()
    assert not errors, f"uncaught errors in the page: {[error.message for error in errors]}"


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """One page of ordinary size."""
    return new_page(viewport={"width": 1280, "height": 900})


def stays_here(url: str) -> bool:
    """Whether a URL needs no network: loopback, or no host at all (blob:, data:)."""
    host = urlsplit(url).hostname
    return host is None or is_loopback((host,))
