"""Styles: found by the name that people use, built in ones made real when first used, chains followed.

`w:style` in styles.xml. A built-in style keeps its English name in the file whatever Word's language ("heading 1"), its
id may be anything. Many are latent: known to Word, not in the file until used (`w:latentStyles`).
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Hashable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import docx
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml import parse_xml

from agent.document.names import W_PPR, W_VAL, W
from agent.document.table_styles import modern_table_styles
from agent.errors import TargetNotFound

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

_ALIASES = {
    "body text": "normal",
    "standard": "normal",
    "plain": "normal",
    "no style": "normal",
    "heading": "heading 1",
    "table grid light": "grid table light",  # Word's gallery has it the other way round than the file
}


def styles_root(mirror: Mirror) -> Any | None:
    """The `w:styles` element, or None in a file without styles."""
    known = mirror.views.get("styles part")
    if known is not None and mirror.file.parts.get(known[0]) is known[1]:
        return known[1].element
    for rel in mirror.file.document_part.rels.values():
        if rel.reltype == RT.STYLES and not rel.is_external:
            mirror.views["styles part"] = (str(rel.target_part.partname), rel.target_part)
            return rel.target_part.element  # pyright: ignore[reportAttributeAccessIssue]
    return None


def _iter(mirror: Mirror) -> list[Any]:
    root = styles_root(mirror)
    return list(root.iterchildren(W + "style")) if root is not None else []


def style_table(mirror: Mirror) -> dict[str, Any]:
    """Style id to `w:style` element; cached until styles.xml changes."""
    return _cached(mirror)[0]


def _cached(mirror: Mirror) -> tuple[dict[str, Any], dict[tuple[str, str], str], dict[str, str]]:
    part = mirror.views["styles part"][0] if styles_root(mirror) is not None else ""
    key = (part, mirror.version(part))
    cache: dict[Any, Any] = mirror.views
    if cache.get("styles", (None,))[0] != key:
        cache["heading levels"] = {}
        by_id: dict[str, Any] = {}
        by_name: dict[tuple[str, str], str] = {}
        defaults: dict[str, str] = {}
        for element in _iter(mirror):
            style_id, kind = element.get(W + "styleId", ""), element.get(W + "type", "paragraph")
            by_id[style_id] = element
            name = element.find(W + "name")
            if name is not None:
                by_name.setdefault((kind, name.get(W_VAL, "").lower()), style_id)
            aliases = element.find(W + "aliases")
            for alias in aliases.get(W_VAL, "").split(",") if aliases is not None else ():
                by_name.setdefault((kind, alias.strip().lower()), style_id)
            if element.get(W + "default") in ("1", "true", "on"):
                defaults[kind] = style_id
        cache["styles"] = (key, (by_id, by_name, defaults), [])
    return cache["styles"][1]


def style_name(mirror: Mirror, style_id: str) -> str:
    """The name of a style as Word shows it ("Heading 1"); for an empty id, the default paragraph style's."""
    by_id, _, defaults = _cached(mirror)
    element = by_id.get(style_id or defaults.get("paragraph", ""))
    name = element.find(W + "name") if element is not None else None
    text = name.get(W_VAL, "") if name is not None else style_id
    return text[:1].upper() + text[1:] if text else "Normal"


def default_style(mirror: Mirror, kind: str = "paragraph") -> str:
    """Id of the default style of a kind, or the empty string."""
    return _cached(mirror)[2].get(kind, "")


def find_style(mirror: Mirror, name: str, kind: str = "paragraph") -> str | None:
    """Id of the style with that name (or alias, or id), in any letter case; None if the file has none."""
    by_id, by_name, _ = _cached(mirror)
    wanted = " ".join(name.lower().split())
    found = by_name.get((kind, wanted))
    if found is None:
        wanted = _ALIASES.get(wanted, wanted)
        found = by_name.get((kind, wanted))
    if found is None and name in by_id and by_id[name].get(W + "type", "paragraph") == kind:
        found = name
    if found is None:
        compact = wanted.replace(" ", "")
        found = next(
            (i for (k, n), i in by_name.items() if k == kind and n.replace(" ", "") == compact), None
        )
    return found


def gallery_name(style: str) -> str:
    """The name in the file for one as Word's gallery shows it: "Light List - Accent 1" is the style "Light List Accent 1"."""
    return " ".join(style.replace(" - ", " ").replace("\u2013", " ").split())


def ensure_style(mirror: Mirror, name: str, kind: str = "paragraph") -> str:
    """Id of the style; a built-in one that the file lacks is made, as Word does on first use. To be called inside a
    transaction. Raises TargetNotFound with the nearest names.
    """
    found = find_style(mirror, name, kind)
    if found is not None:
        return found
    source = _builtin(name, kind)
    root = styles_root(mirror)
    if source is None or root is None:
        _, by_name, _ = _cached(mirror)
        names = sorted({n for k, n in by_name if k == kind} | _builtin_names(kind))
        near = difflib.get_close_matches(name.lower(), names, 3)
        hint = f"the nearest are {', '.join(near)}" if near else f"it has {', '.join(names[:8])}"
        raise TargetNotFound(f"The document has no {kind} style '{name}'; {hint}.")
    element = copy.deepcopy(source)
    for reference in ("basedOn", "link", "next"):
        child = element.find(W + reference)
        if child is None:
            continue
        target = _builtin_by_id(child.get(W_VAL, ""))
        target_name = target.find(W + "name").get(W_VAL) if target is not None else ""
        existing = find_style(mirror, target_name, target.get(W + "type")) if target is not None else None
        if existing is not None:
            child.set(W_VAL, existing)
        elif reference == "basedOn" and target is not None:
            child.set(W_VAL, ensure_style(mirror, target_name, target.get(W + "type")))
        else:
            element.remove(child)
    style_id = element.get(W + "styleId")
    by_id = style_table(mirror)
    while style_id in by_id:
        style_id += "0"
    element.set(W + "styleId", style_id)
    root.append(element)
    return style_id


def chain(mirror: Mirror, style_id: str) -> list[Any]:
    """The style and those that it is based on, nearest first."""
    by_id, _, defaults = _cached(mirror)
    found: list[Any] = []
    current = style_id or defaults.get("paragraph", "")
    while current in by_id and by_id[current] not in found:
        found.append(by_id[current])
        based_on = by_id[current].find(W + "basedOn")
        current = based_on.get(W_VAL, "") if based_on is not None else ""
    return found


def style_property(mirror: Mirror, style_id: str, path: str) -> Any | None:
    """The first element on the style's chain at `path` ("pPr/outlineLvl", "rPr/sz"), or None."""
    query = "/".join(W + step for step in path.split("/"))
    for element in chain(mirror, style_id):
        found = element.find(query)
        if found is not None:
            return found
    return None


def style_meanings(mirror: Mirror) -> Hashable:
    """What a style makes of a paragraph (a heading of which level, an item of which list); another value only if that changes."""
    by_id = _cached(mirror)[0]
    found = mirror.views["styles"][2]
    if not found:
        for style_id, element in by_id.items():
            if element.get(W + "type", "paragraph") == "paragraph":
                number = style_property(mirror, style_id, "pPr/numPr/numId")
                level = style_property(mirror, style_id, "pPr/numPr/ilvl")
                found.append(
                    (
                        style_id,
                        heading_level(mirror, style_id),
                        number.get(W_VAL) if number is not None else None,
                        level.get(W_VAL) if level is not None else None,
                        style_name(mirror, style_id),
                    )
                )
        found.append(default_style(mirror))
        found[:] = [_same(tuple(found))]
    return found[0]


@lru_cache(maxsize=64)
def _same(meanings: Hashable) -> Hashable:
    """One object for equal ones, so that they are compared by identity first."""
    return meanings


def heading_level(mirror: Mirror, style_id: str) -> int | None:
    """1 to 9 for a heading style (by its outline level or its built-in name), None for others."""
    if not style_id:
        return None
    _cached(mirror)
    cache: dict[str, int | None] = mirror.views["heading levels"]
    if style_id not in cache:
        cache[style_id] = _heading_level(mirror, style_id)
    return cache[style_id]


def _heading_level(mirror: Mirror, style_id: str) -> int | None:
    for element in chain(mirror, style_id):
        name = element.find(W + "name")
        text = name.get(W_VAL, "").lower() if name is not None else ""
        if text.startswith("heading ") and text[8:].isdigit():
            return int(text[8:])
        level = element.find(f"{W_PPR}/{W}outlineLvl")
        if level is not None and level.get(W_VAL, "9").isdigit():
            number = int(level.get(W_VAL, "9"))
            return number + 1 if number < 9 else None
    return None


_HEAD = f'<w:style xmlns:w="{W[1:-1]}"'
_MORE_BUILTINS = (
    f'{_HEAD} w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/>'
    '<w:basedOn w:val="DefaultParagraphFont"/><w:uiPriority w:val="99"/><w:unhideWhenUsed/>'
    '<w:rPr><w:color w:val="0563C1" w:themeColor="hyperlink"/><w:u w:val="single"/></w:rPr></w:style>',
    f'{_HEAD} w:type="character" w:styleId="CommentReference"><w:name w:val="annotation reference"/>'
    '<w:basedOn w:val="DefaultParagraphFont"/><w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/>'
    '<w:rPr><w:sz w:val="16"/><w:szCs w:val="16"/></w:rPr></w:style>',
    f'{_HEAD} w:type="paragraph" w:styleId="CommentText"><w:name w:val="annotation text"/>'
    '<w:basedOn w:val="Normal"/><w:uiPriority w:val="99"/><w:unhideWhenUsed/>'
    '<w:rPr><w:sz w:val="20"/><w:szCs w:val="20"/></w:rPr></w:style>',
)
"""Built-in styles that the template lacks, as Word defines them."""


@lru_cache(maxsize=1)
def _builtin_table() -> dict[tuple[str, str], Any]:
    """The built-in styles that python-docx's default template defines, with the standard blue of its headings."""
    root = docx.Document().styles.element
    found: dict[tuple[str, str], Any] = {}
    for element in root.iterchildren(W + "style"):
        name: Any = element.find(W + "name")
        found[element.get(W + "type", "paragraph"), name.get(W_VAL).lower()] = element
    for xml in _MORE_BUILTINS:
        element = parse_xml(xml)
        name = element.find(W + "name")
        found.setdefault((element.get(W + "type", ""), name.get(W_VAL, "").lower()), element)
    return {**modern_table_styles(), **found}


def _builtin(name: str, kind: str) -> Any | None:
    wanted = " ".join(name.lower().split())
    table = _builtin_table()
    found = table.get((kind, wanted))
    return found if found is not None else table.get((kind, _ALIASES.get(wanted, wanted)))


def has_builtin(name: str, kind: str) -> bool:
    """Whether Stet can make a built-in style of that name and kind."""
    return _builtin(name, kind) is not None


def _builtin_by_id(style_id: str) -> Any | None:
    return next((e for e in _builtin_table().values() if e.get(W + "styleId") == style_id), None)


def _builtin_names(kind: str) -> set[str]:
    return {n for k, n in _builtin_table() if k == kind}


__all__ = [
    "chain",
    "default_style",
    "ensure_style",
    "find_style",
    "gallery_name",
    "has_builtin",
    "heading_level",
    "style_name",
    "style_property",
    "style_table",
    "styles_root",
]
