"""Page numbers. Word: a `PAGE` field in the header or footer; Office.js `Range.insertField` (WordApi 1.5) on the desktop only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from docx.opc.constants import RELATIONSHIP_TYPE as RT
from pydantic import field_validator

from agent.document import text as texts
from agent.document.changes import shorten
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.names import W_P, W_VAL, W
from agent.document.sections import Kind
from agent.errors import InvalidValue, PreconditionFailed
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import After, Effect, may_add_styles
from agent.operations.specimens import doc, footer, p, title
from agent.operations.structure import _stories as stories
from agent.operations.targets import Params, Target, Wants

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

_FIELD = re.compile(r"\{(PAGE|NUMPAGES|SECTIONPAGES)\}")


class InsertPageNumber(Params):
    position: Literal["footer", "header"] = "footer"
    """At the bottom or at the top of the pages."""
    alignment: Literal["left", "center", "right"] = "center"
    """Where it stands."""
    pattern: str = "{PAGE}"
    """What it looks like: "{PAGE}", "Page {PAGE} of {NUMPAGES}", "- {PAGE} -"."""
    kind: Kind = "default"
    """"default": all pages that have no other footer; "first": only the first page; "even": even pages."""
    target: Annotated[Target | None, Wants.BLOCKS] = None
    """Something in the section whose pages are meant; leave out for the whole document."""

    @field_validator("pattern")
    @classmethod
    def _has_page(cls, pattern: str) -> str:
        line = " ".join(texts.legal(pattern).split())
        line = re.sub(r"\{\s*(\w+)\s*\}", lambda m: "{" + m.group(1).upper() + "}", line)
        unknown = [w for w in re.findall(r"\{(\w*)\}", line) if not _FIELD.fullmatch("{" + w + "}")]
        if unknown:
            raise ValueError(
                f"{{{unknown[0]}}} is not known in a pattern; there are {{PAGE}}, {{NUMPAGES}} and {{SECTIONPAGES}}"
            )
        if "{PAGE}" not in line:
            raise ValueError("has no {PAGE}; such as 'Page {PAGE} of {NUMPAGES}'")
        return line


@operation(
    Intent.STRUCTURE,
    phrasings=[
        "add page numbers",
        "number the pages at the bottom right",
        "put page numbers in the footer",
        "insert 'Page X of Y' in the footer",
        "show the page number at the top of every page",
        "the pages should be numbered",
        "page numbers centred at the bottom please",
        "add a page number to the header, on the right",
        "I need the total number of pages beside the page number",
    ],
    examples=[
        Example(
            "Add page numbers",
            doc(title("Report"), p("Revenue grew.")),
            {},
            result="The footer now shows the page number ('1'); nothing else changed.",
        ),
        Example(
            "Put 'Page X of Y' at the bottom right",
            doc(footer("Acme Inc"), p("Revenue grew.")),
            {"alignment": "right", "pattern": "Page {PAGE} of {NUMPAGES}"},
            result="The paragraph 'Page 1 of 1' in the footer was added; nothing else changed.",
        ),
        Example(
            "Number the pages in the header, on the right",
            doc(p("Revenue grew.")),
            {"position": "header", "alignment": "right", "pattern": "- {PAGE} -"},
            result="The header now shows the page number ('- 1 -'); nothing else changed.",
        ),
        Example(
            "Number the pages in letters {LETTER}",
            doc(p("Revenue grew.")),
            {"pattern": "{LETTER}"},
            raises=InvalidValue,
        ),
        Example(
            "Add a page number that says only Page",
            doc(p("Revenue grew.")),
            {"pattern": "Page"},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "styles", "settings"],
)
def insert_page_number(editor: Editor, params: InsertPageNumber) -> Result:
    """Show the page number in the footer or header, alone or in a pattern such as "Page {PAGE} of {NUMPAGES}".

    What is there already stays. Refused where the pages are numbered already.
    """
    mirror = editor.mirror
    found = _free_places(mirror, params)
    said = tuple(stories.warnings(mirror, found, params.position, params.kind))
    for place in found:
        root = stories.ensure_root(editor, place, params.position, params.kind)
        written, _ = stories.write(editor, root, [""], params.position, replace=False)
        stories.align(editor, written, params.alignment)
        for run in _runs(params.pattern, _page_count(mirror), texts.dominant_format(written[0])):
            written[0].append(run)
    return Result(said)


def _free_places(mirror: Mirror, params: InsertPageNumber) -> list[stories.Place]:
    """Where there is no page number yet. Raises PreconditionFailed if there is one everywhere."""
    found = stories.places(mirror, params.target, params.position, params.kind)
    free: list[stories.Place] = []
    numbered = ""
    for place in found:
        root = stories.root_of(mirror, place, params.position, params.kind)
        if root is not None and any(_is_page(code) for code in stories.field_codes(root)):
            number = next((q for q in root.iter(W_P) if stories.has_field(q)), None)
            numbered = texts.text_of(number) if number is not None else ""
        else:
            free.append(place)
    if not free:
        raise PreconditionFailed(
            f"The pages are numbered already: the {params.position} has '{shorten(numbered)}'. Its text can be changed instead."
        )
    return free


def _is_page(code: str) -> bool:
    return code.split(" ")[0].upper() == "PAGE"


def _runs(pattern: str, pages: int, look: Any | None) -> Iterator[Any]:
    """The runs of a pattern: a complex field has a result between its marks, or Word repairs the file."""
    for i, token in enumerate(_FIELD.split(pattern)):
        if i % 2 == 0:
            if token:
                yield _run(texts.nodes_for(token), look)
            continue
        yield _run([new_element("w:fldChar", {W + "fldCharType": "begin"})], look)
        code = new_element("w:instrText")
        code.text = f" {token} "
        code.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        yield _run([code], look)
        yield _run([new_element("w:fldChar", {W + "fldCharType": "separate"})], look)
        yield _run(texts.nodes_for(str(pages if token == "NUMPAGES" else 1)), look)
        yield _run([new_element("w:fldChar", {W + "fldCharType": "end"})], look)


def _run(nodes: list[Any], look: Any | None) -> Any:
    import copy

    run = new_element("w:r")
    if look is not None:
        run.append(copy.deepcopy(look))
    for node in nodes:
        run.append(node)
    return run


def _page_count(mirror: Mirror) -> int:
    """How many pages Word counted when it last saved (docProps/app.xml); 1 if it does not say."""
    for rel in mirror.file.package.rels.values():
        if rel.reltype == RT.EXTENDED_PROPERTIES and not rel.is_external:
            match = re.search(rb"<(?:\w+:)?Pages>(\d{1,6})</", rel.target_part.blob)
            return max(int(match.group(1)), 1) if match is not None else 1
    return 1


@insert_page_number.effects
def _(mirror: Mirror, params: InsertPageNumber) -> Iterable[Effect]:
    story = params.position
    found = _free_places(mirror, params)
    before = [stories.root_of(mirror, place, story, params.kind) for place in found]
    lines = [[texts.text_of(q) for q in root.iter(W_P)] if root is not None else [] for root in before]
    codes = [stories.field_codes(root) if root is not None else [] for root in before]
    wanted = _FIELD.findall(params.pattern)
    reads = _FIELD.sub(
        lambda m: str(_page_count(mirror)) if m.group(1) == "NUMPAGES" else "1", params.pattern
    )

    def check(after: After) -> str | None:
        for place, old_lines, old_codes in zip(found, lines, codes, strict=True):
            root = stories.root_of(after.mirror, place, story, params.kind)
            if root is None:
                return f"there is no {story}"
            if stories.field_codes(root) != [*old_codes, *wanted]:
                return f"the fields of the {story} are {stories.field_codes(root)} and not {[*old_codes, *wanted]}"
            numbers = [
                q for q in root.iterchildren(W_P) if texts.text_of(q) == reads and stories.has_field(q)
            ]
            if len(numbers) != 1:
                return f"no paragraph of the {story} reads '{reads}'"
            jc = numbers[0].find(f"{W}pPr/{W}jc")
            if jc is None or jc.get(W_VAL) != params.alignment:
                return f"the page number is not aligned {params.alignment}"
            kept = [t for t in old_lines if t.strip()]
            if [t for q in root.iter(W_P) if (t := texts.text_of(q)).strip() and q is not numbers[0]] != kept:
                return f"other text of the {story} changed"
            failure = stories.shown(after.mirror, place, params.kind)
            if failure:
                return failure
        return None

    yield Effect(f"the {story} shows '{reads}'", check, stories.covers(mirror, found, story, params.kind))
    yield may_add_styles()
