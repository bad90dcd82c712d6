"""The command `stet`, as a person or a script calls it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest
from docx import Document

from agent.operations.catalogue import catalogue
from agent.operations.specimens import png
from server import samples
from server.cli import DONE, NOT_ALL_DONE, USAGE, main

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests never ask a language model."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "STET_MODEL", "STET_PLANNER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A file of the user's own."""
    path = tmp_path / "report.docx"
    path.write_bytes(samples.read(samples.listed()[0]))
    return path


# -- run -----------------------------------------------------------------------------------------------------


def test_a_request_that_is_done_whole_ends_with_0_and_leaves_the_input_alone(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, output = report.read_bytes(), tmp_path / "out.docx"
    request = (
        "Make the title bold and centre it, "
        "then add a 3x2 table after the introduction with the header Name, Amount"
    )
    assert main(["run", str(report), request, "-o", str(output)]) == DONE
    after = Document(str(output))
    title = after.paragraphs[0]
    assert title.runs[0].bold
    assert title.alignment is not None
    assert [cell.text for cell in after.tables[0].rows[0].cells] == ["Name", "Amount"]
    assert report.read_bytes() == before
    said = capsys.readouterr().out
    assert said.count("done:") == 3
    assert "NOT DONE" not in said
    assert str(output) in said


def test_what_is_not_done_is_printed_with_the_reason_and_ends_with_1(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.docx"
    code = main(["run", str(report), "Centre the title", "Centre the heading Appendix Z", "-o", str(output)])
    assert code == NOT_ALL_DONE
    said = capsys.readouterr().out
    assert "NOT DONE" in said
    assert "reason: " in said
    assert Document(str(output)).paragraphs[0].alignment is not None


def test_an_attached_picture_is_put_in_by_its_name(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, logo, other = tmp_path / "out.docx", tmp_path / "logo.png", tmp_path / "other" / "Logo.png"
    other.parent.mkdir()
    logo.write_bytes(png(40, 20))
    other.write_bytes(png(30, 30))
    request = "Add logo.png at the end, 4 cm wide"
    attached = ["--attach", str(logo), "--attach", str(other)]
    assert main(["run", str(report), request, "-o", str(output), *attached]) == DONE
    picture = list(Document(str(output)).inline_shapes)[-1]
    assert (picture.width.cm, picture.height.cm) == (4, 2)
    assert "Logo.png is attached as Logo (2).png" in capsys.readouterr().out


@pytest.mark.parametrize(("data", "said"), [(None, "cannot be read"), (b"text", "is not a picture")])
def test_what_cannot_be_attached_ends_with_2_before_anything_is_done(
    report: Path, tmp_path: Path, data: bytes | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    output, file = tmp_path / "out.docx", tmp_path / "logo.png"
    if data is not None:
        file.write_bytes(data)
    assert main(["run", str(report), "Centre the title", "-o", str(output), "--attach", str(file)]) == USAGE
    assert said in capsys.readouterr().err
    assert not output.exists()


def test_the_events_are_written_one_json_object_a_line(report: Path, tmp_path: Path) -> None:
    events = tmp_path / "out.jsonl"
    request = "Centre the title"
    assert (
        main(["run", str(report), request, "-o", str(tmp_path / "out.docx"), "--events", str(events)]) == DONE
    )
    lines = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    kinds = [line["event"] for line in lines]
    assert kinds[0] == "InstructionStarted"
    assert kinds[-1] == "InstructionFinished"
    assert "StepDone" in kinds
    assert lines[0]["instruction"] == request


def test_the_input_is_overwritten_only_when_the_output_says_so(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = report.read_bytes()
    assert main(["run", str(report), "Centre the title", "-o", str(report)]) == DONE
    assert capsys.readouterr().out.endswith(f"\nOverwritten: {report}\n")
    assert report.read_bytes() != before
    with pytest.raises(SystemExit) as usage:
        main(["run", str(report), "Centre the title"])
    assert usage.value.code == USAGE


@pytest.mark.parametrize("content", [None, b"", b"no document", b"PK\x03\x04 broken"])
def test_a_file_that_cannot_be_read_ends_with_2_and_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    path, output = tmp_path / "in.docx", tmp_path / "out.docx"
    if content is not None:
        path.write_bytes(content)
    assert main(["run", str(path), "Centre the title", "-o", str(output)]) == USAGE
    said = capsys.readouterr().err
    assert said.startswith("stet: ")
    assert "Traceback" not in said
    assert not output.exists()


def test_an_output_that_cannot_be_written_ends_with_2(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "missing" / "out.docx"
    assert main(["run", str(report), "Centre the title", "-o", str(output)]) == USAGE
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no FIFOs in folders")
@pytest.mark.parametrize("name", [".", "fifo.docx", "link.docx"])
def test_an_output_that_is_no_regular_file_is_refused_and_stays(
    report: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / name
    if name != ".":
        # Never a device of this machine: without the refusal it would be replaced by a file.
        os.mkfifo(tmp_path / "fifo.docx")
    if name == "link.docx":
        output.symlink_to(tmp_path / "fifo.docx")
    before = sorted(tmp_path.iterdir())
    assert main(["run", str(report), "Centre the title", "-o", str(output)]) == USAGE
    said = capsys.readouterr()
    assert "cannot be written: it is " in said.err
    assert not said.out
    assert sorted(tmp_path.iterdir()) == before
    assert name == "." or not output.is_file()


@pytest.mark.parametrize("name", ["out.pdf", "out", "out.docm", "out.dotx"])
def test_an_extension_under_which_word_would_not_open_the_document_is_refused(
    report: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(report), "Centre the title", "-o", str(tmp_path / name)]) == USAGE
    said = capsys.readouterr()
    assert f"ends in .docx; use {tmp_path / 'out.docx'}." in said.err
    assert not said.out
    assert [path.name for path in tmp_path.iterdir()] == [report.name]


@pytest.mark.parametrize(
    ("content_type", "kind", "fits"),
    [
        ("application/vnd.ms-word.document.macroEnabled.main+xml", "a macro-enabled Word document", "docm"),
        (
            "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
            "a macro-enabled Word template",
            "dotm",
        ),
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
            "a Word template",
            "dotx",
        ),
    ],
)
def test_macros_and_templates_are_written_under_their_own_extensions_only(
    report: Path, tmp_path: Path, content_type: str, kind: str, fits: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / f"in.{fits}"
    main_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    with zipfile.ZipFile(report) as source, zipfile.ZipFile(document, "w") as target:
        for member in source.namelist():
            data = source.read(member)
            if member == "[Content_Types].xml":
                data = data.replace(main_type.encode(), content_type.encode())
            target.writestr(member, data)
    call = ["run", str(document), "Centre the title", "-o"]
    assert main([*call, str(tmp_path / "out.docx")]) == USAGE
    assert f"in.{fits} is {kind}" in capsys.readouterr().err
    assert main([*call, str(tmp_path / f"OUT.{fits.upper()}")]) == DONE


def test_events_never_go_over_another_of_the_files(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, logo, link = tmp_path / "out.docx", tmp_path / "logo.png", tmp_path / "link.jsonl"
    logo.write_bytes(png(40, 20))
    link.symlink_to(report)
    before = report.read_bytes(), logo.read_bytes()
    call = ["run", str(report), "Centre the title", "-o", str(output), "--attach", str(logo), "--events"]
    for events in (report, link, output, logo):
        assert main([*call, str(events)]) == USAGE
        assert f"The events cannot be written to {events}" in capsys.readouterr().err
    assert (report.read_bytes(), logo.read_bytes()) == before
    assert not output.exists()


@pytest.mark.parametrize("option", ["-o", "--events", "--attach"])
def test_an_empty_file_name_is_refused(report: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as usage:
        main(["run", str(report), "Centre the title", "-o", str(report.with_name("out.docx")), option, ""])
    assert usage.value.code == USAGE
    assert "the name is empty; name a file" in capsys.readouterr().err


def test_a_request_that_is_no_utf_8_is_refused(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    request = os.fsdecode(b"Centre the t\xeftle")
    assert main(["run", str(report), request, "-o", str(tmp_path / "out.docx")]) == USAGE
    assert capsys.readouterr().err == (
        "stet: A request is not valid UTF-8 text, from its character 13 on; write it anew.\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no broken pipes")
def test_a_reader_that_goes_away_does_not_take_the_result_with_it(report: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.docx"
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "server", "run", report, "Centre the title", "-o", output],
            cwd=ROOT,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (DONE, "")
    assert Document(str(output)).paragraphs[0].alignment is not None


def test_a_language_model_that_is_not_configured_cannot_be_asked_for(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["run", str(report), "Centre the title", "-o", str(tmp_path / "o.docx"), "--planner", "llm"])
    assert code == USAGE
    assert "OPENAI_API_KEY" in capsys.readouterr().err


# -- ops -----------------------------------------------------------------------------------------------------


def test_every_operation_is_listed_with_its_group_and_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops"]) == DONE
    said = capsys.readouterr().out
    for operation in catalogue().values():
        assert f"  {operation.name}(" in said
        assert operation.summary[:40] in said


def test_the_operations_as_json_carry_their_schemas(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--json"]) == DONE
    listed = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert set(listed) == set(catalogue())
    assert listed["set_alignment"]["parameters"]["type"] == "object"
    assert listed["set_alignment"]["group"] == "formatting"


def test_one_operation_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "set_alignment"]) == DONE
    said = capsys.readouterr().out
    assert "alignment: How their lines sit between the margins." in said
    assert main(["ops", "set_alignment", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["name"] == "set_alignment"


def test_an_operation_that_is_not_there_ends_with_2_and_names_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["ops", "set_alignmen"]) == USAGE
    assert "set_alignment" in capsys.readouterr().err


# -- the rest --------------------------------------------------------------------------------------------------


def test_the_version_is_that_of_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert re.match(r"stet \d", capsys.readouterr().out)


@pytest.mark.parametrize("arguments", [[], ["dance"], ["serve", "--port", "many"], ["run", "a.docx"]])
def test_wrong_usage_ends_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as usage:
        main(arguments)
    assert usage.value.code == USAGE


def test_a_port_that_is_taken_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == USAGE
    said = capsys.readouterr().err.splitlines()
    assert (
        said[-1] == f"stet: Port {port} is taken by another program; choose another with --port {port + 1}."
    )


def test_certificates_that_cannot_be_kept_are_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "file"
    taken.write_text("no folder")
    assert main(["word", "--port", "0", "--certs", str(taken / "certs")]) == USAGE
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith(f"stet: The certificates cannot be kept in {taken / 'certs'}: ")


def test_a_setting_that_is_wrong_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STET_MAX_SESSIONS", "many")
    assert main(["serve"]) == USAGE
    assert "STET_MAX_SESSIONS" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
def test_serve_prints_its_address_answers_there_and_ends_on_ctrl_c() -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "serve", "--port", "0"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = next(line.split()[-1] for line in process.stdout if line.startswith("Stet is at"))
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{address}/api/samples", timeout=20) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=20)
        assert "Traceback" not in rest
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()
