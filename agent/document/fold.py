"""A newer state of the same document, folded into the mirror: what the user did elsewhere, as one change of it.

Blocks are aligned by content, so those that are still there keep their ids, wherever they stand now. A paragraph that was
changed takes only what was typed, deleted and formatted; where that does not lead to the newer one exactly, its runs are
replaced, as few as may be. What says nothing (`agent.document.form`) changes nothing.

`fold` takes a whole file; `Folding` alone makes some blocks like others, for hosts that compare in their own way.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part, XmlPart
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.parts.image import ImagePart
from lxml import etree

from agent.document.adopt import (
    NOTES,
    bookmark_ids,
    companion,
    free_name,
    list_digests,
    next_number,
    part_digest,
    plain,
)
from agent.document.align import Item, match, staying
from agent.document.form import form, is_noise, is_noisy_attribute
from agent.document.merge import make_like
from agent.document.mirror import Mirror
from agent.document.names import (
    MC,
    REVISIONS,
    W14,
    W_BODY,
    W_P,
    W_R,
    W_SDT,
    W_T,
    W_TBL,
    W_TC,
    W_TR,
    W_TXBX,
    W_VAL,
    WP,
    R,
    W,
)
from agent.document.package import DEFAULT_LIMITS, Limits, make_part, relationships
from agent.errors import RevisionMismatch

if TYPE_CHECKING:
    from docx.package import Package

    from agent.document.editor import Editor

_INLINE = {
    W + n for n in ("hyperlink", "ins", "del", "moveFrom", "moveTo", "smartTag", "fldSimple", "customXml")
}
_NESTING = {W_TBL, W_TR, W_TC, W_SDT, W + "sdtContent", W_BODY, W_TXBX, *_INLINE}
_NESTING |= {W + n for n in ("footnote", "endnote", "comment", "hdr", "ftr")}
_STORIES = {W_BODY, W + "hdr", W + "ftr"}
_KEYS = {
    W + "style": W + "styleId",
    W + "num": W + "numId",
    W + "abstractNum": W + "abstractNumId",
    W + "footnote": W + "id",
    W + "endnote": W + "id",
    W + "comment": W + "id",
    W + "font": W + "name",
}
_Element = etree.ElementBase
_TEXT: Any = _Element.text


def fold(mirror: Mirror, data: bytes, key: str = "u", limits: Limits = DEFAULT_LIMITS) -> Editor:
    """Make the mirror like a newer file of the same document, in one transaction. The editor that is returned has what was done
    (`delta`, empty for nothing) and says it (`changes()`). Raises `DocumentError` if the file cannot be read.
    """
    newer = Mirror.open(data, mirror.name, limits)
    with mirror.edit(key) as editor:
        fold_newer(editor, newer)
    return editor


def fold_newer(editor: Editor, newer: Mirror) -> None:
    """The same in a transaction that is open already; the newer document is used up."""
    _File(editor.mirror, newer, editor).fold()


class Folding:
    """Makes elements of the mirror like others, which are in the mirror's terms already; within a transaction."""

    def __init__(
        self,
        editor: Editor,
        same: Callable[[Any, Any], bool] | None = None,
    ) -> None:
        self._mirror = editor.mirror
        self._editor = editor
        self._same = same
        self._rels: dict[str, Any] = {}
        self._gone: tuple[set[str], set[str]] = (set(), set())
        self._ignorable: tuple[set[str], set[str]] = (set(), set())
        self._numbers: set[str] | None = None

    def enter(self, part: Part, ours: Any, theirs: Any) -> None:
        """From here on elements of this part, below these roots, are compared."""
        self._rels = {rid: ("to", rel.type, rel.target) for rid, rel in relationships(part).items()}
        self._gone = (_cursors(ours), _cursors(theirs))
        self._ignorable = (_ignorable(ours), _ignorable(theirs))

    def key(self, element: Any) -> bytes:
        """Equal for elements that say the same."""
        gone = self._gone[0] | self._gone[1] if self._gone[0] or self._gone[1] else ()
        return hashlib.blake2b(repr(form(element, self._rels, gone)).encode(), digest_size=16).digest()

    def same(self, ours: Any, theirs: Any) -> bool:
        """Whether nothing is to be done."""
        if self._same is not None and self._same(ours, theirs):
            return True
        return self.key(ours) == self.key(theirs)

    # -- lists of elements ---------------------------------------------------------------------------------------------

    def children(self, ours: Any, theirs: Any) -> None:
        """Make the content of a container like that of another; what is in both stays the element that it is."""
        old = [e for e in ours if not is_noise(e, self._gone[0]) and e.tag != W_BODY]
        new = [e for e in theirs if not is_noise(e, self._gone[1]) and e.tag != W_BODY]
        keyed = ours.tag not in _NESTING
        pairs = self._pairs(old, new, keyed=keyed)
        columns = _columns(old, new, pairs) if ours.tag == W_TBL else None
        for j, i in pairs.items():
            self.become(old[i], new[j], columns)
        self.arrange(ours, old, new, pairs, ordered=not keyed)

    def _pairs(self, old: Sequence[Any], new: Sequence[Any], *, keyed: bool) -> dict[int, int]:
        names_old, names_new = [_name(e) for e in old], [_name(e) for e in new]
        once_old, once_new = Counter(names_old), Counter(names_new)
        blocks = (W_P, W_TBL, W_SDT, W_TR, W_TC, W_R)
        at = {
            n: i for i, n in enumerate(names_old) if once_old[n] == 1 and (keyed or old[i].tag not in blocks)
        }
        pairs = {j: at[n] for j, n in enumerate(names_new) if once_new[n] == 1 and n in at}
        taken = set(pairs.values())
        rest_old = [i for i in range(len(old)) if i not in taken]
        rest_new = [j for j in range(len(new)) if j not in pairs]
        found = match([self.item(old[i]) for i in rest_old], [self.item(new[j]) for j in rest_new])
        return pairs | {rest_new[j]: rest_old[i] for j, i in found.items()}

    def item(self, element: Any, key: Any = None) -> Item:
        """What is known of an element when it is aligned."""
        hint = element.get(W14 + "paraId", "") if element.tag == W_P else ""
        return Item(key if key is not None else self.key(element), str(element.tag), _words(element), hint)

    def arrange(
        self,
        container: Any,
        old: Sequence[Any],
        new: Sequence[Any],
        pairs: Mapping[int, int],
        *,
        ordered: bool = True,
    ) -> None:
        """Give a container the elements of the new list in its order: those of the old list that they are paired with, and
        copies of the others. In an unordered one nothing that is there already moves.
        """
        kept = set(pairs.values())
        for i, element in enumerate(old):
            if i not in kept:
                container.remove(element)
        stay = staying([pairs[j] for j in sorted(pairs)]) if ordered else kept
        previous = None
        for j, element in enumerate(new):
            mine = old[pairs[j]] if j in pairs else None
            if mine is None or pairs[j] not in stay:
                mine = self.take(element) if mine is None else mine
                if previous is None:
                    container.insert(0, mine)
                else:
                    previous.addnext(mine)
            previous = mine

    # -- one element ---------------------------------------------------------------------------------------------------

    def become(self, ours: Any, theirs: Any, columns: Mapping[int, int] | None = None) -> None:
        """Make an element say what another says; it stays the element that it is, and so does what is the same inside."""
        if self.same(ours, theirs):
            return
        if ours.tag == W_P:
            self._paragraph(ours, theirs)
        else:
            self._attributes(ours, theirs)
            if ours.tag == W_TR and columns is not None:
                self._row(ours, theirs, columns)
            elif ours.tag in _NESTING:
                self.children(ours, theirs)
            elif _boxed_alike(ours, theirs):
                for inner, other in zip(ours, theirs, strict=True):
                    self.become(inner, other)
            else:
                self._content(ours, theirs)
        if self._same is None and self.key(ours) != self.key(theirs):
            self._content(ours, theirs)  # whatever it is that is not understood here: the content, whole

    def _paragraph(self, ours: Any, theirs: Any) -> None:
        self._attributes(ours, theirs)
        if next(ours.iter(W_TXBX), None) is None and next(theirs.iter(W_TXBX), None) is None:
            try:
                if make_like(ours, theirs, lambda trial: self.key(trial) == self.key(theirs)):
                    return
            except RevisionMismatch:
                pass
        self.children(ours, theirs)

    def _row(self, ours: Any, theirs: Any, columns: Mapping[int, int]) -> None:
        """The columns are known from the whole table: an empty cell says nothing of where it belongs."""
        old = [e for e in ours if not is_noise(e)]
        new = [e for e in theirs if not is_noise(e)]
        mine = [i for i, e in enumerate(old) if e.tag == W_TC]
        other = [j for j, e in enumerate(new) if e.tag == W_TC]
        pairs = {other[j]: mine[i] for j, i in columns.items()}
        at = {e.tag: i for i, e in enumerate(old) if e.tag != W_TC}
        pairs |= {j: at[e.tag] for j, e in enumerate(new) if e.tag in at}
        for j, i in pairs.items():
            self.become(old[i], new[j])
        self.arrange(ours, old, new, pairs)

    def _attributes(self, ours: Any, theirs: Any) -> None:
        for name in list(ours.attrib):
            if not is_noisy_attribute(ours, name) and name not in theirs.attrib:
                del ours.attrib[name]
        for name, value in theirs.attrib.items():
            own = ours.get(name)
            if name.startswith(R) and own is not None and self._rels.get(own) == self._rels.get(value, value):
                continue
            if own != value and not is_noisy_attribute(ours, name):
                ours.set(name, value)

    def _content(self, ours: Any, theirs: Any) -> None:
        for child in list(ours):
            ours.remove(child)
        words = _TEXT.__get__(theirs)  # python-docx's paragraphs and runs have a `text` of their own
        if (_TEXT.__get__(ours) or "") != (words or ""):
            BaseOxmlElement.text.__set__(ours, words)  # type: ignore[attr-defined]
        for child in theirs:
            if isinstance(child.tag, str) and not is_noise(child, self._gone[1]):
                ours.append(self.take(child))

    def take(self, element: Any) -> Any:
        """A copy that can be put into the mirror: without noise, with numbers that are free, and with what it needs to say
        which of its namespaces older programs may pass over.
        """
        new = parse_xml(etree.tostring(element, with_tail=False))
        lacking = self._ignorable[1] - self._ignorable[0]
        used = {etree.QName(e).namespace for e in new.iter(etree.Element)} if lacking else set()
        if lacking:
            used |= {
                etree.QName(n).namespace for e in new.iter(etree.Element) for n in e.attrib if n[0] == "{"
            }
        prefixes = [p for p, uri in new.nsmap.items() if p and uri in lacking & used]
        required = {p for c in new.iter(MC + "Choice") for p in c.get("Requires", "").split()}
        required |= {p for e in new.iter(etree.Element) for p in (e.get(MC + "Ignorable") or "").split()}
        etree.cleanup_namespaces(new, keep_ns_prefixes=[*prefixes, *required])
        if prefixes:
            new.set(
                MC + "Ignorable", " ".join(sorted({*prefixes, *(new.get(MC + "Ignorable") or "").split()}))
            )
        for node in [e for e in new.iter(etree.Element) if is_noise(e, self._gone[1]) and e is not new]:
            above = node.getparent()
            if node.tag != W_R and above is not None:
                above.remove(node)
        self._renumber(new)
        return new

    def _renumber(self, new: Any) -> None:
        """Drawings and revisions whose number is taken get another."""
        found = [e for e in new.iter(etree.Element) if e.tag in REVISIONS or e.tag == WP + "docPr"]
        if not found:
            return
        if self._numbers is None:
            self._numbers = {
                value
                for s in self._mirror.stories()
                for e in s.container.iter(WP + "docPr", W + "bookmarkStart", W + "comment", *REVISIONS)
                for value in (e.get("id"), e.get(W + "id"))
                if value is not None
            }
        for node in found:
            name = "id" if node.tag == WP + "docPr" else W + "id"
            value = node.get(name)
            if value is not None and value in self._numbers and not _in_fallback(node):
                value = next_number(self._numbers)
                node.set(name, value)
            self._numbers.add(value or "")


# -- a whole file ------------------------------------------------------------------------------------------------------


class _File:
    """The parts of a newer file, one by one, with what refers from one to another."""

    def __init__(self, mirror: Mirror, newer: Mirror, editor: Editor) -> None:
        self._mirror, self._newer, self._editor = mirror, newer, editor
        self._pairs: dict[str, str] = {
            "/": "/"
        }  # names of parts of the newer file, and which part of the mirror each is
        self._made: dict[str, Part] = {}

    def fold(self) -> None:
        ours, theirs = self._mirror.file, self._newer.file
        self._pair(str(theirs.document_part.partname), str(ours.document_part.partname))
        self._find_pairs()
        for part in list(theirs.parts.values()):
            if isinstance(part, XmlPart):
                _ = part.element
        self._rewrite(self._lists(), self._notes(), bookmark_ids(self._mirror, self._newer))
        removed = []
        for name, mine in list(self._pairs.items()):
            removed.append((mine, self._relate(name, mine)))
        for name, mine in self._pairs.items():
            if name != "/":
                self._part(theirs.parts[name], ours.parts[mine])
        for mine, gone in removed:
            source = self._source(ours, mine)
            for rid in gone:
                del source.rels[rid]

    # -- which part is which ---------------------------------------------------------------------------------------

    def _pair(self, name: str, mine: str) -> None:
        self._pairs[name] = mine

    def _find_pairs(self) -> None:
        queue = deque(["/", str(self._newer.file.document_part.partname)])
        seen: set[str] = set()
        while queue:
            name = queue.popleft()
            if name in seen or name not in self._pairs:
                continue
            seen.add(name)
            theirs = _internal(self._source(self._newer.file, name))
            ours = _internal(self._source(self._mirror.file, self._pairs[name]))
            for kind, parts in theirs.items():
                self._pair_kind(parts, ours.get(kind, []))
            queue += [str(p.partname) for parts in theirs.values() for p in parts]

    def _pair_kind(self, theirs: Sequence[Part], ours: Sequence[Part]) -> None:
        taken = set(self._pairs.values())
        new = [p for p in theirs if str(p.partname) not in self._pairs]
        old = [p for p in ours if str(p.partname) not in taken]
        if len(theirs) == len(ours) == len(new) == len(old) == 1 and not isinstance(new[0], ImagePart):
            if _part_kind(new[0]) == _part_kind(old[0]):
                self._pair(str(new[0].partname), str(old[0].partname))
            return
        found = match([_part_item(p) for p in old], [_part_item(p) for p in new])
        for j, i in found.items():
            if not isinstance(new[j], ImagePart) or part_digest(new[j]) == part_digest(old[i]):
                self._pair(str(new[j].partname), str(old[i].partname))

    @staticmethod
    def _source(file: Any, name: str) -> Package | Part:
        return file.package if name == "/" else file.parts[name]

    # -- what refers from one part to another ----------------------------------------------------------------------

    def _lists(self) -> dict[str, dict[str, str]]:
        """Numbers of lists, and of their definitions, as the mirror has them."""
        mine, other = companion(self._mirror, RT.NUMBERING), companion(self._newer, RT.NUMBERING)
        if mine is None or other is None:
            return {}
        old = {e.get(W + "abstractNumId", ""): plain(e) for e in mine.iterchildren(W + "abstractNum")}
        new = {e.get(W + "abstractNumId", ""): plain(e) for e in other.iterchildren(W + "abstractNum")}
        return {
            "abstract": renamed(new, old),
            "num": renamed(list_digests(self._newer), list_digests(self._mirror)),
        }

    def _notes(self) -> dict[str, dict[str, str]]:
        """Numbers of footnotes, endnotes and comments, as the mirror has them."""
        found: dict[str, dict[str, str]] = {}
        for reltype, _, entry in NOTES:
            mine = companion(self._mirror, reltype)
            other = companion(self._newer, reltype)
            if mine is None or other is None:
                continue
            old, new = list(mine.iterchildren(entry)), list(other.iterchildren(entry))
            pairs = match([_note_item(e) for e in old], [_note_item(e) for e in new])
            ids = {new[j].get(W + "id", ""): old[i].get(W + "id", "") for j, i in pairs.items()}
            used = {e.get(W + "id", "") for e in old}
            for element in new:
                value = element.get(W + "id", "")
                if value not in ids:
                    ids[value] = value if value not in used else next_number(used)
                    used.add(ids[value])
            found[entry] = ids
        return found

    def _rewrite(
        self,
        lists: Mapping[str, Mapping[str, str]],
        notes: Mapping[str, Mapping[str, str]],
        marks: Mapping[str, Mapping[str, str]],
    ) -> None:
        """Say these numbers in the newer file as the mirror says them."""
        common: dict[str, tuple[str, Mapping[str, str]]] = {
            W + "numId": (W_VAL, lists.get("num", {})),
            W + "num": (W + "numId", lists.get("num", {})),
            W + "abstractNumId": (W_VAL, lists.get("abstract", {})),
            W + "abstractNum": (W + "abstractNumId", lists.get("abstract", {})),
        }
        for _, reference, entry in NOTES:
            common[reference] = common[entry] = (W + "id", notes.get(entry, {}))
        comments = notes.get(W + "comment", {})
        common |= {
            W + "commentRangeStart": (W + "id", comments),
            W + "commentRangeEnd": (W + "id", comments),
        }
        for name, part in self._newer.file.parts.items():
            own = (W + "id", marks.get(name, {}))
            terms = {**common, W + "bookmarkStart": own, W + "bookmarkEnd": own}
            terms = {tag: term for tag, term in terms.items() if any(k != v for k, v in term[1].items())}
            for element in part.element.iter(*terms) if terms and isinstance(part, XmlPart) else ():
                attribute, values = terms[str(element.tag)]
                value = element.get(attribute)
                if value is not None and values.get(value, value) != value:
                    cast("Any", _Element).set(element, attribute, values[value])

    def _relate(self, name: str, mine: str) -> list[str]:
        """Give a part of the mirror the relationships of its newer self, and say them there by the mirror's ids. Returns those
        that nothing of the newer part speaks of.
        """
        theirs, ours = self._source(self._newer.file, name), self._source(self._mirror.file, mine)
        own = relationships(ours)
        free = dict(own)
        ids: dict[str, str] = {}
        targets = {
            rid: rel.target_ref
            if rel.is_external
            else str(self._target(rel.target_part, rel.reltype).partname)
            for rid, rel in theirs.rels.items()
        }
        for rid, rel in theirs.rels.items():
            if rid in free and (own[rid].type, own[rid].target) == (rel.reltype, targets[rid]):
                ids[rid] = rid
                del free[rid]
        for rid, rel in theirs.rels.items():
            if rid in ids:
                continue
            known = (
                r for r, o in {**free, **own}.items() if (o.type, o.target) == (rel.reltype, targets[rid])
            )
            found = next(known, None)
            if found is None:
                taken = {*own, *ours.rels, *getattr(ours.rels, "reserved", ())}
                found = (
                    rid
                    if rid not in taken
                    else next(f"rId{n}" for n in range(1, 10**6) if f"rId{n}" not in taken)
                )
                target = targets[rid] if rel.is_external else self._target(rel.target_part, rel.reltype)
                ours.load_rel(rel.reltype, target, found, rel.is_external)
            free.pop(found, None)
            ids[rid] = found
        if name != "/" and isinstance(theirs, XmlPart) and any(k != v for k, v in ids.items()):
            root: Any = theirs.element
            for element in root.iter(etree.Element):
                for attribute, value in list(element.attrib.items()):
                    if attribute.startswith(R) and value in ids:
                        _Element.set(element, attribute, ids[value])
        return list(free)

    def _target(self, part: Part, reltype: str) -> Part:
        """The mirror's part for one of the newer file; made if there is none."""
        name = str(part.partname)
        if name in self._pairs:
            return self._mirror.file.parts[self._pairs[name]]
        if name not in self._made:
            file = self._mirror.file
            taken = {**file.parts, **{str(p.partname): p for p in self._made.values()}}
            uri = PackURI(free_name(taken, name))
            made = make_part(uri, part.content_type, reltype, part.blob, file.package)
            self._made[name] = made
            if isinstance(made, ImagePart):
                file.package.image_parts.append(made)
            for rid, rel in part.rels.items():
                target = rel.target_ref if rel.is_external else self._target(rel.target_part, rel.reltype)
                made.load_rel(rel.reltype, target, rid, rel.is_external)
        return self._made[name]

    # -- one part --------------------------------------------------------------------------------------------------

    def _part(self, theirs: Part, ours: Part) -> None:
        if not isinstance(theirs, XmlPart) or not isinstance(ours, XmlPart):
            if theirs.blob != ours.blob:
                self._editor.transaction.set_blob(ours, theirs.blob)
            return
        old, new = ours.element, theirs.element
        if etree.tostring(old) == etree.tostring(new):
            return
        folding = Folding(self._editor)
        folding.enter(ours, old, new)
        folding._attributes(old, new)  # pyright: ignore[reportPrivateUsage]
        folding.children(old, new)
        body, newer = old.find(W_BODY), new.find(W_BODY)
        if body is not None and newer is not None:
            folding.children(body, newer)


# -- helpers -----------------------------------------------------------------------------------------------------------


def renamed(new: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, str]:
    """Names of the newer file to the mirror's: first those that mean the same under the same name, then those that mean the
    same; a name whose meaning is in the mirror no more is that of the entry that was changed.
    """
    found = {name: name for name in new if old.get(name) == new[name]}
    left = {name: meaning for name, meaning in old.items() if name not in found}
    for name in new:
        if name not in found:
            same = next((n for n, meaning in left.items() if meaning == new[name]), None)
            if same is not None:
                found[name] = same
                del left[same]
    used = {*found.values(), *old}
    for name in new:
        if name not in found:
            found[name] = name if name in left or name not in used else next_number(used)
            left.pop(name, None)
            used.add(found[name])
    return found


def _internal(source: Package | Part) -> dict[str, list[Part]]:
    found: dict[str, list[Part]] = {}
    for rel in source.rels.values():
        if not rel.is_external and rel.target_part not in found.get(rel.reltype, []):
            found.setdefault(rel.reltype, []).append(rel.target_part)
    return found


def _part_item(part: Part) -> Item:
    text = _words(part.element) if isinstance(part, XmlPart) else ""
    return Item(part_digest(part), _part_kind(part), text or str(part.partname), str(part.partname))


def _part_kind(part: Part) -> str:
    """Parts of different kinds are never the same one: an item of custom XML is known by its root only."""
    return f"{part.content_type} {part.element.tag if isinstance(part, XmlPart) else ''}"


def _note_item(entry: Any) -> Item:
    parts = form(entry, {})
    return Item(
        repr(parts[3]) + str(entry.get(W + "type")), str(entry.tag), _words(entry), str(entry.get(W + "type"))
    )


def _words(element: Any) -> str:
    if element.tag in (W_P, W_R):
        return "".join(t.text or "" for t in element.iter(W_T))
    return "\t".join(t.text or "" for t in element.iter(W_T))


def _name(element: Any) -> tuple[str, str]:
    """What an entry of a part is known by: its id, or that it is the only one of its kind."""
    return str(element.tag), element.get(_KEYS[element.tag], "") if element.tag in _KEYS else ""


def _cursors(root: Any) -> set[str]:
    return {e.get(W + "id", "") for e in root.iter(W + "bookmarkStart") if e.get(W + "name") == "_GoBack"}


def _ignorable(element: Any) -> set[str]:
    root = element.getroottree().getroot()
    return {root.nsmap[p] for p in (root.get(MC + "Ignorable") or "").split() if p in root.nsmap}


def _in_fallback(element: Any) -> bool:
    return next(element.iterancestors(MC + "Fallback"), None) is not None


def _boxed_alike(ours: Any, theirs: Any) -> bool:
    """Whether both hold text boxes and differ, at this level, in nothing but what their children hold."""
    return (
        next(ours.iter(W_TXBX), None) is not None
        and [c.tag for c in ours] == [c.tag for c in theirs]
        and all(isinstance(c.tag, str) for c in ours)
    )


def _columns(old: Sequence[Any], new: Sequence[Any], pairs: Mapping[int, int]) -> dict[int, int] | None:
    """Which column of a table is which; None if cells are merged or rows differ in length."""
    rows = [(old[i], new[j]) for j, i in sorted(pairs.items()) if new[j].tag == W_TR]
    mine = [list(o.iterchildren(W_TC)) for o, _ in rows]
    other = [list(n.iterchildren(W_TC)) for _, n in rows]
    if not rows or any(len({len(r) for r in side}) != 1 or not side[0] for side in (mine, other)):
        return None
    if any(next(r.iterchildren(W_SDT), None) is not None for pair in rows for r in pair):
        return None
    texts_old = [tuple(_words(c) for c in column) for column in zip(*mine, strict=True)]
    texts_new = [tuple(_words(c) for c in column) for column in zip(*other, strict=True)]
    if len(texts_old) == len(texts_new):
        same = sum(a == b for a, b in zip(texts_old, texts_new, strict=True))
        if same >= len(texts_old) - 1:
            return {n: n for n in range(len(texts_old))}
    items = [[Item(t, "column", "\n".join(t)) for t in side] for side in (texts_old, texts_new)]
    return match(items[0], items[1])
