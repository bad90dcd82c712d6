"""Find and replace. Word: Home > Replace; Office.js `Range.search` (WordApi 1.1), which finds nothing over 255 characters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Self

from agent.document import scopes
from agent.document import text as texts
from agent.document.changes import shorten
from agent.document.editor import Editor
from agent.document.filled_in import filled_in
from agent.document.mirror import Mirror
from agent.document.records import known_text
from agent.document.scopes import Scope
from agent.document.words import Replaced
from agent.errors import InvalidValue, PreconditionFailed, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import After, Effect, allows
from agent.operations.modification._expressions import Search
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, footer, h, header, link, p, table, title
from agent.operations.targets import Params, Target, Wants
from agent.operations.text_effects import texts_edited


class ReplaceText(Params):
    find: str
    """The words to look for, as they stand in the document."""
    replace: str
    """What takes their place; empty takes them out."""
    nth: int | None = None
    """Only this match, from 1; -1 is the last. Leave out for every match."""
    within: Annotated[Target | None, Wants.PARAGRAPHS] = None
    """Only there, text boxes included; leave out for the scope."""
    scope: Scope = "everywhere"
    """Without `within`: which part of the document; "body" includes its tables."""
    match_case: bool | None = None
    """true: only in this letter case; false: in any. Leave out: in this letter case if it is there, else in any."""
    whole_word: bool = False
    """Only where no letter or digit stands beside the match: "cat" but not "category"."""
    regex: bool = False
    """Whether `find` is a Python regular expression; `replace` may then use \\1 for its groups."""

    def located(self, resolver: Resolver) -> Self:
        """One match by the paragraph that it is in: "the third match" is another when an earlier step is taken back. Within the
        whole document is everywhere: headers and notes are in it for people.
        """
        if self.within is not None and self.within == Target(where="document"):
            return self.model_copy(update={"within": None}).located(resolver)
        if self.nth is None:
            return self
        paragraph, (edit,) = find_edits(resolver.mirror, self)[0]
        block = resolver.mirror.id_of(paragraph) or ""
        here = self.model_copy(update={"nth": None, "within": Target(ids=[block])})
        (_, edits), *_ = find_edits(resolver.mirror, here)
        return here.model_copy(update={"nth": edits.index(edit) + 1})


@operation(
    Intent.CONTENT_MODIFICATION,
    phrasings=[
        "replace Acme with Globex everywhere",
        "change every 'shall' to 'must'",
        "find 2023 and put 2024 instead",
        "rename the client to Initech throughout the document",
        "fix the typo 'recieve'",
        "the name Smith should be spelled Smyth",
        "correct the year in the header to 2025",
        "swap the word color for colour in the second section",
        "take out the word 'very' wherever it occurs",
        "update the phone number in the document",
        "substitute 'Ltd' for 'Limited' but only as a whole word",
    ],
    examples=[
        Example(
            "Replace Acme with Globex everywhere",
            doc(
                header("Acme Inc"),
                p("Ac", ("me", {"bold": True}), " grew. Acme leads."),
                table([["Acme", "1"]]),
            ),
            {"find": "Acme", "replace": "Globex"},
            result=(
                "Paragraph 'Acme grew. Acme leads.' and paragraph 'Acme Inc' in the header now say 'Globex' instead of 'Acme'; "
                "the table 'Globex, 1' has 'Globex' in cell 1,1; nothing else changed."
            ),
        ),
        Example(
            "In the footer change 2023 to 2024",
            doc(p("Founded 2023."), footer("Report 2023")),
            {"find": "2023", "replace": "2024", "scope": "footers"},
            result="Paragraph 'Report 2023' in the footer now says '2024' instead of '2023'; nothing else changed.",
        ),
        Example(
            "Replace the second 'draft' by 'final'",
            doc(title("Plan"), p("A draft of the draft.")),
            {"find": "draft", "replace": "final", "nth": 2},
            result="Paragraph 'A draft of the draft.' now says 'final' instead of 'draft'; nothing else changed.",
        ),
        Example(
            "Take out the word very in the section Scope",
            doc(h(1, "Scope"), p("It is very good."), h(1, "Cost"), p("It is very high.")),
            {"find": "very", "replace": "", "within": {"section": "Scope"}},
            result="Paragraph 'It is very good.' no longer says 'very'; nothing else changed.",
        ),
        Example(
            "Write the dates as year-month",
            doc(p("Due 03/2024, paid 11/2025.")),
            {"find": r"(\d\d)/(\d{4})", "replace": r"\2-\1", "regex": True},
            result=(
                "Paragraph 'Due 03/2024, paid 11/2025.' now reads 'Due 2024-03, paid 2025-11.'; nothing else changed."
            ),
        ),
        Example(
            "Change 'here' in the link to 'on our page'",
            doc(link("See ", "here", "https://example.com/", " for more.")),
            {"find": "here", "replace": "on our page"},
            result="Paragraph 'See here for more.' now says 'on our page' instead of 'here'; nothing else changed.",
        ),
        Example(
            "Replace Initech with Globex",
            doc(p("Acme grew.")),
            {"find": "Initech", "replace": "Globex"},
            raises=TargetNotFound,
        ),
        Example(
            "Replace in the whole document",
            doc(header("Acme Inc"), p("Acme grew."), table([["by Acme"]]), footer("Acme, 2024")),
            {"find": "Acme", "replace": "Globex", "within": {"where": "document"}},
            result=(
                "Paragraph 'Acme grew.', paragraph 'Acme Inc' in the header and paragraph 'Acme, 2024' in the footer now say "
                "'Globex' instead of 'Acme'; the table 'by Globex' has 'by Globex' in cell 1,1; nothing else changed."
            ),
        ),
        Example(
            "Replace by an expression that no memory holds",
            doc(p("Acme grew.")),
            {"find": "((A{1000}){1000}){1000}", "replace": "b", "regex": True},
            raises=InvalidValue,
        ),
        Example(
            "Replace by a broken pattern",
            doc(p("Acme grew.")),
            {"find": "(Acme", "replace": "Globex", "regex": True},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def replace_text(editor: Editor, params: ReplaceText) -> Result:
    """Replace words wherever they are: body, tables, text boxes, headers, footers, notes; also where their formats differ.

    The new words look like the first of the replaced ones; all else keeps its format. What Word fills in by
    itself (data, page numbers, dates) is left and told.
    """
    mirror = editor.mirror
    found, left = _find(mirror, params)
    for paragraph, edits in found:
        copy_ = scopes.twin(paragraph)
        for element in [paragraph] if copy_ is None else [paragraph, copy_]:
            for edit in reversed(edits):
                editor.replace_text(element, edit.start, edit.end, edit.new)
    return Result(tuple(left))


@replace_text.effects
def _(mirror: Mirror, params: ReplaceText) -> Iterable[Effect]:
    found = find_edits(mirror, params)
    edits = {mirror.id_of(p) or "": e for p, e in found}
    count = sum(len(e) for e in edits.values())
    times = "once" if count == 1 else f"{count} times"
    yield texts_edited(
        mirror, edits, f"'{shorten(params.find)}' was replaced {times} in {len(edits)} paragraphs"
    )
    if params.nth is None and not params.regex and not _again(params):
        yield _none_left(params, {b for b in edits if not _is_held(mirror, mirror.element(b))})


def _again(params: ReplaceText) -> bool:
    return params.find.casefold() in params.replace.casefold()


def _is_held(mirror: Mirror, paragraph: Any) -> bool:
    return next(filled_in(mirror, paragraph), None) is not None


def _none_left(params: ReplaceText, paragraphs: set[str]) -> Effect:
    def check(after: After) -> str | None:
        for block in paragraphs:
            record = after.paragraph(block)
            if record is not None and texts.find_all(record.text, params.find, whole_word=params.whole_word):
                return f"'{shorten(params.find)}' is still in paragraph {block} '{shorten(record.text)}'"
        return None

    return Effect(f"no '{shorten(params.find)}' is left", check, allows("", lambda c: False).covers)


def find_edits(mirror: Mirror, params: ReplaceText) -> list[tuple[Any, list[Replaced]]]:
    """Paragraphs with what becomes of them. Raises TargetNotFound, or PreconditionFailed if Word fills in all that is found."""
    return _find(mirror, params)[0]


def _find(mirror: Mirror, params: ReplaceText) -> tuple[list[tuple[Any, list[Replaced]]], list[str]]:
    """The same, and what is left since Word would fill it in as it was."""
    places = _places(mirror, params)
    cases = (True, False) if params.match_case is None else (params.match_case,)
    search = Search(params.find, whole_word=params.whole_word) if params.regex else None
    for match_case in cases:
        found: list[tuple[Any, list[Replaced]]] = []
        left: list[str] = []
        for paragraph in places:
            text = known_text(mirror, paragraph)
            edits = _edits(text, params, match_case, search)
            free, filler = _free(mirror, paragraph, edits) if edits else ([], None)
            if free:
                found.append((paragraph, free))
            if filler is not None:
                left.append(f"'{shorten(params.find, 60)}' in {filler} was left: Word fills it in itself.")
        if found:
            return (found, left) if params.nth is None else ([_nth(found, params)], [])
        if left:
            raise PreconditionFailed(left[0])
    raise TargetNotFound(_not_found(mirror, params, places, search))


def _places(mirror: Mirror, params: ReplaceText) -> list[Any]:
    if params.within is None:
        return scopes.paragraphs(mirror, params.scope)
    return scopes.with_boxes(mirror.element(i) for i in Resolver(mirror).paragraphs(params.within))


def _free(mirror: Mirror, paragraph: Any, edits: list[Replaced]) -> tuple[list[Replaced], str | None]:
    """Those edits that are not in what Word fills in, and what fills in the others."""
    held = list(filled_in(mirror, paragraph))
    within = [next((what for a, b, what in held if a < e.end and e.start < b), None) for e in edits]
    free = [e for e, what in zip(edits, within, strict=True) if what is None]
    return free, next((what for what in within if what is not None), None)


def _edits(text: str, params: ReplaceText, match_case: bool, search: Search | None) -> list[Replaced]:
    if search is not None:
        return [
            Replaced(*m.span(), texts.legal(search.expand(m, params.replace)))
            for m in search.matches(text, match_case)
        ]
    if not params.find:
        raise InvalidValue("The text to find is empty.")
    new = texts.legal(params.replace)
    spans = texts.find_all(text, params.find, match_case=match_case, whole_word=params.whole_word)
    return [Replaced(*(_with_a_space(text, a, b) if not new else (a, b)), new) for a, b in spans]


def _with_a_space(text: str, start: int, end: int) -> tuple[int, int]:
    """A word that is taken out takes the space beside it along, as Word's smart cutting does."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before == " " and (not after or after in " .,;:!?)"):
        return start - 1, end
    if after == " " and not before:
        return start, end + 1
    return start, end


def _nth(found: list[tuple[Any, list[Replaced]]], params: ReplaceText) -> tuple[Any, list[Replaced]]:
    every = [(p, edit) for p, edits in found for edit in edits]
    number = params.nth or 0
    at = number - 1 if number > 0 else len(every) + number
    if number == 0 or not 0 <= at < len(every):
        times = "once" if len(every) == 1 else f"{len(every)} times"
        raise TargetNotFound(f"There is no match {number} of '{shorten(params.find)}'; it is there {times}.")
    return every[at][0], [every[at][1]]


def _not_found(mirror: Mirror, params: ReplaceText, places: list[Any], search: Search | None) -> str:
    what = f"'{shorten(params.find, 60)}'"
    anyway = params.model_copy(update={"within": None, "scope": "everywhere"})
    for match_case in (params.match_case is not False, False):
        elsewhere = [
            p for p in scopes.paragraphs(mirror) if _edits(texts.text_of(p), anyway, match_case, search)
        ]
        if elsewhere:
            reason = "in that letter case" if any(p in places for p in elsewhere) else "there"
            return f"{what} does not occur {reason}; it does in '{shorten(texts.text_of(elsewhere[0]), 60)}'."
    if params.whole_word and _occurs_in_words(params, places):
        return f"{what} occurs only as part of longer words; set whole_word to false to replace it there."
    if params.regex:
        return f"Nothing in the document matches the expression {what}."
    ids = [i for p in places if (i := mirror.id_of(p))]
    return Resolver(mirror).nearest_text(params.find, ids)


def _occurs_in_words(params: ReplaceText, places: list[Any]) -> bool:
    loose = params.model_copy(update={"whole_word": False})
    search = Search(params.find) if params.regex else None
    return any(_edits(texts.text_of(p), loose, False, search) for p in places)
