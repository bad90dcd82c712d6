"""Words put into a paragraph. Word: typing at a place; Office.js `Range.insertText` (WordApi 1.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from pydantic import field_validator

from agent.document import text as texts
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.text import legal
from agent.document.words import Replaced
from agent.errors import AmbiguousTarget, InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, link, p, title
from agent.operations.targets import Params, SpansTarget
from agent.operations.text_effects import texts_edited

Position = Literal["before", "after", "start", "end"]
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]")
_OPENING = "([{\u201c\u2018\u201e\u00ab/-\u2011\u00a0@#$\u20ac\u00a3"
_CLOSING = ".,;:!?)]}\u201d\u2019\u00bb%/-\u2011\u00a0\u2026'\""


class InsertText(Params):
    target: SpansTarget
    """The words to insert beside, or a paragraph."""
    text: str
    """What is inserted."""
    position: Position = "after"
    """Beside the words: "before" or "after"; "start" or "end" of the paragraph."""
    space: bool = True
    """Put a space between words that would touch; false inserts the text as it is."""

    @field_validator("text")
    @classmethod
    def _something(cls, text: str) -> str:
        if not legal(text):
            raise ValueError("is empty; there is nothing to insert")
        return legal(text)


@operation(
    Intent.CONTENT_CREATION,
    Intent.CONTENT_MODIFICATION,
    phrasings=[
        "insert 'approximately' before '5 percent'",
        "add 'and partners' after the company name",
        "append 'See the annex.' to the second paragraph",
        "put the word DRAFT at the start of the title",
        "type ', Ltd' after every Acme",
        "add a sentence to the end of the introduction paragraph",
        "begin the first paragraph with 'Note:'",
        "after 'Monday' add 'morning'",
        "continue the last paragraph with 'Thank you.'",
    ],
    examples=[
        Example(
            "Insert 'about' before '5 percent'",
            doc(p("Sales rose ", ("5 percent", {"bold": True}), " in May.")),
            {"target": {"text": "5 percent"}, "text": "about", "position": "before"},
            result="Paragraph 'Sales rose 5 percent in May.' now also says 'about'; nothing else changed.",
        ),
        Example(
            "Add ', Ltd' after every Acme",
            doc(p("Acme sells."), p("We like Acme and Acme likes us.")),
            {"target": {"text": "Acme", "all": True}, "text": ", Ltd"},
            result=(
                "Paragraph 'Acme sells.' and paragraph 'We like Acme and Acme likes us.' now also say ', Ltd'; "
                "nothing else changed."
            ),
        ),
        Example(
            "End the paragraph under Scope with 'See the annex.'",
            doc(h(1, "Scope"), p("We cover sales."), h(1, "Cost")),
            {"target": {"section": "Scope"}, "text": "See the annex.", "position": "end"},
            result="Paragraph 'We cover sales.' now also says 'See the annex.'; nothing else changed.",
        ),
        Example(
            "Start the title with DRAFT:",
            doc(title("Annual report"), p("Sales rose.")),
            {"target": {"where": "title"}, "text": "DRAFT:", "position": "start"},
            result="Paragraph 'Annual report' now also says 'DRAFT:'; nothing else changed.",
        ),
        Example(
            "Add '(in German)' behind the link",
            doc(link("Read ", "our page", "https://example.com/", ".")),
            {"target": {"text": "our page"}, "text": "(in German)", "position": "after"},
            result="Paragraph 'Read our page.' now also says '(in German)'; nothing else changed.",
            check=lambda m: _ensure("(in German)" not in m.document.paragraphs[0].hyperlinks[0].text),
        ),
        Example(
            "Insert 'very' before good",
            doc(p("It is bad.")),
            {"target": {"text": "good"}, "text": "very", "position": "before"},
            raises=TargetNotFound,
        ),
        Example(
            "Insert 'very' before good, which is there twice",
            doc(p("It is good and good.")),
            {"target": {"text": "good"}, "text": "very", "position": "before"},
            raises=AmbiguousTarget,
        ),
        Example(
            "Insert nothing",
            doc(p("It is good.")),
            {"target": {"text": "good"}, "text": ""},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers"],
)
def insert_text(editor: Editor, params: InsertText) -> None:
    """Insert words into a paragraph: before or after some words, or at its start or end.

    They look like the text before them. Beside a link they are not part of it.
    """
    for paragraph, edits in _edits(editor.mirror, params).items():
        element = editor.element(paragraph)
        for edit in reversed(edits):
            editor.replace_text(element, edit.start, edit.start, edit.new)


@insert_text.effects
def _(mirror: Mirror, params: InsertText) -> Iterable[Effect]:
    yield texts_edited(mirror, _edits(mirror, params), "the words are inserted")


def _edits(mirror: Mirror, params: InsertText) -> dict[str, list[Replaced]]:
    found: dict[str, list[Replaced]] = {}
    for span in Resolver(mirror).spans(params.target):
        text = texts.text_of(mirror.element(span.paragraph))
        whole = params.target.text is None
        at = {
            "before": 0 if whole else span.start,
            "after": len(text) if whole else span.end,
            "start": 0,
            "end": len(text),
        }[params.position]
        new = _spaced(text, at, params.text) if params.space else params.text
        edit = Replaced(at, at, new)
        if edit not in found.setdefault(span.paragraph, []):
            found[span.paragraph].append(edit)
    return found


def _spaced(text: str, at: int, new: str) -> str:
    """The new words with the spaces that they need; none where they go into the middle of a word."""
    left, right = text[at - 1 : at], text[at : at + 1]
    if left.isalnum() and right.isalnum() and not (_CJK.match(left) or _CJK.match(right)):
        return new
    before = " " if _touch(left, new[0]) else ""
    after = " " if _touch(new[-1], right) else ""
    return before + new + after


def _touch(left: str, right: str) -> bool:
    if not left or not right or left.isspace() or right.isspace():
        return False
    if left in _OPENING or right in _CLOSING:
        return False
    return not (_CJK.match(left) or _CJK.match(right))


def _ensure(true: bool) -> None:
    assert true
