"""`stet run` with the real agent and a planner that follows a script."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest
from docx import Document

from agent.errors import DocumentError
from server import samples
from server.planners import Agents
from server.run_file import run_file
from tests.server.scripted_planner import scripted_agent

REPORT = samples.read(samples.listed()[0])
CENTRE = 'set_alignment {"target": {"text": "Summary"}, "alignment": "center"}'
MISSING = 'set_alignment {"target": {"text": "No such words"}, "alignment": "center"}'


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.docx"
    path.write_bytes(REPORT)
    return path


def run(document: Path, requests: list[str], output: Path, events: Path | None) -> bool:
    return asyncio.run(run_file(document, requests, output, events, lambda: Agents(scripted_agent)))


def test_each_step_is_printed_as_it_happens(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = report.with_name("out.docx")
    assert run(report, [CENTRE], output, None)
    assert capsys.readouterr().out.splitlines() == [
        f"1. {CENTRE}",
        "   done: Heading 'Summary' is now centred; nothing else changed.",
        "Done.",
        f"Written: {output}",
    ]


def test_what_was_not_done_is_printed_with_why_and_what_would_work(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = report.with_name("out.docx")
    assert not run(report, [f"decline I do not translate.\n{MISSING}\n{CENTRE}"], output, None)
    said = capsys.readouterr().out
    assert "   NOT DONE: decline I do not translate.\n   reason: I do not translate." in said
    assert "   you could ask: set_alignment" in said
    assert "   trying again: " in said
    assert f"   NOT DONE: {MISSING}" in said
    # The rest is in the file all the same.
    after = Document(io.BytesIO(output.read_bytes()))
    assert [p.alignment is not None for p in after.paragraphs if p.text == "Summary"] == [True]


def test_requests_are_carried_out_in_turn_and_one_that_fails_does_not_end_the_next(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = report.with_name("out.docx")
    assert not run(report, ["fail No connection.", CENTRE], output, None)
    said = capsys.readouterr().out
    assert said.index("> fail No connection.") < said.index("No connection.\n> set_alignment")
    assert "done: Heading 'Summary'" in said


def test_the_trajectory_has_every_event_also_those_within_a_step(report: Path) -> None:
    events = report.with_name("events.jsonl")
    run(report, [CENTRE, MISSING], report.with_name("out.docx"), events)
    kinds = [json.loads(line)["event"] for line in events.read_text(encoding="utf-8").splitlines()]
    done = [
        "InstructionStarted",
        "StepPlanned",
        "StepRunning",
        "StepChecking",
        "StepDone",
        "InstructionFinished",
    ]
    assert kinds[: len(done)] == done
    assert kinds[len(done) :][0] == "InstructionStarted"
    assert "StepNotDone" in kinds


def test_nothing_is_written_where_the_events_cannot_be(report: Path) -> None:
    output = report.with_name("out.docx")
    with pytest.raises(DocumentError):
        run(report, [CENTRE], output, report.parent / "missing" / "e.jsonl")
    assert not output.exists()


def test_the_output_is_replaced_whole_and_keeps_its_permissions(report: Path) -> None:
    report.chmod(0o640)
    run(report, [CENTRE], report, None)
    assert report.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in report.parent.iterdir()] == ["report.docx"]
    Document(str(report))


def save_meanwhile(path: Path, old: str, new: str) -> Agents:
    """Agents before whose first step somebody else saves the document."""
    document = Document(str(path))
    paragraph = next(p for p in document.paragraphs if p.text == old)
    if new:
        paragraph.runs[0].text = new
    else:
        paragraph._p.getparent().remove(paragraph._p)
    document.save(str(path))
    return Agents(scripted_agent)


def test_what_was_saved_in_the_file_meanwhile_is_kept(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = next(p.text for p in Document(str(report)).paragraphs if p.text.endswith("."))
    assert asyncio.run(
        run_file(report, [CENTRE], report, None, lambda: save_meanwhile(report, body, "Typed meanwhile."))
    )
    after = {p.text: p.alignment for p in Document(str(report)).paragraphs}
    assert "Typed meanwhile." in after
    assert after["Summary"] is not None
    assert "was changed meanwhile; the edits made there are kept" in capsys.readouterr().out


def test_a_file_in_which_the_step_cannot_be_done_any_more_is_left_as_it_was_saved(report: Path) -> None:
    with pytest.raises(DocumentError, match=r"changed meanwhile, and is left as it is\. .*could not be done"):
        asyncio.run(run_file(report, [CENTRE], report, None, lambda: save_meanwhile(report, "Summary", "")))
    assert "Summary" not in [p.text for p in Document(str(report)).paragraphs]
