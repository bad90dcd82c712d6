"""Styles of paragraphs and of words. Word: `w:pStyle` in `w:pPr`, `w:rStyle` in `w:rPr`.

Office.js `Paragraph.style`, `Range.style` (WordApi 1.1), `styleBuiltIn` (1.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from agent.document.changes import Change
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.records import Paragraph, read
from agent.document.styles import default_style, ensure_style, find_style, has_builtin
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect, may_add_styles
from agent.operations.formatting._characters import characters_pass, formats, tidy
from agent.operations.specimens import bullets, doc, p, table, title
from agent.operations.targets import Params, SpansTarget, Target
from agent.operations.text_effects import in_notes

_KEPT = ("pStyle", "numPr", "rPr", "sectPr", "pPrChange", "framePr", "pageBreakBefore", "cnfStyle")
"""What of a `w:pPr` is not a look: it stays when direct formatting is cleared."""
_KEPT_RECORDS = ("list", "framePr", "pageBreakBefore", "cnfStyle")
_KEPT_RUN = (
    "rStyle",
    "lang",
    "noProof",
    "rtl",
    "cs",
    "rPrChange",
    "ins",
    "del",
    "moveFrom",
    "moveTo",
    "vertAlign",
)


class ApplyStyle(Params):
    target: SpansTarget
    """Paragraphs; for a character style, also words. A paragraph style takes the whole paragraphs that hold the words."""
    style: str
    """The style's name as Word shows it, such as "Heading 1", "Quote", "Strong", "Normal"."""
    clear_direct: bool = False
    """true: fonts, sizes, alignment and so on that were set by hand go, so that only the style counts."""


@operation(
    Intent.FORMATTING,
    phrasings=[
        "make the first line a Heading 1",
        "apply the style Quote to the second paragraph",
        "turn 'Introduction' into a heading of level 2",
        "use the Title style for the first line",
        "set the last paragraph back to Normal",
        "give the list the style List Bullet 2",
        "style the word important as Strong",
        "the paragraph about costs should be in Intense Quote",
        "format all captions with the style Caption",
        "change the heading Scope to Heading 3",
        "apply Body Text and remove the manual formatting",
    ],
    examples=[
        Example(
            "Make 'Introduction' a Heading 1",
            doc(p("Introduction"), p("Revenue grew.")),
            {"target": {"text": "Introduction"}, "style": "Heading 1"},
            result="Heading 'Introduction' now has the style Heading 1; nothing else changed.",
        ),
        Example(
            "Set the title back to Normal",
            doc(title("Report"), p("Revenue grew.")),
            {"target": {"where": "title"}, "style": "Normal"},
            result="Paragraph 'Report' now has the style Normal; nothing else changed.",
        ),
        Example(
            "Apply the style Quote to the second paragraph and remove its manual formatting",
            doc(p("One."), p(("Two.", {"bold": True, "name": "Arial"}))),
            {"target": {"paragraph": 2}, "style": "Quote", "clear_direct": True},
            result="Paragraph 'Two.' now has the style Quote and no formatting of its own; nothing else changed.",
        ),
        Example(
            "Style the word important as Strong",
            doc(p("This is important.")),
            {"target": {"text": "important"}, "style": "Strong"},
            result="'important' in paragraph 'This is important.' is now in the character style Strong; nothing else changed.",
        ),
        Example(
            "Give the list items the style List Bullet 2",
            doc(bullets("One", "Two")),
            {"target": {"every": "list item"}, "style": "list bullet 2"},
            result="List item 'One' and list item 'Two' now have the style List Bullet 2; nothing else changed.",
        ),
        Example(
            "Apply the style Corporate Quote to the first paragraph",
            doc(p("One.")),
            {"target": {"paragraph": 1}, "style": "Corporate Quote"},
            raises=TargetNotFound,
        ),
        Example(
            "Apply Table Grid to the table",
            doc(table([["Name"]], style=None)),
            {"target": {"table": 1}, "style": "Table Grid"},
            raises=InvalidValue,
        ),
    ],
    touches=["styles", "headers", "footers", "notes"],
)
def apply_style(editor: Editor, params: ApplyStyle) -> None:
    """Give paragraphs a paragraph style, or words a character style, by its name.

    Built-in styles that the document does not have yet are made as Word makes them on first use.
    """
    kind = _kind(editor.mirror, params.style)
    style = ensure_style(editor.mirror, params.style, kind)
    if kind == "character":
        _apply_to_words(editor, params, style)
        return
    for block in params.target.ids or ():
        paragraph = editor.element(block)
        editor.set_style(paragraph, style)
        if params.clear_direct:
            _clear(editor, paragraph)


def _apply_to_words(editor: Editor, params: ApplyStyle, style: str) -> None:
    plain = style == default_style(editor.mirror, "character")
    for item in formats(editor, params.target):
        editor.set_property(item.rpr, "rStyle", None if plain else {"val": style})
        if params.clear_direct:
            _clear_run(editor, item.rpr)
    tidy(editor, params.target)


def _clear(editor: Editor, paragraph: Any) -> None:
    ppr = editor.ppr(paragraph)
    for child in list(ppr):
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] not in _KEPT:
            ppr.remove(child)
    whole = Target(ids=[editor.id(paragraph)])
    for item in formats(editor, whole):
        _clear_run(editor, item.rpr)
    tidy(editor, whole)


def _clear_run(editor: Editor, rpr: Any) -> None:
    for child in list(rpr):
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] not in _KEPT_RUN:
            rpr.remove(child)


def _kind(mirror: Mirror, name: str) -> Literal["paragraph", "character"]:
    """Which kind of style the name means. Raises InvalidValue if it is one for tables or lists."""
    for kind in ("paragraph", "character"):
        if find_style(mirror, name, kind) is not None:
            return kind
    if find_style(mirror, name, "table") is not None or has_builtin(name, "table"):
        raise InvalidValue(f"'{name}' is a table style; set_table_style gives it to a table.")
    if find_style(mirror, name, "numbering") is not None:
        raise InvalidValue(f"'{name}' is a list style; give the paragraphs a style such as List Bullet.")
    return (
        "character" if has_builtin(name, "character") and not has_builtin(name, "paragraph") else "paragraph"
    )


@apply_style.effects
def _(mirror: Mirror, params: ApplyStyle) -> Iterable[Effect]:
    kind = _kind(mirror, params.style)
    yield may_add_styles()
    if kind == "character":
        yield from _words_in_style(mirror, params)
    else:
        effect = _paragraphs_in_style(mirror, params)
        yield effect
        yield from in_notes(mirror, params.target.ids or (), effect.covers)


def _words_in_style(mirror: Mirror, params: ApplyStyle) -> Iterable[Effect]:
    plain = default_style(mirror, "character")

    def judge(paragraph: Any, text: str, properties: Mapping[str, str]) -> str | None:
        found = properties.get("character style", "")
        wanted = find_style(mirror, params.style, "character")  # the mirror has the document as it is then
        if found != ("" if wanted == plain else wanted):
            return f"has the character style '{found}' and not {params.style}"
        return None

    paths = ["character style", *([""] if params.clear_direct else [])]
    return characters_pass(mirror, params.target, judge, paths, f"the words are in the style {params.style}")


def _paragraphs_in_style(mirror: Mirror, params: ApplyStyle) -> Effect:
    blocks = params.target.ids or []
    texts = {b: r.text for b in blocks if isinstance(r := read(mirror, mirror.element(b)), Paragraph)}

    def check(after: After) -> str | None:
        style = find_style(after.mirror, params.style)
        for block in blocks:
            record = after.paragraph(block)
            if record is None:
                return f"paragraph {block} is gone"
            if record.style != style and not (not record.style and style == default_style(after.mirror)):
                return f"paragraph {block} has the style '{record.style or 'Normal'}' and not {params.style}"
            if record.text != texts[block]:
                return f"the text of paragraph {block} changed"
            looks = [n for n, _ in record.properties if not n.startswith(_KEPT_RECORDS)]
            if params.clear_direct and looks:
                return f"paragraph {block} still has {looks[0]} of its own"
        return None

    def covers(change: Change) -> bool:
        if change.target not in blocks or (change.path == "text"):
            return False
        return change.path == "style" or (
            params.clear_direct and not change.after and change.dimension == "formatting"
        )

    return Effect(f"the paragraphs have the style {params.style}", check, covers)
