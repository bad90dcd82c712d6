"""The document view: which block is which, what is drawn again, and what a hostile file cannot do."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.text import WD_BREAK
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Inches
from playwright.sync_api import Page, Route, expect

from agent.document.mirror import Mirror
from server.bench import Snapshot
from server.store import Opened, Publish
from tests.corpus import corpus_files
from tests.e2e.docx_bench import DocxBench, serving
from tests.e2e.playground import Playground
from tools.make_icons import png

pytestmark = pytest.mark.browser

NOT_IN_LINE = {"AlternateContent", "drawing", "pict", "object"}


def saved(document: DocumentObject) -> bytes:
    output = io.BytesIO()
    document.save(output)
    return output.getvalue()


def with_part(data: bytes, name: str, change: Callable[[str], str]) -> bytes:
    """The package with one part rewritten (made, if it is not there)."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(output, "w") as target:
        for entry in source.namelist():
            if entry != name:
                target.writestr(entry, source.read(entry))
        before = source.read(name).decode() if name in source.namelist() else ""
        target.writestr(name, change(before))
    return output.getvalue()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def playground(page: Page, server: str) -> Playground:
    return Playground(page, server)


# -- blocks ------------------------------------------------------------------------------------------------------------


def test_each_block_is_drawn_under_the_place_that_the_server_counts(page: Page) -> None:
    mirrors: dict[str, Mirror] = {}

    async def open_mirror(data: bytes, name: str, publish: Publish) -> Opened:
        mirror = mirrors[name] = Mirror.open(data, name)
        snapshot = Snapshot(mirror.save(), 1, tuple(mirror.body_blocks()))
        return Opened(DocxBench(saved(Document()), name, publish), snapshot, planner="local")

    wrong: list[str] = []
    with serving(open_mirror) as address:
        playground = Playground(page, address)
        for number, path in enumerate(corpus_files()):
            if path.suffix != ".docx" or path.stat().st_size > 300_000:
                continue
            name = f"{number}.docx"
            playground.open_file(path.read_bytes(), name)
            drawn = drawn_texts(page)
            for index, block in enumerate(mirrors[name].body_blocks()):
                there = words(plain_text(mirrors[name].element(block)))
                if words(drawn.get(str(index), "")) != there:
                    wrong.append(f"{path.name}, block {index}: {there[:60]!r}")
    assert mirrors
    assert wrong == []


def drawn_texts(page: Page) -> dict[str, str]:
    return page.evaluate(
        """() => {
            const texts = {};
            for (const node of document.querySelectorAll(".paper [data-block-index]")) {
                const copy = node.cloneNode(true);
                copy.querySelectorAll(".undrawn").forEach((box) => box.remove());
                texts[node.dataset.blockIndex] = (texts[node.dataset.blockIndex] ?? "") + copy.textContent;
            }
            return texts;
        }"""
    )


def plain_text(element: Any) -> str:
    """Text of an element in the order of the file, without drawings; deleted text too, since it is shown as such."""
    if not isinstance(element.tag, str) or element.tag.rpartition("}")[2] in NOT_IN_LINE:
        return ""
    own = element.text or "" if element.tag in {qn("w:t"), qn("w:delText")} else ""
    return own + "".join(plain_text(child) for child in element)


def words(text: str) -> str:
    """Letters only: the view adds the figures of notes, and white space is a matter of layout."""
    return re.sub(r"[\W\d_]+", "", text)


def test_a_paragraph_with_a_page_break_inside_is_one_block(playground: Playground) -> None:
    document = Document()
    document.add_paragraph("Zero")
    broken = document.add_paragraph("One before")
    broken.add_run().add_break(WD_BREAK.PAGE)
    broken.add_run("One after")
    document.add_paragraph("Two")
    playground.open_file(saved(document))
    assert drawn_texts(playground.page) == {"0": "Zero", "1": "One beforeOne after", "2": "Two"}


# -- drawing only what changed -----------------------------------------------------------------------------------------


def test_only_the_changed_blocks_are_drawn_again_and_marked(playground: Playground) -> None:
    document = Document()
    for number in range(40):
        document.add_paragraph(f"Paragraph {number}")
    playground.open_file(saved(document))
    playground.page.evaluate(
        "() => document.querySelectorAll('.paper [data-block-index]').forEach((node) => { node.seen = true; })"
    )
    playground.ask("bold 3; add after 10: New")
    expect(playground.paper.locator("[data-mark]")).to_have_count(2)
    expect(playground.block(10)).to_have_text("Added: New")
    fresh = playground.page.evaluate(
        """() => [...document.querySelectorAll(".paper [data-block-index]")]
            .filter((node) => !node.seen).map((node) => [Number(node.dataset.blockIndex), node.dataset.mark])"""
    )
    assert fresh == [[2, "changed"], [10, "added"]]
    # The mark is a word too, for those who do not see the bar.
    expect(playground.block(2)).to_have_text("Changed: Paragraph 2")
    # What was changed before is no longer news when the next request comes.
    playground.ask("bold 20")
    expect(playground.paper.locator("[data-mark]")).to_have_count(1)
    expect(playground.block(20)).to_have_text("Changed: Paragraph 19")


def test_a_place_where_something_was_removed_is_marked_until_it_is_back(playground: Playground) -> None:
    document = Document()
    for text in ("One", "Two", "Three"):
        document.add_paragraph(text)
    playground.open_file(saved(document))
    playground.ask("add after 2: Between")
    # What is taken back before it is seen leaves no gap.
    expect(playground.block(2)).to_have_text("Added: Between")
    playground.button("Undo: Add after 2: Between").click()
    expect(playground.block(2)).to_have_text("Something was removed here. Three")
    playground.button("Redo: Add after 2: Between").click()
    expect(playground.block(2)).to_have_text("Added: Between")
    expect(playground.block(3)).to_have_text("Three")


def test_the_scroll_position_stays_when_something_else_changes_in_view(playground: Playground) -> None:
    document = Document()
    for number in range(200):
        document.add_paragraph(f"Paragraph {number}")
    playground.open_file(saved(document))
    playground.page.evaluate("() => { document.querySelector('.paper').scrollTop = 1500; }")
    visible = playground.page.evaluate(
        """() => [...document.querySelectorAll(".paper [data-block-index]")].findIndex(
            (node) => node.getBoundingClientRect().top > 300)"""
    )
    playground.ask(f"bold {visible + 1}")
    expect(playground.paper.locator("[data-mark]")).to_have_count(1)
    assert playground.page.evaluate("() => document.querySelector('.paper').scrollTop") == 1500


def test_show_in_document_brings_the_block_into_view(playground: Playground) -> None:
    document = Document()
    for number in range(200):
        document.add_paragraph(f"Paragraph {number}")
    playground.open_file(saved(document))
    playground.ask("bold 180; bold 1")
    playground.button("Show in document: Bold 180").click()
    expect(playground.block(179)).to_be_in_viewport()
    playground.button("Show in document: Bold 1").click()
    expect(playground.block(0)).to_be_in_viewport()


def test_the_selection_goes_along_with_the_request(playground: Playground) -> None:
    document = Document()
    document.add_paragraph("First paragraph")
    document.add_paragraph("Second paragraph")
    playground.open_file(saved(document))
    select_word(playground, 1)
    playground.ask("bold 2")
    expect(playground.step("Bold 2")).to_contain_text("on the selection 'Second' in b2")
    # Its block was drawn anew; the same words are still what the next request is about.
    expect(playground.block(1)).to_have_text("Changed: Second paragraph")
    playground.ask("heading 2")
    expect(playground.step("Heading 2")).to_contain_text("on the selection 'Second' in b2")
    playground.block(0).click()
    playground.ask("bold 1")
    expect(playground.step("Bold 1")).to_contain_text("nothing else changed")
    expect(playground.step("Bold 1")).not_to_contain_text("selection")


WITHOUT_A_FRAME = """() => {
    const box = document.querySelector("textarea");
    box.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    box.focus();
    box.setSelectionRange(0, 0);
}"""


def test_a_selection_that_the_user_leaves_before_the_next_frame_counts(playground: Playground) -> None:
    document = Document()
    document.add_paragraph("First paragraph")
    document.add_paragraph("Second paragraph")
    playground.open_file(saved(document))
    # In one go, as when the page was busy and all that the user did comes at once: browsers tell of a selection with
    # the next frame only, and then it is in the request box.
    playground.page.evaluate(f"() => {{ ({SELECT_WORD})(1); ({WITHOUT_A_FRAME})(); }}")
    playground.ask("bold 2")
    expect(playground.step("Bold 2")).to_contain_text("on the selection 'Second' in b2")
    playground.page.evaluate(
        f"""() => {{
            getSelection().collapse(document.querySelector('.paper [data-block-index="0"]'));
            ({WITHOUT_A_FRAME})();
        }}"""
    )
    playground.ask("bold 1")
    expect(playground.step("Bold 1")).to_contain_text("nothing else changed")
    expect(playground.step("Bold 1")).not_to_contain_text("selection")


def test_words_stay_selected_while_their_block_is_drawn_anew(playground: Playground) -> None:
    document = Document()
    document.add_paragraph("First paragraph")
    document.add_paragraph("Second paragraph")
    playground.open_file(saved(document))
    playground.ask("bold 1")
    expect(playground.block(0)).to_have_text("Changed: First paragraph")
    select_word(playground, 0)
    playground.button("Undo: Bold 1").evaluate("(button) => button.click()")
    expect(playground.block(0).locator("b, [style*=bold]")).to_have_count(0)
    assert playground.page.evaluate("() => getSelection().toString()") == "First"
    playground.ask("bold 2")
    expect(playground.step("Bold 2")).to_contain_text("on the selection 'First' in b1")


def test_a_selection_names_the_blocks_that_are_seen_although_another_came_before_them(
    playground: Playground,
) -> None:
    document = Document()
    for text in ("First", "Second", "Third"):
        document.add_paragraph(text)
    playground.open_file(saved(document))
    select_word(playground, 1)
    # From here on the view does not get what is new.
    session = playground.page.evaluate("() => sessionStorage.getItem('stet-session')")
    held: list[Route] = []
    playground.page.route(f"**/api/documents/{session}", lambda route: held.append(route))
    playground.ask("add after 1: Between; bold 3")
    playground.ask("bold 2")
    expect(playground.step("Bold 2")).to_contain_text("in b2;")
    assert held
    for route in held:
        route.continue_()
    playground.page.unroute_all()
    expect(playground.block(1)).to_have_text("Between")


SELECT_WORD = """(index) => {
    const block = document.querySelector(`.paper [data-block-index="${index}"]`);
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode().parentElement.matches(".mark-word"));
    getSelection().setBaseAndExtent(
        walker.currentNode, 0, walker.currentNode, walker.currentNode.data.split(" ")[0].length);
}"""


def select_word(playground: Playground, index: int) -> None:
    """Select the first word of a block, from 0."""
    playground.page.evaluate(SELECT_WORD, index)


def test_a_selection_of_whole_paragraphs_is_their_blocks(playground: Playground) -> None:
    document = Document()
    for text in ("First", "Second", "Third"):
        document.add_paragraph(text)
    playground.open_file(saved(document))
    playground.page.evaluate(
        """() => {
            const blocks = document.querySelectorAll(".paper [data-block-index]");
            getSelection().setBaseAndExtent(blocks[0], 0, blocks[1], blocks[1].childNodes.length);
        }"""
    )
    playground.ask("bold 3")
    expect(playground.step("Bold 3")).to_contain_text("on the selection '' in b1, b2")


# -- what the renderer cannot draw -------------------------------------------------------------------------------------

CHART = f"""<w:r {nsdecls("w", "wp", "a", "r")} xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart">
<w:drawing><wp:inline><wp:extent cx="1905000" cy="952500"/><wp:docPr id="9" name="Chart 1" descr="{{description}}"/>
<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="rId99"/>
</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"""

TEXT_BOX = f"""<w:r {nsdecls("w")} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" {nsdecls("wp", "a")}>
<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent cx="1905000" cy="952500"/>
<wp:docPr id="10" name="Text Box 1"/><a:graphic>
<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:txbx>
<w:txbxContent><w:p><w:r><w:t>Read this first</w:t></w:r></w:p></w:txbxContent></wps:txbx></wps:wsp>
</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice></mc:AlternateContent></w:r>"""


def test_a_chart_and_a_text_box_are_boxes_that_say_what_they_are(playground: Playground) -> None:
    document = Document()
    document.add_paragraph("Chart: ")._p.append(parse_xml(CHART.format(description="Revenue by region")))
    document.add_paragraph("Box: ")._p.append(parse_xml(TEXT_BOX))
    playground.open_file(saved(document))
    expect(playground.block(0)).to_have_text("Chart: Chart: Revenue by regionnot drawn in the preview")
    box = playground.block(0).locator(".undrawn").bounding_box()
    assert box is not None
    assert box["width"] / box["height"] == pytest.approx(2, abs=0.1)
    expect(playground.block(1)).to_have_text("Box: Text boxRead this first")


CHART_PART = """<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"
xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r>
<a:t>Revenue</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:barDir val="col"/>
<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>2026</c:v></c:pt></c:strCache></c:strRef></c:tx>
<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt><c:pt idx="1"><c:v>South</c:v></c:pt>
</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>20</c:v></c:pt>
<c:pt idx="1"><c:v>10</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea>
</c:chart></c:chartSpace>"""


def test_a_chart_of_a_common_kind_is_sketched_from_its_values(playground: Playground) -> None:
    document = Document()
    document.add_paragraph("Here: ")._p.append(parse_xml(CHART.format(description="")))
    relationship = (
        '<Relationship Id="rId99" Target="charts/chart1.xml"'
        ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart"/></Relationships>'
    )
    override = (
        '<Override PartName="/word/charts/chart1.xml"'
        ' ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/></Types>'
    )
    data = with_part(saved(document), "word/charts/chart1.xml", lambda _: CHART_PART)
    data = with_part(
        data, "word/_rels/document.xml.rels", lambda xml: xml.replace("</Relationships>", relationship)
    )
    data = with_part(data, "[Content_Types].xml", lambda xml: xml.replace("</Types>", override))
    playground.open_file(data)
    chart = playground.paper.get_by_role("img", name="Chart: Revenue. North, South. 2026: 20, 10")
    expect(chart).to_be_visible()
    heights = chart.locator('rect[fill="#4472c4"]').evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).filter((one) => one.width > 8)"
        ".map((one) => one.height)"
    )
    assert heights[0] / heights[1] == pytest.approx(2, abs=0.05)


def test_pictures_are_drawn_and_bullets_of_symbol_fonts_can_be_seen(playground: Playground) -> None:
    document = Document()
    document.add_picture(io.BytesIO(png(16)), width=Inches(1))
    document.add_paragraph("Item", style="List Bullet")
    playground.open_file(saved(document))
    image = playground.paper.locator("img")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("naturalWidth", 16)
    bullet = playground.block(1).evaluate("(node) => getComputedStyle(node, '::before').content")
    assert "•" in bullet


# -- hostile files -----------------------------------------------------------------------------------------------------


def test_a_hostile_file_runs_nothing_and_touches_nothing_outside_the_sheet(page: Page, server: str) -> None:
    document = Document()
    run = document.add_paragraph("Click ").add_run("here")
    link = document.part.relate_to(
        "javascript:document.title='owned'",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink",
        is_external=True,
    )
    hyperlink = parse_xml(f'<w:hyperlink {nsdecls("w", "r")} r:id="{link}"/>')
    run._r.addprevious(hyperlink)
    hyperlink.append(run._r)
    document.add_paragraph("Bookmark")._p.insert(
        0, parse_xml(f'<w:bookmarkStart {nsdecls("w")} w:id="1" w:name="request"/>')
    )
    data = with_part(
        saved(document),
        "word/numbering.xml",
        # The text of a list's number ends the rule that it is put into and begins one for the page.
        lambda xml: re.sub(
            r'<w:lvlText w:val="[^"]*"',
            '<w:lvlText w:val="&quot; } main { display: none !important } .docx-x { content: &quot;"',
            xml,
        ),
    )
    data = with_part(
        data,
        "word/document.xml",
        lambda xml: xml.replace("<w:sectPr", '<w:altChunk r:id="rId77"/><w:sectPr', 1),
    )
    data = with_part(
        data,
        "word/_rels/document.xml.rels",
        lambda xml: xml.replace(
            "</Relationships>",
            '<Relationship Id="rId77" Target="evil.html"'
            ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk"/></Relationships>',
        ),
    )
    data = with_part(
        data,
        "[Content_Types].xml",
        lambda xml: xml.replace("</Types>", '<Default Extension="html" ContentType="text/html"/></Types>'),
    )
    data = with_part(data, "word/evil.html", lambda _: "<script>parent.document.title = 'owned'</script>")
    playground = Playground(page, server)
    playground.open_file(data)
    expect(playground.paper.get_by_text("here")).to_be_visible()
    assert playground.paper.locator("iframe, script, object, embed").count() == 0
    assert playground.paper.locator("a").first.get_attribute("href") is None
    playground.paper.get_by_text("here").click()
    expect(playground.page.get_by_role("main")).to_be_visible()
    expect(playground.request_box).to_be_visible()
    assert page.evaluate("document.querySelectorAll('#request').length") == 1
    assert page.title() == "Stet"
