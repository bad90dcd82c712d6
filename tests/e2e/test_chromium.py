"""The browser fixtures themselves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error, Page

pytestmark = pytest.mark.browser


def test_a_page_runs_script(page: Page) -> None:
    page.set_content(
        "<h1>Stet</h1><script>document.title = document.querySelector('h1').textContent</script>"
    )
    assert page.title() == "Stet"


def test_a_request_that_leaves_the_machine_is_aborted(page: Page) -> None:
    with pytest.raises(Error, match="ERR_FAILED"):
        page.goto("http://192.0.2.1/")
