"""New words: quoted, behind "saying" or a colon, behind "to", or as the name of the thing that is made."""

from __future__ import annotations

import re

from agent.planning.local import values
from agent.planning.local.guards import runs_on
from agent.planning.local.slots import Filled, Slot
from agent.planning.local.values import Value

_I = re.IGNORECASE
_THINGS = {
    "heading": r"sub-?headings?|headings?|headlines?|chapters?|sections?|titles?",
    "paragraph": r"paragraphs?|sentences?|lines?|text",
    "text": r"text|words?|phrase|sentence",
    "item": r"item|bullet(?:\s+point)?|point|entry|step",
    "comment": r"comments?|notes?|remark",
    "header": r"headers?",
    "footer": r"footers?",
    "hyperlink": r"links?|hyperlinks?",
    "chart": r"charts?|graphs?|plots?|diagrams?",
}
"""What the last word of an operation's name is called in requests."""
_NAMED = (
    r"(?:\s+(?:level|of\s+level)\s+\d)?(?:\s+(?:called|titled|named|entitled|labell?ed|headed"
    r"|saying|reading|with\s+the\s+(?:title|name|words?|text)))?\s*:?\s+"
)
_END = re.compile(
    r"\s*(?:$|\b(?:at|to|in|into|on|after|before|under|below|above|as|with|and\s+(?:make|set|put|then)|of\s+level|level)\b)",
    _I,
)
_TO = re.compile(
    r"\s+(?:so\s+that\s+it\s+(?:says|reads)|to\s+say|to\s+read|should\s+(?:say|read|be)|to\s+be|to"
    r"|into|as|(?P<with>with|by)|:|=|->|\u2192)\s+(?P<v>.+)$",
    _I | re.DOTALL,
)
_CHANGING = re.compile(
    r"(?:change|set|rename|retitle|replace|turn|update|rewrite|reword|make|correct|switch|overwrite|edit|modify"
    r"|describe|substitute|start|end|begin|open|close)\b",
    _I,
)
_WRITING = re.compile(r"(?:put|write|add|insert|type|place|enter|append|include|prepend)\s+", _I)
_ADDING = re.compile(r"(?:add|insert|append|create|include|write|type)\b", _I)
_EMPTYING = re.compile(r"(?:clear|empty|blank)\b", _I)


def new_words(filled: Filled, slot: Slot) -> Value | None:
    """What is to be written; "Page X of Y" is no words but a number for each page."""
    found = _new_words(filled, slot)
    return None if found is not None and _PATTERN.fullmatch(str(found.value).strip()) else found


def _new_words(filled: Filled, slot: Slot) -> Value | None:
    reading = filled.reading
    to = _changed_to(filled)
    if to is not None:
        return to
    quotes = [q for q in reading.free_quotes() if not filled.overlaps(q)]
    if quotes:
        return quotes[0]
    if reading.saying is not None and not filled.overlaps(reading.saying):
        return reading.saying
    named = named_thing(filled)
    if named is not None:
        return named
    if slot.required and filled.target is not None and _EMPTYING.match(reading.masked, reading.verb_at):
        return Value(0, len(reading.verb), "")
    between = _between(filled)
    if between is None and slot.required and _REMOVE.match(reading.masked, reading.verb_at):
        thing = filled.operation.name.split("_")[-1]
        gone = re.search(rf"\b{_THINGS.get(thing, thing)}\b", reading.masked, _I)
        return Value(gone.start(), gone.end(), "") if gone is not None else None
    return between


def _changed_to(filled: Filled) -> Value | None:
    """Behind the target: "change the title to Moving House"."""
    reading, target = filled.reading, filled.target
    verb = _CHANGING.match(reading.masked, reading.verb_at)
    end = target.end if target is not None else 0
    if (target is None or target.end == target.start) and verb is not None:  # "change the footer to ..."
        thing = filled.operation.name.split("_")[-1]
        whole = " ".join(filled.operation.name.split("_")[1:])
        named = re.compile(
            rf"\s+(?:(?:the|its|their)\s+)?(?:page\s+"
            rf"|current\s+)?(?:{whole if thing == 'text' else _THINGS.get(thing, thing)})\b(?:\s+text\b)?",
            _I,
        )
        own = named.match(reading.masked, verb.end()) if thing in ("header", "footer", "text") else None
        end = own.end() if own is not None else 0
    if not end:
        return None
    match = _TO.match(reading.masked, end)
    if match is None or verb is None:
        return None
    said = reading.masked[match.start() : match.start("v")].split()
    if verb.group(0).lower() in ("make", "turn") and said[0].lower() in ("to", "into", "as", "with", "by"):
        return None  # "make paragraphs 1 to 2 bold"
    if match.group("with") and verb.group(0).lower() not in (
        "replace",
        "substitute",
        "start",
        "end",
        "begin",
        "open",
        "close",
        "overwrite",
    ):
        return None
    start, end = match.span("v")
    quote = next((q for q in reading.quotes if q.start == start), None)
    if quote is not None:
        return Value(match.start(), quote.end, quote.value)
    later = [a for a, _ in filled.used if a > start]
    if later:
        end = min(later)
        end = start + len(re.sub(r"\s+(?:in|of|on)\s*$", "", reading.masked[start:end], flags=_I))
    place = reading.place
    if place is not None and place.side == "in" and start < place.start < end <= place.end + 1:
        end = place.start
    words = reading.text[start:end].strip(" .,")
    in_cell = target is not None and target.named == "cell"
    if not words or _VAGUE.match(words) or (_is_a_look(words) and not in_cell) or runs_on(words):
        return None
    return Value(match.start(), end, words)


_VAGUE = re.compile(
    r"(?:something|another\s+(?:one|title|word)|an?\s+(?:different|better|new|other|shorter|more"
    r"|less)\b|better\b|one\s+that|an?\s+(?:(?:sub|numbered|bulleted|bullet|plain|bold|normal)[- ]?\s*)*"
    r"(?:heading|list|link|table|hyperlink|bullets?|items?|paragraph|chart|quote|caption|point|title|row|column|line|cell)\b"
    r"|heading\s+\d)",
    _I,
)
_LOOKS = re.compile(
    r"(?:bold|italics?|underlined|cent(?:er|re)(?:ed|d)?|left|right|justified|upper\s*case"
    r"|lower\s*case|capitals|title\s+case|landscape|portrait|all\s+caps"
    r"|(?:single|double)(?:\s+spac\w+)?|the\s+(?:left|right|middle|cent(?:er|re)|next|previous|end|start|top|bottom)\b.*)$",
    _I,
)


def _is_a_look(words: str) -> bool:
    """Whether words say how something is to look rather than what it is to say ("14 pt", "dark blue", "Arial")."""
    if _LOOKS.match(words) or re.fullmatch(r"[\d.,]+(?:\s*[x\u00d7]\s*[\d.,]+)+\s*(?:cm|mm|in|pt)?", words):
        return True
    found = [
        *values.colours(words),
        *values.fonts(words),
        *values.sizes(words),
        *values.lengths(words),
        *values.percents(words),
    ]
    rest = words
    for v in found:
        rest = rest[: v.start] + " " * (v.end - v.start) + rest[v.end :]
    return bool(found) and not re.search(
        r"\w", re.sub(r"\b(?:and|bold|italic|size|font|in|colou?r)\b", " ", rest, flags=_I)
    )


def named_thing(filled: Filled) -> Value | None:
    """The name behind the thing that the operation makes: "add a heading Next steps at the end"."""
    reading = filled.reading
    thing = filled.operation.name.split("_")[-1]
    nouns = _THINGS.get(thing, re.escape(thing) + "s?")
    for match in re.finditer(rf"\b(?:{nouns})\b{_NAMED}", reading.masked, _I):
        at = match.end()
        if any(a <= match.start() < b for a, b in filled.used) or at >= len(reading.masked):
            continue
        end = min([a for a, _ in filled.used if a >= at], default=len(reading.masked))
        if re.search(
            r"\b(?:the|all|every|each)\s+(?:\w+\s+)?$", reading.masked[: match.start()], _I
        ) and not _ADDING.match(reading.masked, reading.verb_at):
            continue
        explicit = re.search(
            r"(?:called|titled|named|entitled|saying|reading|title|name|words?|text)\s*:?\s+$",
            match.group(0),
            _I,
        )
        if explicit is None:
            stop = _END.search(reading.masked, at, end)
            end = stop.start() if stop is not None and not reading.text[at : at + 1].isupper() else end
        words = re.sub(
            r"\s+(?:as\s+(?:a\s+)?)?(?:of\s+|on\s+|at\s+)?level\s+\d$",
            "",
            reading.text[at:end].strip(" ,.:"),
            flags=_I,
        )
        if explicit is None:
            words = re.split(r"\s+with\b", words)[0]
        words = re.sub(r"\s+with$|\s+and$", "", words)
        if re.match(
            r"(?:about|on|for|that|which|with|describing|explaining|of|regarding|under|below)\b", words, _I
        ):
            continue
        if (
            words
            and "\u0001" not in reading.masked[at:end]
            and (explicit is not None or not _END.match(reading.masked, at))
        ):
            return Value(match.start(), at + len(words), words)
    return None


def _between(filled: Filled) -> Value | None:
    """Words between the verb and where they go: "put Draft in the header", "write n/a into the last cell"."""
    reading = filled.reading
    match = _WRITING.match(reading.masked, reading.verb_at)
    if match is None:
        return None
    end = min([a for a, _ in filled.used if a >= match.end()], default=0)
    tail = re.compile(
        r"\s+(?:in|into|to|at|on|as|before|after|below|above|behind)\s+(?:the\s+)?$", _I
    ).search(reading.masked, match.end(), end)
    if not end:
        tail = re.compile(
            r"\s+(?:in|into|to|at|on|as)\s+(?:the\s+)?(?:page\s+|document\s+)?(?:header|footer|title|top|bottom)\b.*$",
            _I,
        ).search(reading.masked, match.end())
        end = tail.start() if tail is not None else 0
    at = match.end()
    lead = re.compile(r"the\s+(?:text|words?)\s+", _I).match(reading.masked, at)
    at = lead.end() if lead is not None else at
    words = reading.text[at : tail.start() if tail is not None else end].strip(" ,")
    if not words or "\u0001" in reading.masked[at:end]:
        return None
    thing = filled.operation.name.split("_")[-1]
    if (
        re.match(rf"(?:an?|the|some|another|new|{_THINGS.get(thing, thing)})\b", words, _I)
        and not words[0].isupper()
    ):
        return None
    place = reading.place
    to_item = (
        place is not None and place.phrase is not None and place.phrase.named in ("list", "list item", "cell")
    )
    if values.lengths(words) or values.percents(words):
        return None
    lively = (
        to_item
        or words[0].isupper()
        or words[0].isdigit()
        or words[0] in "(["
        or reading.verb in ("write", "type", "enter")
    )
    return Value(at, at + len(words), words) if lively else None


# -- find and replace --------------------------------------------------------------------------------------------------

_REPLACE = re.compile(
    r"^(?:(?P<lead>(?:in|throughout|within)\s+.+?),?\s+)?(?:find\s+and\s+)?(?:replace|substitute|swap"
    r"|change|rename|correct|update|turn|find|exchange|search\s+for)"
    r"\s+(?P<a>.+?)\s+(?:(?:and\s+)?(?:replace|substitute|change|swap)\s+(?:it|them|all"
    r"|every\s+one)?\s*(?:with|by|to|for)|with|by|to|into|for|->|\u2192)\s+(?P<b>.+?)$",
    _I | re.DOTALL,
)
_OCCURRENCES = re.compile(
    rf"^(?:(?:all|every|each)\s+(?:the\s+)?(?:of\s+the\s+)?(?:(?:occurrences?|instances?|mentions?|appearances?)\s+of\s+)?)?"
    rf"(?:the\s+)?(?:{values.ORDINAL}\s+)?(?:(?:words?|phrase|text|term|name)\s+)?",
    _I,
)
_EVERYWHERE = re.compile(
    r",?\s+(?:everywhere|throughout(?:\s+the\s+(?:whole\s+)?document)?|in\s+the\s+(?:whole"
    r"|entire)\s+document|in\s+(?:the|this)\s+document"
    r"|wherever\s+it\s+(?:appears|occurs)|in\s+all\s+places|all\s+over(?:\s+the\s+document)?)\b",
    _I,
)
_REMOVE = re.compile(r"(?:delete|remove|erase|drop|take\s+out|get\s+rid\s+of|cut|strip)\s+", _I)


_SHOULD = re.compile(
    r"^(?P<lead>\u0002)?(?:(?:the\s+(?:words?|text|phrase|name)|every|each|all)\s+)(?P<a>\u0001+|[\w'-]+)\s+(?:should|must|has\s+to|needs\s+to)"
    r"\s+(?:read|say|be\s+called|be\s+changed\s+to|become|be)\s+(?P<b>\u0001+)\s*$",
    _I,
)


_INSTEAD = re.compile(
    r"^(?P<lead>\u0002)?(?:write|use|put"
    r"|say)\s+(?P<b>\u0001+)\s+(?P<instead>instead\s+of)\s+(?P<a>\u0001+)\s*$",
    _I,
)


def _replacing(filled: Filled) -> re.Match[str] | None:
    """Both sides of "replace a by b", "the word 'a' should read 'b'", "write 'b' instead of 'a'"."""
    masked = filled.reading.masked
    return _REPLACE.match(masked) or _SHOULD.match(masked) or _INSTEAD.match(masked)


def find(filled: Filled, slot: Slot) -> Value | None:
    """The words to look for; without quotation marks they must stand in the document."""
    match = _replacing(filled)
    if match is not None:
        return _side(filled, match, "a")
    return _removed(filled)


def replacement(filled: Filled, slot: Slot) -> Value | None:
    """What takes their place; nothing, if words are to be removed."""
    match = _replacing(filled)
    if match is not None:
        return _side(filled, match, "b")
    return Value(0, len(filled.reading.verb), "") if _removed(filled) is not None else None


def _removed(filled: Filled) -> Value | None:
    """As in "take out the word very": words that are not a whole paragraph."""
    reading = filled.reading
    if not _REMOVE.match(reading.masked, reading.verb_at):
        return None
    for phrase in reading.targets:
        if phrase.named == "text" and phrase.target.text is not None:
            return Value(phrase.start, phrase.end, phrase.target.text)
    return None


def _side(filled: Filled, match: re.Match[str], group: str) -> Value | None:
    reading = filled.reading
    start, end = match.span(group)
    if group == "b":
        only = re.search(r",?\s*(?:but\s+)?only\s*$", reading.masked[start:end], _I)
        last = end
        end = start + only.start() if only is not None and only.start() else end
        if only is not None and filled.used:
            filled.used.append((end, last))  # "in the header only": within it
    while end > start and any(a < end <= b and a > start for a, b in filled.used):  # "... in the price table"
        end = max(a for a, b in filled.used if a < end <= b and a > start)
    inside = [q for q in reading.quotes if start <= q.start and q.end <= end]
    if inside and match.groupdict().get("instead"):
        return Value(match.start("instead") if group == "a" else start, end, inside[0].value)
    if inside:
        return Value(start, end, inside[0].value)
    words = re.sub(
        r"\s+(?:in|of|from|within)(?:\s+the)?$",
        "",
        _EVERYWHERE.sub("", reading.text[start:end]).strip(" ,"),
        flags=_I,
    )
    if group == "b":
        scope = re.search(
            r"\s+in\s+the\s+(?:[\w-]+\s+){0,2}(?:tables?|sections?|lists?|headings?|paragraphs?)$", words, _I
        )
        if scope is not None and len(filled.used) == 0:
            return None
        words = words[: scope.start()] if scope is not None else words
        words = re.sub(r",?\s*(?:but\s+)?only$", "", words, flags=_I)
        if re.search(r"\b(?:but|except|unless|only)\b", words, _I):
            return None
        words = re.sub(
            r"\s+in\s+the\s+(?:header|footer|notes?|footnotes?|text\s+boxes?)s?$", "", words, flags=_I
        )
        return Value(start, end, words) if words else None
    lead = _OCCURRENCES.match(words)
    words = words[lead.end() :] if lead is not None else words
    if not words or not (reading.lookup.contains(words) or match.group("lead")):
        return None
    phrase = reading.phrases.at(start)
    if phrase is not None and phrase.end >= end and phrase.named not in ("text", "topic", "line"):
        return None  # "change the title to ..." is about the title, not about the word
    return Value(start, end, words)


def nth(filled: Filled, slot: Slot) -> Value | None:
    """As in "the second 'draft'"."""
    match = re.search(
        rf"\b(?P<o>{values.ORDINAL})\s+(?:(?:occurrence|instance|mention|match)\s+of\s+)?(?=\u0001|['\"])",
        filled.reading.masked,
        _I,
    )
    return Value(match.start(), match.end(), values.ordinal(match.group("o"))) if match is not None else None


def everywhere(filled: Filled, slot: Slot) -> Value | None:
    """Whether all are meant."""
    match = re.search(r"\b(?:all|every|each|everywhere|throughout|whole|entire)\b", filled.reading.masked, _I)
    return Value(match.start(), match.end(), True) if match is not None else None


# -- lists, values by name ---------------------------------------------------------------------------------------------

_ITEMS = re.compile(
    r"\b(?:lists?\b.*?\b(?:items?|points?|entries|bullets?|steps)|items|points|entries|bullets"
    r"|steps|lists?\s+(?:of|with|containing|for)|list)\b"
    r"\s*(?:being|are|of)?\s+(?P<l>.+)$",
    _I | re.DOTALL,
)
_UNDER = re.compile(r"^(?:under|in|below|after)\b.+?\b(?:list)\s+(?P<l>.+?)\s+as\b", _I | re.DOTALL)


def items(filled: Filled, slot: Slot) -> Value | None:
    """The items of a list: behind a colon, on lines, quoted one by one, or behind "items"."""
    reading = filled.reading
    if reading.colon is not None:
        found = values.listed(reading.text[reading.colon :].strip(" ."))
        return Value(reading.colon, len(reading.text), found) if found else None
    quotes = reading.free_quotes()
    if len(quotes) > 1:
        return Value(quotes[0].start, quotes[-1].end, [q.value for q in quotes])
    for pattern in (_ITEMS, _UNDER):
        match = pattern.search(reading.masked)
        if match is None:
            continue
        start, end = match.span("l")
        end = min([a for a, _ in filled.used if a >= start], default=end)
        if any(a <= start < b for a, b in filled.used):
            continue
        words = re.sub(
            r"\s+(?:to|as)(?:\s+(?:a\s+)?(?:bullets?|bulleted|numbered)(?:\s+\w+)?)?$",
            "",
            reading.text[start:end].strip(" .,"),
            flags=_I,
        )
        found = values.listed(words)
        if len(found) > 1:
            return Value(match.start(), end, found)
    return None


def pairs(filled: Filled, slot: Slot) -> Value | None:
    """Names and their values: "fill in CLIENT with Acme and DATE with 1 May", "[Name] = Ann"."""
    reading = filled.reading
    known = _placeholders(filled)
    if known is not None:
        return known
    if not re.search(r"\b(?:placeholders?|blanks?|fields?|template|form)\b|[\[{\u00ab<]", reading.masked, _I):
        return None
    joint = r"(?:=|:|\bwith\b|\bas\b|\bby\b|->|\bto\b)"
    key = r"[\[{\u00ab<]*[\w][\w .-]*?[\]}\u00bb>]*"
    pattern = re.compile(
        rf"(?P<k>{key})\s*{joint}\s*(?P<v>.+?)(?=\s*(?:$|(?:[,;\n]\s*(?:and\s+)?|\s+and\s+){key}\s*{joint}))",
        _I | re.DOTALL,
    )
    lead = re.match(
        r"(?:fill(?:\s+(?:in|out))?|complete|replace|set|use)\s+(?:the\s+)?(?:placeholders?|blanks?"
        r"|fields?|template|form)?\s*(?:with|:|for)?\s*(?:the\s+)?(?:placeholders?\s+)?",
        reading.text,
        _I,
    )
    start = lead.end() if lead is not None else 0
    found: dict[str, str] = {}
    for match in pattern.finditer(reading.text, start):
        name = match.group("k").strip(" [](){}<>\u00ab\u00bb\"'\u201c\u201d")
        found[re.sub(r"^(?:the\s+(?:placeholder\s+)?|and\s+)", "", name, flags=_I)] = match.group("v").strip(
            " \"'\u201c\u201d,."
        )
    return Value(start, len(reading.text), found) if found else None


def _placeholders(filled: Filled) -> Value | None:
    """Values behind the names of the document's placeholders: "fill in the name Ann Lee", "the date is 3 May"."""
    reading = filled.reading
    names = sorted(reading.lookup.placeholders, key=len, reverse=True)
    if not names:
        return None
    every = "|".join(re.escape(n) for n in names)
    pattern = re.compile(
        rf"(?<!\w)(?:the\s+)?[\[{{\u00ab<]*(?P<k>{every})[\]}}\u00bb>]*\s*(?:=|:|\bis\b"
        rf"|\bwith\b|\bas\b|\bby\b|->|\bto\b)?\s*(?P<v>\S.*?)"
        rf"(?=\s*(?:$|[;\n]|(?:,\s*(?:and\s+)?|\s+and\s+)(?:the\s+)?[\[{{\u00ab<]*(?:{every})\b))",
        _I | re.DOTALL,
    )
    found: dict[str, str] = {}
    matches = list(pattern.finditer(reading.text))
    for match in matches:
        name = next(n for n in names if n.lower() == match.group("k").lower())
        if re.search(r"\band\s+the\b", match.group("v"), _I):
            return None
        found[name] = match.group("v").strip(" \"'\u201c\u201d,.")
    return Value(matches[0].start(), len(reading.text), found) if matches and all(found.values()) else None


_PATTERN = re.compile(
    r"\b(?P<p>page)\s+(?:x|n|\d+|#)\s+(?:of|/)\s+(?:y|n|total|\d+)\b"
    r"|\b(?P<q>(?:x|\d+)\s+(?:of|/)\s+(?:y|\d+))\b",
    _I,
)


def number_pattern(filled: Filled, slot: Slot) -> Value | None:
    """How a page number is to look: "Page X of Y", "- 1 -", quoted or not."""
    reading = filled.reading
    for quote in reading.free_quotes():
        if re.search(r"\b[xyn]\b|\d|#", quote.value, _I):
            shape = re.sub(r"\b(?:x|n|\d+)\b|#", "{PAGE}", quote.value, count=1, flags=_I)
            shape = re.sub(r"(?<=[\s/])(?:y|n|\d+)\b", "{NUMPAGES}", shape, count=1, flags=_I)
            return Value(quote.start, quote.end, shape)
    match = _PATTERN.search(reading.masked)
    if match is None:
        return None
    return Value(
        match.start(),
        match.end(),
        "Page {PAGE} of {NUMPAGES}" if match.group("p") else "{PAGE} of {NUMPAGES}",
    )


_OWN = re.compile(
    r"\b(?:custom\s+|own\s+)?propert(?:y|ies)\s+(?:called\s+"
    r"|named\s+)?(?P<k>[\w -]+?)\s+(?:to|=|is|as|with\s+the\s+value)\s+(?P<v>.+)$",
    _I,
)


def own_property(filled: Filled, slot: Slot) -> Value | None:
    """A name of the user's own and its value: "set the property Client to Acme"."""
    match = _OWN.search(filled.reading.text)
    if match is None or any(a <= match.start("v") < b for a, b in filled.used):
        return None
    return Value(
        match.start(), match.end(), {match.group("k").strip(): match.group("v").strip(" .\"'\u201c\u201d")}
    )


def named_value(filled: Filled, slot: Slot, words: str = "", listed: bool = False) -> Value | None:
    """A parameter by its own name: "set the author to Ann Lee", "title: Annual report", "subject Logistics"."""
    reading = filled.reading
    names = words or re.escape(slot.name.replace("_", " ")).replace(r"\ ", r"[ -]")
    stops = ";" if listed else ",;"
    others = "|".join(re.escape(n.replace("_", " ")) for n in filled.operation.params.model_fields)
    pattern = re.compile(
        rf"(?:\b|(?<=\())(?:{names})\b(?:\s+(?:of|in)\s+(?:the|this)\s+document)?(?:\s+propert(?:y"
        rf"|ies))?\s*(?:to\s+be|to|is|as|=|:|should\s+be|named|called|of)?\s*"
        rf"(?P<v>\u0001+|[^{stops}\u0001\n]+?)(?=\s*(?:$|[{stops}\n]|,?\s*\band\s+(?:(?:the|its|his|her)\s+)?(?:{others})\b))",
        _I,
    )
    for match in pattern.finditer(reading.masked):
        start, end = match.span("v")
        value = Value(match.start(), end, None)
        if filled.overlaps(Value(start, end, None)):
            continue
        quote = next((q.value for q in reading.quotes if q.start == start), None)
        said = quote if quote is not None else reading.text[start:end].strip(" .")
        if quote is None:
            said = re.sub(
                r"\s+in\s+the\s+(?:document'?s?\s+|file'?s?\s+)?(?:propert(?:y|ies)|metadata)$",
                "",
                said,
                flags=_I,
            )
        joined = re.search(r"(?:to|is|as|=|:|be|named|called)\s*$", reading.masked[match.start() : start], _I)
        if quote is None and joined is None and not said[:1].isupper() and not said[:1].isdigit():
            continue
        if slot.kind in (int, float):
            number = re.match(r"-?\d+(?:[.,]\d+)?", said)
            if number is None:
                continue
            said = slot.kind(float(number.group(0).replace(",", ".")))
        if said != "":
            return Value(value.start, value.end, said)
    return None
