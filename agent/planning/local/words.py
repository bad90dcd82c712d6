"""Small word lists: numbers, ordinals, verbs, colours, fonts. English; the first language of the planner."""

from __future__ import annotations

import re

NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8, "9th": 9, "10th": 10,
    "last": -1, "final": -1, "penultimate": -2, "top": 1, "bottom": -1,
}  # fmt: skip
ORDINAL = (
    "(?:"
    + "|".join(sorted(ORDINALS, key=len, reverse=True))
    + r"|second to last|next to last|\d+(?:st|nd|rd|th))"
)
NUMBER = r"(?:\d+|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"

VERBS = frozenset((
    "add", "insert", "put", "place", "create", "make", "set", "change", "turn", "replace", "substitute", "swap", "delete",
    "remove", "erase", "drop", "move", "shift", "copy", "duplicate", "centre", "center", "align", "justify", "bold",
    "italicise", "italicize", "underline", "strike", "highlight", "colour", "color", "shade", "fill", "format", "style",
    "apply", "use", "give", "append", "prepend", "write", "type", "include", "merge", "join", "combine", "split",
    "rename", "retitle", "rewrite", "capitalise", "capitalize", "uppercase", "lowercase", "convert", "number", "bullet",
    "link", "hyperlink", "comment", "annotate", "resize", "scale", "enlarge", "shrink", "widen", "double", "indent",
    "space", "start", "begin", "switch", "rotate", "update", "correct", "fix", "mark", "show", "increase", "decrease",
    "reduce", "clear", "get", "take", "rephrase", "reword", "find", "search", "attach", "draw", "build", "generate",
    "produce", "translate", "summarise", "summarize", "shorten", "proofread", "improve", "tidy", "clean", "sort", "order",
    "crop", "group", "export", "save", "print", "share", "send", "email", "upload", "explain", "draft", "expand",
    "polish", "break", "unbold", "left-align", "right-align", "left", "right", "emphasise", "emphasize", "decorate",
    "paint", "tint",
))  # fmt: skip
"""Words that begin a clause of their own after "and"."""

GLUE = frozenset((
    "too", "well", "still", "even", "bit", "little", "slightly", "somewhat", "the", "a", "an", "of", "to", "in", "on",
    "at", "for", "with", "and", "or", "my", "our", "this", "that", "these", "those", "it", "its", "they", "them", "all",
    "every", "each", "both", "so", "is", "are", "be", "as", "from", "by", "up", "me", "you", "i", "we", "please", "into",
    "make", "set", "change", "give", "put", "should", "text", "word", "words", "one", "ones", "also", "just", "now",
    "here", "there", "new", "whole", "entire", "same", "document", "then", "would", "could", "can", "like", "want",
    "have", "has", "having", "been", "being", "will", "do", "does", "very", "some", "any",
))  # fmt: skip
"""Words that say little: not needed to explain a clause."""
SOFT = frozenset((
    "saying", "says", "say", "reading", "reads", "read", "needs", "need", "must", "following", "paragraph", "paragraphs",
    "sentence",
    "clause", "line", "thing", "things", "stuff", "right", "away", "really", "quite", "current", "currently", "existing",
    "only", "more", "using", "use", "which", "who", "whose", "there", "where", "looks", "look", "looking", "nice", "nicely",
    "everywhere", "throughout", "called", "named", "titled", "bit", "further", "within", "inside", "under", "below", "above",
    "after", "before", "behind", "between", "beside", "next", "instead", "rather", "no", "got", "gets", "become", "becomes",
))  # fmt: skip
"""Words that may be left over without a change of what is meant."""
LIMITS = frozenset((
    "except", "unless", "but", "if", "excluding", "only", "don't", "not", "never", "besides", "without",
    "instead", "other", "keep", "leave", "retain", "preserve", "maybe", "perhaps", "possibly", "or",
))  # fmt: skip
"""Words that turn a request around or take something out of it; a reading that does not account for them is wrong."""

REMOVING = re.compile(r"\b(?:get\s+rid\s+of|take\s+(?:out|away)|throw\s+(?:out|away))\s", re.IGNORECASE)
"""Ways to say delete in several words."""

FONTS = (
    "Times New Roman", "Comic Sans MS", "Comic Sans", "Courier New", "Century Gothic", "Segoe UI", "Trebuchet MS",
    "Book Antiqua", "Palatino Linotype", "Lucida Sans", "Gill Sans", "Franklin Gothic", "Aptos Display", "Open Sans",
    "Arial Narrow", "Arial", "Calibri Light", "Calibri", "Cambria", "Georgia", "Verdana", "Tahoma", "Helvetica", "Garamond",
    "Consolas", "Courier", "Aptos", "Impact", "Roboto", "Candara", "Corbel", "Constantia", "Symbol", "SimSun", "Lato",
    "Bookman Old Style", "Rockwell", "Baskerville", "Futura", "Didot", "Liberation Serif", "Liberation Sans", "Times",
)  # fmt: skip

PROSE = re.compile(
    r"\b(summari[sz]e|summary of|(?:add|insert|include|create|write) (?:an?|some|another"
    r"|the) (?:\w+ ){0,2}(?:paragraph|text|sentence|section|introduction|conclusion|summary)s? (?:about"
    r"|on|explaining|describing|that explains|that describes|summari[sz]ing)|translate"
    r"|rephrase|reword|proofread|paraphrase|polish"
    r"|improve the (?:wording|style|text|writing)"
    r"|make (?:it|this|that|the \w+(?: \w+)?) (?:sound |read )?(?:more |less )?"
    r"(?:formal|friendly|concise|polite|professional|persuasive|readable|casual|engaging)"
    r"|shorten the (?:text|paragraph|introduction|section)|expand on|elaborate|draft (?:a|an|the)|come up with|brainstorm"
    r"|write (?:a|an|me|some|the) (?:short |brief |new |nice )?(?:paragraph|introduction"
    r"|conclusion|summary|essay|text|email|letter|section|story)"
    r" (?:about|on|for|that|explaining|describing)|explain|fix the grammar"
    r"|correct the (?:grammar|spelling)|check the spelling)\b",
    re.IGNORECASE,
)
"""Requests whose answer is new prose: no planner without a model can write it."""

IMPOSSIBLE = re.compile(
    r"\b(e-?mail (?:it|this|the)|send (?:it|this|the)|share (?:it|this|the)|upload"
    r"|print (?:it|this|the)|post (?:it|this) to)\b",
    re.IGNORECASE,
)
"""Requests that leave the document."""

POLITE = re.compile(
    r"^(?:\s*(?:please|pls|kindly|hi|hello|hey|ok|okay|so|now|then|also|and|finally"
    r"|lastly|next|after that|afterwards|additionally"
    r"|first of all|first|secondly|thirdly|could you|can you|would you|will you|i(?:'d| would) like (?:you )?to"
    r"|i(?:'d| would) like|i want (?:you )?to|i need (?:you )?to|i need|i want|we need to"
    r"|we should|you should|let's|let us|just|simply"
    r"|go ahead and|make sure (?:that )?(?:you )?|be so kind as to|would you mind|it would be (?:great|nice|good) if you could"
    r"|help me(?: to)?|stet)\b[\s,:!]*)+",
    re.IGNORECASE,
)
TAIL = re.compile(
    r"[\s,.;!]*(?:\b(?:please|thanks|thank you|for me|if possible|if you can)\b[\s,.;!]*)*$", re.IGNORECASE
)


def number(text: str) -> int | None:
    """A number in digits or words."""
    word = text.lower()
    return int(word) if word.isdigit() else NUMBERS.get(word)


def ordinal(text: str) -> int | None:
    """An ordinal in words or digits; "last" is -1."""
    word = " ".join(text.lower().split())
    if word in ("second to last", "next to last"):
        return -2
    if word in ORDINALS:
        return ORDINALS[word]
    match = re.fullmatch(r"(\d+)(?:st|nd|rd|th)", word)
    return int(match.group(1)) if match else None
