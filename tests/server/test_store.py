"""How many sessions there are, and when they end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from agent.errors import DocumentError
from server.protocol import PROTOCOL_VERSION, Hello, Run
from server.settings import Settings
from server.store import SessionStore, TooManySessions
from tests.server.text_bench import open_text


class Clock:
    """Time that passes when told to, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def stored(clock: Clock, **changes: object) -> AsyncIterator[SessionStore]:
    store = SessionStore(open_text, Settings.model_validate(changes), clock)
    try:
        yield store
    finally:
        await store.close_all()


def hello(session: str) -> Hello:
    return Hello(protocol=PROTOCOL_VERSION, session=session, token="")


async def test_an_idle_session_is_closed_and_one_that_is_followed_is_not() -> None:
    clock = Clock()
    async with stored(clock, idle_minutes=10) as store:
        idle, followed = await store.open(b"a", "a.docx"), await store.open(b"b", "b.docx")
        follower = followed.join(hello(followed.id))
        clock.now += 601
        await store.sweep()
        assert store.get(idle.id) is None
        assert store.get(followed.id) is followed
        followed.leave(follower)
        clock.now += 599
        await store.sweep()
        assert store.get(followed.id) is followed
        clock.now += 1
        await store.sweep()
        assert store.get(followed.id) is None


async def test_a_session_at_work_is_not_idle() -> None:
    clock = Clock()
    async with stored(clock, idle_minutes=10) as store:
        session = await store.open(b"a", "a.docx")
        session.receive(Run(client_id="a", text="hang"))
        clock.now += 601
        await store.sweep()
        assert store.get(session.id) is session


async def test_when_all_places_are_taken_the_next_document_is_refused_in_a_sentence() -> None:
    async with stored(Clock(), max_sessions=2) as store:
        await store.open(b"a", "a.docx")
        await store.open(b"b", "b.docx")
        with pytest.raises(TooManySessions) as refused:
            await store.open(b"c", "c.docx")
        assert refused.value.message.startswith("2 documents are open")
        assert len(store) == 2


async def test_a_session_that_was_left_some_time_ago_makes_room() -> None:
    clock = Clock()
    async with stored(clock, max_sessions=2, evictable_minutes=5) as store:
        oldest = await store.open(b"a", "a.docx")
        clock.now += 10
        older = await store.open(b"b", "b.docx")
        clock.now += 300
        await store.open(b"c", "c.docx")
        assert store.get(oldest.id) is None
        assert store.get(older.id) is older


async def test_places_are_counted_while_documents_are_being_opened() -> None:
    async with stored(Clock(), max_sessions=2) as store:
        opened = await asyncio.gather(*(store.open(b"a", "a.docx") for _ in range(5)), return_exceptions=True)
        assert sum(isinstance(result, TooManySessions) for result in opened) == 3


async def test_a_document_that_cannot_be_opened_takes_no_place() -> None:
    async with stored(Clock(), max_sessions=1) as store:
        for _ in range(3):
            with pytest.raises(DocumentError):
                await store.open(b"bad", "a.docx")
        await store.open(b"good", "a.docx")


async def test_closing_a_session_cancels_what_hangs_in_it() -> None:
    async with stored(Clock()) as store:
        session = await store.open(b"a", "a.docx")
        follower = session.join(hello(session.id))
        session.receive(Run(client_id="a", text="hang"))
        while (outgoing := await follower.next()) is not None:
            if outgoing.message.kind == "step":
                await store.close(session.id)
        assert follower.ended == (1001, "The session was closed.")
        assert session._worker.join(5)
