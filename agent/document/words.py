"""Texts compared word by word: what was kept, what took whose place.

A character diff finds letters that happen to be in both words; people (and formats) go by words. Each CJK character is
a word of its own. What people see as one character is never divided: a letter with its vowel sign, an emoji with its
skin tone.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import regex

_CJK = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f"
_ASCII_TOKEN = re.compile(r"\w+(?:'\w+)*|\s|.", re.DOTALL)
_WITH = r"\p{M}\p{Emoji_Modifier}\u200c\u200d"  # what makes one character with the letter before it
_LETTERS = rf"(?:[^\W{_CJK}][{_WITH}\u00ad]*)+"
_TOKEN = regex.compile(rf"[{_CJK}][{_WITH}]*|{_LETTERS}(?:['\u2019]{_LETTERS})*|\X")
_WORD = re.compile(r"\w")


@dataclass(frozen=True)
class Replaced:
    """Characters `start` to `end` of the old text gave way to `new`; one of both may be empty."""

    start: int
    end: int
    new: str


def tokens(text: str) -> list[str]:
    """Words, and every space and sign between them."""
    return (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text)


def kept(before: str, after: str) -> list[tuple[int, int, int]]:
    """Stretches that are in both texts: start before, start after, length; whole words."""
    a, b = tokens(before), tokens(after)
    at_a, at_b = _offsets(a), _offsets(b)
    return [(at_a[i], at_b[j], at_a[i + n] - at_a[i]) for i, j, n in _blocks(a, b)]


def kept_words(before: str, after: str) -> list[tuple[int, int, int]]:
    """As `kept`, without stretches that hold no word: a space or comma in both texts says nothing."""
    if before == after:
        return [(0, 0, len(after))] if after else []
    return [m for m in kept(before, after) if _WORD.search(before, m[0], m[0] + m[2])]


def replaced(before: str, after: str) -> list[Replaced]:
    """What turns one text into the other, left to right."""
    found: list[Replaced] = []
    i = j = 0
    for a, b, n in [*kept(before, after), (len(before), len(after), 0)]:
        if a > i or b > j:
            found.append(Replaced(i, a, after[j:b]))
        i, j = a + n, b + n
    return found


def phrases(before: str, after: str) -> list[tuple[str, str]]:
    """The same as people would say it: pairs of old and new words, neighbours that only a space or sign parts in one pair."""
    groups: list[list[int]] = []
    shift = 0
    for edit in replaced(before, after):
        start, end = edit.start + shift, edit.start + shift + len(edit.new)
        if groups and not _WORD.search(before, groups[-1][1], edit.start):
            groups[-1][1], groups[-1][3] = edit.end, end
        else:
            groups.append([edit.start, edit.end, start, end])
        shift += len(edit.new) - (edit.end - edit.start)
    pairs = [(before[a:b].strip(), after[c:d].strip()) for a, b, c, d in groups]
    return list(dict.fromkeys(p for p in pairs if p != ("", "")))


def _offsets(words: list[str]) -> list[int]:
    at = [0]
    for word in words:
        at.append(at[-1] + len(word))
    return at


def _blocks(a: list[str], b: list[str]) -> Iterator[tuple[int, int, int]]:
    """Equal stretches of two token lists; the common ends first, since that is how texts are edited."""
    shorter = min(len(a), len(b))
    head = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    tail = next((i for i in range(shorter - head) if a[-1 - i] != b[-1 - i]), shorter - head)
    if head:
        yield 0, 0, head
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    if middle_a and middle_b and len(middle_a) * len(middle_b) <= 4_000_000:
        for m in difflib.SequenceMatcher(None, middle_a, middle_b, autojunk=False).get_matching_blocks():
            if m.size:
                yield head + m.a, head + m.b, m.size
    if tail:
        yield len(a) - tail, len(b) - tail, tail
