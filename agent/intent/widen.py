"""Widens the hand-written phrasings into training pairs: `python -m agent.intent.widen` writes `data/train.jsonl`.

Each line of `data/phrasings/<intent>.txt` is a phrasing; `{slot}` is filled from `data/slots.json`. A line gives its
plain form and up to `VARIANTS` more, with other values, synonyms, a neutral opening or ending, other case, or a typing slip. The
random generator is seeded by the line itself, so the same input gives the same file and a new line changes no other.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from agent.intent.intents import Intent

DATA = Path(__file__).parent / "data"
VARIANTS = 2
SLOT = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
"""A slot; doubled braces are a placeholder in the user's document and stay as they are."""

Slots = dict[str, Any]


def phrasings(intent: Intent) -> list[str]:
    """The hand-written lines of one intent, in the order of the file."""
    lines = (DATA / "phrasings" / f"{intent.value}.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip()]


@cache
def values() -> Slots:
    """`data/slots.json`: the values of each slot; `_synonyms`, `_prefix` and `_suffix` hold what `vary` draws from."""
    return json.loads((DATA / "slots.json").read_text(encoding="utf-8"))


def fill(text: str, rng: random.Random) -> str:
    """The text with each slot replaced; a slot that occurs twice gets one value."""
    chosen: dict[str, str] = {}

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in chosen:
            chosen[name] = rng.choice(values()[name])
        return chosen[name]

    return SLOT.sub(value, text)


@cache
def synonyms(in_chart: bool) -> tuple[re.Pattern[str], dict[str, list[str]]]:
    """What finds the words that have synonyms (or a quotation or slot, to be skipped), and the synonyms of each word.

    "columns" and "bars" are alike only in a chart.
    """
    groups: list[list[str]] = [group for group in values()["_synonyms"] if in_chart or "bars" not in group]
    others = {word: [other for other in group if other != word] for group in groups for word in group}
    words = "|".join(sorted(map(re.escape, others), key=len, reverse=True))
    return re.compile(rf'"[^"]*"|\{{\w+\}}|\b({words})\b', re.IGNORECASE), others


def reword(text: str, rng: random.Random) -> str:
    """The text with some words replaced by synonyms; quoted text and slots stay."""
    pattern, others = synonyms(in_chart=bool(re.search("chart|graph|diagram|plot", text)))

    def other(match: re.Match[str]) -> str:
        word = match.group(1)
        if not word or rng.random() < 0.5 or not (choices := others.get(word.lower())):
            return match.group()
        chosen = rng.choice(choices)
        return chosen[0].upper() + chosen[1:] if word[0].isupper() else chosen

    return pattern.sub(other, text)


def slip(text: str, rng: random.Random) -> str:
    """The text with one slip of the hand: two letters swapped, or one lost or doubled, inside a longer word."""
    words = list(re.finditer(r"[A-Za-z]{5,}", text))
    if not words:
        return text
    word = rng.choice(words)
    at = rng.randrange(word.start() + 1, word.end() - 1)
    middle = rng.choice([text[at + 1] + text[at], text[at + 1], text[at] * 2 + text[at + 1]])
    return text[:at] + middle + text[at + 2 :]


def lower_first(text: str) -> str:
    """The text with a small first letter, unless its first word is a name or an abbreviation."""
    first = text.split(maxsplit=1)[0]
    return text if first == "I" or first[1:] != first[1:].lower() else text[0].lower() + text[1:]


def vary(phrasing: str, rng: random.Random) -> str:
    """One more way the phrasing could have been typed."""
    text = fill(reword(phrasing, rng), rng)
    shape = rng.random()
    if shape < 0.35:
        opening = fill(rng.choice(values()["_prefix"]), rng)
        text = opening + (text if opening.rstrip().endswith((".", "!")) else lower_first(text))
    elif shape < 0.7:
        text = text.rstrip(" .!") + fill(rng.choice(values()["_suffix"]), rng)
    elif shape < 0.8:
        text = text.lower().rstrip(".")
    if rng.random() < 0.15:
        text = slip(text, rng)
    return text


def generator(phrasing: str) -> random.Random:
    """The random generator of a phrasing."""
    return random.Random(hashlib.sha256(phrasing.encode()).digest())


def plain_pairs() -> Iterator[tuple[str, Intent]]:
    """The phrasings with their slots filled and nothing else changed, as `pairs` has them too."""
    for intent in Intent:
        for phrasing in phrasings(intent):
            yield fill(phrasing, generator(phrasing)), intent


def pairs() -> Iterator[tuple[str, Intent]]:
    """All training pairs, without duplicates, grouped by intent."""
    seen: set[str] = set()
    for intent in Intent:
        for phrasing in phrasings(intent):
            rng = generator(phrasing)
            forms = [fill(phrasing, rng)] + [vary(phrasing, rng) for _ in range(VARIANTS)]
            for text in forms:
                key = " ".join(text.lower().split())
                if key not in seen:
                    seen.add(key)
                    yield text, intent


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the training pairs from the hand-written phrasings.")
    parser.add_argument("--out", type=Path, default=DATA / "train.jsonl")
    out: Path = parser.parse_args().out
    lines = [
        json.dumps({"text": text, "intent": intent.value}, ensure_ascii=False) for text, intent in pairs()
    ]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} pairs -> {out}")


if __name__ == "__main__":
    main()
