"""What a user does to a document with a program of their own, for tests that mix it with Stet's steps.

An edit is a function of a python-docx document, a source of chance and the words that are typed, so the same edits can be
made in a file (`edited`, which stands for whatever program the user has) and in the mirror itself. `noisy` is what a
program does to a file besides.
"""

from __future__ import annotations

import copy
import io
import random
from collections.abc import Callable
from typing import Any

from docx import Document
from docx.oxml import OxmlElement

from agent.document.mirror import Mirror
from agent.document.names import MC, W_P, W_TBL, W
from agent.document.text import node_text
from agent.operations.specimens import png

Edit = Callable[[Any, random.Random, str], None]
Change = Callable[[Any], object]

SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def edited(data: bytes, *changes: Change) -> bytes:
    """The file after some changes by another program: python-docx, or for files that it refuses (strict, macro-enabled) the
    mirror, as a program that writes what it does not know as it was.
    """
    try:
        document: Any = Document(io.BytesIO(data))
    except (KeyError, ValueError):
        other = Mirror.open(data)
        with other.edit("other"):
            for change in changes:
                change(other.document)
        return other.save()
    for change in changes:
        change(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


# -- noise -------------------------------------------------------------------------------------------------------------


def noisy(document: Any, seed: int = 1) -> None:
    """What another program does to a file that nobody changed; python-docx has to be that program."""
    choose = random.Random(seed)
    body = document.element.body
    for paragraph in list(body.iter(W_P)):
        paragraph.set(W + "rsidR", f"{choose.randrange(2**32):08X}")
        paragraph.set(
            "{http://schemas.microsoft.com/office/word/2010/wordml}paraId", f"{choose.randrange(2**31):08X}"
        )
        for run in list(paragraph.iterchildren(W + "r")):
            run.set(W + "rsidRPr", "00AB12CD")
            texts = [c for c in run if c.tag != W + "rPr"]
            if len(texts) == 1 and texts[0].tag == W + "t" and len(texts[0].text or "") > 2:
                rest = copy.deepcopy(run)
                words = node_text(texts[0])
                cut = choose.randrange(1, len(texts[0].text))
                rest.find(W + "t").text = words[cut:]
                texts[0].text = words[:cut]
                for node in (texts[0], rest.find(W + "t")):
                    node.set(SPACE, "preserve")
                run.addnext(rest)
                run.addnext(OxmlElement("w:proofErr", {W + "type": "spellStart"}))
                rest.insert(
                    1 if rest.find(W + "rPr") is not None else 0, OxmlElement("w:lastRenderedPageBreak")
                )
    for paragraph in document.paragraphs[:1]:
        for name, attributes in (("Start", {W + "name": "_GoBack"}), ("End", {})):
            paragraph._p.append(OxmlElement(f"w:bookmark{name}", {W + "id": "990", **attributes}))
    rename_relationships(document.part)


def rename_relationships(part: Any) -> None:
    """Other ids for the relationships of a part of python-docx's."""
    for number, (rid, rel) in enumerate(list(part.rels.items())):
        del part.rels[rid]
        rel._rId = f"rId{900 + number}"
        part.rels[rel._rId] = rel
        for element in part.element.iter():
            for name, value in list(element.attrib.items()):
                if value == rid and "relationships" in str(name):
                    element.set(name, rel._rId)


# -- edits -------------------------------------------------------------------------------------------------------------


def some_paragraph(document: Any, choose: random.Random) -> Any:
    """One of the body or its tables, not of a text box, of which there may be a second copy that nobody sees."""
    found = [q for q in document.element.body.iter(W_P) if not _in_text_box(q)]
    return choose.choice(found) if found else document.add_paragraph("x")._p


def _in_text_box(element: Any) -> bool:
    return next(element.iterancestors(W + "txbxContent"), None) is not None


def blocks(document: Any) -> list[Any]:
    """Paragraphs and tables of the body."""
    return [e for e in document.element.body if e.tag in (W_P, W_TBL)]


def _letters(paragraph: Any) -> list[Any]:
    """The `w:t` of a paragraph and of the text boxes in it, but for copies that nobody sees."""
    found = (t for t in paragraph.iter(W + "t") if t.text)
    return [t for t in found if next(t.iterancestors(MC + "Fallback"), None) is None]


def _type_in(paragraph: Any, choose: random.Random, words: str) -> None:
    """Letters of the paragraph give way to the words; without letters the words are a run of their own."""
    texts = _letters(paragraph)
    if not texts:
        run = OxmlElement("w:r")
        run.text = words
        paragraph.append(run)
        return
    node = choose.choice(texts)
    a = choose.randrange(len(node.text) + 1)
    b = min(len(node.text), a + choose.choice((0, 0, 0, 3, 30)))
    node.text = node.text[:a] + words + node.text[b:]
    node.set(SPACE, "preserve")


def type_words(document: Any, choose: random.Random, words: str) -> None:
    """Words in a paragraph or cell, in front of, behind or instead of others."""
    _type_in(some_paragraph(document, choose), choose, words)


def type_in_header(document: Any, choose: random.Random, words: str) -> None:
    """Words in a header or footer that is there."""
    parts = [r.target_part for r in document.part.rels.values() if not r.is_external]
    found = [q for part in parts if _is_header(part) for q in part.element.iter(W_P)]
    if found:
        _type_in(choose.choice(found), choose, words)


def _is_header(part: Any) -> bool:
    return hasattr(part, "element") and part.element.tag in (W + "hdr", W + "ftr")


def take_out(document: Any, choose: random.Random, words: str) -> None:
    """Some letters."""
    texts = _letters(some_paragraph(document, choose))
    if texts:
        node = choose.choice(texts)
        a = choose.randrange(len(node.text))
        node.text = node.text[:a] + node.text[a + choose.randrange(1, 20) :]
        node.set(SPACE, "preserve")


def remove_block(document: Any, choose: random.Random, words: str) -> None:
    """A paragraph or table goes."""
    found = blocks(document)
    if len(found) > 1:
        document.element.body.remove(choose.choice(found))


def insert_paragraph(document: Any, choose: random.Random, words: str) -> None:
    """A new paragraph of several runs, of one, or empty; at times in a cell."""
    new = OxmlElement("w:p")
    some_paragraph(document, choose).addnext(new)
    half = len(words) // 2
    for part in choose.choice([[words[:half], words[half:]], [words], [words]]):
        run = OxmlElement("w:r")
        run.text = part
        new.append(run)


def insert_empty_paragraph(document: Any, choose: random.Random, words: str) -> None:
    """The user presses Enter."""
    some_paragraph(document, choose).addnext(OxmlElement("w:p"))


def move_block(document: Any, choose: random.Random, words: str) -> None:
    """A block is dragged in front of another."""
    found = blocks(document)
    if len(found) > 1:
        moved = choose.choice(found)
        choose.choice([e for e in found if e is not moved]).addprevious(moved)


def split_paragraph(document: Any, choose: random.Random, words: str) -> None:
    """Enter in the middle of a paragraph."""
    paragraph = some_paragraph(document, choose)
    runs = list(paragraph.iterchildren(W + "r"))
    if runs:
        new = OxmlElement("w:p")
        paragraph.addnext(new)
        for run in runs[choose.randrange(len(runs)) :]:
            new.append(run)


def join_paragraphs(document: Any, choose: random.Random, words: str) -> None:
    """Backspace at the start of a paragraph."""
    paragraph = some_paragraph(document, choose)
    beside = paragraph.getnext()
    if beside is not None and beside.tag == W_P:
        for child in [c for c in beside if c.tag != W + "pPr"]:
            paragraph.append(child)
        beside.getparent().remove(beside)


def make_bold(document: Any, choose: random.Random, words: str) -> None:
    """A run becomes bold."""
    runs = [t.getparent() for t in _letters(some_paragraph(document, choose))]
    if runs:
        choose.choice(runs).get_or_add_rPr().get_or_add_b()


def align_right(document: Any, choose: random.Random, words: str) -> None:
    """A paragraph is aligned."""
    some_paragraph(document, choose).get_or_add_pPr().get_or_add_jc().set(W + "val", "right")


def change_rows(document: Any, choose: random.Random, words: str) -> None:
    """A row of a table comes or goes."""
    rows = [r for r in document.element.body.iter(W + "tr") if not _in_text_box(r)]
    if rows:
        row = choose.choice(rows)
        if choose.random() < 0.5 or len(list(row.getparent().iterchildren(W + "tr"))) == 1:
            row.addnext(copy.deepcopy(row))
        else:
            row.getparent().remove(row)


def add_column(document: Any, choose: random.Random, words: str) -> None:
    """The first table, if no cells of it are merged, gets a column before its last."""
    if document.tables and len({len(r.tc_lst) for r in document.tables[0]._tbl.tr_lst}) == 1:
        for row in document.tables[0]._tbl.tr_lst:
            clone = copy.deepcopy(row.tc_lst[0])
            for t in clone.iter(W + "t"):
                t.text = ""
            row.tc_lst[0].addnext(clone)


def add_to_header(document: Any, choose: random.Random, words: str) -> None:
    """A line in the header of the first section, which is made if there is none."""
    if len(document.sections):
        document.sections[0].header.add_paragraph(f"Header {words}")


def paste_picture(document: Any, choose: random.Random, words: str) -> None:
    """A picture at the end."""
    colour = (choose.randrange(256), choose.randrange(256), choose.randrange(256))
    document.add_picture(io.BytesIO(png(colour=colour)))


EDITS: tuple[Edit, ...] = (
    type_words, insert_paragraph, take_out, remove_block, insert_empty_paragraph, move_block, split_paragraph,
    join_paragraphs, make_bold, align_right, change_rows, add_column, type_in_header, add_to_header, paste_picture,
)  # fmt: skip
TYPING: tuple[Edit, ...] = (type_words, insert_paragraph, type_in_header, add_to_header)
"""Those that type the words that they are given, if they find a place."""
