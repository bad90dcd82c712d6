r"""The text of a paragraph as people see it, with offsets, and edits of it that keep every other character's format.

Sees through hyperlinks, content controls, insertions and moved-in text, smart tags, simple fields, directional
embeddings and the base of ruby text. Deleted and moved-away text (`w:del`, `w:moveFrom`), field codes (with the fields
nested in them) and ruby readings are not text; of alternatives (`mc:AlternateContent`) the first counts. A tab is "\t",
a line break "\n", a page or column break "\f", a non-breaking hyphen U+2011, a soft hyphen U+00AD. Drawings, note
references and text boxes have no width; a text box's paragraphs are paragraphs of their own.

Offsets are those of Python's strings (code points). What is found never begins or ends inside of what people see as one
character: a letter with its accent, an emoji with its skin tone.
"""

from __future__ import annotations

import copy
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import regex
from lxml import etree

from agent.document.elements import new_element
from agent.document.names import MC, W_P, W_R, W_RPR, W_T, XML, W

_THROUGH = {
    W + name
    for name in (
        "hyperlink",
        "ins",
        "moveTo",
        "smartTag",
        "sdt",
        "sdtContent",
        "fldSimple",
        "customXml",
        "dir",
        "bdo",
    )
}
_CHARACTERS = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "cr": "\n",
    W + "noBreakHyphen": "\u2011",
    W + "softHyphen": "\u00ad",
}
_BR = W + "br"
_SYM = W + "sym"
_FIELD_MARK, _FIELD_MARK_TYPE = W + "fldChar", W + "fldCharType"
_RUBY, _RUBY_BASE = W + "ruby", W + "rubyBase"
_ALTERNATIVES = MC + "AlternateContent"
_SPACE, _XML_SPACE = " \t\n\r", XML + "space"
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class Piece(NamedTuple):
    """One text-bearing node of a run and the offsets of its text in the paragraph."""

    start: int
    end: int
    run: Any
    node: Any
    text: str


def pieces_of(paragraph: Any) -> list[Piece]:
    """The text-bearing nodes of a `w:p` in order."""
    found: list[Piece] = []
    marks: list[tuple[int, str]] = []
    _collect(paragraph, found, marks, ruby=False)
    return _without_codes(found, marks) if marks else found


def _collect(container: Any, found: list[Piece], marks: list[tuple[int, str]], *, ruby: bool) -> None:
    """Append the pieces of a container, and the marks of fields with the number of pieces in front of each."""
    at = found[-1].end if found else 0
    stack = [iter(container)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == W_R:
            for node in element:
                tag = node.tag
                if tag == W_RPR:
                    continue
                text = node_text(node)
                if text:
                    found.append(Piece(at, at + len(text), element, node, text))
                    at += len(text)
                elif tag == _FIELD_MARK:
                    marks.append((len(found), node.get(_FIELD_MARK_TYPE, "")))
                elif tag == _RUBY and not ruby:
                    for base in node.iterchildren(_RUBY_BASE):
                        _collect(base, found, marks, ruby=True)
                    at = found[-1].end if found else 0
        elif (inside := _seen_through(element)) is not None:
            stack.append(iter(inside))


def _seen_through(element: Any) -> Any | None:
    """What holds the runs inside an element of a paragraph, if it is one that text is seen through."""
    if element.tag in _THROUGH:
        return element
    return _shown(element) if element.tag == _ALTERNATIVES else None


def _shown(alternatives: Any) -> Any | None:
    """Of alternatives, the one that Word shows; it knows what it writes first."""
    choice = alternatives.find(MC + "Choice")
    return choice if choice is not None else alternatives.find(MC + "Fallback")


def _without_codes(pieces: list[Piece], marks: list[tuple[int, str]]) -> list[Piece]:
    """The pieces but for those in the code of a field, where the result of a nested field is code as well. A field that does not
    begin and go on to its result (or end) in this paragraph hides nothing.
    """
    hidden: set[int] = set()
    fields: list[tuple[int, bool]] = []
    for index, kind in marks:
        if kind == "begin":
            fields.append((index, True))
        elif fields:
            begin, is_code = fields.pop()
            if is_code:
                hidden.update(range(begin, index))
            if kind == "separate":
                fields.append((begin, False))
    if not hidden:
        return pieces
    found: list[Piece] = []
    at = 0
    for index, piece in enumerate(pieces):
        if index not in hidden:
            end = at + piece.end - piece.start
            found.append(Piece(at, end, piece.run, piece.node, piece.text))
            at = end
    return found


def node_text(node: Any) -> str:
    """The text of one node of a run."""
    tag = node.tag
    if tag == W_T:
        text = node.text or ""
        if text and (text[0] in _SPACE or text[-1] in _SPACE):
            return text if node.get(_XML_SPACE) == "preserve" or _preserves(node) else text.strip(_SPACE)
        return text
    if tag == _BR:
        return "\f" if node.get(W + "type") in ("page", "column") else "\n"
    if tag == _SYM:
        return _symbol(node.get(W + "char", "20"))
    if tag == _ALTERNATIVES:
        return _first_alternative(node)
    return _CHARACTERS.get(tag, "")


def _preserves(node: Any) -> bool:
    """Whether the spaces at the edges of a `w:t` are there for Word: `xml:space` of it or of what it is in."""
    while node is not None:
        space = node.get(_XML_SPACE)
        if space is not None:
            return space == "preserve"
        node = node.getparent()
    return False


def _first_alternative(node: Any) -> str:
    """An emoji in Word's own notation, `w16se:symEx`, stands as a plain character in the `mc:Fallback` only."""
    choice = _shown(node)
    if choice is None:
        return ""
    if any(e.tag.__class__ is str and e.tag.endswith("}symEx") for e in choice):
        choice = node.find(MC + "Fallback")
    return "".join(node_text(e) for e in choice if e.tag != _ALTERNATIVES) if choice is not None else ""


def _symbol(code: str) -> str:
    """The character of a `w:sym`, in a font of symbols mostly U+F0xx; U+FFFD if the file names none."""
    value = int(code, 16) if re.fullmatch("[0-9A-Fa-f]{1,6}", code) else 0
    legal_ = 0x20 <= value < 0xD800 or 0xE000 <= value < 0xFFFE or 0x10000 <= value < 0x110000
    return chr(value) if legal_ else "\ufffd"


def text_of(paragraph: Any) -> str:
    """The text of a paragraph, or of a link or another part of one."""
    return "".join([piece.text for piece in pieces_of(paragraph)])


def runs_of(paragraph: Any) -> list[Any]:
    """The `w:r` elements that the text lies in, in order, also those without text."""
    found: list[Any] = []
    stack = [iter(paragraph)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == W_R:
            found.append(element)
            if element.getparent().tag != _RUBY_BASE:
                bases = [b for r in element.iterchildren(_RUBY) for b in r.iterchildren(_RUBY_BASE)]
                stack += [iter(base) for base in reversed(bases)]
        elif (inside := _seen_through(element)) is not None:
            stack.append(iter(inside))
    return found


def isolate(paragraph: Any, start: int, end: int) -> list[Any]:
    """Split runs so that some of them hold exactly the characters `start` to `end`; those runs, in order."""
    _split_at(paragraph, start)
    _split_at(paragraph, end)
    runs: list[Any] = []
    for piece in pieces_of(paragraph):
        if start <= piece.start and piece.end <= end and (not runs or runs[-1] is not piece.run):
            runs.append(piece.run)
    return runs


def _split_at(paragraph: Any, offset: int) -> None:
    pieces = pieces_of(paragraph)
    index = next((i for i, piece in enumerate(pieces) if piece.end > offset), None)
    if index is None:
        return
    piece = pieces[index]
    if piece.start < offset:
        _split_node(piece, offset - piece.start)
        return
    if _stands_behind_something(piece.node):
        _split_run(piece.run, piece.node)
    ruby = _ruby_of(piece.run)
    is_first = index == 0 or _ruby_of(pieces[index - 1].run) is not ruby
    if ruby is not None and is_first and _stands_behind_something(ruby):
        _split_run(ruby.getparent(), ruby)


def _split_node(piece: Piece, cut: int) -> None:
    text = node_text(piece.node)
    node = piece.node
    if node.tag != W_T:  # several characters in Word's own notation for one: from now on in letters
        node = new_element("w:t")
        piece.run.replace(piece.node, node)
    rest = new_element("w:t")
    _set_text(rest, text[cut:])
    node.addnext(rest)
    _set_text(node, text[:cut])
    _split_run(piece.run, rest)


def _stands_behind_something(node: Any) -> bool:
    before = node.getprevious()
    return before is not None and before.tag != W_RPR


def _ruby_of(run: Any) -> Any | None:
    """The `w:ruby` whose base a run is in."""
    base = run.getparent()
    while base is not None and base.tag not in (_RUBY_BASE, W_P):
        base = base.getparent()
    return base.getparent() if base is not None and base.tag == _RUBY_BASE else None


def run_in_line(run: Any) -> Any:
    """The run itself, or that which holds the ruby text whose base it is in: what links and marks can stand beside."""
    ruby = _ruby_of(run)
    return run if ruby is None else ruby.getparent()


def divides_ruby(runs: Iterable[Any]) -> bool:
    """Whether some of the text of a ruby's base is in these runs and some is not."""
    chosen = set(runs)
    rubies = {r for run in chosen if (r := _ruby_of(run)) is not None}
    texts_ = (run for ruby in rubies for run in ruby.iter(W_R) if _ruby_of(run) is ruby)
    return any(run not in chosen and any(map(node_text, run)) for run in texts_)


def _split_run(run: Any, first: Any) -> None:
    """Move `first` and what follows it in the run into a new run of the same format behind it."""
    new = new_element("w:r")
    if run.find(W_RPR) is not None:
        new.append(copy.deepcopy(run.find(W_RPR)))
    moving = [first, *first.itersiblings()]
    for node in moving:
        new.append(node)
    run.addnext(new)


def replace(paragraph: Any, start: int, end: int, text: str) -> None:
    """Replace the characters `start` to `end`; the new ones look like the first replaced one (for an insertion, like
    the one before, or after at the start of the paragraph). Everything else keeps its format. Ruby text of which the whole base
    is replaced goes: its reading was that of the old word.
    """
    if start == end:
        _insert(paragraph, start, text)
        return
    runs = isolate(paragraph, start, end)
    every = pieces_of(paragraph)
    pieces = [p for p in every if start <= p.start and p.end <= end]
    left = {_ruby_of(p.run) for p in every if p.end <= start or end <= p.start}
    for index, piece in enumerate(pieces):
        if index == 0 and text:
            _put_before(piece, nodes_for(text), left)
        piece.run.remove(piece.node)
    for run in runs:
        ruby = _ruby_of(run)
        if ruby is not None and ruby not in left and ruby.getparent() is not None:
            outer = ruby.getparent()
            outer.remove(ruby)
            remove_if_empty(outer)
        elif ruby is None or ruby in left:
            remove_if_empty(run)


def _put_before(piece: Piece, nodes: list[Any], left: set[Any]) -> None:
    ruby = _ruby_of(piece.run)
    if ruby is None or ruby in left:
        for node in nodes:
            piece.node.addprevious(node)
        return
    run = new_element("w:r")
    rpr = piece.run.find(W_RPR)
    if rpr is not None:
        run.append(copy.deepcopy(rpr))
    for node in nodes:
        run.append(node)
    ruby.getparent().addprevious(run)


def _insert(paragraph: Any, offset: int, text: str) -> None:
    """Into the run before, or after at the start. At the end (or start) of a link, a field's result or a ruby's base it goes
    outside: Word does so too, and what lies in a result is lost when the field is updated.
    """
    if not text:
        return
    _split_at(paragraph, offset)
    pieces = pieces_of(paragraph)
    before = next((p for p in reversed(pieces) if p.end == offset), None)
    after = next((p for p in pieces if p.start == offset), None)
    anchor = before or after
    if anchor is None:
        _insert_into_empty(paragraph, text)
        return
    if before is not None:
        _part_from_field_end(before)
    edge = _outer_edge(anchor.run, after.run if after else None, forward=before is not None)
    if edge is None:
        nodes = nodes_for(text)
        for node in reversed(nodes) if before is not None else nodes:
            (anchor.node.addnext if before is not None else anchor.node.addprevious)(node)
        return
    run: Any = new_element("w:r")
    beside = edge.getnext() if before is not None else edge.getprevious()
    is_ruby = edge.find(_RUBY) is not None
    plain = beside if beside is not None and beside.tag == W_R and not is_ruby else None
    rpr = (plain if plain is not None else anchor.run).find(W_RPR)
    if rpr is not None:
        run.append(copy.deepcopy(rpr))
        if plain is None and not is_ruby:
            for name in ("rStyle", "u", "color"):
                for child in run[0].findall(W + name):
                    run[0].remove(child)
    for node in nodes_for(text):
        run.append(node)
    (edge.addnext if before is not None else edge.addprevious)(run)


def _insert_into_empty(paragraph: Any, text: str) -> None:
    runs = runs_of(paragraph)
    run: Any = new_element("w:r")
    mark = paragraph.find(f"{W}pPr/{W_RPR}")
    for child in mark if mark is not None else ():
        if child.tag not in (W + "ins", W + "del", W + "moveFrom", W + "moveTo", W + "rPrChange"):
            run.get_or_add_rPr().append(copy.deepcopy(child))
    for node in nodes_for(text):
        run.append(node)
    if runs:
        runs[0].addprevious(run)
    else:
        paragraph.append(run)


def _part_from_field_end(piece: Piece) -> None:
    """The end of a field that stands in the same run as its result gets a run of its own."""
    for node in piece.node.itersiblings():
        if node.tag == _FIELD_MARK and node.get(_FIELD_MARK_TYPE) == "end":
            _split_run(piece.run, node)
            return
        if node_text(node):
            return


def _outer_edge(run: Any, following: Any, *, forward: bool) -> Any | None:
    """The link, field or ruby that ends (or starts) with the run: the element to put new text beside. None inside or outside of
    one.
    """
    inside = {following, *following.iterancestors()} if following is not None and forward else set[Any]()
    edge, node = None, run
    while (holder := _holder_of(node)) is not None and holder not in inside:
        edge = node = holder
    beside = node.getnext() if forward else node.getprevious()
    while beside is not None and beside.tag in _BESIDE and beside not in inside:
        marks = [m.get(_FIELD_MARK_TYPE) for m in beside.iterchildren(_FIELD_MARK)]
        if ("begin" if forward else "end") in marks or beside.find(_RUBY) is not None:
            break
        if ("end" if forward else "begin") in marks:
            edge = beside
        elif any(node_text(n) for n in beside):
            break
        beside = beside.getnext() if forward else beside.getprevious()
    return edge


_BESIDE = {W_R} | {
    W + name
    for name in ("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "proofErr", "permStart", "permEnd")
}  # fmt: skip


def _holder_of(element: Any) -> Any | None:
    """The nearest link or simple field that an element is in, or the run of the ruby text that it is the base of."""
    node = element.getparent()
    while node is not None and node.tag != W_P:
        if node.tag in (W + "hyperlink", W + "fldSimple"):
            return node
        if node.tag == _RUBY:
            return node.getparent()
        node = node.getparent()
    return None


def _is_linked(run: Any) -> bool:
    return any(a.tag in (W + "hyperlink", W + "fldSimple") for a in run.iterancestors())


def dominant_format(paragraph: Any) -> Any | None:
    """A copy of the `w:rPr` that most of the characters have, those of links left out; None if they have none."""
    weights: dict[bytes, int] = {}
    formats: dict[bytes, Any] = {}
    pieces = pieces_of(paragraph)
    own = [p for p in pieces if p.run.getparent() is paragraph or not _is_linked(p.run)] or pieces
    for piece in own:
        rpr = piece.run.find(W_RPR)
        key = etree.tostring(rpr, with_tail=False) if rpr is not None and len(own) > 1 else b""
        weights[key] = weights.get(key, 0) + piece.end - piece.start
        formats[key] = rpr
    found = formats[max(weights, key=lambda k: weights[k])] if weights else None
    if found is None:
        return None
    clone = copy.deepcopy(found)
    for name in ("rPrChange", "ins", "del", "moveFrom", "moveTo", "vanish"):
        for child in clone.findall(W + name):
            clone.remove(child)
    return clone


def nodes_for(text: str) -> list[Any]:
    """The nodes of a run for some text, made `legal`: `w:t`, and `w:tab` and `w:br` for tabs and line breaks."""
    found: list[Any] = []
    for token in re.split(r"([\t\n\f])", legal(text)):
        if token == "\t":
            found.append(new_element("w:tab"))
        elif token in ("\n", "\f"):
            found.append(new_element("w:br", {W + "type": "page"} if token == "\f" else None))
        elif token:
            node = new_element("w:t")
            _set_text(node, token)
            found.append(node)
    return found


def legal(text: str) -> str:
    r"""A text as a paragraph can hold it: line ends as "\n", without characters that XML has no place for."""
    return _ILLEGAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\v", "\n"))


def _set_text(node: Any, text: str) -> None:
    node.text = text
    if text != text.strip():
        node.set(_XML_SPACE, "preserve")


def remove_if_empty(run: Any) -> None:
    """Remove a run that holds nothing but its format, and the wrappers that it leaves empty. The last one of a field's result
    stays: without any, Word offers to repair the file.
    """
    if any(child.tag != W_RPR for child in run) or _is_only_result(run):
        return
    parent = run.getparent()
    parent.remove(run)
    while parent.tag in _THROUGH and parent.tag != W + "sdtContent" and len(parent) == 0:
        empty, parent = parent, parent.getparent()
        parent.remove(empty)


def _is_only_result(run: Any) -> bool:
    before, after = run.getprevious(), run.getnext()
    return (
        before is not None
        and after is not None
        and before.find(f"{_FIELD_MARK}[@{_FIELD_MARK_TYPE}='separate']") is not None
        and after.find(f"{_FIELD_MARK}[@{_FIELD_MARK_TYPE}='end']") is not None
    )


def find_all(
    text: str, needle: str, *, match_case: bool = True, whole_word: bool = False
) -> list[tuple[int, int]]:
    """Offsets of every match, left to right, not overlapping. A straight quote or apostrophe in the needle also finds the curly
    ones, a space also a no-break space, a hyphen also a non-breaking one, and an accented letter is found however it is written;
    soft hyphens in the text are passed over.
    """
    pattern = _pattern(needle, match_case, whole_word, "\u00ad" in text)
    return whole_characters(text, [m.span() for m in pattern.finditer(text) if m.end() > m.start()])


def lowered(text: str) -> str:
    """A text as `may_hold` wants it."""
    return text.replace("\u00ad", "").lower()


@lru_cache(maxsize=256)
def _surest(words: str) -> str:
    # letters that some other letter is the small or capital form of (dotless i, long s, the Kelvin sign) are not sure
    return max(
        re.findall(r"[a-hj-rt-z0-9]+", unicodedata.normalize("NFC", words).lower().replace("k", " ")),
        key=len,
        default="",
    )


def may_hold(lowered_text: str, words: str) -> bool:
    """Whether `find_all` could find the words in a text, in whatever case; False is certain."""
    return _surest(words) in lowered_text


@lru_cache(maxsize=256)
def _pattern(needle: str, match_case: bool, whole_word: bool, soft_hyphens: bool) -> regex.Pattern[str]:
    between = "\u00ad*" if soft_hyphens and "\u00ad" not in needle else ""
    pattern = between.join(map(_lenient, _clusters(needle)))
    if whole_word:
        pattern = rf"(?<![\w\p{{M}}]){pattern}(?![\w\p{{M}}])"
    return regex.compile(pattern, 0 if match_case else regex.IGNORECASE)


def whole_characters(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those spans that begin and end between what people see as characters."""
    if not spans or text.isascii():
        return spans
    edges = {m.start() for m in _CLUSTER.finditer(text)} | {len(text)}
    return [(a, b) for a, b in spans if a in edges and b in edges]


def _clusters(text: str) -> list[str]:
    """What people see as characters, one by one."""
    return list(text) if text.isascii() else _CLUSTER.findall(text)


def _lenient(cluster: str) -> str:
    forms = dict.fromkeys([cluster, *(unicodedata.normalize(form, cluster) for form in ("NFC", "NFD"))])
    if len(forms) > 1:
        return f"(?:{'|'.join(map(re.escape, forms))})"
    return _LENIENT.get(cluster, re.escape(cluster))


# "\r\n" is one cluster to Unicode; here a line end counts as what it is
_CLUSTER = regex.compile(r"\r(?=\n)|\X")
_LENIENT = {"'": "['\u2018\u2019]", '"': '["\u201c\u201d\u201e]', " ": "[ \u00a0]", "-": "[-\u2011]"}


def paragraph_of(element: Any) -> Any:
    """The nearest `w:p` that holds the element, or None."""
    node = element
    while node is not None and node.tag != W_P:
        node = node.getparent()
    return node
