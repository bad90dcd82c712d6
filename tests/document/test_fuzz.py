"""Files of others, damaged at random: no crash, no hang, nothing lost.

Damage to bytes of the archive, to bytes of a part, to the elements and attributes of parts, and to the package. What comes
of it is refused in a sentence, or opens and is sound: see `tests.support.survival`. `make fuzz` searches for minutes.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lxml import etree

from agent.document.package import CONTENT_TYPES
from agent.operations.catalogue import catalogue
from tests.corpus import corpus_file, manifest
from tests.document.test_hostile_files import FULL
from tests.support.documents import members, packed
from tests.support.sequences import SPECIMENS as RANDOM_SPECIMENS
from tests.support.survival import lives, no_hang, opened

SMALL = sorted(row.path.name for row in manifest() if row.path.stat().st_size < 40_000)
SPECIMENS = {**RANDOM_SPECIMENS, "full": FULL}
"""Small documents, in which each damage hits something that matters."""
MAIN = "word/document.xml"
ODD = (
    "", "-1", "0", "1", "99999999999", "-99999999999999999999", "1.5", "NaN", "inf", "0x10", " 7 ", "٣", "²",
    "true", "none", "auto", "FFFFFF", "both", "restart", "continue", "\ud7ff", "x" * 300, "rId1", "../x", "%", "100%", "12pt",
)  # fmt: skip
"""Values that an attribute may have and should not."""


@lru_cache(maxsize=64)
def bytes_of(name: str) -> bytes:
    return SPECIMENS[name]() if name in SPECIMENS else corpus_file(name).read_bytes()


@lru_cache(maxsize=64)
def parts_of(name: str) -> dict[str, bytes]:
    return members(bytes_of(name))


# -- damage ------------------------------------------------------------------------------------------------------------

Bytes = tuple[str, float, int]
BYTES = st.lists(
    st.tuples(st.sampled_from(["flip", "cut", "double", "zero"]), st.floats(0, 1), st.integers(0, 255)),
    min_size=1,
    max_size=6,
)


FEW_BYTES = BYTES.map(lambda damage: damage[:2])  # most of what hits XML makes it none


def damaged(data: bytes, damage: list[Bytes]) -> bytes:
    out = bytearray(data)
    for kind, place, value in damage:
        at = min(int(place * len(out)), len(out) - 1)
        if at < 0:
            break
        match kind:
            case "flip":
                out[at] ^= value or 1
            case "cut":
                del out[at : at + value]
            case "double":
                out[at:at] = out[at : at + value]
            case _:
                out[at : at + value] = bytes(len(out[at : at + value]))
    return bytes(out)


def _move(node: Any, other: Any, odd: str) -> None:
    if node not in list(other.iterancestors()) and node is not other:
        other.append(node)


def _drop(node: Any, other: Any, odd: str) -> None:
    node.getparent().remove(node)


def _unwrap(node: Any, other: Any, odd: str) -> None:
    for child in list(node):
        node.addprevious(child)
    node.getparent().remove(node)


def _wrap(node: Any, other: Any, odd: str) -> None:
    around = etree.Element(other.tag)
    node.addprevious(around)
    around.append(node)


def _double(node: Any, other: Any, odd: str) -> None:
    node.addnext(etree.fromstring(etree.tostring(node, with_tail=False)))


def _empty(node: Any, other: Any, odd: str) -> None:
    node.clear()


def _rename(node: Any, other: Any, odd: str) -> None:
    node.tag = other.tag


def _exchange(node: Any, other: Any, odd: str) -> None:
    mine, theirs = dict(node.attrib), dict(other.attrib)
    node.attrib.clear()
    other.attrib.clear()
    node.attrib.update(theirs)
    other.attrib.update(mine)


def _set_odd(node: Any, other: Any, odd: str) -> None:
    for name in list(node.attrib) or [f"{{{etree.QName(node).namespace or ''}}}val".replace("{}", "")]:
        node.set(name, odd)


def _drop_attribute(node: Any, other: Any, odd: str) -> None:
    if node.attrib:
        del node.attrib[sorted(node.attrib)[len(odd) % len(node.attrib)]]


def _set_text(node: Any, other: Any, odd: str) -> None:
    node.text = odd


SHUFFLES: tuple[Callable[[Any, Any, str], None], ...] = (
    _move, _drop, _unwrap, _wrap, _double, _empty, _rename, _exchange, _set_odd, _set_odd, _set_odd, _drop_attribute, _set_text,
)  # fmt: skip
Shuffle = tuple[int, int, int, int, str]
SHUFFLED = st.lists(
    st.tuples(
        st.integers(0, len(SHUFFLES) - 1),
        st.integers(0, 1000),  # which part; most often the main one
        st.integers(0, 100_000),
        st.integers(0, 100_000),
        st.sampled_from(ODD),
    ),
    min_size=1,
    max_size=8,
)


def shuffled(parts: dict[str, bytes], shuffles: list[Shuffle]) -> dict[str, bytes]:
    """Well-formed, but senseless."""
    out = dict(parts)
    for kind, which, first, second, odd in shuffles:
        names = [n for n in sorted(out) if n.endswith((".xml", ".rels")) and n.startswith("word/")]
        if not names:
            return out
        name = MAIN if which % 2 and MAIN in out else names[which // 2 % len(names)]
        try:
            root = etree.fromstring(out[name])
        except etree.XMLSyntaxError:
            continue
        nodes = [e for e in root.iter(etree.Element) if e is not root]
        if len(nodes) < 2:
            continue
        SHUFFLES[kind](nodes[first % len(nodes)], nodes[second % len(nodes)], odd)
        out[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return out


Repacking = tuple[str, int, int]
REPACKED = st.lists(
    st.tuples(
        st.sampled_from(
            ["drop", "swap", "copy", "no rels", "cut rels", "retarget", "retype", "content type", "rename"]
        ),
        st.integers(0, 1000),
        st.integers(0, 1000),
    ),
    min_size=1,
    max_size=4,
)


def repacked(parts: dict[str, bytes], changes: list[Repacking]) -> dict[str, bytes]:
    """Parts swapped, dropped, called something else; relationships that lead elsewhere."""
    out = dict(parts)
    for kind, first, second in changes:
        names = sorted(out)
        if not names:
            break
        one, other = names[first % len(names)], names[second % len(names)]
        rels = [n for n in names if n.endswith(".rels")]
        links = rels[first % len(rels)] if rels else None
        match kind:
            case "drop":
                del out[one]
            case "swap":
                out[one], out[other] = out[other], out[one]
            case "copy":
                out[one] = out[other]
            case "rename":
                out[one.swapcase() if second % 2 else one + "x"] = out.pop(one)
            case "content type" if CONTENT_TYPES in out:
                out[CONTENT_TYPES] = _exchanged(out[CONTENT_TYPES], rb'ContentType="([^"]*)"', first, second)
            case "no rels" if links is not None:
                del out[links]
            case "cut rels" if links is not None:
                out[links] = _exchanged(out[links], rb"(<Relationship [^>]*>)", first, None)
            case "retarget" if links is not None:
                out[links] = _exchanged(out[links], rb'Target="([^"]*)"', first, second)
            case "retype" if links is not None:
                out[links] = _exchanged(out[links], rb'Type="([^"]*)"', first, second)
            case _:
                pass
    return out


def _exchanged(blob: bytes, pattern: bytes, first: int, second: int | None) -> bytes:
    """What the pattern finds in one place is put in another, too; or is left out."""
    found = list(re.finditer(pattern, blob))
    if not found:
        return blob
    at = found[first % len(found)]
    new = found[second % len(found)][1] if second is not None else b""
    return blob[: at.start(1)] + new + blob[at.end(1) :]


# -- what must hold ----------------------------------------------------------------------------------------------------

OPERATIONS = st.lists(st.sampled_from(sorted(catalogue())), min_size=1, max_size=4)
SEEDS = st.integers(0, 2**16)


def holds(data: bytes, operations: list[str], seed: int) -> None:
    with no_hang(30):
        mirror = opened(data)
        if mirror is not None:
            lives(mirror, data, [catalogue()[name] for name in operations], seed)


def bytes_of_the_file(name: str, damage: list[Bytes], operations: list[str], seed: int) -> None:
    holds(damaged(bytes_of(name), damage), operations, seed)


def bytes_of_a_part(name: str, which: int, damage: list[Bytes], operations: list[str], seed: int) -> None:
    parts = parts_of(name)
    chosen = sorted(n for n in parts if n.endswith((".xml", ".rels")))[which % 7]
    holds(packed(parts | {chosen: damaged(parts[chosen], damage)}), operations, seed)


def elements(name: str, shuffles: list[Shuffle], operations: list[str], seed: int) -> None:
    holds(packed(shuffled(parts_of(name), shuffles)), operations, seed)


def package(name: str, changes: list[Repacking], operations: list[str], seed: int) -> None:
    holds(packed(repacked(parts_of(name), changes)), operations, seed)


NAMES = st.one_of(st.sampled_from(SMALL), st.sampled_from(sorted(SPECIMENS)))
TARGETS: dict[str, tuple[Callable[..., None], tuple[Any, ...], int]] = {
    "bytes of the file": (bytes_of_the_file, (NAMES, BYTES, OPERATIONS, SEEDS), 30),
    "bytes of a part": (bytes_of_a_part, (NAMES, st.integers(0, 6), FEW_BYTES, OPERATIONS, SEEDS), 30),
    "elements": (elements, (NAMES, SHUFFLED, OPERATIONS, SEEDS), 80),
    "package": (package, (NAMES, REPACKED, OPERATIONS, SEEDS), 60),
}
"""What is damaged: the check, its strategies, and how many examples the tests take."""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_damaged_file_opens_or_is_refused(target: str) -> None:
    search(target, max(TARGETS[target][2], settings().max_examples if settings().max_examples > 100 else 0))


def search(target: str, examples: int) -> None:
    """Look for a file that breaks the law; raises what it breaks with."""
    check, strategies, _ = TARGETS[target]
    bounded = settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        phases=[Phase.reuse, Phase.generate, Phase.shrink],
    )
    bounded(given(*strategies)(check))()


# -- found before ------------------------------------------------------------------------------------------------------


def test_a_comment_without_an_id_is_no_crash() -> None:
    comments = members(FULL())["word/comments.xml"]
    broken = re.sub(rb' w:id="[^"]*"', b"", comments)
    assert broken != comments
    holds(packed(members(FULL()) | {"word/comments.xml": broken}), ["add_comment", "add_comment"], 0)


def test_a_relationship_that_is_dropped_leaves_a_list_definition_alone() -> None:
    rels = re.sub(
        rb'<Relationship [^>]*/numbering"[^>]*>', b"", members(FULL())["word/_rels/document.xml.rels"]
    )
    holds(packed(members(FULL()) | {"word/_rels/document.xml.rels": rels}), ["add_list", "add_list"], 0)


def test_a_hyperlink_that_leads_nowhere_does_not_come_to_lead_to_a_comment() -> None:
    rels = re.sub(
        rb'<Relationship [^>]*/hyperlink"[^>]*>', b"", members(FULL())["word/_rels/document.xml.rels"]
    )
    parts = members(FULL()) | {"word/_rels/document.xml.rels": rels}
    holds(packed(parts), ["insert_image", "add_comment", "set_header"], 0)


def main(minutes: float) -> None:
    """Search all targets in turn for so many minutes."""
    from agent.document.mirror import Mirror

    Mirror.paranoid = True
    end, tried = time.monotonic() + minutes * 60, 0
    names = list(TARGETS)
    random.shuffle(names)
    while time.monotonic() < end:
        for target in names:
            search(target, 50)
            tried += 50
            if time.monotonic() >= end:
                break
    print(f"{tried} damaged files in {minutes:g} minutes: none breaks a law.")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5)
