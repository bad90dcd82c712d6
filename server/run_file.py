"""`stet run`: requests carried out on a file, a line for each step as it happens."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from agent.agent import Agent
from agent.document.mirror import Mirror
from agent.errors import DocumentError, InvalidValue
from agent.events import (
    Event,
    InstructionFinished,
    StepDone,
    StepNotDone,
    StepPlanned,
    StepRetrying,
    as_json,
)
from agent.history import Conflict, History
from agent.planning.planner import Exchange
from server.attachments import attach, checked_label
from server.hosts.docx_host import read_docx, write_docx
from server.hosts.reading import fold_file
from server.planners import Agents
from server.run_paths import check_extension, check_names, is_same_file


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

    Nothing is done if a file cannot be read or written; what was not done is printed, and the rest is written all the
    same. Raises `DocumentError` if a file cannot be read or written, `InvalidValue` if one to attach is no picture or a
    request is no text.
    """
    for request in requests:
        _check_text(request)
    check_names(document, output, events, pictures)
    in_place = is_same_file(document, output)
    data = read_docx(document)
    mirror = Mirror.open(data, document.name)
    check_extension(mirror, output)
    for picture in pictures:
        _attach(mirror, picture)
    history = History(mirror)
    agents = make_agents()
    earlier: list[Exchange] = []
    complete = True
    try:
        with _Trajectory(events) as trajectory:
            for request in requests:
                if len(requests) > 1:
                    _say(f"> {request}")
                finished = await _carry_out(agents.make(None), mirror, history, request, earlier, trajectory)
                complete = complete and finished.complete
                earlier.append(Exchange(request, finished.summary))
    finally:
        await agents.close()
    if in_place:
        _take_meanwhile(document, data, mirror, history)
    write_docx(output, mirror.save())
    _say(f"{'Overwritten' if in_place else 'Written'}: {output}")
    return complete


def _take_meanwhile(document: Path, data: bytes, mirror: Mirror, history: History) -> None:
    """Somebody may have saved the document while the requests were carried out: what is there now must not be lost."""
    if not document.exists() or (newer := read_docx(document)) == data:
        return
    try:
        outcome = fold_file(mirror, history, newer)
    except DocumentError as error:
        raise DocumentError(
            f"{document} was changed meanwhile, and is left as it is: {error.message}"
        ) from error
    if isinstance(outcome, Conflict):
        reasons = " ".join(outcome.reasons)
        raise DocumentError(f"{document} was changed meanwhile, and is left as it is. {reasons}")
    _say(f"{document} was changed meanwhile; the edits made there are kept.")


def _check_text(request: str) -> None:
    """A shell's argument may be any bytes; those that are no UTF-8 arrive as lone surrogates."""
    try:
        request.encode()
    except UnicodeEncodeError as error:
        raise InvalidValue(
            f"A request is not valid UTF-8 text, from its character {error.start + 1} on; write it anew."
        ) from error


def _say(line: str) -> None:
    """Print a line at once. If the reader has gone (`| head`) the work goes on without one: the file is still wanted."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _attach(mirror: Mirror, path: Path) -> None:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DocumentError(f"{path} cannot be read: {error.strerror or error}.") from error
    name = attach(mirror, checked_label(path.name, data), data)
    if name != path.name:
        _say(f"{path} is attached as {name}")


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
            _say(line)
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
