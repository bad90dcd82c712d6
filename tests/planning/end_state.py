"""What a document must be after a request, and nothing else: lines added and removed, looks, and more by hand.

The document is read with python-docx, not with the project's own mirror.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import docx
from docx.document import Document
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import etree

_ALIGNMENTS = {None: "left", 0: "left", 1: "center", 2: "right", 3: "justify"}


@dataclass(frozen=True)
class Expect:
    """The end state. Lines are the texts of body paragraphs, and of table rows with " | " between cells."""

    added: Sequence[str] = ()
    removed: Sequence[str] = ()
    looks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """By the text of a paragraph (or its start, with an ellipsis): bold, italic, underline, strike, color, size, font, align,
    spacing, style, level. Only the paragraphs named here may look different."""
    order: Sequence[Sequence[str]] = ()
    """Lines that must stand in this order, directly one after the other; an empty line between them does not count."""
    check: Callable[[Document], bool] | None = None
    """Anything more."""
    free_looks: bool = False
    """Looks that are not named may differ (a list's numbering, a table's style)."""

    def problems(self, before: bytes, after: bytes) -> list[str]:
        """What is not as it should be; empty if all is."""
        old, new = docx.Document(io.BytesIO(before)), docx.Document(io.BytesIO(after))
        found: list[str] = []
        was, now = Counter(lines(old)), Counter(lines(new))
        gone, come = was - now, now - was
        wanted_gone, wanted_come = Counter(self.removed), Counter(self.added)
        for said, what, wanted in ((come, "added", wanted_come), (gone, "removed", wanted_gone)):
            blank = Counter({k: v for k, v in said.items() if k.strip(" |")})
            wanted = Counter({k: v for k, v in wanted.items() if k.strip(" |")})
            if blank != wanted:
                found.append(f"{what} {dict(blank)} and not {dict(wanted)}")
        if not self.free_looks:
            changed = changed_looks(old, new) - set(self.added)
            unexpected = {t for t in changed if not any(_is(t, name) for name in self.looks)}
            if unexpected:
                found.append(f"these look different too: {sorted(unexpected)}")
        for name, look in self.looks.items():
            matching = [p for p in paragraphs(new) if _is(p.text.strip(), name)]
            if not matching:
                found.append(f"no paragraph {name!r}")
            found += [
                f"{name!r}: {key} is {seen(p, key)!r} and not {value!r}"
                for p in matching
                for key, value in look.items()
                if seen(p, key) != value
            ]
        texts = [t for t in lines(new) if t.strip()]
        for run in self.order:
            if not any(texts[i : i + len(run)] == list(run) for i in range(len(texts))):
                found.append(f"{list(run)} do not follow one another")
        if self.check is not None and not _holds(self.check, new):
            found.append("the further check fails")
        return found


def _holds(check: Callable[[Document], bool], document: Document) -> bool:
    try:
        return check(document)
    except (IndexError, KeyError):  # what it looks at is not there
        return False


def _is(text: str, name: str) -> bool:
    return text.startswith(name[:-1]) if name.endswith("…") else text == name


def lines(document: Document) -> list[str]:
    """Paragraph texts and table rows of the body, in order."""
    found: list[str] = []
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            found += [" | ".join(c.text for c in row.cells) for row in block.rows]
        else:
            found.append(block.text.strip())
    return found


def paragraphs(document: Document) -> list[Paragraph]:
    """Body paragraphs and those in table cells, each once."""
    found: list[Paragraph] = []
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            cells = {id(c._tc): c for row in block.rows for c in row.cells}  # pyright: ignore[reportPrivateUsage]
            found += [p for c in cells.values() for p in c.paragraphs]
        else:
            found.append(block)
    return [p for p in found if p.text.strip()]


def changed_looks(old: Document, new: Document) -> set[str]:
    """Texts of paragraphs that are in both and do not look the same."""
    before, after = _looks(old), _looks(new)
    return {text for text in before if text in after and before[text] - after[text]}


def _looks(document: Document) -> dict[str, Counter[str]]:
    """By text: paragraph properties, and the properties of each character, whatever runs they are in."""
    found: dict[str, Counter[str]] = {}
    for p in paragraphs(document):
        properties = _bare(p._p.pPr) if p._p.pPr is not None else ""  # pyright: ignore[reportPrivateUsage]
        characters: list[str] = []
        for r in p._p.iter("{*}r"):  # pyright: ignore[reportPrivateUsage]
            text = "".join(t.text or "" for t in r.iterchildren("{*}t"))
            look = r.find("{*}rPr")
            characters += [_bare(look) if look is not None else ""] * len(text)
        found.setdefault(p.text.strip(), Counter())[repr((properties, characters))] += 1
    return found


def _bare(element: Any) -> str:
    xml = etree.tostring(element, encoding="unicode")
    xml = re.sub(r'\s(?:xmlns:\w+|w:rsid\w*|w14:\w+)="[^"]*"', "", xml)
    return "".join(re.sub(r"<w:sectPr.*?</w:sectPr>|<w:rPr/>|<w:pPr/>", "", xml, flags=re.DOTALL).split())


def seen(p: Paragraph, key: str) -> Any:
    """One look of a paragraph, the same for all its runs with text, else "mixed"."""
    match key:
        case "align":
            return _ALIGNMENTS.get(p.alignment, str(p.alignment))
        case "spacing":
            return p.paragraph_format.line_spacing
        case "style":
            return p.style.name
        case "level":
            match = re.fullmatch(r"heading (\d)", p.style.name or "", re.IGNORECASE)
            return int(match.group(1)) if match else None
        case _:
            values = {_of_run(r.font, key) for r in p.runs if r.text.strip()}
            return values.pop() if len(values) == 1 else "mixed" if values else None


def _of_run(font: Any, key: str) -> Any:
    match key:
        case "color":
            return str(font.color.rgb) if font.color.rgb is not None else None
        case "size":
            return font.size.pt if font.size is not None else None
        case "font":
            return font.name
        case "highlight":
            return font.highlight_color
        case _:
            return bool(getattr(font, key))


def words_look(document: Document, words: str, key: str) -> Any:
    """A look of just these words, which must be whole runs of one paragraph."""
    for p in paragraphs(document):
        if words in p.text:
            at = p.text.index(words)
            position, values = 0, set()
            for run in p.runs:
                if position < at + len(words) and at < position + len(run.text):
                    if not (at <= position and position + len(run.text) <= at + len(words)):
                        return "mixed"
                    values.add(_of_run(run.font, key))
                position += len(run.text)
            return values.pop() if len(values) == 1 else "mixed"
    return None
