"""docx2python, which shares no code with Stet, reads the saved file: paragraph by paragraph it must see the same text.

Body, tables, text boxes, headers, footers, foot- and endnotes of every corpus file; as it came, and after edits.
"""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docx2python import docx2python

from agent.document import scopes
from agent.document import text as texts
from agent.document.mirror import Mirror
from agent.document.names import MC, W_P, W_PPR, W_TBL, W
from agent.errors import OperationError
from agent.operations.catalogue import catalogue
from agent.operations.execution import execute
from agent.verification.code_verdict import judge
from tests.corpus import manifest

KINDS = ("officeDocument", "header", "footer", "footnotes", "endnotes")
SKIPPED = {
    "python-docx-ng__frm-form-fields.docx": "it writes the values of form fields beside their text",
}
UNREAD = {
    "ooxml-integrity__base.docx": {
        f"/word/{name}.xml": "it raises KeyError where a part declares no prefix r"
        for name in ("header1", "footer1", "footnotes")
    },
}
"""Parts that docx2python cannot read."""
SPACED = {
    "docxcast__resume-template.docx": "it keeps the spaces of a w:t without xml:space, which Word drops",
    "docx-revisions__OXML_TrackChanges_Test.docx": "the same",
}
"""Files that are compared without their spaces."""
FILES = [pytest.param(row.path, id=row.path.name) for row in manifest() if row.path.name not in SKIPPED]


def second_opinion(path: Path, data: bytes) -> dict[str, list[str]]:
    """The text of each paragraph, by the name of its part, as docx2python reads it; normalised."""
    found: dict[str, list[str]] = {}
    with docx2python(io.BytesIO(data), duplicate_merged_cells=False) as document:
        for kind in KINDS:
            for file in document.docx_reader.files_of_type(kind):
                name = f"/{file.path}"
                if name in UNREAD.get(path.name, ()):
                    with pytest.raises(KeyError):
                        _ = file.content
                    continue
                pars = {
                    par.elem: _normalised(_without_additions(par))
                    for par in _paragraphs(file.content)
                    if par.elem is not None and not _is_no_text(par.elem)  # None: it fills up merged cells
                }
                # it gives a text box's paragraphs before the one that the box is in
                lines = [pars.pop(p) for p in file.root_element.iter("{*}p") if p in pars]
                assert not pars
                if lines:
                    found[name] = lines
    return _spaceless(path, found)


def _spaceless(path: Path, lines: dict[str, list[str]]) -> dict[str, list[str]]:
    if path.name not in SPACED:
        return lines
    return {part: [re.sub(r"\s", "", line) for line in found] for part, found in lines.items()}


def _paragraphs(content: Any) -> Iterator[Any]:
    for item in content:
        if isinstance(item, list):
            yield from _paragraphs(item)
        else:
            yield item


def _is_no_text(p: Any) -> bool:
    """The second copy of a text box, for old programs; the line above foot- and endnotes."""
    return any(a.tag == MC + "Fallback" or "eparator" in a.get(W + "type", "") for a in p.iterancestors())


def _without_additions(par: Any) -> str:
    """The first run is the label of a note, the second that of a list item; then comes a tab for each tab stop."""
    stops = len(list(par.elem.iterfind(f"{W_PPR}/{W}tabs/{W}tab")))
    text = "".join(str(r) for r in par.runs[2:])
    assert text.startswith("\t" * stops)
    return text[stops:]


_ADDED = re.compile(
    r"</?a\b[^>]*>"  # links
    r"|----Image alt text---->[^<]*<|----(?:media|footnote|endnote)[^-]*----"  # pictures and notes
    r"|<latex>.*?</latex>",  # formulas
    re.DOTALL,
)
_SYMBOL = re.compile(r"<span style=font-family:[^>]*>&#x0([0-9A-Fa-f]{3});</span>")


def _normalised(text: str) -> str:
    text = _SYMBOL.sub(lambda m: chr(0xF000 + int(m[1], 16)), _ADDED.sub("", text))
    return _both(text)


def _both(text: str) -> str:
    """Without what docx2python does not know: hyphens that are elements, kinds of breaks. It parts the runs of a link by two."""
    return text.replace("\u2011", "").replace("\u00ad", "").replace("\f", "\n").replace("\n\n", "")


def own_reading(path: Path, mirror: Mirror) -> dict[str, list[str]]:
    """The text of each paragraph by the name of its part, as Stet sees it."""
    found: dict[str, list[str]] = {}
    for p in scopes.paragraphs(mirror):
        part = str(mirror.part_of(p).partname)
        if part not in UNREAD.get(path.name, ()):
            found.setdefault(part, []).append(_both(texts.text_of(p)))
    return _spaceless(path, found)


@pytest.mark.parametrize("path", FILES)
def test_a_file_as_it_came_reads_the_same(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    assert own_reading(path, mirror) == second_opinion(path, mirror.save())


def edits(mirror: Mirror, chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls of operations that write text, on places that are in the document, by chance."""
    words = [w for p in scopes.paragraphs(mirror) for w in re.findall(r"\w{3,}", texts.text_of(p))]
    for word in chance.sample(words, min(4, len(words))):
        new = chance.choice(
            ["Stet", "", "two words", "caf\u00e9 \u4e2d\u6587", "\u05e9\u05dc\u05d5\u05dd \U0001f600"]
        )
        yield "replace_text", {"find": word, "replace": new, "nth": chance.choice([None, 1, -1])}
    blocks = [b for b in mirror.body_blocks() if mirror.element(b).tag == W_P]
    for block in chance.sample(blocks, min(3, len(blocks))):
        yield (
            "add_paragraph",
            {"place": {"after": {"ids": [block]}}, "text": f"After {block}\tcomes **this**."},
        )
    for number in range(1, 1 + min(3, len(list(mirror.body.iter(W_TBL))))):
        target = {"table": number, "row": chance.randint(1, 3), "column": chance.randint(1, 3)}
        yield "set_cell_text", {"target": target, "text": "one\ntwo"}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("path", FILES)
def test_a_file_with_edits_reads_the_same_after_each_and_when_they_are_undone(path: Path, seed: int) -> None:
    mirror = Mirror.open(path.read_bytes())
    before = own_reading(path, mirror)
    chance = random.Random(f"{path.name} {seed}")
    done = []
    for number, (name, params) in enumerate(list(edits(mirror, chance)), 1):
        try:
            execution = execute(mirror, catalogue(), name, params, str(number))
        except OperationError:
            continue  # a merged cell, a word that an edit took away
        verdict = judge(mirror, execution)
        assert verdict.aligned, (name, params, verdict.explanation)
        done.append(execution.delta)
    after = own_reading(path, mirror)
    assert after != before or not done
    assert after == second_opinion(path, mirror.save())
    for delta in reversed(done):
        mirror.apply(delta.inverse())
    assert own_reading(path, mirror) == before == second_opinion(path, mirror.save())


def test_most_edits_are_done() -> None:
    """What is refused above is compared for nothing."""
    asked = refused = 0
    for row in manifest():
        mirror = Mirror.open(row.path.read_bytes())
        for number, (name, params) in enumerate(list(edits(mirror, random.Random(1))), 1):
            asked += 1
            try:
                execute(mirror, catalogue(), name, params, str(number))
            except OperationError:
                refused += 1
    assert refused * 5 < asked, f"{refused} of {asked}"
