"""Requests that name an attached picture, through the planner that has no model."""

from __future__ import annotations

import io
from typing import Any

import pytest
from docx import Document

from agent.agent import Agent
from agent.document.mirror import Mirror
from agent.events import StepDone, StepNotDone
from agent.history import History
from agent.operations.specimens import doc, h, p, png
from agent.planning.local.local_planner import LocalPlanner

PAPER = doc(
    p("Quarterly Report", style="Title"),
    h(1, "Introduction"),
    p("We did well."),
    h(1, "Costs"),
    p("They fell."),
)


async def asked(request: str, *names: str) -> tuple[Mirror, list[dict[str, Any]], list[str]]:
    """The document after a request with these pictures attached, the calls in its log, and what was not done and why."""
    mirror = Mirror.open(PAPER(), "paper.docx")
    mirror.attachments = {name: png(40, 20 + number) for number, name in enumerate(names)}
    history, refused = History(mirror), list[str]()
    async for event in Agent(LocalPlanner()).run(mirror, history, request):
        if isinstance(event, StepNotDone):
            refused.append(event.reason)
        if isinstance(event, StepDone):
            assert event.explanation.endswith("nothing else changed.")
    calls = [dict(entry.call.params) for entry in history.entries if entry.call is not None]
    return mirror, calls, refused


def before_the_picture(mirror: Mirror) -> str:
    """Text of the paragraph that stands before the first picture."""
    paragraphs = Document(io.BytesIO(mirror.save())).paragraphs
    at = next(n for n, paragraph in enumerate(paragraphs) if paragraph._p.xpath(".//wp:inline"))
    return paragraphs[at - 1].text


async def test_a_name_with_a_width_and_an_alt_text() -> None:
    mirror, (call,), refused = await asked(
        "add logo.png under the introduction, 4 cm wide, alt text 'Company logo'", "logo.png", "team.png"
    )
    assert refused == []
    assert (call["picture"], call["width"], call["alt_text"]) == ("logo.png", "4cm", "Company logo")
    assert before_the_picture(mirror) == "We did well."


@pytest.mark.parametrize(
    ("request_", "names", "picture"),
    [
        ("insert the logo after the title", ["logo.png"], "logo.png"),
        ("insert the logo after the title", ["team.png", "logo.png"], "logo.png"),
        ("insert the logo after the title", ["team.png", "acme-logo-2026.png"], "acme-logo-2026.png"),
        ("insert the picture after the title", ["IMG_0815.jpg"], "IMG_0815.jpg"),
        ("put the Team Photo after the title", ["team_photo.jpg", "b.png"], "team_photo.jpg"),
        ("insert team photo.jpg after the title", ["team photo.jpg", "photo.jpg"], "team photo.jpg"),
        ("insert logo (2).png after the title", ["logo.png", "logo (2).png"], "logo (2).png"),
        ("insert 'logo (2).png' after the title", ["logo.png", "logo (2).png"], "logo (2).png"),
        ("insert image.png after the title", ["image.png", "image (2).png"], "image.png"),
        ("insert the banner after the title", ["banner.png", "logo.png"], "banner.png"),
        ("insert the chart picture after the title", ["chart.png", "logo.png"], "chart.png"),
    ],
)
async def test_the_picture_that_is_meant_goes_after_the_title(
    request_: str, names: list[str], picture: str
) -> None:
    mirror, calls, refused = await asked(request_, *names)
    assert refused == []
    assert [call["picture"] for call in calls] == [picture]
    assert before_the_picture(mirror) == "Quarterly Report"


@pytest.mark.parametrize(
    ("request_", "names", "said"),
    [
        ("insert the picture after the title", ["a.png", "b.png"], "a.png, b.png"),
        ("insert the image after the title", ["image.png", "image (2).png"], "image.png, image (2).png"),
        ("insert the logo after the title", ["acme-logo.png", "old-logo.png"], "acme-logo.png, old-logo.png"),
        ("insert logo.png after the title", ["team.png"], "There is no attached picture 'logo.png'"),
        ("insert the picture after the title", [], "No picture is attached"),
    ],
)
async def test_which_picture_is_never_guessed(request_: str, names: list[str], said: str) -> None:
    mirror, calls, (reason,) = await asked(request_, *names)
    assert said in reason
    assert calls == []
    assert not list(mirror.body.iter("{*}inline"))


@pytest.mark.parametrize(
    "request_",
    [
        "make the title bold",
        "add a heading Logo at the end",
        "insert a table with 3 rows and 2 columns at the end",
        "add a paragraph saying 'The logo is new' at the end",
        "change the title to Logo overview",
    ],
)
async def test_an_attachment_does_not_change_what_other_requests_mean(request_: str) -> None:
    plain = await asked(request_)
    given = await asked(request_, "logo.png", "title.png", "table.png", "heading.png")
    assert plain[1:] == given[1:]
    assert len(plain[1]) == 1
