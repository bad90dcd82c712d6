"""Messages as JSON: the long ones are written and read off the event loop, each once.

A message of usual length costs less than handing it to a thread; one that lists thousands of blocks or holds a document
for Word would hold up every other session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel

from server.protocol import ServerMessage

T = TypeVar("T")
LONG = 16_384
"""Characters (of text, or eight for each item and field) from which a message is long."""


class Outgoing:
    """A message on its way, to one pane or to several."""

    def __init__(self, message: ServerMessage) -> None:
        self.message = message
        self._writing: asyncio.Future[str] | None = None

    async def text(self) -> str:
        """The message as JSON; written when the first pane takes it, and not again."""
        if self._writing is None:
            write = self.message.model_dump_json
            if is_long(self.message):
                self._writing = asyncio.ensure_future(asyncio.to_thread(write))
            else:
                self._writing = asyncio.get_running_loop().create_future()
                self._writing.set_result(write())
        # a pane that leaves meanwhile must not take the text from the others
        return await asyncio.shield(self._writing)


async def read(text: str, reader: Callable[[str], T]) -> T:
    """What `reader` makes of a message that came in."""
    return await asyncio.to_thread(reader, text) if len(text) > LONG else reader(text)


def is_long(message: BaseModel) -> bool:
    """Whether a message is long; looks no further than it must to know."""
    left = LONG
    waiting: list[Any] = [message]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            left -= len(value)
            continue
        if isinstance(value, BaseModel):
            value = value.__dict__
        if isinstance(value, dict | list | tuple):
            left -= 8 * len(value)
            if left >= 0:
                waiting += value.values() if isinstance(value, dict) else value
        if left < 0:
            return True
    return False
