"""Conditions and words that take a request back: neither is understood, and either makes the rest of the sentence wrong.

"If there is no table, delete the section" asks for nothing unless it is known whether there is one.
"""

from __future__ import annotations

import re

_I = re.IGNORECASE
_POSSIBLE = r"(?!\s+(?:possible|needed|necessary|you\s+(?:can|could|please|like|would|want)|applicable)\b)"
_LEADING = re.compile(
    r"^(?:[\W_]*(?:and|but|then|please|only|also|so|even)\b)*\W*"
    rf"(?:if|unless|when|whenever|where|wherever|provided|assuming|should\s+there|in\s+case|as\s+long\s+as|once)\b{_POSSIBLE}"
    r"(?![^,]*\?\s*$)",
    _I,
)
_TRAILING = re.compile(
    r"\s(?:if|unless|provided|assuming|in\s+case|as\s+long\s+as|whenever)\s+"
    r"(?:there|the|it|they|any|no|this|that|these|those|all|each|you\s+find|not)\b",
    _I,
)
_INNER = re.compile(
    rf"(?:[,;]|\b(?:and|then|but))\s+(?:only\s+)?(?:if|unless|when|whenever)\b{_POSSIBLE}", _I
)
_BACK = re.compile(
    r"(?:^|[.!?;,]\s*|\s-\s*|\s*[\u2013\u2014]\s*)(?:oh\s+|but\s+)?"
    r"(?:no,|no\s+(?:wait|keep|leave|don't|do\s+not)\b|nope|wait\b|never\s*mind|scratch\s+that|forget\s+(?:it|that)"
    r"|on\s+second\s+thoughts?|actually,?\s+(?:no|don't|keep|leave)\b"
    r"|(?:rather|better)\s+(?:not|keep|leave)\b|(?:keep|leave)\s+(?:it|them|that|this)\b(?!\s+(?:together|in)\b))",
    _I,
)
_CONTENT = re.compile(
    r":\s|\b(?:saying|says|reading|reads|to\s+(?:say|read)|stating|with\s+the\s+(?:text|words?))\b", _I
)


def conditional(masked: str) -> bool:
    """Whether a sentence, its quotations masked, holds only under a condition; words that are to be written do not count."""
    said = _request(masked)
    return any(p.search(said) is not None for p in (_LEADING, _TRAILING, _INNER))


def taken_back(masked: str) -> bool:
    """Whether a later part of a request takes an earlier one back: "Delete the table? No, keep it."."""
    match = _BACK.search(_request(masked))
    return match is not None and match.start() > 0


def _request(masked: str) -> str:
    content = _CONTENT.search(masked)
    return masked[: content.start()] if content is not None else masked
