"""The log of a document: append-only, holds calls; undo of any entry by replay (and redo by the same).

The present document is the base plus the live entries. To undo entry k the mirror is taken back to before k with the
inverses, and the later live entries are run again without it. An entry whose target is then gone, or whose effects fail,
depends on k: everything is put back as it was and the dependents are named, before anyone outside has seen a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.document.changes import Change, analyse
from agent.document.delta import Delta, Edit, Image, InsertBlock, RemoveBlock, ReplaceBlock
from agent.document.images import image_of, widened
from agent.document.merge import merge_block, same
from agent.document.mirror import Mirror
from agent.document.records import Paragraph, Record, read, record_of
from agent.document.state import READ_ERRORS
from agent.document.validity import new_problems
from agent.errors import AgentError, RevisionMismatch, for_people
from agent.operations.catalogue import Catalogue, catalogue
from agent.operations.execution import Execution, execute
from agent.steps import Call, Verdict
from agent.verification.code_verdict import judge

FAULTS = (*READ_ERRORS, AssertionError)
"""What a fault in an operation ends in; its step then counts as one that cannot be done."""


@dataclass
class Entry:
    """One thing that was done to the document: an agent's call, or the user's own edit (`call` None)."""

    key: int
    """The step's number; the user's edits have numbers too."""
    title: str
    """In words, for messages: the sub-instruction, or "your edit"."""
    call: Call | None
    delta: Delta
    changes: tuple[Change, ...]
    undone: bool = False
    warnings: tuple[str, ...] = ()
    flaws: frozenset[str] = frozenset()
    """What Word would not accept in a user's own edit as it was made; that is the user's affair."""
    made: Delta = Delta.empty
    """What was done at first. `delta` is what a replay made of it; a user's edit is carried over from this, so that what it
    stood beside is known again when that comes back."""

    def __post_init__(self) -> None:
        self.made = self.made or self.delta


@dataclass(frozen=True)
class Rebuilt:
    """The log was replayed; the document is as if the undone entries had never been."""

    delta: Delta
    """From the document as it was to the document as it is."""
    changes: tuple[Change, ...]
    entries: tuple[int, ...]
    """Keys of the entries whose mark changed."""
    retold: tuple[int, ...] = ()
    """Keys of later entries that were run again and now make other changes than before."""


@dataclass(frozen=True)
class Conflict:
    """Later entries stand on the one that was to be undone; nothing was changed."""

    step: int
    dependents: tuple[int, ...]
    """Keys of the agent's entries that could not be run again, in order."""
    reasons: tuple[str, ...]
    """One sentence for each."""
    lost_edits: tuple[str, ...] = ()
    """The user's edits that could not be carried over, in words."""
    lost_keys: tuple[int, ...] = ()
    """Keys of those edits."""


@dataclass
class History:
    """The log of one mirror."""

    mirror: Mirror
    entries: list[Entry] = field(default_factory=list[Entry])
    catalogue: Catalogue = field(default_factory=catalogue)

    def next_key(self) -> int:
        """A number for the next step."""
        self._last = (
            max(self._last, *(e.key for e in self.entries), 0) + 1 if self.entries else self._last + 1
        )
        return self._last

    _last: int = 0

    def append(
        self, key: int, title: str, call: Call | None, delta: Delta, changes: Iterable[Change]
    ) -> Entry:
        """Log what was just done to the mirror."""
        entry = Entry(key, title, call, delta, tuple(changes))
        if call is None:  # to be carried over block by block
            entry.made = widened(self.mirror, delta)
        self.entries.append(entry)
        return entry

    def append_user_edit(self, delta: Delta, changes: Iterable[Change] = (), key: int | None = None) -> Entry:
        """Log an edit of the user's own that is in the mirror already; under the number that its new blocks are named by."""
        entry = self.append(self.next_key() if key is None else key, "your edit", None, delta, changes)
        entry.flaws = frozenset(new_problems(self.mirror, delta))
        return entry

    def entry(self, key: int) -> Entry:
        """The entry with that number. Raises RevisionMismatch if there is none."""
        for entry in self.entries:
            if entry.key == key:
                return entry
        known = ", ".join(str(e.key) for e in self.entries) or "none"
        raise RevisionMismatch(f"There is no step {key} in the document's history; the steps are {known}.")

    def live(self) -> list[Entry]:
        """The entries that are in the document, in order."""
        return [e for e in self.entries if not e.undone]

    def undo(self, keys: Sequence[int], *, lose_edits: bool = False) -> Rebuilt | Conflict:
        """Take entries back, in whatever place. Those that are undone already are passed over.

        `lose_edits`: the user has been told which edits of their own cannot be carried over, and agrees to lose them.
        """
        marked = {self.entry(k).key for k in keys if not self.entry(k).undone}
        outcome = self._rebuild(marked, undone=True)
        while lose_edits and isinstance(outcome, Conflict) and not outcome.dependents:
            marked |= set(outcome.lost_keys)
            outcome = self._rebuild(marked, undone=True)
        return outcome

    def redo(self, keys: Sequence[int]) -> Rebuilt | Conflict:
        """Do undone entries again, in their old places in the order."""
        marked = [self.entry(k) for k in keys]
        return self._rebuild({e.key for e in marked if e.undone}, undone=False)

    # -- replay ----------------------------------------------------------------------------------------------------

    def _rebuild(self, keys: set[int], *, undone: bool) -> Rebuilt | Conflict:
        if not keys:
            return Rebuilt(Delta.empty, (), ())
        first = next(i for i, e in enumerate(self.entries) if e.key in keys)
        tail = self.entries[first:]
        before = [e for e in tail if not e.undone]
        after = [e for e in tail if (e.undone if e.key in keys else not e.undone)]
        records = _records(self.mirror, [e.delta for e in before])
        for entry in reversed(before):
            self.mirror.apply(entry.delta.inverse())
        replayed: list[tuple[Entry, Delta, tuple[Change, ...]]] = []
        failed: list[tuple[Entry, str]] = []
        self.mirror.tombstones = _tombstones(
            e for e in self.entries if (undone if e.key in keys else e.undone)
        )
        stood: dict[str, str | None] = {}
        for entry in self.entries[:first]:
            if not entry.undone:
                _note_removed(stood, entry.delta)
        try:
            for entry in after:
                try:
                    delta, changes, seen = self._again(entry, stood)
                    _note_removed(stood, delta)
                    replayed.append((entry, delta, changes))
                    records = {**seen, **records}
                except AgentError as error:
                    failed.append((entry, error.message))
                    self.mirror.tombstones |= _tombstones([entry])
                except FAULTS as error:  # of the operation's own; the transaction took everything back
                    failed.append((entry, f"{entry.title} failed: {error}"))
                    self.mirror.tombstones |= _tombstones([entry])
            back = Delta(tuple(edit for e in reversed(before) for edit in e.delta.inverse().edits))
            delta = back + Delta(tuple(edit for _, d, _ in replayed for edit in d.edits))
            told = () if failed else analyse(self.mirror, delta, records)
        except BaseException:
            self._restore(replayed, before)
            raise
        finally:
            self.mirror.tombstones = {}
        if failed:
            self._restore(replayed, before)
            return _conflict(keys, failed)
        retold = tuple(e.key for e, _, changes in replayed if e.key not in keys and changes != e.changes)
        for entry, new, changes in replayed:
            entry.delta, entry.changes = new, changes
        for entry in tail:
            if entry.key in keys:
                entry.undone = undone
        return Rebuilt(delta, told, tuple(sorted(keys)), retold)

    def _restore(
        self, replayed: Sequence[tuple[Entry, Delta, tuple[Change, ...]]], before: Sequence[Entry]
    ) -> None:
        """The document as it was before the replay."""
        for _, delta, _ in reversed(replayed):
            self.mirror.apply(delta.inverse())
        for entry in before:
            self.mirror.apply(entry.delta)

    def _again(
        self, entry: Entry, stood: Mapping[str, str | None]
    ) -> tuple[Delta, tuple[Change, ...], Mapping[str, Record]]:
        if entry.call is None:
            return _carry_over(self.mirror, entry, {**stood, **self.mirror.tombstones})
        execution, verdict = run_and_judge(
            self.mirror, self.catalogue, entry.call.operation, dict(entry.call.params), str(entry.key)
        )
        if not verdict.aligned:
            self.mirror.apply(execution.delta.inverse())
            raise RevisionMismatch(verdict.explanation)
        return execution.delta, execution.changes, execution.records_before


def run_and_judge(
    mirror: Mirror, operations: Catalogue, name: str, params: dict[str, Any], key: str
) -> tuple[Execution, Verdict]:
    """One call and the judgement of it by code; whoever asks takes it back if it does not stand."""
    execution = execute(mirror, operations, name, params, key)
    try:
        return execution, judge(mirror, execution)
    except BaseException:
        mirror.apply(execution.delta.inverse())
        raise


def _records(mirror: Mirror, deltas: Iterable[Delta]) -> dict[str, Record]:
    """Records, as they are now, of the blocks that some deltas touched."""
    found: dict[str, Record] = {}
    for delta in deltas:
        touched = delta.touched()
        for block in (*touched.changed, *touched.added, *touched.moved):
            if mirror.has(block):
                found[block] = record_of(mirror, block)
    return found


def _tombstones(entries: Iterable[Entry]) -> dict[str, str | None]:
    """Blocks that the entries made (not those that they moved), and what each stood behind."""
    found: dict[str, str | None] = {}
    for entry in entries:
        made = set(entry.delta.touched().added)
        for edit in entry.delta.edits:
            if isinstance(edit, InsertBlock) and edit.id in made:
                found[edit.id] = edit.previous
    return found


def _note_removed(stood: dict[str, str | None], delta: Delta) -> None:
    """Add the blocks that a delta removed, and what each stood behind."""
    removed = set(delta.touched().removed)
    for edit in delta.edits:
        if isinstance(edit, RemoveBlock) and edit.id in removed:
            stood[edit.id] = edit.previous


def _before(block: str | None, siblings: Sequence[str], stood: Mapping[str, str | None]) -> str | None:
    """The block that is there now where `block` was: itself, or what it stood behind."""
    seen: set[str] = set()
    while block is not None and block not in siblings:
        if block in seen or block not in stood:
            raise RevisionMismatch("the place of your edit is not there any more")
        seen.add(block)
        block = stood[block]
    return block


def _conflict(keys: set[int], failed: Sequence[tuple[Entry, str]]) -> Conflict:
    calls = [(e, reason) for e, reason in failed if e.call is not None]
    return Conflict(
        min(keys),
        tuple(e.key for e, _ in calls),
        tuple(f"'{e.title}' could not be done without it: {for_people(reason)}" for e, reason in calls),
        tuple(for_people(reason) for e, reason in failed if e.call is None),
        tuple(e.key for e, _ in failed if e.call is None),
    )


# -- the user's own edits ----------------------------------------------------------------------------------------------


def _carry_over(
    mirror: Mirror, entry: Entry, stood: Mapping[str, str | None]
) -> tuple[Delta, tuple[Change, ...], Mapping[str, Record]]:
    """Make the user's edit again on the document as it is now: as it was where the block is as it was, else merged into what
    the block is by now. Raises RevisionMismatch, with nothing changed, if it cannot be carried over whole.
    """
    records = _records(mirror, [entry.made, entry.made.inverse()])
    merged: list[ReplaceBlock] = []
    exact: list[Edit] = []
    for edit in entry.made.edits:
        if isinstance(edit, ReplaceBlock):
            if not mirror.has(edit.id):
                raise RevisionMismatch(
                    f"your edit '{_new_text(mirror, edit)}' is in text that this step wrote"
                )
            (exact if _is_as(mirror, edit.story, edit.id, edit.before) else merged).append(edit)
    with mirror.edit(str(entry.key)) as editor:
        for edit in merged:
            merge_block(mirror, edit)
    rest = [edit for edit in entry.made.edits if not isinstance(edit, ReplaceBlock)]
    try:
        done = Delta((*exact, *_placed(mirror, rest, stood)))
        mirror.apply(done)
    except RevisionMismatch:
        mirror.apply(editor.delta.inverse())
        raise
    delta = editor.delta + done
    flaws = [f for f in new_problems(mirror, delta) if f not in entry.flaws]
    if flaws:
        mirror.apply(delta.inverse())
        raise RevisionMismatch(f"your edit stands on what this step made: {flaws[0]}")
    return delta, analyse(mirror, delta, records), records


def _placed(mirror: Mirror, edits: Sequence[Edit], stood: Mapping[str, str | None]) -> Iterator[Edit]:
    """Insertions behind a block that is gone go where it stood; removals of what is gone are done already, and what is removed
    or moved is the block as it is now.
    """
    inserted: set[str] = set()
    removed: dict[str, tuple[Image, Image]] = {}  # as it was, as it is
    gone: dict[str, Image] = {}
    stories = {edit.story for edit in edits if isinstance(edit, (InsertBlock, RemoveBlock))}
    order = {s.key: mirror.blocks(s) for s in mirror.stories() if s.key in stories}
    for edit in edits:
        if isinstance(edit, InsertBlock) and edit.id in gone:  # there is nothing left to move
            if gone.pop(edit.id) != edit.image:
                raise RevisionMismatch("what you moved and changed is text that this step wrote")
        elif isinstance(edit, InsertBlock):
            siblings = order.get(edit.story, [])
            previous = _before(edit.previous, siblings, stood)
            image = edit.image
            if edit.id in removed:
                was, now = removed.pop(edit.id)
                if now != was and image != was:
                    raise RevisionMismatch("what you moved and changed cannot be carried over")
                image = now if image == was else image
            elif edit.id in inserted:
                raise RevisionMismatch("what you moved is not there any more")
            inserted.add(edit.id)
            siblings.insert(siblings.index(previous) + 1 if previous is not None else 0, edit.id)
            yield InsertBlock(edit.story, edit.id, previous, image)
        elif isinstance(edit, RemoveBlock):
            siblings = order.get(edit.story, [])
            if edit.id not in siblings:
                gone[edit.id] = edit.image
                continue
            at = siblings.index(edit.id)
            image = edit.image
            if edit.id not in inserted:
                now = _now(mirror, edit.story, edit.id)
                image = edit.image if _is_as(mirror, edit.story, edit.id, edit.image) else now
                removed[edit.id] = (edit.image, image)
            inserted.discard(edit.id)
            del siblings[at]
            yield RemoveBlock(edit.story, edit.id, siblings[at - 1] if at else None, image)
        else:
            yield edit


def _now(mirror: Mirror, story_key: str, block: str) -> Image:
    story = mirror.story(story_key)
    assert story is not None
    return image_of(mirror, story, block)


def _is_as(mirror: Mirror, story_key: str, block: str, image: Image) -> bool:
    """Whether a block is now as an image says; prefixes and the place of namespace declarations do not count."""
    story = mirror.story(story_key)
    if story is None or not mirror.has(block):
        return False
    now = image_of(mirror, story, block)
    return now == image or (now.ids == image.ids and same(mirror.element(block), story.parse(image.xml)))


def _new_text(mirror: Mirror, edit: ReplaceBlock) -> str:
    story = next((s for s in mirror.stories() if s.key == edit.story), None)
    record = read(mirror, story.parse(edit.after.xml)) if story is not None else None
    return (record.text if isinstance(record, Paragraph) else "")[:60]
