"""Emphasis as people type it in plain text: `**bold**`, `*italic*`, `***both***`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKED = re.compile(
    # within a word of Latin letters or a formula (x**2 + y**2) they are no marks; CJK has no spaces around its words
    r"(?:(?P<within>(?<=[A-Za-z0-9]))|(?<![A-Za-z0-9]))"
    r"(?P<b>\*\*)(?=[^\s*]|\*(?=[^\s*]))(?P<bold>(?:(?!\*\*(?!\*)).)+?)(?<=\S)\*\*(?!\*)(?(within)(?![A-Za-z0-9]))"
    r"|(?<![\w*])\*(?=[^\s*])(?P<italic>[^*]*?[^\s*])\*(?![\w*])",
    re.DOTALL,
)


@dataclass(frozen=True)
class Stretch:
    """Characters `start` to `end` in one format."""

    start: int
    end: int
    format: str
    """"bold" or "italic"."""


def parse(text: str) -> tuple[str, list[Stretch]]:
    """The text without its marks, and what they made bold or italic. A mark that has no partner is text."""
    out: list[str] = []
    found: list[Stretch] = []
    length = at = 0
    for match in _MARKED.finditer(text):
        before = text[at : match.start()]
        name = "bold" if match["b"] else "italic"
        inner, nested = parse(match[name])
        length += len(before)
        out += [before, inner]
        found.append(Stretch(length, length + len(inner), name))
        found += [Stretch(s.start + length, s.end + length, s.format) for s in nested]
        length += len(inner)
        at = match.end()
    return "".join([*out, text[at:]]), found


def paragraphs(text: str, *, marks: bool = True) -> Iterator[tuple[str, list[Stretch]]]:
    """The lines of a text, each as `parse` gives it; empty lines only part others."""
    for line in text.split("\n"):
        if line.strip():
            yield parse(line.strip()) if marks else (line.strip(), [])
