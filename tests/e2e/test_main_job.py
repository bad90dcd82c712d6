"""The main job with the real server and the real agent: open, ask, watch, undo the middle step, download."""

from __future__ import annotations

import io
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx2python import docx2python
from playwright.sync_api import Page, expect

from tests.corpus import LARGER, corpus_file
from tests.e2e.playground import Playground

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOT = ROOT / "docs" / "playground.png"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """`stet serve` as a user starts it, without an endpoint of a language model."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "STET_"))}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "server", "serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as process:
        address = f"http://127.0.0.1:{port}"
        for _ in range(600):
            assert process.poll() is None, "the server has ended"
            try:
                urllib.request.urlopen(address).close()
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        yield address
        process.terminate()


@pytest.fixture
def playground(page: Page, server: str) -> Playground:
    page.set_default_timeout(30_000)
    return Playground(page, server)


def read(data: bytes) -> str:
    """The text as docx2python, the second opinion, reads it."""
    with tempfile.NamedTemporaryFile(suffix=".docx") as file:
        file.write(data)
        file.flush()
        with docx2python(file.name) as content:
            return content.text


def test_a_sample_is_changed_in_three_verified_steps_the_middle_one_undone_and_downloaded(
    playground: Playground,
) -> None:
    playground.open_sample("Quarterly report")
    request = "Make the title bold and centre it, then add a 3x2 table after the introduction with the header Name, Amount"
    group = playground.ask(request)
    expect(group.get_by_text("Review", exact=True)).to_have_count(3)
    expect(group).to_contain_text("is now bold; nothing else changed")
    expect(group).to_contain_text("is now centred; nothing else changed")
    if os.environ.get("STET_WRITE_SCREENSHOT"):
        SCREENSHOT.parent.mkdir(exist_ok=True)
        playground.page.screenshot(path=SCREENSHOT)
    group.get_by_role("button", name=re.compile("^Undo: Centre it")).click()
    expect(group.get_by_role("button", name=re.compile("^Redo: Centre it"))).to_be_visible()
    data = playground.download()
    document = Document(io.BytesIO(data))
    title = next(p for p in document.paragraphs if p.text == "Quarterly Report")
    assert all(run.bold for run in title.runs)
    assert title.alignment is not WD_ALIGN_PARAGRAPH.CENTER
    added = next(t for t in document.tables if [c.text for c in t.rows[0].cells] == ["Name", "Amount"])
    assert (len(added.rows), len(added.columns)) == (3, 2)
    said = read(data)
    assert said.index("not yet audited") < said.index("Amount") < said.index("operating margin")


def test_a_real_document_is_changed_in_three_verified_steps_the_middle_one_undone_and_downloaded(
    playground: Playground,
) -> None:
    path = corpus_file("docx-parse-eval__word_sample.docx")
    before = Document(str(path))
    playground.open_file(path.read_bytes(), "Sample by others.docx")
    request = (
        "Make the first heading dark red, add a paragraph at the end saying 'Checked by finance.', "
        "and then add a heading Appendix at the end"
    )
    group = playground.ask(request)
    expect(group.get_by_text("Review", exact=True)).to_have_count(3)
    group.get_by_role("button", name=re.compile("^Undo: Add a paragraph")).click()
    expect(group.get_by_role("button", name=re.compile("^Redo: Add a paragraph"))).to_be_visible()
    data = playground.download()
    after = Document(io.BytesIO(data))
    assert [p.text for p in after.paragraphs] == [*[p.text for p in before.paragraphs], "Appendix"]
    heading = next(
        p for p in after.paragraphs if p.style is not None and str(p.style.name).startswith("Heading")
    )
    assert {str(run.font.color.rgb) for run in heading.runs if run.text.strip()} == {"C00000"}
    assert "Checked by finance." not in read(data)
    assert "Appendix" in read(data)


@pytest.mark.skipif(not LARGER.is_dir(), reason="the larger corpus is not beside this checkout")
def test_a_document_of_the_larger_corpus_opens_and_takes_a_step(playground: Playground) -> None:
    path = next(p for p in sorted(LARGER.rglob("*.docx")) if p.stat().st_size < 200_000)
    playground.open_file(path.read_bytes(), path.name)
    group = playground.ask("Add a paragraph at the end saying 'Seen.'")
    expect(group.get_by_text("Review", exact=True)).to_have_count(1)
    assert "Seen." in read(playground.download())
