"""Changes in words for people. What is said is what was observed; nothing here knows what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.document import units, words
from agent.document.cell_groups import together
from agent.document.changes import Change, Dimension, Kind, shorten

_ALIGNMENTS = {
    "center": "centred",
    "left": "left-aligned",
    "start": "left-aligned",
    "right": "right-aligned",
    "end": "right-aligned",
    "both": "justified",
    "distribute": "distributed",
}
_COLOURS = {
    "000000": "black",
    "FF0000": "red",
    "00B050": "green",
    "008000": "green",
    "0000FF": "blue",
    "0070C0": "blue",
    "FFFF00": "yellow",
    "FFFFFF": "white",
    "FFC000": "orange",
    "FFA500": "orange",
    "7030A0": "purple",
    "800080": "purple",
    "808080": "grey",
    "auto": "automatic",
}
_LAYOUT = {
    "pgMar.left": "left margin",
    "pgMar.right": "right margin",
    "pgMar.top": "top margin",
    "pgMar.bottom": "bottom margin",
    "pgMar.header": "header distance",
    "pgMar.footer": "footer distance",
    "pgMar.gutter": "gutter",
    "pgSz.w": "page width",
    "pgSz.h": "page height",
    "spacing.before": "space before",
    "spacing.after": "space after",
    "indent.left": "left indent",
    "indent.start": "left indent",
    "indent.right": "right indent",
    "indent.end": "right indent",
    "indent.firstLine": "first-line indent",
    "indent.hanging": "hanging indent",
}
_SILENT_PREFIXES = (
    "mark.", "bCs", "iCs", "szCs", "font.hAnsi", "font.cs", "font.asciiTheme", "font.eastAsiaTheme", "color.theme",
    "pgSz.code", "headerReference", "footerReference",
)  # fmt: skip
_PROPERTIES = {
    "creator": "author",
    "lastModifiedBy": "last editor",
    "description": "comments",
    "keywords": "keywords",
}


def explain(changes: Sequence[Change]) -> str:
    """What a step changed, in a sentence or a few: "Paragraph 'Report' is now bold and centred; nothing else changed."""
    known = {c.target: c.subject for c in changes if c.path == "text"}  # by the words that it had before
    groups: dict[tuple[str, str], list[str]] = {}
    plain: list[str] = []
    blocks: dict[tuple[str, Kind], list[Change]] = {}
    moved: list[Change] = []
    by_target: dict[str, list[Change]] = {}
    for change in changes:
        by_target.setdefault(change.target, []).append(change)
    for change in together(changes):
        own = by_target[change.target]
        if _is_silent(change, own, changes):
            continue
        if change.kind is Kind.MOVED and change.dimension is Dimension.STRUCTURE:
            moved.append(change)
            continue
        if _is_block(change):
            blocks.setdefault((_noun(change), change.kind), []).append(change)
            continue
        phrase = _with_company(change, own) or _predicate(change)
        if phrase is None:
            plain.append(sentence(change))
        else:
            subject = _subject(change) if change.part else known.get(change.target, change.subject)
            which = change.target if subject in _NAMELESS else ""
            phrases = groups.setdefault((which, subject), [])
            if phrase not in phrases:
                phrases.append(phrase)
    by_phrases: dict[tuple[str, ...], list[str]] = {}
    for (_, subject), phrases in groups.items():
        by_phrases.setdefault(tuple(phrases), []).append(subject)
    sentences = [
        f"{_subjects(subjects)} {_phrases(phrases, len(subjects))}"
        for phrases, subjects in by_phrases.items()
    ]
    sentences += _moved_sentence(moved)
    sentences += [_blocks_sentence(noun, same) for (noun, _), same in blocks.items()]
    sentences += _folded(plain)
    sentences = [s if i == 0 else _lower(s) for i, s in enumerate(sentences)]
    if not sentences:
        return "Nothing changed." if not changes else "Only internal details changed."
    return "; ".join(sentences) + "; nothing else changed."


_NAMELESS = ("The picture", "The chart", "The shape", "The table", "An empty paragraph")
"""Subjects that say nothing of which one it is."""


def _with_company(change: Change, own: Sequence[Change]) -> str | None:
    """What is now true of a subject where another change of it is part of the same news; None if this change stands alone."""
    others = [c for c in own if c is not change]
    if change.path == "text" and any(c.path == "field code" and c.after.startswith("PAGE") for c in others):
        return f"now shows the page number ('{shorten(change.after, 60)}')"
    if change.path == "style" and change.kind is Kind.CHANGED and any(map(_is_cleared, others)):
        return f"now has the style {change.after} and no formatting of its own"
    return None


def _is_cleared(change: Change) -> bool:
    return change.dimension is Dimension.FORMATTING and not change.after


def sentence(change: Change) -> str:
    """One change as a sentence without a full stop."""
    phrase = _predicate(change)
    if phrase is not None:
        return f"{_subject(change)} {phrase}"
    where, path = change.subject, change.path
    match change.dimension, change.kind:
        case Dimension.STRUCTURE, Kind.ADDED if path in ("paragraph", "table", "content control"):
            return f"{_indefinite(change)} was added"
        case Dimension.STRUCTURE, Kind.ADDED if path == "section break":
            return f"A section now ends after {_lower(where)}"
        case Dimension.STRUCTURE, Kind.ADDED:
            place = (
                "" if where.startswith(f"The {path}") else f" in {_lower(where)}"
            )  # alone in its paragraph
            return f"A {path}{_quoted(change.after)} was added{place}"
        case Dimension.STRUCTURE, Kind.REMOVED if path in ("paragraph", "table", "content control"):
            return f"{where} was removed"
        case Dimension.STRUCTURE, Kind.REMOVED:
            return f"A {path}{_quoted(change.before)} was removed from {_lower(where)}"
        case _, Kind.MOVED:
            return f"{where} now stands {change.place}" if change.place else f"{where} was moved"
        case Dimension.HYPERLINKS, Kind.ADDED:
            return f"'{shorten(change.part)}' in {_lower(where)} now links to {_goal(change.after)}"
        case Dimension.HYPERLINKS, Kind.REMOVED:
            return f"'{shorten(change.part)}' in {_lower(where)} no longer links to {_goal(change.before)}"
        case Dimension.HYPERLINKS, _ if path == "link text":
            return (
                f"The link '{shorten(change.before)}' in {_lower(where)} now reads '{shorten(change.after)}'"
            )
        case Dimension.HYPERLINKS, _:
            return f"The {path} in {_lower(where)} now leads to {_goal(change.after)}"
        case _, Kind.ADDED if path in ("style", "comment", "footnote", "endnote", "num", "abstractNum"):
            return f"{where}{_quoted(change.after) if path == 'comment' else ''} was added"
        case _, Kind.REMOVED if path in ("style", "comment", "footnote", "endnote"):
            return f"{where}{_quoted(change.before)} was removed"
        case Dimension.OTHER, _ if path == "evenAndOddHeaders":
            on = change.kind is not Kind.REMOVED
            return f"Even pages {'now' if on else 'no longer'} have headers and footers of their own"
        case Dimension.OTHER, _:
            name = _PROPERTIES.get(path, path)
            are, were = ("are", "were") if name in ("keywords", "comments") else ("is", "was")
            return (
                f"The document's {name} {are} now '{shorten(change.after)}'"
                if change.after
                else f"The document's {name} {were} removed"
            )
        case _, _:
            return f"{where}: {path} changed from {_value(change.before)} to {_value(change.after)}"


def _predicate(change: Change) -> str | None:
    """What is now true of the subject, after its name; None if the change is no property of a subject."""
    path, after = change.path.removeprefix("mark."), change.after
    if change.dimension is Dimension.STYLE and path == "style" and change.kind is Kind.CHANGED:
        return f"now has the style {after}"
    if change.dimension is Dimension.CONTENT and path == "text":
        return _text_predicate(change.before, after)
    if path in ("footnote", "endnote", "comment") and change.kind is Kind.CHANGED:
        return _text_predicate(change.before, after) if change.before != after else "is formatted differently"
    if change.dimension is Dimension.TABLES:
        return _table_predicate(change)
    if change.dimension is Dimension.FORMATTING or (change.dimension is Dimension.STYLE and path != "style"):
        return _format_predicate(change)
    if change.dimension is Dimension.CONTENT and path.endswith(" decorative"):
        return "is now marked as decorative" if after else "is no longer marked as decorative"
    if change.dimension is Dimension.CONTENT and path.endswith("alt text"):
        return f"now has the alt text '{shorten(after, 60)}'" if after else "has no alt text any more"
    if change.dimension is Dimension.STRUCTURE:
        if path == "pgSz.orient":
            return f"is now {after or 'portrait'}"
        if path == "titlePg":
            on = after not in ("", "off")
            return f"has {'' if on else 'no '}separate headers and footers on its first page{'' if on else ' any more'}"
        if path in _LAYOUT:
            return (
                f"has a {_LAYOUT[path]} of {_length(after)}"
                if after
                else f"has no {_LAYOUT[path]} of its own"
            )
    return None


def _text_predicate(before: str, after: str) -> str:
    """What a changed text says now: the words that differ if they are few, else its beginning."""
    if not after.strip():
        return "is now empty"
    same = sum(m[2] for m in words.kept_words(before, after))
    pairs = words.phrases(before, after)
    if not pairs or len(pairs) > 3 or 3 * same < len(after) or len(before) * len(after) > 4_000_000:
        return f"now reads '{shorten(after, 60)}'"
    if all(not old for old, _ in pairs):
        return f"now also says {_and([_in_quotes(new) for _, new in pairs])}"
    if all(not new for _, new in pairs):
        return f"no longer says {_and([_in_quotes(old) for old, _ in pairs])}"
    said = [
        f"{_in_quotes(new)} instead of {_in_quotes(old)}" if old and new
        else f"also {_in_quotes(new)}" if new
        else f"no longer {_in_quotes(old)}"
        for old, new in pairs
    ]  # fmt: skip
    return f"now says {_and(said)}"


def _in_quotes(text: str) -> str:
    return f"'{shorten(text, 60)}'"


def _and(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


_DRAWING_PATHS = {f"{kind} {what}" for kind in ("picture", "chart", "shape") for what in ("size", "layout")}


def _drawing_predicate(change: Change) -> str:
    kind, _, what = change.path.partition(" ")
    after = re.sub(r"\.?0+(?= )", "", change.after) if what == "size" else change.after
    alone = change.subject.startswith(f"The {kind}")
    return f"is now {after}" if alone else f"has its {kind} {'at ' if what == 'size' else ''}{after}"


def _format_predicate(change: Change) -> str:
    if change.path in _DRAWING_PATHS:
        return _drawing_predicate(change)
    path, after = change.path.removeprefix("mark."), change.after
    on = after not in ("", "off", "none", "baseline")
    match path:
        case "bold" | "italic" | "hidden" | "all caps" | "small caps":
            word = {"all caps": "in all caps", "small caps": "in small caps"}.get(path, path)
            return f"is now {word}" if on else f"is no longer {word}"
        case "strikethrough" | "double strikethrough":
            return "is now struck through" if on else "is no longer struck through"
        case "underline":
            kind = {"single": "", "words": " by words"}.get(after, f" ({after})")
            return f"is now underlined{kind}" if on else "is no longer underlined"
        case "alignment":
            return f"is now {_ALIGNMENTS.get(after, after)}" if after else "has its style's alignment again"
        case "size":
            return f"is now {float(after) / 2:g} pt" if after else "has its style's size again"
        case "character style":
            return f"is now in the character style {after}" if after else "has no character style any more"
        case "color.themeColor":
            return "has a colour of the theme" if after else "no longer takes its colour from the theme"
        case "font.ascii" | "font.eastAsia":
            return f"is now in {after}" if after else "has its style's font again"
        case "color":
            return f"is now {_colour(after)}" if after else "has its style's colour again"
        case "highlight":
            return f"is now highlighted in {after}" if on else "is no longer highlighted"
        case "shading.fill":
            return f"is now shaded {_colour(after)}" if on and after != "auto" else "is no longer shaded"
        case "spacing.line":
            return f"has {_line_spacing(after)}" if after else "has its style's line spacing again"
        case "vertical position":
            return f"is now {after}" if on else "is no longer super- or subscript"
        case "list.numId":
            return "is now a list item" if after not in ("", "0") else "is no longer a list item"
        case "pageBreakBefore":
            return "now starts on a new page" if on else "no longer starts on a new page"
        case _ if path in _LAYOUT:
            return (
                f"has a {_LAYOUT[path]} of {_length(after)}"
                if after
                else f"has its style's {_LAYOUT[path]} again"
            )
        case _:
            return f"has {path} {after}" if after else f"no longer has {path} {change.before}"


def _table_predicate(change: Change) -> str:
    path, before, after = change.path, change.before, change.after
    if path in ("rows", "columns"):
        return f"now has {after} {path if after != '1' else path[:-1]} (before: {before})"
    if path == "table style":
        return (
            f"now has the table style {after}"
            if after != "none"
            else f"no longer has the table style {before}"
        )
    if path in ("tblDescription", "tblCaption"):
        name = "alt text" if path == "tblDescription" else "alt text title"
        return f"now has the {name} '{shorten(after, 60)}'" if after else f"has no {name} any more"
    if path.startswith("tblLook."):
        return _look_predicate(path.removeprefix("tblLook."), after)
    if path == "column widths":
        return "has new column widths"
    if path.endswith(" merge"):
        return _merge_predicate(path.removesuffix(" merge"), before, after)
    if path.endswith("shd.fill"):
        cell = path.removesuffix(" shd.fill")
        return (
            f"has {cell} shaded {_colour(after)}"
            if after not in ("", "auto")
            else f"has {cell} without shading"
        )
    if path.startswith("cell") and path[5:].replace(",", "").isdigit():
        return f"has '{shorten(after)}' in {path}" if after.strip() else f"has {path} empty"
    if path.startswith("row ") and path[4:].isdigit() and change.kind is Kind.ADDED:
        return f"has a new {path} '{_row(after)}'" if after.strip(" |") else f"has a new, empty {path}"
    if path == "row":
        return f"no longer has the row '{_row(before)}'" if before.strip(" |") else "has an empty row less"
    if after:
        return f"has {path} {after}"
    return f"no longer has {path} {before}"


def _look_predicate(part: str, after: str) -> str:
    on = (after == "1") is not part.startswith("no")
    if part in ("noHBand", "noVBand"):
        return f"{'now' if on else 'no longer'} has banded {'rows' if part == 'noHBand' else 'columns'}"
    name = {
        "firstRow": "header row",
        "lastRow": "total row",
        "firstColumn": "first column",
        "lastColumn": "last column",
    }
    return f"{'now' if on else 'no longer'} has special formatting for the {name.get(part, part)}"


def _merge_predicate(cell: str, before: str, after: str) -> str:
    ways: list[str] = []
    width = after.split(" ")[0]
    if width != "1" and width != before.split(" ")[0]:
        ways.append(f"across {width} columns")
    if "first of" in after and "first of" not in before:
        ways.append("with the cells below")
    if "continues" in after and "continues" not in before:
        ways.append("with the cell above")
    return f"has {cell} merged {' and '.join(ways)}" if ways else f"no longer has {cell} merged as before"


def _row(texts: str) -> str:
    return shorten(" | ".join(cell for cell in texts.split(" | ") if cell.strip()))


def _is_silent(change: Change, own: Sequence[Change], changes: Sequence[Change]) -> bool:
    """Details that say what another change already says; `own`: the changes of the same target."""
    path = change.path
    if path == "style" and change.kind is Kind.ADDED:  # made real on first use: what uses it is told
        return any(c.path != "style" for c in changes)
    if path.startswith("mark."):
        return any(not c.path.startswith("mark.") for c in changes) or any(
            path.startswith(f"mark.{p}") for p in _SILENT_PREFIXES[1:]
        )
    if (
        (
            path.startswith(_SILENT_PREFIXES)
            and not (path == "color.themeColor" and not any(c.path == "color" for c in own))
        )
        or path.endswith(" shd")
        or " shd.color" in path
        or " shd.theme" in path
        or path in ("shading.val", "shading.color")
    ):
        return any(c is not change for c in changes)
    if path == "spacing.lineRule" or path in ("list.ilvl",):
        return any(c.path in ("spacing.line", "list.numId") for c in own)
    if path == "font.eastAsia":
        return any(c.path == "font.ascii" for c in own)
    if path.startswith(("pgSz.", "pgMar.")) and path != "pgSz.orient":
        return any(c.path == "pgSz.orient" for c in own)  # turned with the page
    if _is_cleared(change):
        return any(c.path == "style" for c in own)
    if path in (
        "num",
        "abstractNum",
        "field",
        "field code",
        "bookmark end",
        "comment start",
        "comment end",
        "latentStyles",
    ):
        return any(c.path not in ("num", "abstractNum") and c is not change for c in changes)
    if path in ("footnote", "endnote", "comment") and change.dimension is Dimension.STRUCTURE:
        return any(c.path == path and c.kind is change.kind and c is not change for c in changes)
    if path in ("commentEx", "commentId", "commentExtensible", "showingPlcHdr"):
        return any(c is not change for c in changes)
    if path == "bookmark" and (change.before or change.after).startswith("_"):
        return any(c is not change for c in changes)
    if path == "section break" and change.kind is Kind.REMOVED:
        return any(c.path == path and c.kind is Kind.ADDED for c in changes)
    if (path, change.after) == ("character style", "Hyperlink") or change.subject == "The style 'Hyperlink'":
        return any(c.dimension is Dimension.HYPERLINKS for c in changes)
    if change.subject in ("The style 'annotation text'", "The style 'annotation reference'"):
        return any(c.path == "comment" for c in changes)
    if path == "link text":
        return any(c.path == "text" for c in own)
    if path.startswith("tblLook."):
        return change.before in ("", "0") and change.after in ("", "0")
    if path == "paragraph" and change.kind is Kind.ADDED and change.subject == "An empty paragraph":
        return any(
            c.kind in (Kind.ADDED, Kind.MOVED) and c.path == "table" for c in changes
        )  # it only keeps tables apart
    if (
        path.endswith(" merge") and "continues" in change.before + change.after
    ):  # said once, at the top of the merge
        return any("continues" not in c.before + c.after for c in own)
    if path.startswith("cell of row ") or (path.startswith("cell ") and not change.after.strip()):
        merges = [c for c in own if c.path.endswith(" merge")]
        into = any(_merge_predicate("", c.before, c.after).startswith("has") for c in merges)
        return into and (path.startswith("cell of") or f"{path} merge" in [c.path for c in merges])
    if " tcW." in path or path.startswith("tblW."):
        return any((c.path.endswith(" merge") or c.path == "columns") for c in own)
    if path == "column widths":
        return any(c.path == "columns" for c in own)
    return False


def _subject(change: Change) -> str:
    if change.part:
        return f"'{shorten(change.part)}' in {_lower(change.subject)}"
    return change.subject


_PARAGRAPHS = {
    "Paragraph",
    "Heading",
    "List item",
    "An empty paragraph",
    "The picture",
    "The chart",
    "The shape",
}


def _subjects(subjects: Sequence[str]) -> str:
    if len(subjects) == 1:
        return subjects[0]
    if all(s.startswith("The page layout of ") for s in subjects):
        named = [s.removeprefix("The page layout of ") for s in subjects]
        return f"The page layouts of {_and(named) if len(named) < 4 else f'{len(named)} sections'}"
    nouns = {s.split(" '")[0] for s in subjects}
    if len(subjects) <= 3 and not set(subjects) & set(_NAMELESS):
        return ", ".join([subjects[0], *map(_lower, subjects[1:-1])]) + " and " + _lower(subjects[-1])
    part = next(iter(nouns)).rpartition(" in ")[0]
    if len(nouns) == 1 and part.startswith("'"):
        return f"{len(subjects)} places with {part}"
    noun = nouns.pop().lower() if len(nouns) == 1 else "paragraph" if nouns <= _PARAGRAPHS else "place"
    return f"{len(subjects)} {noun.removeprefix('the ').removeprefix('an ')}s"


def _phrases(phrases: Sequence[str], subjects: int) -> str:
    """Join what is said of one subject: "is now bold", "is now centred" becomes "is now bold and centred"."""
    phrases = _margins(phrases)
    if subjects > 1:
        phrases = [_plural(p) for p in phrases]
    joined = [phrases[0]]
    for phrase in phrases[1:]:
        for lead in ("is now ", "are now ", "has ", "have "):
            if phrase.startswith(lead) and joined[-1].startswith(lead):
                phrase = phrase.removeprefix(lead)
                break
        joined.append(phrase)
    return joined[0] if len(joined) == 1 else ", ".join(joined[:-1]) + " and " + joined[-1]


def _margins(phrases: Sequence[str]) -> Sequence[str]:
    """Margins of one width are said together: "has top and bottom margins of 2 cm"."""
    sides: dict[str, list[str]] = {}
    for phrase in phrases:
        match = _MARGIN.fullmatch(phrase)
        if match is not None:
            sides.setdefault(match["width"], []).append(match["side"])
    said = [p for p in phrases if _MARGIN.fullmatch(p) is None]
    for width, names in sides.items():
        names.sort(key=("top", "bottom", "left", "right").index)
        if len(names) == 4:
            said.append(f"has margins of {width} on all sides")
        elif len(names) > 1:
            said.append(f"has {_and(names)} margins of {width}")
        else:
            said.append(f"has a {names[0]} margin of {width}")
    return said


_MARGIN = re.compile(r"has a (?P<side>top|bottom|left|right) margin of (?P<width>.+)")


def _plural(phrase: str) -> str:
    for one, many in (
        ("is ", "are "),
        ("has ", "have "),
        ("now has ", "now have "),
        ("now reads ", "now read "),
        ("now says ", "now say "),
        ("now also says ", "now also say "),
        ("no longer says ", "no longer say "),
        ("no longer has ", "no longer have "),
    ):
        if phrase.startswith(one):
            return many + phrase.removeprefix(one).replace(" of its own", " of their own")
    return phrase


def _is_block(change: Change) -> bool:
    """Whether a whole paragraph, comment or note came, went or moved."""
    if change.dimension is Dimension.STRUCTURE:
        return change.path == "paragraph" and bool(change.target)
    notes = ("comment", "footnote", "endnote")
    return change.dimension is Dimension.CONTENT and change.path in notes and change.kind is not Kind.CHANGED


def _noun(change: Change) -> str:
    """What the change's subject is, without its words: "Paragraph", "Heading", "List item", "An empty paragraph"."""
    return "A page break" if change.subject.startswith("A page break") else change.subject.partition(" '")[0]


def _moved_sentence(changes: Sequence[Change]) -> list[str]:
    """Blocks that were moved together: the first by name, the others as a number."""
    if len(changes) < 2:
        return [sentence(c) for c in changes]
    first, more = changes[0], len(changes) - 1
    verb = f"now stand {first.place}" if first.place else "were moved"
    return [f"{first.subject} and {more} more block{'s' if more > 1 else ''} {verb}"]


def _blocks_sentence(noun: str, changes: Sequence[Change]) -> str:
    """Blocks that were added, removed or moved: one by its words, several as a number and the first words."""
    if len(changes) == 1:
        return sentence(changes[0])
    kind = changes[0].kind
    plural = f"{noun.removeprefix('An ').removeprefix('A ').removeprefix('The ').lower()}s"
    named = [f"'{shorten(c.after if kind is Kind.ADDED else c.before)}'" for c in changes]
    named = [n for n in named if n != "''"]
    more = len(named) - 3
    shown = [*named[:3], f"{more} more"] if more > 1 else named
    list_ = f": {_and(shown)}" if shown else ""
    return f"{len(changes)} {plural} were {kind.value}{list_}"


def _folded(sentences: list[str]) -> list[str]:
    """Long runs of equal sentences become one with a count; so do long runs of additions."""
    if len(sentences) <= 6:
        return list(dict.fromkeys(sentences))
    return [*sentences[:3], f"{len(sentences) - 3} more changes of this kind"]


def _indefinite(change: Change) -> str:
    noun = {"Heading": "The heading", "List item": "The list item"}.get(_noun(change), f"The {change.path}")
    text = change.after.strip()
    if change.path == "table":
        rows = change.after.split("\n") if change.after else []
        header = " | ".join(c for c in rows[0].split("\t") if c) if rows else ""
        return f"A table with {len(rows)} row{'s' if len(rows) != 1 else ''}{_quoted(header)}"
    if text:
        where = _IN_STORY.search(change.subject)
        return f"{noun} '{shorten(text)}'{where.group() if where else ''}"
    return f"A {change.subject[4:]}" if change.subject.startswith("The ") else change.subject


_IN_STORY = re.compile(r" in the (?:\w+-page )?(?:header|footer)$")


def _goal(target: str) -> str:
    """Where a link leads."""
    return f"the bookmark {target[1:]}" if target.startswith("#") else target


def _quoted(text: str) -> str:
    return f" '{shorten(text)}'" if text.strip() else ""


def _value(text: str) -> str:
    return f"'{shorten(text)}'" if text.strip() else "nothing"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if not text.startswith("'") else text


def _colour(value: str) -> str:
    known = _COLOURS.get(value.upper() if value != "auto" else value)
    return known or next((n for n, v in units.COLOURS.items() if v == value.upper()), f"coloured {value}")


def _length(twips: str) -> str:
    try:
        points = float(twips) / 20
    except ValueError:
        return twips
    return f"{points:g} pt" if points < 28 else f"{points / 28.3465:.3g} cm"


def _line_spacing(value: str) -> str:
    """A number alone is in 240ths of a line; with "exact" or "atLeast" behind it, in twentieths of a point."""
    number, _, rule = value.partition(" ")
    try:
        distance = float(number)
    except ValueError:
        return f"line spacing {value}"
    if rule:
        return f"line spacing of {'exactly' if rule == 'exact' else 'at least'} {distance / 20:g} pt"
    words_ = {240: "single line spacing", 480: "double line spacing"}
    return words_.get(round(distance), f"line spacing {distance / 240:g}")
