"""Pictures that are attached over HTTP, with the real mirror and a planner that follows a script."""

from __future__ import annotations

import io

import httpx2 as httpx
import pytest
from docx import Document
from PIL import Image

from agent.operations.specimens import doc, p, png
from server.attachments import MOST
from server.protocol import AttachmentsChanged, AttachmentView, Redo, Run, Undo
from tests.server.running import Running, folded, running
from tests.server.test_workbench import open_scripted

LETTER = doc(p("Dear all,"), p("Regards"))()
LOGO, CHART = png(40, 20), png(30, 30)


async def attach(
    server: Running, session: str, data: bytes, name: str = "logo.png", **headers: str
) -> httpx.Response:
    return await server.http.post(
        f"/api/documents/{session}/attachments", params={"name": name}, content=data, headers=headers
    )


async def attached(server: Running, session: str, data: bytes, name: str = "logo.png") -> str:
    """Attach a picture; the name it was given."""
    answer = await attach(server, session, data, name)
    assert answer.status_code == 200, answer.text
    assert answer.json()["size"] == len(data)
    return answer.json()["name"]


async def detach(server: Running, session: str, name: str) -> httpx.Response:
    return await server.http.delete(f"/api/documents/{session}/attachments", params={"name": name})


def pictures(data: bytes) -> list[bytes]:
    """The bytes of the inline pictures of a document, in order."""
    document = Document(io.BytesIO(data))
    blips = [shape._inline.graphic.graphicData.pic.blipFill.blip for shape in document.inline_shapes]
    return [document.part.related_parts[str(blip.embed)].blob for blip in blips]


async def test_an_attached_picture_is_shown_to_all_panes_and_in_a_fresh_view() -> None:
    async with running(open_scripted) as server:
        session = await server.open(LETTER)
        async with server.pane(session) as pane:
            assert await attached(server, session, LOGO) == "logo.png"
            message = await pane.until(lambda m: isinstance(m, AttachmentsChanged))
            assert isinstance(message, AttachmentsChanged)
            assert message.attachments == [AttachmentView(name="logo.png", size=len(LOGO))]
            view = pane.welcome.view
            assert view is not None
            async with server.pane(session) as late:
                assert late.welcome.view == folded(view, pane.received)
            assert (await detach(server, session, "logo.png")).status_code == 204
            message = await pane.until(lambda m: isinstance(m, AttachmentsChanged))
            assert isinstance(message, AttachmentsChanged)
            assert message.attachments == []


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP", "TIFF"])
async def test_each_kind_of_picture_that_word_takes_is_accepted_whatever_its_name(kind: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (8, 8)).save(data, kind)
    async with running(open_scripted) as server:
        session = await server.open(LETTER)
        assert await attached(server, session, data.getvalue(), "photo.dat") == "photo.dat"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "'logo.png' is an SVG drawing; save it as PNG"),
        (b"%PDF-1.7", "is a PDF"),
        (b"hello", "'logo.png' is not a picture that can be read"),
        (LOGO[:-30], "damaged or cut short"),
    ],
)
async def test_what_is_no_picture_is_refused_in_a_sentence_and_not_kept(data: bytes, said: str) -> None:
    async with running(open_scripted) as server:
        session = await server.open(LETTER)
        answer = await attach(server, session, data)
        assert answer.status_code == 422
        assert said in answer.json()["message"]
        async with server.pane(session) as pane:
            assert pane.welcome.view is not None
            assert pane.welcome.view.attachments == []


async def test_a_picture_over_the_limit_and_an_empty_one_are_refused() -> None:
    async with running(open_scripted, picture_limit=1000) as server:
        session = await server.open(LETTER)
        large = await attach(server, session, b"x" * 1001)
        assert large.status_code == 413
        assert large.json()["message"].startswith("The picture is larger than")
        empty = await attach(server, session, b"")
        assert (empty.status_code, "is empty" in empty.json()["message"]) == (422, True)


async def test_only_so_many_pictures_are_kept_for_a_document() -> None:
    async with running(open_scripted) as server:
        session = await server.open(LETTER)
        for number in range(MOST):
            await attached(server, session, png(10, 10 + number), f"{number}.png")
        answer = await attach(server, session, LOGO, "one more.png")
        assert (answer.status_code, answer.json()["code"]) == (422, "TOO_MANY_ATTACHMENTS")
        assert await attached(server, session, png(10, 10), "0.png") == "0.png"
        await detach(server, session, "3.png")
        assert await attached(server, session, LOGO, "one more.png") == "one more.png"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/logo.png", "logo.png"),
        ("C:\\Users\\me\\Logo.PNG", "Logo.PNG"),
        ("a\r\nb<c>.png", "ab_c_.png"),
        ("logo\u202egnp.exe", "logognp.exe"),
        ("..", "picture"),
        ("", "picture"),
        ("x" * 300 + ".png", "x" * 150 + ".png"),
        ("a sentence. with a stop", "a sentence. with a stop"),
        ("\u5831\u544a.png", "\u5831\u544a.png"),
    ],
)
async def test_a_name_is_a_label_without_path_or_tricks(given: str, shown: str) -> None:
    async with running(open_scripted) as server:
        session = await server.open(LETTER)
        assert await attached(server, session, LOGO, given) == shown


async def test_another_picture_of_the_same_name_gets_a_number_and_the_same_one_does_not() -> None:
    async with running(open_scripted) as server:
        session = await server.open(LETTER)
        names = [await attached(server, session, data, "image.png") for data in (LOGO, CHART, LOGO)]
        assert names == ["image.png", "image (2).png", "image.png"]
        assert await attached(server, session, png(5, 5), "IMAGE.png") == "IMAGE (3).png"


async def test_a_picture_is_not_taken_without_the_token_from_a_foreign_page_or_for_no_session() -> None:
    async with running(open_scripted) as server:
        session = await server.open(LETTER)
        assert (await attach(server, session, LOGO, **{"X-Stet-Token": "wrong"})).status_code == 403
        assert (await attach(server, session, LOGO, origin="https://example.org")).status_code == 403
        assert (await attach(server, "no-such", LOGO)).status_code == 404
        gone = await detach(server, session, "logo.png")
        assert (gone.status_code, gone.json()["code"]) == (404, "ATTACHMENT_UNKNOWN")


async def test_a_step_that_used_a_picture_is_done_again_with_the_same_one_after_others_came_and_it_was_removed() -> (
    None
):
    async with running(open_scripted) as server:
        session = await server.open(LETTER)
        await attached(server, session, LOGO)
        async with server.pane(session) as pane:
            await pane.send(Run(client_id="a", text='insert_image {"place": {"at": "start"}}'))
            assert (await pane.until_request(1, "finished")).request.complete
            await pane.send(Undo(steps=[1]))
            await pane.until_step(1, "undone")
            await detach(server, session, "logo.png")
            assert await attached(server, session, CHART, "logo.png") == "logo (2).png"
            await pane.send(Redo(steps=[1]))
            await pane.until_step(1, "review")
        assert pictures(await server.document(session)) == [LOGO]
        assert await attached(server, session, LOGO) == "logo.png"
