"""The log of a session: every message that changes what a pane shows, numbered, and what they add up to.

The view is a fold over the messages, so that a snapshot and the messages after it never disagree. All of it
belongs to the server's event loop.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from typing import TypeVar

from server.protocol import (
    AttachmentsChanged,
    DocumentChanged,
    RequestChanged,
    RequestView,
    ServerMessage,
    SessionView,
    StepChanged,
    StepView,
    Welcome,
)
from server.wire import Outgoing

M = TypeVar("M", bound=ServerMessage)


class Follower:
    """One socket's share of the log: what it has still to send."""

    def __init__(self, limit: int) -> None:
        self._waiting: deque[Outgoing] = deque()
        self._limit = limit
        self._wake = asyncio.Event()
        self.ended: tuple[int, str] | None = None
        """Close code and reason, once there is nothing more to come."""

    def put(self, message: Outgoing) -> None:
        """One more message. If too many wait, the follower ends: its pane comes back and resumes."""
        if self.ended:
            return
        if len(self._waiting) >= self._limit:
            self._waiting.clear()
            self.end(1013, "The page did not read fast enough.")
            return
        self._waiting.append(message)
        self._wake.set()

    def end(self, code: int, reason: str) -> None:
        """No more messages; those that wait are still sent."""
        if self.ended is None:
            self.ended = (code, reason)
            self._wake.set()

    async def next(self) -> Outgoing | None:
        """The next message; None when the follower has ended."""
        while not self._waiting:
            if self.ended:
                return None
            self._wake.clear()
            await self._wake.wait()
        return self._waiting.popleft()


class SessionLog:
    """Numbers messages, keeps the last of them, folds them into a view, hands them to followers."""

    def __init__(self, session: str, view: SessionView, *, limit: int, backlog: int) -> None:
        self.session = session
        self.epoch = secrets.token_hex(8)
        self.seq = 0
        self.document = view.document
        """The document as the last message has it."""
        self._attachments = view.attachments
        self._requests: dict[int, RequestView] = {request.id: request for request in view.requests}
        self._steps: dict[int, StepView] = {step.id: step for step in view.steps}
        self._rest = view
        self._messages: deque[tuple[int, ServerMessage]] = deque(maxlen=limit)
        self._backlog = backlog
        self._followers: set[Follower] = set()

    @property
    def view(self) -> SessionView:
        """What all messages so far add up to."""
        return self._rest.model_copy(
            update={
                "document": self.document,
                "attachments": list(self._attachments),
                "requests": list(self._requests.values()),
                "steps": list(self._steps.values()),
            }
        )

    @property
    def followers(self) -> int:
        """Sockets that follow the session."""
        return len(self._followers)

    def request(self, request: int) -> RequestView:
        """A request as it stands."""
        return self._requests[request]

    def steps(self) -> list[StepView]:
        """All steps as they stand, in the order in which they were planned."""
        return list(self._steps.values())

    def step(self, step: int) -> StepView | None:
        """A step as it stands, or None if there is none of that number."""
        return self._steps.get(step)

    def append(self, message: M) -> M:
        """Number a message, fold it, send it to all followers. Returns it with its number."""
        self.seq += 1
        numbered = message.model_copy(update={"seq": self.seq})
        match numbered:
            case StepChanged():
                self._steps[numbered.step.id] = numbered.step
            case RequestChanged():
                self._requests[numbered.request.id] = numbered.request
            case DocumentChanged():
                self.document = numbered.document
            case AttachmentsChanged():
                self._attachments = numbered.attachments
            case _:
                pass
        self._messages.append((self.seq, numbered))
        outgoing = Outgoing(numbered)
        for follower in list(self._followers):
            follower.put(outgoing)
        return numbered

    def follow(self, epoch: str, last_seq: int) -> Follower:
        """A new follower; its first message is the welcome, then come the missed ones if it can resume."""
        missed = self._missed(epoch, last_seq)
        follower = Follower(self._backlog + len(missed or ()))
        welcome = Welcome(
            session=self.session,
            epoch=self.epoch,
            seq=self.seq,
            resumed=missed is not None,
            view=None if missed is not None else self.view,
        )
        for message in (welcome, *(missed or ())):
            follower.put(Outgoing(message))
        self._followers.add(follower)
        return follower

    def leave(self, follower: Follower) -> None:
        """The socket is gone."""
        self._followers.discard(follower)

    def end(self, code: int, reason: str) -> None:
        """The session is closed: all followers end."""
        for follower in self._followers:
            follower.end(code, reason)

    def _missed(self, epoch: str, last_seq: int) -> list[ServerMessage] | None:
        """The messages after `last_seq`; None if the log cannot tell (another epoch, forgotten, or a number
        that was never given).
        """
        if epoch != self.epoch or not 0 <= last_seq <= self.seq:
            return None
        oldest_kept = self._messages[0][0] if self._messages else self.seq + 1
        if last_seq + 1 < oldest_kept:
            return None
        return [message for number, message in self._messages if number > last_seq]
