"""What a reading must not pass over or do by chance: other objects, qualifiers, looks, and the verb of a removal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from agent.operations.catalogue import Operation
from agent.planning.local.slots import Filled
from agent.planning.local.words import GLUE, NUMBER, NUMBERS, ORDINALS, VERBS

_I = re.IGNORECASE
_OWN_VERB = {
    "delete": r"delet|remov|eras|drop|cut|get\s+rid|take\s+(?:out|away)|throw\s+(?:out|away)"
    r"|clear|strip|empty|wipe|kill|scrap|ditch|bin",
    "merge": r"merg|join|combin|unit",
}
"""What must be said, somewhere in the clause, for an operation that begins with this word."""
_OWN_NOUN = {"set_alt_text": r"\balt\b|alternative|descri|accessib|screen\s*reader", "resize_object": ""}
_LOOKS = re.compile(
    r"\b(?:landscape|portrait|bold|italics?|underlined?|strikethrough|struck\s+through|cent(?:er|re)d|justified"
    r"|(?:left|right)[- ]aligned|upper\s*case|lower\s*case|all\s+caps|smaller|bigger|larger|double[- ]spaced)\b",
    _I,
)
_MADE = re.compile(
    rf"(?:an?|another|one\s+more|some|a\s+new|new|{NUMBER})\s+(?:(?!(?:of|for|with|to|in|into|onto|on"
    rf"|at|from|below|above|after|before|under)\b)[\w-]+\s+){{0,2}}"
    r"(?P<n>rows?|columns?|tables?|cells?|headings?|comments?|pictures?|images?|charts?)\b",
    _I,
)
_NAMES = {
    "row": ("rows",), "column": ("columns", "column"), "cell": ("cells",), "heading": ("heading",), "chart": ("chart",),
    "comment": ("comment",), "picture": ("image",), "image": ("image",),
}  # fmt: skip
_EACH = re.compile(r"\b(?:each|every)\s+(?!pages?\b)[\w-]+", _I)
"""Something for each of several, which a reading that does it once would pass over. Headers and footers are on each page."""
_MARKS = re.compile(r"(?:(?:the|all|all\s+the|these|those)\s+)?(?:bullets|numbering|numbers)", _I)
"""What may be the marks of the items or the items: a removal of them is not guessed."""
_ROW_WORDS = frozenset((
    *GLUE, *NUMBERS, "empty", "blank", "more", "further", "extra", "additional", "another", "table", "data", "single",
))  # fmt: skip
_CREATING = frozenset(("add", "insert", "create", "put", "append", "include", "place"))
_WORD_BEFORE = re.compile(r"(?P<w>[\w'-]+)\s+$")
_LEADING_WORDS = frozenset((
    "of", "in", "on", "at", "to", "into", "onto", "from", "with", "by", "for", "under", "below", "above", "after", "before",
    "behind", "beside", "between", "within", "inside", "throughout", "across", "through", "per", "near", "around", "as",
    "beneath", "underneath", "following", "called", "named", "titled", "than", "that", "which", "then", "says", "saying",
    "contain", "contains", "containing", "mention", "mentions", "whole", "entire", "existing", "current", "except", "over",
    "out", "off", "rid", "up", "down", "single", "about", "where", "while", "when", "like",
))  # fmt: skip
_DEST = re.compile(
    r"\s+(?:and\s+)?(?:(?:in|the)\s+)*(?:row|column|cell)\s+\d|\band\s+(?:in\s+)?(?:row|column|cell)\b", _I
)


def passed_over(op: Operation[Any], filled: Filled, also: Sequence[tuple[int, int]] = ()) -> tuple[str, ...]:
    """Words that a reading would act against: its verb is not asked for, or a qualifier or a look is left over."""
    reading = filled.reading
    spans = [*filled.used, *also]
    found = [*_verb(op, filled), *_object(op, filled), *_kinds(op, filled)]
    text = reading.masked[: reading.colon]
    found += [
        m.group(0)
        for m in _LOOKS.finditer(text)
        if not _within(spans, m.start()) and reading.verb_at != m.start()
    ]
    found += _qualifiers(filled, spans)
    found += [m.group(0) for m in _EACH.finditer(text) if not _within(spans, m.start())]
    return tuple(dict.fromkeys(found))


def _verb(op: Operation[Any], filled: Filled) -> Iterator[str]:
    reading = filled.reading
    text = reading.masked[: reading.colon]
    own = _OWN_VERB.get(op.name.split("_")[0], "") or _OWN_NOUN.get(op.name, "")
    if own and re.search(rf"\b(?:{own})" if op.name not in _OWN_NOUN else own, text, _I) is None:
        yield reading.verb
    if op.name.startswith(("add_", "insert_")) and reading.verb in ("change", "format", "convert", "style"):
        yield reading.verb


def _kinds(op: Operation[Any], filled: Filled) -> Iterator[str]:
    """What is done to something that it cannot be done to: a table is no paragraph of a style, a line has no heading to keep."""
    reading, target, place = filled.reading, filled.target, filled.reading.place
    removing = re.compile(r"(?:delete|remove|erase|drop|cut)\b", _I).match(reading.masked, reading.verb_at)
    if target is not None and target.end > target.start:
        said = reading.text[target.start : target.end]
        if "keep_heading" in filled.params and target.named not in ("section", "topic", "document"):
            yield said
        if removing is not None and op.name.startswith("delete") and _MARKS.fullmatch(said):
            yield said
        if op.name == "apply_style" and target.named in ("table", "picture", "chart"):
            yield said
        if (
            op.name.startswith("set_")
            and removing is not None
            and any(v is True for v in filled.params.values())
        ):
            yield reading.verb
    in_table = (
        place is not None
        and place.side == "in"
        and place.phrase is not None
        and place.phrase.named == "table"
    )
    if place is not None and in_table and op.name in ("add_paragraph", "add_list", "add_heading"):
        yield reading.text[place.start : place.end]


def _object(op: Operation[Any], filled: Filled) -> Iterator[str]:
    """As in "add a row", where the operation makes a table."""
    reading = filled.reading
    if reading.verb not in _CREATING:
        return
    at = reading.verb_at + len(reading.verb)
    match = _MADE.match(reading.masked, at + 1)
    if match is None:
        return
    noun = match.group("n").lower()
    noun = noun[:-1] if noun.endswith("s") else noun
    parts = op.name.split("_")
    wanted = _NAMES.get(noun)
    fits = parts[-1] == "table" if wanted is None else any(w in parts for w in wanted)
    if not fits:
        yield match.group("n")
    if noun == "row":
        for word in re.finditer(r"[\w-]+", reading.masked[match.start() : match.start("n")]):
            start = match.start() + word.start()
            if word.group(0).lower() not in _ROW_WORDS and not _within(filled.used, start):
                yield word.group(0)  # "a total row" is more than a row


def _qualifiers(filled: Filled, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """An adjective right before what is meant, as in "the empty paragraphs", that nothing has read."""
    reading = filled.reading
    for phrase in (filled.target, reading.place.phrase if reading.place is not None else None):
        if (
            phrase is None
            or phrase.end <= phrase.start
            or "\u0001" in reading.masked[phrase.start : phrase.end]
        ):
            continue
        match = _WORD_BEFORE.search(reading.masked, max(0, phrase.start - 40), phrase.start)
        if match is None or match.start() <= reading.verb_at or _within(spans, match.start()):
            continue
        word = match.group("w").lower()
        if word in GLUE or word in _LEADING_WORDS or word in VERBS or word in ORDINALS or word.endswith("'s"):
            continue
        yield reading.text[match.start("w") : match.end("w")]


def _within(spans: Sequence[tuple[int, int]], at: int) -> bool:
    return any(a <= at < b for a, b in spans)


_LOOK_FIRST = re.compile(
    r"(?:bold|italics?|underlined?|cent(?:er|re)d)\s+and\b|.*\band\s+(?:the|all|every)\s+.+\s+to\s+\S", _I
)


def runs_on(words: str) -> bool:
    """Whether unquoted new words go on with a further thing to do: "950 and in row 3 column 2 to 350"."""
    return _DEST.search(words) is not None or _LOOK_FIRST.match(words) is not None


__all__ = ["passed_over", "runs_on"]
