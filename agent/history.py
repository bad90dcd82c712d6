"""The log of a document: append-only, holds calls; undo of any entry by replay (and redo by the same).

The present document is the base plus the live entries. To undo entry k the mirror is taken back to before k with the
inverses, and the later live entries are run again without it. An entry whose target is then gone, or whose effects fail,
depends on k: everything is put back as it was and the dependents are named, before anyone outside has seen a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.document.changes import Change, analyse
from agent.document.delta import Delta, InsertBlock, RemoveBlock, ReplaceBlock
from agent.document.mirror import Mirror
from agent.document.records import Paragraph, Record, read, record_of
from agent.document.text import replace, text_of
from agent.errors import AgentError, RevisionMismatch
from agent.operations.catalogue import Catalogue, catalogue
from agent.operations.execution import Execution, execute
from agent.steps import Call, Verdict
from agent.verification.code_verdict import judge


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
        self.entries.append(entry)
        return entry

    def append_user_edit(self, delta: Delta, changes: Iterable[Change] = ()) -> Entry:
        """Log an edit of the user's own that is in the mirror already."""
        return self.append(self.next_key(), "your edit", None, delta, changes)

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
        self.mirror.tombstones = _tombstones(e for e in before if e.key in keys)
        try:
            for entry in after:
                try:
                    delta, changes, seen = self._again(entry)
                    replayed.append((entry, delta, changes))
                    records = {**seen, **records}
                except AgentError as error:
                    failed.append((entry, error.message))
        finally:
            self.mirror.tombstones = {}
        if failed:
            for _, delta, _ in reversed(replayed):
                self.mirror.apply(delta.inverse())
            for entry in before:
                self.mirror.apply(entry.delta)
            return _conflict(keys, failed)
        back = Delta(tuple(edit for e in reversed(before) for edit in e.delta.inverse().edits))
        delta = back + Delta(tuple(edit for _, d, _ in replayed for edit in d.edits))
        retold = tuple(e.key for e, _, changes in replayed if e.key not in keys and changes != e.changes)
        for entry, new, changes in replayed:
            entry.delta, entry.changes = new, changes
        for entry in tail:
            if entry.key in keys:
                entry.undone = undone
        return Rebuilt(delta, analyse(self.mirror, delta, records), tuple(sorted(keys)), retold)

    def _again(self, entry: Entry) -> tuple[Delta, tuple[Change, ...], Mapping[str, Record]]:
        if entry.call is None:
            return _carry_over(self.mirror, entry)
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
    return execution, judge(mirror, execution)


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
    """Blocks that the entries made, and what each stood behind."""
    return {
        edit.id: edit.previous
        for entry in entries
        for edit in entry.delta.edits
        if isinstance(edit, InsertBlock)
    }


def _conflict(keys: set[int], failed: Sequence[tuple[Entry, str]]) -> Conflict:
    calls = [(e, reason) for e, reason in failed if e.call is not None]
    return Conflict(
        min(keys),
        tuple(e.key for e, _ in calls),
        tuple(f"'{e.title}' could not be done without it: {reason}" for e, reason in calls),
        tuple(reason for e, reason in failed if e.call is None),
        tuple(e.key for e, _ in failed if e.call is None),
    )


# -- the user's own edits ----------------------------------------------------------------------------------------------


def _carry_over(mirror: Mirror, entry: Entry) -> tuple[Delta, tuple[Change, ...], Mapping[str, Record]]:
    """Make the user's edit again on the document as it is now: as it was where the block is as it was, as a text splice
    where only other parts of the paragraph differ. Raises RevisionMismatch if it cannot be carried over.
    """
    records = _records(mirror, [entry.delta, entry.delta.inverse()])
    fitted = Delta(tuple(edit for edit in entry.delta.edits if not isinstance(edit, ReplaceBlock)))
    splices: list[ReplaceBlock] = []
    exact: list[ReplaceBlock] = []
    for edit in entry.delta.edits:
        if not isinstance(edit, ReplaceBlock):
            continue
        if not mirror.has(edit.id):
            raise RevisionMismatch(f"your edit '{_new_text(mirror, edit)}' is in text that this step wrote")
        story = next(s for s in mirror.stories() if s.key == edit.story)
        same = story.image_of(mirror.element(edit.id)) == edit.before.xml
        (exact if same else splices).append(edit)
    with mirror.edit(str(entry.key)) as editor:
        for edit in splices:
            _splice(mirror, edit)
    done = Delta((*exact, *_placed(mirror, fitted).edits))
    try:
        mirror.apply(done)
    except RevisionMismatch:
        mirror.apply(editor.delta.inverse())
        raise
    delta = editor.delta + done
    return delta, analyse(mirror, delta, records), records


def _placed(mirror: Mirror, delta: Delta) -> Delta:
    """Insertions behind a block that is gone go where it stood; removals of what is gone are done already."""
    edits: list[Any] = []
    for edit in delta.edits:
        if isinstance(edit, InsertBlock):
            previous = edit.previous
            known = {e.id for e in edits if isinstance(e, InsertBlock)}
            while previous is not None and not mirror.has(previous) and previous not in known:
                previous = mirror.tombstones.get(previous)
            edits.append(InsertBlock(edit.story, edit.id, previous, edit.image))
        elif not isinstance(edit, RemoveBlock) or mirror.has(edit.id):
            edits.append(edit)
    return Delta(tuple(edits))


def _splice(mirror: Mirror, edit: ReplaceBlock) -> None:
    """The user's typing in a paragraph that has changed otherwise: the same characters at the same words."""
    story = next(s for s in mirror.stories() if s.key == edit.story)
    old, new = text_of(story.parse(edit.before.xml)), text_of(story.parse(edit.after.xml))
    element = mirror.element(edit.id)
    now = text_of(element)
    head = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    removed, typed = old[head : len(old) - tail], new[head : len(new) - tail]
    if not removed and not typed:
        raise RevisionMismatch(f"your formatting of '{now[:40]}' cannot be carried over")
    before = old[max(0, head - 20) : head]
    at = now.find(before + removed)
    if at < 0 or now.count(before + removed) > 1:
        raise RevisionMismatch(f"your edit '{typed or removed}' is in text that this step wrote")
    start = at + len(before)
    replace(element, start, start + len(removed), typed)


def _new_text(mirror: Mirror, edit: ReplaceBlock) -> str:
    story = next(s for s in mirror.stories() if s.key == edit.story)
    record = read(mirror, story.parse(edit.after.xml))
    return (record.text if isinstance(record, Paragraph) else "")[:60]
