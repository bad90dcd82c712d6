"""Which operations a clause may mean: likeness to the phrasings that each operation carries.

Words are weighed by how few operations use them (tf-idf), after values are replaced by what kind of value they are, so
that "make the title green" is like "make the heading red" whatever the colours.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from agent.operations.catalogue import Catalogue, Operation, catalogue
from agent.planning.local import values
from agent.planning.local.clauses import quotes_masked
from agent.planning.local.words import NUMBER, ORDINAL, REMOVING

_STOP = frozenset((
    "the", "a", "an", "of", "to", "in", "on", "at", "for", "with", "and", "or", "my", "our", "this", "that", "it", "its",
    "all", "so", "is", "are", "be", "as", "from", "by", "up", "me", "you", "i", "we", "please",
))  # fmt: skip
_SYNONYMS = {
    "type": "write", "enter": "write",
    "update": "set", "adjust": "set", "edit": "set",
    "note": "comment", "remark": "comment",
    "place": "put", "take": "take",
    "copy": "duplicate", "point": "item", "step": "item",
    "centre": "center", "centred": "center", "centered": "center", "middle": "center", "colour": "color",
    "coloured": "color", "colored": "color", "picture": "image", "photo": "image", "figure": "image", "graphic": "image",
    "illustration": "image", "logo": "image", "graph": "chart", "diagram": "chart", "plot": "chart", "insert": "add",
    "create": "add", "append": "add", "include": "add", "erase": "delete",
    "remove": "delete", "drop": "delete", "change": "set", "modify": "set", "substitute": "replace", "swap": "replace",
    "bold": "bold", "boldface": "bold", "italics": "italic", "italicise": "italic", "italicize": "italic",
    "underlined": "underline", "grey": "colorx", "line": "line", "rewrite": "reword", "rephrase": "reword",
    "subheading": "heading", "headline": "heading", "heading": "heading", "para": "paragraph",
    "hyperlink": "link", "comment": "comment", "uppercase": "upper", "capitals": "upper", "capital": "upper",
    "lowercase": "lower", "move": "move", "shift": "move", "combine": "merge", "join": "merge", "resize": "size",
    "scale": "size", "sideways": "landscape", "wide": "width", "tall": "height", "bullet": "list", "bulleted": "list",
    "numbered": "list", "justified": "justify", "aligned": "align", "alignment": "align",
}  # fmt: skip
Vector = Mapping[str, float]


def delexicalised(text: str) -> str:
    """The text with values replaced by their kind."""
    masked = REMOVING.sub("delete ", quotes_masked(text))
    masked = re.sub(
        r"\btop (?:(?:left|right|center|centre"
        r"|middle) )?of (?:every|each|all|the) pages?\b",
        "header",
        masked,
        flags=re.IGNORECASE,
    )
    masked = re.sub(
        r"\b(?:bottom|foot) (?:(?:left|right|center|centre"
        r"|middle) )?of (?:every|each|all|the) pages?\b",
        "footer",
        masked,
        flags=re.IGNORECASE,
    )
    masked = re.sub("\u0001+", " quotedx ", masked)
    for pattern, kind in (
        (values._URL, "urlx"),  # pyright: ignore[reportPrivateUsage]
        (values._DIMENSIONS, "dimensionsx"),  # pyright: ignore[reportPrivateUsage]
        (values._SPACING, "line spacing spacingx"),  # pyright: ignore[reportPrivateUsage]
        (values._LENGTH, "lengthx"),  # pyright: ignore[reportPrivateUsage]
        (values._SIZE, "sizex"),  # pyright: ignore[reportPrivateUsage]
        (values._PERCENT, "percentx"),  # pyright: ignore[reportPrivateUsage]
        (values._FONT, "fontx"),  # pyright: ignore[reportPrivateUsage]
        (values._COLOUR, "colorx"),  # pyright: ignore[reportPrivateUsage]
    ):
        masked = pattern.sub(f" {kind} ", masked)
    masked = re.sub(rf"\b{ORDINAL}\b(?!\s+page)", " ordinalx ", masked, flags=re.IGNORECASE)
    return re.sub(rf"\b(?!an?\b|one\b){NUMBER}\b", " numberx ", masked, flags=re.IGNORECASE)


def features(text: str) -> Counter[str]:
    """Words and pairs of words, without endings."""
    words = [
        stemmed(w) for w in re.findall(r"[\w\u00c0-\uffff]+", delexicalised(text).lower()) if w not in _STOP
    ]
    return Counter([*words, *(f"{a} {b}" for a, b in itertools.pairwise(words))])


def stemmed(word: str) -> str:
    """A word without its ending, and for a family of synonyms the same one."""
    word = _SYNONYMS.get(word, word)
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return _SYNONYMS.get(word, word)


class Index:
    """The phrasings of a catalogue, ready to be searched."""

    def __init__(self, operations: Catalogue) -> None:
        self._phrasings: list[tuple[Operation[Any], Counter[str]]] = []
        spread: dict[str, set[str]] = {}
        for op in operations.values():
            said = [
                *op.phrasings,
                *(e.goal for e in op.examples if e.raises is None),
                op.name.replace("_", " "),
            ]
            for phrase in [*said, op.summary]:
                found = features(phrase)
                if phrase in said:
                    self._phrasings.append((op, found))
                for feature in found:
                    spread.setdefault(feature, set()).add(op.name)
        total = max(len(operations), 2)
        self._weight = {f: 0.15 + math.log(total / len(ops)) / math.log(total) for f, ops in spread.items()}
        self._vectors = [(op, self._vector(found)) for op, found in self._phrasings]

    def _vector(self, found: Counter[str]) -> Vector:
        weighed = {
            f: n * self._weight.get(f, 0.6) * (0.6 if " " in f else 1.0) * (0.4 if f.endswith("x") else 1.0)
            for f, n in found.items()
        }
        length = math.sqrt(sum(w * w for w in weighed.values())) or 1.0
        return {f: w / length for f, w in weighed.items()}

    def search(self, text: str) -> list[tuple[Operation[Any], float]]:
        """Every operation with its likeness to the text, 0 to 1, best first."""
        wanted = self._vector(features(text))
        best: dict[str, tuple[Operation[Any], list[float]]] = {}
        for op, vector in self._vectors:
            likeness = sum(w * vector.get(f, 0.0) for f, w in wanted.items())
            best.setdefault(op.name, (op, []))[1].append(likeness)
        scored = [(op, _blend(found)) for op, found in best.values()]
        return sorted(scored, key=lambda item: (-item[1], item[0].name))


def _blend(found: Iterable[float]) -> float:
    """Mostly the best phrasing, a little of the next two: one lucky hit is worth less than three."""
    top = sorted(found, reverse=True)[:3]
    return top[0] * 0.8 + sum(top) / len(top) * 0.2


@lru_cache(maxsize=1)
def default_index() -> Index:
    """The index of the project's catalogue."""
    return Index(catalogue())
