"""Replacing words "everywhere": wherever people see them, counted as they see them, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml import parse_xml

from agent.agent import Agent
from agent.document import scopes
from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import MC, W_P, W_T, W_TXBX, WP, A, R, V, W
from agent.document.text import text_of
from agent.errors import InvalidValue, TargetNotFound
from agent.events import StepDone, StepNotDone
from agent.history import History
from agent.operations.modification import _expressions
from agent.operations.specimens import doc, p
from agent.planning.local import LocalPlanner
from tests.corpus import corpus_file
from tests.operations.trial import attempt, refused, tried
from tests.support.documents import canonical
from tests.support.planners import AllIntents

_NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri.strip("{}")}"'
    for prefix, uri in (("w", W), ("mc", MC), ("wp", WP), ("a", A), ("r", R), ("v", V))
)
_WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"


def xml(content: str) -> Any:
    """An element with the namespaces that are used here."""
    end = min(i for i in (content.find(c) for c in " >/") if i > 0)
    return parse_xml(f"{content[:end]} {_NAMESPACES}{content[end:]}")


def line(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


BOX = f"<w:txbxContent>{line('Acme in a box')}</w:txbxContent>"
TEXT_BOX = (
    '<w:p><w:r><w:t xml:space="preserve">beside a box </w:t></w:r><w:r><mc:AlternateContent>'
    f'<mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="77" name="Box"/>'
    f'<a:graphic><a:graphicData uri="{_WPS}"><wps:wsp xmlns:wps="{_WPS}"><wps:txbx>{BOX}</wps:txbx></wps:wsp>'
    "</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>"
    f"{BOX}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
)
OLD_BOX = BOX.replace("a box", "an old box")
VML_BOX = f"<w:p><w:r><w:pict><v:shape><v:textbox>{OLD_BOX}</v:textbox></v:shape></w:pict></w:r></w:p>"
FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF Acme</w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>Acme</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
CELL = (
    "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w='99'/></w:tblGrid><w:tr><w:tc>"
    f"{line('Acme in a cell')}%s</w:tc></w:tr></w:tbl>"
)
NESTED = CELL % f"{CELL.replace('a cell', 'a nested cell') % ''}<w:p/>"
IN_LINE = {
    "a link": "<w:hyperlink w:anchor='x'><w:r><w:t>Acme</w:t></w:r></w:hyperlink>",
    "a control": "<w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>Acme</w:t></w:r></w:sdtContent></w:sdt>",
    "an insertion": "<w:ins w:id='901' w:author='A'><w:r><w:t>Acme</w:t></w:r></w:ins>",
    "a smart tag": "<w:smartTag w:element='x'><w:r><w:t>Acme</w:t></w:r></w:smartTag>",
    "a field": FIELD,
    "ruby": (
        "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>x</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>Acme</w:t></w:r></w:rubyBase>"
        "</w:ruby></w:r>"
    ),
    "runs": "<w:r><w:rPr><w:b/></w:rPr><w:t>Ac</w:t></w:r><w:r><w:t>m</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>e</w:t></w:r>",
}
UNSEEN = (
    "<w:p><w:del w:id='902' w:author='A'><w:r><w:delText>Acme</w:delText></w:r></w:del>"
    "<w:moveFrom w:id='903' w:author='A'><w:r><w:t>Acme</w:t></w:r></w:moveFrom></w:p>"
)
BLOCKS = [
    *(f'<w:p><w:r><w:t xml:space="preserve">In {k}: </w:t></w:r>{v}</w:p>' for k, v in IN_LINE.items()),
    TEXT_BOX, VML_BOX, NESTED, UNSEEN,
    f"<w:sdt><w:sdtPr/><w:sdtContent>{line('Acme in a block control')}</w:sdtContent></w:sdt>",
    f"<w:customXml w:element='x'>{line('Acme in custom XML')}</w:customXml>",
]  # fmt: skip


def crowded() -> bytes:
    """A document with the word in every place that has text, and where it is no text."""
    mirror = Mirror.open(corpus_file("docx-plus__sample-1.docx").read_bytes())
    with mirror.edit("0") as editor:
        section = mirror.document.sections[0]
        for story in (section.header, section.footer):
            story.is_linked_to_previous = False
        for block in BLOCKS:
            editor.append_to_body(xml(block))
        for kind in (RT.HEADER, RT.FOOTER, RT.FOOTNOTES, RT.ENDNOTES):
            rels = mirror.file.document_part.rels.values()
            parts: list[Any] = [r.target_part for r in rels if r.reltype == kind]
            root = parts[0].element
            note = (
                next((n for n in reversed(root) if len(n)), root)
                if kind in (RT.FOOTNOTES, RT.ENDNOTES)
                else root
            )
            note.append(xml(line(f"Acme in {kind.rpartition('/')[2]}")))
    return mirror.save()


CROWDED = crowded()
PLACES = len(IN_LINE) + 2 + 2 + 2 + 4  # boxes, cells, blocks, other stories


def count(mirror: Mirror, word: str) -> int:
    return sum(text_of(q).count(word) for q in scopes.paragraphs(mirror))


def test_the_specimen_has_the_word_in_every_place() -> None:
    mirror = Mirror.open(CROWDED)
    assert count(mirror, "Acme") == PLACES
    for scope, number in {"headers": 1, "footers": 1, "notes": 2, "text boxes": 2}.items():
        inside = scopes.paragraphs(mirror, scope)  # type: ignore[arg-type]
        assert sum("Acme" in text_of(q) for q in inside) == number


def test_all_places_are_reached_and_told_and_counted_and_what_is_no_text_is_left() -> None:
    mirror, execution = tried(CROWDED, "replace_text", {"find": "Acme", "replace": "Globex"})
    assert count(mirror, "Acme") == 0
    assert count(mirror, "Globex") == PLACES
    assert execution.effects[0].says == f"'Acme' was replaced {PLACES} times in {PLACES} paragraphs"
    said = explain(execution.changes)
    assert f"{PLACES - 2} places now say 'Globex' instead of 'Acme'; the table" in said  # and two cells
    assert [e.text for e in mirror.body.iter(W + "delText")].count("Acme") == 1
    assert [t.text for m in mirror.body.iter(W + "moveFrom") for t in m.iter(W_T)] == ["Acme"]
    assert "REF Acme" in [e.text for e in mirror.body.iter(W + "instrText")]
    assert [text_of(q) for b in mirror.body.iter(W_TXBX) for q in b.iter(W_P)].count("Globex in a box") == 2


def test_within_the_whole_document_is_everywhere() -> None:
    within = {"where": "document"}
    mirror, _ = tried(CROWDED, "replace_text", {"find": "Acme", "replace": "Globex", "within": within})
    assert count(mirror, "Acme") == 0


def test_within_a_block_its_text_boxes_are_meant_too() -> None:
    mirror = Mirror.open(CROWDED)
    beside = next(q for q in scopes.paragraphs(mirror) if "beside a box" in text_of(q))
    within = {"ids": [mirror.id_of(beside)]}
    attempt(mirror, "replace_text", {"find": "Acme", "replace": "Globex", "within": within})
    assert count(mirror, "Globex") == 1
    assert "Globex in a box" in [text_of(q) for q in scopes.paragraphs(mirror, "text boxes")]


@pytest.mark.parametrize(
    "request_",
    [
        "Replace Acme with Globex everywhere",
        "Replace Acme with Globex in the whole document",
        "Replace 'Acme' with 'Globex' throughout the document",
        "Change every Acme to Globex",
        "replace all Acme by Globex in the entire document",
    ],
)
async def test_people_who_say_the_whole_document_get_all_of_it(request_: str) -> None:
    mirror = Mirror.open(CROWDED)
    before = canonical(mirror)
    history = History(mirror)
    events = Agent(LocalPlanner(), intents=AllIntents()).run(mirror, history, request_)
    ends = [e async for e in events if isinstance(e, StepDone | StepNotDone)]
    assert [type(e) for e in ends] == [StepDone], ends
    assert count(mirror, "Acme") == 0
    history.undo([1])
    assert canonical(mirror) == before


# -- regular expressions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "text"),
    [("(a|aa)+$", "a" * 80 + "!"), ("(x+x+)+y", "x" * 3000)],
)
@pytest.mark.timeout(20)
def test_an_expression_that_takes_too_long_is_refused(
    expression: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_expressions, "SECONDS", 0.1)
    params = {"find": expression, "replace": "b", "regex": True}
    message = refused(doc(p(text))(), "replace_text", params, InvalidValue)
    assert message == (
        f"Looking for the expression '{expression}' takes too long; write it without repetitions inside of "
        "repetitions."
    )


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("((a{100}){100}){100}", "repeats too often"),
        ("(" * 400 + "a" + ")" * 400, "nested too deeply"),
        ("a" * 1001, "more than 1000"),
        ("(?P<n>a", "not a regular expression"),
        (r"\p{L}", "not a regular expression"),
        ("a{99999999999999}", "not a regular expression"),
    ],
)
@pytest.mark.timeout(20)
def test_an_expression_that_cannot_be_looked_for_is_refused_with_the_reason(
    expression: str, message: str
) -> None:
    params = {"find": expression, "replace": "b", "regex": True}
    assert message in refused(doc(p("aaa"))(), "replace_text", params, InvalidValue)


ACCENTS = "ab] c e\u0301t E\u0301t"


@pytest.mark.parametrize(
    ("params", "result"),
    [
        (
            {"find": "[[a]b]", "replace": "x"},
            "x c e\u0301t E\u0301t",
        ),  # Python warns of what looks like a set in a set
        ({"find": "e", "replace": "x"}, None),  # a letter with its accent is one character
        ({"find": r"\bE.", "replace": "x", "match_case": True}, "ab] c e\u0301t xt"),
        ({"find": "t", "replace": "x", "whole_word": True}, None),
        ({"find": r"(?P<l>c)", "replace": r"\g<l>\1"}, "ab] cc e\u0301t E\u0301t"),
    ],
)
def test_what_an_expression_matches(params: dict[str, Any], result: str | None) -> None:
    data = doc(p(ACCENTS))()
    if result is None:
        refused(data, "replace_text", {**params, "regex": True}, TargetNotFound)
    else:
        mirror, _ = tried(data, "replace_text", {**params, "regex": True})
        assert text_of(mirror.body[0]) == result
