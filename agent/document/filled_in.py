"""Text that Word fills in by itself, so that a change of it would not last: bound content controls, page numbers, dates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agent.document.changes import shorten
from agent.document.names import W_SDT, W_VAL, W
from agent.document.text import pieces_of, text_of

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

_PROPERTIES = {
    "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}": "/docProps/core.xml",
    "{6668398D-A668-4E3E-A5EB-62B293D839F1}": "/docProps/app.xml",
}
_ALWAYS_UPDATED = {"PAGE", "NUMPAGES", "SECTION", "SECTIONPAGES", "DATE", "TIME"}
"""Fields that Word works out whenever it shows the page; others keep their result until someone updates them."""
_FIELD_MARK, _CODE, _SIMPLE = W + "fldChar", W + "instrText", W + "fldSimple"


def filled_in(mirror: Mirror, paragraph: Any) -> Iterator[tuple[int, int, str]]:
    """Offsets of such text in a `w:p`, and in words what fills it in."""
    yield from _bound(mirror, paragraph)
    for start, end, code in field_results(paragraph):
        name = code.split()[0].upper() if code.split() else ""
        if name in _ALWAYS_UPDATED:
            yield start, end, f"the field {name}"


def _bound(mirror: Mirror, paragraph: Any) -> Iterator[tuple[int, int, str]]:
    """In content controls that are bound to data: Word writes them anew from there whenever the file is opened."""
    controls = [*paragraph.iterancestors(W_SDT), *paragraph.iter(W_SDT)]
    pieces = pieces_of(paragraph) if controls else []
    for control in controls:
        binding = control.find(f"{W}sdtPr/{W}dataBinding")
        if binding is None or not _has_data(mirror, binding.get(W + "storeItemID", "")):
            continue
        held = [p for p in pieces if control in p.run.iterancestors()]
        if held:
            names = [control.find(f"{W}sdtPr/{W}{name}") for name in ("alias", "tag")]
            name = next((e.get(W_VAL, "") for e in names if e is not None), "")
            called = f"'{shorten(name)}'" if name else f"in '{shorten(text_of(paragraph))}'"
            yield held[0].start, held[-1].end, f"the control {called}"


def _has_data(mirror: Mirror, store: str) -> bool:
    """Whether the file has what a control is bound to; without it Word leaves the control's text alone."""
    if store.upper() in _PROPERTIES:
        return mirror.part(_PROPERTIES[store.upper()]) is not None
    wanted = store.upper().encode()
    return bool(wanted) and any(
        wanted in part.blob.upper() for name, part in mirror.file.parts.items() if "/itemProps" in name
    )


def field_results(paragraph: Any) -> Iterator[tuple[int, int, str]]:
    """Offsets of the results of the fields that begin in a `w:p`, each with its code; an inner field before an outer one."""
    if next(paragraph.iter(_FIELD_MARK, _SIMPLE), None) is None:
        return
    pieces = {piece.node: piece for piece in pieces_of(paragraph)}
    opened: list[tuple[list[str], list[int]]] = []  # the words of the code; offsets that are in the result
    for node in paragraph.iter():
        if node.tag == _SIMPLE:
            inside = [pieces[n] for n in node.iter() if n in pieces]
            if inside:
                yield inside[0].start, inside[-1].end, node.get(W + "instr", "")
        elif node.tag == _CODE and opened:
            opened[-1][0].append(node.text or "")
        elif node in pieces:
            for _, result in opened:
                result += [pieces[node].start, pieces[node].end]
        elif node.tag == _FIELD_MARK and next(node.iterancestors(W + "del"), None) is None:
            kind = node.get(W + "fldCharType")
            if kind == "begin":
                opened.append(([], []))
            elif kind == "end" and opened:
                code, result = opened.pop()
                if result:
                    yield min(result), max(result), "".join(code)
