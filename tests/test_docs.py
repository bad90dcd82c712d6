"""What the documents name exists: files, make targets, commands, operations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent.operations.catalogue import GROUPS, catalogue
from server.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "ARCHITECTURE.md")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_and_picture_leads_to_a_file(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = [t for t in re.findall(r"\]\(([^)#]+)\)", text) if not t.startswith("http")]
    assert targets
    assert [t for t in targets if not (ROOT / t).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_make_target_that_is_named_exists(name: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`make ([a-z-]+)`", text)) | set(
        re.findall(r"^make ([a-z-]+)$", text, re.MULTILINE)
    )
    assert named
    assert named <= known


def test_every_file_of_the_rooms_table_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    missing: list[str] = []
    for room, contents in rows:
        folders = [ROOT / f for f in re.findall(r"`([\w/]+/)`", room)] or [ROOT / "agent"]
        missing += [
            file
            for file in re.findall(r"`([\w/]+\.py)`", room + contents)
            if not any((folder / file).exists() for folder in (*folders, ROOT, ROOT / "agent"))
        ]
    assert rows
    assert missing == []


def test_the_number_of_operations_in_the_readme_is_right() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{len(catalogue())} operations" in text


def test_every_group_has_operations_and_the_command_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert {op.group for op in catalogue().values()} == set(GROUPS)
    assert main(["ops"]) == 0
    said = capsys.readouterr().out
    assert [name for name in catalogue() if name not in said] == []
