"""A thread with an event loop of its own: where one session's document is worked on.

A run is asynchronous (it waits for a language model) and at the same time heavy (it reads and writes XML). On
a loop of its own it holds up nobody: not the sockets, not the other sessions. One thread also means one
writer: nothing about a document needs a lock.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from agent.document import breaks

T = TypeVar("T")


class Worker:
    """One thread, one event loop. `submit`, `call` and `close` may be called from any thread."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._given_up = threading.Event()
        # A daemon: a parser that hangs in C cannot be stopped, and must not keep the process from ending.
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        breaks.listen_to(self._given_up.is_set)
        try:
            self._loop.run_forever()
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            if tasks:
                self._loop.run_until_complete(asyncio.wait(tasks, timeout=5))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the worker. Cancelling the future cancels the coroutine where it waits."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function on the worker as soon as it waits; nothing happens after `close`."""
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            if not self._loop.is_closed():
                raise

    def give_up(self) -> None:
        """Nobody needs the document any more: what is being done to it ends at its next break, and what is begun later
        at its first.
        """
        self._given_up.set()

    def close(self) -> None:
        """Break off or cancel what runs and end the thread; does not wait for it."""
        self.give_up()
        self.call(self._loop.stop)

    def join(self, timeout: float) -> bool:
        """Wait for the thread's end; blocks. Says whether it came."""
        self._thread.join(timeout)
        return not self._thread.is_alive()
