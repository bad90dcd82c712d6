"""What is written: the main part from streams kept per chunk, every other member as it came."""

from __future__ import annotations

import io
import random
import zipfile
import zlib
from typing import Any

import pytest
from docx.opc.oxml import serialize_part_xml
from docx.oxml import OxmlElement
from lxml import etree

from agent.document.archive import joined, pack, piece
from agent.document.mirror import Mirror
from agent.document.names import W_P, W
from agent.operations.specimens import doc, p
from benchmarks.documents import synthetic
from tests.corpus import corpus_files


def main_member(mirror: Mirror) -> str:
    return str(mirror.file.document_part.partname).lstrip("/")


def whole(mirror: Mirror) -> bytes:
    """The main part as lxml writes it."""
    return serialize_part_xml(mirror.file.document_part.element)  # pyright: ignore[reportArgumentType]


def check(mirror: Mirror) -> zipfile.ZipFile:
    saved = zipfile.ZipFile(io.BytesIO(mirror.save()))
    assert saved.testzip() is None
    assert saved.read(main_member(mirror)) == whole(mirror)
    return saved


def edit(mirror: Mirror, chance: random.Random, key: int) -> None:
    blocks = [b for b in mirror.body_blocks() if mirror.element(b).tag == W_P]
    with mirror.edit(str(key)) as editor:
        for block in chance.sample(blocks, min(3, len(blocks))):
            match chance.randrange(4):
                case 0:
                    editor.replace_text(mirror.element(block), 0, 0, f"Ünïcode {key} <&> ")
                case 1:
                    editor.insert_after(mirror.element(block), editor.new_paragraph(f"New {key}"))
                case 2 if len(mirror.body) > 5:
                    editor.remove(mirror.element(block))
                case _:
                    mirror.element(chance.choice(blocks)).addprevious(editor.new_paragraph("Before"))


def test_the_main_part_is_what_lxml_writes_after_every_edit_of_a_long_document() -> None:
    mirror, chance = Mirror.open(synthetic(700)), random.Random(3)
    for key in range(25):
        with_undo = chance.random() < 0.3
        with mirror.edit(f"u{key}") as editor:
            editor.append_to_body(editor.new_paragraph("Last"))
        check(mirror)
        if with_undo:
            mirror.apply(editor.delta.inverse())
        edit(mirror, chance, key)
        check(mirror)


@pytest.mark.parametrize("path", list(corpus_files()), ids=lambda path: path.name)
def test_documents_by_others_keep_every_other_member_as_it_was_compressed(path: Any) -> None:
    data = path.read_bytes()
    mirror = Mirror.open(data)
    if mirror.file.strict:
        pytest.skip("written as a whole, in the terms of strict files")
    edit(mirror, random.Random(1), 1)
    edit(mirror, random.Random(2), 2)
    with mirror.edit("3") as editor:
        editor.append_to_body(editor.new_paragraph("Last"))
    saved = check(mirror)
    was, now = zipfile.ZipFile(io.BytesIO(data)), saved
    for info in was.infolist():
        if info.filename in (main_member(mirror), *(i.filename for i in was.infolist() if i.is_dir())):
            continue
        new = now.getinfo(info.filename.replace("\\", "/"))
        assert (new.CRC, new.compress_size, new.compress_type) == (
            info.CRC,
            info.compress_size,
            info.compress_type,
        )
        assert now.read(new) == was.read(info)


def test_comments_between_blocks_and_around_the_body_are_written() -> None:
    mirror = Mirror.open(doc(p("One"), p("Two"))())
    mirror.body.insert(0, etree.Comment("in front"))
    mirror.body.insert(2, etree.Comment("between"))
    mirror.body.addprevious(OxmlElement("w:background", {W + "color": "FF0000"}))
    with mirror.edit() as editor:
        editor.append_to_body(editor.new_paragraph("Three"))
    saved = check(mirror).read(main_member(mirror))
    assert saved.index(b"<w:background") < saved.index(b"<w:body>") < saved.index(b"<!--in front-->")
    assert saved.index(b"One") < saved.index(b"<!--between-->") < saved.index(b"Two")


def test_only_what_changed_is_compressed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from agent.document import export

    mirror = Mirror.open(synthetic(1_000))
    made: list[int] = []

    def counted(content: bytes) -> Any:
        made.append(len(content))
        return piece(content)

    monkeypatch.setattr(export, "piece", counted)
    with mirror.edit("1") as editor:
        editor.replace_text(mirror.element("p1"), 0, 0, "New ")
    mirror.save()
    whole_document = len(made)
    made.clear()
    with mirror.edit("2") as editor:
        editor.replace_text(mirror.element("p300"), 0, 0, "New ")
    mirror.save()
    assert whole_document >= 8
    assert len(made) == 3  # the chunk, and what stands around the body


def test_pieces_make_one_stream_with_the_right_checksum() -> None:
    chance = random.Random(5)
    for _ in range(50):
        parts = [chance.randbytes(chance.choice((0, 1, 7, 300, 70_000))) for _ in range(chance.randint(1, 6))]
        packed = joined([piece(part) for part in parts])
        content = b"".join(parts)
        assert (packed.crc, packed.size) == (zlib.crc32(content), len(content))
        assert zlib.decompress(b"".join(packed.stream), -15) == content


def test_a_packed_member_says_what_it_holds() -> None:
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        packed = pack(b"content" * 50, method)
        assert (packed.method, packed.crc, packed.size) == (method, zlib.crc32(b"content" * 50), 350)
