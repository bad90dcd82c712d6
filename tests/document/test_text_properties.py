"""Random paragraphs of all that can be around text, with every character known beforehand.

A generator makes the XML and, beside it, what each character is, looks like and lies in; `look` reads them back in a way of
its own. Whatever is replaced or formatted: all other characters, and what is no text, are what they were.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from agent.document import text as texts
from agent.document.mirror import Mirror
from agent.document.names import MC, W_R, W_RPR, W_T, W
from agent.errors import OperationError
from tests.operations.trial import attempt
from tests.support.documents import canonical

# -- what a paragraph is made of ---------------------------------------------------------------------------------------

Tree = tuple[Any, ...]
WORDS = st.text("ab \u00e9\u4e00\u0301\u05d0\U0001f600", min_size=1, max_size=4)
FORMATS = st.frozensets(st.sampled_from(["b", "i", "caps"]), max_size=2)
RUNS = st.tuples(st.just("run"), WORDS, FORMATS)
SYMEX = "http://schemas.microsoft.com/office/word/2015/wordml/symex"
CHARACTERS = {
    "<w:tab/>": "\t", "<w:ptab/>": "\t", "<w:br/>": "\n", "<w:cr/>": "\n", '<w:br w:type="page"/>': "\f",
    "<w:noBreakHyphen/>": "\u2011", "<w:softHyphen/>": "\u00ad", '<w:sym w:char="F04A"/>': "\uf04a",
    '<w:footnoteReference w:id="1"/>': "", "<w:drawing/>": "", "<w:lastRenderedPageBreak/>": "", "<w:t> </w:t>": "",
    "<w:t>x</w:t><w:tab/><w:t>y</w:t>": "x\ty", "<w:t>p</w:t><w:drawing/><w:t>q</w:t>": "pq",
    f'<mc:AlternateContent xmlns:mc="{MC[1:-1]}" xmlns:w16se="{SYMEX}"><mc:Choice Requires="w16se"><w16se:symEx '
    'w16se:char="1F44D"/></mc:Choice><mc:Fallback><w:t>\U0001f44d\U0001f3fd</w:t></mc:Fallback></mc:AlternateContent>':
    "\U0001f44d\U0001f3fd",
}  # fmt: skip
SPECIALS = st.tuples(st.just("special"), st.sampled_from(list(CHARACTERS)), FORMATS)
MARKS = st.tuples(
    st.just("mark"),
    st.sampled_from(['<w:bookmarkStart w:id="1" w:name="x"/>', '<w:bookmarkEnd w:id="1"/>', "<w:proofErr w:type='spellEnd'/>"]),
)  # fmt: skip
UNSEEN = st.tuples(st.sampled_from(["del", "moveFrom"]), WORDS)
RUBY = st.tuples(st.just("ruby"), WORDS, FORMATS, WORDS)
LEAVES = st.one_of(RUNS, RUNS, RUNS, SPECIALS, MARKS, UNSEEN, RUBY)
KINDS = ["hyperlink", "ins", "moveTo", "smartTag", "customXml", "sdt", "fldSimple", "dir", "bdo", "choice"]


def nested(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    inside = st.lists(children, min_size=1, max_size=3)
    return st.one_of(
        st.tuples(st.just("wrap"), st.sampled_from(KINDS), inside),
        st.tuples(st.just("field"), WORDS, inside, st.booleans()),
    )


PARAGRAPHS = st.lists(st.recursive(LEAVES, nested, max_leaves=6), max_size=6)


@dataclass(frozen=True)
class Character:
    """One character, how it looks, and what it lies in (kind and number)."""

    character: str
    format: frozenset[str]
    around: tuple[tuple[str, str], ...]


@dataclass
class Made:
    """A paragraph in the making."""

    characters: list[Character] = field(default_factory=list[Character])
    unseen: list[str] = field(default_factory=list[str])
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))


def rpr(formats: frozenset[str]) -> str:
    return f"<w:rPr>{''.join(f'<w:{f}/>' for f in sorted(formats))}</w:rPr>" if formats else ""


def run(content: str, formats: frozenset[str] = frozenset()) -> str:
    return f"<w:r>{rpr(formats)}{content}</w:r>"


def t(text: str, tag: str = "t") -> str:
    return f'<w:{tag} xml:space="preserve">{text}</w:{tag}>'


def mark(kind: str) -> str:
    return run(f'<w:fldChar w:fldCharType="{kind}"/>')


def written(tree: Tree, made: Made, around: tuple[tuple[str, str], ...] = ()) -> str:
    """The XML of a part of a paragraph; its characters go into `made`."""
    match tree:
        case "run", text, formats:
            made.characters += [Character(c, formats, around) for c in text]
            return run(t(text), formats)
        case "special", node, formats:
            made.characters += [Character(c, formats, around) for c in CHARACTERS[node]]
            return run(node, formats)
        case "mark", node:
            return node
        case "del", text:
            made.unseen.append(text)
            return f"<w:del w:id='9' w:author='A'>{run(t(text, 'delText'))}</w:del>"
        case "moveFrom", text:
            made.unseen.append(text)
            return f"<w:moveFrom w:id='9' w:author='A'>{run(t(text))}</w:moveFrom>"
        case "ruby", text, formats, reading:
            reading = f"{reading}{next(made.numbers)}"
            inner = (*around, ("ruby", reading))
            made.characters += [Character(c, formats, inner) for c in text]
            return run(
                f"<w:ruby><w:rubyPr/><w:rt>{run(t(reading))}</w:rt><w:rubyBase>{run(t(text), formats)}</w:rubyBase></w:ruby>"
            )
        case "field", code, children, with_a_field_in_it:
            made.unseen.append(code)
            inner_code = ""
            if with_a_field_in_it:
                made.unseen.append("7")
                inner_code = mark("begin") + mark("separate") + run(t("7")) + mark("end")
            result = "".join(written(c, made, around) for c in children)
            return (
                mark("begin")
                + run(t(code, "instrText"))
                + inner_code
                + mark("separate")
                + result
                + mark("end")
            )
        case _:
            _, kind, children = tree
            number = str(next(made.numbers))
            inner = (*around, (kind, "" if kind in ("dir", "bdo", "choice") else number))
            content = "".join(written(c, made, inner) for c in children)
            return wrapped(kind, number, content)


def wrapped(kind: str, number: str, content: str) -> str:
    match kind:
        case "sdt":
            properties = f"<w:sdtPr><w:alias w:val='no text'/><w:id w:val='{number}'/></w:sdtPr>"
            return f"<w:sdt>{properties}<w:sdtContent>{content}</w:sdtContent></w:sdt>"
        case "choice":
            return (
                f'<mc:AlternateContent xmlns:mc="{MC[1:-1]}"><mc:Choice Requires="x">{content}</mc:Choice><mc:Fallback>'
                f"{run(t('old'))}</mc:Fallback></mc:AlternateContent>"
            )
        case "hyperlink":
            return f"<w:hyperlink w:anchor='{number}'>{content}</w:hyperlink>"
        case "fldSimple":
            return f"<w:fldSimple w:instr='{number}'>{content}</w:fldSimple>"
        case "dir" | "bdo":
            return f"<w:{kind} w:val='rtl'>{content}</w:{kind}>"
        case "ins" | "moveTo":
            return f"<w:{kind} w:id='{number}' w:author='A'>{content}</w:{kind}>"
        case _:
            return f"<w:{kind} w:element='{number}'>{content}</w:{kind}>"


# -- reading it back ---------------------------------------------------------------------------------------------------

ATTRIBUTES = {
    "hyperlink": "anchor", "fldSimple": "instr", "ins": "id", "moveTo": "id", "smartTag": "element", "customXml": "element",
}  # fmt: skip
SHOWN = {
    "tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad", "sym": "\uf04a",
}  # fmt: skip


def look(p: Any) -> tuple[list[Character], list[str]]:
    """The characters of a paragraph, and the texts that are none; fields are taken as well-formed."""
    characters: list[Character] = []
    unseen: list[str] = []
    code = 0

    def visit(node: Any, around: tuple[tuple[str, str], ...], formats: frozenset[str], hidden: bool) -> None:
        nonlocal code
        name = node.tag.rpartition("}")[2]
        if name == "fldChar":
            kind = node.get(W + "fldCharType")
            code += {"begin": 1, "separate": -1, "end": 0}[kind]
        elif name in ("delText", "instrText") or (name == "t" and (hidden or code)):
            unseen.append(node.text or "")
        elif name == "t":
            text = node.text or ""
            preserved = node.get("{http://www.w3.org/XML/1998/namespace}space") == "preserve"
            characters.extend(Character(c, formats, around) for c in (text if preserved else text.strip(" ")))
        elif name in SHOWN:
            is_page = node.get(W + "type") == "page"
            characters.append(Character("\f" if is_page else SHOWN[name], formats, around))
        elif name == "r":
            own = node.find(W_RPR)
            looks = frozenset(e.tag.rpartition("}")[2] for e in own) if own is not None else frozenset[str]()
            for child in node:
                visit(child, around, looks, hidden)
        elif name == "ruby":
            reading = "".join(e.text or "" for e in node.find(W + "rt").iter(W_T))
            visit(node.find(W + "rubyBase"), (*around, ("ruby", reading)), formats, hidden)
        elif name == "AlternateContent":
            in_run = node.getparent().tag == W_R
            for child in node.find(MC + ("Fallback" if in_run else "Choice")):
                visit(child, around if in_run else (*around, ("choice", "")), formats, hidden)
        elif name in ("sdtContent", "rubyBase", "p", "del", "moveFrom"):
            for child in node:
                visit(child, around, formats, hidden or name in ("del", "moveFrom"))
        elif name in KINDS:
            number = node.get(W + ATTRIBUTES[name]) if name in ATTRIBUTES else ""
            if name == "sdt":
                number = node.find(f"{W}sdtPr/{W}id").get(W + "val")
            for child in node:
                visit(child, (*around, (name, number)), formats, hidden)

    visit(p, (), frozenset(), False)
    return characters, unseen


def weightless(p: Any) -> list[str]:
    """What is there besides characters and what holds them, in order."""
    names = (
        "bookmarkStart",
        "bookmarkEnd",
        "footnoteReference",
        "drawing",
        "fldChar",
        "instrText",
        "delText",
        "moveFrom",
    )
    return [e.tag for e in p.iter(*(W + n for n in names))]


def blank() -> bytes:
    buffer = io.BytesIO()
    document: Any = docx.Document()
    document.add_paragraph("before")
    document.save(buffer)
    return buffer.getvalue()


BLANK = blank()


def document(trees: list[Tree]) -> tuple[Mirror, Any, Made]:
    """A document with the paragraph, the paragraph, and what is in it."""
    made = Made()
    content = "".join(written(tree, made) for tree in trees)
    mirror = Mirror.open(BLANK)
    with mirror.edit("0") as editor:
        p = editor.append_to_body(parse_xml(f"<w:p {nsdecls('w')}>{content}</w:p>"))
    return mirror, mirror.element(mirror.id_of(p) or ""), made


def within(start: int, length: int, size: int) -> tuple[int, int]:
    start %= size + 1
    return start, min(start + length, size)


# -- the laws ----------------------------------------------------------------------------------------------------------


@given(PARAGRAPHS)
def test_the_text_and_its_formats_are_those_that_were_put_in(trees: list[Tree]) -> None:
    _, p, made = document(trees)
    assert look(p) == (made.characters, made.unseen)
    assert texts.text_of(p) == "".join(c.character for c in made.characters)
    offsets = [(q.start, q.end) for q in texts.pieces_of(p)]
    assert [a for a, _ in offsets] == [0, *(b for _, b in offsets)][: len(offsets)]


@given(PARAGRAPHS, st.integers(0, 30), st.integers(0, 8), st.text("xyz \t\n\u0301\U0001f600", max_size=4))
@example([("ruby", "ab", frozenset("b"), "r"), ("run", "c", frozenset())], 0, 2, "x")
@example([("field", "c", [("run", "ab", frozenset())], True), ("run", "c", frozenset())], 0, 2, "x")
def test_replacing_leaves_every_other_character_and_all_that_is_no_text(
    trees: list[Tree], start: int, length: int, new: str
) -> None:
    mirror, p, made = document(trees)
    block, original, others = mirror.id_of(p) or "", canonical(mirror), weightless(p)
    start, end = within(start, length, len(made.characters))
    with mirror.edit("1") as editor:
        editor.replace_text(p, start, end, new)
    characters, unseen = look(p)
    assert characters[:start] == made.characters[:start]
    assert characters[start + len(new) :] == made.characters[end:]
    assert "".join(c.character for c in characters[start : start + len(new)]) == new
    assert texts.text_of(p) == "".join(c.character for c in characters)
    assert unseen == made.unseen
    assert weightless(p) == others
    if end > start and new:
        first = made.characters[start]
        left = {c.around for c in made.characters[:start] + made.characters[end:]}
        if first.around and first.around[-1][0] == "ruby" and first.around not in left:
            first = replace(first, around=first.around[:-1])  # a ruby goes with the whole of its base
        assert {(c.format, c.around) for c in characters[start : start + len(new)]} == {
            (first.format, first.around)
        }
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == original
    assert look(mirror.element(block)) == (made.characters, made.unseen)


@given(PARAGRAPHS, st.integers(0, 30), st.integers(0, 8))
def test_formatting_a_range_formats_these_characters_only(trees: list[Tree], start: int, length: int) -> None:
    mirror, p, made = document(trees)
    original, others = canonical(mirror), weightless(p)
    start, end = within(start, length, len(made.characters))
    with mirror.edit("1") as editor:
        editor.set_run_property(editor.isolate(p, start, end), "strike", {})
    struck = [replace(c, format=c.format | {"strike"}) for c in made.characters[start:end]]
    assert look(p) == ([*made.characters[:start], *struck, *made.characters[end:]], made.unseen)
    assert weightless(p) == others
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == original


@settings(max_examples=50)
@given(
    PARAGRAPHS,
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6), st.text("xyz", max_size=3)), max_size=4),
)
def test_edits_one_after_another_are_undone_in_any_order_that_replay_allows(
    trees: list[Tree], edits: list[tuple[int, int, str]]
) -> None:
    mirror, p, made = document(trees)
    block, states, deltas = mirror.id_of(p) or "", [canonical(mirror)], []
    expected = "".join(c.character for c in made.characters)
    for number, (at, length, new) in enumerate(edits, 1):
        start, end = within(at, length, len(expected))
        expected = expected[:start] + new + expected[end:]
        with mirror.edit(str(number)) as editor:
            editor.replace_text(mirror.element(block), start, end, new)
        deltas.append(editor.delta)
        states.append(canonical(mirror))
        assert texts.text_of(mirror.element(block)) == expected
    for delta, state in zip(reversed(deltas), reversed(states[:-1]), strict=True):
        mirror.apply(delta.inverse())
        assert canonical(mirror) == state
    for delta, state in zip(deltas, states[1:], strict=True):
        mirror.apply(delta)
        assert canonical(mirror) == state


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("replace_text", {"replace": "new"}),
    ("replace_text", {"replace": ""}),
    ("set_text_style", {"bold": True}),
    ("set_font_color", {"color": "red"}),
    ("change_case", {"case": "upper"}),
    ("rewrite_paragraph", {"text": "b\u00e9 new words"}),
    ("add_comment", {"text": "Why?"}),
    ("insert_hyperlink", {"url": "https://example.com/"}),
]


@settings(max_examples=60)
@example(  # a smart tag goes with the last word in it
    [("run", "a", frozenset()), ("wrap", "smartTag", [("run", "a", frozenset())])],
    0,
    1,
    ("rewrite_paragraph", {"text": "b\u00e9 new words"}),
)
@given(PARAGRAPHS, st.integers(0, 30), st.integers(1, 6), st.sampled_from(CALLS))
def test_operations_on_such_paragraphs_are_verified_or_refused(
    trees: list[Tree], start: int, length: int, call: tuple[str, dict[str, Any]]
) -> None:
    mirror, p, made = document(trees)
    assume(made.characters)
    start, end = within(start % len(made.characters), length, len(made.characters))
    words = "".join(c.character for c in made.characters)[start:end]
    name, params = call
    block = mirror.id_of(p) or ""
    target = {"ids": [block], "text": words, "nth": 1}
    given_ = {"find": words, "nth": 1} if name == "replace_text" else {"target": target}
    before = canonical(mirror)
    try:
        attempt(mirror, name, {**given_, **params})
    except OperationError:
        assert canonical(mirror) == before
        return
    assert look(mirror.element(block))[1] == made.unseen
