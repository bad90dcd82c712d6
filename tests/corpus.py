"""Real .docx files by others.

`tests/corpus`, listed with sources and licences in its MANIFEST.tsv, and the larger `../shared/corpus` where
a checkout has that beside itself.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent / "corpus"
LARGER = Path(__file__).resolve().parents[2] / "shared" / "corpus"
SUFFIXES = {".docx", ".docm", ".dotx", ".dotm"}


@dataclass(frozen=True)
class CorpusFile:
    """One row of `tests/corpus/MANIFEST.tsv`."""

    path: Path
    package: str
    version: str
    registry: str
    licence: str
    path_in_package: str
    features: str


def manifest() -> list[CorpusFile]:
    """The files of `tests/corpus`, in the order of the manifest."""
    with (HERE / "MANIFEST.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t"))
    return [CorpusFile(HERE / name, *rest) for name, *rest in rows[1:]]


def corpus_files() -> Iterator[Path]:
    """Every corpus file, those of the larger corpus first."""
    if LARGER.is_dir():
        yield from sorted(path for path in LARGER.rglob("*") if path.suffix.lower() in SUFFIXES)
    yield from (row.path for row in manifest())


def corpus_file(name: str) -> Path:
    """A file of `tests/corpus` by its name, which `MANIFEST.tsv` lists."""
    path = HERE / name
    if not path.is_file():
        raise FileNotFoundError(f"{name} is not in tests/corpus; MANIFEST.tsv lists what is")
    return path
