"""The page that Word opens, whole: the real pane, the real server and agent; Word is the strict fake, and only the
planner follows a script.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.text import WD_ALIGN_PARAGRAPH
from playwright.sync_api import Locator, Page, Response, expect

from agent.document.mirror import Mirror
from server import samples
from server.examples import examples_for
from server.hosts.pane_host import make_host
from server.store import Opened, Publish
from server.workbench import Workbench
from tests.e2e.docx_bench import serving
from tests.e2e.fake_word import FakeWord, docx_of, serve_fake_word
from tests.e2e.playground import UNFINISHED
from tests.server.paper_word import Seen, body_of
from tests.server.scripted_planner import scripted_agent

pytestmark = pytest.mark.browser

REPORT = samples.read(samples.listed()[0])
CENTER, RIGHT = WD_ALIGN_PARAGRAPH.CENTER, WD_ALIGN_PARAGRAPH.RIGHT


async def open_scripted(data: bytes, name: str, publish: Publish) -> Opened:
    mirror = Mirror.open(data, name)
    bench = Workbench(mirror, scripted_agent, publish, make_host)
    return Opened(bench, bench.snapshot(), planner="local", examples=examples_for(mirror))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving(open_scripted) as address:
        yield address


@dataclass
class WordPane:
    """The pane in Word, as its user sees both."""

    page: Page
    word: FakeWord
    opened: Response
    """The server's answer to the document that the pane sent."""

    @property
    def request_box(self) -> Locator:
        return self.page.get_by_role("textbox", name="Your request")

    def ask(self, *lines: str) -> None:
        """Send a request and wait until it is at an end."""
        requests = self.page.get_by_role("region", name=re.compile("^You asked: "))
        before = requests.count()
        self.request_box.fill("\n".join(lines))
        self.request_box.press("Control+Enter")
        expect(requests).to_have_count(before + 1)
        expect(requests.last.get_by_text(UNFINISHED)).to_have_count(0)
        # Nor is a step at work.
        expect(self.page.get_by_role("button", name="Stop")).to_be_hidden()

    def step(self, number: int) -> Locator:
        """A step's card, from 1."""
        return self.page.locator("li").filter(has=self.page.get_by_role("heading", level=3)).nth(number - 1)

    def undo(self, number: int) -> None:
        self.step(number).get_by_role("button", name=re.compile("^Undo")).click()
        expect(self.step(number).get_by_text("Undone", exact=True)).to_be_visible()

    def alignments(self) -> dict[str, WD_ALIGN_PARAGRAPH]:
        """Paragraphs of Word's document that are aligned by themselves."""
        return {p.text: p.alignment for p in self.word.document().paragraphs if p.alignment is not None}

    def served(self) -> bytes:
        """The document as the server has it."""
        address = self.opened.url.partition("?")[0]
        return self.page.request.get(f"{address}/{self.opened.json()['session']}").body()


OpenPane = Callable[..., WordPane]


@pytest.fixture
def open_pane(page: Page, server: str) -> OpenPane:
    """Open the pane over a document; `quirks` as in the fake."""

    def open_it(data: bytes = REPORT, **quirks: Any) -> WordPane:
        page.set_viewport_size({"width": 350, "height": 700})
        word = serve_fake_word(page, data, quirks)
        with page.expect_response("**/api/documents?*") as opened:
            page.goto(f"{server}/taskpane.html")
        pane = WordPane(page, word, opened.value)
        expect(pane.request_box).to_be_visible()
        return pane

    return open_it


def align(text: str, alignment: str = "center") -> str:
    """A line of the script."""
    return "set_alignment " + json.dumps({"target": {"text": text}, "alignment": alignment})


def call(operation: str, **params: Any) -> str:
    """A line of the script."""
    return f"{operation} {json.dumps(params)}"


def letters() -> DocumentObject:
    document = Document()
    for text in ("First", "Second", "Third"):
        document.add_paragraph(text)
    return document


def test_the_pane_opens_the_document_under_the_name_it_has_in_word(open_pane: OpenPane) -> None:
    pane = open_pane()
    assert pane.opened.json()["document"]["name"] == "Quarterly report.docx"
    assert pane.word.do("(word) => word.record.openFiles") == 0
    assert pane.page.evaluate("() => typeof history.pushState") == "function"


@pytest.mark.parametrize("swallows", [False, True], ids=["leaves", "swallows"])
def test_steps_are_in_word_and_the_middle_one_is_taken_back(open_pane: OpenPane, swallows: bool) -> None:
    pane = open_pane(swallowsLastEmpty=swallows)
    before = pane.word.texts()
    pane.ask(align("Summary"), align("Market and customers", "right"), align("Next steps"))
    assert (
        pane.alignments().items()
        >= {"Summary": CENTER, "Market and customers": RIGHT, "Next steps": CENTER}.items()
    )
    assert pane.word.texts() == before
    pane.undo(2)
    assert pane.alignments()["Summary"] == pane.alignments()["Next steps"] == CENTER
    assert "Market and customers" not in pane.alignments()
    assert pane.word.texts() == before


@pytest.mark.parametrize("swallows", [False, True], ids=["leaves", "swallows"])
def test_text_tables_and_lists_reach_word_as_the_server_has_them(open_pane: OpenPane, swallows: bool) -> None:
    pane = open_pane(swallowsLastEmpty=swallows)
    before = body_of(Mirror.open(pane.word.bytes()))
    pane.ask(
        call("add_paragraph", text="A new first line.", place={"before": {"paragraph": 1}}),
        call("add_paragraph", text="A new last line.", place={"at": "end"}),
        call(
            "insert_table",
            header=["Name", "Amount"],
            data=[["Rent", "900"]],
            place={"after": {"heading": "Summary"}},
        ),
        call("set_cell_text", target={"table": 1, "row": 2, "column": "Amount"}, text="950"),
        call("replace_text", find="the", replace="THE"),
    )
    for number in range(1, 6):
        expect(pane.step(number).get_by_text("Review", exact=True)).to_be_visible()
    now = body_of(Mirror.open(pane.word.bytes()))
    assert [seen.text for seen in now if seen.text.startswith("A new")] == [
        "A new first line.",
        "A new last line.",
    ]
    assert "Name\nAmount\nRent\n950" in {seen.text for seen in now}
    assert without_last_empty(now) == without_last_empty(body_of(Mirror.open(pane.served())))
    for number in (4, 1, 5, 2, 3):
        pane.undo(number)
    assert without_last_empty(body_of(Mirror.open(pane.word.bytes()))) == without_last_empty(before)


def without_last_empty(body: list[Seen]) -> list[Seen]:
    """Word keeps an empty paragraph when the last one is replaced; the server learns of it by the next reading."""
    return body[:-1] if not body[-1].text else body


def test_what_the_user_types_between_two_requests_is_kept_and_known(open_pane: OpenPane) -> None:
    pane = open_pane(docx_of(letters()))
    pane.ask(align("First"))
    pane.word.do("(word) => { word.type(1, 'Second, typed'); word.add(2, 'Fourth'); }")
    pane.ask(align("Second, typed"))
    assert pane.word.texts() == ["First", "Second, typed", "Third", "Fourth"]
    assert pane.alignments() == {"First": CENTER, "Second, typed": CENTER}
    pane.undo(1)
    assert pane.word.texts() == ["First", "Second, typed", "Third", "Fourth"]
    assert pane.alignments() == {"Second, typed": CENTER}


def test_a_step_on_what_the_user_is_typing_is_not_done_and_the_typing_stays(open_pane: OpenPane) -> None:
    pane = open_pane(docx_of(letters()))
    pane.word.do("(word) => word.typeDuringNextWrite(1, 'typed meanwhile')")
    pane.ask(align("Second"), align("Third"))
    assert "typed meanwhile" in pane.word.texts()
    assert pane.alignments()["Third"] == CENTER


def test_a_refusal_of_word_is_said_on_the_step_and_the_next_step_is_done(open_pane: OpenPane) -> None:
    pane = open_pane(docx_of(letters()))
    pane.word.do("(word) => word.failNext('refuses')")
    pane.ask(align("First"), align("Third"))
    expect(pane.step(1).get_by_text(re.compile("GeneralException")).first).to_be_visible()
    assert pane.alignments() == {"Third": CENTER}
    pane.ask(align("First", "right"))
    assert pane.alignments() == {"First": RIGHT, "Third": CENTER}


def test_undo_all_gives_back_the_document_that_was_opened(open_pane: OpenPane) -> None:
    pane = open_pane(docx_of(letters()))
    pane.ask(align("First"), align("Second", "right"))
    pane.page.get_by_role("button", name="Undo all").click()
    confirm = pane.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Undo"))
    confirm.click()
    for number in (1, 2):
        expect(pane.step(number).get_by_text("Undone", exact=True)).to_be_visible()
    assert pane.alignments() == {}
    assert [p.text for p in Document(io.BytesIO(pane.word.bytes())).paragraphs] == [
        "First",
        "Second",
        "Third",
    ]


def test_a_step_shows_where_it_is_by_selecting_it_in_word(open_pane: OpenPane) -> None:
    pane = open_pane(docx_of(letters()))
    pane.ask(align("Second"))
    pane.step(1).get_by_role("button", name=re.compile("^Show")).click()
    pane.page.wait_for_function("() => window.fakeWord.selection.first === 1")
