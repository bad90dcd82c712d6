"""Where long work on a document may be broken off: between two parts, or two stretches of blocks or bytes.

A thread cannot be stopped from outside. So whoever gives it work says here how it learns that nobody waits for the
work any more, and the work asks at its breaks. What it had begun is not put in order again: the document is given up.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

STRETCH = 1000
"""Blocks between two breaks: some milliseconds of work."""


class BrokenOff(asyncio.CancelledError):
    """Nobody waits for this work any more. Ends the task that it is done in, like any cancelling."""


class _Here(threading.local):
    given_up: Callable[[], bool] | None = None


_here = _Here()


def listen_to(given_up: Callable[[], bool]) -> None:
    """From now on, work in this thread is broken off once `given_up` says so."""
    _here.given_up = given_up


def take_break() -> None:
    """A place where the work of this thread may end. Raises `BrokenOff`."""
    if _here.given_up is not None and _here.given_up():
        raise BrokenOff


def with_breaks(items: Iterable[T], stretch: int = STRETCH) -> Iterator[T]:
    """The same items, with a break before every so many of them."""
    for number, item in enumerate(items):
        if number % stretch == 0:
            take_break()
        yield item
