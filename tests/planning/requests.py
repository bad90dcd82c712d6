"""Requests as office workers write them, each with the end state that it asks for. Each part was written before it was tried."""
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from docx.document import Document
from docx.shared import Cm

from agent.operations.specimens import bullets, doc, footer, h, image, numbered, p, table, title
from tests.planning.end_state import Expect, lines, seen, words_look

_SAMPLES = Path(__file__).parents[2] / "server" / "samples"


@lru_cache(maxsize=1)
def report() -> bytes:
    """The shipped quarterly report."""
    return (_SAMPLES / "quarterly-report.docx").read_bytes()


@lru_cache(maxsize=1)
def agreement() -> bytes:
    """The shipped service agreement."""
    return (_SAMPLES / "service-agreement.docx").read_bytes()


@lru_cache(maxsize=1)
def memo() -> bytes:
    """A memo with two tables, a list, a picture, and Acme all over it."""
    return doc(
        title("Office Move"),
        h(1, "Introduction"),
        p("Acme moves to a new office in June. The lease with Acme Estates ends in May."),
        p("All teams at Acme are affected."),
        h(1, "Costs"),
        p("Prices are net."),
        table([["Item", "Price"], ["Desks", "1200"], ["Chairs", "800"], ["Total", "2000"]]),
        p("The budget was approved in March."),
        h(1, "Schedule"),
        table([["Date", "Task", "Owner"], ["2 June", "Pack", "Ann"], ["5 June", "Move", "Bob"]]),
        p("Dates may change."),
        h(2, "Risks"),
        bullets("Late delivery", "Lost boxes", "No internet"),
        image("The new building", 6.0),
        h(1, "Conclusion"),
        p("We look forward to the new office."),
    )()


@lru_cache(maxsize=1)
def letter() -> bytes:
    """A letter with placeholders and a numbered list."""
    return doc(
        p("Dear {{NAME}},"),
        p("thank you for your order of {{DATE}}. we will deliver it to {{CITY}}."),
        p("Please note:"),
        numbered("Pay within 14 days", "Keep the invoice", "Call us with questions"),
        p("Kind regards"),
        p("Jane Doe"),
        footer("Doe Ltd 2025"),
    )()


@dataclass(frozen=True)
class Request:
    """What is typed, on which document, and what must come of it."""

    text: str
    document: Callable[[], bytes]
    expect: Expect


def _d(check: Callable[[Document], Any], **more: Any) -> Expect:
    return Expect(check=lambda d: bool(check(d)), **more)


def _header(d: Document) -> str:
    return "\n".join(x.text for x in d.sections[0].header.paragraphs)


def _footer(d: Document) -> str:
    return "\n".join(x.text for x in d.sections[0].footer.paragraphs)


def _fields(d: Document, part: str = "footer") -> str:
    return getattr(d.sections[0], part)._element.xml


def _comments(d: Document) -> list[str]:
    return [c.text for c in d.comments]


def _near(value: Any, wanted: Any) -> bool:
    return abs(value - wanted) < 2000


def _margins(d: Document, left: float, right: float, top: float, bottom: float) -> bool:
    s = d.sections[0]
    pairs = (
        (s.left_margin, left),
        (s.right_margin, right),
        (s.top_margin, top),
        (s.bottom_margin, bottom),
    )
    return all(_near(a, Cm(b)) for a, b in pairs)


def _landscape(d: Document) -> bool:
    return (d.sections[0].page_width or 0) > (d.sections[0].page_height or 0)


def _xml(d: Document) -> str:
    return d.element.body.xml


HEADINGS_MEMO = ("Introduction", "Costs", "Schedule", "Risks", "Conclusion")
HEADINGS_REPORT = (
    "Introduction", "Summary", "Revenue by region", "Market and customers", "What went well", "What did not go well", "Next steps",
)  # fmt: skip
ACME = ["Acme moves to a new office in June. The lease with Acme Estates ends in May.", "All teams at Acme are affected."]  # fmt: skip
GLOBEX = [t.replace("Acme", "Globex") for t in ACME]
BOX = "Late delivery"
_BOLD = {"bold": True}

R = Request
REQUESTS: list[Request] = [
    # -- looks of text
    R("Make the title bold", memo, Expect(looks={"Office Move": _BOLD})),
    R("Please could you make the title bold and red?", memo, Expect(looks={"Office Move": {"bold": True, "color": "FF0000"}})),
    R("make all headings dark blue", report, Expect(looks={t: {"color": "002060"} for t in HEADINGS_REPORT})),
    R("I'd like the headings in Arial", memo, Expect(looks={t: {"font": "Arial"} for t in HEADINGS_MEMO})),
    R("Set the title in 28 pt Georgia", memo, Expect(looks={"Office Move": {"size": 28, "font": "Georgia"}})),
    R("Underline the word 'net'", memo, _d(lambda d: words_look(d, "net", "underline") is True, looks={"Prices are net.": {}})),
    R("Italicise the first paragraph", memo, Expect(looks={ACME[0]: {"italic": True}})),
    R("the last paragraph should be in italics", memo, Expect(looks={"We look forward to the new office.": {"italic": True}})),
    R("Make “approved in March” bold", memo, _d(lambda d: words_look(d, "approved in March", "bold") is True, looks={"The budget was approved in March.": {}})),
    R("strike through the sentence \"Dates may change.\"", memo, Expect(looks={"Dates may change.": {"strike": True}})),
    R("Can you turn the heading Costs green?", memo, Expect(looks={"Costs": {"color": "00B050"}})),
    R("Change the font of the whole document to Calibri", letter, _d(lambda d: all(r.font.name == "Calibri" for x in d.paragraphs for r in x.runs if r.text.strip()), free_looks=True)),
    R("Set the font size of the bullet points to 10", memo, Expect(looks={t: {"size": 10} for t in (BOX, "Lost boxes", "No internet")})),
    R("Make the header row of the first table bold", memo, Expect(looks={"Item": _BOLD, "Price": _BOLD})),
    R("bold, red and 14 pt for the heading Schedule please", memo, Expect(looks={"Schedule": {"bold": True, "color": "FF0000", "size": 14}})),
    R("colour the second paragraph #336699", memo, Expect(looks={ACME[1]: {"color": "336699"}})),
    R("Remove the bold from the header row", report, Expect(looks={t: {"bold": False} for t in ("Region", "Q2 (kEUR)", "Q3 (kEUR)", "Change")})),
    R("Make the last row of the first table bold", memo, Expect(looks={"Total": _BOLD, "2000": _BOLD})),
    R("Put the words Acme Estates in bold", memo, _d(lambda d: words_look(d, "Acme Estates", "bold") is True, looks={ACME[0]: {}})),
    R("Every occurrence of Acme should be bold", memo, _d(lambda d: words_look(d, "Acme", "bold") is True, looks={t: {} for t in ACME})),
    R("put the heading 2s in purple", report, Expect(looks={t: {"color": "7030A0"} for t in ("What went well", "What did not go well")})),
    R("I want the price column in italics", memo, Expect(looks={t: {"italic": True} for t in ("Price", "1200", "800", "2000")})),
    R("Write the signature line Jane Doe in small caps", letter, Expect(looks={"Jane Doe": {"small_caps": True}})),
    # -- paragraphs
    R("Center the title", report, Expect(looks={"Quarterly Report": {"align": "center"}})),
    R("Justify all paragraphs", memo, Expect(looks={t: {"align": "justify"} for t in (*ACME, "Prices are net.", "The budget was approved in March.", "Dates may change.", "We look forward to the new office.")}, free_looks=True)),
    R("right-align the second column of the first table", memo, Expect(looks={t: {"align": "right"} for t in ("Price", "1200", "800", "2000")})),
    R("Align 'Kind regards' to the right", letter, Expect(looks={"Kind regards": {"align": "right"}})),
    R("double space the introduction", memo, Expect(looks={t: {"spacing": 2.0} for t in ACME})),
    R("Set the line spacing of the second paragraph to 1.5", memo, Expect(looks={ACME[1]: {"spacing": 1.5}})),
    R("use one and a half line spacing for the whole letter", letter, _d(lambda d: all(x.paragraph_format.line_spacing == 1.5 for x in d.paragraphs), free_looks=True)),
    R("Turn the paragraph \"Please note:\" into a heading 2", letter, Expect(looks={"Please note:": {"level": 2}})),
    R("Apply the style Quote to the last paragraph", memo, Expect(looks={"We look forward to the new office.": {"style": "Quote"}})),
    R("make 'Prices are net.' a Heading 3", memo, Expect(looks={"Prices are net.": {"level": 3}})),
    R("Centre the picture", memo, _d(lambda d: any(seen(x, "align") == "center" and "pic:pic" in x._p.xml for x in d.paragraphs))),
    # -- new text
    R("Add a paragraph saying 'All prices exclude VAT.' after the introduction", memo, Expect(added=["All prices exclude VAT."], order=[[ACME[1], "All prices exclude VAT.", "Costs"]])),
    R("Add a heading \"Next steps\" at the end", memo, _d(lambda d: lines(d)[-1] == "Next steps" and d.paragraphs[-1].style.name.startswith("Heading"), added=["Next steps"])),
    R("insert a level 2 heading Parking before the conclusion", memo, Expect(added=["Parking"], looks={"Parking": {"level": 2}}, order=[["Parking", "Conclusion"]])),
    R("At the very end, write: Thank you for your patience.", memo, Expect(added=["Thank you for your patience."], order=[["We look forward to the new office.", "Thank you for your patience."]])),
    R("Could you please add the sentence \"Questions go to Ann.\" at the end of the section Costs", memo, Expect(added=["Questions go to Ann."], order=[["The budget was approved in March.", "Questions go to Ann.", "Schedule"]])),
    R("Add a bullet list at the end: call the client, send the offer, book the room", memo, Expect(added=["call the client", "send the offer", "book the room"], order=[["We look forward to the new office.", "call the client", "send the offer", "book the room"]])),
    R("insert a numbered list with the items Plan, Do, Check and Act after the first paragraph", memo, Expect(added=["Plan", "Do", "Check", "Act"], order=[[ACME[0], "Plan", "Do", "Check", "Act"]])),
    R("add the bullet \"Broken glass\" to the list of risks", memo, Expect(added=["Broken glass"], order=[["No internet", "Broken glass"]])),
    R("Add another bullet after Lost boxes: Damaged screens", memo, Expect(added=["Damaged screens"], order=[["Lost boxes", "Damaged screens", "No internet"]])),
    R("Insert 'very ' before 'approved'", memo, Expect(removed=["The budget was approved in March."], added=["The budget was very approved in March."])),
    R("Put the text (see annex) after 'net'", memo, Expect(removed=["Prices are net."], added=["Prices are net (see annex)."])),
    R("Put a new first paragraph under Schedule that says Times are approximate.", memo, Expect(added=["Times are approximate."], order=[["Schedule", "Times are approximate.", "Date | Task | Owner"]])),
    R("Add a subheading Details under the heading Costs", memo, Expect(added=["Details"], looks={"Details": {"level": 2}}, order=[["Costs", "Details", "Prices are net."]])),
    # -- changing text
    R("Replace 'Acme' with 'Globex' everywhere", memo, Expect(removed=ACME, added=GLOBEX)),
    R("replace all occurrences of Acme by Globex", memo, Expect(removed=ACME, added=GLOBEX)),
    R("Change June to July", memo, Expect(removed=[ACME[0], "2 June | Pack | Ann", "5 June | Move | Bob"], added=[ACME[0].replace("June", "July"), "2 July | Pack | Ann", "5 July | Move | Bob"])),
    R("find \"statutory rate\" and replace it with \"legal rate\"", agreement, Expect(removed=["If a payment is late, interest is due at the statutory rate."], added=["If a payment is late, interest is due at the legal rate."])),
    R("Rename the heading Costs to Budget", memo, Expect(removed=["Costs"], added=["Budget"])),
    R("Change the title to Moving House", memo, Expect(removed=["Office Move"], added=["Moving House"])),
    R("Rewrite the last paragraph to say \"See you there.\"", memo, Expect(removed=["We look forward to the new office."], added=["See you there."])),
    R("Delete the second paragraph", memo, Expect(removed=[ACME[1]])),
    R("remove the last paragraph please", memo, Expect(removed=["We look forward to the new office."])),
    R("Delete the section Schedule", memo, Expect(removed=["Schedule", "Date | Task | Owner", "2 June | Pack | Ann", "5 June | Move | Bob", "Dates may change.", "Risks", "Late delivery", "Lost boxes", "No internet"])),
    R("Get rid of the bullet 'Lost boxes'", memo, Expect(removed=["Lost boxes"])),
    R("Delete the paragraph that starts with \"All teams\"", memo, Expect(removed=[ACME[1]])),
    R("delete the second table", memo, Expect(removed=["Date | Task | Owner", "2 June | Pack | Ann", "5 June | Move | Bob"])),
    R("remove the picture", memo, _d(lambda d: "pic:pic" not in _xml(d))),
    R("Move the section Conclusion before Costs", memo, Expect(order=[[ACME[1], "Conclusion", "We look forward to the new office.", "Costs"]])),
    R("Move the last paragraph to the start of the document", memo, _d(lambda d: lines(d)[0] == "We look forward to the new office.")),
    R("Write the title in capital letters", memo, Expect(removed=["Office Move"], added=["OFFICE MOVE"])),
    R("change the headings to upper case", memo, Expect(removed=HEADINGS_MEMO, added=[t.upper() for t in HEADINGS_MEMO])),
    R("Put 'Kind regards' in lowercase", letter, Expect(removed=["Kind regards"], added=["kind regards"])),
    R("Fill in the placeholders: NAME = Ms Lee, DATE = 3 May and CITY = Bern", letter, Expect(removed=["Dear {{NAME}},", "thank you for your order of {{DATE}}. we will deliver it to {{CITY}}."], added=["Dear Ms Lee,", "thank you for your order of 3 May. we will deliver it to Bern."])),
    R("Replace [CLIENT NAME] with Muster AG", agreement, _d(lambda d: "CLIENT NAME" not in "\n".join(lines(d)) and sum("Muster AG" in t for t in lines(d)) == 4, removed=["between Harbour & Finch Ltd (the “Provider”) and [CLIENT NAME] (the “Client”)", "The Provider renders the Services to [CLIENT NAME] from [START DATE] with due skill and care.", "[CLIENT NAME] pays the Fee within thirty days of the date of the invoice.", "Signed for [CLIENT NAME]: ____________________\tDate: ____________"], added=["between Harbour & Finch Ltd (the “Provider”) and Muster AG (the “Client”)", "The Provider renders the Services to Muster AG from [START DATE] with due skill and care.", "Muster AG pays the Fee within thirty days of the date of the invoice.", "Signed for Muster AG: ____________________\tDate: ____________"])),
    R("Fill in CLIENT NAME with Muster AG and JURISDICTION with Switzerland", agreement, _d(lambda d: any(t.endswith("the law of Switzerland.") for t in lines(d)) and any(t.startswith("Muster AG pays") for t in lines(d)), removed=["between Harbour & Finch Ltd (the “Provider”) and [CLIENT NAME] (the “Client”)", "The Provider renders the Services to [CLIENT NAME] from [START DATE] with due skill and care.", "[CLIENT NAME] pays the Fee within thirty days of the date of the invoice.", "Signed for [CLIENT NAME]: ____________________\tDate: ____________", "This Agreement is governed by the law of [JURISDICTION]."], added=["between Harbour & Finch Ltd (the “Provider”) and Muster AG (the “Client”)", "The Provider renders the Services to Muster AG from [START DATE] with due skill and care.", "Muster AG pays the Fee within thirty days of the date of the invoice.", "Signed for Muster AG: ____________________\tDate: ____________", "This Agreement is governed by the law of Switzerland."])),
    # -- comments and links
    R("Add a comment to the second paragraph: Is this still true?", memo, _d(lambda d: _comments(d) == ["Is this still true?"])),
    R("comment on 'approved in March' saying \"By whom?\"", memo, _d(lambda d: _comments(d) == ["By whom?"])),
    R("Please add a comment \"Check the amount\" to the heading Costs", memo, _d(lambda d: _comments(d) == ["Check the amount"])),
    R("Link the words 'new office' in the last paragraph to https://example.com/office", memo, _d(lambda d: "https://example.com/office" in [r.target_ref for r in d.part.rels.values() if r.is_external] and "w:hyperlink" in _xml(d), looks={"We look forward to the new office.": {}})),
    R("Turn \"Acme Estates\" into a link to www.acme-estates.example.com", memo, _d(lambda d: any("www.acme-estates.example.com" in r.target_ref for r in d.part.rels.values() if r.is_external), looks={ACME[0]: {}})),
    # -- tables
    R("Insert a 3x2 table at the end", memo, _d(lambda d: len(d.tables) == 3 and (len(d.tables[2].rows), len(d.tables[2].columns)) == (3, 2))),
    R("add a table with 4 rows and three columns after the introduction", memo, _d(lambda d: (len(d.tables[0].rows), len(d.tables[0].columns)) == (4, 3))),
    R("Create a table with the columns Name, Qty and Price below the heading Conclusion", memo, Expect(added=["Name | Qty | Price"], order=[["Conclusion", "Name | Qty | Price", "We look forward to the new office."]])),
    R("Insert a table at the end with the header City, Rent and the rows Bern, 900; Basel, 850", memo, Expect(added=["City | Rent", "Bern | 900", "Basel | 850"])),
    R("Add a table at the end:\nName | Role\nAnn | Lead\nBob | Driver", memo, Expect(added=["Name | Role", "Ann | Lead", "Bob | Driver"])),
    R("Set cell B2 of the first table to 1300", memo, Expect(removed=["Desks | 1200"], added=["Desks | 1300"])),
    R("change row 3, column 2 of the first table to 850", memo, Expect(removed=["Chairs | 800"], added=["Chairs | 850"])),
    R("Change the price of the desks to 1250", memo, Expect(removed=["Desks | 1200"], added=["Desks | 1250"])),
    R("Set the owner of Pack to Carl in the table", memo, Expect(removed=["2 June | Pack | Ann"], added=["2 June | Pack | Carl"])),
    R("Add a row to the first table with Lamps and 300", memo, Expect(added=["Lamps | 300"])),
    R("Append the row Lamps, 300 below the row Chairs", memo, Expect(added=["Lamps | 300"], order=[["Chairs | 800", "Lamps | 300", "Total | 2000"]])),
    R("insert two empty rows at the end of the second table", memo, _d(lambda d: len(d.tables[1].rows) == 5)),
    R("Delete the last row of the second table", memo, Expect(removed=["5 June | Move | Bob"])),
    R("remove the row Chairs", memo, Expect(removed=["Chairs | 800"])),
    R("Merge the first two cells of the first row in the second table", memo, _d(lambda d: d.tables[1].cell(0, 0)._tc is d.tables[1].cell(0, 1)._tc, added=["Date\nTask | Date\nTask | Owner"], removed=["Date | Task | Owner"], free_looks=True)),
    R("Shade the header row of the first table light grey", memo, _d(lambda d: 'w:fill="D9D9D9"' in d.tables[0].rows[0]._tr.xml and 'w:fill="D9D9D9"' not in d.tables[0].rows[1]._tr.xml)),
    R("give the last row a yellow background in the table with the prices", memo, _d(lambda d: 'w:fill="FFFF00"' in d.tables[0].rows[3]._tr.xml)),
    R("Apply the table style Light List Accent 1 to the first table", memo, _d(lambda d: d.tables[0].style.name == "Light List Accent 1" and d.tables[1].style.name == "Table Grid", free_looks=True)),
    R("In the price table change Chairs to Stools", memo, Expect(removed=["Chairs | 800"], added=["Stools | 800"])),
    R("Write 'n/a' into the third column of the last row of the second table", memo, Expect(removed=["5 June | Move | Bob"], added=["5 June | Move | n/a"])),
    # -- pictures and charts
    R("Make the picture 8 cm wide", memo, _d(lambda d: _near(d.inline_shapes[0].width, Cm(8)))),
    R("resize the image to 50 %", memo, _d(lambda d: _near(d.inline_shapes[0].width, Cm(3)))),
    R("Set the alt text of the picture to \"Front of the new building\"", memo, _d(lambda d: 'descr="Front of the new building"' in _xml(d))),
    R("Add a bar chart after the table with the prices with Desks 1200, Chairs 800 titled Costs", memo, _d(lambda d: "c:chart" in _xml(d))),
    R("Insert a pie chart at the end: North 40, South 35, West 25", memo, _d(lambda d: "c:chart" in _xml(d))),
    # -- pages
    R("Insert a page break before the conclusion", memo, _d(lambda d: 'w:type="page"' in _xml(d) or "w:pageBreakBefore" in _xml(d), free_looks=True)),
    R("start the section Schedule on a new page", memo, _d(lambda d: 'w:type="page"' in _xml(d) or "w:pageBreakBefore" in _xml(d), free_looks=True)),
    R("Switch the document to landscape", memo, _d(lambda d: _landscape(d))),
    R("set all margins to 2 cm", memo, _d(lambda d: _margins(d, 2, 2, 2, 2))),
    R("Set the left and right margins to 3 cm", memo, _d(lambda d: _margins(d, 3, 3, 2.54, 2.54))),
    R("make the top margin 1.5 inches", memo, _d(lambda d: _near(d.sections[0].top_margin, Cm(3.81)))),
    R("Put 'Confidential' in the header", memo, _d(lambda d: _header(d).strip() == "Confidential")),
    R("Add a footer saying Office Move Team", memo, _d(lambda d: "Office Move Team" in _footer(d))),
    R("add page numbers at the bottom", memo, _d(lambda d: "PAGE" in _fields(d))),
    R("Number the pages at the bottom right", memo, _d(lambda d: "PAGE" in _fields(d) and 'w:val="right"' in _fields(d))),
    R("Add page numbers in the footer like \"Page 1 of 5\"", memo, _d(lambda d: "PAGE" in _fields(d) and "NUMPAGES" in _fields(d))),
    R("Set the author to Ann Lee", memo, _d(lambda d: d.core_properties.author == "Ann Lee")),
    R("change the document properties: title \"Move 2026\", subject Logistics", memo, _d(lambda d: (d.core_properties.title, d.core_properties.subject) == ("Move 2026", "Logistics"))),
    # -- several things at once
    R("Make the title bold and centre it, then add a 3x2 table after the introduction with the header Name, Amount", memo, _d(lambda d: (len(d.tables[0].rows), len(d.tables[0].columns)) == (3, 2), looks={"Office Move": {"bold": True, "align": "center"}}, added=["Name | Amount"], order=[[ACME[1], "Name | Amount"]])),
    R("Replace 'Acme' with 'Globex' everywhere, make all headings dark blue and add page numbers at the bottom", memo, _d(lambda d: "PAGE" in _fields(d), removed=ACME, added=GLOBEX, looks={t: {"color": "002060"} for t in HEADINGS_MEMO})),
    R("Add a heading Next steps at the end, then a bullet list under it: call the client, send the offer, book the room", memo, Expect(added=["Next steps", "call the client", "send the offer", "book the room"], order=[["We look forward to the new office.", "Next steps", "call the client", "send the offer", "book the room"]])),
    R("1. Make the title red\n2. Delete the second paragraph\n3. Add page numbers at the bottom", memo, _d(lambda d: "PAGE" in _fields(d), removed=[ACME[1]], looks={"Office Move": {"color": "FF0000"}})),
    R("Centre the title. Also, set it in Georgia.", memo, Expect(looks={"Office Move": {"align": "center", "font": "Georgia"}})),
    R("bold the title and the heading Costs", memo, Expect(looks={"Office Move": _BOLD, "Costs": _BOLD})),
    R("First make the heading Risks italic, and after that delete the bullet Late delivery", memo, Expect(removed=["Late delivery"], looks={"Risks": {"italic": True}})),
    R("Add a table with the columns Name and Phone at the end and shade its header row light blue", memo, _d(lambda d: 'w:fill="00B0F0"' in d.tables[2].rows[0]._tr.xml, added=["Name | Phone"])),
    R("- Set the margins to 2.5 cm\n- Switch to landscape\n- Put Draft in the header", memo, _d(lambda d: _landscape(d) and "Draft" in _header(d))),
    R("Hi! Could you change Bob to Robert and then make the title blue? Thanks", memo, Expect(removed=["5 June | Move | Bob"], added=["5 June | Move | Robert"], looks={"Office Move": {"color": "0070C0"}})),
    R("Delete the last row of the first table, then add the row Lamps, 300 to it", memo, Expect(removed=["Total | 2000"], added=["Lamps | 300"])),
    R("Make the first table's header row bold and give it a light grey background", memo, _d(lambda d: 'w:fill="D9D9D9"' in d.tables[0].rows[0]._tr.xml, looks={"Item": _BOLD, "Price": _BOLD})),
    R("Add a paragraph \"Approved by the board.\" after the introduction and make it italic", memo, Expect(added=["Approved by the board."], looks={"Approved by the board.": {"italic": True}}, order=[[ACME[1], "Approved by the board.", "Costs"]])),
    R("Replace Ann with Anna, Bob with Robert", memo, Expect(removed=["2 June | Pack | Ann", "5 June | Move | Bob"], added=["2 June | Pack | Anna", "5 June | Move | Robert"])),
    R("Make the headings blue and underlined, and set the body text in Times New Roman 11", memo, Expect(looks={**{t: {"color": "0070C0", "underline": True} for t in HEADINGS_MEMO}, **{t: {"font": "Times New Roman", "size": 11} for t in (*ACME, "Prices are net.", "The budget was approved in March.", "Dates may change.", "We look forward to the new office.")}})),
    R("Insert a page break before the annex and centre the heading of the annex", agreement, Expect(looks={"Annex: Services": {"align": "center"}}, free_looks=True)),
    R("Set the title to 24pt, centre it and make it dark red", report, Expect(looks={"Quarterly Report": {"size": 24, "align": "center", "color": "C00000"}})),
    # -- samples
    R("Make the total row of the table bold", report, Expect(looks=dict.fromkeys(("Total", "1,366", "1,488", "+9 %"), _BOLD))),
    R("Change the Q3 figure for West to 350", report, Expect(removed=["West | 301 | 344 | +14 %"], added=["West | 301 | 350 | +14 %"])),
    R("Add a row for Central with 100, 120 and +20 % above the total", report, Expect(added=["Central | 100 | 120 | +20 %"], order=[["West | 301 | 344 | +14 %", "Central | 100 | 120 | +20 %", "Total | 1,366 | 1,488 | +9 %"]])),
    R("in the table, highlight the East row in light green", report, _d(lambda d: 'w:fill="92D050"' in d.tables[0].rows[3]._tr.xml)),
    R("Delete the section What did not go well", report, Expect(removed=["What did not go well", "Two large orders in the South region were postponed to next year. The recruitment of a second account manager there has not been successful yet."])),
    R("Move the section Next steps to before Market and customers", report, Expect(order=[["Figure 1: Revenue by region, second and third quarter", "Next steps"]], free_looks=True)),
    R("Add 'Inform the board' as the last item of the numbered list", report, Expect(added=["Inform the board"], order=[["Prepare the budget for 2027", "Inform the board", "The detailed figures are on the finance pages of the intranet."]])),
    R("Please replace kEUR by TEUR in the table", report, Expect(removed=["Region | Q2 (kEUR) | Q3 (kEUR) | Change"], added=["Region | Q2 (TEUR) | Q3 (TEUR) | Change"])),
    R("Set the subtitle in grey italics", report, Expect(looks={"Third quarter 2026, prepared by the Finance team": {"color": "808080", "italic": True}})),
    R("Change three months to six months", agreement, Expect(removed=["Either party may end it by written notice of three months to the end of a month."], added=["Either party may end it by written notice of six months to the end of a month."])),
    R("Add a heading Liability before Governing law with the text 'Liability is limited to the annual Fee.' below it", agreement, Expect(added=["Liability", "Liability is limited to the annual Fee."], order=[["Liability", "Liability is limited to the annual Fee.", "Governing law"]])),
    R("Make every \"Provider\" bold", agreement, _d(lambda d: words_look(d, "Provider", "bold") is True, free_looks=True)),
    R("Set the response time of the Reporting service to 3 Business Days", agreement, Expect(removed=["3 | Reporting | A written report on availability and open matters | 5 Business Days | 4"], added=["3 | Reporting | A written report on availability and open matters | 3 Business Days | 4"])),
    # -- written after the first reading was mended, before it was tried on them
    R("Could the heading Costs be in red please", memo, Expect(looks={"Costs":{"color":"FF0000"}})),
    R("The title needs to be bigger, make it 32 points", memo, Expect(looks={"Office Move":{"size":32}})),
    R("Bold everything in the introduction", memo, Expect(looks={ACME[0]:_BOLD,ACME[1]:_BOLD})),
    R("Use Verdana for all headings", memo, Expect(looks={t:{"font":"Verdana"} for t in HEADINGS_MEMO})),
    R("Underline the title", memo, Expect(looks={"Office Move":{"underline":True}})),
    R("make Acme Estates italic", memo, _d(lambda d: words_look(d,"Acme Estates","italic") is True, looks={ACME[0]:{}})),
    R("Please set the paragraph under Conclusion in 12pt Arial", memo, Expect(looks={"We look forward to the new office.":{"size":12,"font":"Arial"}})),
    R("Right align the date line 'Dates may change.'", memo, Expect(looks={"Dates may change.":{"align":"right"}})),
    R("justify the section Introduction", memo, Expect(looks={ACME[0]:{"align":"justify"},ACME[1]:{"align":"justify"}})),
    R("left-align the title", agreement, Expect(looks={"Service Agreement":{"align":"left"}})),
    R("set 1.5 line spacing for the first two paragraphs", memo, Expect(looks={ACME[0]:{"spacing":1.5},ACME[1]:{"spacing":1.5}})),
    R("Turn the heading Risks into a level 1 heading", memo, Expect(looks={"Risks":{"level":1}})),
    R("Make 'Dates may change.' a quote", memo, Expect(looks={"Dates may change.":{"style":"Quote"}})),
    R("Add \"Thanks to all of you.\" as a new paragraph at the end of the document", memo, Expect(added=["Thanks to all of you."], order=[["We look forward to the new office.","Thanks to all of you."]])),
    R("Insert a new heading called Budget right before Schedule", memo, Expect(added=["Budget"], order=[["Budget","Schedule"]])),
    R("write 'Draft version' above the title", memo, Expect(added=["Draft version"], order=[["Draft version","Office Move"]])),
    R("Please insert the following paragraph after the heading Risks: We see three risks.", memo, Expect(added=["We see three risks."], order=[["Risks","We see three risks.","Late delivery"]])),
    R("Append the items paint the walls and clean the floor to the list", memo, Expect(added=["paint the walls","clean the floor"], order=[["No internet","paint the walls","clean the floor"]])),
    R("add a bulleted list with apples, pears and plums below the conclusion", memo, Expect(added=["apples","pears","plums"])),
    R("Swap Bob for Bill", memo, Expect(removed=["5 June | Move | Bob"], added=["5 June | Move | Bill"])),
    R("The word 'net' should read 'gross'", memo, Expect(removed=["Prices are net."], added=["Prices are gross."])),
    R("Correct \"Chairs\" to \"Armchairs\"", memo, Expect(removed=["Chairs | 800"], added=["Armchairs | 800"])),
    R("Replace March by April in the section Costs", memo, Expect(removed=["The budget was approved in March."], added=["The budget was approved in April."])),
    R("Remove the word 'net'", memo, Expect(removed=["Prices are net."], added=["Prices are."])),
    R("Kill the section Risks", memo, Expect(removed=["Risks","Late delivery","Lost boxes","No internet"])),
    R("Delete the first table", memo, Expect(removed=["Item | Price","Desks | 1200","Chairs | 800","Total | 2000"])),
    R("delete all bullets", memo, Expect(removed=["Late delivery","Lost boxes","No internet"])),
    R("Please move the picture to the end", memo, _d(lambda d: "pic:pic" in d.paragraphs[-1]._p.xml)),
    R("Move the second paragraph before the first", memo, Expect(order=[[ACME[1], ACME[0]]])),
    R("Copy the first table to the end", memo, Expect(added=["Item | Price","Desks | 1200","Chairs | 800","Total | 2000"])),
    R("uppercase the heading Costs", memo, Expect(removed=["Costs"], added=["COSTS"])),
    R("Title Case for the heading Conclusion please", report, Expect()),
    R("Comment on the last paragraph: Too short?", memo, _d(lambda d: _comments(d)==["Too short?"])),
    R("Put a note 'check with Ann' on the budget sentence", memo, _d(lambda d: _comments(d)==["check with Ann"])),
    R("Hyperlink 'new office' in the conclusion to www.example.org", memo, _d(lambda d: any("www.example.org" in r.target_ref for r in d.part.rels.values() if r.is_external), looks={"We look forward to the new office.":{}})),
    R("I need a table with 2 columns and 6 rows after the section Costs", memo, _d(lambda d:(len(d.tables[1].rows),len(d.tables[1].columns))==(6,2))),
    R("Create a 4 by 3 table below the heading Conclusion", memo, _d(lambda d:(len(d.tables[2].rows),len(d.tables[2].columns))==(4,3))),
    R("add a table at the end with columns Task, Owner, Due date and two empty rows", memo, Expect(added=["Task | Owner | Due date"])),
    R("change the price for chairs to 750", memo, Expect(removed=["Chairs | 800"], added=["Chairs | 750"])),
    R("In the second table, set the owner of Move to Dora", memo, Expect(removed=["5 June | Move | Bob"], added=["5 June | Move | Dora"])),
    R("Enter 5000 in the last cell of the first table", memo, Expect(removed=["Total | 2000"], added=["Total | 5000"])),
    R("Add the row Plants, 150 above the Total row", memo, Expect(added=["Plants | 150"], order=[["Chairs | 800","Plants | 150","Total | 2000"]])),
    R("delete the Desks row", memo, Expect(removed=["Desks | 1200"])),
    R("Delete the second and third row of the first table", memo, Expect(removed=["Desks | 1200","Chairs | 800"])),
    R("merge the cells of the first row of the first table", memo, _d(lambda d: d.tables[0].cell(0,0)._tc is d.tables[0].cell(0,1)._tc, removed=["Item | Price"], added=["Item\nPrice | Item\nPrice"], free_looks=True)),
    R("Make the background of the Total row light blue", memo, _d(lambda d:'w:fill="00B0F0"' in d.tables[0].rows[3]._tr.xml)),
    R("colour the price column yellow", memo, _d(lambda d: d.tables[0]._tbl.xml.count('w:fill="FFFF00"')==4 or sum('w:val="FFFF00"' in c._tc.xml for c in d.tables[0].column_cells(1))==4, free_looks=True)),
    R("use the style Light Shading for both tables", memo, _d(lambda d: all(t.style.name=="Light Shading" for t in d.tables), free_looks=True)),
    R("Shrink the picture to half its size", memo, _d(lambda d:_near(d.inline_shapes[0].width,Cm(3)))),
    R("picture 10cm wide please", memo, _d(lambda d:_near(d.inline_shapes[0].width,Cm(10)))),
    R("Add a line chart at the end showing 2022: 10, 2023: 14, 2024: 19", memo, _d(lambda d:"c:chart" in _xml(d))),
    R("put the conclusion on a new page", memo, _d(lambda d:'w:type="page"' in _xml(d) or "w:pageBreakBefore" in _xml(d), free_looks=True)),
    R("portrait please, for the whole document", agreement, _d(lambda d: all((s.page_width or 0) < (s.page_height or 0) for s in d.sections), free_looks=True)),
    R("Set margins: top 3 cm, bottom 2 cm", memo, _d(lambda d:_margins(d,3.175,3.175,3,2))),
    R("narrow margins please", memo, _d(lambda d:_margins(d,1.27,1.27,1.27,1.27))),
    R("The header should say Office Move 2026", memo, _d(lambda d:_header(d).strip()=="Office Move 2026")),
    R("Write 'Internal' at the top right of every page", memo, _d(lambda d:"Internal" in _header(d))),
    R("Change the footer to Doe Ltd 2026", letter, _d(lambda d:_footer(d).strip()=="Doe Ltd 2026")),
    R("Page numbers in the footer, right-aligned", memo, _d(lambda d:"PAGE" in _fields(d) and 'w:val="right"' in _fields(d))),
    R("Set the document's author to Jane Doe and its keywords to move, office", memo, _d(lambda d:(d.core_properties.author,d.core_properties.keywords)==("Jane Doe","move, office"))),
    R("Make the title dark red, centred and 30 pt, then delete the picture", memo, _d(lambda d:"pic:pic" not in _xml(d), looks={"Office Move":{"color":"C00000","align":"center","size":30}})),
    R("Please: 1) bold the header rows of all tables 2) right-align the price column 3) add page numbers", memo, _d(lambda d:"PAGE" in _fields(d), free_looks=True, looks={"Item":_BOLD,"Date":_BOLD,"1200":{"align":"right"}})),
    R("Add a heading Appendix at the end and under it a table with the columns Name and Phone", memo, Expect(added=["Appendix","Name | Phone"], order=[["Appendix","Name | Phone"]])),
    R("Change Acme to Globex, but only in the first paragraph", memo, Expect(removed=[ACME[0]], added=[ACME[0].replace("Acme","Globex")])),
    R("replace June with July and May with June", memo, Expect(removed=[ACME[0],"2 June | Pack | Ann","5 June | Move | Bob"], added=["Acme moves to a new office in July. The lease with Acme Estates ends in June.","2 July | Pack | Ann","5 July | Move | Bob"])),
    R("Set the line spacing to double in the whole document and the font to Cambria", letter, _d(lambda d: all(x.paragraph_format.line_spacing==2.0 for x in d.paragraphs), free_looks=True, looks={"Kind regards":{"font":"Cambria"}})),
    R("Fill NAME with Bob Ray", letter, Expect(removed=["Dear {{NAME}},"], added=["Dear Bob Ray,"])),
    R("Rename column Owner to Responsible", memo, Expect(removed=["Date | Task | Owner"], added=["Date | Task | Responsible"])),
    # -- written after that was mended, before it was tried on them
    R("Please bold the header row", report, Expect(looks=dict.fromkeys(("Region", "Q2 (kEUR)", "Q3 (kEUR)", "Change"), _BOLD))),
    R("I want all the headings to be navy blue and in Calibri", report, Expect(looks={t:{"color":"000080","font":"Calibri"} for t in HEADINGS_REPORT})),
    R("Reduce the font size of the subtitle to 11", report, Expect(looks={"Third quarter 2026, prepared by the Finance team":{"size":11}})),
    R("make the summary justified", report, Expect(looks={"Revenue grew by nine per cent…":{"align":"justify"},"The South region fell short of its plan for the second quarter in a row and needs attention.":{"align":"justify"},"Revenue: 1,488 kEUR, up nine per cent on the second quarter":{"align":"justify"},"Operating margin: 14 per cent, up from 12":{"align":"justify"},"New customers: 63, of whom 41 in the East region":{"align":"justify"}})),
    R("Change South to Southern in the table", report, Expect(removed=["South | 388 | 371 | -4 %"], added=["Southern | 388 | 371 | -4 %"])),
    R("Set the Q2 value of East to 270", report, Expect(removed=["East | 265 | 318 | +20 %"], added=["East | 270 | 318 | +20 %"])),
    R("Update the change for North to +11 %", report, Expect(removed=["North | 412 | 455 | +10 %"], added=["North | 412 | 455 | +11 %"])),
    R("Delete the South row from the table", report, Expect(removed=["South | 388 | 371 | -4 %"])),
    R("Insert a row below West: Islands, 20, 25, +25 %", report, Expect(added=["Islands | 20 | 25 | +25 %"], order=[["West | 301 | 344 | +14 %","Islands | 20 | 25 | +25 %"]])),
    R("remove the caption under the picture", report, Expect(removed=["Figure 1: Revenue by region, second and third quarter"])),
    R("Delete the picture and its caption", report, _d(lambda d:"pic:pic" not in _xml(d), removed=["Figure 1: Revenue by region, second and third quarter"])),
    R("Write 'Next steps for 2027' instead of 'Next steps'", report, Expect(removed=["Next steps"], added=["Next steps for 2027"])),
    R("Add a bullet 'Costs: up three per cent' after the first bullet", report, Expect(added=["Costs: up three per cent"], order=[["Revenue: 1,488 kEUR, up nine per cent on the second quarter","Costs: up three per cent"]])),
    R("Replace \"Finance team\" by \"Controlling\" in the subtitle", report, Expect(removed=["Third quarter 2026, prepared by the Finance team"], added=["Third quarter 2026, prepared by the Controlling"])),
    R("Add a level 2 heading Outlook to the end of the section Market and customers", report, Expect(added=["Outlook"], looks={"Outlook":{"level":2}}, order=[["Outlook","Next steps"]])),
    R("Turn the bullets in the summary red", report, Expect(looks={t:{"color":"FF0000"} for t in ("Revenue: 1,488 kEUR, up nine per cent on the second quarter","Operating margin: 14 per cent, up from 12","New customers: 63, of whom 41 in the East region")})),
    R("Make the picture 10 cm wide and set its alt text to Revenue chart", report, _d(lambda d:_near(d.inline_shapes[0].width,Cm(10)) and 'descr="Revenue chart"' in _xml(d))),
    R("Put a page break before Revenue by region", report, _d(lambda d:'w:type="page"' in _xml(d) or "w:pageBreakBefore" in _xml(d), free_looks=True)),
    R("Change the header to Quarterly report 2026", report, _d(lambda d:_header(d).strip()=="Quarterly report 2026")),
    R("please delete the comment-free paragraph 'The detailed figures are on the finance pages of the intranet.'", report, Expect(removed=["The detailed figures are on the finance pages of the intranet."])),
    R("Set the title to Annual Report and make it 30pt", report, Expect(removed=["Quarterly Report"], added=["Annual Report"], looks={"Annual Report":{"size":30}})),
    R("Replace [START DATE] with 1 January 2027", agreement, _d(lambda d: not any("START DATE" in t for t in lines(d)), removed=["The Provider renders the Services to [CLIENT NAME] from [START DATE] with due skill and care.","This Agreement begins on [START DATE] and runs for an indefinite time."], added=["The Provider renders the Services to [CLIENT NAME] from 1 January 2027 with due skill and care.","This Agreement begins on 1 January 2027 and runs for an indefinite time."])),
    R("fill in the fee with 2,000 euros", agreement, Expect(removed=["Fee | The amount of [FEE] per month, without value added tax."], added=["Fee | The amount of 2,000 euros per month, without value added tax."])),
    R("Bold all the clause headings", agreement, Expect(looks=dict.fromkeys(("Definitions", "Fee and payment", "Confidentiality", "Term and termination", "Governing law"), _BOLD), free_looks=True)),
    R("Add a clause 'Notices are given in writing.' at the end of Term and termination", agreement, Expect(added=["Notices are given in writing."], order=[["insolvency proceedings are opened against it.","Notices are given in writing."]])),
    R("Change 'three years' to 'five years'", agreement, Expect(removed=["This duty ends three years after the end of this Agreement."], added=["This duty ends five years after the end of this Agreement."])),
    R("Make the word Client in the second paragraph italic", agreement, Expect()),
    R("Set the monthly hours of the Help desk to 50", agreement, Expect(removed=["1 | Help desk | Answers to questions of users by telephone and e-mail | 4 hours | 40"], added=["1 | Help desk | Answers to questions of users by telephone and e-mail | 4 hours | 50"])),
    R("Add a row to the services table: 4, Training, A day of training each quarter, 10 Business Days, 8", agreement, Expect(added=["4 | Training | A day of training each quarter | 10 Business Days | 8"])),
    R("Shade the header rows of both tables in light grey", agreement, _d(lambda d: all('w:fill="D9D9D9"' in t.rows[0]._tr.xml for t in d.tables))),
    R("comment on the clause about interest: Check the rate", agreement, _d(lambda d:_comments(d)==["Check the rate"])),
    R("Please set the whole agreement in Garamond 11", agreement, _d(lambda d: d.paragraphs[2].runs[0].font.name=="Garamond" and d.paragraphs[2].runs[0].font.size.pt==11, free_looks=True)),
    R("Put the confidentiality clause before the fee clause", agreement, Expect(order=[["Confidentiality","Each party keeps the Confidential Information secret and uses it for this Agreement only."]], free_looks=True)),
    R("Centre both tables' header rows", memo, Expect(looks={t:{"align":"center"} for t in ("Item","Price","Date","Task","Owner")})),
    R("Underline Acme everywhere", memo, _d(lambda d:words_look(d,"Acme","underline") is True, looks={t:{} for t in ACME})),
    R("In the introduction, replace Acme with Globex", memo, Expect(removed=ACME, added=GLOBEX)),
    R("Make Ann bold in the schedule table", memo, Expect(looks={"Ann":_BOLD})),
    R("remove the bold formatting from the title", memo, Expect(looks={"Office Move":{"bold":False}})),
    R("Add a new paragraph below the first table: See annex A.", memo, Expect(added=["See annex A."], order=[["Total | 2000","See annex A."]])),
    R("Write \"Dear colleagues,\" at the top of the document", memo, Expect(added=["Dear colleagues,"], order=[["Dear colleagues,","Office Move"]])),
    R("number the pages in the footer on the left", memo, _d(lambda d:"PAGE" in _fields(d) and ('w:val="left"' in _fields(d) or 'w:val="start"' in _fields(d)))),
    R("Make the right margin 4cm and the left margin 3cm", memo, _d(lambda d:_margins(d,3,4,2.54,2.54))),
    R("Give the last paragraph the style Intense Quote", memo, Expect(looks={"We look forward to the new office.":{"style":"Intense Quote"}})),
    R("Insert a 2 column table with the headings Risk and Measure after the bullet list", memo, Expect(added=["Risk | Measure"], order=[["No internet","Risk | Measure"]])),
    R("Delete 'in March'", memo, Expect(removed=["The budget was approved in March."], added=["The budget was approved."])),
    R("swap the words June and July", memo, Expect()),
    R("Color the text 'new office' green everywhere", memo, _d(lambda d:words_look(d,"new office","color")=="00B050", looks={ACME[0]:{},"We look forward to the new office.":{}})),
    R("Make the second and the third bullet bold", memo, Expect(looks={"Lost boxes":_BOLD,"No internet":_BOLD})),
    R("make paragraphs 1 and 2 italic", memo, Expect(looks={ACME[0]:{"italic":True},ACME[1]:{"italic":True}})),
    # -- and again
    R("pls make title italic", memo, Expect(looks={"Office Move":{"italic":True}})),
    R("Headings should all be 16 pt", memo, Expect(looks={t:{"size":16} for t in HEADINGS_MEMO})),
    R("Give the title a dark green colour", memo, Expect(looks={"Office Move":{"color":"006400"}})),
    R("Could you bold and underline the heading Schedule?", memo, Expect(looks={"Schedule":{"bold":True,"underline":True}})),
    R("Text in the second table should be 9 pt", memo, Expect(looks={t:{"size":9} for t in ("Date","Task","Owner","2 June","Pack","Ann","5 June","Move","Bob")})),
    R("put the last paragraph in the middle", memo, Expect(looks={"We look forward to the new office.":{"align":"center"}})),
    R("Format the first paragraph as a quote", memo, Expect(looks={ACME[0]:{"style":"Quote"}})),
    R("single line spacing for the conclusion", memo, Expect(looks={"We look forward to the new office.":{"spacing":1.0}})),
    R("Insert the heading 'Team' in front of the conclusion", memo, Expect(added=["Team"], order=[["Team","Conclusion"]])),
    R("Add \"Lunch is provided.\" to the end of the introduction", memo, Expect(added=["Lunch is provided."], order=[[ACME[1],"Lunch is provided.","Costs"]])),
    R("Please type 'Ann will coordinate.' below the second table", memo, Expect(added=["Ann will coordinate."], order=[["5 June | Move | Bob","Ann will coordinate."]])),
    R("Start a new section called Parking after Schedule", memo, Expect(added=["Parking"])),
    R("make a numbered list after the conclusion with: book a van, pack boxes, label everything", memo, Expect(added=["book a van","pack boxes","label everything"])),
    R("Every 'Acme' must become 'ACME Ltd'", memo, Expect(removed=ACME, added=[t.replace("Acme","ACME Ltd") for t in ACME])),
    R("Replace the word boxes with crates", memo, Expect(removed=["Lost boxes"], added=["Lost crates"])),
    R("Cut the last paragraph", memo, Expect(removed=["We look forward to the new office."])),
    R("erase row 2 of the first table", memo, Expect(removed=["Desks | 1200"])),
    R("Remove the heading Risks", memo, Expect(removed=["Risks"])),
    R("Put the Schedule section before Costs", memo, Expect(order=[[ACME[1],"Schedule"]])),
    R("All caps for the headings", memo, _d(lambda d: all(p.text.isupper() or p.runs[0].font.all_caps for p in d.paragraphs if p.style.name.startswith("Heading")), free_looks=True)) ,
    R("comment 'Is this final?' on the heading Costs", memo, _d(lambda d:_comments(d)==["Is this final?"])),
    R("Make 'net' a link to https://tax.example.com", memo, _d(lambda d: any("tax.example.com" in r.target_ref for r in d.part.rels.values() if r.is_external), looks={"Prices are net.":{}})),
    R("table with 5 rows and 2 columns at the end please", memo, _d(lambda d:(len(d.tables[2].rows),len(d.tables[2].columns))==(5,2))),
    R("Insert a table after Costs: Name, Phone; Ann, 123; Bob, 456", memo, Expect(added=["Name | Phone","Ann | 123","Bob | 456"])),
    R("Put 999 into cell B3 of the first table", memo, Expect(removed=["Chairs | 800"], added=["Chairs | 999"])),
    R("Total should be 2100 in the price table", memo, Expect(removed=["Total | 2000"], added=["Total | 2100"])),
    R("one more row at the bottom of the second table please", memo, _d(lambda d:len(d.tables[1].rows)==4)),
    R("Drop the last two rows of the first table", memo, Expect(removed=["Chairs | 800","Total | 2000"])),
    R("Colour the first row of the second table light green", memo, _d(lambda d:'w:fill="92D050"' in d.tables[1].rows[0]._tr.xml or all(r.font.color.rgb is not None for c in d.tables[1].rows[0].cells for r in c.paragraphs[0].runs), free_looks=True)),
    R("scale the picture to 200%", memo, _d(lambda d:_near(d.inline_shapes[0].width,Cm(12)))),
    R("Describe the picture as 'Our new building'", memo, _d(lambda d:'descr="Our new building"' in _xml(d))),
    R("column chart at the end with Jan 5, Feb 7, Mar 9", memo, _d(lambda d:"c:chart" in _xml(d))),
    R("I want the schedule to begin on a new page", memo, _d(lambda d:'w:type="page"' in _xml(d) or "w:pageBreakBefore" in _xml(d), free_looks=True)),
    R("Page orientation landscape", memo, _d(_landscape)),
    R("1 inch margins everywhere", memo, _d(lambda d:_margins(d,2.54,2.54,2.54,2.54))),
    R("Footer: Confidential", memo, _d(lambda d:_footer(d).strip()=="Confidential")),
    R("show 'Page X of Y' in the footer", memo, _d(lambda d:"PAGE" in _fields(d) and "NUMPAGES" in _fields(d))),
    R("set document subject to Relocation", memo, _d(lambda d:d.core_properties.subject=="Relocation")),
]  # fmt: skip
"""Each can be done without new wording of the machine's own."""

DECLINED: list[tuple[str, Callable[[], bytes]]] = [
    ("Summarise the report in three sentences", report),
    ("Rewrite the introduction in a friendlier tone", memo),
    ("Translate the first paragraph into French", memo),
    ("Write a short conclusion about the office move", memo),
    ("Make the conclusion more concise", memo),
    ("Email this document to Ann", memo),
    ("What is the total revenue?", report),
    ("Delete the table", memo),
    ("Make it nicer", memo),
    ("Undo that", memo),
    ("Remove the paragraph about the parking lot", memo),
    ("Delete everything except the title", memo),
    ("Make all headings blue except Costs", memo),
    ("Don't delete the second paragraph", memo),
    ("Bold the words 'quarterly bonus'", memo),
    ("Move the third table to the end", memo),
    ("Make the fifth picture smaller", memo),
    ("Delete the paragraphs that mention Acme if they are short", memo),
    ("Check the spelling of the whole document", report),
    ("Add a paragraph about the history of the company", memo),
    ("Delete the paragraph about parking", memo),
    ("Make the third table blue", memo),
    ("Add a footnote to the title", memo),
    ("Insert a table of contents", memo),
    ("Sort the table by price", memo),
    ("Make the text nicer", memo),
    ("Shorten the introduction", memo),
    ("Add a watermark Confidential", memo),
    ("Accept all changes", memo),
    ("Delete every second row", memo),
    ("Delete the rows where Price is over 900", memo),
    ("Set the columns of the page to two", memo),
    ("Add a caption below the picture", memo),
    ("Make the last column of the first table wider", memo),
    ("Indent the first paragraph by 1 cm", memo),
    ("Highlight 'net' in yellow", memo),
    ("Insert today's date", memo),
    ("Number the headings", memo),
    ("Remove all formatting from the introduction", memo),
    ("Split the first table after row 2", memo),
    ("Rotate the picture by 90 degrees", memo),
    ("Protect the document with a password", memo),
    ("Convert the first table to text", memo),
    ("Delete nothing", memo),
    ("Do not change the title to red", memo),
    ("Add 3 cm space before the heading Costs", memo),
    ("Make the first paragraph of the section Outlook bold", memo),
    ("Delete the fourth row of the second table", memo),
    ("Replace Initech with Globex", memo),
    ("Make the title bigger than the headings", memo),
    ("Use the company colours for the headings", memo),
    ("Add the missing comma in the second sentence", memo),
    ("Move the picture slightly to the left", memo),
    ("Make every other paragraph bold", memo),
    ("Copy the formatting of the title to the headings", memo),
    ("Group the two tables", memo),
    ("Delete the rows with a price below 1000", memo),
    ("Add a column Total to the first table", memo),
    ("Double the price of the desks", memo),
    ("Sum up the prices in the last row", memo),
    ("Remove the table borders", memo),
    ("Hide the picture", memo),
    ("Add the logo to the header", memo),
    ("Set the title in the header", memo),
    ("Delete the word", memo),
    ("Make the paragraph before the table bold", memo),
]
"""What must leave the document as it is, with a reason: new wording, what is not there, what has several meanings, conditions."""
