"""Templates filled in: {{Name}}, [Name], «Name», <Name>, and content controls (`w:sdt`) by their title or tag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import Field, field_validator

from agent.document import controls, scopes
from agent.document import text as texts
from agent.document.changes import Kind, shorten
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.text import legal
from agent.document.words import Replaced
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import Effect, allows
from agent.operations.specimens import doc, footer, header, p, table
from agent.operations.targets import Params
from agent.operations.text_effects import texts_edited

_FORMS = re.compile(
    r"\{\{\s*(?P<braces>[^{}\n]{1,80}?)\s*\}\}"
    r"|\$\{\s*(?P<dollar>[^{}\n]{1,80}?)\s*\}"
    r"|<<\s*(?P<double>[^<>\n]{1,80}?)\s*>>"
    r"|«\s*(?P<guillemets>[^«»\n]{1,80}?)\s*»"
    r"|\[\s*(?P<brackets>[^\[\]\n]{1,80}?)\s*\]"
    r"|<\s*(?P<angles>[^<>\n]{1,80}?)\s*>"
)
_CERTAIN = ("braces", "dollar", "double", "guillemets")
"""Forms that are nothing but placeholders; brackets may also be a citation or a remark."""
_NAME = re.compile(r"^[^\W\d][\w .,'/&()-]{0,60}$")


class FillPlaceholders(Params):
    values: dict[str, str] = Field(min_length=1)
    """What each placeholder becomes, by its name: {"Name": "Ann Lee"}. With or without its brackets, in any letter case."""

    @field_validator("values")
    @classmethod
    def _legal(cls, values: dict[str, str]) -> dict[str, str]:
        folded: dict[str, str] = {}
        for name in values:
            if not _key(name):
                raise ValueError("a placeholder has a name")
            if _key(name) in folded:
                raise ValueError(f"'{name}' and '{folded[_key(name)]}' name the same placeholder")
            folded[_key(name)] = name
        return {name: legal(value) for name, value in values.items()}


@dataclass(frozen=True)
class Placeholder:
    """One place that is to be filled in."""

    paragraph: Any
    start: int
    end: int
    name: str
    text: str
    """With its brackets."""
    certain: bool
    control: Any = None
    """The `w:sdt` whose text it is, for a content control."""


@operation(
    Intent.CONTENT_MODIFICATION,
    phrasings=[
        "fill in the template: name Ann Lee, date 3 May",
        "replace the placeholders with the customer's data",
        "complete the form letter for Mr Brown",
        "put 'Globex' where it says {{Company}}",
        "fill [Name] and [Address] in the contract",
        "substitute the fields in angle brackets",
        "set the variables of the template",
        "enter the values into the blanks <date> and <place>",
    ],
    examples=[
        Example(
            "Fill in the name Ann Lee and the company Globex",
            doc(
                header("{{Company}}"),
                p("Dear {{", ("Na", {"bold": True}), "me}},"),
                table([["Client", "{{ name }}"]]),
            ),
            {"values": {"Name": "Ann Lee", "Company": "Globex"}},
            result=(
                "Paragraph 'Dear {{Name}},' now says 'Ann Lee' instead of '{{Name}}'; the table 'Client, Ann Lee' has "
                "'Ann Lee' in cell 1,2; paragraph '{{Company}}' in the header now reads 'Globex'; nothing else changed."
            ),
        ),
        Example(
            "The date is 3 May",
            doc(p("Signed on [Date] in [Place], see [1].")),
            {"values": {"Date": "3 May"}},
            result=(
                "Paragraph 'Signed on [Date] in [Place], see [1].' now says '3 May' instead of '[Date]'; "
                "nothing else changed."
            ),
        ),
        Example(
            "Fill in the year",
            doc(p("Report <Year>"), footer("«Year»")),
            {"values": {"<Year>": "2025"}},
            result=(
                "Paragraph 'Report <Year>' now says '2025' instead of '<Year>'; paragraph '«Year»' in the footer now "
                "reads '2025'; nothing else changed."
            ),
        ),
        Example(
            "Fill in the phone number",
            doc(p("Dear {{Name}}, of {{Company}}")),
            {"values": {"Phone": "555"}},
            raises=TargetNotFound,
        ),
        Example(
            "Fill in nothing",
            doc(p("Dear {{Name}}")),
            {"values": {}},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def fill_placeholders(editor: Editor, params: FillPlaceholders) -> Result:
    """Fill in the placeholders of a template: {{Name}}, [Name], «Name», <Name>, ${Name}, and content controls by title or tag.

    Also where their letters have different formats, in tables, headers, footers, notes and text boxes. The value looks
    like the first letter of the placeholder. Placeholders that are left are reported.
    """
    every = list(placeholders(editor.mirror))
    values = {_key(name) for name in params.values}
    for paragraph, edits in _edits(every, params):
        copy_ = scopes.twin(paragraph)
        for element in [paragraph] if copy_ is None else [paragraph, copy_]:
            for edit in reversed(edits):
                editor.replace_text(element, edit.start, edit.end, edit.new)
    for place in every:
        if place.control is not None and _key(place.name) in values:
            controls.show_as_text(editor, place.control)
    return Result(tuple(_warnings(every, params)))


def placeholders(mirror: Mirror) -> Iterator[Placeholder]:
    """What looks like a placeholder, in order, everywhere in the document."""
    for paragraph in scopes.paragraphs(mirror):
        for control, names, start, end in controls.text_controls(mirror, paragraph):
            for name in names:
                yield Placeholder(paragraph, start, end, name, f"the control {name}", False, control)
        for match in _FORMS.finditer(texts.text_of(paragraph)):
            form = match.lastgroup or ""
            name = match[form].strip()
            certain = form in _CERTAIN
            if name and (certain or _NAME.match(name)):
                yield Placeholder(paragraph, match.start(), match.end(), name, match.group(), certain)


def _key(name: str) -> str:
    """A name without brackets, letter case and the difference between space, underscore and hyphen."""
    match = _FORMS.fullmatch(name.strip())
    inner = match[match.lastgroup or 0] if match else name
    return re.sub(r"[\s_-]+", " ", inner).strip().casefold()


def _edits(every: Iterable[Placeholder], params: FillPlaceholders) -> list[tuple[Any, list[Replaced]]]:
    """Paragraphs with what becomes of them. Raises TargetNotFound if no placeholder has one of the names."""
    values = {_key(name): value for name, value in params.values.items()}
    every = list(every)
    found: dict[Any, list[Replaced]] = {}
    for place in every:
        value = values.get(_key(place.name))
        edits = found.get(place.paragraph, [])
        taken = any(e.start < place.end and place.start < e.end for e in edits)
        if value is not None and not taken:
            found[place.paragraph] = [*edits, Replaced(place.start, place.end, value)]
    for edits in found.values():
        edits.sort(key=lambda e: e.start)
    if not found:
        names = list(dict.fromkeys(place.text for place in every))
        asked = ", ".join(params.values)
        there = f"it has {', '.join(names[:12])}" if names else "it has none at all"
        raise TargetNotFound(f"The document has no placeholder {asked}; {there}.")
    return list(found.items())


def _warnings(every: list[Placeholder], params: FillPlaceholders) -> Iterator[str]:
    wanted = {_key(name): name for name in params.values}
    there = {_key(place.name) for place in every}
    unused = [name for key, name in wanted.items() if key not in there]
    if unused:
        yield f"The document has no placeholder {', '.join(unused)}."
    left = list(dict.fromkeys(place.text for place in _left(every, set(wanted))))
    if left:
        more = f" and {len(left) - 12} more" if len(left) > 12 else ""
        yield f"Not filled in: {', '.join(shorten(name, 60) for name in left[:12])}{more}."


def _left(every: list[Placeholder], wanted: set[str]) -> Iterator[Placeholder]:
    """What was not filled in; a control once, and only if it still shows its prompt."""
    done = {place.control for place in every if _key(place.name) in wanted} - {None}
    for place in every:
        if _key(place.name) in wanted or place.control in done:
            continue
        if place.control is not None:
            done.add(place.control)
        if place.control is None or controls.is_vacant(place.control):
            yield place


@fill_placeholders.effects
def _(mirror: Mirror, params: FillPlaceholders) -> Iterable[Effect]:
    found = _edits(placeholders(mirror), params)
    edits = {mirror.id_of(p) or "": e for p, e in found}
    count = sum(len(e) for e in edits.values())
    yield texts_edited(mirror, edits, f"{count} placeholder{'s are' if count != 1 else ' is'} filled in")
    yield allows("a control shows text", lambda c: c.path == "showingPlcHdr" and c.kind is Kind.REMOVED)
