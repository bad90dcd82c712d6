"""Replacing words "everywhere": wherever people see them, counted as they see them, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from agent.agent import Agent
from agent.document import scopes
from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_T, W_TXBX, W
from agent.document.text import text_of
from agent.errors import InvalidValue, PreconditionFailed, TargetNotFound
from agent.events import StepDone, StepNotDone
from agent.history import History
from agent.operations.modification import _expressions
from agent.operations.specimens import doc, p
from agent.planning.local import LocalPlanner
from tests.operations.crowded import CROWDED, FIELD, PLACES, xml
from tests.operations.trial import attempt, refused, tried
from tests.support.documents import canonical
from tests.support.planners import AllIntents


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


# -- what Word fills in ---------------------------------------------------------------------------------------

CORE = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}"


def bound(store: str, around: str = "", behind: str = " and Acme") -> bytes:
    """A line with a control whose text is bound to a property or to data."""
    binding = f"<w:dataBinding w:xpath='/ns0:coreProperties[1]/ns1:subject[1]' w:storeItemID='{store}'/>"
    mirror = Mirror.open(doc(p("Text."))())
    with mirror.edit("0") as editor:
        properties = f"<w:sdtPr><w:alias w:val='Subject'/>{binding}<w:text/></w:sdtPr>"
        content = "<w:r><w:t>Acme</w:t></w:r>"
        inner = f"<w:sdt>{properties}<w:sdtContent>{content}</w:sdtContent></w:sdt>"
        rest = f'<w:r><w:t xml:space="preserve">{behind}</w:t></w:r>'
        line_ = f"<w:p>{inner}{rest}</w:p>"
        if around:
            line_ = f"<w:sdt>{properties}<w:sdtContent><w:p>{content}</w:p></w:sdtContent></w:sdt>"
        editor.append_to_body(xml(line_))
    return mirror.save()


def test_what_word_fills_in_from_data_is_left_and_told() -> None:
    mirror, execution = tried(bound(CORE), "replace_text", {"find": "Acme", "replace": "Globex"})
    assert text_of(mirror.body[1]) == "Acme and Globex"
    assert execution.warnings == ("'Acme' in the control 'Subject' was left: Word fills it in itself.",)


@pytest.mark.parametrize("around", ["", "block"])
def test_only_what_word_fills_in_is_refused(around: str) -> None:
    params = {"find": "Acme", "replace": "Globex"}
    message = refused(bound(CORE, around, behind=" here"), "replace_text", params, PreconditionFailed)
    assert message == "'Acme' in the control 'Subject' was left: Word fills it in itself."


def test_a_control_whose_data_the_file_does_not_have_is_text_like_any_other() -> None:
    data = bound("{00000000-0000-0000-0000-000000000000}")
    mirror, execution = tried(data, "replace_text", {"find": "Acme", "replace": "Globex"})
    assert text_of(mirror.body[1]) == "Globex and Globex"
    assert execution.warnings == ()


@pytest.mark.parametrize(
    ("code", "kept"), [("DATE \\@ yyyy", True), (" page ", True), ("REF year", False), ("", False)]
)
@pytest.mark.parametrize("simple", [True, False])
def test_results_that_word_works_out_itself_are_left_and_told(code: str, kept: bool, simple: bool) -> None:
    mirror = Mirror.open(doc(p("In 2024."))())
    result = "<w:r><w:t>2024</w:t></w:r>"
    complex_ = FIELD.replace("REF Acme", code).replace("Acme", "2024")
    with mirror.edit("0") as editor:
        field = f"<w:fldSimple w:instr='{code}'>{result}</w:fldSimple>" if simple else complex_
        editor.append_to_body(xml(f"<w:p>{field}</w:p>"))
    mirror, execution = tried(mirror.save(), "replace_text", {"find": "2024", "replace": "2025"})
    assert [text_of(q) for q in mirror.body.iter(W_P)] == ["In 2025.", "2024" if kept else "2025"]
    name = (code.split() or [""])[0].upper()
    left = f"'2024' in the field {name} was left: Word fills it in itself."
    assert execution.warnings == ((left,) if kept else ())


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
