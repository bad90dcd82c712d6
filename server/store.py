"""All open sessions: a bounded number, each closed when nobody has followed it for long."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable

from server.bench import Bench, Snapshot
from server.log import SessionLog
from server.protocol import DocumentView, ExampleView, ServerMessage, SessionView
from server.session import Session
from server.settings import Settings
from server.worker import Worker

logger = logging.getLogger(__name__)

Publish = Callable[[ServerMessage, Snapshot | None], None]
"""Takes a message, and the document if the message announces a new one. May be called from any thread."""


class TooManySessions(Exception):
    """No place is free and none can be made free."""

    def __init__(self, places: int) -> None:
        super().__init__()
        self.message = (
            f"{places} documents are open, as many as this server takes. Close one, or wait until one "
            "is idle; STET_MAX_SESSIONS sets the number."
        )


class Opened:
    """A document on its bench, and what the empty pane shows about it."""

    def __init__(
        self,
        bench: Bench,
        snapshot: Snapshot,
        *,
        planner: str,
        model: str = "",
        examples: tuple[str, ...] = (),
        close: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.bench = bench
        self.snapshot = snapshot
        self.planner = planner
        self.model = model
        self.examples = examples
        self.close = close
        """What to do on the worker when the session ends."""


OpenBench = Callable[[bytes, str, Publish], Awaitable[Opened]]
"""Opens a document (bytes, file name) on the worker. Raises `DocumentError` with a sentence."""


class SessionStore:
    """Opens, finds and closes sessions."""

    def __init__(
        self, open_bench: OpenBench, settings: Settings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._open_bench = open_bench
        self._settings = settings
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._opening = 0

    def __len__(self) -> int:
        return len(self._sessions)

    def get(self, session: str) -> Session | None:
        """The session of that id, if this run of the server has it."""
        return self._sessions.get(session)

    async def open(self, data: bytes, name: str) -> Session:
        """Open a document as a new session. Raises `DocumentError` or `TooManySessions`."""
        await self._make_room()
        self._opening += 1
        session_id = secrets.token_urlsafe(16)
        worker = Worker(f"document {session_id[:6]}")
        try:
            session = await self._open(session_id, worker, data, name)
        except BaseException:
            worker.close()
            raise
        finally:
            self._opening -= 1
        self._sessions[session_id] = session
        logger.info(
            "session %s opened: %s blocks, %s bytes", session_id[:6], len(session.snapshot.blocks), len(data)
        )
        return session

    async def _open(self, session_id: str, worker: Worker, data: bytes, name: str) -> Session:
        loop = asyncio.get_running_loop()
        session: Session | None = None

        def publish(message: ServerMessage, snapshot: Snapshot | None) -> None:
            loop.call_soon_threadsafe(arrive, message, snapshot)

        def arrive(message: ServerMessage, snapshot: Snapshot | None) -> None:
            if session is not None:
                session.published(message, snapshot)

        async def work() -> Opened:
            return await self._open_bench(data, name, publish)

        opened = await asyncio.wrap_future(worker.submit(work()))
        view = SessionView(
            document=DocumentView(
                name=name, revision=opened.snapshot.revision, blocks=len(opened.snapshot.blocks)
            ),
            planner="llm" if opened.planner == "llm" else "local",
            model=opened.model,
            examples=[ExampleView(text=text) for text in opened.examples],
        )
        log = SessionLog(
            session_id, view, limit=self._settings.log_limit, backlog=self._settings.backlog_limit
        )
        session = Session(
            log, worker, opened.bench, opened.snapshot, self._settings, self._clock, opened.close
        )
        return session

    async def close(self, session: str, reason: str = "The session was closed.") -> None:
        """Close a session, if it is there."""
        if found := self._sessions.pop(session, None):
            await found.close(1001, reason)
            logger.info("session %s closed: %s", session[:6], reason)

    async def sweep(self) -> None:
        """Close the sessions that nobody has followed for long."""
        for session in self._abandoned(self._settings.idle_minutes):
            await self.close(session.id, "Nobody had followed the session for too long.")

    async def sweep_forever(self, seconds: float = 60) -> None:
        """Sweep again and again, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            await self.sweep()

    async def close_all(self) -> None:
        """The server is stopping."""
        for session in list(self._sessions):
            await self.close(session, "The server is stopping.")

    async def _make_room(self) -> None:
        places = self._settings.max_sessions
        if len(self._sessions) + self._opening < places:
            return
        abandoned = self._abandoned(self._settings.evictable_minutes)
        if not abandoned or self._opening >= places:
            raise TooManySessions(places)
        await self.close(abandoned[0].id, "Its place was needed for another document.")

    def _abandoned(self, minutes: float) -> list[Session]:
        """Sessions without a follower and without work for that time, the longest abandoned first."""
        limit = self._clock() - minutes * 60
        left = [
            s for s in self._sessions.values() if not s.log.followers and not s.busy and s.last_seen <= limit
        ]
        return sorted(left, key=lambda session: session.last_seen)
