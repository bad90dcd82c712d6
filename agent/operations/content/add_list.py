"""New lists. Word: bullet and number buttons: style List Paragraph with `w:numPr`, a `w:num` of its own in numbering.xml."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field, field_validator

from agent.document import marks
from agent.document import text as texts
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.names import W_R
from agent.document.numbering import list_of, number_format, numbering_root, start_of
from agent.document.records import Paragraph
from agent.document.text import legal
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect, may_add_lists, may_add_styles
from agent.operations.looks import body_text_near, list_item_like
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, numbered, p, title
from agent.operations.targets import Params, Place
from agent.operations.text_effects import paragraphs_inserted

Kind = Literal["bullet", "number", "multilevel"]
Format = Literal["1, 2, 3", "a, b, c", "A, B, C", "i, ii, iii", "I, II, III"]
_FORMATS = {
    "1, 2, 3": "decimal",
    "a, b, c": "lowerLetter",
    "A, B, C": "upperLetter",
    "i, ii, iii": "lowerRoman",
    "I, II, III": "upperRoman",
}


class ListItem(Params):
    text: str
    """What the item says; **bold** and *italic* become formatting."""
    level: int = Field(default=1, ge=1, le=9)
    """1 for the items of the list, 2 for those below one of them, and so on."""

    @field_validator("text")
    @classmethod
    def _one_line(cls, text: str) -> str:
        line = " ".join(legal(text).split())
        if not line:
            raise ValueError("is empty; a list item says something")
        return line


class AddList(Params):
    place: Place
    """Where it goes. Under a heading: `after` its `heading` (first there) or its `section` (last there)."""
    items: list[str | ListItem] = Field(min_length=1)
    """The items, in order: their words without bullets or numbers, or words with a level."""
    kind: Kind = "bullet"
    """Bullets, numbers, or numbers like 1.1 that show the levels above."""
    start: int = Field(default=1, ge=0)
    """The first number."""
    number_format: Format | None = None
    """How the first level counts, for `kind` number."""

    @field_validator("items")
    @classmethod
    def _as_items(cls, items: list[str | ListItem]) -> list[str | ListItem]:
        made = [ListItem(text=i) if isinstance(i, str) else i for i in items]
        for before, item in zip([ListItem(text="-", level=1), *made], made, strict=False):
            if item.level > before.level + 1:
                raise ValueError(f"the item '{item.text}' is more than one level below the one before it")
        if made[0].level != 1:
            raise ValueError("the first item is of level 1")
        return list(made)


@operation(
    Intent.CONTENT_CREATION,
    phrasings=[
        "add a bulleted list with apples, pears and plums",
        "insert a numbered list of the three steps after the introduction",
        "put the following points as bullets under Goals: grow, hire, learn",
        "list the participants at the end, numbered a, b, c",
        "make a checklist of five items below the table",
        "write an agenda as a multilevel list",
        "add bullet points with the pros and cons",
        "create an ordered list starting at 5",
        "enumerate our offices in the section Locations",
    ],
    examples=[
        Example(
            "Under Goals list grow, hire and learn as bullets",
            doc(h(1, "Goals"), p("We want to:"), h(1, "Means")),
            {"place": {"after": {"section": "Goals"}}, "items": ["grow", "hire", "learn"]},
            result="3 list items were added: 'grow', 'hire' and 'learn'; nothing else changed.",
        ),
        Example(
            "Add the steps plan (with scope and budget below it) and build as a numbered list at the end",
            doc(title("Project"), p("The steps:")),
            {
                "place": {"at": "end"},
                "items": [
                    "plan",
                    {"text": "scope", "level": 2},
                    {"text": "budget", "level": 2},
                    "build",
                ],
                "kind": "number",
            },
            result="4 list items were added: 'plan', 'scope', 'budget' and 'build'; nothing else changed.",
        ),
        Example(
            "Add a second numbered list, counting from 5",
            doc(p("First:"), numbered("one", "two"), p("Second:")),
            {"place": {"at": "end"}, "items": ["five", "six"], "kind": "number", "start": 5},
            result="2 list items were added: 'five' and 'six'; nothing else changed.",
        ),
        Example(
            "List the offices under Locations",
            doc(h(1, "Goals")),
            {"place": {"after": {"heading": "Locations"}}, "items": ["Bonn"]},
            raises=TargetNotFound,
        ),
        Example(
            "Add a list with an item that is too deep",
            doc(p("Steps:")),
            {"place": {"at": "end"}, "items": ["plan", {"text": "scope", "level": 3}]},
            raises=InvalidValue,
        ),
    ],
    touches=["styles", "numbering"],
)
def add_list(editor: Editor, params: AddList) -> None:
    """Add a list of several items: bulleted, numbered or multilevel.

    It has a definition of its own, so it never counts on from another list. It looks like the nearest list of its kind;
    without one, like a list that Word's button makes.
    """
    mirror = editor.mirror
    side, anchor = Resolver(mirror).place(params.place)
    like = list_item_like(mirror, anchor, bullet=params.kind == "bullet")
    if like is not None and not _fits(mirror, like, params):
        like = None
    number = _number(editor, params, like)
    body = body_text_near(mirror, side, anchor) if like is None else like
    rpr = texts.dominant_format(body) if body is not None else None
    style = editor.ensure_style("List Paragraph") if like is None else ""
    new: list[Any] = []
    for item in _items(params):
        content, stretches = marks.parse(item.text)
        paragraph = editor.new_paragraph(content, style=style, like=like)
        if like is None and rpr is not None:
            for run in paragraph.iterchildren(W_R):
                editor.set_format(run, rpr)
        editor.set_list(paragraph, number, item.level - 1)
        if like is not None and item.level > 1:
            editor.set_property(editor.ppr(paragraph), "ind", None)
        editor.emphasise(paragraph, stretches)
        new.append(paragraph)
    editor.place(side, anchor, new)


def _fits(mirror: Mirror, like: Any, params: AddList) -> bool:
    """Whether the list of an item has what is asked for: its levels, and no other way of counting."""
    if params.kind == "multilevel" or params.number_format is not None:
        return False
    found = list_of(mirror, like)
    if found is None:
        return False
    formats = {number_format(mirror, found[0], item.level - 1) for item in _items(params)}
    return "" not in formats and all((f == "bullet") is (params.kind == "bullet") for f in formats)


def _number(editor: Editor, params: AddList, like: Any) -> int:
    found = list_of(editor.mirror, like) if like is not None else None
    if found is not None:
        return editor.new_list_like(found[0], params.start)
    options: dict[str, Any] = {"start": params.start}
    if params.number_format is not None:
        options["number_format"] = _FORMATS[params.number_format]
    return editor.new_list(params.kind, **options)


def _items(params: AddList) -> list[ListItem]:
    return [i if isinstance(i, ListItem) else ListItem(text=i) for i in params.items]


@add_list.effects
def _(mirror: Mirror, params: AddList) -> Iterable[Effect]:
    side, anchor = Resolver(mirror).place(params.place)
    items = _items(params)
    root = numbering_root(mirror)
    known = (
        {e.get(e.tag.replace("}num", "}numId")) for e in root.iterchildren("{*}num")}
        if root is not None
        else set()
    )

    def listed(now: Mirror, record: Paragraph, number: int) -> str | None:
        found = list_of(now, now.element(record.id))
        if found is None:
            return f"'{record.text}' is no list item"
        if str(found[0]) in known:
            return f"'{record.text}' belongs to a list that was there before"
        if found[1] != items[number].level - 1:
            return f"'{record.text}' has the level {found[1] + 1} and not {items[number].level}"
        kind = number_format(now, *found)
        if (kind == "bullet") is not (params.kind == "bullet"):
            return f"'{record.text}' has {kind} for a number"
        if kind != "bullet" and start_of(now, found[0]) != params.start:
            return f"the list counts from {start_of(now, found[0])} and not from {params.start}"
        return None

    yield paragraphs_inserted(mirror, side, anchor, [marks.parse(i.text)[0] for i in items], each=listed)
    yield may_add_styles()
    yield may_add_lists()
