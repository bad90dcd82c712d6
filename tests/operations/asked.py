"""Whether something that a comparison of two files calls lost is what the call was for: told by what it is and where it
was, not by its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ooxml_integrity import Finding

from agent.document.delta import Edit, Image, InsertBlock, RemoveBlock, ReplaceBlock, ReplaceInside
from agent.operations.execution import Execution
from tests.support.documents import members

_TAGS = re.compile(r"<[^>]*>")
_TEXT = re.compile(r"<w:t(?: [^>]*)?>([^<]*)</w:t>")
HEADERS = {"set_header", "set_footer", "insert_page_number"}
"""They name a header or footer by what it is."""


def asked(finding: Finding, execution: Execution, after: bytes) -> bool:
    """Whether the call was for it."""
    extra = finding.extra
    match finding.code:
        case "FID001":  # a kind of element is there less often
            tag = f"<w:{extra['tag']}[ />]"
            lost = sum(len(re.findall(tag, old)) - len(re.findall(tag, new)) for old, new in named(execution))
            return extra["before"] - extra["after"] == lost
        case "FID003":  # there is less text
            lost = sum(len(text(old)) - len(text(new)) for old, new in named(execution))
            return extra["before"] - extra["after"] == lost
        case "FID004" | "FID005" | "FID006" if _went_along(finding, execution):
            return True
        case "FID007" if execution.operation.name in HEADERS:
            return _is_that_header(finding, execution, after)
        case (
            "FID004" | "FID005" | "FID006" | "FID007"
        ):  # a comment, a note, a header or a footer says something else
            return any(text(old) and plain(old) in extra["body"] for old, _ in named(execution, finding.part))
        case "FID009":  # the words of a tracked insertion are others
            return any(extra["body"] in plain(old) for old, _ in named(execution, finding.part))
        case "FID011":  # words came into a tracked insertion
            given = " ".join(str(execution.params.get(n, "")) for n in ("text", "replace"))
            return extra["additional_text"].strip().lower() in given.lower()
        case _:
            return False


def named(execution: Execution, part: str = "word/document.xml") -> Iterator[tuple[str, str]]:
    """The XML before and after of the blocks in a part that the call names: by their ids, or by words that they have."""
    ids = set(_ids(execution.params))
    for edit in execution.delta.edits:
        for old, new in [_images(edit)]:
            image = old or new
            if image is None or edit.story.partition("#")[0].lstrip("/") != part:  # type: ignore[union-attr]
                continue
            before = old.xml.decode() if old else ""
            own = {edit.id, *image.ids}  # type: ignore[union-attr]
            if ids & own if ids else _has_what_is_sought(before, execution.params):
                yield before, new.xml.decode() if new else ""


def text(xml: str) -> str:
    """Characters of `w:t`, as ooxml-integrity counts them."""
    return "".join(_TEXT.findall(xml)).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")


def plain(xml: str) -> str:
    """The same with single spaces."""
    return " ".join(text(xml).split())


def _images(edit: Edit) -> tuple[Image | None, Image | None]:
    match edit:
        case ReplaceBlock() | ReplaceInside():
            return edit.before, edit.after
        case RemoveBlock():
            return edit.image, None
        case InsertBlock():
            return None, edit.image
        case _:
            return None, None


def _ids(params: Any) -> Iterator[str]:
    match params:
        case {"ids": [*ids]}:
            yield from ids
        case dict():
            for value in params.values():
                yield from _ids(value)
        case _:
            return


def _has_what_is_sought(xml: str, params: dict[str, Any]) -> bool:
    here = text(xml).lower()
    if params.get("regex"):
        return re.search(params["find"], text(xml)) is not None
    if "find" in params:
        return params["find"].lower() in here
    said = (
        here + " ".join(re.findall(r"<w:(?:alias|tag) w:val=\"([^\"]*)\"", xml)).lower()
    )  # a control is named
    return any(word.strip("<>«»[]{} ").lower() in said for word in params.get("values", ()))


def _is_that_header(finding: Finding, execution: Execution, after: bytes) -> bool:
    """A header or footer of the kind that was named says now what was asked for; what is added stands beside what was there."""
    params, kind, body = execution.params, finding.extra["story_kind"], finding.extra["body"]
    files = members(after)
    touched = [_packed(text(files.get(name.lstrip("/"), b"").decode())) for name in execution.delta.parts()]
    if execution.operation.name == "insert_page_number":
        return kind == params.get("position", "footer") and any(_packed(body) in said for said in touched)
    given = str(params.get("text", ""))
    # where a page number stays, or something is added, all that was there stays
    possible = {_packed(body + given), _packed(given + body)}
    if params.get("mode") != "append":
        possible.add(_packed(given))
    return f"set_{kind}" == execution.operation.name and not possible.isdisjoint(touched)


def _packed(said: str) -> str:
    """Without the spaces, for which a tab or a line end may stand."""
    return "".join(said.split())


def _went_along(finding: Finding, execution: Execution) -> bool:
    """A comment or note whose only anchor was in what the call takes away."""
    kind = {"FID004": "comment", "FID005": "footnote", "FID006": "endnote"}[finding.code]
    anchor = re.compile(rf"<w:{kind}Reference [^>]*w:id=\"(-?\d+)\"")
    gone = {i for old, new in named(execution) for i in set(anchor.findall(old)) - set(anchor.findall(new))}
    return any(
        isinstance(edit, RemoveBlock)
        and edit.story.lstrip("/") == finding.part
        and plain(edit.image.xml.decode()) == finding.extra["body"]
        and set(re.findall(r"w:id=\"(-?\d+)\"", edit.image.xml.decode().partition(">")[0])) <= gone
        for edit in execution.delta.edits
    )
