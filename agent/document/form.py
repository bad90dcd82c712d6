"""What an element says, without what differs each time a program writes the file: the noise.

Noise: revision save ids, paragraph ids outside of comments, marks of the spelling checker, rendered page breaks, the bookmark
`_GoBack` (where the cursor was), how text of one format is cut into runs, the numbers of drawings and revisions, what a
program writes of itself and of the moment it saved. Prefixes do not count, relationship ids stand for what they lead to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from lxml import etree

from agent.document.names import MC, REVISIONS, W14, W_PPR, W_R, W_RPR, W_T, WP, XML, R, W
from agent.document.text import node_text

NOISE_TAGS = {
    W + "proofErr",
    W + "lastRenderedPageBreak",
    W + "rsids",
    W + "proofState",
    "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}revision",
    "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}lastModifiedBy",
    "{http://purl.org/dc/terms/}modified",
    *(
        "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}" + name
        for name in (
            [
                "TotalTime",
                "Pages",
                "Words",
                "Characters",
                "Lines",
                "Paragraphs",
                "CharactersWithSpaces",
                "Application",
                "AppVersion",
            ]
        )
    ),
}
_TEXTS = {W_T, W + "instrText", W + "delText", W + "delInstrText"}
_RSIDS = {
    W + n for n in ("rsid", "rsidR", "rsidRPr", "rsidP", "rsidDel", "rsidRDefault", "rsidSect", "rsidTr")
}
_raw = etree.ElementBase.text.__get__  # type: ignore[attr-defined]


def _text(element: Any) -> str:
    """An element's text; of a `w:t` what Word shows of it, since spaces at its edges are there only if `xml:space` says so."""
    return node_text(element) if element.tag == W_T else _raw(element) or ""


def is_noise(element: Any, gone: Collection[str] = ()) -> bool:
    """Whether a child of something says nothing. `gone`: ids of bookmarks that do not count."""
    tag = element.tag
    if tag in NOISE_TAGS or not isinstance(tag, str):
        return True
    if tag in (W + "bookmarkStart", W + "bookmarkEnd"):
        return element.get(W + "name") == "_GoBack" or element.get(W + "id") in gone
    if tag == W_R:
        return all(child.tag == W_RPR or is_noise(child, gone) for child in element)
    return tag in (W_RPR, W_PPR) and all(is_noise(child, gone) for child in element)


def is_noisy_attribute(element: Any, name: str) -> bool:
    """Whether an attribute says nothing."""
    tag = element.tag
    return (
        name in _RSIDS
        or name in (XML + "space", MC + "Ignorable")
        or (name.startswith(W14) and name.endswith(("}paraId", "}textId")) and not _in_comment(element))
        or (name == "id" and tag == WP + "docPr")
        or (name == W + "id" and tag in REVISIONS)
    )


def _in_comment(element: Any) -> bool:
    return next(element.iterancestors(W + "comment"), None) is not None


def form(element: Any, rels: Mapping[str, Any], gone: Collection[str] = ()) -> Any:
    """The element as plain data without noise. `rels`: what the relationship ids in it lead to."""
    attributes = sorted(
        (name, rels.get(value, value) if name.startswith(R) else value)
        for name, value in etree.ElementBase.attrib.__get__(element).items()  # type: ignore[attr-defined]
        if not is_noisy_attribute(element, name)
    )
    children: list[Any] = []
    for child in element:
        if is_noise(child, gone):
            continue
        if child.tag == W_R:
            _add_run(children, form(child, rels, gone))
        elif child.tag in _TEXTS and children and children[-1][0] == child.tag:
            last = children[-1]
            children[-1] = (*last[:2], last[2] + _text(child), last[3])
        else:
            children.append(form(child, rels, gone))
    if element.tag in (W_RPR, W_PPR):
        children.sort(key=repr)
    return (element.tag, repr(attributes), _text(element), children)


def _add_run(children: list[Any], run: Any) -> None:
    """Runs of one format are one run."""
    if not children or children[-1][0] != W_R or children[-1][1] != run[1]:
        children.append(run)
        return
    last = children[-1]
    old, new = list(last[3]), list(run[3])
    format_old = old[0] if old and old[0][0] == W_RPR else None
    format_new = new[0] if new and new[0][0] == W_RPR else None
    if format_old != format_new:
        children.append(run)
        return
    new = new[1:] if format_new is not None else new
    for node in new:
        if node[0] in _TEXTS and old and old[-1][0] == node[0]:
            old[-1] = (*old[-1][:2], old[-1][2] + node[2], old[-1][3])
        else:
            old.append(node)
    children[-1] = (*last[:3], old)


def alike(one: Any, other: Any) -> bool:
    """Whether two elements of one part say the same but for noise."""
    return form(one, {}) == form(other, {})
