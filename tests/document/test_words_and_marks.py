"""Texts compared word by word, and the emphasis that people type in plain text."""

from __future__ import annotations

import itertools

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from agent.document import marks, words
from agent.document.marks import Stretch
from agent.document.words import Replaced

FAMILY, THUMB = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd"
TEXTS = st.text(
    st.sampled_from(
        [*"ab 1.,'-\n\t\u2019_", "\u00e9", "e", "\u0301", "\u4e00", "\ud55c", "\u05e9", "\u05b8", "\u0915", "\u093f",
         "\u00ad", "\u200d", "\U0001f468", "\U0001f3fd", "\U0001f1e9"]
    ),
    max_size=24,
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The client's plan.", ["The", " ", "client's", " ", "plan", "."]),
        ("caf\u00e9 cafe\u0301", ["caf\u00e9", " ", "cafe\u0301"]),
        ("\u65e5\u672c\u8a9e", ["\u65e5", "\u672c", "\u8a9e"]),
        ("\u0928\u092e\u0938\u094d\u0924\u0947", ["\u0928\u092e\u0938\u094d\u0924\u0947"]),
        ("\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd", ["\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd"]),
        (f"{FAMILY}{THUMB}", [FAMILY, THUMB]),
        ("co\u00adoperate", ["co\u00adoperate"]),
    ],
)
def test_words_are_what_people_take_for_words(text: str, tokens: list[str]) -> None:
    assert words.tokens(text) == tokens


@given(TEXTS)
def test_words_make_up_the_text_and_divide_no_character(text: str) -> None:
    tokens = words.tokens(text)
    assert "".join(tokens) == text
    edges = {m.start() for m in regex.finditer(r"\X", text)}
    starts = set(itertools.accumulate(map(len, tokens[:-1]), initial=0)) if tokens else set()
    assert starts <= edges


@given(TEXTS, TEXTS)
def test_what_was_replaced_turns_one_text_into_the_other(before: str, after: str) -> None:
    edits = words.replaced(before, after)
    text = before
    for edit in reversed(edits):
        text = text[: edit.start] + edit.new + text[edit.end :]
    assert text == after
    assert all(a.end <= b.start for a, b in itertools.pairwise(edits))
    assert all(before[a : a + n] == after[b : b + n] for a, b, n in words.kept(before, after))


def test_an_accent_that_is_put_on_replaces_the_word() -> None:
    assert words.replaced("the cafe", "the cafe\u0301") == [Replaced(4, 8, "cafe\u0301")]


@pytest.mark.parametrize(
    ("typed", "text", "stretches"),
    [
        ("a **b** c", "a b c", [Stretch(2, 3, "bold")]),
        ("***b***", "b", [Stretch(0, 1, "bold"), Stretch(0, 1, "italic")]),
        ("**b *i* b**", "b i b", [Stretch(0, 5, "bold"), Stretch(2, 3, "italic")]),
        ("\u8fd9**\u91cd\u8981**\u7684", "\u8fd9\u91cd\u8981\u7684", [Stretch(1, 3, "bold")]),
        ("x**2 + y**2", "x**2 + y**2", []),
        ("x**2 + y**2, **bold**", "x**2 + y**2, bold", [Stretch(13, 17, "bold")]),
        ("2*3*4", "2*3*4", []),
        ("**open", "**open", []),
        ("* item", "* item", []),
        (f"*{THUMB}*", THUMB, [Stretch(0, 2, "italic")]),
    ],
)
def test_marks_of_emphasis(typed: str, text: str, stretches: list[Stretch]) -> None:
    assert marks.parse(typed) == (text, stretches)


@given(st.text("*ab \n", max_size=16))
def test_a_stretch_is_in_the_text_and_only_stars_go(typed: str) -> None:
    text, stretches = marks.parse(typed)
    assert text.replace("*", "") == typed.replace("*", "")
    assert all(0 <= s.start < s.end <= len(text) for s in stretches)
