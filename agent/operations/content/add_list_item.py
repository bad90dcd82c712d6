"""More items for a list that is there. Word: Enter at the end of an item: the same `w:numPr`, the same format."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, Self

from pydantic import Field, field_validator

from agent.document import marks
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_PPR, W
from agent.document.numbering import list_of
from agent.document.outline import walk
from agent.document.records import Paragraph
from agent.document.text import legal, text_of
from agent.errors import InvalidTarget, InvalidValue
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect
from agent.operations.looks import LIST_ITEMS
from agent.operations.resolver import Resolver
from agent.operations.specimens import bullets, doc, numbered, p
from agent.operations.targets import Params, Place, Target
from agent.operations.text_effects import paragraphs_inserted


class AddListItem(Params):
    place: Place
    """Behind or before which item."""
    text: str
    """What the item says, without its bullet or number. A line break starts another item."""
    level: int | None = Field(default=None, ge=1, le=9)
    """1 for the items of the list, 2 for those below one of them; leave out for the level of the item beside it."""

    def located(self, resolver: Resolver) -> Self:
        """An item that is named by its words: the item itself, also in a table (not the table)."""
        side = "after" if self.place.after is not None else "before"
        target = self.place.after or self.place.before
        if target is None or target.text is None:
            return self
        found = resolver.paragraphs(target)
        item = Target(ids=[found[-1] if side == "after" else found[0]])
        return self.model_copy(update={"place": Place(after=item) if side == "after" else Place(before=item)})

    @field_validator("text")
    @classmethod
    def _has_words(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("is empty; a list item says something")
        return legal(text)


@operation(
    Intent.CONTENT_CREATION,
    phrasings=[
        "add another bullet 'plums' at the end of the list",
        "insert a step 'check the oil' after the second step",
        "put one more point before 'Costs'",
        "extend the list with 'any other business'",
        "add a sub-item under Travel",
        "new list entry: Berlin",
        "append two items to the numbered list",
        "as the first bullet write 'Safety'",
    ],
    examples=[
        Example(
            "Add plums to the end of the list",
            doc(p("Buy:"), bullets("apples", "pears"), p("Thanks.")),
            {"place": {"after": {"text": "pears"}}, "text": "plums"},
            result="The list item 'plums' was added; nothing else changed.",
        ),
        Example(
            "Put 'open the hood' before the first step",
            doc(numbered("check the oil", "close the hood")),
            {"place": {"before": {"text": "check the oil"}}, "text": "open the hood"},
            result="The list item 'open the hood' was added; nothing else changed.",
        ),
        Example(
            "Extend the list by figs and dates",
            doc(bullets("apples", "pears")),
            {"place": {"after": {"every": "list item"}}, "text": "figs\ndates"},
            result="2 list items were added: 'figs' and 'dates'; nothing else changed.",
        ),
        Example(
            "Add an item after the first paragraph",
            doc(p("Buy:"), bullets("apples", "pears")),
            {"place": {"after": {"paragraph": 1}}, "text": "plums"},
            raises=InvalidTarget,
        ),
        Example(
            "Add an item without words",
            doc(bullets("apples", "pears")),
            {"place": {"after": {"text": "pears"}}, "text": " "},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def add_list_item(editor: Editor, params: AddListItem) -> None:
    """Add an item to a list that is there, behind or before one of its items.

    It is an item of the same list, with the same format; behind an item that has items below it, it goes behind those.
    """
    side, anchor = _place(editor.mirror, params)
    item = editor.element(_item(editor.mirror, params))
    number, level = list_of(editor.mirror, item) or (0, 0)
    wanted = level if params.level is None else params.level - 1
    own = item.find(f"{W_PPR}/{W}numPr")
    new: list[Any] = []
    for content, stretches in marks.paragraphs(params.text):
        paragraph = editor.new_paragraph(content, like=item)
        if wanted != level:
            editor.set_property(editor.ppr(paragraph), "ind", None)
            editor.set_list(paragraph, number, wanted)
        elif own is not None:
            place = editor.set_property(editor.ppr(paragraph), "numPr", {})
            for child in own.iterchildren(W + "ilvl", W + "numId"):
                place.append(copy.deepcopy(child))
        editor.emphasise(paragraph, stretches)
        new.append(paragraph)
    editor.place(side, anchor, new)


def _item(mirror: Mirror, params: AddListItem) -> str:
    """The list item that the place names. Raises InvalidTarget if it is none."""
    place = params.place
    target = place.after or place.before
    if target is None:
        edge = mirror.index.nth(LIST_ITEMS, 1 if place.at == "start" else -1)
        if edge is None:
            raise InvalidTarget("The document has no list; add_list makes one.")
        return edge.id
    resolver = Resolver(mirror)
    found = resolver.paragraphs(target)
    block = found[-1] if place.after is not None else found[0]
    if list_of(mirror, mirror.element(block)) is None:
        near = _nearest(mirror, block)
        raise InvalidTarget(f"{block} '{text_of(mirror.element(block))[:40]}' is no list item; {near}.")
    return block


def _nearest(mirror: Mirror, block: str) -> str:
    every = [b for b in walk(mirror) if b.tag == W_P]
    at = next((i for i, b in enumerate(every) if b.id == block), 0)
    items = [(abs(i - at), b) for i, b in enumerate(every) if b.level is None and list_of(mirror, b.element)]
    if not items:
        return "the document has no list, add_list makes one"
    near = min(items, key=lambda pair: pair[0])[1]
    return f"the nearest is {near.id} '{near.text[:40]}'"


def _place(mirror: Mirror, params: AddListItem) -> tuple[str, str]:
    """Beside which block: behind an item's own sub-items."""
    item = _item(mirror, params)
    if params.place.before is not None or params.place.at == "start":
        return "before", item
    number, level = list_of(mirror, mirror.element(item)) or (0, 0)
    wanted = level if params.level is None else params.level - 1
    last = mirror.element(item)
    for sibling in last.itersiblings(W_P) if wanted <= level else ():
        found = list_of(mirror, sibling)
        if found is None or found[0] != number or found[1] <= wanted:
            break
        last = sibling
    return "after", mirror.id_of(last) or item


@add_list_item.effects
def _(mirror: Mirror, params: AddListItem) -> Iterable[Effect]:
    side, anchor = _place(mirror, params)
    number, level = list_of(mirror, mirror.element(_item(mirror, params))) or (0, 0)
    wanted = level if params.level is None else params.level - 1

    def listed(now: Mirror, record: Paragraph, _: int) -> str | None:
        found = list_of(now, now.element(record.id))
        if found != (number, wanted):
            return f"'{record.text}' is not an item of level {wanted + 1} of the same list"
        return None

    texts = [t for t, _ in marks.paragraphs(params.text)]
    yield paragraphs_inserted(mirror, side, anchor, texts, each=listed)
