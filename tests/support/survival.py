"""What opening any file may come to: a refusal in a sentence, or a document that is sound from opening to saving."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from agent.document.delta import ChangeRelationship, RemovePart
from agent.document.mirror import Mirror
from agent.document.names import W_P
from agent.document.outline import outline
from agent.document.package import CONTENT_TYPES
from agent.document.state import state
from agent.document.text import text_of
from agent.errors import AgentError, DocumentError, StateParseError
from agent.history import run_and_judge
from agent.operations.catalogue import Operation, catalogue
from tests.support.documents import canonical, members
from tests.support.sequences import retargeted


class Hang(BaseException):
    """It took far longer than anything should; no `except Exception` may swallow it."""


@contextmanager
def no_hang(seconds: int = 20) -> Iterator[None]:
    """A bound against hangs, far above what any machine needs."""

    def ring(*_: object) -> None:
        raise Hang(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def opened(data: bytes) -> Mirror | None:
    """The document, or None if it is refused; a refusal is a sentence for a person."""
    try:
        return Mirror.open(data)
    except DocumentError as error:
        is_a_sentence(error)
        return None


def is_a_sentence(error: AgentError) -> None:
    assert len(error.message.split()) >= 4, error.message
    assert error.message.endswith((".", ":", "?", '"', "'", ")")) or "\n" in error.message, error.message
    assert len(error.message) < 2000, error.message


def parts(data: bytes) -> dict[str, bytes]:
    """The parts of a file by their names as they compare: with slashes, without case."""
    return _folded(members(data))


def _folded(named: dict[str, bytes]) -> dict[str, bytes]:
    return {name.replace("\\", "/").casefold(): blob for name, blob in named.items()}


def opens_or_is_refused(data: bytes) -> None:
    """Either; what opens is sound."""
    mirror = opened(data)
    if mirror is not None:
        lives(mirror, data)


def survives(data: bytes, operations: Iterable[Operation[Any]] = (), seed: int = 0) -> bool:
    """Open, read, edit, let operations act, save, open again, take all back. True if the document's state can be read.

    A state that cannot be read is refused; the file then still comes out as it went in.
    """
    mirror = opened(data)
    assert mirror is not None, "refused"
    return lives(mirror, data, operations, seed)


def lives(mirror: Mirror, data: bytes, operations: Iterable[Operation[Any]] = (), seed: int = 0) -> bool:
    """The same for what is open already."""
    before = parts(data)
    assert parts(mirror.save()) == before, "saving without an edit changed something"
    base = canonical(mirror)
    try:
        state(mirror)
        outline(mirror)
    except StateParseError as error:
        is_a_sentence(error)
        return False
    done = [_typed(mirror)]
    rng = random.Random(seed)
    tried = 1
    for number, operation in enumerate(operations):
        tried += 1
        delta = _tried(mirror, operation, f"{number + 10}", rng)
        if delta is not None:
            done.append(delta)
    after = mirror.save()
    touched = {name.lstrip("/").casefold() for delta in done for name in _accounted(delta)}
    # a part that a step touched and that was taken back may be written anew, but says the same
    now = parts(after)
    changed = {name for name in before if now.get(name) != before[name]}
    if tried > len(done):
        says, said = _folded(canonical(mirror)), _folded(base)
        changed = {name for name in changed if says.get(name) != said.get(name)}
    lost = changed - touched
    assert not lost, f"changed, though nothing touched it: {lost}"
    again = Mirror.open(after)
    assert [text_of(e) for e in again.body.iter(W_P)] == [text_of(e) for e in mirror.body.iter(W_P)]
    for delta in reversed(done):
        mirror.apply(delta.inverse())
    assert canonical(mirror) == base, "taking everything back left something"
    return True


def _typed(mirror: Mirror) -> Any:
    """The user adds a paragraph, and a word to the first."""
    first = next((e for e in mirror.body.iter(W_P) if mirror.id_of(e) is not None), None)
    with mirror.edit("1") as editor:
        if first is not None:
            editor.replace_text(first, 0, 0, "Stet ")
        editor.append_to_body(editor.new_paragraph("The last line."))
    if first is not None:
        assert text_of(first).startswith("Stet ")
    return editor.delta


def _tried(mirror: Mirror, operation: Operation[Any], key: str, rng: random.Random) -> Any:
    """One call, judged; what is refused or not verified leaves no trace. The delta, or None."""
    before = canonical(mirror)
    params = retargeted(mirror, operation, rng)
    try:
        execution, verdict = run_and_judge(mirror, catalogue(), operation.name, params, key)
    except AgentError as error:
        is_a_sentence(error)
        assert canonical(mirror) == before, f"{operation.name} was refused and left something"
        return None
    if not verdict.aligned:
        mirror.apply(execution.delta.inverse())
        assert canonical(mirror) == before, f"{operation.name} was taken back and left something"
        return None
    return execution.delta


def _accounted(delta: Any) -> Iterator[str]:
    """Members that a delta accounts for: its parts, the relationships that it changes, and the content types."""
    yield CONTENT_TYPES
    yield from delta.parts()
    for edit in delta.edits:
        match edit:
            case RemovePart(name=name):
                yield name
                yield rels_member(name)
            case ChangeRelationship(source=source):
                yield rels_member(source)
            case _:
                pass


def rels_member(source: str) -> str:
    """The member with the relationships of a part."""
    head, _, tail = source.rpartition("/")
    return f"{head}/_rels/{tail}.rels"
