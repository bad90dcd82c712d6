"""Random sequences on a document: every operation of the catalogue, edits by the user, undo and redo; and the laws.

A sequence is plain data: a document, and actions whose `seed` decides what they act on in the document as it is then.

The law about what the user typed: a character that the user typed in an edit which is not undone is in the document,
unless a live entry took it out in the open, that is, it took it out when it was first done or the replay that made it take it
out named it (`Rebuilt.retold`, or it was asked for by redo). An undo or redo by itself never takes one, and an edit that
cannot be carried over with all its characters is named (`Conflict.lost_keys`), and nothing is changed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from agent.document.fold import fold
from agent.document.mirror import Mirror, inner_elements
from agent.document.names import MC, W_P, W_T, W_TBL, WP, W
from agent.document.outline import headings
from agent.document.records import cells_of, rows_of
from agent.document.text import text_of
from agent.errors import AgentError
from agent.history import Conflict, Entry, History, Rebuilt, run_and_judge
from agent.operations.catalogue import Operation, catalogue
from agent.operations.specimens import (
    bullets,
    doc,
    footer,
    h,
    header,
    image,
    link,
    merged_table,
    numbered,
    p,
    section,
    table,
    title,
)  # fmt: skip
from agent.operations.targets import Wants
from agent.steps import Call
from server.hosts import reading
from tests.corpus import corpus_file, manifest
from tests.support.documents import canonical, differing
from tests.support.user_edits import EDITS, edited, noisy

SPECIMENS = {
    "report": doc(
        title("Report"),
        h(1, "Scope"),
        p("Revenue grew by ", ("5 percent", {"bold": True}), " in Acme."),
        p("Costs fell. Dear [Name], see {{Company}}."),
        bullets("apples", "pears"),
        table([["Name", "Amount"], ["Rent", "900"], ["Food", "120"]]),
        h(1, "Plan"),
        link("See ", "our website", "https://example.com/", " for more."),
        numbered("first", "second"),
    ),
    "layout": doc(
        header("Acme Confidential"),
        footer("Version 1"),
        h(1, "Goals"),
        p("Wide text."),
        section(landscape=True),
        image("a logo"),
        merged_table([["A", "B", "C"], ["1", "2", "3"], ["4", "5", "6"]], (0, 0), (0, 1)),
        p("Last line."),
    ),
    "bare": doc(p("Only one line.")),
}
FILES = tuple(row.path.name for row in manifest())
"""Documents by others: Word, Google Docs, other writers; strict, with macros, tables, lists, sections, headers, revisions."""
DOCUMENTS = (*SPECIMENS, *FILES)
OPERATIONS = tuple(catalogue())


@lru_cache(maxsize=64)
def data_of(name: str) -> bytes:
    """A document of `DOCUMENTS`."""
    return SPECIMENS[name]() if name in SPECIMENS else corpus_file(name).read_bytes()


# -- actions -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Do:
    """The agent calls an operation as in one of its examples (seed modulo their number), on something else."""

    operation: str
    seed: int


@dataclass(frozen=True)
class User:
    """The user edits: in one go, by one of `WAYS`."""

    edits: tuple[str, ...]
    way: str
    seed: int


@dataclass(frozen=True)
class Undo:
    """Some entries are undone, with what is named as standing on them."""

    seed: int


@dataclass(frozen=True)
class Redo:
    """Some entries that were undone are done again."""

    seed: int


WAYS = ("at once", "reading", "file", "file first")
"""How an edit comes in: the mirror sees it as it is made; in a reading of the document in Word; as a newer file, made from what
Stet had saved; as a newer file, made from what Stet had opened, so that it comes before all steps."""

Action = Do | User | Undo | Redo
SEEDS = st.integers(0, 2**16)
NAMES = {edit.__name__: edit for edit in EDITS}
CALLS = st.builds(Do, st.sampled_from(OPERATIONS), SEEDS)
DEEDS = st.lists(st.sampled_from(tuple(NAMES)), min_size=1, max_size=3).map(tuple)
TYPED = DEEDS.map(lambda deeds: (*deeds[1:], "type_words"))
USERS = st.builds(User, st.one_of(DEEDS, TYPED), st.sampled_from(WAYS), SEEDS)
ACTIONS = st.one_of(CALLS, CALLS, CALLS, USERS, USERS, st.builds(Undo, SEEDS), st.builds(Redo, SEEDS))
SEQUENCES = st.lists(ACTIONS, min_size=2, max_size=9)
SOURCES = st.one_of(st.sampled_from(tuple(SPECIMENS)), st.sampled_from(FILES))


def mark(number: int) -> str:
    """What the user types in the edit with that number: letters that are nowhere else."""
    return chr(0x4E00 + 2 * number) + chr(0x4E01 + 2 * number)


class Session:
    """A document with a history, and what the actions did to it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.mirror = Mirror.open(data_of(name), name)
        self.history = History(self.mirror)
        self.base = canonical(self.mirror)
        self.blocks = self.mirror.body_blocks()
        self.twice = twice(self.mirror)
        self.done: set[str] = set()
        """Operations that were carried out."""
        self.typed: dict[str, int] = {}
        """Letters that the user typed, and the entry that they came in with."""
        self.takers: dict[str, set[int]] = {}
        """Entries that took such a letter out in the open."""
        self.told: set[int] = set()
        """Entries that the last replay named: those that it undid or did again, and those that do something else now."""
        self.newer = b""
        """The last reading."""
        self._users = 0

    def run(self, actions: Sequence[Action]) -> None:
        """Every action in turn; what must hold of every state is looked at after each."""
        for action in actions:
            match action:
                case Do():
                    self.do(action)
                case User():
                    self.user(action)
                case Undo():
                    self._undo(action)
                case Redo():
                    self._redo(action)
            check_ids(self)

    def do(self, action: Do) -> bool:
        """A step of the agent's; False if it was refused or not verified."""
        rng = random.Random(action.seed)
        operation = catalogue()[action.operation]
        params = retargeted(self.mirror, operation, rng, action.seed)
        before, letters = canonical(self.mirror), self.letters()
        key = self.history.next_key()
        try:
            execution, verdict = run_and_judge(self.mirror, catalogue(), operation.name, params, str(key))
        except AgentError:
            assert canonical(self.mirror) == before, "a refused call changed the document"
            return False
        if not verdict.aligned:
            self.mirror.apply(execution.delta.inverse())
            assert canonical(self.mirror) == before, "a step that was rolled back left something"
            return False
        call = Call(operation.name, execution.params)
        entry = self.history.append(key, operation.name, call, execution.delta, execution.changes)
        self._took(entry, letters)
        self.done.add(operation.name)
        return True

    def user(self, action: User) -> None:
        """An edit of the user's own."""
        self._users += 1
        words, letters = mark(self._users), self.letters()
        chances = [random.Random(action.seed + i) for i in range(len(action.edits))]
        changes = [
            lambda d, edit=NAMES[name], rng=rng: edit(d, rng, words)
            for name, rng in zip(action.edits, chances, strict=True)
        ]
        mirror, history = self.mirror, self.history
        number = len(history.entries)
        match action.way:
            case "at once":
                key = history.next_key()
                with mirror.edit(str(key)) as editor:
                    for change in changes:
                        change(mirror.document)
                if editor.delta:
                    history.append_user_edit(editor.delta, editor.changes(), key)
            case "reading":
                self.newer = newer = edited(mirror.save(), *changes)
                reading.fold(mirror, history, Mirror.open(newer))
                assert texts(mirror) == texts(Mirror.open(newer)), "the reading says something else"
            case "file":
                newer = edited(mirror.save(), *changes, *([noisy] if action.seed % 2 else []))
                key = history.next_key()
                editor = fold(mirror, newer, str(key))
                if editor.delta:
                    history.append_user_edit(editor.delta, editor.changes(), key)
                assert not differing(mirror, Mirror.open(newer)), "the file says something else"
            case _:
                self._file_first(edited(data_of(self.name), *changes))
        self.twice |= twice(mirror)  # what the user copies is the user's affair
        if len(history.entries) > number:
            entry = history.entries[-1] if action.way != "file first" else history.entries[0]
            for letter in set(words) & self.letters():
                self.typed[letter] = entry.key
                self.takers[letter] = set()
            self._took(entry, letters)

    def _file_first(self, newer: bytes) -> None:
        live = [e.key for e in self.history.live()]
        outcome = reading.fold_file(self.mirror, self.history, newer)
        first = self.history.entries[0]
        if isinstance(outcome, Conflict):
            assert {*outcome.dependents, *outcome.lost_keys} <= set(live)
            assert [e.key for e in self.history.live()] == [first.key], (
                "a conflict leaves the user's edit alone"
            )
            assert texts(self.mirror) == texts(Mirror.open(newer))
        else:
            assert [e.key for e in self.history.live()] == [first.key, *live]
            self.rebuilt(outcome)

    def _undo(self, action: Undo) -> None:
        rng = random.Random(action.seed)
        keys = [e.key for e in self.history.live()]
        if keys:
            self.take_back(rng.sample(keys, rng.randint(1, min(2, len(keys)))))

    def _redo(self, action: Redo) -> None:
        rng = random.Random(action.seed)
        keys = [e.key for e in self.history.entries if e.undone]
        if keys:
            self.do_again(rng.sample(keys, rng.randint(1, min(2, len(keys)))))

    def take_back(self, keys: Sequence[int]) -> Rebuilt:
        """Undo, with what is named as standing on it when it is refused."""
        before, marks = canonical(self.mirror), self.marks()
        outcome = self.history.undo(keys)
        check_ids(self)
        if isinstance(outcome, Conflict):
            assert canonical(self.mirror) == before, "a conflict changed the document"
            assert self.marks() == marks
            live = {e.key for e in self.history.live()} - set(keys)
            named = check_conflict(self, outcome, live)
            if outcome.dependents:
                outcome = self.history.undo([*keys, *named])
            else:  # the user agrees to lose the edits that were named
                outcome = self.history.undo(keys, lose_edits=True)
            assert isinstance(outcome, Rebuilt), f"more stands on it than was named: {outcome}"
            assert set(outcome.entries) == {k for k, undone in marks if not undone and k in {*keys, *named}}
        self.rebuilt(outcome)
        check_ids(self)
        check_letters(self)
        return outcome

    def do_again(self, keys: Sequence[int]) -> Rebuilt | None:
        """Redo; None, with nothing changed, if it is refused."""
        before, marks = canonical(self.mirror), self.marks()
        outcome = self.history.redo(keys)
        check_ids(self)
        if isinstance(outcome, Conflict):
            assert canonical(self.mirror) == before, "a conflict changed the document"
            assert self.marks() == marks
            check_conflict(self, outcome, {e.key for e in self.history.live()} | set(keys))
            return None
        self.rebuilt(outcome)
        check_letters(self)
        return outcome

    def marks(self) -> list[tuple[int, bool]]:
        """Which entries are undone."""
        return [(e.key, e.undone) for e in self.history.entries]

    def letters(self) -> set[str]:
        """Letters that the user typed, as far as they are to be read."""
        return letters_of(self.mirror)

    def _took(self, entry: Entry, before: Collection[str]) -> None:
        """The entry was just made and what it took out is to be seen."""
        for letter in set(before) - self.letters():
            self.takers[letter].add(entry.key)

    def rebuilt(self, outcome: Rebuilt) -> None:
        """A replay has told which entries do something else than before."""
        self.told = {*outcome.retold, *outcome.entries}


def letters_of(mirror: Mirror) -> set[str]:
    """Letters of users' marks that are to be read in the document, wherever."""
    roots = [s.container for s in mirror.stories()]
    return {c for root in roots for t in root.iter(W_T) for c in (t.text or "") if "\u4e00" <= c < "\u5000"}


def texts(mirror: Mirror) -> list[str]:
    """What the paragraphs of the body say."""
    return [text_of(e) for e in mirror.body.iter(W_P)]


# -- the laws ----------------------------------------------------------------------------------------------------------


def check_letters(session: Session) -> None:
    """What the user typed is there, or a live entry took it out in the open (see above)."""
    live = session.history.live()
    keys = {e.key for e in live}
    missing = {c for c, key in session.typed.items() if key in keys} - session.letters()
    if not missing:
        return
    fresh = _opened(session)
    there: set[str] = set()
    for entry in live:
        fresh.apply(entry.delta)
        now = letters_of(fresh)
        for letter in missing & (there - now):
            if entry.key in session.told:
                session.takers[letter].add(entry.key)
            assert entry.key in session.takers[letter], (
                f"{entry.title} lost what the user typed and does not say so"
            )
        for letter in missing - now:
            assert session.typed[letter] != entry.key, "an edit was carried over without what the user typed"
        there = now
    assert not missing & there


def check_log(session: Session) -> None:
    """The document is what was opened and the live entries' deltas, one after the other."""
    fresh = _opened(session)
    for entry in session.history.live():
        fresh.apply(entry.delta)
    assert canonical(fresh) == canonical(session.mirror)
    assert fresh.body_blocks() == session.mirror.body_blocks()


def check_replay(session: Session) -> None:
    """The document is what comes of doing the live entries on what was opened, as if the others had never been."""
    fresh = _fresh(session)
    assert isinstance(fresh.redo([e.key for e in session.history.live()]), Rebuilt)
    assert canonical(session.mirror) == canonical(fresh.mirror)
    assert session.mirror.body_blocks() == fresh.mirror.body_blocks()


def _opened(session: Session) -> Mirror:
    """The document as it was opened, with every part read: a delta acts on what is known."""
    mirror = Mirror.open(data_of(session.name), session.name)
    for part in mirror.file.parts.values():
        _ = getattr(part, "element", None)
    return mirror


def _fresh(session: Session) -> History:
    """The same entries, none of them done, on the document as it was opened."""
    mirror = _opened(session)
    return History(mirror, [replace(entry, undone=True) for entry in session.history.entries])


def check_conflict(session: Session, conflict: Conflict, wanted: Collection[int]) -> list[int]:
    """A refusal names, of the entries that were to be in the document, those that cannot be, each with its reason, and no other:
    on the document as it was opened the rest can be done, and each that is named cannot. Returns their keys.
    """
    named = sorted({*conflict.dependents, *conflict.lost_keys}, key=_order(session))
    assert named, "a conflict that names nothing"
    assert set(named) <= set(wanted)
    assert len(named) == len(conflict.dependents) + len(conflict.lost_keys)
    assert all(session.history.entry(k).call is not None for k in conflict.dependents)
    assert all(session.history.entry(k).call is None for k in conflict.lost_keys)
    assert len(conflict.reasons) == len(conflict.dependents)
    assert len(conflict.lost_edits) == len(conflict.lost_keys)
    fresh = _fresh(session)
    for key in sorted(wanted, key=_order(session)):
        outcome = fresh.redo([key])
        assert isinstance(outcome, Conflict) == (key in named), (key, named, outcome)
        if isinstance(outcome, Conflict):
            assert (*outcome.dependents, *outcome.lost_keys) == (key,)
    return named


def _order(session: Session) -> Any:
    keys = [e.key for e in session.history.entries]
    return keys.index


# -- what a call acts on -----------------------------------------------------------------------------------------------


def retargeted(
    mirror: Mirror, operation: Operation[Any], rng: random.Random, seed: int | None = None
) -> dict[str, Any]:
    """Parameters of one of the operation's examples (the seed counts them through), with other targets and places."""
    params = dict(example_of(operation, rng.randrange(2**16) if seed is None else seed))
    for name, value in params.items():
        if name == "place" or (isinstance(value, dict) and {"after", "before", "at"} & set(value)):
            params[name] = a_place(mirror, rng) or value
        elif name in operation.wants:
            params[name] = a_target(mirror, operation.wants[name], rng) or value
    if "find" in params and rng.random() < 0.8:
        words = [w for e in mirror.body.iter(W_P) for w in text_of(e).split()]
        if words:
            params["find"] = rng.choice(words)
            params.pop("within", None)
            params.pop("scope", None)
    return params


def example_of(operation: Operation[Any], seed: int) -> Mapping[str, Any]:
    """The parameters of one of an operation's examples that are not refused."""
    found = [e for e in operation.examples if e.raises is None]
    return found[seed % len(found)].params


def a_place(mirror: Mirror, rng: random.Random) -> dict[str, Any] | None:
    blocks = mirror.body_blocks()
    if not blocks or rng.random() < 0.15:
        return {"at": rng.choice(("start", "end"))}
    return {rng.choice(("after", "before")): {"ids": [rng.choice(blocks)]}}


def a_target(mirror: Mirror, wants: Wants, rng: random.Random) -> dict[str, Any] | None:
    match wants:
        case Wants.BLOCKS:
            blocks = mirror.body_blocks()
            if not blocks:
                return None
            at = rng.randrange(len(blocks))
            return {"ids": blocks[at : at + rng.choice((1, 1, 2))]}
        case Wants.PARAGRAPHS | Wants.SPANS:
            return a_text(mirror, rng)
        case Wants.DRAWING | Wants.DRAWINGS:
            return {"picture": rng.choice((1, -1))}
        case _:
            tables = [e for e in mirror.body.iter(W_TBL) if mirror.id_of(e) is not None]
            if not tables:
                return None
            tbl = rng.choice(tables)
            found: dict[str, Any] = {"ids": [mirror.id_of(tbl)]}
            rows = rows_of(tbl)
            if rows and wants not in (Wants.TABLE, Wants.TABLES):
                row = rng.randrange(len(rows))
                found["row"] = row + 1
                if wants is Wants.CELL or (wants is Wants.CELLS and rng.random() < 0.5):
                    found["column"] = rng.randrange(max(len(cells_of(rows[row])), 1)) + 1
            return found


def a_text(mirror: Mirror, rng: random.Random) -> dict[str, Any] | None:
    if rng.random() < 0.15:
        titles = [x.text for x in headings(mirror) if x.text.strip()]
        return rng.choice([{"every": "heading"}, *({"section": t} for t in titles)])
    paragraphs = [e for e in mirror.body.iter(W_P) if mirror.id_of(e) is not None]
    written = [e for e in paragraphs if text_of(e).strip()] if rng.random() < 0.9 else paragraphs
    if not written:
        return None
    element = rng.choice(written)
    target: dict[str, Any] = {"ids": [mirror.id_of(element)]}
    words = text_of(element).split()
    if words and rng.random() < 0.5:
        target |= {"text": rng.choice(words), "nth": 1}
    return target


# -- what must hold of every state -------------------------------------------------------------------------------------


def twice(mirror: Mirror) -> Counter[tuple[str, str]]:
    """Drawing, bookmark and comment ids that are there more than once."""
    found: Counter[tuple[str, str]] = Counter()
    for story in mirror.stories():
        if "#" in story.key:
            continue
        for element in story.container.iter(WP + "docPr"):
            if not any(a.tag == MC + "Fallback" for a in element.iterancestors()):
                found["drawing", element.get("id", "")] += 1
        for name in ("bookmarkStart", "comment"):
            for element in story.container.iter(W + name):
                found[name, element.get(W + "id", "")] += 1
    return Counter({k: n for k, n in found.items() if n > 1})


def check_ids(session: Session) -> None:
    """The mirror's ids are those of the elements that are in the document, one each; so are the file's own."""
    mirror = session.mirror
    seen: dict[str, Any] = {}
    for element, owner in addressable(mirror):
        block = mirror.id_of(element)
        assert block is not None, f"{element.tag} has no id"
        assert block not in seen, f"{block} is there twice"
        seen[block] = element
        assert mirror.element(block) is element
        assert mirror.owner(block) == (mirror.id_of(owner) or block)
    known = set(mirror._elements)  # pyright: ignore[reportPrivateUsage]
    assert known == set(seen), f"ids of what is gone: {sorted(known - set(seen))[:5]}"
    assert len(mirror._ids) == len(seen)  # pyright: ignore[reportPrivateUsage]
    assert not twice(mirror) - session.twice, "an id is used twice"


def addressable(mirror: Mirror) -> Iterator[tuple[Any, Any]]:
    for story in mirror.stories():
        for block in story.container:
            if isinstance(block.tag, str) and block.tag != W + "body":
                yield block, block
                yield from ((inner, block) for inner in inner_elements(block))
