"""The playground page as a user finds it: by names and roles, never by the inside of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
UNFINISHED = re.compile(r"^(Sending|Waiting for the connection|Queued|Working)$")
"""What stands on a request until it is at its end."""
AXE = Path(__file__).resolve().parents[2] / "taskpane" / "node_modules" / "axe-core" / "axe.min.js"


class Playground:
    """One page of it. `address` is the server's."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        page.goto(address)

    @property
    def request_box(self) -> Locator:
        return self.page.get_by_role("textbox", name="Your request")

    @property
    def paper(self) -> Locator:
        # Not by role: on a narrow screen it may be the side that is hidden.
        return self.page.locator(".paper")

    def open_sample(self, name: str = "Quarterly report") -> None:
        """Open a sample from the landing page and wait until it is drawn."""
        self.page.get_by_role("button", name=name).click()
        self.wait_drawn()

    def open_file(self, data: bytes, name: str = "Own.docx") -> None:
        """Open a document of one's own and wait until it is drawn."""
        self.page.get_by_label("Word document (.docx)").set_input_files(
            {"name": name, "mimeType": DOCX, "buffer": data}
        )
        self.wait_drawn(name)

    def wait_drawn(self, name: str = "") -> None:
        if name:
            expect(self.page.get_by_text(name, exact=True)).to_be_visible()
        expect(self.request_box).to_be_visible()
        expect(self.paper.locator("[data-block-index]").first).to_be_attached()
        expect(self.page.get_by_text("Drawing the document")).to_be_hidden()

    def ask(self, text: str, *, wait: bool = True) -> Locator:
        """Send a request with the keyboard; the group of its steps, done unless `wait` is false."""
        same = self._requests(text).count()
        # As users do; what they had selected in the document until then goes along.
        self.request_box.click()
        self.request_box.fill(text)
        self.request_box.press("Control+Enter")
        group = self._requests(text).nth(same)
        expect(group).to_be_visible()
        if wait:
            # All at once: one after the other, a request could be in the next state each time.
            expect(group.get_by_text(UNFINISHED)).to_have_count(0)
        return group

    def request(self, text: str) -> Locator:
        return self._requests(text).last

    def _requests(self, text: str) -> Locator:
        return self.page.get_by_role("region", name=f"You asked: {text}", exact=True)

    def step(self, title: str) -> Locator:
        return self.page.get_by_role("listitem").filter(
            has=self.page.get_by_role("heading", name=title, level=3)
        )

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def block(self, index: int) -> Locator:
        """What is drawn of a body block, from 0."""
        return self.paper.locator(f'[data-block-index="{index}"]')

    def download(self) -> bytes:
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Download").click()
        return Path(download.value.path()).read_bytes()


def axe_violations(page: Page) -> list[str]:
    """What axe-core finds wrong on the page, one line an element. The document's own colours are its author's."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    result: dict[str, Any] = page.evaluate(
        "() => axe.run({ exclude: ['.sheet'] }, { resultTypes: ['violations'] })"
    )
    return [
        f"{violation['id']}: {json.dumps(node['target'])} {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


OpenPlayground = Callable[..., Playground]
