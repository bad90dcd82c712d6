"""Page breaks. Word: Ctrl+Enter, a `w:br` of the type "page" in a paragraph; Office.js `Paragraph.insertBreak` (WordApi 1.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.document import text as texts
from agent.document.changes import Change, Kind, shorten
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_PPR, W_SDT, W_SECTPR, W_TBL, W_TC, W_VAL, W
from agent.errors import InvalidTarget, PreconditionFailed, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, p, page_break, table, title
from agent.operations.targets import Params, Place


class InsertPageBreak(Params):
    place: Place
    """What follows it starts on a new page: `before` a heading, paragraph or table, or `after` one."""


@operation(
    Intent.STRUCTURE,
    phrasings=[
        "insert a page break before the heading Appendix",
        "start the conclusion on a new page",
        "put a page break after the table",
        "the second section should begin on its own page",
        "new page after the first paragraph",
        "break the page before 'Terms of payment'",
        "add a page break at the end",
        "Budget should start at the top of a page",
    ],
    examples=[
        Example(
            "Insert a page break before the heading Appendix",
            doc(title("Report"), p("Revenue grew."), h(1, "Appendix"), p("Tables.")),
            {"place": {"before": {"heading": "Appendix"}}},
            result="A page break before heading 'Appendix' was added; nothing else changed.",
        ),
        Example(
            "New page after the table",
            doc(p("One."), table([["a", "b"]]), p("Two.")),
            {"place": {"after": {"table": 1}}},
            result="A page break before paragraph 'Two.' was added; nothing else changed.",
        ),
        Example(
            "Page break at the end",
            doc(p("One.")),
            {"place": {"at": "end"}},
            result="A page break at the end was added; nothing else changed.",
        ),
        Example(
            "Start Appendix on a new page",
            doc(p("One."), page_break(), h(1, "Appendix")),
            {"place": {"before": {"heading": "Appendix"}}},
            raises=PreconditionFailed,
        ),
        Example(
            "Page break at the start",
            doc(title("Report"), p("One.")),
            {"place": {"before": {"where": "title"}}},
            raises=PreconditionFailed,
        ),
        Example(
            "Page break before the summary",
            doc(title("Report"), p("One.")),
            {"place": {"before": {"heading": "Summary"}}},
            raises=TargetNotFound,
        ),
    ],
)
def insert_page_break(editor: Editor, params: InsertPageBreak) -> None:
    """Start what follows a place on a new page.

    Refused where a new page starts already, and in front of everything, where it would only leave an empty page.
    """
    side, anchor = Resolver(editor.mirror).place(params.place)
    _refuse(editor.mirror, side, anchor)
    paragraph, run = new_element("w:p"), new_element("w:r")
    run.append(new_element("w:br", {W + "type": "page"}))
    paragraph.append(run)
    editor.place(side, anchor, [paragraph])


def _refuse(mirror: Mirror, side: str, anchor: str) -> None:
    before, behind = _neighbours(mirror, side, anchor)
    if anchor:
        element = mirror.element(anchor)
        if any(a.tag == W_TC for a in element.iterancestors()):
            raise InvalidTarget(
                "A page cannot break inside a table cell; put the break before or after the table."
            )
        if not any(a is mirror.body for a in element.iterancestors()):
            raise InvalidTarget(
                "A page can break only in the body of the document, not in a header, footer or note."
            )
    if before is None and (behind is None or side != "end"):
        raise PreconditionFailed(
            "A page break in front of everything would leave an empty first page; give a place further down."
        )
    if (before is not None and _ends_page(mirror, before)) or (behind is not None and _starts_page(behind)):
        name = (
            f"'{shorten(_text(behind))}'" if behind is not None and _text(behind).strip() else "what follows"
        )
        raise PreconditionFailed(f"There is a page break already: {name} starts on a new page.")


def _neighbours(mirror: Mirror, side: str, anchor: str) -> tuple[Any | None, Any | None]:
    """What stands before and behind the place."""
    if side in ("start", "end"):
        edge = next((mirror.element(b) for b in mirror.edge(side)), None)
        return (None, edge) if side == "start" else (edge, None)
    element = mirror.element(anchor)
    other = next(element.itersiblings(W_P, W_TBL, W_SDT, preceding=side == "before"), None)
    return (other, element) if side == "before" else (element, other)


def _ends_page(mirror: Mirror, block: Any) -> bool:
    """Whether the last that there is in a block is a page break, or a section break that starts a page is behind it."""
    if block.tag != W_P:
        return False
    pieces = texts.pieces_of(block)
    if pieces and _is_break(pieces[-1].node):
        return True
    sectpr = block.find(f"{W_PPR}/{W_SECTPR}")
    if sectpr is None:
        return False
    following = _section_after(mirror, sectpr)
    kind = following.find(W + "type") if following is not None else None
    return kind is None or kind.get(W_VAL, "nextPage") != "continuous"


def _section_after(mirror: Mirror, sectpr: Any) -> Any | None:
    """The `w:sectPr` of the section that follows: the kind of a section's start is written in that section."""
    every = mirror.nodes(W_SECTPR)
    at = every.index(sectpr) + 1 if sectpr in every else len(every)
    return every[at] if at < len(every) else None


def _starts_page(block: Any) -> bool:
    if block.tag != W_P:
        return False
    pieces = texts.pieces_of(block)
    if pieces and _is_break(pieces[0].node):
        return True
    own = block.find(f"{W_PPR}/{W}pageBreakBefore")
    return own is not None and own.get(W_VAL, "1") not in ("0", "false", "off")


def _is_break(node: Any) -> bool:
    return node.tag == W + "br" and node.get(W + "type") == "page"


def _text(block: Any) -> str:
    return texts.text_of(block) if block.tag == W_P else "the table" if block.tag == W_TBL else ""


@insert_page_break.effects
def _(mirror: Mirror, params: InsertPageBreak) -> Iterable[Effect]:
    side, anchor = Resolver(mirror).place(params.place)
    before, behind = (mirror.id_of(e) if e is not None else None for e in _neighbours(mirror, side, anchor))
    moves_break = side == "after" and mirror.element(anchor).find(f"{W_PPR}/{W_SECTPR}") is not None

    def check(after: After) -> str | None:
        if before is not None:
            new = next(after.mirror.element(before).itersiblings(W_P, W_TBL, W_SDT), None)
        else:
            new = after.mirror.element(after.mirror.edge("start")[0])
        if new is None or new.tag != W_P or texts.text_of(new) != "\f":
            return "there is no paragraph with a page break at the place"
        following = next(new.itersiblings(W_P, W_TBL, W_SDT), None)
        if (after.mirror.id_of(following) if following is not None else None) != behind:
            return "what stood behind the place does not follow the page break"
        return None

    def covers(change: Change) -> bool:
        if moves_break and change.path == "section break":
            return True
        return change.kind is Kind.ADDED and change.path == "paragraph" and not change.after.strip()

    yield Effect("there is a page break at the place", check, covers)
