"""One open document and the panes that follow it: a queue of commands carried out one at a time, and the log.

    pane --> receive --> queue --> the worker's bench --> publish --> log --> panes

A session lives on the server's event loop and does nothing slow itself; the document lives on the session's
worker. What the worker publishes comes back through the loop in order, and before the end of the command that
published it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from agent.document.changes import shorten
from agent.errors import AgentError
from server.bench import AT_WORK, IN_DOCUMENT, Bench, Outcome, Snapshot
from server.log import Follower, SessionLog
from server.logs import session_id
from server.protocol import (
    AttachmentView,
    Hello,
    Keep,
    Problem,
    PushResult,
    Reading,
    Redo,
    RequestChanged,
    RequestView,
    Run,
    Selected,
    StepChanged,
    StepState,
    StepView,
    Stop,
    Undo,
)

if TYPE_CHECKING:
    from server.settings import Settings
    from server.worker import Worker

logger = logging.getLogger(__name__)
T = TypeVar("T")

_READINGS = 4
_SHOWN = 400
"""Characters of a request that is not taken that are looked at to show it in a line."""


@dataclass(frozen=True)
class _RunCommand:
    request: int
    selection: Selected | None


@dataclass(frozen=True)
class _UndoCommand:
    steps: tuple[int, ...]
    lose_edits: bool = False


@dataclass(frozen=True)
class _RedoCommand:
    steps: tuple[int, ...]


@dataclass(eq=False)
class _ReadCommand:
    data: bytes
    taken: bool = False
    """Whether a push that waited for a reading has taken it. Set and read on the worker."""


_Command = _RunCommand | _UndoCommand | _RedoCommand | _ReadCommand


class Session:
    """One document, one writer, any number of followers."""

    def __init__(
        self,
        log: SessionLog,
        worker: Worker,
        bench: Bench,
        snapshot: Snapshot,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        close_bench: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.id = log.session
        self.log = log
        self.snapshot = snapshot
        self.last_seen = clock()
        """When a pane last followed it, in seconds of the clock."""
        self._worker = worker
        self._bench = bench
        self._settings = settings
        self._clock = clock
        self._close_bench = close_bench
        self._queue: deque[_Command] = deque()
        self._arrived = asyncio.Event()
        self._current: _Command | None = None
        self._requests = 0
        self._client_ids: dict[str, int] = {}
        self._before_undo: dict[int, StepView] = {}
        self._readings: dict[str, bytes] = {}
        self._pump = asyncio.create_task(self._carry_out(), name=f"session {self.id[:6]}")

    # -- panes -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """File name of the document."""
        return self.log.view.document.name

    @property
    def busy(self) -> bool:
        """Whether a command is being carried out or waits."""
        return self._current is not None or bool(self._queue)

    def join(self, hello: Hello) -> Follower:
        """A pane has come, or come back."""
        if hello.host == "word":
            self._worker.call(self._bench.use_host, hello.host)
        self.last_seen = self._clock()
        return self.log.follow(hello.epoch, hello.last_seq)

    def leave(self, follower: Follower) -> None:
        """A pane's socket is gone; the run goes on without it."""
        self.log.leave(follower)
        self.last_seen = self._clock()
        if not self.log.followers:
            self._worker.call(self._bench.pane_left)

    def receive(self, message: Run | Stop | Keep | Undo | Redo | Reading | PushResult) -> None:
        """A message of a pane; returns at once."""
        match message:
            case Run():
                self._take_request(message)
            case Stop():
                self._stop()
            case Keep():
                self._keep(message.steps)
            case Undo():
                self._take_undo(message.steps, message.lose_edits)
            case Redo():
                self._take_redo(message.steps)
            case Reading():
                self._take_reading(message.sha256)
            case PushResult():
                self._worker.call(self._bench.pushed, message)

    def store_reading(self, sha256: str, data: bytes) -> None:
        """Word's document has arrived over HTTP; the message that names it comes over the socket."""
        self._readings.pop(sha256, None)
        self._readings[sha256] = data
        while len(self._readings) > _READINGS:
            del self._readings[next(iter(self._readings))]

    async def attach(self, label: str, data: bytes) -> AttachmentView:
        """A checked picture has arrived over HTTP. It changes nothing in the document, so it does not wait for its turn.
        Raises TooManyAttachments.
        """
        view = await asyncio.wrap_future(self._worker.submit(self._bench.attach(label, data)))
        logger.info("picture attached: %s bytes", view.size)
        return view

    async def detach(self, name: str) -> None:
        """Take a picture away. Raises NoSuchAttachment."""
        await asyncio.wrap_future(self._worker.submit(self._bench.detach(name)))

    async def close(self, code: int = 1001, reason: str = "The session was closed.") -> None:
        """End the session: what is at work is broken off, the followers are told."""
        self._pump.cancel()
        self._worker.give_up()
        self._worker.call(self._bench.cancel)
        self.log.end(code, reason)
        await asyncio.gather(self._pump, return_exceptions=True)
        if self._close_bench is not None:
            closing = asyncio.wrap_future(self._worker.submit(_awaited(self._close_bench())))
            # A thread that is held by something heavy is not waited for.
            await asyncio.wait({closing}, timeout=1)
        self._worker.close()
        self.snapshot = Snapshot(b"", self.snapshot.revision, ())

    # -- the worker's side -----------------------------------------------------------------------------------

    def published(self, message: object, snapshot: Snapshot | None) -> None:
        """What the worker published has reached the loop; a snapshot belongs to the message that announces
        it.
        """
        if snapshot is not None:
            self.snapshot = snapshot
        self.log.append(message)  # pyright: ignore[reportArgumentType]  # the bench publishes ServerMessage only

    # -- taking commands -------------------------------------------------------------------------------------

    def refuse(self, run: Run, problem: str) -> None:
        """A request that is not taken, and why in a sentence."""
        self._take_request(run, problem)

    def _take_request(self, run: Run, problem: str = "") -> None:
        if run.client_id in self._client_ids:
            return
        text = run.text.strip()
        problem = problem or self._problem_with(text)
        self._requests += 1
        self._client_ids[run.client_id] = self._requests
        request = RequestView(
            id=self._requests,
            text=shorten(text[:_SHOWN]) if problem else text,
            state="stopped" if problem else "queued",
            summary=problem,
            client_id=run.client_id,
        )
        # A request that is not taken is answered as one: the pane is waiting for its `client_id`.
        self.log.append(RequestChanged(seq=0, request=request))
        if not problem:
            self._put(_RunCommand(request.id, run.selection))

    def _problem_with(self, text: str) -> str:
        """Why a request is not taken, in a sentence; empty if it is."""
        limit = self._settings.request_limit
        waiting = sum(isinstance(command, _RunCommand) for command in self._queue)
        if not text:
            return "The request is empty; say what should be changed."
        if len(text) > limit:
            return f"The request has {len(text)} characters; the limit here is {limit}. Nothing was changed."
        if waiting >= self._settings.queue_limit:
            return f"{waiting} requests are waiting already; this one was not taken."
        return ""

    def _stop(self) -> None:
        waiting = [command for command in self._queue if isinstance(command, _RunCommand)]
        for command in waiting:
            self._queue.remove(command)
            self._end_request(
                command.request, Outcome("Stopped before it began; nothing was changed.", stopped=True)
            )
        if isinstance(self._current, _RunCommand):
            self._worker.call(self._bench.stop)
            asyncio.get_running_loop().call_later(self._settings.stop_seconds, self._cancel, self._current)

    def _cancel(self, command: _Command) -> None:
        if self._current is command:
            self._worker.call(self._bench.cancel)

    def _keep(self, ids: list[int]) -> None:
        """Letting steps stand changes nothing in the document, so it does not wait for its turn."""
        for step in self._named(ids, self.log.steps()):
            if step.state == "review":
                self._set(step, "kept")

    def _take_undo(self, ids: list[int], lose_edits: bool) -> None:
        """Steps that are undone or being undone already are passed over: the message may have been sent
        twice.
        """
        steps = [step for step in self._named(ids, self.log.steps()) if step.state in IN_DOCUMENT]
        for step in steps:
            self._before_undo[step.id] = step
            self._set(step, "undoing")
        if steps:
            self._put(_UndoCommand(tuple(step.id for step in steps), lose_edits))

    def _take_redo(self, ids: list[int]) -> None:
        steps = [step for step in self._named(ids, []) if step.state == "undone"]
        if steps:
            self._put(_RedoCommand(tuple(step.id for step in steps)))

    def _take_reading(self, sha256: str) -> None:
        data = self._readings.pop(sha256, None) if sha256 else b""
        if data is None:
            self._refuse("READING_UNKNOWN", "The reading that Word announced is not here; send it again.")
            return

        # It takes its place in the queue at once: what is asked after it is asked of the document as it says.
        command = _ReadCommand(data)
        self._worker.call(self._offer_reading, command)
        self._put(command)

    def _offer_reading(self, command: _ReadCommand) -> None:
        """On the worker: a push that waits for a reading takes it before its turn."""
        command.taken = self._bench.reading_arrived(command.data)

    def _named(self, ids: list[int], everything: list[StepView]) -> list[StepView]:
        """The steps of those numbers; all for an empty list. Unknown numbers are said once and passed over."""
        if not ids:
            return everything
        steps = {step.id: step for step in self.log.steps()}
        wanted = dict.fromkeys(ids)
        if unknown := [number for number in wanted if number not in steps]:
            more = f", nor {len(unknown) - 1} others that were named" if len(unknown) > 1 else ""
            message = f"There is no step {unknown[0]}{more}; this session has {len(steps)} so far."
            self._refuse("TARGET_NOT_FOUND", message)
        return [steps[number] for number in wanted if number in steps]

    # -- carrying them out -----------------------------------------------------------------------------------

    def _put(self, command: _Command) -> None:
        self._queue.append(command)
        self._arrived.set()

    async def _carry_out(self) -> None:
        session_id.set(self.id)
        while True:
            while not self._queue:
                self._arrived.clear()
                await self._arrived.wait()
            self._current = self._queue.popleft()
            try:
                match self._current:
                    case _RunCommand():
                        await self._run(self._current)
                    case _UndoCommand():
                        await self._undo(self._current)
                    case _RedoCommand():
                        await self._redo(self._current)
                    case _ReadCommand():
                        await self._on_worker(self._read(self._current))
            finally:
                self._current = None

    async def _run(self, command: _RunCommand) -> None:
        request = self.log.request(command.request)
        self.log.append(RequestChanged(seq=0, request=request.model_copy(update={"state": "working"})))
        logger.info("request %s began: %s characters", request.id, len(request.text))
        outcome = await self._on_worker(self._bench.run(request.id, request.text, command.selection))
        if outcome is None:
            outcome = Outcome(
                "It was broken off; what is listed as done is in the document, nothing else.", stopped=True
            )
        for step in self.log.steps():
            if step.request == request.id and step.state in AT_WORK:
                reason = "Stopped before it was done; nothing of it is in the document."
                self._set(step.model_copy(update={"explanation": reason}), "not_done")
        self._end_request(request.id, outcome)

    async def _read(self, command: _ReadCommand) -> None:
        if command.data and not command.taken:
            await self._bench.take_reading(command.data)

    async def _undo(self, command: _UndoCommand) -> None:
        before = [self._before_undo[number] for number in command.steps]
        self._retell(await self._on_worker(self._bench.undo(before, lose_edits=command.lose_edits)))
        for number in command.steps:
            before = self._before_undo.pop(number)
            step = self.log.step(number)
            if step is not None and step.state == "undoing":
                self._set(step, before.state)

    async def _redo(self, command: _RedoCommand) -> None:
        """Steps that an earlier command has done again are passed over."""
        steps = [step for n in command.steps if (step := self.log.step(n)) and step.state == "undone"]
        if steps:
            self._retell(await self._on_worker(self._bench.redo(steps)))

    def _retell(self, explanations: dict[int, str] | None) -> None:
        """Later steps that were run again and now change something else."""
        for number, explanation in (explanations or {}).items():
            step = self.log.step(number)
            if step is not None:
                self._set(step.model_copy(update={"explanation": explanation}), step.state)

    async def _on_worker(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Wait for work on the worker; None if it failed or was cancelled. This is the session's edge: what
        goes wrong in a command is said to the panes, and the session goes on.
        """
        future = asyncio.wrap_future(self._worker.submit(work))
        await asyncio.wait({future})
        if future.cancelled():
            return None
        error = future.exception()
        if error is None:
            return future.result()
        if isinstance(error, AgentError):
            logger.info("command refused: %s", error.code)
            self._refuse(error.code, error.message)
        else:
            logger.error("command failed", exc_info=error)
            self._refuse("INTERNAL", "Something went wrong inside Stet; the step at work was not done.")
        await self._restate()
        return None

    async def _restate(self) -> None:
        """What a failure left is told as it is: the panes must not show what the document does not hold."""
        future = asyncio.wrap_future(self._worker.submit(self._bench.restate(self.log.steps())))
        await asyncio.wait({future})
        if not future.cancelled() and (error := future.exception()) is not None:
            logger.error("the state after a failure cannot be told", exc_info=error)

    # -- the log ---------------------------------------------------------------------------------------------

    def _end_request(self, number: int, outcome: Outcome) -> None:
        changes = {
            "state": "stopped" if outcome.stopped else "finished",
            "summary": outcome.summary,
            "complete": outcome.complete,
        }
        self.log.append(RequestChanged(seq=0, request=self.log.request(number).model_copy(update=changes)))
        logger.info("request %s %s, complete: %s", number, changes["state"], outcome.complete)

    def _set(self, step: StepView, state: StepState) -> None:
        self.log.append(StepChanged(seq=0, step=step.model_copy(update={"state": state})))

    def _refuse(self, code: str, message: str) -> None:
        self.log.append(Problem(seq=0, code=code, message=message))


async def _awaited(work: Awaitable[None]) -> None:
    await work
