"""Letter case. Word: the Aa button; changes the letters themselves, unlike the font effect "All caps" (`w:caps`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

import regex
from pydantic import Field

from agent.document import text as texts
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.names import W_T
from agent.document.words import Replaced
from agent.errors import NoOp, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, p, table, title
from agent.operations.targets import Params, SpansTarget
from agent.operations.text_effects import texts_edited

Case = Literal["upper", "lower", "title", "sentence"]
_WORD = regex.compile(r"[^\W\d_][\w\p{M}]*(?:['\u2019][\w\p{M}]+)*")
_SENTENCE = re.compile(r"(?:^|[.!?\u2026:\n]\s+|^\W+)\W*([^\W\d_])")


class ChangeCase(Params):
    target: SpansTarget
    """The words, paragraphs or headings."""
    case: Case
    """ALL CAPITALS, all small, Each Word Capitalised, or as in a sentence."""
    keep: list[str] = Field(default_factory=list)
    """Words that stay as they are written here, such as names and abbreviations: ["NASA", "of"]."""


@operation(
    Intent.CONTENT_MODIFICATION,
    Intent.FORMATTING,
    phrasings=[
        "make all headings uppercase",
        "write the title in capitals",
        "put the second paragraph in lower case",
        "capitalise every word of the headings",
        "title case for the table header",
        "change the shouting paragraph to sentence case",
        "only the first letter of each sentence should be a capital",
        "convert 'IMPORTANT' to small letters",
        "capitalize the names in the first column",
    ],
    examples=[
        Example(
            "Write the headings in capitals",
            doc(h(1, "Goals"), p("Grow."), h(2, "Means of it")),
            {"target": {"every": "heading"}, "case": "upper"},
            result=(
                "Heading 'Goals' now reads 'GOALS'; heading 'Means of it' now reads 'MEANS OF IT'; nothing else changed."
            ),
        ),
        Example(
            "Title case for the title, but 'of' stays small",
            doc(title("report of the year"), p("Hello.")),
            {"target": {"where": "title"}, "case": "title", "keep": ["of"]},
            result="Paragraph 'report of the year' now reads 'Report of The Year'; nothing else changed.",
        ),
        Example(
            "Sentence case for the paragraph",
            doc(p("PLEASE ", ("READ", {"bold": True}), " THIS. THANK YOU.")),
            {"target": {"paragraph": 1}, "case": "sentence"},
            result="Paragraph 'PLEASE READ THIS. THANK YOU.' now reads 'Please read this. Thank you.'; nothing else changed.",
        ),
        Example(
            "Small letters for the header row",
            doc(table([["YEAR", "SALES"], ["2024", "12"]])),
            {"target": {"every": "header row"}, "case": "lower"},
            result="The table 'year, sales' has 'year' in cell 1,1 and 'sales' in cell 1,2; nothing else changed.",
        ),
        Example(
            "Capitals for the title",
            doc(title("REPORT 2024")),
            {"target": {"where": "title"}, "case": "upper"},
            raises=NoOp,
        ),
        Example(
            "Capitals for the heading Costs",
            doc(h(1, "Goals")),
            {"target": {"heading": "Costs"}, "case": "upper"},
            raises=TargetNotFound,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def change_case(editor: Editor, params: ChangeCase) -> None:
    """Change words to capitals, small letters, title case or sentence case.

    The letters themselves change, each in its own format. In title and sentence case abbreviations stay capitals.
    """
    for block, edits in _edits(editor.mirror, params).items():
        _write(editor.element(block), edits)


def _write(paragraph: Any, edits: list[Replaced]) -> None:
    """Put new letters in the places of old ones: each stays in the node, and so in the format, that it was in."""
    letters = list(texts.text_of(paragraph))
    for edit in edits:
        letters[edit.start : edit.end] = [edit.new, *[""] * (edit.end - edit.start - 1)]
    for piece in texts.pieces_of(paragraph):
        if piece.node.tag == W_T:
            new = "".join(letters[piece.start : piece.end])
            if new != piece.node.text:
                piece.node.text = new


def _edits(mirror: Mirror, params: ChangeCase) -> dict[str, list[Replaced]]:
    """One edit for each letter that changes."""
    found: dict[str, list[Replaced]] = {}
    for span in Resolver(mirror).spans(params.target):
        text = texts.text_of(mirror.element(span.paragraph))
        new = _cased(text[span.start : span.end], params.case, params.keep)
        for i, (old, letter) in enumerate(zip(text[span.start : span.end], new, strict=True), span.start):
            if old != letter:
                found.setdefault(span.paragraph, []).append(Replaced(i, i + 1, letter))
    return found


def _cased(text: str, case: Case, keep: Iterable[str]) -> list[str]:
    """The text letter by letter; a letter may become two (\u00df, SS)."""
    letters = list(text)
    kept = {k.casefold(): k for k in keep}
    shouting = text.upper() == text
    starts = {m.start(1) for m in _SENTENCE.finditer(text)}
    for match in _WORD.finditer(text):
        word, at = match.group(), match.start()
        if word.casefold() in kept and len(kept[word.casefold()]) == len(word):
            letters[at : match.end()] = kept[word.casefold()]
            continue
        abbreviation = not shouting and len(word) > 1 and word.isupper()
        first = at in starts if case == "sentence" else True
        for i, letter in enumerate(word):
            if case == "upper":
                letters[at + i] = letter.upper()
            elif case == "lower":
                letters[at + i] = letter.lower()
            elif not abbreviation:
                letters[at + i] = letter.upper() if i == 0 and first else letter.lower()
    return letters


@change_case.effects
def _(mirror: Mirror, params: ChangeCase) -> Iterable[Effect]:
    edits = _edits(mirror, params)
    if not edits:
        raise NoOp(f"The text is in {params.case} case already.")
    yield texts_edited(mirror, edits, f"the text is in {params.case} case")
