"""Sees every change of a python-docx element before it happens.

lxml has no mutation events, but python-docx's elements are Python subclasses: the mutators are overridden once on
`BaseOxmlElement`, which also becomes the class of every tag that python-docx has no class for. Each tells the recorder
of the running transaction, if this thread has one, and then does what it always did. `Relationships` likewise, and the
bytes, names and content types of parts.

Not seen, and therefore not used in this project: `etree.strip_tags`, `etree.strip_elements`, `etree.SubElement` on a
live element, and assignment to `tag` or `base`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from docx.opc.part import Part
from docx.opc.rel import Relationships
from docx.oxml.parser import element_class_lookup
from docx.oxml.xmlchemy import BaseOxmlElement
from lxml import etree


class Recorder(Protocol):
    """What a transaction wants to know."""

    def touch(self, element: Any, /) -> None:
        """The element's own text or attributes are about to change."""

    def before_move(self, child: Any, parent: Any, /) -> None:
        """The child is about to be unlinked from where it is and linked below `parent` (None: nowhere)."""

    def after_move(self, child: Any, /) -> None:
        """The child is linked in its new place."""

    def touch_relationships(self, relationships: Relationships, /) -> None:
        """A relationship is about to be added, replaced or removed."""

    def touch_part(self, part: Any, attribute: str, /) -> None:
        """The bytes, the name or the content type of a part are about to change."""


class _Active(threading.local):
    recorder: Recorder | None = None


active = _Active()
"""The recorder of the transaction that this thread has open, or None."""

_Base = etree.ElementBase
_installed = False


class _Attributes:
    """`element.attrib`, with writes that are seen."""

    __slots__ = ("_attributes", "_element")

    def __init__(self, element: Any, attributes: Any) -> None:
        self._element = element
        self._attributes = attributes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._attributes, name)

    def __getitem__(self, key: str) -> str:
        return self._attributes[key]

    def __setitem__(self, key: str, value: str) -> None:
        self._element.set(key, value)

    def __delitem__(self, key: str) -> None:
        _touch(self._element)
        del self._attributes[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._attributes)

    def __len__(self) -> int:
        return len(self._attributes)

    def __contains__(self, key: object) -> bool:
        return key in self._attributes

    def pop(self, *args: Any) -> Any:
        _touch(self._element)
        return self._attributes.pop(*args)

    def update(self, *args: Any, **kwargs: str) -> None:
        _touch(self._element)
        self._attributes.update(*args, **kwargs)

    def clear(self) -> None:
        _touch(self._element)
        self._attributes.clear()


def _touch(element: Any) -> None:
    if active.recorder is not None:
        active.recorder.touch(element)


def _moving(child: Any, parent: Any, move: Callable[[], Any]) -> Any:
    recorder = active.recorder
    if recorder is None:
        return move()
    recorder.before_move(child, parent)
    try:
        return move()
    finally:  # also where lxml refuses the move: the child is then still where it was
        recorder.after_move(child)


def _set(self: Any, key: str, value: str) -> None:
    _touch(self)
    _Base.set(self, key, value)


def _clear(self: Any, keep_tail: bool = False) -> None:
    for child in list(self):
        self.remove(child)
    _touch(self)
    _Base.clear(self, keep_tail)  # pyright: ignore[reportCallIssue]


def _append(self: Any, child: Any) -> None:
    _moving(child, self, lambda: _Base.append(self, child))


def _extend(self: Any, children: Iterable[Any]) -> None:
    for child in list(children):
        self.append(child)


def _insert(self: Any, index: int, child: Any) -> None:
    _moving(child, self, lambda: _Base.insert(self, index, child))


def _remove(self: Any, child: Any) -> None:
    if active.recorder is not None and child.getparent() is self:
        active.recorder.before_move(child, None)
    _Base.remove(self, child)


def _addnext(self: Any, sibling: Any) -> None:
    _moving(sibling, self.getparent(), lambda: _Base.addnext(self, sibling))


def _addprevious(self: Any, sibling: Any) -> None:
    _moving(sibling, self.getparent(), lambda: _Base.addprevious(self, sibling))


def _replace(self: Any, old: Any, new: Any) -> None:
    old.addprevious(new)
    self.remove(old)


def _setitem(self: Any, index: Any, value: Any) -> None:
    if isinstance(index, slice):
        start, _, step = index.indices(len(self))
        old, new = self[index], list(value)
        if step != 1:
            if len(old) != len(new):
                raise ValueError(f"{len(new)} elements cannot take the places of {len(old)}")
            for before, after in zip(old, new, strict=True):
                self.replace(before, after)
            return
        for child in old:
            self.remove(child)
        for offset, child in enumerate(new):
            self.insert(start + offset, child)
    else:
        self.replace(self[index], value)


def _delitem(self: Any, index: Any) -> None:
    for child in self[index] if isinstance(index, slice) else [self[index]]:
        self.remove(child)


def _text_property(name: str) -> property:
    descriptor = getattr(_Base, name)

    def read(self: Any) -> str | None:
        return descriptor.__get__(self)

    def write(self: Any, value: str | None) -> None:
        _touch(self)
        descriptor.__set__(self, value)

    return property(read, write)


def install() -> None:
    """Put the hooks in place; once a process, before any document is parsed."""
    global _installed
    if _installed:
        return
    _installed = True
    hooks: dict[str, Any] = {
        "set": _set,
        "clear": _clear,
        "append": _append,
        "extend": _extend,
        "insert": _insert,
        "remove": _remove,
        "addnext": _addnext,
        "addprevious": _addprevious,
        "replace": _replace,
        "__setitem__": _setitem,
        "__delitem__": _delitem,
        "text": _text_property("text"),
        "tail": _text_property("tail"),
    }
    attributes = _Base.attrib
    hooks["attrib"] = property(lambda self: _Attributes(self, attributes.__get__(self)))  # pyright: ignore[reportAttributeAccessIssue]
    for name, hook in hooks.items():
        setattr(BaseOxmlElement, name, hook)
    element_class_lookup.set_fallback(etree.ElementDefaultClassLookup(element=BaseOxmlElement))
    _hook_relationships()
    for name in ("_blob", "_content_type", "_partname"):
        setattr(Part, name, _part_property(name))


def _part_property(name: str) -> property:
    def read(self: Part) -> Any:
        return self.__dict__[name]

    def write(self: Part, value: Any) -> None:
        known = self.__dict__
        if active.recorder is not None and name in known and known[name] is not value:
            active.recorder.touch_part(self, name)
        known[name] = value

    return property(read, write)


def _hook_relationships() -> None:
    set_item, delete_item = Relationships.__setitem__, Relationships.__delitem__

    def setitem(self: Relationships, rid: str, relationship: Any) -> None:
        if active.recorder is not None:
            active.recorder.touch_relationships(self)
        set_item(self, rid, relationship)

    def delitem(self: Relationships, rid: str) -> None:
        if active.recorder is not None:
            active.recorder.touch_relationships(self)
        delete_item(self, rid)

    def seen(name: str) -> Callable[..., Any]:
        plain = getattr(dict, name)

        def change(self: Relationships, *args: Any, **kwargs: Any) -> Any:
            if active.recorder is not None:
                active.recorder.touch_relationships(self)
            return plain(self, *args, **kwargs)

        return change

    def next_id(self: Relationships) -> str:
        taken = {*self, *getattr(self, "reserved", ())}
        return next(rid for n in range(1, len(taken) + 2) if (rid := f"rId{n}") not in taken)

    setattr(Relationships, "__setitem__", setitem)  # noqa: B010
    setattr(Relationships, "__delitem__", delitem)  # noqa: B010
    for name in ("pop", "popitem", "clear", "update", "setdefault", "__ior__"):
        setattr(Relationships, name, seen(name))
    setattr(Relationships, "_next_rId", property(next_id))  # noqa: B010
