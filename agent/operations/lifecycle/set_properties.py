"""Properties of the document. Word: File > Info; docProps/core.xml (Dublin Core) and docProps/custom.xml; Office.js
`Document.properties` (WordApi 1.3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docx.opc.constants import CONTENT_TYPE as CT
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.parts.coreprops import CorePropertiesPart
from docx.oxml import parse_xml
from lxml import etree
from pydantic import Field, field_validator, model_validator

from agent.document.changes import Change, Dimension, shorten
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.package import LazyXmlPart
from agent.document.text import legal
from agent.errors import InvalidValue, NoOp
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.specimens import doc, p
from agent.operations.targets import Params

_DC = "http://purl.org/dc/elements/1.1/"
_CP = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
_VT = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
_CUSTOM_CT = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_FMTID = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
"""Set of properties that a user defined; the same in every file."""
_TAGS = {
    "title": f"{{{_DC}}}title",
    "author": f"{{{_DC}}}creator",
    "subject": f"{{{_DC}}}subject",
    "keywords": f"{{{_CP}}}keywords",
    "category": f"{{{_CP}}}category",
    "comments": f"{{{_DC}}}description",
}


class SetProperties(Params):
    title: str | None = None
    """The document's title in its properties (not the words on the page); leave out to keep it, empty to take it out."""
    author: str | None = None
    """Who wrote it."""
    subject: str | None = None
    """What it is about."""
    keywords: str | None = None
    """Words to find it by, with commas between."""
    category: str | None = None
    """Kind of document."""
    comments: str | None = None
    """A note about it."""
    custom: dict[str, str] = Field(default_factory=dict)
    """Properties of one's own, name to text, such as {"Client": "Acme"}; an empty text takes one out."""

    @field_validator(*_TAGS)
    @classmethod
    def _line(cls, value: str | None) -> str | None:
        if value is None:
            return None
        text = legal(value).strip()
        if len(text) > 255:
            raise ValueError(f"has {len(text)} characters; Word shows up to 255")
        return text

    @model_validator(mode="after")
    def _something(self) -> SetProperties:
        if all(getattr(self, name) is None for name in _TAGS) and not self.custom:
            raise ValueError(
                "nothing to change; give title, author, subject, keywords, category, comments or custom"
            )
        if any(not name.strip() for name in self.custom):
            raise ValueError("a property of one's own needs a name")
        return self


@operation(
    Intent.LIFECYCLE,
    phrasings=[
        "set the document's title property to Annual report",
        "change the author to Ann Lee",
        "add the keywords budget, 2026 to the file properties",
        "fill in the document properties: author Tom, subject Sales",
        "set the subject of the document to Safety",
        "put the document in the category Reports",
        "the file should show the company as author",
        "add a comment to the document's properties",
        "set the custom property Client to Acme",
    ],
    examples=[
        Example(
            "Set the document's title to Annual report",
            doc(p("Revenue grew.")),
            {"title": "Annual report"},
            result="The document's title is now 'Annual report'; nothing else changed.",
        ),
        Example(
            "Set the author to Ann Lee and the keywords to budget, 2026",
            doc(p("Revenue grew.")),
            {"author": "Ann Lee", "keywords": "budget, 2026"},
            result=(
                "The document's author is now 'Ann Lee'; the document's keywords are now 'budget, 2026'; nothing else changed."
            ),
        ),
        Example(
            "Set the property Client to Acme",
            doc(p("Revenue grew.")),
            {"custom": {"Client": "Acme"}},
            result="The document's property Client is now 'Acme'; nothing else changed.",
        ),
        Example(
            "Take out the author",
            doc(p("Revenue grew.")),
            {"author": ""},
            result="The document's author was removed; nothing else changed.",
        ),
        Example(
            "Set the author to python-docx", doc(p("Revenue grew.")), {"author": "python-docx"}, raises=NoOp
        ),
        Example("Set the properties", doc(p("Revenue grew.")), {}, raises=InvalidValue),
    ],
    touches=["properties"],
)
def set_properties(editor: Editor, params: SetProperties) -> None:
    """Set the title, author, subject, keywords, category or comments in the document's properties, or properties of one's own."""
    wanted = {name: value for name in _TAGS if (value := getattr(params, name)) is not None}
    root = _core(editor.mirror, create=any(wanted.values()))
    for name, value in wanted.items():
        if root is not None:
            _set_core(root, _TAGS[name], value)
    custom = _custom(editor.mirror, create=any(params.custom.values())) if params.custom else None
    for name, value in params.custom.items():
        if custom is not None:
            _set_custom(custom, name.strip(), legal(value).strip())


def _core(mirror: Mirror, *, create: bool = False) -> Any | None:
    """The root of docProps/core.xml; with `create`, an empty part where there is none."""
    package = mirror.file.package
    for rel in package.rels.values():
        if rel.reltype == RT.CORE_PROPERTIES and not rel.is_external:
            return getattr(rel.target_part, "element", None)
    if not create:
        return None
    xml = f'<cp:coreProperties xmlns:cp="{_CP}" xmlns:dc="{_DC}"/>'
    part = CorePropertiesPart(PackURI("/docProps/core.xml"), CT.OPC_CORE_PROPERTIES, parse_xml(xml), package)
    package.relate_to(part, RT.CORE_PROPERTIES)
    return part.element


def _set_core(root: Any, tag: str, value: str) -> None:
    found = root.find(tag)
    if not value:
        if found is not None:
            root.remove(found)
    elif found is None:
        new = parse_xml(etree.tostring(etree.Element(tag)))
        new.text = value
        root.append(new)
    elif found.text != value:
        found.text = value


def _custom(mirror: Mirror, *, create: bool = False) -> Any | None:
    """The root of docProps/custom.xml; with `create`, an empty part where there is none."""
    package = mirror.file.package
    for rel in package.rels.values():
        if rel.reltype == RT.CUSTOM_PROPERTIES and not rel.is_external:
            return getattr(rel.target_part, "element", None)
    if not create:
        return None
    xml = f'<Properties xmlns="{_CUSTOM}" xmlns:vt="{_VT}"/>'
    part = LazyXmlPart(PackURI("/docProps/custom.xml"), _CUSTOM_CT, xml.encode(), package)
    package.relate_to(part, RT.CUSTOM_PROPERTIES)
    return part.element


def _set_custom(root: Any, name: str, value: str) -> None:
    every = list(root.iterchildren(f"{{{_CUSTOM}}}property"))
    found = next((e for e in every if e.get("name", "").casefold() == name.casefold()), None)
    if not value:
        if found is not None:
            root.remove(found)
        return
    if found is not None and "".join(found.itertext()) == value:
        return
    number = max([1, *(int(e.get("pid", "1")) for e in every if e.get("pid", "").isdigit())]) + 1
    new = parse_xml(f'<property xmlns="{_CUSTOM}" xmlns:vt="{_VT}" fmtid="{_FMTID}"><vt:lpwstr/></property>')
    new.set("pid", found.get("pid") if found is not None else str(number))
    new.set("name", found.get("name") if found is not None else name)
    new[0].text = value
    if found is None:
        root.append(new)
        return
    for child in list(found):
        found.remove(child)
    found.append(new[0])


@set_properties.effects
def _(mirror: Mirror, params: SetProperties) -> Iterable[Effect]:
    wanted = {_TAGS[name]: value for name in _TAGS if (value := getattr(params, name)) is not None}
    custom = {name.strip(): legal(value).strip() for name, value in params.custom.items()}
    names = {tag.rpartition("}")[2] for tag in wanted}

    def check(after: After) -> str | None:
        core, own = _core(after.mirror), _custom(after.mirror)
        for tag, value in wanted.items():
            found = core.find(tag) if core is not None else None
            if ((found.text or "") if found is not None else "") != value:
                return f"the property {tag.rpartition('}')[2]} is not '{shorten(value)}'"
        for name, value in custom.items():
            found = (
                next((e for e in own if e.get("name", "").casefold() == name.casefold()), None)
                if own is not None
                else None
            )
            if ("".join(found.itertext()) if found is not None else "") != value:
                return f"the property {name} is not '{shorten(value)}'"
        return None

    def covers(change: Change) -> bool:
        if change.dimension is not Dimension.OTHER:
            return False
        own = change.path.removeprefix("property ")
        return change.path in names or (
            own != change.path and own.casefold() in {n.casefold() for n in custom}
        )

    said = ", ".join([t.rpartition("}")[2] for t in wanted] + list(custom))
    yield Effect(f"the properties are set: {said}", check, covers)
