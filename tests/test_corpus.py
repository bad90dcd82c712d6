"""The corpus of others' files: listed, licensed, small."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpus import HERE, SUFFIXES, corpus_file, corpus_files, manifest


def test_the_manifest_lists_every_file_once() -> None:
    listed = [row.path.name for row in manifest()]
    assert sorted(listed) == sorted(path.name for path in HERE.iterdir() if path.suffix in SUFFIXES)


def test_every_source_has_its_licence_beside_it() -> None:
    for row in manifest():
        source = row.path.name.partition("__")[0]
        assert (HERE / "licences" / f"{source}.txt").is_file(), row
        assert row.licence in {"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"}, row


def test_files_are_whole_packages_and_the_corpus_stays_small() -> None:
    for row in manifest():
        with zipfile.ZipFile(row.path) as package:
            assert package.testzip() is None
            assert "[Content_Types].xml" in package.namelist()
    sizes = [row.path.stat().st_size for row in manifest()]
    assert max(sizes) < 300_000
    assert sum(sizes) < 2_500_000


def test_corpus_files_gives_the_files_of_the_manifest() -> None:
    assert {row.path for row in manifest()} <= set(corpus_files())


@pytest.mark.libreoffice
def test_libreoffice_opens_a_file_of_the_corpus(libreoffice: Callable[..., Path]) -> None:
    text = libreoffice(corpus_file("ooxml-integrity__base.docx"), to="txt:Text").read_text(encoding="utf-8")
    assert "Master Services Agreement" in text


@pytest.mark.libreoffice
def test_what_libreoffice_cannot_open_fails_the_test(
    libreoffice: Callable[..., Path], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(corpus_file("ooxml-integrity__base.docx").read_bytes()[:2000])
    with pytest.raises(AssertionError, match=r"could not open broken\.docx"):
        libreoffice(broken)
