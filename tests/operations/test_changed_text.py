"""Replaced, rewritten, filled-in, commented text where Word is odd: run borders, notes, text boxes, links, changes, controls."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.oxml import parse_xml
from docx.shared import RGBColor

from agent.document import scopes
from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_T, W_TXBX, W
from agent.document.text import text_of
from agent.errors import InvalidTarget, TargetNotFound
from agent.operations.specimens import doc, footer, h, header, link, p, table
from agent.verification.code_verdict import judge
from tests.corpus import corpus_file
from tests.operations.trial import attempt, refused, tried

_W = f'xmlns:w="{NSMAP["w"]}"'


def made(build: Callable[[Document], None]) -> bytes:
    document = docx.Document()
    build(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def texts(mirror: Mirror) -> list[str]:
    return [q.text for q in mirror.document.paragraphs]


def runs(mirror: Mirror, number: int = 0) -> list[tuple[str, bool | None]]:
    return [(r.text, r.bold) for r in mirror.document.paragraphs[number].runs]


# -- replace_text ------------------------------------------------------------------------------------------------------


def test_the_new_words_look_like_the_first_replaced_letter_and_the_rest_keeps_its_look() -> None:
    data = doc(p("We like ", ("Ac", {"bold": True}), "me", (" a lot", {"italic": True}), "."))()
    mirror, _ = tried(data, "replace_text", {"find": "Acme", "replace": "Globex"})
    assert runs(mirror) == [("We like ", None), ("Globex", True), (" a lot", None), (".", None)]
    assert mirror.document.paragraphs[0].runs[2].italic


@pytest.mark.parametrize(
    ("params", "result"),
    [
        ({"find": "cat", "replace": "dog"}, "dog, dogegory, Cat"),
        ({"find": "cat", "replace": "dog", "whole_word": True}, "dog, category, Cat"),
        ({"find": "cat", "replace": "dog", "match_case": False}, "dog, dogegory, dog"),
        ({"find": "CAT", "replace": "dog"}, "dog, dogegory, dog"),
        ({"find": "cat", "replace": "dog", "nth": -1}, "cat, dogegory, Cat"),
        ({"find": r"c(at)e", "replace": r"\1-", "regex": True}, "cat, at-gory, Cat"),
        ({"find": ", Cat", "replace": ""}, "cat, category"),
    ],
)
def test_what_counts_as_a_match(params: dict[str, Any], result: str) -> None:
    mirror, _ = tried(doc(p("cat, category, Cat"))(), "replace_text", params)
    assert texts(mirror) == [result]


def test_the_letter_case_that_was_asked_for_is_not_ignored() -> None:
    params = {"find": "CAT", "replace": "dog", "match_case": True}
    message = refused(doc(p("a cat"))(), "replace_text", params, TargetNotFound)
    assert message == "'CAT' does not occur in that letter case; it does in 'a cat'."


def test_a_straight_apostrophe_finds_the_curly_one() -> None:
    mirror, _ = tried(doc(p("the client’s"))(), "replace_text", {"find": "client's", "replace": "buyer's"})
    assert texts(mirror) == ["the buyer's"]


def test_words_elsewhere_than_in_the_scope_are_told() -> None:
    data = doc(header("Acme"), p("Text"))()
    message = refused(data, "replace_text", {"find": "Acme", "replace": "x", "scope": "body"}, TargetNotFound)
    assert message == "'Acme' does not occur there; it does in 'Acme'."


def test_all_parts_of_a_document_are_searched_and_a_part_alone() -> None:
    data = doc(header("Acme a"), footer("Acme b"), p("Acme c"), table([["Acme d"]]))()
    mirror, _ = tried(data, "replace_text", {"find": "Acme", "replace": "Globex"})
    found = sorted(text_of(q) for q in scopes.paragraphs(mirror) if text_of(q))
    assert found == ["Globex a", "Globex b", "Globex c", "Globex d"]
    mirror, _ = tried(data, "replace_text", {"find": "Acme", "replace": "Globex", "scope": "headers"})
    assert sum("Globex" in text_of(q) for q in scopes.paragraphs(mirror)) == 1


def test_a_footnote_is_replaced_in() -> None:
    data = corpus_file("mammoth__footnote-hyperlink.docx").read_bytes()
    mirror, _ = tried(data, "replace_text", {"find": "Example", "replace": "Sample", "scope": "notes"})
    assert any("Sample" in text_of(q) for q in scopes.paragraphs(mirror, "notes"))


def test_both_copies_of_a_text_box_are_changed_and_count_as_one() -> None:
    mirror = Mirror.open(corpus_file("docx-parse-eval__textbox.docx").read_bytes())
    boxed = next(q for q in scopes.paragraphs(mirror, "text boxes") if len(text_of(q).split()) > 1)
    word = max(text_of(boxed).split(), key=len)
    assert scopes.twin(boxed) is not None
    params = {"find": word, "replace": "Ersatzwort", "scope": "text boxes"}
    execution = attempt(mirror, "replace_text", params)
    assert judge(mirror, execution).aligned
    copies = [q for box in mirror.body.iter(W_TXBX) for q in box.iter(W + "p")]
    assert not any(word in text_of(q) for q in copies)
    assert sum("Ersatzwort" in text_of(q) for q in copies) == 2 * sum(
        "Ersatzwort" in text_of(q) for q in scopes.paragraphs(mirror, "text boxes")
    )


def test_text_of_a_tracked_insertion_is_found_over_its_border_and_deleted_text_is_not() -> None:
    def build(d: Document) -> None:
        q = d.add_paragraph("Ac")._p
        q.append(parse_xml(f'<w:ins {_W} w:id="1" w:author="A"><w:r><w:t>me</w:t></w:r></w:ins>'))
        q.append(
            parse_xml(f'<w:del {_W} w:id="2" w:author="A"><w:r><w:delText>Acme</w:delText></w:r></w:del>')
        )

    mirror, _ = tried(made(build), "replace_text", {"find": "Acme", "replace": "Globex"})
    q = mirror.document.paragraphs[0]._p
    assert text_of(q) == "Globex"
    assert [e.text for e in q.iter(W + "delText")] == ["Acme"]


def test_a_bookmark_around_replaced_words_stays_and_a_tab_is_text() -> None:
    def build(d: Document) -> None:
        d.add_paragraph("Acme")
        d.paragraphs[0]._p.append(parse_xml(f"<w:r {_W}><w:tab/><w:t>Ltd</w:t></w:r>"))
        d.paragraphs[0]._p.insert(1, parse_xml(f'<w:bookmarkStart {_W} w:id="4" w:name="x"/>'))
        d.paragraphs[0]._p.append(parse_xml(f'<w:bookmarkEnd {_W} w:id="4"/>'))

    mirror, _ = tried(made(build), "replace_text", {"find": "Acme\tLtd", "replace": "Globex"})
    q = mirror.document.paragraphs[0]._p
    assert text_of(q) == "Globex"
    assert len(list(q.iter(W + "bookmarkStart", W + "bookmarkEnd"))) == 2


def test_a_line_break_in_the_new_words_is_a_line_break() -> None:
    mirror, _ = tried(doc(p("Street, City"))(), "replace_text", {"find": ", ", "replace": "\n"})
    q = mirror.document.paragraphs[0]._p
    assert len(list(q.iter(W + "br"))) == 1
    assert all("\n" not in (t.text or "") for t in q.iter(W_T))


# -- rewrite_paragraph -------------------------------------------------------------------------------------------------


def test_where_a_link_led_goes_with_the_link() -> None:
    data = doc(link("Look at ", "our page", "https://example.com/", " for news."))()
    params = {"target": {"paragraph": 1}, "text": "A completely different sentence."}
    mirror, _ = tried(data, "rewrite_paragraph", params)
    assert texts(mirror) == ["A completely different sentence."]
    assert not [r for r in mirror.file.document_part.rels.values() if r.is_external]


def test_a_rewritten_paragraph_keeps_links_notes_and_emphasis_of_words_that_stay() -> None:
    data = doc(link("Please look at ", "our page", "https://example.com/", " soon."))()
    params = {"target": {"paragraph": 1}, "text": "Do look at our page today."}
    mirror, _ = tried(data, "rewrite_paragraph", params)
    assert [x.text for x in mirror.document.paragraphs[0].hyperlinks] == ["our page"]
    assert texts(mirror) == ["Do look at our page today."]


def test_words_that_are_added_look_like_most_of_the_text() -> None:
    data = doc(p(("Note", {"bold": True}), " this is a long plain text here."))()
    params = {"target": {"paragraph": 1}, "text": "Note well this is a long plain text here."}
    mirror, _ = tried(data, "rewrite_paragraph", params)
    assert "".join(t for t, bold in runs(mirror) if bold) == "Note"


def test_a_wholly_new_text_has_the_format_of_most_of_the_old() -> None:
    red = RGBColor(255, 0, 0)
    data = doc(p(("Note: ", {"bold": True}), "and this long text is red."))()
    document = docx.Document(io.BytesIO(data))
    document.paragraphs[0].runs[1].font.color.rgb = red
    buffer = io.BytesIO()
    document.save(buffer)
    params = {"target": {"paragraph": 1}, "text": "Completely different words."}
    mirror, _ = tried(buffer.getvalue(), "rewrite_paragraph", params)
    assert [(r.text, r.bold, r.font.color.rgb) for r in mirror.document.paragraphs[0].runs] == [
        ("Completely different words.", None, red)
    ]


# -- change_case -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "case", "result"),
    [
        ("straße", "upper", "STRASSE"),
        ("the NASA of europe", "title", "The NASA Of Europe"),
        ("ALL OF THIS. AND THAT?", "sentence", "All of this. And that?"),
        ("we met NASA. they came.", "sentence", "We met NASA. They came."),
        ("the client's view", "title", "The Client's View"),
        ("e\u0301cole de me\u0301decine", "title", "E\u0301cole De Me\u0301decine"),
    ],
)
def test_letters_change_as_people_expect(text: str, case: str, result: str) -> None:
    mirror, _ = tried(doc(p(text))(), "change_case", {"target": {"paragraph": 1}, "case": case})
    assert texts(mirror) == [result]


def test_every_letter_keeps_its_format() -> None:
    data = doc(p("a", ("b", {"bold": True}), "c"))()
    mirror, _ = tried(data, "change_case", {"target": {"paragraph": 1}, "case": "upper"})
    assert runs(mirror) == [("A", None), ("B", True), ("C", None)]


# -- fill_placeholders -------------------------------------------------------------------------------------------------


def test_what_is_left_and_what_was_not_there_is_told() -> None:
    data = doc(p("Dear {{Name}}, [Place], [12], {{Day}}"))()
    params = {"values": {"name": "Ann", "Fax": "1"}}
    mirror, execution = tried(data, "fill_placeholders", params)
    assert texts(mirror) == ["Dear Ann, [Place], [12], {{Day}}"]
    assert execution.warnings == (
        "The document has no placeholder Fax.",
        "Not filled in: [Place], {{Day}}.",
    )


def test_a_form_without_any_of_the_names_is_refused_with_the_names_that_it_has() -> None:
    message = refused(
        doc(p("Dear {{Name}}"))(), "fill_placeholders", {"values": {"Nmae": "Ann"}}, TargetNotFound
    )
    assert message == "The document has no placeholder Nmae; it has {{Name}}."


def test_placeholders_in_nested_tables_and_over_runs_are_filled_and_values_look_like_them() -> None:
    def build(d: Document) -> None:
        cell = d.add_table(1, 1).cell(0, 0)
        inner = cell.add_table(1, 1).cell(0, 0).paragraphs[0]
        inner.add_run("{{First").bold = True
        inner.add_run("_name}} came")

    mirror, _ = tried(made(build), "fill_placeholders", {"values": {"First name": "Ann\nLee"}})
    inner = mirror.document.tables[0].cell(0, 0).tables[0].cell(0, 0).paragraphs[0]
    assert [(r.text, r.bold) for r in inner.runs] == [("Ann\nLee", True), (" came", None)]


# -- add_comment -------------------------------------------------------------------------------------------------------


def test_a_comment_has_an_author_a_time_and_the_styles_of_word() -> None:
    params = {
        "target": {"text": "grew"},
        "text": "Source?\nPlease.",
        "author": "Ann Lee",
        "date": "2025-05-03T10:00:00Z",
    }
    mirror, _ = tried(doc(p("Sales grew."))(), "add_comment", params)
    comment = next(iter(mirror.document.comments))
    assert (comment.author, comment.initials, comment.text) == ("Ann Lee", "AL", "Source?\nPlease.")
    assert comment.timestamp is not None
    assert comment.timestamp.year == 2025
    names = {s.name for s in mirror.document.styles}
    assert {"annotation text", "annotation reference"} <= names


def test_comments_and_bookmarks_do_not_share_a_number() -> None:
    def build(d: Document) -> None:
        q = d.add_paragraph("Sales grew.")._p
        q.insert(0, parse_xml(f'<w:bookmarkStart {_W} w:id="7" w:name="x"/>'))
        q.append(parse_xml(f'<w:bookmarkEnd {_W} w:id="7"/>'))

    params = {"target": {"text": "s", "all": True}, "text": "Why?"}
    mirror, _ = tried(made(build), "add_comment", params)
    ids = [c.comment_id for c in mirror.document.comments]
    assert len(ids) == len(set(ids))
    assert 7 not in ids


def test_a_comment_on_a_section_runs_from_its_first_to_its_last_word() -> None:
    data = doc(h(1, "A"), p("one"), table([["two"]]), p("three"), h(1, "B"))()
    mirror, _ = tried(data, "add_comment", {"target": {"section": "A"}, "text": "All of it"})
    marks = [mirror.block_of(e) for e in mirror.body.iter(W + "commentRangeStart", W + "commentRangeEnd")]
    assert marks == ["p2", "p4"]


def test_a_comment_in_a_content_control_is_marked_outside_of_its_properties() -> None:
    def build(d: Document) -> None:
        d.add_paragraph("Name: ")._p.append(
            parse_xml(
                f'<w:sdt {_W}><w:sdtPr><w:id w:val="5"/></w:sdtPr><w:sdtContent><w:r><w:t>Ann</w:t></w:r>'
                "</w:sdtContent></w:sdt>"
            )
        )

    mirror, _ = tried(made(build), "add_comment", {"target": {"text": "Ann"}, "text": "Who?"})
    control = next(mirror.body.iter(W + "sdt"))
    assert [e.tag.rpartition("}")[2] for e in control] == ["sdtPr", "sdtContent"]


def test_headers_cannot_hold_comments() -> None:
    data = doc(header("Acme"), p("Text"))()
    message = refused(data, "add_comment", {"target": {"ids": ["header1.p1"]}, "text": "x"}, InvalidTarget)
    assert "not in the body" in message


def controlled() -> bytes:
    """A line with a control that shows its prompt, and a control around a paragraph."""

    def build(d: Document) -> None:
        d.styles.add_style("Placeholder Text", 2)
        prompt = '<w:r><w:rPr><w:rStyle w:val="PlaceholderText"/></w:rPr><w:t>Click here</w:t></w:r>'
        d.add_paragraph("Name: ")._p.append(
            parse_xml(
                f'<w:sdt {_W}><w:sdtPr><w:alias w:val="Full name"/><w:tag w:val="name"/><w:showingPlcHdr/>'
                f"<w:text/></w:sdtPr><w:sdtContent>{prompt}</w:sdtContent></w:sdt>"
            )
        )
        d.add_paragraph("End.")._p.addprevious(
            parse_xml(
                f'<w:sdt {_W}><w:sdtPr><w:alias w:val="City"/><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:p>'
                f"{prompt}</w:p></w:sdtContent></w:sdt>"
            )
        )

    return made(build)


def test_content_controls_are_filled_by_title_or_tag_and_are_prompts_no_more() -> None:
    mirror, execution = tried(controlled(), "fill_placeholders", {"values": {"NAME": "Ann Lee"}})
    assert execution.warnings == ("Not filled in: the control City.",)
    line, city = list(mirror.body.iter(W + "sdt"))
    assert [t.text for t in line.iter(W_T)] == ["Ann Lee"]
    assert not list(line.iter(W + "showingPlcHdr", W + "rStyle"))
    assert list(city.iter(W + "showingPlcHdr"))
    mirror, execution = tried(
        controlled(), "fill_placeholders", {"values": {"full name": "A", "City": "Bonn"}}
    )
    assert execution.warnings == ()
    assert [t.text for t in mirror.body.iter(W_T)] == ["Name: ", "A", "Bonn", "End."]


def test_one_match_is_bound_to_its_paragraph() -> None:
    data = doc(p("Acme one."), p("Acme two, Acme."))()
    _, execution = tried(data, "replace_text", {"find": "Acme", "replace": "Globex", "nth": 3})
    assert execution.params["within"] == {"ids": ["p2"]}
    assert execution.params["nth"] == 2


RUBY = (
    "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>reading</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t></w:r>"
    "</w:rubyBase></w:ruby></w:r>"
)


def with_ruby() -> bytes:
    """A line with ruby text in it and text that was moved away."""

    def build(d: Document) -> None:
        q = d.add_paragraph("The ")._p
        q.append(parse_xml(RUBY.replace("<w:r>", f"<w:r {_W}>", 1)))
        q.append(parse_xml(f'<w:moveFrom {_W} w:id="8" w:author="A"><w:r><w:t>gone</w:t></w:r></w:moveFrom>'))
        d.paragraphs[-1].add_run(" text")

    return made(build)


def test_ruby_text_is_replaced_with_its_reading_and_in_part_without() -> None:
    mirror, execution = tried(with_ruby(), "replace_text", {"find": "base text", "replace": "words"})
    assert text_of(mirror.body[0]) == "The words"
    assert not list(mirror.body.iter(W + "ruby"))
    assert "a ruby text 'reading' was removed" in explain(execution.changes)
    mirror, _ = tried(with_ruby(), "replace_text", {"find": "The b", "replace": "A c"})
    assert text_of(mirror.body[0]) == "A case text"
    assert len(list(mirror.body.iter(W + "ruby"))) == 1


@pytest.mark.parametrize(
    ("name", "params", "tags"),
    [
        ("add_comment", {"text": "Why?"}, ("commentRangeStart", "commentRangeEnd", "commentReference")),
        ("insert_hyperlink", {"url": "https://example.com/"}, ("hyperlink",)),
    ],
)
@pytest.mark.parametrize("words", ["base", "The base", "base text"])
def test_comments_and_links_go_around_ruby_text(
    name: str, params: dict[str, Any], tags: tuple[str, ...], words: str
) -> None:
    mirror, _ = tried(with_ruby(), name, {"target": {"text": words}, **params})
    for tag in tags:
        (mark,) = mirror.body.iter(W + tag)
        assert not [a for a in mark.iterancestors() if a.tag == W + "ruby"]
