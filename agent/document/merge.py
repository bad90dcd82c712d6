"""An edit of a block, made again on the same block as it is by now: a three-way merge at the level of paragraphs.

What the edit did is taken from its before and after: characters typed and deleted, formats of characters and paragraphs.
Each is made where its surroundings are still there. What cannot be made again is refused as a whole, never in part: the
same steps made on the block before must give exactly the block after, or the edit did more than is understood here.
"""

from __future__ import annotations

import copy
import difflib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lxml import etree

from agent.document import text as texts
from agent.document.changes import shorten
from agent.document.delta import ReplaceBlock
from agent.document.elements import new_element
from agent.document.form import alike, form
from agent.document.names import W_P, W_PPR, W_R, W_RPR, W_T, W
from agent.document.records import Paragraph, read
from agent.document.schema import ORDER
from agent.document.words import kept_words
from agent.errors import RevisionMismatch

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

_MOST = 250_000  # letters before times letters after: beyond that an edit is taken as one replacement


def merge_block(mirror: Mirror, edit: ReplaceBlock) -> None:
    """Make the edit on the block as it is now; inside a transaction. Raises RevisionMismatch if that cannot be done."""
    from agent.document.mirror import inner_elements

    story = mirror.story(edit.story)
    assert story is not None
    before, after = story.parse(edit.before.xml), story.parse(edit.after.xml)
    was = dict(zip(edit.before.ids, (before, *inner_elements(before)), strict=True))
    now = dict(zip(edit.after.ids, (after, *inner_elements(after)), strict=True))
    if list(was) != list(now) and before.tag == W_P:  # a text box came or went: whole, or not at all
        _merge(mirror, before, after, mirror.element(edit.id))
        return
    if list(was) != list(now) or (before.tag != W_P and _skeleton(before) != _skeleton(after)):
        raise RevisionMismatch("your change of a table's or control's structure cannot be carried over")
    for id_, old in was.items():
        one, other = (_without_boxes(e) for e in (old, now[id_])) if old.tag == W_P else (None, None)
        if one is None or same(one, other):
            continue
        if not mirror.has(id_):
            raise RevisionMismatch(f"your edit '{_said(now[id_])}' is in text that this step wrote")
        _merge(mirror, one, other, mirror.element(id_))


def _without_boxes(paragraph: Any) -> Any:
    """A copy whose text boxes are empty: their paragraphs are merged by themselves."""
    clone = copy.deepcopy(paragraph)
    for p in [p for p in clone.iter(W_P) if p is not clone]:
        etree.ElementBase.clear(p)
    return clone


def same(one: Any, other: Any) -> bool:
    """Whether two elements say the same, whatever prefixes they use and wherever namespaces are declared."""
    return _tree(one) == _tree(other)


def _tree(element: Any) -> Any:
    if not isinstance(element.tag, str):
        return (str(element.tag), element.text)
    return (
        element.tag,
        sorted(element.items()),
        etree.ElementBase.text.__get__(element) or "",  # type: ignore[attr-defined]
        [(_tree(child), child.tail or "") for child in element],
    )


def _skeleton(block: Any) -> Any:
    """A table or control without what is in its paragraphs."""
    clone = copy.deepcopy(block)
    for p in [p for p in clone.iter(W_P) if not _in_paragraph(p)]:
        for child in list(p):
            p.remove(child)
        for name in list(p.attrib):
            del p.attrib[name]
    return _tree(clone)


def _in_paragraph(paragraph: Any) -> bool:
    return any(a.tag == W_P for a in paragraph.iterancestors())


def _said(paragraph: Any) -> str:
    return shorten(texts.text_of(paragraph), 60)


# -- one paragraph -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Splice:
    """Characters `start` to `end` of the text before gave way to `typed`, which is at `at` in the text after."""

    start: int
    end: int
    typed: str
    at: int


def _merge(mirror: Mirror, before: Any, after: Any, target: Any) -> None:
    trial = copy.deepcopy(before)
    plain = _patch(before, after, trial, None)
    if _content(read(mirror, trial)) == _content(read(mirror, after)) and _rest(trial) == _rest(after):
        _patch(before, after, target, plain)
        return
    added, rest = _added(before, after)
    trial = copy.deepcopy(before)
    plain = _patch(before, rest, trial, None)
    if added:
        _put(added, texts.text_of(rest), trial)
    if not added or form(trial, {}) != form(after, {}):
        raise RevisionMismatch(f"your edit of '{_said(after)}' cannot be carried over")
    _patch(before, rest, target, plain)
    _put(added, texts.text_of(rest), target)


def _added(before: Any, after: Any) -> tuple[list[tuple[int, Any]], Any]:
    """What is in the paragraph after and has no width (bookmarks, ends of a comment's range, pictures), each with its offset;
    and the paragraph without it.
    """
    known = Counter(repr(form(child, {})) for child in before)
    rest = copy.deepcopy(after)
    starts = {piece.run: piece.start for piece in reversed(texts.pieces_of(rest))}
    found: list[tuple[int, Any]] = []
    at = 0
    for child in list(rest):
        wide = sum(len(texts.node_text(n)) for n in child) if child.tag == W_R else 0
        if child.tag == W_R and wide:
            at = starts[child] + wide
        elif child.tag != W_PPR and not any(p.run in child.iter(W_R) for p in texts.pieces_of(rest)):
            name = repr(form(child, {}))
            if known[name]:
                known[name] -= 1
            else:
                found.append((at, child))
        elif child.tag != W_PPR:
            at += sum(p.end - p.start for p in texts.pieces_of(rest) if p.run in child.iter(W_R))
    for _, child in found:
        rest.remove(child)
    return found, rest


def _put(added: list[tuple[int, Any]], words: str, target: Any) -> None:
    """Put what has no width at its offsets of a text into the paragraph, in which that text may be another by now."""
    where = _Where(words, texts.text_of(target))
    for at, element in added:
        place, _ = where.exactly(at, at, words)
        texts.isolate(target, place, place)
        beside = next((p.run for p in texts.pieces_of(target) if p.start >= place), None)
        if beside is None:
            target.append(copy.deepcopy(element))
        elif beside.getparent() is target:
            beside.addprevious(copy.deepcopy(element))
        else:
            raise RevisionMismatch("what you put into a link or field cannot be carried over")


def make_like(target: Any, after: Any, fits: Callable[[Any], bool]) -> bool:
    """Type, delete and format in a paragraph what leads from it to another. False, and nothing is done, if that would not fit."""
    before, trial = copy.deepcopy(target), copy.deepcopy(target)
    plain = _patch(before, after, trial, None)
    if not fits(trial):
        return False
    _patch(before, after, target, plain)
    return True


def _content(record: Any) -> Any:
    assert isinstance(record, Paragraph)
    return replace(record, id="", inner=tuple(_content(q) for q in record.inner))


def _rest(paragraph: Any) -> tuple[Any, ...]:
    """What no record holds: how many of everything but runs and formats there are, and texts that are not the paragraph's."""
    formats = {e for p in paragraph.iter(W_RPR, W_PPR) for e in p.iter()}
    found = Counter(e.tag for e in paragraph.iter() if e not in formats and e.tag not in _LOOSE)
    inside = [texts.text_of(p) for p in paragraph.iter(W_P) if p is not paragraph]
    return found, inside, [e.text or "" for e in paragraph.iter(W + "delText")]


_LOOSE = {W_R, W_T, W + "proofErr", W + "lastRenderedPageBreak"}


def _patch(before: Any, after: Any, target: Any, plain: set[int] | None) -> set[int]:
    """Make on `target` what led from `before` to `after`. Gives (and on the second run is given) the offsets of splices whose
    new characters look like their neighbours anyway.
    """
    old, new = texts.text_of(before), texts.text_of(after)
    splices, kept = _splices(old, new)
    where = _Where(old, texts.text_of(target))
    for a, b, shift in kept:
        for start, end, was, now in _formats(before, after, a, b, shift):
            for place in where.stretches(start, end):
                for run in texts.isolate(target, *place):
                    _change(run, W_RPR, was, now)
    found: set[int] = set() if plain is None else plain
    for splice in reversed(splices):
        start, end = where.exactly(splice.start, splice.end, splice.typed or old[splice.start : splice.end])
        texts.replace(target, start, end, splice.typed)
        stop = start + len(splice.typed)
        if plain is None and _looks_like(target, start, after, splice):
            found.add(splice.at)
        elif splice.at not in found:
            for a, b, rpr in _runs(after, splice.at, splice.at + len(splice.typed)):
                for run in texts.isolate(target, start + a - splice.at, min(start + b - splice.at, stop)):
                    _set(run, W_RPR, rpr)
    _change(target, W_PPR, before.find(W_PPR), after.find(W_PPR))
    return found


def _splices(old: str, new: str) -> tuple[list[_Splice], list[tuple[int, int, int]]]:
    """What was typed and deleted, and what was kept (start and end before, and how far it shifted)."""
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    codes: list[tuple[str, int, int, int, int]] = [("replace", 0, len(a), 0, len(b))]
    if len(a) * len(b) <= _MOST:
        codes = list(difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes())
    splices = [
        _Splice(head + i, head + j, b[k:m], head + k)
        for tag, i, j, k, m in codes
        if tag != "equal" and (j > i or m > k)
    ]
    kept = [(0, head, 0)] + [(head + i, head + j, k - i) for tag, i, j, k, _ in codes if tag == "equal"]
    kept.append((len(old) - tail, len(old), len(new) - len(old)))
    return splices, [k for k in kept if k[1] > k[0]]


class _Where:
    """Where characters of one text are in another, as far as the words around them are in both."""

    def __init__(self, old: str, now: str) -> None:
        self._old, self._now = old, now
        self._kept = [(a, a + n, b - a) for a, b, n in kept_words(old, now)]

    def stretches(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """What is left of some characters."""
        for a, b, shift in self._kept:
            if max(a, start) < min(b, end):
                yield max(a, start) + shift, min(b, end) + shift

    def exactly(self, start: int, end: int, words: str) -> tuple[int, int]:
        """All of some characters, or the place between two. Raises RevisionMismatch if it is not there."""
        if self._old == self._now:
            return start, end
        for a, b, shift in self._kept:
            if (a <= start and end <= b) if end > start else (a < start <= b):
                return start + shift, end + shift
        if start == end:
            for a, _, shift in self._kept:
                if a == start:
                    return start + shift, end + shift
            if start == 0 and self._old:
                return 0, 0
            if start == len(self._old) and self._old:
                return len(self._now), len(self._now)
            if not self._now.strip():
                return 0, 0
        raise RevisionMismatch(f"your edit '{shorten(words, 60)}' is in text that this step wrote")


# -- formats -----------------------------------------------------------------------------------------------------------


def _runs(paragraph: Any, start: int, end: int) -> Iterator[tuple[int, int, Any]]:
    for piece in texts.pieces_of(paragraph):
        if max(piece.start, start) < min(piece.end, end):
            yield max(piece.start, start), min(piece.end, end), piece.run.find(W_RPR)


def _formats(before: Any, after: Any, start: int, end: int, shift: int) -> list[tuple[int, int, Any, Any]]:
    """Stretches of kept characters whose format is another: start and end before, and both `w:rPr`."""
    found: list[tuple[int, int, Any, Any]] = []
    news = [(a - shift, b - shift, rpr) for a, b, rpr in _runs(after, start + shift, end + shift)]
    for a, b, was in _runs(before, start, end):
        for c, d, now in news:
            if max(a, c) < min(b, d) and not _alike(was, now):
                if found and found[-1][1] == max(a, c) and found[-1][2] is was and _alike(found[-1][3], now):
                    found[-1] = (found[-1][0], min(b, d), was, now)  # one format, cut in two runs
                else:
                    found.append((max(a, c), min(b, d), was, now))
    return found


def _looks_like(target: Any, start: int, after: Any, splice: _Splice) -> bool:
    wanted = list(_runs(after, splice.at, splice.at + len(splice.typed)))
    found = list(_runs(target, start, start + len(splice.typed)))
    return all(_alike(found[0][2] if found else None, rpr) for _, _, rpr in wanted)


def _alike(one: Any, other: Any) -> bool:
    children = [form(e, {})[3] if e is not None else [] for e in (one, other)]
    return children[0] == children[1]


def _change(parent: Any, tag: str, was: Any, now: Any) -> None:
    """Give a property element of `parent` those children that are other in `now` than in `was`."""
    old = {c.tag: c for c in was} if was is not None else {}
    new = {c.tag: c for c in now} if now is not None else {}
    differing = [t for t in {**old, **new} if t not in old or t not in new or not alike(old[t], new[t])]
    if not differing:
        return
    found = parent.find(tag)
    merged = copy.deepcopy(found) if found is not None else new_element("w:" + tag.rpartition("}")[2])
    order = {W + name: i for i, name in enumerate(ORDER[tag])}
    for name in differing:
        for child in merged.findall(name):
            merged.remove(child)
        if name in new:
            rank = order.get(name, len(order))
            beside = next((c for c in merged if order.get(c.tag, len(order)) > rank), None)
            clone = copy.deepcopy(new[name])
            if beside is not None:
                beside.addprevious(clone)
            else:
                merged.append(clone)
    _set(parent, tag, merged)


def _set(parent: Any, tag: str, properties: Any) -> None:
    """Replace the property element of a run or paragraph; without content it goes."""
    found = parent.find(tag)
    if found is not None:
        parent.remove(found)
    if properties is not None and len(properties):
        parent.insert(0, copy.deepcopy(properties))
