"""Alternative text. Word: View Alt Text; `wp:docPr/@descr`, `w:tblDescription`; Office.js `InlinePicture.altTextDescription`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from docx.oxml import parse_xml

from agent.document.changes import Change, Dimension, shorten
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.mirror import Mirror
from agent.document.names import WP, A
from agent.document.records import ADEC, Table, is_decorative, record_of
from agent.document.text import paragraph_of
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, image, p, table
from agent.operations.targets import Params, Target, Wants


class SetAltText(Params):
    target: Annotated[Target | None, Wants.DRAWINGS] = None
    """The pictures or charts."""
    table: Annotated[Target | None, Wants.TABLES] = None
    """Instead of a picture: the tables."""
    text: str | None = None
    """What it shows, for people who cannot see it; empty takes the text away."""
    decorative: bool | None = None
    """True: it carries no meaning, and screen readers skip it (its text goes). Not for tables."""


@operation(
    Intent.IMAGE,
    Intent.CHART,
    Intent.TABLE,
    phrasings=[
        "set the alt text of the first picture to 'Team photo'",
        "add alternative text to the chart",
        "describe the image for screen readers",
        "mark the second picture as decorative",
        "give the logo the description Company logo",
        "change the alt text of all pictures",
        "remove the alt text from the picture",
        "add a description to the table for accessibility",
    ],
    examples=[
        Example(
            "Set the alt text of the picture to Team photo",
            doc(p("We:"), image()),
            {"target": {"picture": 1}, "text": "Team photo"},
            result="The picture now has the alt text 'Team photo'; nothing else changed.",
        ),
        Example(
            "Mark all pictures as decorative",
            doc(image("A line"), p("Text"), image(colour=(9, 9, 9))),
            {"target": {"every": "picture"}, "decorative": True},
            result="The picture has no alt text any more and is now marked as decorative; "
            "the picture is now marked as decorative; nothing else changed.",
        ),
        Example(
            "Describe the table as monthly costs",
            doc(table([["Item", "Amount"]])),
            {"table": {"table": 1}, "text": "Monthly costs"},
            result="The table 'Item, Amount' now has the alt text 'Monthly costs'; nothing else changed.",
        ),
        Example(
            "Set the alt text of the third picture",
            doc(image()),
            {"target": {"picture": 3}, "text": "x"},
            raises=TargetNotFound,
        ),
        Example(
            "Mark the picture as decorative with a text",
            doc(image()),
            {"target": {"picture": 1}, "text": "x", "decorative": True},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def set_alt_text(editor: Editor, params: SetAltText) -> None:
    """Give pictures, charts or tables a text for people who cannot see them, or mark pictures as decoration."""
    text = _text(params)
    for block in params.table.ids or () if params.table is not None else ():
        properties = editor.properties(editor.element(block))
        editor.set_property(properties, "tblDescription", {"val": text} if text else None)
    for drawing in _drawings(editor.mirror, params):
        properties = drawing.find(WP + "docPr")
        if properties.get("descr", "") != text:
            properties.set("descr", text)
        decorative = params.decorative if params.decorative is not None else (False if text else None)
        if decorative is not None and decorative is not is_decorative(properties):
            _mark(properties, decorative)


def _text(params: SetAltText) -> str:
    if (params.target is None) is (params.table is None):
        raise InvalidValue("Name pictures or charts (target), or tables (table).")
    if params.decorative and (params.text or params.table is not None):
        raise InvalidValue("Only pictures and charts can be decorative, and then they have no alt text.")
    if params.text is None and params.decorative is None:
        raise InvalidValue("Give the alt text, or say that the picture is decorative.")
    if params.text is None and params.decorative is False:
        raise InvalidValue("A picture that is not decorative needs an alt text; give one.")
    return params.text or ""


def _drawings(mirror: Mirror, params: SetAltText) -> list[Any]:
    return Resolver(mirror).drawings(params.target) if params.target is not None else []


_URI = "{C183D7F6-B498-43B3-948B-1728B52AA6E4}"


def _mark(properties: Any, decorative: bool) -> None:
    extensions = properties.find(A + "extLst")
    for extension in list(properties.iterfind(f"{A}extLst/{A}ext")):
        if extension.get("uri") == _URI:
            extension.getparent().remove(extension)
    if decorative:
        if extensions is None:
            extensions = new_element("a:extLst")
            properties.append(extensions)
        extensions.append(
            parse_xml(
                f'<a:ext xmlns:a="{A[1:-1]}" xmlns:adec="{ADEC[1:-1]}" uri="{_URI}"><adec:decorative val="1"/></a:ext>'
            )
        )
    elif extensions is not None and not len(extensions):
        properties.remove(extensions)


@set_alt_text.effects
def _(mirror: Mirror, params: SetAltText) -> Iterable[Effect]:
    text = _text(params)
    tables = list(params.table.ids or ()) if params.table is not None else []
    count = len(_drawings(mirror, params))
    paragraphs = {mirror.id_of(paragraph_of(d)) for d in _drawings(mirror, params)}

    def check(after: After) -> str | None:
        for block in tables:
            record = record_of(after.mirror, block) if after.mirror.has(block) else None
            found = dict(record.properties).get("tblDescription", "") if isinstance(record, Table) else None
            if found != text:
                return f"the table's alt text is '{shorten(found or '')}' and not '{shorten(text)}'"
        drawings = _drawings(after.mirror, params)
        if len(drawings) != count:
            return f"there are {len(drawings)} pictures and not {count}"
        for drawing in drawings:
            properties = drawing.find(WP + "docPr")
            if properties.get("descr", "") != text:
                return f"the alt text is '{shorten(properties.get('descr', ''))}' and not '{shorten(text)}'"
            if (text or params.decorative is not None) and is_decorative(properties) is not bool(
                params.decorative
            ):
                return f"the picture is {'not ' if params.decorative else 'still '}marked as decorative"
        return None

    def covers(change: Change) -> bool:
        if change.target in tables:
            return change.path == "tblDescription"
        words = change.path.endswith((" alt text", " decorative"))
        return change.target in paragraphs and change.dimension is Dimension.CONTENT and words

    yield Effect(f"the alt text is '{shorten(text)}'" if text else "there is no alt text", check, covers)
