"""Files made to harm, files that are broken, files of other kinds: each opens, or is refused with a sentence.

Nothing is fetched (the whole test run is cut off from the network) and nothing costs more than its bounds.
"""

from __future__ import annotations

import io
import json
import random
import re
import resource
import socket
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from agent.document.mirror import Mirror
from agent.document.names import W_P
from agent.document.package import CONTENT_TYPES, Limits
from agent.document.state import state
from agent.document.text import text_of
from agent.errors import DocumentError, DocumentTooLarge
from agent.operations.catalogue import Operation, catalogue
from agent.operations.specimens import bullets, doc, footer, h, header, image, link, p, png, table
from tests.corpus import corpus_file
from tests.support.documents import canonical, different, members, packed
from tests.support.survival import no_hang, opens_or_is_refused, survives

SAMPLE = doc(h(1, "Scope"), p("Revenue grew."), table([["Name", "Amount"]]), image("a logo"), header("Top"))
MAIN = "word/document.xml"
W_NS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = b"http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = b"http://schemas.openxmlformats.org/package/2006/content-types"


def with_parts(**changed: bytes | None) -> bytes:
    """The sample with other parts; None takes one out. `document`, `styles`, `rels`, `types` for the usual ones."""
    names = {"document": MAIN, "styles": "word/styles.xml", "rels": "_rels/.rels", "types": CONTENT_TYPES}
    names |= {"document_rels": "word/_rels/document.xml.rels"}
    parts: dict[str, bytes | None] = dict(members(SAMPLE()))
    parts |= {names.get(k, k): v for k, v in changed.items()}
    return packed({k: v for k, v in parts.items() if v is not None})


def part(name: str) -> bytes:
    return members(SAMPLE())[name]


def in_body(xml: bytes) -> bytes:
    return part(MAIN).replace(b"<w:body>", b"<w:body>" + xml, 1)


def related(rid: str, kind: str, target: str, mode: str = "") -> bytes:
    """The document's relationships with one more."""
    more = f'<Relationship Id="{rid}" Type="{RELS}/{kind}" Target="{target}"{mode}/></Relationships>'
    return part("word/_rels/document.xml.rels").replace(b"</Relationships>", more.encode())


@contextmanager
def within(seconds: float, megabytes: int) -> Iterator[None]:
    """Fails when the block takes far more time or memory than it should."""
    start, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown <= megabytes, f"{grown:.0f} MB for a hostile file"
    assert time.process_time() - start <= seconds, "a hostile file holds up the process"


def refused(data: bytes, says: str, error: type[DocumentError] = DocumentError) -> None:
    with within(20, 700), pytest.raises(error, match=says) as caught:
        Mirror.open(data)
    assert len(caught.value.message.split()) >= 4, "a refusal is a sentence"
    assert caught.value.message.endswith(".")


# -- size --------------------------------------------------------------------------------------------------------------


def test_a_part_that_unpacks_to_more_than_the_limit_is_refused_without_unpacking_it_all() -> None:
    small = Limits(unpacked=20 * 2**20)
    data = with_parts(**{"word/media/zeros.bin": bytes(30 * 2**20)})
    assert len(data) < 2**17
    with within(5, 120), pytest.raises(DocumentTooLarge, match="zip bomb"):
        Mirror.open(data, limits=small)


def test_many_parts_that_together_unpack_to_more_than_the_limit_are_refused() -> None:
    data = with_parts(**{f"word/media/{n}.bin": bytes(2**20) for n in range(30)})
    with pytest.raises(DocumentTooLarge, match="zip bomb"):
        Mirror.open(data, limits=Limits(unpacked=20 * 2**20))


def test_a_main_part_of_more_xml_than_the_limit_is_refused_before_it_is_parsed() -> None:
    data = with_parts(document=in_body(b"<w:p><w:r><w:t>" + b"x" * 2**20 + b"</w:t></w:r></w:p>"))
    with pytest.raises(DocumentTooLarge, match="larger than Stet opens"):
        Mirror.open(data, limits=Limits(xml=2**20))


def test_a_small_file_of_very_many_elements_is_refused_before_it_is_parsed() -> None:
    refused(with_parts(document=in_body(b"<w:p/>" * 4_000_001)), "larger than Stet opens", DocumentTooLarge)


def test_many_parts_of_xml_count_together() -> None:
    parts: dict[str, bytes | None] = {
        f"word/header{n}.xml": b'<w:hdr xmlns:w="%s">' % W_NS.encode() + b"<w:p/>" * 100 + b"</w:hdr>"
        for n in range(20, 30)
    }
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{RELS}/header" Target="header{n}.xml"/>' for n in range(20, 30)
    )
    parts["word/_rels/document.xml.rels"] = related("x", "header", "header20.xml").replace(
        b"</Relationships>", relations.encode() + b"</Relationships>"
    )
    types = part(CONTENT_TYPES).replace(
        b"</Types>",
        b"".join(
            b'<Override PartName="/word/header%d.xml" ContentType="application/vnd.openxmlformats-'
            b'officedocument.wordprocessingml.header+xml"/>' % n
            for n in range(20, 30)
        )
        + b"</Types>",
    )
    tags = sum(
        2 * (blob.count(b"<") - blob.count(b"</")) + blob.count(b"=")
        for name, blob in members(SAMPLE()).items()
        if name.endswith(("l", "s"))
    )
    with pytest.raises(DocumentTooLarge, match="header2"):
        Mirror.open(with_parts(types=types, **parts), limits=Limits(tags=tags + 700))  # type: ignore[arg-type]


def test_more_parts_than_the_limit_are_refused() -> None:
    data = with_parts(**{f"x/{n}": b"" for n in range(100)})
    with pytest.raises(DocumentTooLarge, match="parts; the limit is 50"):
        Mirror.open(data, limits=Limits(members=50))


@pytest.mark.parametrize("declared", [1, 2**30, 2**32 - 1])
def test_a_declared_size_that_lies_is_not_believed(declared: int) -> None:
    data = bytearray(SAMPLE())
    at = data.index(b"PK\x01\x02")
    while bytes(data[at : at + 4]) == b"PK\x01\x02":
        name, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        if bytes(data[at + 46 : at + 46 + name]) == MAIN.encode():
            struct.pack_into("<I", data, at + 24, declared)
        at += 46 + name + extra + comment
    with within(5, 100):
        opens_or_is_refused(bytes(data))


def test_entries_that_overlap_in_the_archive_count_each_time() -> None:
    """One compressed stream, listed many times: a bomb without nesting."""
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = stream.compress(bytes(5 * 2**20)) + stream.flush()
    crc, names = zlib.crc32(bytes(5 * 2**20)), [b"a%03d" % n for n in range(200)]
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, crc, len(body), 5 * 2**20, 4, 0) + b"a000"
    central = b"".join(
        struct.pack(
            "<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, crc, len(body), 5 * 2**20, 4, 0, 0, 0, 0, 0, 0
        ) + name
        for name in names
    )  # fmt: skip
    head = local + body
    end = struct.pack(
        "<4s4H2IH", b"PK\x05\x06", 0, 0, len(names), len(names), len(central), len(head), 0
    )  # fmt: skip
    refused(head + central + end, "zip bomb")


def test_a_long_directory_is_refused_before_it_is_read() -> None:
    entry = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, *[0] * 7, 1, *[0] * 6) + b"a"
    directory = entry * 200_000
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(directory), 0, 0)
    with within(5, 20):
        refused(directory + end, "200000 parts; the limit is", DocumentTooLarge)


def test_a_stream_that_unpacks_to_nothing_is_not_read_once_for_each_entry() -> None:
    stream = b"\x00\x00\x00\xff\xff" * 400_000 + b"\x01\x00\x00\xff\xff"
    sizes = (0, len(stream), 0, 4, 0)
    head = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, *sizes) + b"0000" + stream
    directory = b"".join(
        struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, *sizes, 0, 0, 0, 0, 0) + b"%04d" % n
        for n in range(9000)
    )
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 9000, 9000, len(directory), len(head), 0)
    with within(5, 200):
        refused(head + directory + end, "lie over each other")


def test_attributes_count_as_elements_do() -> None:
    many = b"<w:p " + b" ".join(b'w:a%d=""' % n for n in range(1000)) + b"/>"
    data = with_parts(document=in_body(many * 50))
    with pytest.raises(DocumentTooLarge, match="larger than Stet opens"):
        Mirror.open(data, limits=Limits(tags=45_000))


OPENS = """
import json, resource, signal, sys
from pathlib import Path
from agent.document.mirror import Mirror
from agent.document.state import state
from agent.errors import AgentError

started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
for path in sys.argv[2:]:
    signal.alarm(60)
    try:
        mirror = Mirror.open(Path(path).read_bytes())
        state(mirror)
        said = "opens"
    except AgentError as error:
        said = error.message
    mirror = None
    print(json.dumps([Path(path).name, said]), flush=True)
"""


def test_nothing_costs_more_memory_than_a_process_of_one_gigabyte_has(tmp_path: Path) -> None:
    """Each in a process of its own kind: memory limited, an alarm that ends it."""
    files = {
        "zeros": with_parts(**{f"word/media/{n}.bin": bytes(2**27) for n in range(4)}),
        "spaces in front": with_parts(document=b" " * 2**23 + b"<x/>"),
        "instructions in front": with_parts(document=b"<?x y?>" * 500_000 + b"<x/>"),
        "attributes": with_parts(document=in_body(b'<w:p w:a="" w:b="" w:c="" w:d="" w:e=""/>' * 700_000)),
        "paragraphs": with_parts(document=in_body(b"<w:p/>" * 2_100_000)),
        "a hundred thousand deep": with_parts(document=in_body(b"<w:sdt><w:sdtContent>" * 100_000)),
        "a word of ten million letters": with_parts(
            document=in_body(b"<w:p><w:r><w:t>" + b"a" * 11_000_000 + b"</w:t></w:r></w:p>")
        ),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", OPENS, str(2**30), *(str(tmp_path / name) for name in files)],
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    said = dict(json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0, done.stderr[-2000:]
    assert set(said) == set(files)
    assert "opens" not in said.values()
    assert "a text or a value of more than 10 MB" in said["a word of ten million letters"]


# -- XML ---------------------------------------------------------------------------------------------------------------

LAUGHS = b'<!DOCTYPE x [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
OUTSIDE = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
REMOTE = b'<!DOCTYPE x SYSTEM "http://203.0.113.1/x.dtd">'
PARAMETER = b'<!DOCTYPE x [<!ENTITY % a SYSTEM "http://203.0.113.1/x"> %a;]>'


@pytest.mark.parametrize("doctype", [LAUGHS, OUTSIDE, REMOTE, PARAMETER])
@pytest.mark.parametrize("name", [MAIN, "word/styles.xml", "_rels/.rels", CONTENT_TYPES, "word/header1.xml"])
@pytest.mark.parametrize("before", [b"", b"<!-- a > comment --><?pi ?>\n"])
def test_a_part_that_declares_entities_is_refused(doctype: bytes, name: str, before: bytes) -> None:
    blob = part(name)
    start = blob.index(b"?>") + 2
    spoilt = blob[:start] + before + doctype + blob[start:]
    refused(with_parts(**{name: spoilt}), "declares XML entities")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp037"])
def test_entities_are_found_in_every_encoding(encoding: str) -> None:
    text = part(MAIN).decode().partition("?>")[2]
    declared = (
        "" if encoding == "utf-16" else f' encoding="{encoding.removesuffix("-le").removesuffix("-be")}"'
    )
    spoilt = f'<?xml version="1.0"{declared}?>{LAUGHS.decode()}{text}'.encode(encoding)
    refused(with_parts(document=spoilt), "declares XML entities|UTF-8|damaged")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_part_in_utf_16_opens(encoding: str) -> None:
    text = part(MAIN).decode().partition("?>")[2]
    mirror = Mirror.open(
        with_parts(document=f'<?xml version="1.0" encoding="utf-16"?>{text}'.encode(encoding))
    )
    assert text_of(mirror.element("p2")) == "Revenue grew."


def test_a_part_that_speaks_of_doctypes_opens() -> None:
    spoken = b"<w:p><w:r><w:t><![CDATA[<!DOCTYPE html> and <!ENTITY a>]]></w:t></w:r></w:p>"
    mirror = Mirror.open(with_parts(document=in_body(spoken)))
    assert text_of(mirror.element("p1")) == "<!DOCTYPE html> and <!ENTITY a>"


def test_an_inclusion_of_another_file_is_not_followed() -> None:
    inclusion = (
        b'<w:p><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/></w:p>'
    )
    mirror = Mirror.open(with_parts(document=in_body(inclusion)))
    assert b"root:" not in mirror.save()


@pytest.mark.parametrize("element", [b"w:p", b"w:tbl", b"w:sdt", b"w:r", b"w:ins", b"w:smartTag"])
def test_a_hundred_thousand_elements_in_each_other_are_refused(element: bytes) -> None:
    deep = b"<%s>" % element * 100_000 + b"</%s>" % element * 100_000
    refused(with_parts(document=in_body(deep)), "more than 200 elements in each other", DocumentTooLarge)


@pytest.mark.parametrize("depth", [20, 60, 80])
def test_tables_in_tables_are_read_as_deep_as_the_parser_goes(depth: int) -> None:
    nested = b"<w:tbl><w:tr><w:tc>" * depth + b"<w:p/>" + b"</w:tc></w:tr></w:tbl><w:p/>" * depth
    data = with_parts(document=in_body(nested))
    with within(20, 200):
        opens_or_is_refused(data)


def test_an_attribute_of_many_megabytes_is_opened_or_refused() -> None:
    opens_or_is_refused(with_parts(document=in_body(b'<w:p w:rsidR="' + b"0" * 12_000_000 + b'"/>')))


def test_nothing_is_fetched(tmp_path: Path) -> None:
    """What the parser's own C code asks for would go past the guard of the test run: a server waits for it."""
    secret = tmp_path / "secret.txt"
    secret.write_text("not to be seen", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        for where in (address, secret.as_uri()):
            rels = related("far", "image", where, ' TargetMode="External"').replace(
                b"</Relationships>",
                f'<Relationship Id="tpl" Type="{RELS}/attachedTemplate" Target="{where}" TargetMode="External"/>'
                f'<Relationship Id="chunk" Type="{RELS}/aFChunk" Target="{where}" TargetMode="External"/>'
                f'<Relationship Id="sub" Type="{RELS}/subDocument" Target="{where}"/></Relationships>'.encode(),
            )
            asks = (
                f'<w:p><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="{where}"/>'
                f'<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata r:id="far" src="{where}"/>'
                '</v:shape></w:pict></w:r></w:p><w:altChunk r:id="chunk"/><w:subDoc r:id="sub"/>'
            )
            root = f'xmlns:r="{RELS}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
            root += f'xsi:schemaLocation="{W_NS} {where}"'
            document = (
                f'<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="{where}"?>'
                f'<w:document xmlns:w="{W_NS}" {root}><w:body>{asks}</w:body></w:document>'
            )
            data = with_parts(document=document.encode(), document_rels=rels)
            assert survives(data, some_operations("fetch", 6))
            mirror = Mirror.open(data)
            assert b"not to be seen" not in b"".join(members(mirror.save()).values())
            for doctype in (
                f'<!DOCTYPE w:document SYSTEM "{where}">',
                f'<!DOCTYPE w:document [<!ENTITY a SYSTEM "{where}">]>',
                f'<!DOCTYPE w:document [<!ENTITY % a SYSTEM "{where}"> %a;]>',
            ):
                spoilt = document.replace("<w:document", doctype + "<w:document", 1)
                refused(with_parts(document=spoilt.encode()), "declares XML entities")
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    "node",
    [
        b'<w:sym w:font="Wingdings" w:char="zz"/>',
        b'<w:sym w:font="Wingdings" w:char="FFFFFFFF"/>',
        b'<w:sym w:font="Wingdings" w:char="D800"/>',
        b'<w:sym w:font="Wingdings"/>',
    ],
)
def test_a_symbol_that_is_none_is_read_and_saved(node: bytes) -> None:
    mirror = Mirror.open(with_parts(document=in_body(b"<w:p><w:r>" + node + b"<w:t>x</w:t></w:r></w:p>")))
    state(mirror)
    with mirror.edit("1") as editor:
        editor.replace_text(mirror.element("p1"), 2, 2, "!")
    assert text_of(mirror.element("p1")).endswith("x!")


# -- the archive -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "word/../../x", "C:/x", "word\\..\\..\\x", "a\nb"]
)
def test_a_part_whose_name_leads_out_of_the_archive_is_refused(name: str) -> None:
    refused(packed(members(SAMPLE()), (name, b"x")), "leads out of the archive")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", [MAIN, "Word/Document.XML", "[content_types].xml"])
def test_two_parts_with_one_name_are_refused(name: str) -> None:
    refused(packed(members(SAMPLE()), (name, b"<x/>")), "two parts with the name")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_compression_that_word_does_not_know_is_refused(method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, blob in members(SAMPLE()).items():
            archive.writestr(name, blob)
    refused(buffer.getvalue(), "packed in a way")


def test_members_that_are_encrypted_are_named_so() -> None:
    data = bytearray(SAMPLE())
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    refused(bytes(data), "encrypted")


def test_a_file_cut_anywhere_is_refused() -> None:
    data = SAMPLE()
    for at in (
        1,
        4,
        30,
        100,
        len(data) // 3,
        len(data) // 2,
        len(data) - 100,
        len(data) - 30,
        len(data) - 22,
    ):
        refused(data[:at], "zip|cut|damaged")


def test_bytes_before_and_behind_the_archive_do_no_harm() -> None:
    for data in (b"#!/bin/sh\n" + SAMPLE(), SAMPLE() + b"\0" * 100):
        opens_or_is_refused(data)


# -- the package -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"types": None}, "not an Office file"),
        ({"rels": None}, "without relationships"),
        ({"document": None}, "holds no Word document"),
        ({"document": b""}, "empty"),
        ({"document": b"not XML"}, "damaged"),
        ({"document": b"<document><body/></document>"}, "not a Word document"),
        ({"document": f'<w:document xmlns:w="{W_NS}"/>'.encode()}, "no body"),
        ({"document": in_body(b"<w:p/>stray")}, "text outside of its paragraphs"),
        ({"word/header1.xml": part("word/header1.xml").replace(b"</w:hdr>", b"x</w:hdr>")}, "text outside"),
        ({"document": f'<x:workbook xmlns:x="{W_NS}"/>'.encode()}, "not a Word document"),
        ({"styles": b"<w:styles"}, "styles.xml is damaged"),
        ({"styles": b""}, "styles.xml is damaged"),
        ({"rels": b"<"}, "damaged"),
        ({"rels": b"<Relationships/>"}, "holds no relationships"),
        ({"rels": b'<Relationships xmlns="%s"/>' % PACKAGE}, "holds no Word document"),
        ({"types": b"<Types/>"}, "holds no content types"),
        ({"types": b'<Types xmlns="%s"/>' % TYPES}, "does not say what the part"),
    ],
)
def test_a_part_that_is_missing_or_broken_is_named(changed: dict[str, bytes | None], says: str) -> None:
    refused(with_parts(**changed), says)


def test_two_main_documents_are_refused() -> None:
    second = (
        f'<Relationship Id="again" Type="{RELS}/officeDocument" Target="word/other.xml"/></Relationships>'
    )
    rels = part("_rels/.rels").replace(b"</Relationships>", second.encode())
    refused(with_parts(rels=rels, **{"word/other.xml": part(MAIN)}), "more than one main document")


def test_relationships_in_a_circle_are_followed_once() -> None:
    more = related("loop", "customXml", "document.xml").replace(
        b"</Relationships>",
        f'<Relationship Id="up" Type="{RELS}/header" Target="../word/header1.xml"/></Relationships>'.encode(),
    )
    circle = (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
        f'Id="r1" Type="{RELS}/header" Target="header1.xml"/><Relationship Id="r2" Type="{RELS}/styles" '
        f'Target="document.xml"/></Relationships>'
    )
    data = with_parts(document_rels=more, **{"word/_rels/header1.xml.rels": circle.encode()})
    mirror = Mirror.open(data)
    assert different(members(mirror.save()), members(data)) == set()
    with mirror.edit("1") as editor:
        mirror.document.add_picture(io.BytesIO(png(colour=(1, 2, 3))))
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == canonical(Mirror.open(data))


def test_a_chain_of_thousands_of_parts_is_walked_without_recursion() -> None:
    head = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    parts: dict[str, bytes] = {}
    for n in range(3000):
        parts[f"word/c{n}.bin"] = b"x"
        parts[f"word/_rels/c{n}.bin.rels"] = (
            f'{head}<Relationship Id="r" Type="{RELS}/oleObject" Target="c{n + 1}.bin"/></Relationships>'
        ).encode()
    data = with_parts(document_rels=related("chain", "oleObject", "c0.bin"), **parts)
    with within(20, 200):
        mirror = Mirror.open(data)
        with mirror.edit("1"):
            mirror.document.add_picture(io.BytesIO(png(colour=(1, 2, 3))))
        assert len(members(mirror.save())) == len(members(data)) + 1


def test_a_relationship_to_what_is_not_there_keeps_its_id_for_itself() -> None:
    data = with_parts(
        document_rels=related("rId99", "image", "media/gone.png").replace(b'"rId99"', b'"rId900"')
    )
    mirror = Mirror.open(data)
    gaps = {f"rId{n}" for n in range(1, 900)} - set(mirror.file.document_part.rels)
    mirror.file.document_part.rels.reserved |= {*gaps} - {"rId900"}  # type: ignore[attr-defined]
    with mirror.edit("1"):
        mirror.document.add_picture(io.BytesIO(png(colour=(1, 2, 3))))
    written = etree.fromstring(members(mirror.save())["word/_rels/document.xml.rels"])
    ids = [e.get("Id") for e in written]
    assert len(ids) == len(set(ids))
    assert {"rId900", "rId901"} <= set(ids)


def test_what_refers_to_a_relationship_that_is_gone_does_not_come_to_refer_to_a_new_one() -> None:
    rels = re.sub(
        rb"<Relationship [^>]*hyperlink[^>]*>", b"", members(FULL())["word/_rels/document.xml.rels"]
    )
    data = full(**{"word/_rels/document.xml.rels": rels})
    mirror = Mirror.open(data)
    lost = next(mirror.body.iter(W_P.replace("}p", "}hyperlink"))).get(f"{{{RELS}}}id")
    with mirror.edit("1"):
        mirror.document.add_picture(io.BytesIO(png(colour=(1, 2, 3))))
        mirror.document.part.relate_to("https://example.com/", f"{RELS}/hyperlink", is_external=True)
    assert lost not in mirror.file.document_part.rels


def test_part_names_compare_without_case_and_percent_encoded() -> None:
    parts = members(SAMPLE())
    picture = next(n for n in parts if n.startswith("word/media/"))
    parts["word/Media/My Image.png"] = parts.pop(picture)
    rels = parts["word/_rels/document.xml.rels"]
    parts["word/_rels/document.xml.rels"] = rels.replace(
        picture.removeprefix("word/").encode(), b"media/my%20image.PNG"
    )
    data = packed(parts)
    mirror = Mirror.open(data)
    assert "/word/Media/My Image.png" in mirror.file.parts
    assert different(members(mirror.save()), parts) == set()


@pytest.mark.parametrize("orphan", ["word/footer1.xml", "word/Footer1.xml", "word/media/image2.png"])
def test_a_new_part_takes_no_name_of_a_part_that_nothing_leads_to(orphan: str) -> None:
    data = with_parts(**{orphan: b"an orphan"})
    mirror = Mirror.open(data)
    with mirror.edit("1") as editor:
        mirror.document.sections[0].footer.paragraphs[0].text = "Page"
        mirror.document.add_picture(io.BytesIO(png(colour=(1, 2, 3))))
    written = members(mirror.save())
    assert written[orphan] == b"an orphan"
    assert len({name.casefold() for name in written}) == len(written) == len(members(data)) + 2
    again = Mirror.open(mirror.save())
    assert again.document.sections[0].footer.paragraphs[0].text == "Page"
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == canonical(Mirror.open(data))


def test_a_list_definition_that_nothing_leads_to_stays_when_a_list_is_made() -> None:
    old = members(FULL())["word/numbering.xml"]
    rels = re.sub(
        rb"<Relationship [^>]*/numbering\"[^>]*>", b"", members(FULL())["word/_rels/document.xml.rels"]
    )
    mirror = Mirror.open(full(**{"word/_rels/document.xml.rels": rels}))
    with mirror.edit("1") as editor:
        editor.new_list("bullet")
    written = members(mirror.save())
    assert written["word/numbering.xml"] == old
    assert "word/numbering1.xml" in written


def test_thousands_of_pictures_are_gathered_in_no_time() -> None:
    many = [f"word/media/p{n}.png" for n in range(15_000)]
    links = "".join(
        f'<Relationship Id="p{n}" Type="{RELS}/image" Target="/{name}"/>' for n, name in enumerate(many)
    )
    rels = part("word/_rels/document.xml.rels").replace(
        b"</Relationships>", links.encode() + b"</Relationships>"
    )
    with no_hang(30):
        mirror = Mirror.open(with_parts(document_rels=rels, **dict.fromkeys(many, b"x")))
        assert len(mirror.file.package.image_parts) == len(many) + 1


def test_a_strict_file_may_speak_of_the_names_of_namespaces() -> None:
    data = corpus_file("mammoth__strict-format.docx").read_bytes()
    says = (
        'See "http://schemas.openxmlformats.org/wordprocessingml/2006/main" and '
        '"http://purl.oclc.org/ooxml/wordprocessingml/main".'
    )
    told = members(data)[MAIN].replace(b"</w:t>", says.encode() + b"</w:t>", 1)
    mirror = Mirror.open(packed(members(data) | {MAIN: told}))
    assert says in text_of(next(e for e in mirror.body.iter(W_P) if "ooxml" in text_of(e)))
    with mirror.edit("1") as editor:
        editor.append_to_body(editor.new_paragraph(says))
    assert members(mirror.save())[MAIN].count(says.encode()) == 2


def test_an_address_elsewhere_is_kept_and_never_asked_for() -> None:
    rels = related("far", "image", "http://203.0.113.1/x.png", ' TargetMode="External"')
    rels = rels.replace(
        b"</Relationships>",
        f'<Relationship Id="tpl" Type="{RELS}/attachedTemplate" Target="http://203.0.113.1/t.dotm" '
        'TargetMode="External"/></Relationships>'.encode(),
    )
    drawn = in_body(
        b'<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata xmlns:r="%s" r:id="far"/>'
        b"</v:shape></w:pict></w:r></w:p>" % RELS.encode()
    )
    data = with_parts(document=drawn, document_rels=rels)
    mirror = Mirror.open(data)
    state(mirror)
    assert different(members(mirror.save()), members(data)) == set()


def test_an_alternative_chunk_is_kept_and_not_read() -> None:
    chunk = b"<html><script>alert(1)</script></html>"
    xml = in_body(b'<w:altChunk xmlns:r="%s" r:id="chunk"/>' % RELS.encode())
    data = with_parts(
        document=xml, document_rels=related("chunk", "aFChunk", "chunk.html"), **{"word/chunk.html": chunk}
    )
    mirror = Mirror.open(data)
    with mirror.edit("1") as editor:
        editor.replace_text(next(mirror.body.iter(W_P)), 0, 0, "Now ")
    after = members(mirror.save())
    assert after["word/chunk.html"] == chunk
    assert b"altChunk" in after[MAIN]
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == canonical(Mirror.open(data))


# -- other kinds -------------------------------------------------------------------------------------------------------

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)
OTHERS = {
    "a compound file": (COMPOUND, "old .doc file or is encrypted"),
    ".doc": (COMPOUND + "WordDocument".encode("utf-16-le"), "an old .doc file"),
    ".xls": (COMPOUND + "Workbook".encode("utf-16-le"), "an old Excel file"),
    "encrypted": (COMPOUND + "EncryptedPackage".encode("utf-16-le"), "encrypted with a password"),
    ".rtf": (b"{\\rtf1\\ansi Hello}", "Rich Text"),
    ".rtf after spaces": (b"\n {\\rtf1\\ansi Hello}", "Rich Text"),
    ".pdf": (b"%PDF-1.7\n", "PDF"),
    ".html": (b"<!DOCTYPE html><html><body>Hello</body></html>", "a web page"),
    ".html without a type": (b"\r\n<HTML>Hello", "a web page"),
    ".mht": (b"MIME-Version: 1.0\r\n", "a web page"),
    "flat XML": (
        b'<?xml version="1.0"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"/>',
        "as one XML file",
    ),
    "XML of Word 2003": (
        b'<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>',
        "Word 2003",
    ),
    "other XML": (b'<?xml version="1.0"?><x/>', "not a zip"),
    "text": (b"Hello", "not a zip"),
    "nothing": (b"", "empty"),
    "another zip": (packed({"a.txt": b"x"}), "not an Office file"),
    ".pages": (packed({"Index/Document.iwa": b"x", "Metadata/Properties.plist": b"x"}), "a Pages document"),
    "a zip with a document in it": (packed({"my letter.docx": SAMPLE()}), "with my letter.docx in it"),
    ".odt": (packed({"mimetype": b"application/vnd.oasis.opendocument.text"}), "OpenDocument"),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_a_file_of_another_kind_is_named_as_what_it_is(kind: str) -> None:
    refused(*OTHERS[kind])


@pytest.mark.parametrize("main", ["xl/workbook.xml", "ppt/presentation.xml"])
def test_a_workbook_or_presentation_is_named_as_no_word_document(main: str) -> None:
    root = "workbook" if main.startswith("xl") else "presentation"
    rels = part("_rels/.rels").replace(b"word/document.xml", main.encode())
    data = with_parts(rels=rels, document=None, **{main: f"<{root} xmlns='urn:x'/>".encode()})
    refused(data, "Excel or PowerPoint")


def test_macros_are_kept_untouched_when_the_text_changes() -> None:
    data = corpus_file("python-docx-ng__macro-enabled.docm").read_bytes()
    mirror = Mirror.open(data)
    with mirror.edit("1") as editor:
        editor.append_to_body(editor.new_paragraph("Stet"))
    before, after = members(data), members(mirror.save())
    assert different(before, after) == {MAIN}
    assert any("vba" in name.lower() for name in after)
    assert b"macroEnabled" in after[CONTENT_TYPES]


def test_a_template_stays_a_template() -> None:
    types = part(CONTENT_TYPES).replace(b"document.main+xml", b"template.main+xml")
    data = with_parts(types=types)
    mirror = Mirror.open(data)
    with mirror.edit("1") as editor:
        editor.replace_text(mirror.element("p2"), 0, 0, "Stet ")
    assert b"template.main+xml" in members(mirror.save())[CONTENT_TYPES]


def test_a_strict_file_stays_strict_also_in_parts_that_are_new() -> None:
    data = corpus_file("mammoth__strict-format.docx").read_bytes()
    mirror = Mirror.open(data)
    with mirror.edit("1") as editor:
        editor.replace_text(next(mirror.body.iter(W_P)), 0, 0, "Stet ")
        mirror.document.sections[0].footer.paragraphs[0].text = "Page"
    after = members(mirror.save())
    new = set(after) - set(members(data))
    assert {n for n in new if n.startswith("word/footer")}
    for name in {MAIN, "word/_rels/document.xml.rels", *new}:
        assert b"schemas.openxmlformats.org/wordprocessingml" not in after[name]
        assert b"schemas.openxmlformats.org/officeDocument/2006/relationships" not in after[name]
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == canonical(Mirror.open(data))


# -- every part, every fault -------------------------------------------------------------------------------------------


def _comment(document: Any) -> None:
    paragraph = document.add_paragraph("Mark me")
    document.add_comment(paragraph.runs, "Well", "A", "A")


FULL = doc(
    h(1, "Scope"), p("Revenue grew."), bullets("a", "b"), table([["Name", "Amount"]]), image("a logo"),
    header("Top"), footer("Foot"), link("See ", "the site", "https://example.com/"), _comment,
)  # fmt: skip
"""A document with a part of every kind that Stet works with."""

WORKED_ON = {
    "word/styles.xml", "word/numbering.xml", "word/settings.xml", "word/comments.xml", "word/header1.xml",
    "word/footer1.xml", "docProps/core.xml",
}  # fmt: skip
"""Parts that must be sound; of the others only the bytes are kept."""
ALWAYS = (CONTENT_TYPES, "_rels/.rels", "word/_rels/document.xml.rels")
PASSED_ON = ("word/theme/theme1.xml", "word/fontTable.xml", "word/media/image1.png", "docProps/app.xml")
FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda blob: blob[: len(blob) // 2],
    "with another root": lambda _: b'<w:x xmlns:w="%s"/>' % W_NS.encode(),
    "no XML": lambda _: b"\x00\x01 nonsense",
}


def full(**changed: bytes | None) -> bytes:
    """The full document with other parts; None takes one out."""
    return packed({k: v for k, v in {**members(FULL()), **changed}.items() if v is not None})


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", [*sorted(WORKED_ON), *ALWAYS, *PASSED_ON])
def test_a_broken_part_is_named_or_passed_on(name: str, fault: str) -> None:
    data = full(**{name: FAULTS[fault](members(FULL())[name])})
    if name in PASSED_ON:
        assert survives(data)
    else:
        says = "is damaged|is not what the file says|holds no relationships|holds no content types"
        refused(data, f"{re.escape(name)} ({says})")


@pytest.mark.parametrize("name", [*sorted(WORKED_ON), "word/_rels/document.xml.rels", *PASSED_ON])
def test_a_missing_part_does_no_harm_to_any_operation(name: str) -> None:
    with no_hang(60):
        assert survives(full(**{name: None}), some_operations(name, 6))


@pytest.mark.parametrize("name", sorted(WORKED_ON))
def test_a_part_that_is_only_said_to_be_xml_is_what_its_relationship_says(name: str) -> None:
    types = members(FULL())[CONTENT_TYPES]
    changed = re.sub(rb'(PartName="/%s" ContentType=")[^"]*' % name.encode(), rb"\1application/xml", types)
    assert changed != types
    with no_hang(60):
        assert survives(full(**{CONTENT_TYPES: changed}), some_operations(name, 6))


@pytest.mark.parametrize("name", sorted(WORKED_ON))
def test_a_part_with_the_content_type_of_another_is_refused(name: str) -> None:
    other = b"header" if name != "word/header1.xml" else b"styles"
    types = re.sub(
        rb'(PartName="/%s" ContentType=")[^"]*' % name.encode(),
        rb"\1application/vnd.openxmlformats-officedocument.wordprocessingml.%s+xml" % other,
        members(FULL())[CONTENT_TYPES],
    )
    refused(full(**{CONTENT_TYPES: types}), "is not what the file says it is")


@pytest.mark.parametrize("kind", ["styles", "numbering", "settings", "comments", "header", "footer"])
@pytest.mark.parametrize("target", ["document.xml", "media/image1.png", "theme/theme1.xml"])
def test_a_relationship_to_a_part_of_another_kind_is_refused(kind: str, target: str) -> None:
    rels = members(FULL())["word/_rels/document.xml.rels"]
    changed = re.sub(rb'(/relationships/%s" Target=")[^"]*' % kind.encode(), rb"\1" + target.encode(), rels)
    assert changed != rels
    refused(
        full(**{"word/_rels/document.xml.rels": changed}), "which it is not|is damaged|is not what the file"
    )


def test_a_relationship_that_is_said_twice_counts_once() -> None:
    twice = related("rId77", "styles", "styles.xml")
    with no_hang():
        assert survives(with_parts(document_rels=twice), some_operations("twice", 6))


def test_two_parts_for_what_there_is_once_are_refused() -> None:
    twice = related("rId77", "styles", "other.xml")
    types = part(CONTENT_TYPES).replace(b"</Types>", b'<Override PartName="/word/other.xml" ContentType="'
        b'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>')  # fmt: skip
    other = {"word/other.xml": part("word/styles.xml")}
    refused(with_parts(document_rels=twice, types=types, **other), "two styles parts")


def test_an_id_that_two_relationships_have_is_refused() -> None:
    first = re.search(rb'Id="(rId\d+)"', part("word/_rels/document.xml.rels"))
    assert first is not None
    refused(
        with_parts(document_rels=related(first[1].decode(), "image", "x.png")), "gives the id 'rId\\d+' twice"
    )


# -- files as other programs write them --------------------------------------------------------------------------------


def renamed(change: Callable[[str], str], only: str = "") -> Callable[[], bytes]:
    """The sample with other names of members."""
    return lambda: packed({change(n) if n.startswith(only) else n: b for n, b in members(SAMPLE()).items()})


def rewritten(change: Callable[[bytes], bytes], name: str = MAIN) -> Callable[[], bytes]:
    """The sample with one part written in another way."""

    def make() -> bytes:
        changed = change(part(name))
        assert changed != part(name)
        return packed({**members(SAMPLE()), name: changed})

    return make


def zipped(**how: Any) -> Callable[[], bytes]:
    """The sample in an archive written in another way: `method`, `streamed`, `folders`, `zip64`."""

    def make() -> bytes:
        class Pipe(io.BytesIO):
            def seekable(self) -> bool:
                return not how.get("streamed")

            def tell(self) -> int:
                if how.get("streamed"):
                    raise OSError
                return super().tell()

        buffer = Pipe()
        with zipfile.ZipFile(buffer, "w", how.get("method", zipfile.ZIP_DEFLATED)) as archive:
            for name, blob in members(SAMPLE()).items():
                folder = name.rpartition("/")[0] + "/"
                if how.get("folders") and folder not in ("/", *archive.namelist()):
                    archive.writestr(folder, b"")
                with archive.open(name, "w", force_zip64=bool(how.get("zip64"))) as member:
                    member.write(blob)
            archive.comment = how.get("comment", b"")
        return buffer.getvalue()

    return make


def prefixed(prefix: bytes) -> Callable[[bytes], bytes]:
    """The main part with another prefix for its main namespace; b"" makes it the default namespace (attributes keep `w:`)."""

    def change(blob: bytes) -> bytes:
        root = blob.index(b"<w:document") + len(b"<w:document")
        if not prefix:
            blob = blob[:root] + b' xmlns="%s"' % W_NS.encode() + blob[root:]
            return re.sub(rb"(</?)w:", rb"\1", blob)
        return re.sub(rb"(</?| |:)w([:=])", lambda m: m[1] + prefix + m[2], blob)

    return change


def declared_on_each(blob: bytes) -> bytes:
    """Every paragraph declares the namespace anew, under another prefix."""
    return blob.replace(b"<w:p>", b'<q:p xmlns:q="%s">' % W_NS.encode()).replace(b"</w:p>", b"</q:p>")


def without(*kinds: str) -> Callable[[], bytes]:
    """The sample without the parts of some relationships and the relationships themselves."""

    def make() -> bytes:
        parts_ = members(SAMPLE())
        for name in ("_rels/.rels", "word/_rels/document.xml.rels"):
            for kind in kinds:
                found = re.search(rb'<Relationship [^>]*/%s"[^>]*/>' % kind.encode(), parts_[name])
                if found is not None:
                    parts_[name] = parts_[name].replace(found[0], b"")
                    target = re.search(rb'Target="/?([^"]*)"', found[0])
                    assert target is not None
                    parts_.pop(("" if name == "_rels/.rels" else "word/") + target[1].decode(), None)
        return packed(parts_)

    return make


def moved_main() -> bytes:
    """As some programs have it: the main part elsewhere, with absolute targets."""
    parts_ = members(SAMPLE())
    rels = parts_.pop("word/_rels/document.xml.rels")
    parts_["content/main.xml"] = parts_.pop(MAIN)
    parts_["content/_rels/main.xml.rels"] = re.sub(
        rb'Target="(?!\.\.)([a-zA-Z]+[a-zA-Z/]*[0-9]*\.)', rb'Target="/word/\1', rels
    ).replace(b'"../', b'"/')
    parts_["_rels/.rels"] = parts_["_rels/.rels"].replace(b"word/document.xml", b"/content/main.xml")
    parts_[CONTENT_TYPES] = parts_[CONTENT_TYPES].replace(b"/word/document.xml", b"/content/main.xml")
    return packed(parts_)


def utf_16(blob: bytes) -> bytes:
    return ('<?xml version="1.0" encoding="utf-16"?>' + blob.decode().partition("?>")[2]).encode("utf-16")


def inside(*xml: bytes) -> Callable[[], bytes]:
    return lambda: with_parts(document=in_body(b"".join(xml)))


DEEP = 60
BOX = (
    b'<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent><w:p>',
    b"</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>",
)
MC_NS = b'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
CHOICE = (
    b"<mc:AlternateContent %s><mc:Choice Requires='wps'>" % MC_NS,
    b"</mc:Choice></mc:AlternateContent>",
)
WRITTEN_OTHERWISE: dict[str, Callable[[], bytes]] = {
    # the archive
    "backslashes in names": renamed(lambda n: n.replace("/", "\\")),
    "names in capitals": renamed(str.upper),
    "content types in small letters": renamed(str.lower, "["),
    "relationships in capitals": renamed(lambda n: n.replace("document.xml.rels", "Document.XML.RELS")),
    "stored": zipped(method=zipfile.ZIP_STORED),
    "sizes behind the data": zipped(streamed=True),
    "zip64": zipped(zip64=True),
    "folders listed": zipped(folders=True),
    "a comment behind the archive": zipped(comment=b"made by hand"),
    "bytes in front of the archive": lambda: b"MZ junk" * 9 + SAMPLE(),
    "bytes behind the archive": lambda: SAMPLE() + b"\r\n" * 9,
    "members in another order": lambda: packed(dict(sorted(members(SAMPLE()).items(), reverse=True))),
    "another document as an attachment": lambda: with_parts(**{"word/embeddings/x.docx": SAMPLE()}),
    # the package
    "no styles": without("styles", "stylesWithEffects"),
    "no styles, numbering, settings, theme": without("styles", "numbering", "settings", "theme", "fontTable"),
    "no properties": without("core-properties", "extended-properties", "thumbnail"),
    "absolute targets": moved_main,
    "backslashes in targets": rewritten(
        lambda b: b.replace(b"media/", b"media\\"), "word/_rels/document.xml.rels"
    ),
    "a roundabout target": rewritten(
        lambda b: b.replace(b'"media/', b'"./x/../../word/media/'), "word/_rels/document.xml.rels"
    ),
    "a target that is nothing": lambda: with_parts(document_rels=related("rId99", "image", "NULL")),
    "a target in the document": lambda: with_parts(document_rels=related("rId99", "hyperlink", "#_top")),
    "an address without a mode": lambda: with_parts(
        document_rels=related("rId99", "hyperlink", "https://example.com/")
    ),
    "a relationship of a type of its own": lambda: with_parts(
        document_rels=related("rId99", "customXml", "../docProps/app.xml").replace(b"customXml", b"own")
    ),
    # the XML
    "a byte order mark": rewritten(lambda b: b"\xef\xbb\xbf" + b),
    "byte order marks everywhere": lambda: packed(
        {n: b"\xef\xbb\xbf" + b if n.endswith(("xml", "rels")) else b for n, b in members(SAMPLE()).items()}
    ),
    "UTF-16": rewritten(utf_16),
    "relationships in UTF-16": rewritten(utf_16, "word/_rels/document.xml.rels"),
    "content types in UTF-16": rewritten(utf_16, CONTENT_TYPES),
    "no declaration": rewritten(lambda b: b.partition(b"?>")[2].lstrip()),
    "the main namespace as the default": rewritten(prefixed(b"")),
    "another prefix": rewritten(prefixed(b"ns0")),
    "a prefix declared on each paragraph": rewritten(declared_on_each),
    "indented": rewritten(lambda b: b.replace(b"<w:p>", b"\n    <w:p>\n").replace(b"</w:p>", b"\n  </w:p>")),
    "space kept in all of it": rewritten(
        lambda b: (
            re.sub(rb"(<w:body)>", rb'\1 xml:space="preserve">', b)
            .replace(b"<w:p>", b"<w:p>\n  ")
            .replace(b"</w:p>", b"<w:r><w:t> </w:t></w:r></w:p>")
        )
    ),
    "a cell without paragraphs that is meant": inside(
        b"<w:tbl><w:tr><w:tc/></w:tr><w:tr><w:tc/></w:tr></w:tbl>" * 3
    ),
    "comments and instructions between blocks": inside(b"<!-- one --><?two?><w:p/><!-- three -->"),
    "elements of another namespace": inside(b'<x:y xmlns:x="urn:x"><w:p/></x:y>'),
    "paragraphs in paragraphs": inside(b"<w:p><w:r><w:t>a</w:t></w:r><w:p><w:p/></w:p></w:p>"),
    "a table without a grid": inside(b"<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"),
    "a table without rows": inside(b"<w:tbl/>"),
    "a row without cells": inside(b"<w:tbl><w:tr/></w:tbl>"),
    "a cell without paragraphs": inside(b"<w:tbl><w:tr><w:tc/></w:tr></w:tbl>"),
    "a cell that spans nine hundred million": inside(
        b'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="900000000"/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>'
    ),
    "a chunk that is another file": lambda: with_parts(
        document=in_body(b'<w:altChunk xmlns:r="%s" r:id="chunk"/>' % RELS.encode()),
        document_rels=related("chunk", "aFChunk", "chunk.docx"),
        **{"word/chunk.docx": SAMPLE()},
    ),
    "no section": rewritten(lambda b: re.sub(rb"<w:sectPr.*</w:sectPr>", b"", b, flags=re.DOTALL)),
    "an empty body": rewritten(lambda b: re.sub(rb"<w:body>.*</w:body>", b"<w:body/>", b, flags=re.DOTALL)),
    "a background and a second body": rewritten(
        lambda b: b.replace(b"<w:body>", b'<w:background w:color="FFFFFF"/><w:body>').replace(
            b"</w:body>", b"</w:body><w:body><w:p/></w:body>"
        )
    ),
    # as deep as it goes
    "tables in tables": inside(b"<w:tbl><w:tr><w:tc>" * DEEP, b"<w:p/>", b"</w:tc></w:tr></w:tbl><w:p/>" * DEEP),
    "controls in controls": inside(b"<w:sdt><w:sdtContent>" * 90, b"<w:p/>", b"</w:sdtContent></w:sdt>" * 90),
    "insertions in insertions": inside(b"<w:p>", b"<w:ins>" * 190, b"</w:ins>" * 190, b"</w:p>"),
    "smart tags in smart tags": inside(b"<w:p>", b"<w:smartTag>" * 190, b"</w:smartTag>" * 190, b"</w:p>"),
    "paragraphs in each other": inside(b"<w:p><w:r><w:pict/></w:r>" * 190, b"</w:p>" * 190),
    "text boxes in text boxes": inside(b"<w:p>", BOX[0] * 30, BOX[1] * 30, b"</w:p>"),
    "choices in choices": inside(b"<w:p><w:r>", CHOICE[0] * 90, CHOICE[1] * 90, b"</w:r></w:p>"),
    "choices of blocks": inside(CHOICE[0] * 90, b"<w:p/>", CHOICE[1] * 90),
}  # fmt: skip


@pytest.mark.parametrize("how", WRITTEN_OTHERWISE)
def test_a_file_that_another_program_wrote_opens_and_can_be_worked_on(how: str) -> None:
    with no_hang(60):
        assert survives(WRITTEN_OTHERWISE[how](), some_operations(how))


def some_operations(seed: str, number: int = 3) -> list[Operation[Any]]:
    """A handful, others for each case and the same every time."""
    return [catalogue()[name] for name in random.Random(seed).sample(sorted(catalogue()), number)]
