"""A request divided into clauses, each about one thing to do, with "it" and "the same" pointing back."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.planning.local.conditions import conditional, taken_back
from agent.planning.local.words import POLITE, TAIL, VERBS

_QUOTE = re.compile(
    r"\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\u00ab[^\u00bb\n]*\u00bb|\u201e[^\u201c\u201d\n]*[\u201c\u201d]"
    r"|(?<![\w'])'[^'\n]*(?:'\w[^'\n]*)*'(?!\w)|\u2018[^\u2019\n]*\u2019(?!\w)|`[^`\n]*`"
)
_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z\d\"'(])|;\s*(?=(?:and\s+|then\s+|also\s+|please\s+)*(?:"
    + "|".join(sorted(VERBS))
    + r")\b)|\n\n+",
    re.IGNORECASE,
)
_THEN = re.compile(
    (
        r",?\s+(?:and\s+)?(?:then|after that|afterwards|finally|also|(?<=and )next"
        r"|next,)\s+(?=\w)|,\s*(?:and\s+)?(?=(?:then|also|finally)\b)"
    ),
    re.IGNORECASE,
)
_SAME = re.compile(
    r",?\s+and\s+(?=(?:do\s+)?(?:exactly\s+)?the\s+same\s+(?:for|to|with|in|on)\b)", re.IGNORECASE
)
_UNDER_IT = re.compile(r",?\s+and\s+(?=(?:under|below|after)\s+it,?\s+an?\s)", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:\d+[.)]|[-*\u2022])\s+")
_AND = re.compile(r"(?:,\s*and|,|\s+and|\s+&|\s+plus|\s+as well as)\s+(?=([\w-]+))", re.IGNORECASE)
_REPLACE = re.compile(r"^\s*(?:find|search for|look for)\b", re.IGNORECASE)
_LOOK_WORDS = frozenset((
    "bold", "underline", "highlight", "number", "space", "left", "right", "double", "colour", "color", "style", "link",
    "comment", "format", "order", "shade", "mark", "fill", "print", "bullet", "break", "centre", "center", "strike",
    "update",
))  # fmt: skip
"""Verbs that are more often something else behind "and"."""
_FILLER = {"please", "also", "then", "just", "finally"}
_NOUN_AFTER = re.compile(
    r"^\s+(?:the|a|an|all|every|each|it|its|their|them|this|that|those|these|my|our|both|\"|\u201c|'|\d"
    r"|to|in|into|of|at|up|down)\b|^\s*[\"\u201c']",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """One thing to do."""

    text: str
    """Without politeness."""
    part: str
    """The user's words."""
    bound: bool = False
    """It holds only under a condition, or is taken back: nothing of it is to be done."""


def quotes_masked(text: str) -> str:
    """The text with everything between quotation marks (and the marks) replaced by \u0001, of the same length."""
    return _QUOTE.sub(lambda m: "\u0001" * len(m.group(0)), text)


def quoted(text: str) -> list[tuple[int, int, str]]:
    """Quoted strings: start and end with the marks, and the words inside."""
    return [(m.start(), m.end(), m.group(0)[1:-1]) for m in _QUOTE.finditer(text)]


def split(request: str) -> list[Clause]:
    """The clauses of a request in order."""
    if taken_back(quotes_masked(request)):
        return [Clause(request.strip(), request.strip(), True)]
    found: list[Clause] = []
    lines = re.split(r"\n+(?=\s*(?:\d+[.)]|[-*\u2022])\s)", request)
    listed = len(lines) > 1 and not re.search(r":\s*$", lines[0])
    if not listed:
        lines = [request]
        inline = list(re.finditer(r"(?:^|\s)(?P<n>\d)[.)]\s", quotes_masked(request)))
        if len(inline) > 1 and [int(m.group("n")) for m in inline] == list(range(1, len(inline) + 1)):
            edges = [m.start() for m in inline] + [len(request)]
            lines = [request[a:b].strip(" ,;") for a, b in itertools.pairwise(edges)]
    for line in lines:
        for sentence in _cut(_BULLET.sub("", line) if listed or _BULLET.match(line) else line, _SENTENCE):
            if conditional(quotes_masked(POLITE.sub("", sentence))):
                found.append(Clause(sentence.strip(), sentence.strip(), True))
                continue
            for piece in (
                p for s in _cut(sentence, _THEN) for u in _cut(s, _UNDER_IT) for p in _cut(u, _SAME)
            ):
                for part in (p for verbal in _split_verbs(piece) for p in _split_pairs(verbal)):
                    text = _bare(part)
                    text = _with_verb(text, found)
                    if re.search(r"\w|\u0001", text):
                        found.append(Clause(text, part.strip(" ,;")))
    return found


def _bare(part: str) -> str:
    """Without politeness; a full stop stays where new words end the clause."""
    text = POLITE.sub("", part)
    if _WRITES.search(quotes_masked(part)):
        return re.sub(r"\s*[,.!]\s*(?:please|thanks|thank you)[\s.!]*$", "", text, flags=re.IGNORECASE).strip(
            " ,;"
        )
    return TAIL.sub("", text).strip(" ,.;!")


_WRITES = re.compile(r":\s|\b(?:saying|says|reads|reading|to\s+say)\b", re.IGNORECASE)


def _with_verb(text: str, before: Sequence[Clause]) -> str:
    """As in "then a bullet list under it": the verb of the clause before holds on."""
    under = re.match(
        r"(?P<side>under|below|after)\s+it,?\s+(?P<what>an?\s.+)$", text, re.IGNORECASE | re.DOTALL
    )
    if before and under is not None:
        text = (
            f"{under.group('what')} {under.group('side').lower()} it"
            if ":" not in under.group("what")
            else text
        )
    if not before or not re.match(r"(?:an?|another|one\s+more)\s", text, re.IGNORECASE):
        return text
    verb = re.match(r"(?:add|insert|create|put|include|append|make)\b", before[-1].text, re.IGNORECASE)
    return f"{verb.group(0)} {text}" if verb is not None else text


_PAIRS = re.compile(
    r"^(?P<verb>\W*(?:\w+\s+)?(?:replace|change|rename|swap|substitute))\s+(?P<a>.+?)\s+(?P<joint>with|by|to|for)\s+(?P<b>.+)$",
    re.IGNORECASE | re.DOTALL,
)


_TEXT_BELOW = re.compile(
    r"\s+with\s+(?:the\s+|a\s+)?(?:text|paragraph"
    r"|sentence)\s+(?P<q>\u0001+)\s+(?:below|under|underneath|beneath)(?:\s+it)?\s*$",
    re.IGNORECASE,
)


def _split_pairs(text: str) -> list[str]:
    """As in "replace A with B, C with D": the verb holds for each pair."""
    masked = quotes_masked(text)
    below = _TEXT_BELOW.search(masked)
    if below is not None:
        return [
            text[: below.start()],
            f"add the paragraph {text[below.start('q') : below.end('q')]} below it",
        ]
    match = _PAIRS.match(masked)
    if match is None:
        return [text]
    joint = match.group("joint")
    again = re.compile(
        rf"(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?=(?:\u0001+|[\w'-]+(?:\s+[\w'-]+){{0,3}}?)\s+{joint}\s+\S)",
        re.IGNORECASE,
    )
    cuts = list(again.finditer(masked, match.start("b")))
    if not cuts:
        return [text]
    edges = [
        (0, cuts[0].start()),
        *((c.end(), n.start()) for c, n in itertools.pairwise(cuts)),
        (cuts[-1].end(), len(text)),
    ]
    verb = text[: match.end("verb")]
    return [text[a:b] if i == 0 else f"{verb} {text[a:b]}" for i, (a, b) in enumerate(edges)]


def _cut(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Cut at matches outside quotes. After a colon that opens a list, nothing is cut."""
    masked = quotes_masked(text)
    pieces: list[str] = []
    at = 0
    for match in pattern.finditer(masked):
        if _in_list(masked, match.start()):
            continue
        pieces.append(text[at : match.start()])
        at = match.end()
    pieces.append(text[at:])
    return [p for p in pieces if p.strip()]


def _in_list(masked: str, at: int) -> bool:
    """Whether a colon before the place opens a list of values that ends after it ("with the items: a, b, then c")."""
    colon = masked.rfind(": ", 0, at)
    return (
        colon >= 0
        and not re.search(r"[.;\n]", masked[colon:at])
        and not re.match(r"\W*then\b", masked[at:], re.IGNORECASE)
    )


def _split_verbs(text: str) -> list[str]:
    """Split at "and" or a comma before another verb; "find X and replace it with Y" is one thing."""
    masked = quotes_masked(text)
    pieces: list[str] = []
    at = 0
    for match in _AND.finditer(masked):
        word = match.group(1).lower()
        rest = masked[match.end() :]
        skipped = word in _FILLER
        if skipped:
            following = re.match(r"[\w-]+\s+([\w-]+)", rest)
            word = following.group(1).lower() if following else word
        if word not in VERBS or _in_list(masked, match.start()):
            continue
        if word in _LOOK_WORDS and not skipped:
            after = rest[len(match.group(1)) :]
            if not _NOUN_AFTER.match(after):
                continue  # "bold and underline", "in bold and colour red": an attribute, not a verb
        if _REPLACE.match(masked[at:]) and word in (
            "replace",
            "substitute",
            "change",
            "swap",
            "delete",
            "remove",
        ):
            continue
        before = POLITE.sub("", masked[at : match.start()]).strip(" ,")
        if not _acts(masked[at : match.start()]) or re.fullmatch(r"[\w-]+", before):
            continue  # "bold and underline the heading"
        pieces.append(text[at : match.start()])
        at = match.end()
    pieces.append(text[at:])
    return [p for p in pieces if p.strip()]


def _acts(masked: str) -> bool:
    """Whether a piece asks for something by itself; "at the end, write ..." begins with a place only."""
    lead = POLITE.sub("", masked).strip(" ,")
    if not re.match(
        r"(?:at|in|on|after|before|under|below|above|to|for|within|inside|behind|throughout|as)\b",
        lead,
        re.IGNORECASE,
    ):
        return True
    return any(w in VERBS for w in re.findall(r"[\w-]+", lead.lower()))
