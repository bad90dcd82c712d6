"""New elements, made as python-docx makes them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from docx.oxml.ns import NamespacePrefixedTag
from docx.oxml.parser import oxml_parser


def new_element(name: str, attributes: Mapping[str, str] | None = None) -> Any:
    """An element by its name with a prefix ("w:p"), with these attributes (names in lxml's form)."""
    tag, namespaces = _names(name)
    return _make(tag, attributes, namespaces)


_make: Any = oxml_parser.makeelement


@lru_cache(maxsize=512)
def _names(name: str) -> tuple[str, dict[str, str]]:
    tag = NamespacePrefixedTag(name)
    return tag.clark_name, tag.nsmap
