"""Sessions over a real socket: the log, its numbers, coming back, stopping, undoing."""

from __future__ import annotations

import asyncio
import hashlib

import pytest
from websockets.exceptions import InvalidStatus

from server.log import SessionLog
from server.protocol import (
    PROTOCOL_VERSION,
    Conflict,
    DocumentChanged,
    DocumentView,
    Hello,
    Keep,
    Ping,
    Pong,
    Problem,
    Reading,
    Redo,
    Run,
    SessionView,
    Stop,
    Undo,
    Welcome,
)
from tests.server.running import PATIENCE, TOKEN, Pane, Running, folded, running
from tests.server.text_bench import open_text


def run(text: str, client_id: str = "a") -> Run:
    return Run(client_id=client_id, text=text)


async def hello_code(server: Running, first: str) -> tuple[int, str]:
    """What the server closes with after this first message."""
    async with server.socket() as socket:
        await socket.send(first)
        await asyncio.wait_for(socket.wait_closed(), PATIENCE)
        return socket.close_code or 0, socket.close_reason or ""


# -- hello -------------------------------------------------------------------------------------------------


async def test_a_new_pane_is_welcomed_with_the_whole_view() -> None:
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        view = pane.welcome.view
        assert view is not None
        assert not pane.welcome.resumed
        assert view.document.model_dump() == {"name": "Letter.docx", "revision": 0, "blocks": 3}
        assert [example.text for example in view.examples] == ["add four"]


async def test_an_unknown_session_is_said_to_be_gone() -> None:
    async with running(open_text) as server:
        hello = Hello(protocol=PROTOCOL_VERSION, session="nowhere", token="old")
        code, reason = await hello_code(server, hello.model_dump_json())
    assert code == 4404
    assert "no such session" in reason


async def test_a_wrong_token_is_refused() -> None:
    async with running(open_text) as server:
        hello = Hello(protocol=PROTOCOL_VERSION, session=await server.open(), token="guess")
        assert (await hello_code(server, hello.model_dump_json()))[0] == 4401


async def test_another_version_of_the_protocol_is_told_to_reload() -> None:
    async with running(open_text) as server:
        session = await server.open()
        other = Hello(protocol=PROTOCOL_VERSION + 1, session=session, token=TOKEN).model_dump_json()
        assert (await hello_code(server, other))[0] == 4409
        # A later version may have fields that this one does not know.
        newer = other.replace('"kind"', '"shoe_size":43,"kind"')
        assert (await hello_code(server, newer))[0] == 4409
        # Nor does it take a version that only begins like its own for its own.
        longer = newer.replace(f'"protocol":{PROTOCOL_VERSION + 1}', f'"protocol":{PROTOCOL_VERSION}0')
        assert (await hello_code(server, longer))[0] == 4409


@pytest.mark.parametrize(
    "first",
    ["", "{}", "not json", '{"kind":"run","client_id":"a","text":"x"}', '{"kind":"hello"}', "[]", '"hello"'],
)
async def test_a_first_message_that_is_no_hello_is_refused_with_4400(first: str) -> None:
    async with running(open_text) as server:
        code, reason = await hello_code(server, first)
    assert code == 4400
    assert reason


async def test_a_socket_that_says_nothing_is_closed() -> None:
    async with running(open_text, hello_seconds=0.05) as server, server.socket() as socket:
        await asyncio.wait_for(socket.wait_closed(), PATIENCE)
        assert socket.close_code == 4400


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        '{"kind":"dance"}',
        '{"kind":"run"}',
        '{"kind":"run","client_id":"a","text":"x","colour":"red"}',
        '{"kind":"undo","steps":"all"}',
        '{"kind":"push_result","push":1,"outcome":"maybe"}',
        '{"kind":"welcome","session":"s","epoch":"e","seq":0,"resumed":false}',
    ],
)
async def test_a_message_that_is_not_in_the_protocol_closes_the_socket_and_not_the_session(
    broken: str,
) -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.socket.send(broken)
            code, reason = await pane.closed()
            assert code == 4400
            assert reason
        async with server.pane(session) as pane:
            await pane.send(run("add four"))
            await pane.until_request(1, "finished")


async def test_a_foreign_page_cannot_open_a_socket() -> None:
    async with running(open_text) as server:
        with pytest.raises(InvalidStatus) as refused:
            async with server.socket(origin="https://evil.example"):
                pass
        assert refused.value.response.status_code == 403
        async with server.socket(origin=f"http://127.0.0.1:{server.port}"):
            pass


async def test_a_ping_is_answered() -> None:
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        await pane.send(Ping())
        assert isinstance(await pane.next(), Pong)


# -- the log -----------------------------------------------------------------------------------------------


async def finish(pane: Pane, number: int) -> None:
    await pane.until_request(number, "finished")


async def test_numbers_rise_by_one_and_the_document_is_there_when_it_is_announced() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four; add five"))
            changed = await pane.until(lambda m: isinstance(m, DocumentChanged))
            assert isinstance(changed, DocumentChanged)
            answer = await server.http.get(f"/api/documents/{session}")
            assert int(answer.headers["x-stet-revision"]) >= changed.document.revision
            await finish(pane, 1)
        assert pane.seqs == list(range(1, len(pane.seqs) + 1))
        assert await server.document(session) == b"one\ntwo\nthree\nfour\nfive"
        blocks = (await server.http.get(f"/api/documents/{session}/blocks")).json()
        assert blocks == {"revision": 2, "blocks": ["p1", "p2", "p3", "p4", "p5"]}


async def test_a_pane_that_comes_back_gets_what_it_missed_without_gaps_or_duplicates() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as first:
            await first.send(run("; ".join(f"add {n}" for n in range(20))))
            for _ in range(7):
                await first.next()
            first.socket.transport.abort()
        async with server.pane(session, epoch=first.welcome.epoch, last_seq=first.last_seq) as second:
            assert second.welcome.resumed
            assert second.welcome.view is None
            await second.until_request(1, "finished")
        assert first.seqs + second.seqs == list(range(1, 64))
        assert first.welcome.view is not None
        shown = folded(first.welcome.view, first.received + second.received)
        async with server.pane(session) as fresh:
            assert fresh.welcome.view == shown


async def test_a_snapshot_in_the_middle_of_a_run_and_what_follows_it_add_up() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as first:
            await first.send(run("add four; wait; add five"))
            await first.until_step(2, "running")
            async with server.pane(session) as second:
                assert second.welcome.view is not None
                assert [step.state for step in second.welcome.view.steps] == ["review", "running"]
                await first.send(Stop())
                await second.until_request(1, "stopped")
                await first.until_request(1, "stopped")
                assert first.welcome.view is not None
                first_view = folded(first.welcome.view, first.received)
                assert first_view == folded(second.welcome.view, second.received)


async def test_another_epoch_gets_the_whole_view() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four"))
            await finish(pane, 1)
        async with server.pane(session, epoch="of another run", last_seq=2) as back:
            assert not back.welcome.resumed
            assert back.welcome.view is not None
            assert back.welcome.view.requests[0].state == "finished"
        # A number that this log never gave cannot be resumed from either.
        async with server.pane(session, epoch=pane.welcome.epoch, last_seq=999) as back:
            assert not back.welcome.resumed


async def test_a_pane_that_missed_more_than_the_log_keeps_gets_the_whole_view() -> None:
    async with running(open_text, log_limit=5) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four; add five; add six"))
            await finish(pane, 1)
        oldest_kept = pane.last_seq - 4
        async with server.pane(session, epoch=pane.welcome.epoch, last_seq=oldest_kept - 1) as back:
            assert back.welcome.resumed
        async with server.pane(session, epoch=pane.welcome.epoch, last_seq=oldest_kept - 2) as back:
            assert not back.welcome.resumed
            assert back.welcome.view is not None
            assert len(back.welcome.view.steps) == 3


async def test_all_panes_of_a_session_see_the_same() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as one, server.pane(session) as other:
            await one.send(run("add four"))
            await finish(one, 1)
            await finish(other, 1)
            assert one.received == other.received


# -- commands ----------------------------------------------------------------------------------------------


async def test_a_request_that_is_sent_twice_is_taken_once() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four", "same"))
            await pane.until_request(1, "queued")
        async with server.pane(session, epoch=pane.welcome.epoch, last_seq=pane.last_seq) as pane:
            await pane.send(run("add four", "same"))
            await pane.send(run("add five", "other"))
            finished = await pane.until_request(2, "finished")
            assert finished.request.client_id == "other"
        assert await server.document(session) == b"one\ntwo\nthree\nfour\nfive"


async def test_requests_wait_for_their_turn() -> None:
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        for number in range(3):
            await pane.send(run(f"add {number}", str(number)))
        await finish(pane, 3)
        states = [(m.request.id, m.request.state) for m in pane.received if m.kind == "request"]
        working = [states.index((number, "working")) for number in (1, 2, 3)]
        finished = [states.index((number, "finished")) for number in (1, 2, 3)]
        assert working[0] < finished[0] < working[1] < finished[1] < working[2] < finished[2]


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 101])
async def test_a_request_that_says_nothing_or_too_much_is_refused_in_a_sentence(text: str) -> None:
    async with running(open_text, request_limit=100) as server, server.pane(await server.open()) as pane:
        await pane.send(run(text))
        refused = await pane.until_request(1, "stopped")
        assert refused.request.client_id == "a"
        assert refused.request.summary.startswith("The request ")
        assert len(refused.request.text) < 100
        await pane.send(run("add four", "b"))
        await finish(pane, 2)


async def test_a_request_with_half_a_character_is_refused_in_a_sentence_and_the_socket_stays() -> None:
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        await pane.socket.send('{"kind":"run","client_id":"a","text":"add \\ud83d"}')
        stopped = (await pane.until_request(1, "stopped")).request
        assert (stopped.text, stopped.summary) == (
            "add \ufffd",
            "The request has half a character in it; type it anew.",
        )
        # Both halves are one.
        await pane.socket.send('{"kind":"run","client_id":"b","text":"add \\ud83d\\ude00"}')
        assert (await pane.until_request(2, "finished")).request.text == "add \U0001f600"


async def test_only_so_many_requests_may_wait() -> None:
    async with running(open_text, queue_limit=2) as server, server.pane(await server.open()) as pane:
        await pane.send(run("wait", "0"))
        await pane.until_step(1, "running")
        for number in range(1, 4):
            await pane.send(run("add x", str(number)))
        refused = await pane.until_request(4, "stopped")
        assert refused.request.summary == "2 requests are waiting already; this one was not taken."


async def test_stop_ends_the_run_within_one_step_and_drops_what_waits() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four; wait; add five", "a"))
            await pane.send(run("add six", "b"))
            await pane.until_step(2, "running")
            await pane.send(Stop())
            dropped = await pane.until_request(2, "stopped")
            stopped = await pane.until_request(1, "stopped")
            assert not stopped.request.complete
            assert not dropped.request.complete
            await pane.send(run("add seven", "c"))
            await finish(pane, 3)
        assert b"five" not in await server.document(session)
        assert b"six" not in await server.document(session)
        assert (await server.document(session)).endswith(b"seven")


async def test_stop_is_honoured_while_something_hangs() -> None:
    async with running(open_text, stop_seconds=0.05) as server, server.pane(await server.open()) as pane:
        await pane.send(run("add four; hang; add five"))
        await pane.until_step(2, "running")
        await pane.send(Stop())
        step = await pane.until_step(2, "not_done")
        assert "nothing of it is in the document" in step.explanation
        await pane.until_request(1, "stopped")
        await pane.send(run("add six", "b"))
        await finish(pane, 2)


async def test_stop_with_nothing_at_work_does_nothing() -> None:
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        await pane.send(Stop())
        await pane.send(run("add four"))
        finished = await pane.until_request(1, "finished")
        assert finished.request.complete


async def test_a_failure_inside_is_said_and_the_session_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        await pane.send(run("add four; crash boom", "a"))
        problem = await pane.until(lambda m: isinstance(m, Problem))
        assert isinstance(problem, Problem)
        assert problem.code == "INTERNAL"
        assert "boom" not in problem.message
        await pane.until_step(2, "not_done")
        await pane.send(run("refuse It has a password.", "b"))
        problem = await pane.until(lambda m: isinstance(m, Problem))
        assert isinstance(problem, Problem)
        assert problem.message == "It has a password."
        await pane.send(run("add five", "c"))
        await finish(pane, 3)
    assert "ZeroDivisionError" in caplog.text


async def test_keep_lets_steps_stand_also_while_a_run_is_at_work() -> None:
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        await pane.send(run("add four; add five; wait"))
        await pane.until_step(3, "running")
        await pane.send(Keep(steps=[2]))
        await pane.until_step(2, "kept")
        await pane.send(Keep())
        await pane.until_step(1, "kept")
        await pane.send(Stop())
        await finish_or_stopped(pane)


async def finish_or_stopped(pane: Pane) -> None:
    await pane.until(lambda m: m.kind == "request" and m.request.state in {"finished", "stopped"})


async def test_a_middle_step_is_undone_and_done_again() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four; add five; add six"))
            await finish(pane, 1)
            await pane.send(Undo(steps=[2]))
            await pane.until_step(2, "undoing")
            await pane.until_step(2, "undone")
            assert await server.document(session) == b"one\ntwo\nthree\nfour\nsix"
            await pane.send(Redo(steps=[2]))
            await pane.until_step(2, "review")


async def test_a_redo_that_was_sent_twice_is_passed_over_the_second_time() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four; wait"))
            await pane.until_step(2, "running")
            await pane.send(Stop())
            await finish_or_stopped(pane)
            await pane.send(Undo(steps=[1]))
            await pane.until_step(1, "undone")
            # Both are taken before the first is carried out.
            await pane.send(run("wait", "b"))
            await pane.until_step(3, "running")
            await pane.send(Redo(steps=[1]))
            await pane.send(Redo(steps=[1]))
            await pane.send(Redo(steps=[]))
            await pane.send(Stop())
            await pane.until_step(1, "review")
            await pane.send(run("add five", "c"))
            await finish(pane, 3)
            assert not [m for m in pane.received if isinstance(m, Problem)]


async def test_an_undo_that_others_stand_on_is_answered_with_the_conflict_and_nothing_changes() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four; need 1"))
            await finish(pane, 1)
            before = await server.document(session)
            await pane.send(Keep(steps=[1]))
            await pane.send(Undo(steps=[1]))
            conflict = await pane.until(lambda m: isinstance(m, Conflict))
            assert isinstance(conflict, Conflict)
            assert conflict.conflict.dependents == [2]
            await pane.until_step(1, "kept")
            assert await server.document(session) == before
            await pane.send(Undo(steps=[1, 2]))
            await pane.until_step(2, "undone")
            assert await server.document(session) == b"one\ntwo\nthree"


async def test_undo_of_everything_waits_for_the_run_and_is_passed_over_the_second_time() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            await pane.send(run("add four; add five; wait; add six"))
            await pane.until_step(3, "running")
            await pane.send(Undo())
            await pane.until_step(2, "undoing")
            await pane.send(Undo())
            await pane.send(Stop())
            await pane.until_step(2, "undone")
            await pane.send(Undo(steps=[1]))
            await pane.send(Ping())
            await pane.until(lambda m: isinstance(m, Pong))
        assert sum(isinstance(m, DocumentChanged) for m in pane.received) == 4
        assert not any(isinstance(m, Problem) for m in pane.received)


async def test_a_step_that_is_not_there_is_named() -> None:
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        await pane.send(Undo(steps=[9]))
        problem = await pane.next()
        assert isinstance(problem, Problem)
        assert problem.code == "TARGET_NOT_FOUND"
        assert "step 9" in problem.message
        # Of many there is one sentence, and not as many as a pane cares to name.
        await pane.send(Undo(steps=list(range(5, 5000))))
        problem = await pane.next()
        assert isinstance(problem, Problem)
        assert "step 5, nor 4994 others" in problem.message
        await pane.send(Ping())
        assert isinstance(await pane.next(), Pong)


async def test_a_reading_that_was_posted_is_taken_and_one_that_was_not_is_asked_for_again() -> None:
    async with running(open_text) as server:
        session = await server.open()
        data = b"as Word has it"
        answer = await server.http.post(f"/api/documents/{session}/reading", content=data)
        assert answer.status_code == 204
        async with server.pane(session) as pane:
            digest = hashlib.sha256(data).hexdigest()
            await pane.send(Reading(sha256=digest))
            await pane.until(lambda m: isinstance(m, DocumentChanged))
            assert await server.document(session) == data
            await pane.send(Reading(sha256=digest))
            problem = await pane.next()
            assert isinstance(problem, Problem)
            assert problem.code == "READING_UNKNOWN"


async def test_what_is_asked_after_a_reading_is_asked_of_the_document_as_it_says() -> None:
    async with running(open_text) as server:
        session = await server.open()
        data = b"as Word has it"
        await server.http.post(f"/api/documents/{session}/reading", content=data)
        async with server.pane(session) as pane:
            await pane.send(Reading(sha256=hashlib.sha256(data).hexdigest()))
            await pane.send(run("add four"))
            await finish(pane, 1)
        assert await server.document(session) == b"as Word has it\nfour"


# -- several sessions --------------------------------------------------------------------------------------


async def test_a_session_whose_thread_is_held_holds_up_nobody() -> None:
    async with running(open_text) as server:
        slow, quick = await server.open(), await server.open()
        async with server.pane(slow) as held, server.pane(quick) as free:
            await held.send(run("block 1.5; add late"))
            await held.until_step(1, "running")
            await free.send(run("add four; add five"))
            await finish(free, 1)
            assert await server.document(quick) == b"one\ntwo\nthree\nfour\nfive"
            assert not any(m.kind == "request" and m.request.state == "finished" for m in held.received)
            await held.send(Ping())
            await held.until(lambda m: isinstance(m, Pong))
            assert await server.document(slow) == b"one\ntwo\nthree"
            await finish(held, 1)


async def test_a_closed_session_tells_its_panes_and_is_gone() -> None:
    async with running(open_text) as server:
        session = await server.open()
        async with server.pane(session) as pane:
            answer = await server.http.delete(f"/api/documents/{session}")
            assert answer.status_code == 204
            assert (await pane.closed())[0] == 1001
        assert (await server.http.get(f"/api/documents/{session}")).status_code == 404


async def test_a_follower_that_is_not_read_ends_so_that_its_pane_resumes() -> None:
    document = DocumentView(name="a.docx", revision=0, blocks=1)
    log = SessionLog("s", SessionView(document=document, planner="local"), limit=100, backlog=3)
    slow, quick = log.follow("", 0), log.follow("", 0)
    for _ in range(5):
        log.append(Problem(seq=0, code="FAILED", message="x"))
        await quick.next()
    assert await slow.next() is None
    assert slow.ended is not None
    assert slow.ended[0] == 1013
    # What it missed is more than may wait, and still arrives whole.
    back = log.follow(log.epoch, 0)
    messages = [outgoing.message for _ in range(6) if (outgoing := await back.next())]
    assert isinstance(messages[0], Welcome)
    assert messages[0].resumed
    assert [message.seq for message in messages[1:] if isinstance(message, Problem)] == [1, 2, 3, 4, 5]
