"""Regular expressions that people and models write: Python's, with a bound on what they may cost.

An expression such as `(a+)+$` takes longer than the document lives when it nearly matches. Python's own engine cannot be
stopped; the one of `regex` keeps a time limit, but unrolls counted repetitions, so these are bounded before it sees them.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterator
from math import prod

import regex

from agent.document.changes import shorten
from agent.document.text import whole_characters
from agent.errors import InvalidValue

SECONDS = 2.0
"""How long one expression may be looked for in all of a document; what is sensible takes a hundredth of it."""
_LENGTH, _REPETITIONS = 1000, 100_000
_COUNTS = re.compile(r"\{(\d*)(?:,(\d*))?\}")


class Search:
    """An expression being looked for. Raises InvalidValue, also when the time is up."""

    def __init__(self, expression: str, *, whole_word: bool = False) -> None:
        self.expression = expression
        pattern = rf"(?<![\w\p{{M}}])(?:{expression})(?![\w\p{{M}}])" if whole_word else expression
        _refuse(expression)
        self._patterns = {case: _compiled(expression, pattern, case) for case in (True, False)}
        self._deadline = time.monotonic() + SECONDS

    def matches(self, text: str, match_case: bool) -> Iterator[regex.Match[str]]:
        """Every match that is not empty and holds whole characters."""
        left = self._deadline - time.monotonic()
        try:
            found = list(self._patterns[match_case].finditer(text, timeout=max(left, 0.001)))
        except TimeoutError:
            raise InvalidValue(
                f"Looking for the expression '{shorten(self.expression)}' takes too long; write it without repetitions "
                f"inside of repetitions."
            ) from None
        except MemoryError:
            raise InvalidValue(
                f"The expression '{shorten(self.expression)}' has too many ways to match."
            ) from None
        found = [m for m in found if m.end() > m.start()]
        whole = set(whole_characters(text, [m.span() for m in found]))
        return (m for m in found if m.span() in whole)

    def expand(self, match: regex.Match[str], template: str) -> str:
        """The template with the groups of a match."""
        try:
            return match.expand(template)
        except (regex.error, IndexError) as error:
            raise InvalidValue(f"'{template}' does not fit the groups of the expression: {error}.") from error


def _refuse(expression: str) -> None:
    """What is no expression of Python's, or would be unrolled to a size that fills the memory."""
    if len(expression) > _LENGTH:
        raise InvalidValue(
            f"The expression has {len(expression)} characters; more than {_LENGTH} are too many."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(expression)
    except (re.error, OverflowError) as error:
        raise InvalidValue(f"'{expression}' is not a regular expression: {error}.") from error
    except RecursionError:
        raise InvalidValue("The expression is nested too deeply.") from None
    counts = [max(int(low or 0), int(high or 0), 1) for low, high in _COUNTS.findall(expression)]
    if prod(counts) > _REPETITIONS:
        raise InvalidValue(f"The expression '{shorten(expression)}' repeats too often; use smaller counts.")


def _compiled(expression: str, pattern: str, match_case: bool) -> regex.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return regex.compile(pattern, 0 if match_case else regex.IGNORECASE)
    except regex.error as error:
        raise InvalidValue(f"'{expression}' is not a regular expression: {error}.") from error
    except RecursionError:
        raise InvalidValue("The expression is nested too deeply.") from None
