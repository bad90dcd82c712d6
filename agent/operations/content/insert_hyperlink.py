"""Links. Word: `w:hyperlink` with a relationship or, inside the document, a bookmark (`w:anchor`); style Hyperlink."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Self

from docx.opc.constants import RELATIONSHIP_TYPE as RT
from pydantic import model_validator

from agent.document import text as texts
from agent.document.changes import Change, Dimension, Kind, shorten
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_PPR, R, W
from agent.document.records import Paragraph, read
from agent.document.removal import drop_unused, relationship_ids
from agent.errors import InvalidTarget, InvalidValue, PreconditionFailed, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect, may_add_styles
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, link, p
from agent.operations.targets import Params, SpansTarget, Target
from agent.operations.text_effects import holders

_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*):(?!\d+(/|$))")
_SCHEMES = ("http", "https", "mailto", "ftp", "tel")
_EMAIL = re.compile(r"^[^\s@/]+@[^\s@/]+\.[^\s@/]+$")


class InsertHyperlink(Params):
    target: SpansTarget
    """The words that become the link."""
    url: str | None = None
    """A web or mail address."""
    heading: str | None = None
    """A heading of this document, by its words, that the link leads to."""
    bookmark: str | None = None
    """A bookmark of this document that the link leads to."""
    tooltip: str | None = None
    """What is shown when the pointer rests on the link."""
    retarget: bool = False
    """Whether a link that is on these words already is led to the new place; otherwise it is refused."""

    def located(self, resolver: Resolver) -> Self:
        """The heading by its id."""
        if self.heading is None:
            return self
        return self.model_copy(update={"heading": _heading(resolver.mirror, self.heading)})

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(v is not None for v in (self.url, self.heading, self.bookmark)) != 1:
            raise ValueError("give one of url, heading, bookmark")
        if self.url is not None:
            address(self.url)
        return self


def address(url: str) -> str:
    """A web or mail address as Word writes it. Raises ValueError if it is none."""
    text = url.strip()
    if not text or re.search(r"\s", text):
        raise ValueError(f"'{url}' is not an address")
    if _EMAIL.match(text):
        return f"mailto:{text}"
    scheme = _SCHEME.match(text)
    if scheme is None:
        if "." not in text.split("/")[0] and not text.startswith("localhost"):
            raise ValueError(f"'{url}' is not an address; write it like https://example.com/")
        return f"https://{text}"
    if scheme[1].lower() not in _SCHEMES:
        raise ValueError(f"a link to {scheme[1]}: is not made; {', '.join(_SCHEMES)} are")
    return text


@operation(
    Intent.CONTENT_CREATION,
    phrasings=[
        "link 'our website' to https://example.com",
        "make the word Contact a mail link to info@example.com",
        "turn the company name into a hyperlink",
        "add a link from 'see Methods' to the heading Methods",
        "hyperlink the second paragraph's 'here' to www.example.org",
        "let 'Appendix A' jump to that section",
        "the link on 'documentation' should go to docs.example.com instead",
        "insert a clickable URL behind the text 'terms of use'",
    ],
    examples=[
        Example(
            "Link 'our website' to example.com",
            doc(p("See ", ("our web", {"bold": True}), "site.")),
            {"target": {"text": "our website"}, "url": "example.com"},
            result="'our website' in paragraph 'See our website.' now links to https://example.com; nothing else changed.",
        ),
        Example(
            "Make 'Contact' a mail link to info@example.com",
            doc(p("Contact us.")),
            {"target": {"text": "Contact"}, "url": "info@example.com", "tooltip": "Write to us"},
            result="'Contact' in paragraph 'Contact us.' now links to mailto:info@example.com; nothing else changed.",
        ),
        Example(
            "Let 'see Methods' jump to the heading Methods",
            doc(p("Do see Methods."), h(1, "Methods"), p("We asked.")),
            {"target": {"text": "see Methods"}, "heading": "Methods"},
            result="'see Methods' in paragraph 'Do see Methods.' now links to the bookmark _Methods; nothing else changed.",
        ),
        Example(
            "The link on 'here' should go to example.org instead",
            doc(link("Look ", "here", "https://example.com/", ".")),
            {"target": {"text": "here"}, "url": "https://example.org/", "retarget": True},
            result="The link 'here' in paragraph 'Look here.' now leads to https://example.org/; nothing else changed.",
        ),
        Example(
            "Link 'here' to example.org",
            doc(link("Look ", "here", "https://example.com/", ".")),
            {"target": {"text": "here"}, "url": "https://example.org/"},
            raises=PreconditionFailed,
        ),
        Example(
            "Link 'here' to the heading Costs",
            doc(p("Look here."), h(1, "Methods")),
            {"target": {"text": "here"}, "heading": "Costs"},
            raises=TargetNotFound,
        ),
        Example(
            "Link 'here' to a script",
            doc(p("Look here.")),
            {"target": {"text": "here"}, "url": "javascript:alert(1)"},
            raises=InvalidValue,
        ),
    ],
    touches=["styles", "headers", "footers", "notes"],
)
def insert_hyperlink(editor: Editor, params: InsertHyperlink) -> None:
    """Make words a link to an address, a heading or a bookmark.

    The words get the character style Hyperlink and keep their other formats. A heading gets a bookmark to lead to.
    """
    mirror = editor.mirror
    spans = Resolver(mirror).spans(params.target)
    anchor = _anchor(editor, params)
    for span in sorted(spans, key=lambda s: (s.paragraph, -s.start)):
        element = editor.element(span.paragraph)
        link_ = _link_over(element, span.start, span.end, params)
        if link_ is None:
            runs = editor.isolate(element, span.start, span.end)
            link_ = _wrap(runs)
            editor.set_run_property(runs, "rStyle", {"val": editor.ensure_style("Hyperlink", "character")})
        used = relationship_ids(mirror, [link_])
        _lead(mirror, link_, params, anchor)
        drop_unused(mirror, used)


def _link_over(paragraph: Any, start: int, end: int, params: InsertHyperlink) -> Any | None:
    """The link that is exactly on these words, to be retargeted; None if there is none. Raises for links that overlap."""
    if start == end:
        raise InvalidTarget("There are no words to make a link of.")
    found: dict[Any, tuple[int, int]] = {}
    for piece in texts.pieces_of(paragraph):
        holder = next((a for a in piece.run.iterancestors() if a.tag in (W + "hyperlink", W_P)), None)
        if holder is not None and holder.tag != W_P:
            a, b = found.get(holder, (piece.start, piece.end))
            found[holder] = (min(a, piece.start), max(b, piece.end))
    touching = [(h_, span) for h_, span in found.items() if span[0] < end and start < span[1]]
    if not touching:
        return None
    holder, (a, b) = touching[0]
    words = texts.text_of(paragraph)
    if len(touching) > 1 or not (a <= start and end <= b):
        raise PreconditionFailed(
            f"A part of '{shorten(words[start:end])}' is a link already, that on '{shorten(words[a:b])}'."
        )
    if not params.retarget:
        raise PreconditionFailed(
            f"'{shorten(words[start:end])}' is in the link '{shorten(words[a:b])}' already; set retarget to true "
            f"to lead that link elsewhere."
        )
    return holder


def _wrap(runs: list[Any]) -> Any:
    """A new `w:hyperlink` around runs, with what stands between them. Raises InvalidTarget if they do not lie side by side."""
    if texts.divides_ruby(runs):
        raise InvalidTarget("These words are part of one that has its reading above it; name the whole word.")
    runs = [texts.run_in_line(run) for run in runs]
    first, last = runs[0], runs[-1]
    if any(r.getparent() is not first.getparent() for r in runs):
        raise InvalidTarget(
            "These words lie partly in a tracked change or a control; a link cannot span its border."
        )
    moving = [first, *first.itersiblings()]
    moving = moving[: moving.index(last) + 1]
    if any(next(n.iter(W + "fldChar"), None) is not None for n in moving):
        raise InvalidTarget("A field begins or ends in these words; name words inside or outside of it.")
    new = new_element("w:hyperlink")
    first.addprevious(new)
    for node in moving:
        new.append(node)
    return new


def _lead(mirror: Mirror, link_: Any, params: InsertHyperlink, anchor: str) -> None:
    for name in (R + "id", W + "anchor", W + "docLocation"):
        link_.attrib.pop(name, None)
    if params.url is not None:
        part: Any = mirror.part_of(link_)
        link_.set(R + "id", part.relate_to(address(params.url), RT.HYPERLINK, is_external=True))
    else:
        link_.set(W + "anchor", anchor)
    if params.tooltip is not None:
        link_.set(W + "tooltip", params.tooltip)
    link_.set(W + "history", "1")


def _anchor(editor: Editor, params: InsertHyperlink) -> str:
    """The name of the bookmark that the link leads to; that of a heading is made."""
    mirror = editor.mirror
    if params.url is not None:
        return ""
    if params.bookmark is not None:
        names = [b.get(W + "name", "") for b in mirror.nodes(W + "bookmarkStart")]
        found = next((n for n in names if n.casefold() == params.bookmark.lstrip("#").casefold()), None)
        if found is None:
            shown = ", ".join(n for n in names if not n.startswith("_")) or "none"
            raise TargetNotFound(f"There is no bookmark '{params.bookmark}'; the document has {shown}.")
        return found
    heading = editor.element(_heading(mirror, params.heading or ""))
    for mark in heading.iter(W + "bookmarkStart"):
        name = mark.get(W + "name", "")
        if not name.startswith(
            ("_Toc", "_GoBack")
        ):  # Word renews the one, and moves the other to the last edit
            return name
    name = _fresh_name(mirror, texts.text_of(heading))
    id_ = str(editor.next_annotation_id())
    start = new_element("w:bookmarkStart", {W + "id": id_, W + "name": name})
    heading.insert(0 if heading.find(W_PPR) is None else 1, start)
    heading.append(new_element("w:bookmarkEnd", {W + "id": id_}))
    return name


def _heading(mirror: Mirror, words: str) -> str:
    """The id of a heading, by its words or by that id."""
    if mirror.has(words):
        return words
    if words in mirror.tombstones:
        raise TargetNotFound("The heading that the link leads to is not there any more.")
    return Resolver(mirror).paragraphs(Target(heading=words))[0]


def _fresh_name(mirror: Mirror, words: str) -> str:
    """A bookmark name as Word makes it for a heading: an underscore, letters and digits, at most 40 characters."""
    stem = "_" + re.sub(r"\W+", "_", words).strip("_")[:32]
    used = {b.get(W + "name", "").casefold() for b in mirror.nodes(W + "bookmarkStart")}
    name, number = stem, 1
    while name.casefold() in used:
        number += 1
        name = f"{stem}_{number}"
    return name


@insert_hyperlink.effects
def _(mirror: Mirror, params: InsertHyperlink) -> Iterable[Effect]:
    spans = Resolver(mirror).spans(params.target)
    before: dict[str, Paragraph] = {}
    for span in spans:
        record = read(mirror, mirror.element(span.paragraph))
        assert isinstance(record, Paragraph)
        before[span.paragraph] = record
    heading = _heading(mirror, params.heading) if params.heading is not None else None
    around = holders(mirror, before)

    def check(after: After) -> str | None:
        for span in spans:
            was, now = before[span.paragraph], after.paragraph(span.paragraph)
            if now is None or now.text != was.text:
                return f"the text of paragraph {span.paragraph} changed"
            words = was.text[span.start : span.end]
            links = [item.target for item in now.links if words in item.text]
            if params.url is not None and address(params.url) not in links:
                return f"'{shorten(words)}' does not link to {address(params.url)}"
            if params.url is None and not any(_leads(after.mirror, t, params, heading) for t in links):
                return f"'{shorten(words)}' does not lead to {params.heading or params.bookmark}"
        return None

    def covers(change: Change) -> bool:
        if change.target == heading and change.kind is Kind.ADDED:
            return change.path in ("bookmark", "bookmark end")
        if change.target in before:
            return change.dimension is Dimension.HYPERLINKS or change.path == "character style"
        return around(change)

    yield Effect("the words are a link", check, covers)
    yield may_add_styles()


def _leads(mirror: Mirror, target: str, params: InsertHyperlink, heading: str | None) -> bool:
    if params.bookmark is not None:
        return target.casefold() == f"#{params.bookmark.lstrip('#')}".casefold()
    marks = mirror.element(heading or "").iter(W + "bookmarkStart")
    return target in [f"#{m.get(W + 'name')}" for m in marks]
