"""The playground with the real server and scripted steps: what the user does, and what comes of it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

import pytest
from docx import Document
from playwright.sync_api import Page, expect

from tests.e2e.docx_bench import serving
from tests.e2e.playground import Playground

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def playground(page: Page, server: str) -> Playground:
    return Playground(page, server)


def own_document(*paragraphs: str) -> bytes:
    document = Document()
    for text in paragraphs:
        document.add_paragraph(text)
    output = io.BytesIO()
    document.save(output)
    return output.getvalue()


def texts(data: bytes) -> list[str]:
    return [paragraph.text for paragraph in Document(io.BytesIO(data)).paragraphs]


# -- the main job ------------------------------------------------------------------------------------------------------


def test_an_own_document_is_opened_changed_partly_undone_and_downloaded(playground: Playground) -> None:
    playground.open_file(own_document("First", "Second", "Third"), "Letter.docx")
    playground.ask("bold 1; add after 2: Between; bold 3")
    playground.button("Undo: Add after 2: Between").click()
    expect(playground.button("Redo: Add after 2: Between")).to_be_visible()
    data = playground.download()
    assert texts(data) == ["First", "Second", "Third"]
    bold = [any(run.bold for run in p.runs) for p in Document(io.BytesIO(data)).paragraphs]
    assert bold == [True, False, True]
    expect(playground.paper).not_to_contain_text("Between")
    playground.button("Redo: Add after 2: Between").click()
    expect(playground.paper).to_contain_text("Between")
    assert texts(playground.download()) == ["First", "Second", "Between", "Third"]


def test_a_step_says_what_it_did_and_shows_the_call_and_the_changes(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("bold 3")
    step = playground.step("Bold 3")
    expect(step).to_contain_text("nothing else changed")
    expect(step.get_by_text("Review", exact=True)).to_be_visible()
    expect(step.get_by_text("set_bold", exact=True)).to_be_hidden()
    step.get_by_text("Details").click()
    expect(step.get_by_text("set_bold", exact=True)).to_be_visible()
    expect(step.get_by_role("row", name="bold true")).to_be_visible()
    expect(step.get_by_role("term")).to_have_text("Formatting")


def test_keeping_takes_the_step_out_of_review_and_it_can_still_be_undone(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("bold 3; bold 4")
    expect(playground.page.get_by_text("2 steps to review")).to_be_visible()
    playground.button("Keep: Bold 3").click()
    expect(playground.page.get_by_text("1 step to review")).to_be_visible()
    expect(playground.step("Bold 3").get_by_text("Kept")).to_be_visible()
    playground.button("Undo: Bold 3").click()
    expect(playground.step("Bold 3").get_by_text("Undone")).to_be_visible()
    playground.button("Keep all").click()
    expect(playground.page.get_by_text("Nothing to review")).to_be_visible()


def test_undo_all_asks_first_and_then_restores_the_document(playground: Playground) -> None:
    playground.open_file(own_document("One", "Two"))
    playground.ask("add after 1: New; bold 2")
    playground.button("Undo all").click()
    dialog = playground.page.get_by_role("dialog", name="Undo all steps?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    playground.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(playground.button("Undo all")).to_be_focused()
    playground.button("Undo all").click()
    dialog.get_by_role("button", name="Undo all").click()
    expect(playground.page.get_by_role("button", name=re.compile("^Redo: "))).to_have_count(2)
    assert texts(playground.download()) == ["One", "Two"]


def test_a_step_that_others_build_on_is_undone_with_them_or_kept(playground: Playground) -> None:
    playground.open_file(own_document("One"))
    playground.ask("add after 1: Base; stand on 1: On top")
    playground.button("Undo: Add after 1: Base").click()
    dialog = playground.page.get_by_role("dialog", name="Other steps build on this one")
    expect(dialog).to_contain_text("Stand on 1: On top")
    expect(dialog).to_contain_text("It adds to what step 1 wrote.")
    dialog.get_by_role("button", name="Keep the step").click()
    expect(dialog).to_be_hidden()
    expect(playground.step("Add after 1: Base").get_by_text("Review")).to_be_visible()
    playground.button("Undo: Add after 1: Base").click()
    dialog.get_by_role("button", name="Undo that one too").click()
    expect(playground.step("Stand on 1: On top").get_by_text("Undone")).to_be_visible()
    assert texts(playground.download()) == ["One"]


def test_a_step_that_was_not_done_offers_what_would_work(playground: Playground) -> None:
    playground.open_sample()
    group = playground.ask("refuse: There is no table 7, the document has 2.")
    expect(group).to_contain_text("There is no table 7, the document has 2.")
    expect(group.get_by_text("Not done", exact=True)).to_have_count(2)  # the request and its step
    playground.button("Use “Make every heading bold” as the next request").click()
    expect(playground.request_box).to_have_value("Make every heading bold")
    expect(playground.request_box).to_be_focused()


def test_examples_fill_the_request_box(playground: Playground) -> None:
    playground.open_sample()
    playground.button("Make the headings blue").click()
    expect(playground.request_box).to_have_value("Make the headings blue")
    expect(playground.request_box).to_be_focused()


# -- while a request is at work ---------------------------------------------------------------------------------------


def test_the_next_request_can_be_written_and_queued_while_one_is_at_work(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("wait", wait=False)
    queued = playground.ask("bold 3", wait=False)
    expect(queued.get_by_text("Queued")).to_be_visible()
    expect(playground.request_box).to_have_value("")
    playground.request_box.press("Escape")
    expect(playground.request("wait").get_by_text("Stopped").first).to_be_visible()
    expect(queued.get_by_text("Stopped", exact=True)).to_be_visible()


def test_the_stop_button_leaves_finished_steps_in_review(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("bold 3; wait; bold 4", wait=False)
    expect(playground.button("Keep: Bold 3")).to_be_visible()
    playground.button("Stop").press("Enter")
    expect(playground.request_box).to_be_focused()
    expect(playground.page.get_by_text("1 of 3 steps done, then stopped.")).to_be_visible()
    expect(playground.button("Keep: Bold 3")).to_be_visible()
    expect(playground.button("Stop")).to_be_hidden()


# -- focus -------------------------------------------------------------------------------------------------------------


def test_the_focus_goes_on_to_the_next_step_and_never_gets_lost(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("bold 3; bold 4")
    playground.button("Keep: Bold 3").press("Enter")
    expect(playground.button("Keep: Bold 4")).to_be_focused()
    playground.page.keyboard.press("Enter")
    expect(playground.page.get_by_role("heading", name="Bold 4", exact=True)).to_be_focused()
    playground.button("Undo: Bold 3").press("Enter")
    expect(playground.button("Undo: Bold 4")).to_be_focused()


def test_the_focus_stays_in_the_request_box_while_steps_arrive(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("bold 3; bold 4; refuse: No.")
    expect(playground.request_box).to_be_focused()


def test_one_status_region_says_what_became_of_the_steps(playground: Playground) -> None:
    playground.open_sample()
    playground.ask("bold 3; bold 4")
    status = playground.page.get_by_role("status")
    expect(status).to_have_count(1)
    expect(status).to_contain_text("Finished. 2 of 2 steps done.")


# -- the session -------------------------------------------------------------------------------------------------------


def test_a_reload_shows_the_same_document_and_steps(playground: Playground) -> None:
    playground.open_file(own_document("One", "Two"), "Kept.docx")
    playground.ask("add after 1: New")
    playground.page.reload()
    playground.wait_drawn("Kept.docx")
    expect(playground.step("Add after 1: New").get_by_text("Review")).to_be_visible()
    expect(playground.paper).to_contain_text("New")


def test_two_tabs_are_two_sessions(new_page: Callable[..., Page], server: str) -> None:
    one, other = Playground(new_page(), server), Playground(new_page(), server)
    one.open_file(own_document("One"), "One.docx")
    other.open_file(own_document("Other"), "Other.docx")
    one.ask("add after 1: Only here")
    expect(other.paper).not_to_contain_text("Only here")
    assert texts(other.download()) == ["Other"]


def test_another_document_replaces_one_with_steps_only_after_a_question(playground: Playground) -> None:
    playground.open_file(own_document("One"), "One.docx")
    playground.ask("bold 1")
    chooser = playground.page.get_by_label("Open: Word document (.docx)")
    other = {"name": "Other.docx", "mimeType": "application/octet-stream", "buffer": own_document("Other")}
    chooser.set_input_files(other)  # pyright: ignore[reportArgumentType]
    dialog = playground.page.get_by_role("dialog", name="Open another document?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(playground.step("Bold 1")).to_be_visible()
    chooser.set_input_files(other)  # pyright: ignore[reportArgumentType]
    dialog.get_by_role("button", name="Open the other one").click()
    playground.wait_drawn("Other.docx")
    expect(playground.paper).to_contain_text("Other")
    expect(playground.step("Bold 1")).to_have_count(0)


def test_after_a_download_another_document_replaces_one_without_a_question(playground: Playground) -> None:
    playground.open_file(own_document("One"), "One.docx")
    playground.ask("bold 1")
    playground.download()
    chooser = playground.page.get_by_label("Open: Word document (.docx)")
    other = {"name": "Other.docx", "mimeType": "application/octet-stream", "buffer": own_document("Other")}
    chooser.set_input_files(other)  # pyright: ignore[reportArgumentType]
    playground.wait_drawn("Other.docx")
    # What was downloaded of the first says nothing of the second, nor does it once a step has come since.
    playground.ask("bold 1")
    chooser.set_input_files(other)  # pyright: ignore[reportArgumentType]
    expect(playground.page.get_by_role("dialog", name="Open another document?")).to_be_visible()


def test_a_button_that_does_nothing_does_not_light_up(playground: Playground) -> None:
    playground.open_file(own_document("One"), "One.docx")
    send = playground.button("Send")
    expect(send).to_be_disabled()
    colour = "one => { one.style.transition = 'none'; return getComputedStyle(one).backgroundColor; }"
    at_rest = send.evaluate(colour)
    send.hover(force=True)
    expect(playground.page.locator(".primary:hover")).to_have_text("Send")
    assert send.evaluate(colour) == at_rest


def test_a_file_that_is_no_document_is_refused_with_the_reason(playground: Playground) -> None:
    playground.page.get_by_label("Word document (.docx)").set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"hello"}
    )
    expect(playground.page.get_by_role("alert")).to_contain_text("“notes.txt” is not a .docx file")


def test_a_dropped_file_is_opened(playground: Playground) -> None:
    data = list(own_document("Dropped here"))
    playground.page.evaluate(
        """(data) => {
            const files = new DataTransfer();
            files.items.add(new File([new Uint8Array(data)], "Dropped.docx"));
            for (const type of ["dragover", "drop"]) {
                document.body.dispatchEvent(
                    new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
            }
        }""",
        data,
    )
    playground.wait_drawn("Dropped.docx")
    expect(playground.paper).to_contain_text("Dropped here")


# -- the connection ----------------------------------------------------------------------------------------------------


def test_after_a_restart_of_the_server_the_document_can_be_opened_again(page: Page) -> None:
    with serving() as address:
        port = int(address.rpartition(":")[2])
        playground = Playground(page, address)
        playground.open_file(own_document("One"), "Safe.docx")
        playground.ask("add after 1: Kept through the restart")
        expect(playground.paper).to_contain_text("Kept through the restart")
    with serving(port=port):
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.get_by_role("alert")).to_contain_text("The steps can no longer be undone", timeout=30_000)
        playground.button("Open it again").click()
        playground.wait_drawn("Safe.docx")
        expect(playground.paper).to_contain_text("Kept through the restart")
        playground.ask("bold 1")
        assert texts(playground.download()) == ["One", "Kept through the restart"]


def test_what_is_sent_while_the_server_is_away_waits_and_can_be_taken_back(page: Page) -> None:
    with serving() as address:
        playground = Playground(page, address)
        playground.open_file(own_document("One"), "Away.docx")
    expect(page.get_by_text("The connection was lost. Trying again…")).to_be_visible(timeout=15_000)
    waiting = playground.ask("bold 1", wait=False)
    expect(waiting.get_by_text("Waiting for the connection")).to_be_visible()
    expect(playground.button("Retry now")).to_be_visible(timeout=20_000)
    # With the keyboard, since the bar above comes and goes as the page tries again.
    playground.button("Remove: bold 1").press("Enter")
    expect(waiting).to_have_count(0)
    expect(playground.request_box).to_be_focused()
