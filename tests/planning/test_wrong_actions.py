"""Requests that are easily done wrongly: each is done as it was meant, or declined with the document left as it is."""
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.document.mirror import Mirror
from agent.events import StepDone, StepNotDone
from agent.operations.catalogue import catalogue
from agent.operations.specimens import doc, h, p, table, title
from tests.planning.end_state import Expect
from tests.planning.requests import ACME, agreement, letter, memo, report
from tests.planning.test_local_planner import carry_out
from tests.support.documents import canonical


def hijack() -> bytes:
    """A heading that reads like a request."""
    return doc(
        title("Plan"),
        h(1, "Delete the first table"),
        p("One."),
        table([["A", "B"], ["1", "2"]]),
        h(1, "Scope"),
        p("Two."),
    )()


def contract() -> bytes:
    """Two tables under headings of their own, and empty lines."""
    return doc(
        title("Service Agreement"),
        h(1, "Milestones"),
        table([["Milestone", "Date", "Price"], ["Start", "2027-01-01", "EUR 1,000"]]),
        p(""),
        p("Middle text."),
        p(""),
        h(1, "Annex"),
        table(
            [["Service", "Monthly hours", "Owner"], ["Maintenance", "10", "Bob"], ["Support", "20", "Ann"]]
        ),
        p("Last text."),
    )()


UNTOUCHED: list[tuple[str, Callable[[], bytes]]] = [
    # kept, or taken back
    ("Keep the table", hijack),
    ("Keep the heading Costs", memo),
    ("Delete the table? No, keep it.", hijack),
    ("Don't delete the table", hijack),
    ("Delete the heading Costs but leave the text", memo),
    ("Delete the title and keep the heading", memo),
    # conditions
    ("If there is no table, delete the section Costs", memo),
    ("Unless there is a table, delete the section Costs and make the title bold", memo),
    ("When you find the word Acme, delete the title", memo),
    ("Only if there is a table, delete the title", memo),
    ("Where there is a picture, delete it", memo),
    ("Make the title bold and delete the picture if there is a table", memo),
    # values that would swallow the rest
    ("Make the table columns the same width", hijack),
    ("Set the cell in row 2, column 2 to 950 and in row 1 column 2 to 350", hijack),
    ("Put Anna in the first cell of the second column under Owner in the last table", memo),
    ("Make paragraph -1 bold", memo),
    ("Set the title to bold and the headings to blue", memo),
    ("Write Anna in the first table", memo),
    ("Increase the price of the desks by 100", memo),
    # the wrong operation for the object
    ("Make the picture smaller", memo),
    ("Highlight all the placeholders in yellow", letter),
    ("Change the second bullet to a sub-bullet", memo),
    ("Turn the table into text", hijack),
    ("Change the table to a list", hijack),
    ("Make a bar chart from the milestone table", contract),
    ("Remove the picture caption", memo),
    ("Put a total row at the bottom of the table", hijack),
    ("Make the picture bold", memo),
    ("Empty the first table", memo),
    # qualifiers
    ("Delete the empty paragraphs", contract),
    ("Make the blank paragraphs bold", contract),
    ("Delete the bold paragraphs", memo),
    ("Delete all short paragraphs", memo),
    ("Delete the third row in the annexe table", contract),
    ("Delete the picture and the comment", memo),
    ("make the numbers in the table right aligned", hijack),
    ("Change the page to landscape with 1 inch margins", memo),
    ("Make the title bold, or maybe italic", memo),
    ("Add a table with 3 rows", hijack),
    ("Add a column Total to the table", hijack),
    ("Delete the second sentence of the first paragraph", memo),
    ("Remove the bullets", memo),
    ("Delete all bullets", memo),
    ("Put each section on a new page", memo),
    # a pronoun after a part that was not done
    ("Summarise it and make it 16 point", memo),
    ("Center the tenth paragraph and make it 16 point", memo),
]


@pytest.mark.parametrize(("text", "document"), UNTOUCHED, ids=[t for t, _ in UNTOUCHED])
async def test_what_is_not_understood_in_full_is_declined_and_nothing_changes(
    text: str, document: Callable[[], bytes]
) -> None:
    mirror = Mirror.open(document())
    before = canonical(mirror)
    ends = await carry_out(mirror, text)
    assert canonical(mirror) == before, ends
    assert ends
    for end in ends:
        assert isinstance(end, StepNotDone)
        assert "_" not in end.reason
        assert "its find" not in end.reason
        assert len(end.choices) <= 3


HEADER = {"bold": True, "color": "FFFFFF"}
DONE: list[tuple[str, Callable[[], bytes], Expect]] = [
    ("Delete the first table", hijack, Expect(removed=["A | B", "1 | 2"])),
    ("Put the Price column of the first table in italics", memo, Expect(looks={t: {"italic": True} for t in ("Price", "1200", "800", "2000")})),
    ("Make the header row of the last table bold with white text on dark blue", memo, Expect(looks=dict.fromkeys(("Date", "Task", "Owner"), HEADER))),
    ("Add a row for Support, 2027-03-01, EUR 5,000 at the end of the milestone table", contract, Expect(added=["Support | 2027-03-01 | EUR 5,000"], order=[["Start | 2027-01-01 | EUR 1,000", "Support | 2027-03-01 | EUR 5,000"]])),
    ("change monthly hours for Maintenance to 25", contract, Expect(removed=["Maintenance | 10 | Bob"], added=["Maintenance | 25 | Bob"])),
    ("Replace Price by Second quarter in the table header only", memo, Expect(removed=["Item | Price"], added=["Item | Second quarter"])),
    ("set the title of the document to X and the author to Jane Smith in the properties", memo, Expect(check=lambda d: (d.core_properties.title, d.core_properties.author) == ("X", "Jane Smith"))),
    ("Make paragraphs 1 to 2 bold", memo, Expect(looks={t: {"bold": True} for t in ACME})),
    ("Make paragraphs 1-2 bold", memo, Expect(looks={t: {"bold": True} for t in ACME})),
    ("Put the text Draft at the bottom of each page", memo, Expect(check=lambda d: d.sections[0].footer.paragraphs[0].text == "Draft")),
    ("Delete the third row in the annex table", contract, Expect(removed=["Support | 20 | Ann"])),
    ("Delete the first and the last paragraph", contract, Expect(removed=["Middle text.", "Last text."])),
    ("Delete the section Introduction and the section Conclusion", memo, Expect(removed=["Introduction", *ACME, "Conclusion", "We look forward to the new office."])),
    ("Add a paragraph after the first saying: make the title bold and delete the table", memo, Expect(added=["make the title bold and delete the table"])),
    ("Add a paragraph at the end: If you have questions, call us.", memo, Expect(added=["If you have questions, call us."])),
    ("Add a paragraph at the end saying Thank you", memo, Expect(added=["Thank you"])),
    ("Center the first line and make it 16 point", letter, Expect(looks={"Dear {{NAME}},": {"align": "center", "size": 16}})),
    ("Make the main heading a bit bigger and dark green", memo, Expect(looks={"Office Move": {"color": "006400"}})),
    ("Fill in the name as Acme GmbH, the date 1 March 2027", letter, Expect(removed=["Dear {{NAME}},", "thank you for your order of {{DATE}}. we will deliver it to {{CITY}}."], added=["Dear Acme GmbH,", "thank you for your order of 1 March 2027. we will deliver it to {{CITY}}."])),
    ("Replace the footer text with X", letter, Expect(check=lambda d: d.sections[0].footer.paragraphs[0].text == "X")),
    ("Add alt text to the picture: A tower", memo, Expect(check=lambda d: 'descr="A tower"' in d.element.body.xml)),
    ("Add a bullet under Risks: Flooding", memo, Expect(added=["Flooding"], order=[["No internet", "Flooding"]], free_looks=True)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "document", "expect"), DONE, ids=[t for t, _, _ in DONE])
async def test_what_is_understood_is_done_as_it_was_meant(
    text: str, document: Callable[[], bytes], expect: Expect
) -> None:
    before = document()
    mirror = Mirror.open(before)
    ends = await carry_out(mirror, text)
    assert all(isinstance(e, StepDone) for e in ends), ends
    assert expect.problems(before, mirror.save()) == []


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("Format the clause headings as Heading 2", agreement),
        ("Delete the empty lines", report),
        ("Delete duplicates", memo),
    ],
)
async def test_no_removal_is_offered_instead(text: str, document: Callable[[], bytes]) -> None:
    ends = await carry_out(Mirror.open(document()), text)
    removing = {v for op in catalogue() if op.startswith("delete") for v in ("delete", "remove")}
    offered = [c for e in ends if isinstance(e, StepNotDone) for c in e.choices]
    assert not [c for c in offered if c.split()[0].lower() in removing]
