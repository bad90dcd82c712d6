"""`stet run`: requests carried out on a file, a line for each step as it happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from agent.agent import Agent
from agent.document.mirror import Mirror
from agent.errors import DocumentError
from agent.events import (
    Event,
    InstructionFinished,
    StepDone,
    StepNotDone,
    StepPlanned,
    StepRetrying,
    as_json,
)
from agent.history import History
from agent.planning.planner import Exchange
from server.attachments import attach, checked_label
from server.hosts.docx_host import read_docx, write_docx
from server.planners import Agents


async def run_file(
    document: Path,
    requests: Sequence[str],
    output: Path,
    events: Path | None,
    make_agents: Callable[[], Agents],
    *,
    pictures: Sequence[Path] = (),
) -> bool:
    """Carry out the requests in turn and write the result. Says whether every part of all was done.

    Nothing is written if nothing could be read; what was not done is printed, and the rest is written all the same.
    Raises `DocumentError` if a file cannot be read or written, `InvalidValue` if one to attach is no picture.
    """
    mirror = Mirror.open(read_docx(document), document.name)
    for picture in pictures:
        _attach(mirror, picture)
    history = History(mirror)
    agents = make_agents()
    earlier: list[Exchange] = []
    complete = True
    with _Trajectory(events) as trajectory:
        for request in requests:
            if len(requests) > 1:
                print(f"> {request}")
            finished = await _carry_out(agents.make(None), mirror, history, request, earlier, trajectory)
            complete = complete and finished.complete
            earlier.append(Exchange(request, finished.summary))
    await agents.close()
    write_docx(output, mirror.save())
    print(f"Written: {output}")
    return complete


def _attach(mirror: Mirror, path: Path) -> None:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{path} cannot be read: {error.strerror or error}.") from error
    name = attach(mirror, checked_label(path.name, data), data)
    if name != path.name:
        print(f"{path} is attached as {name}")


async def _carry_out(
    agent: Agent,
    mirror: Mirror,
    history: History,
    request: str,
    earlier: Sequence[Exchange],
    trajectory: _Trajectory,
) -> InstructionFinished:
    finished = InstructionFinished("Nothing was done.", (), (), complete=False)
    async for event in agent.run(mirror, history, request, earlier=tuple(earlier)):
        trajectory.write(event)
        if (line := line_of(event)) is not None:
            print(line, flush=True)
        if isinstance(event, InstructionFinished):
            finished = event
    return finished


def line_of(event: Event) -> str | None:
    """What the terminal shows of an event; None for what happens within a step."""
    match event:
        case StepPlanned():
            return f"{event.step}. {event.goal}"
        case StepRetrying():
            return f"   trying again: {event.reason}"
        case StepDone():
            warnings = "".join(f"\n   note: {warning}" for warning in event.warnings)
            return f"   done: {event.explanation}{warnings}"
        case StepNotDone():
            choices = "".join(f"\n   you could ask: {choice}" for choice in event.choices)
            return f"   NOT DONE: {event.goal}\n   reason: {event.reason}{choices}"
        case InstructionFinished():
            return event.summary
        case _:
            return None


class _Trajectory:
    """The file of events, one JSON object a line, complete up to the last event even if the run dies."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> _Trajectory:
        if self._path is not None:
            try:
                self._file = self._path.open("w", encoding="utf-8")
            except OSError as error:
                raise DocumentError(f"{self._path} cannot be written: {error.strerror or error}.") from error
        return self

    def write(self, event: Event) -> None:
        """One event."""
        if self._file is not None:
            self._file.write(json.dumps(as_json(event), ensure_ascii=False, default=str) + "\n")
            self._file.flush()

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
