"""Comments. Word: Review > New comment: `w:comment` in comments.xml, range marks in the text; Office.js `insertComment` (1.4)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Self

from docx.opc.constants import RELATIONSHIP_TYPE as RT
from pydantic import field_validator

from agent.document import text as texts
from agent.document.anchors import following
from agent.document.changes import Change, Dimension, Kind, shorten
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_PPR, W_R, W_TXBX, W_VAL, W
from agent.document.text import legal
from agent.errors import InvalidTarget, InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect, may_add_styles
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, p, table
from agent.operations.targets import Params, SpansTarget, TextSpan
from agent.operations.text_effects import holders


class AddComment(Params):
    target: SpansTarget
    """The words or paragraphs that the comment is about. Several paragraphs get one comment; with `all`, each match gets one."""
    text: str
    """What the comment says. A line break starts another paragraph of it."""
    author: str = "Stet"
    """Whose comment it is."""
    initials: str | None = None
    """Of the author; leave out to take them from the name."""
    date: str | None = None
    """When it was made, like 2025-05-03T10:00:00Z; leave out for now."""

    def located(self, resolver: Resolver) -> Self:
        """The time of now, so that the same call made again makes the same comment."""
        if self.date is not None:
            return self
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self.model_copy(update={"date": now})

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("is empty; a comment says something")
        return legal(text).strip()

    @field_validator("date")
    @classmethod
    def _is_a_time(cls, date: str | None) -> str | None:
        if date is not None:
            datetime.fromisoformat(date)
        return date


@operation(
    Intent.CONTENT_MODIFICATION,
    phrasings=[
        "comment on the second paragraph: please check the figures",
        "add a comment 'source?' to '5 percent'",
        "leave a note for the author at the heading Costs",
        "mark the table's total with the remark 'to be confirmed'",
        "annotate every 'shall' with 'must?'",
        "ask in a comment whether this is still true",
        "put a review comment by Ann on the introduction",
        "flag the selected text with a comment",
    ],
    examples=[
        Example(
            "Comment 'Source?' on '5 percent'",
            doc(p("Sales rose ", ("5 per", {"bold": True}), "cent in May.")),
            {"target": {"text": "5 percent"}, "text": "Source?", "author": "Ann Lee"},
            result="A comment 'Source?' was added; nothing else changed.",
        ),
        Example(
            "Ask at the section Costs whether it is complete",
            doc(h(1, "Costs"), p("Rent."), p("Food."), h(1, "Gains")),
            {"target": {"section": "Costs"}, "text": "Is this complete?\nI miss the travel."},
            result="A comment 'Is this complete? I miss the travel.' was added; nothing else changed.",
        ),
        Example(
            "Mark every 'shall' with 'must?'",
            doc(p("It shall be."), table([["You shall", "not"]])),
            {"target": {"text": "shall", "all": True}, "text": "must?"},
            result="2 comments were added: 'must?' and 'must?'; nothing else changed.",
        ),
        Example(
            "Comment on the word profit",
            doc(p("Sales rose.")),
            {"target": {"text": "profit"}, "text": "Source?"},
            raises=TargetNotFound,
        ),
        Example(
            "Add an empty comment",
            doc(p("Sales rose.")),
            {"target": {"text": "Sales"}, "text": ""},
            raises=InvalidValue,
        ),
    ],
    touches=["comments", "styles"],
)
def add_comment(editor: Editor, params: AddComment) -> None:
    """Add a review comment on some words or paragraphs of the text or a table.

    It shows in Word's margin with its author. Headers, footers, notes and text boxes cannot hold comments.
    """
    reference_style = editor.ensure_style("annotation reference", "character")
    text_style = editor.ensure_style("annotation text")
    for first, last in _ranges(editor.mirror, params):
        for span in (first, last):
            _refuse_elsewhere(editor.mirror, span)
        comment_id = _new_comment(editor, params, reference_style, text_style)
        _mark(editor, first, last, comment_id, reference_style)


def _ranges(mirror: Mirror, params: AddComment) -> list[tuple[TextSpan, TextSpan]]:
    """First and last stretch of each comment."""
    spans = Resolver(mirror).spans(params.target)
    if params.target.text is not None:
        return [(s, s) for s in spans]
    return [(spans[0], spans[-1])]


def _refuse_elsewhere(mirror: Mirror, span: TextSpan) -> None:
    element = mirror.element(span.paragraph)
    boxed = any(a.tag == W_TXBX for a in element.iterancestors())
    if boxed or mirror.part_of(element) is not mirror.file.document_part:
        words = shorten(texts.text_of(element))
        raise InvalidTarget(
            f"'{words}' is not in the body; Word has comments on the text and its tables only."
        )


def _new_comment(editor: Editor, params: AddComment, reference_style: str, text_style: str) -> str:
    """A comment in its part, which is made if the file has none. Gives its id."""
    comment_id = str(editor.next_annotation_id())
    initials = params.initials
    if initials is None:
        initials = "".join(word[0] for word in params.author.split()[:3]).upper()
    made: Any = editor.mirror.document.comments.add_comment(params.text, params.author, initials)
    element = made._comment_elm
    element.set(W + "id", comment_id)
    element.set(W + "date", params.date or "")
    for style in element.iter(W + "pStyle"):
        style.set(W_VAL, text_style)
    for style in element.iter(W + "rStyle"):
        style.set(W_VAL, reference_style)
    return comment_id


def _mark(editor: Editor, first: TextSpan, last: TextSpan, comment_id: str, style: str) -> None:
    start = new_element("w:commentRangeStart", {W + "id": comment_id})
    end = new_element("w:commentRangeEnd", {W + "id": comment_id})
    reference: Any = new_element("w:r")
    reference.append(new_element("w:rPr"))
    reference[0].append(new_element("w:rStyle", {W_VAL: style}))
    reference.append(new_element("w:commentReference", {W + "id": comment_id}))
    last_run = _edge(editor, last, forward=True)
    if last_run is not None:
        last_run.addnext(reference)
    else:
        editor.element(last.paragraph).append(reference)
    reference.addprevious(end)
    first_run = _edge(editor, first, forward=False)
    if first_run is not None:
        first_run.addprevious(start)
    else:
        paragraph = editor.element(first.paragraph)
        paragraph.insert(0 if paragraph.find(W_PPR) is None else 1, start)


def _edge(editor: Editor, span: TextSpan, *, forward: bool) -> Any | None:
    """The first or last run of a stretch, or the link or change that ends there; None for an empty paragraph."""
    runs = editor.isolate(editor.element(span.paragraph), span.start, span.end)
    if not runs:
        return None
    if texts.divides_ruby(runs):
        raise InvalidTarget("These words are part of one that has its reading above it; name the whole word.")
    node = texts.run_in_line(runs[-1 if forward else 0])
    while node.getparent().tag != W_P:
        beside = node.getnext() if forward else node.getprevious()
        if beside is not None and node.tag != W + "sdtContent":
            break
        node = node.getparent()
    return node


@add_comment.effects
def _(mirror: Mirror, params: AddComment) -> Iterable[Effect]:
    ranges = _ranges(mirror, params)
    for first, last in ranges:
        _refuse_elsewhere(mirror, first)
        _refuse_elsewhere(mirror, last)
    known = {e.get(W + "id") for e in mirror.nodes(W + "commentReference")}
    words = [_words(mirror, first, last) for first, last in ranges]
    touched = {s.paragraph for pair in ranges for s in pair}
    said = params.text.replace("\n", "")

    def check(after: After) -> str | None:
        new = [i for e in after.mirror.nodes(W + "commentReference") if (i := e.get(W + "id")) not in known]
        if len(new) != len(ranges):
            return f"{len(new)} new comments and not {len(ranges)}"
        rels = after.mirror.file.document_part.rels.values()
        if all(
            rel.reltype != RT.COMMENTS for rel in rels
        ):  # python-docx would make the part, outside of any step
            return "the document has no comments"
        comments = {str(c.comment_id): c for c in after.mirror.document.comments}
        for comment_id, about in zip(new, words, strict=True):
            comment = comments.get(comment_id or "")
            if comment is None or comment.text.replace("\n", "") != said or comment.author != params.author:
                return f"the comment {comment_id} does not say '{shorten(params.text)}'"
            if _between(after.mirror, comment_id or "") != about:
                return f"the comment is not about '{shorten(about)}'"
        return None

    around = holders(mirror, touched)

    def covers(change: Change) -> bool:
        if change.target in touched:
            return change.path in ("comment", "comment start", "comment end")
        if change.dimension is Dimension.CONTENT and change.path == "comment":
            return change.kind is Kind.ADDED
        return around(change)

    yield Effect(
        f"{len(ranges)} comment{'s are' if len(ranges) != 1 else ' is'} in the margin", check, covers
    )
    yield may_add_styles()


def _words(mirror: Mirror, first: TextSpan, last: TextSpan) -> str:
    """What a comment is about: all text from the one stretch to the other."""
    if first == last:
        return texts.text_of(mirror.element(first.paragraph))[first.start : first.end]
    start, end = mirror.element(first.paragraph), mirror.element(last.paragraph)
    between = itertools.chain([start], (n for n in following(start, end) if n.tag == W_P), [end])
    return "".join(texts.text_of(q) for q in between)


def _between(mirror: Mirror, comment_id: str) -> str:
    """The text between the marks of a comment."""
    start, end = (
        next((m for m in mirror.nodes(W + tag) if m.get(W + "id") == comment_id), None)
        for tag in ("commentRangeStart", "commentRangeEnd")
    )
    if start is None or end is None:
        return ""
    found: list[str] = []
    around = list(start.iterancestors(W_P))
    shown = {
        p.node for q in around for p in texts.pieces_of(q)
    }  # not what was moved away, nor ruby readings and field codes
    for node in following(start, end):
        if node.tag == W_P:
            shown |= {p.node for p in texts.pieces_of(node)}
        elif node.tag == W_R:
            found += [texts.node_text(n) for n in node if n in shown]
    return "".join(found)
