"""A browser page in which Word is the strict fake of `taskpane/test/fake-word`, over a real document.

The fake is bundled by Vite when a test first needs it, and served in place of Microsoft's script.
"""

from __future__ import annotations

import base64
import io
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docx import Document
from docx.document import Document as DocumentObject
from playwright.sync_api import Page, Route

from tests.conftest import require

ROOT = Path(__file__).resolve().parents[2]
BUNDLES = ROOT / "build" / "fake-word"
CDN = "https://appsforoffice.microsoft.com/**"


@cache
def bundle(name: str) -> str:
    """A script of the fake ("office") or the Word host alone ("word-host"), built once a run."""
    command = [require("node", "the fake Word is bundled with it"), "test/fake-word/build.mjs"]
    done = subprocess.run(command, cwd=ROOT / "taskpane", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or done.stdout
    return (BUNDLES / f"{name}.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class FakeWord:
    """The test's hand on the fake in a page."""

    page: Page

    def do(self, script: str, *arguments: Any) -> Any:
        """Run `script`, a function of the fake and the arguments."""
        return self.page.evaluate(f"([...rest]) => ({script})(window.fakeWord, ...rest)", list(arguments))

    def texts(self) -> list[str]:
        """Texts of the body's blocks; a table's cells are joined by bars."""
        return self.do("(word) => word.texts()")

    def document(self) -> DocumentObject:
        """The document as it is now."""
        return Document(io.BytesIO(self.bytes()))

    def bytes(self) -> bytes:
        """The document as a file."""
        return base64.b64decode(self.do("(word) => word.docx()"))


def serve_fake_word(page: Page, docx: bytes, quirks: Mapping[str, Any] | None = None) -> FakeWord:
    """Let the page that is opened next find the fake where it looks for office.js."""
    setup = {"docx": base64.b64encode(docx).decode(), "quirks": dict(quirks or {})}
    script = bundle("office")

    def answer(route: Route) -> None:
        route.fulfill(body=script, content_type="text/javascript")

    page.route(CDN, answer)
    page.add_init_script(f"window.fakeWordSetup = {json.dumps(setup)};")
    return FakeWord(page)


@dataclass(frozen=True)
class HostAlone:
    """The Word host without the pane, in a page of its own."""

    word: FakeWord

    def call(self, script: str, *arguments: Any) -> Any:
        """Run `script`, a function of the host and the arguments."""
        return self.word.page.evaluate(f"([...rest]) => ({script})(window.host, ...rest)", list(arguments))

    def push(self, *operations: Mapping[str, Any], number: int = 1) -> dict[str, Any]:
        """What the host answers to a push."""
        message = {"kind": "push", "seq": 1, "push": number, "step": 1, "operations": list(operations)}
        return self.call("(host, message) => host.apply(message)", message)


def host_alone(page: Page, docx: bytes, quirks: Mapping[str, Any] | None = None) -> HostAlone:
    """Open a page that holds the fake and a Word host on it."""
    setup = {"docx": base64.b64encode(docx).decode(), "quirks": dict(quirks or {})}
    page.goto("about:blank")
    page.evaluate("(setup) => { window.fakeWordSetup = setup; }", setup)
    page.add_script_tag(content=bundle("office"))
    page.evaluate("() => window.Office.onReady()")
    page.add_script_tag(content=bundle("word-host"))
    page.evaluate("() => { window.host = new window.WordHost(); }")
    return HostAlone(FakeWord(page))


def docx_of(document: DocumentObject) -> bytes:
    """The document as a file."""
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def operation(
    index: int,
    *,
    expect: Sequence[str] = (),
    before: str | None = None,
    after: str | None = None,
    ooxml: str = "",
    result: Sequence[str] = (),
) -> dict[str, Any]:
    """A `PushOperation` as it comes over the wire."""
    return {
        "index": index,
        "expect": list(expect),
        "before": before,
        "after": after,
        "ooxml": ooxml,
        "result": list(result),
    }
