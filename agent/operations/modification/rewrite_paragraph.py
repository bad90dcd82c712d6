"""New wording for a paragraph. Word: typing over it; Office.js `Paragraph.insertText` with "Replace" loses all formats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import field_validator

from agent.document import text as texts
from agent.document import words
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
from agent.operations.targets import ParagraphsTarget, Params
from agent.operations.text_effects import texts_edited

_KEPT_SHARE = 0.3
"""Below this share of words that stay, two texts have nothing to do with each other, and words in both are chance."""


class RewriteParagraph(Params):
    target: ParagraphsTarget
    """One paragraph, heading or list item."""
    text: str
    """Its whole new wording, one paragraph."""

    @field_validator("text")
    @classmethod
    def _one_paragraph(cls, text: str) -> str:
        line = legal(text).strip()
        if not line:
            raise ValueError("is empty; delete_blocks takes a paragraph out")
        if "\n\n" in line:
            raise ValueError("holds several paragraphs; rewrite one, and add_paragraph for the others")
        return line


@operation(
    Intent.CONTENT_MODIFICATION,
    phrasings=[
        "rewrite the first paragraph in a friendlier tone",
        "shorten the introduction to one sentence",
        "change the title to 'Annual report 2025'",
        "rename the heading Goals to Objectives",
        "make the second paragraph more formal",
        "correct the grammar of the last paragraph",
        "translate the paragraph under Summary into English",
        "reword the third bullet",
        "the abstract should read: we measured and found nothing",
        "rephrase this",
    ],
    examples=[
        Example(
            "Rename the heading Goals to Our objectives",
            doc(h(1, "Goals"), p("Grow.")),
            {"target": {"heading": "Goals"}, "text": "Our objectives"},
            result="Heading 'Goals' now reads 'Our objectives'; nothing else changed.",
        ),
        Example(
            "Correct the grammar of the first paragraph",
            doc(title("Report"), p("She ", ("really", {"bold": True}), " go to school every day.")),
            {"target": {"paragraph": 1}, "text": "She really goes to school every day."},
            result=(
                "Paragraph 'She really go to school every day.' now says 'goes' instead of 'go'; nothing else changed."
            ),
        ),
        Example(
            "Rewrite the paragraph with the link",
            doc(link("Look at ", "our page", "https://example.com/", " for news.")),
            {"target": {"paragraph": 1}, "text": "Visit our page for the latest news."},
            result=(
                "Paragraph 'Look at our page for news.' now says 'Visit' instead of 'Look at' and also 'the latest'; "
                "nothing else changed."
            ),
        ),
        Example(
            "Replace the second paragraph by something else",
            doc(p("One."), p(("Old words here.", {"italic": True}))),
            {"target": {"paragraph": 2}, "text": "A completely different sentence."},
            result="Paragraph 'Old words here.' now reads 'A completely different sentence.'; nothing else changed.",
        ),
        Example(
            "Rewrite the paragraph about costs",
            doc(p("Sales rose.")),
            {"target": {"text": "costs"}, "text": "Costs fell."},
            raises=TargetNotFound,
        ),
        Example(
            "Rewrite the section Goals",
            doc(h(1, "Goals"), p("Grow."), p("Learn.")),
            {"target": {"section": "Goals"}, "text": "Grow and learn."},
            raises=AmbiguousTarget,
        ),
        Example(
            "Rewrite the first paragraph as nothing",
            doc(p("Sales rose.")),
            {"target": {"paragraph": 1}, "text": ""},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def rewrite_paragraph(editor: Editor, params: RewriteParagraph) -> None:
    """Give a paragraph, heading or list item a new wording.

    Words that stay keep their format, links included; new ones look like the words whose place they take, and in a wholly
    new text like most of the old one.
    """
    block = _one(editor.mirror, params)
    element = editor.element(block)
    edits = _edits(texts.text_of(element), params.text)
    dominant = texts.dominant_format(element)
    for edit in reversed(edits):
        editor.replace_text(element, edit.start, edit.end, edit.new)
        if edit.new and (edit.start == edit.end or len(edits) == 1):
            _dress(editor, element, edit, dominant)


def _dress(editor: Editor, paragraph: Any, edit: Replaced, dominant: Any) -> None:
    """Give inserted words the format that most of the text has, where they do not lie inside a link."""
    for run in editor.isolate(paragraph, edit.start, edit.start + len(edit.new)):
        if run.getparent() is paragraph:
            editor.set_format(run, dominant)


def _edits(before: str, after: str) -> list[Replaced]:
    same = sum(length for _, _, length in words.kept_words(before, after))
    if same < _KEPT_SHARE * max(len(before), len(after)):
        return [Replaced(0, len(before), after)]
    return words.replaced(before, after)


def _one(mirror: Mirror, params: RewriteParagraph) -> str:
    found = Resolver(mirror).paragraphs(params.target)
    if len(found) > 1:
        listed = "; ".join(f"{i} '{texts.text_of(mirror.element(i))[:40]}'" for i in found[:5])
        raise AmbiguousTarget(f"{len(found)} paragraphs are named; rewrite them one at a time: {listed}.")
    return found[0]


@rewrite_paragraph.effects
def _(mirror: Mirror, params: RewriteParagraph) -> Iterable[Effect]:
    block = _one(mirror, params)
    edits = _edits(texts.text_of(mirror.element(block)), params.text)
    yield texts_edited(mirror, {block: edits}, f"paragraph {block} has the new wording")
