"""Which attached picture a clause means: by its name with or without the extension, or by a word that only one name has."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.planning.local.reading import Reading
from agent.planning.local.slots import Filled, Slot
from agent.planning.local.values import Value

_I = re.IGNORECASE
_FILE = re.compile(r"[\w-]+\.(?:png|jpe?g|gif|bmp|tiff?)\b", _I)
_ANY = frozenset(
    ("image", "picture", "photo", "photograph", "figure", "graphic", "illustration", "screenshot", "file")
)
"""What any picture is called, also by the clipboard ("image.png"): of several attachments it names none."""
_THINGS = frozenset((
    "chart", "table", "heading", "title", "subtitle", "paragraph", "list", "item", "text", "page", "section", "header",
    "footer", "comment", "link", "hyperlink", "row", "column", "cell", "break", "number", "style", "document",
))  # fmt: skip
"""What operations make or change: the name of an attachment only with its extension, or before "picture"."""
_QUOTE = r"[\"'\u2018\u2019\u201c\u201d]?"
_OBJECT = r"[\w-]+\s+(?:(?:in|the|our|my|this|that|attached|an?)\s+)*"
"""The verb and what stands before the noun: only there is a single word of a name taken for it."""


def picture(filled: Filled, slot: Slot) -> Value | None:
    """The attachment that is named, or another name of a picture file; None leaves the only attachment."""
    named = attachment(filled.reading, filled.used)
    if named is not None:
        return named
    match = _FILE.search(filled.reading.text)
    return Value(match.start(), match.end(), match.group(0)) if match is not None else None


def attachment(reading: Reading, used: Iterable[tuple[int, int]] = ()) -> Value | None:
    """The attachment that the clause names, outside the words that are used already."""
    names, used = reading.mirror.attachments, list(used)
    # The longest first: "logo (2).png" is not "logo".
    for said, name in sorted(_sayings(names), key=lambda item: -len(item[0])):
        words = r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", said) if word)
        behind = r"(?=\s+(?:picture|image|photo)\b)" if said.casefold() in _THINGS else ""
        pattern = rf"(?<![\w.])(?:the\s+)?{_QUOTE}{words}(?!\.?\w){_QUOTE}{behind}"
        for match in re.finditer(pattern, reading.text, _I):
            if not _overlaps(match, used):
                return Value(match.start(), match.end(), name)
    for word, name in _words_of_one(names).items():
        match = re.compile(rf"{_OBJECT}(?:[\w-]+\s+)?(?P<w>{re.escape(word)})(?![\w.])", _I).match(
            reading.text, reading.verb_at
        )
        if match is not None and not any(a < match.end("w") and match.start("w") < b for a, b in used):
            return Value(match.start("w"), match.end("w"), name)
    return None


def _sayings(names: Iterable[str]) -> list[tuple[str, str]]:
    """Every name and, where only one has it, what stands before the extension."""
    names = list(names)
    stems = [_stem(name).casefold() for name in names]
    short = [
        (_stem(name), name)
        for name, stem in zip(names, stems, strict=True)
        if stems.count(stem) == 1 and (len(names) == 1 or stem not in _ANY)
    ]
    return [*((name, name) for name in names), *short]


def _words_of_one(names: Iterable[str]) -> dict[str, str]:
    """Words of four letters or more that one name has and no other: "logo" of "acme-logo.png"."""
    owners: dict[str, list[str]] = {}
    for name in names:
        for word in {w.casefold() for w in re.findall(r"[^\W\d_]{4,}", _stem(name))} - _ANY - _THINGS:
            owners.setdefault(word, []).append(name)
    return {word: held[0] for word, held in owners.items() if len(held) == 1}


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _overlaps(match: re.Match[str], used: Iterable[tuple[int, int]]) -> bool:
    return any(match.start() < b and a < match.end() for a, b in used)
