"""The training and test sets obey LABELLING.md: enough of every class, no duplicates, no test sentence near a training one."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from agent.intent.intents import DEFINITIONS, Intent
from agent.intent.widen import DATA, pairs, phrasings

NEAR = 0.65
"""Share of common words from which a test sentence counts as a copy of a training sentence."""


def read(name: str) -> list[tuple[str, str]]:
    rows = [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
    assert all(set(row) == {"text", "intent"} for row in rows)
    return [(row["text"], row["intent"]) for row in rows]


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", text.lower()))


@pytest.fixture(scope="module")
def train() -> list[tuple[str, str]]:
    return read("train.jsonl")


@pytest.fixture(scope="module")
def test() -> list[tuple[str, str]]:
    return read("test.jsonl")


def test_there_are_at_least_as_many_training_pairs_as_in_the_paper(train: list[tuple[str, str]]) -> None:
    assert len(train) >= 3315
    assert set(Counter(intent for _, intent in train)) == {intent.value for intent in Intent}


@pytest.mark.parametrize("intent", Intent)
def test_every_class_has_enough_distinct_phrasings(intent: Intent) -> None:
    distinct = {" ".join(re.findall(r"\w+", line.lower())) for line in phrasings(intent)}
    assert len(distinct) >= 400


def test_no_phrasing_is_in_two_classes() -> None:
    seen: dict[frozenset[str], Intent] = {}
    for intent in Intent:
        for line in phrasings(intent):
            assert seen.setdefault(words(line), intent) == intent, line


def test_the_training_file_is_what_the_phrasings_give(train: list[tuple[str, str]]) -> None:
    assert train == [(text, intent.value) for text, intent in pairs()]


def test_the_training_pairs_have_no_duplicates(train: list[tuple[str, str]]) -> None:
    counts = Counter(" ".join(text.lower().split()) for text, _ in train)
    assert [text for text, count in counts.items() if count > 1] == []


def test_the_test_set_has_enough_distinct_sentences_of_every_class(test: list[tuple[str, str]]) -> None:
    assert len({words(text) for text, _ in test}) == len(test) >= 400
    assert min(Counter(intent for _, intent in test).values()) >= 50
    assert {intent for _, intent in test} == {intent.value for intent in Intent}


def test_no_test_sentence_is_a_training_sentence_or_nearly_one(
    train: list[tuple[str, str]], test: list[tuple[str, str]]
) -> None:
    training = {words(text): text for text, _ in train}
    holders: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
    for theirs in training:
        for word in theirs:
            holders[word].add(theirs)
    copies: list[tuple[str, str]] = []
    for text, _ in test:
        own = words(text)
        # a sentence that shares NEAR of the words shares at least one of these, the rarest
        rarest = sorted(own, key=lambda word: len(holders[word]))[: int((1 - NEAR) * len(own)) + 1]
        candidates: set[frozenset[str]] = set().union(*(holders[word] for word in rarest))
        near = (theirs for theirs in candidates if len(own & theirs) >= NEAR * len(own | theirs))
        copies += [(text, training[theirs]) for theirs in near]
    assert copies == []


def test_the_labelling_rules_name_every_intent_and_every_intent_has_a_definition() -> None:
    rules = (Path(DATA).parent / "LABELLING.md").read_text(encoding="utf-8")
    for intent in Intent:
        assert intent.value in rules
        assert intent.definition == DEFINITIONS[intent]
        assert intent.definition.endswith(".")
