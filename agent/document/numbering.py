"""Lists: definitions (`w:abstractNum`) and their uses (`w:num`) in numbering.xml, made when a list is made.

Each list gets a definition and a number of its own, so that one list never counts on from another.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Literal

from docx.opc.constants import CONTENT_TYPE as CT
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.oxml import parse_xml
from docx.parts.numbering import NumberingPart

from agent.document.elements import new_element
from agent.document.names import W_PPR, W_VAL, W, whole_number
from agent.errors import TargetNotFound

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

ListKind = Literal["bullet", "number", "multilevel"]
_BULLETS = (("\uf0b7", "Symbol"), ("o", "Courier New"), ("\uf0a7", "Wingdings"))
_FORMATS = ("decimal", "lowerLetter", "lowerRoman")


def numbering_root(mirror: Mirror, *, create: bool = False) -> Any | None:
    """The `w:numbering` element; with `create`, an empty part is made where there is none."""
    part = mirror.file.document_part
    for rel in part.rels.values():
        if rel.reltype == RT.NUMBERING and not rel.is_external:
            return rel.target_part.element  # pyright: ignore[reportAttributeAccessIssue]
    if not create:
        return None
    name = PackURI("/word/numbering.xml")
    package = mirror.file.package
    if name.lstrip("/") in mirror.file.members:  # a part that nothing leads to stays what it is
        name = package.next_partname("/word/numbering%d.xml")
    new = NumberingPart(
        name,
        CT.WML_NUMBERING,
        parse_xml(f'<w:numbering xmlns:w="{W[1:-1]}"/>'),
        package,
    )
    part.relate_to(new, RT.NUMBERING)
    return new.element


def new_list(mirror: Mirror, kind: ListKind, *, start: int = 1, number_format: str = "decimal") -> int:
    """Make a list definition and a use of it; the `w:numId` for its items. To be called inside a transaction."""
    root = numbering_root(mirror, create=True)
    assert root is not None
    abstract_id = _next(root, "abstractNum", "abstractNumId", 0)
    number_id = _next(root, "num", "numId", 1)
    levels = "".join(_level(kind, i, start if i == 0 else 1, number_format) for i in range(9))
    multi = "multilevel" if kind == "multilevel" else "hybridMultilevel"
    abstract = parse_xml(
        f'<w:abstractNum xmlns:w="{W[1:-1]}" w:abstractNumId="{abstract_id}">'
        f'<w:multiLevelType w:val="{multi}"/>{levels}</w:abstractNum>'
    )
    num = parse_xml(
        f'<w:num xmlns:w="{W[1:-1]}" w:numId="{number_id}"><w:abstractNumId w:val="{abstract_id}"/></w:num>'
    )
    first_num = root.find(W + "num")
    if first_num is not None:  # the schema wants every definition before the first use
        first_num.addprevious(abstract)
    else:
        last = [*root.iterchildren(W + "numPicBullet", W + "abstractNum")]
        if last:
            last[-1].addnext(abstract)
        else:
            root.insert(0, abstract)
    nums = [*root.iterchildren(W + "num")]
    (nums[-1] if nums else abstract).addnext(num)
    return number_id


def new_list_like(mirror: Mirror, number_id: int, *, start: int = 1) -> int:
    """A list that looks like another and counts from `start` on its own; the `w:numId` for its items.

    A numbered list gets a copy of the definition: uses of one definition share its counter in Word, so that a new list
    in between would make the items of the old one behind it count on from the new one's.
    """
    root = numbering_root(mirror)
    num = _num(mirror, number_id)
    assert root is not None
    if num is None:
        raise TargetNotFound(f"The document does not define the list {number_id}.")
    new = copy.deepcopy(num)
    new_id = _next(root, "num", "numId", 1)
    new.set(W + "numId", str(new_id))
    definition = _abstract(root, num)
    if number_format(mirror, number_id) != "bullet" and definition is not None:
        new.find(W + "abstractNumId").set(W_VAL, str(_copy_definition(root, definition, start)))
        for override in new.findall(W + "lvlOverride"):
            for old in override.findall(W + "startOverride"):
                override.remove(old)
            if len(override) == 0:
                new.remove(override)
    [*root.iterchildren(W + "num")][-1].addnext(new)
    return new_id


def _copy_definition(root: Any, definition: Any, start: int) -> int:
    """A copy of a `w:abstractNum` that no style is tied to; its id."""
    copied = copy.deepcopy(definition)
    new_id = _next(root, "abstractNum", "abstractNumId", 0)
    copied.set(W + "abstractNumId", str(new_id))
    for attribute in [a for a in copied.attrib if not a.startswith(W)]:
        del copied.attrib[attribute]
    for name in ("nsid", "styleLink", "name"):  # what tells Word that two definitions are the same list
        for element in copied.findall(W + name):
            copied.remove(element)
    for level in copied.iterchildren(W + "lvl"):
        for link in level.findall(W + "pStyle"):
            level.remove(link)
        if level.get(W + "ilvl") == "0":
            for old in level.findall(W + "start"):
                level.remove(old)
            level.insert(0, new_element("w:start", {W_VAL: str(start)}))
    definition.addnext(copied)
    return new_id


def start_of(mirror: Mirror, number_id: int) -> int:
    """The number from which the first level of a list counts."""
    num = _num(mirror, number_id)
    for override in num.iterchildren(W + "lvlOverride") if num is not None else ():
        found = override.find(W + "startOverride")
        if override.get(W + "ilvl") == "0" and found is not None:
            return int(found.get(W_VAL, "1"))
    level = _definition(mirror, number_id, 0)
    found = level.find(W + "start") if level is not None else None
    return int(found.get(W_VAL, "0")) if found is not None else 0


def _level(kind: ListKind, level: int, start: int, number_format: str) -> str:
    indent = f'<w:pPr><w:ind w:left="{720 * (level + 1)}" w:hanging="360"/></w:pPr>'
    if kind == "bullet":
        text, font = _BULLETS[level % 3]
        fonts = f'<w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}" w:cs="{font}" w:hint="default"/></w:rPr>'
        style, text_format = "bullet", text
    elif kind == "multilevel":
        fonts, style = "", "decimal"
        text_format = ".".join(f"%{i + 1}" for i in range(level + 1)) + ("." if level == 0 else "")
    else:
        fonts, text_format = "", f"%{level + 1}."
        style = number_format if level == 0 else _FORMATS[level % 3]
    return (
        f'<w:lvl w:ilvl="{level}"><w:start w:val="{start}"/><w:numFmt w:val="{style}"/>'
        f'<w:lvlText w:val="{text_format}"/><w:lvlJc w:val="left"/>{indent}{fonts}</w:lvl>'
    )


def _next(root: Any, tag: str, attribute: str, first: int) -> int:
    used = [whole_number(e.get(W + attribute, "0")) for e in root.iterchildren(W + tag)]
    return max([first - 1, *used]) + 1


def list_of(mirror: Mirror, paragraph: Any) -> tuple[int, int] | None:
    """List number id and level (from 0) of a `w:p`, its own or its style's; None if it is no list item."""
    from agent.document.styles import style_property

    ppr = paragraph.find(W_PPR)
    num = ppr.find(f"{W}numPr/{W}numId") if ppr is not None else None
    level = ppr.find(f"{W}numPr/{W}ilvl") if ppr is not None else None
    if num is None:
        style = ppr.find(W + "pStyle") if ppr is not None else None
        num = style_property(mirror, style.get(W_VAL, ""), "pPr/numPr/numId") if style is not None else None
        if num is not None and level is None and style is not None:
            level = style_property(mirror, style.get(W_VAL, ""), "pPr/numPr/ilvl")
    if num is None or num.get(W_VAL) == "0":
        return None
    return whole_number(num.get(W_VAL, "0")), whole_number(level.get(W_VAL, "0")) if level is not None else 0


def number_format(mirror: Mirror, number_id: int, level: int = 0) -> str:
    """`w:numFmt` of a list's level: "bullet", "decimal", ...; empty if the list is not defined."""
    found = _definition(mirror, number_id, level)
    kind = found.find(W + "numFmt") if found is not None else None
    return kind.get(W_VAL, "") if kind is not None else ""


def _num(mirror: Mirror, number_id: int) -> Any | None:
    root = numbering_root(mirror)
    every = root.iterchildren(W + "num") if root is not None else ()
    return next((e for e in every if e.get(W + "numId") == str(number_id)), None)


def _abstract(root: Any, num: Any) -> Any | None:
    """The `w:abstractNum` that a `w:num` uses."""
    reference = num.find(W + "abstractNumId")
    wanted = reference.get(W_VAL) if reference is not None else None
    return next(
        (a for a in root.iterchildren(W + "abstractNum") if a.get(W + "abstractNumId") == wanted), None
    )


def _definition(mirror: Mirror, number_id: int, level: int) -> Any | None:
    """The `w:lvl` of a list's level, the list's own before its definition's."""
    root, num = numbering_root(mirror), _num(mirror, number_id)
    if root is None or num is None:
        return None
    abstract = _abstract(root, num)
    own = num.xpath(f"w:lvlOverride[@w:ilvl='{level}']/w:lvl")
    shared = abstract.iterchildren(W + "lvl") if abstract is not None else ()
    return next((e for e in (*own, *shared) if e.get(W + "ilvl") == str(level)), None)
