"""The order of a story's blocks in chunks, and what is known of many blocks, kept while the document changes.

What depends on many blocks (reading order, headings, which table is the third, which ids are in use) is not stored with
them: it is put together from summaries of blocks, chunk by chunk. A change of one block costs that block and its chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Generic, TypeVar

from agent.document.breaks import take_break

T = TypeVar("T")
C = TypeVar("C")
_SIZE = 128
"""Blocks in a new chunk; one with twice as many is split."""


def _always() -> None:
    return None


@dataclass(frozen=True, eq=False)
class Summary(Generic[T, C]):
    """Something that is known of each block, and of a chunk by putting that together."""

    of_block: Callable[[Any, str, Any], T]
    """Reads it, from the mirror, the block's id and its element."""
    combine: Callable[[Iterable[T]], C]
    """What the values of neighbouring blocks come to."""
    depends: Callable[[Any], Hashable] | None = None
    """What it depends on besides the block, from the mirror (a version of styles, for example)."""


def listed(
    of_block: Callable[[Any, str, Any], Sequence[T]], depends: Callable[[Any], Hashable] | None = None
) -> Summary[Sequence[T], list[T]]:
    """A summary that lists what is in the blocks, in order."""
    return Summary(of_block, lambda values: list(chain.from_iterable(values)), depends)


@lru_cache(maxsize=64)
def nodes(tags: tuple[str, ...]) -> Summary[Sequence[Any], list[Any]]:
    """The elements with these tags."""
    return listed(lambda mirror, block, element: tuple(element.iter(*tags)))


class Chunk:
    """A stretch of neighbouring blocks."""

    __slots__ = ("blocks", "known", "stamp")

    def __init__(self, blocks: list[str], stamp: int) -> None:
        self.blocks = blocks
        self.known: dict[Any, Any] = {}
        """Summary to its value; emptied when one of the blocks changes."""
        self.stamp = stamp
        """Another number after any change of its blocks, unique in its index."""


class Index:
    """The blocks of one story in order: finding a neighbour, inserting and removing cost a chunk, not the document."""

    def __init__(self, mirror: Any, blocks: Sequence[str]) -> None:
        self._mirror = mirror
        self._stamp = 0
        self.chunks: list[Chunk] = []
        self._home: dict[str, Chunk] = {}
        self._of_block: dict[Any, dict[str, Any]] = {}
        self._whole: dict[Any, Any] = {}
        self._depends: dict[Any, Hashable] = {}
        self._checked: dict[Any, int] = {}  # `Mirror.elsewhere` when that was looked at
        self._last: str | None = None  # the block that changed last, if nothing was asked since
        self._dirty: dict[Any, set[str]] = {}  # by summary, blocks that changed since it was asked for
        for at in range(0, len(blocks), _SIZE):
            self._add_chunk(len(self.chunks), list(blocks[at : at + _SIZE]))
        if not self.chunks:
            self._add_chunk(0, [])

    def __contains__(self, block: str) -> bool:
        return block in self._home

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(chunk.blocks for chunk in self.chunks)

    def __len__(self) -> int:
        return len(self._home)

    # -- told by the mirror --------------------------------------------------------------------------------------------

    def touch(self, block: str | None) -> None:
        """A block changed; None: something between the blocks did."""
        if block is not None and block == self._last:
            return
        self._stamp += 1
        self._last = block
        if block is None:
            self._of_block.clear()
            self._dirty.clear()
            for chunk in self.chunks:
                self._stale(chunk)
        else:
            chunk = self._home.get(block)
            if chunk is not None:
                chunk.stamp = self._stamp
                for dirty in self._dirty.values():
                    dirty.add(block)

    def insert(self, block: str, previous: str | None) -> None:
        """A block is new behind another (None: at the start)."""
        if previous is None:
            chunk, at = self.chunks[0], 0
        else:
            chunk = self._home[previous]
            at = chunk.blocks.index(previous) + 1
        self._last = None
        chunk.blocks.insert(at, block)
        self._home[block] = chunk
        self._forget(block)
        self._stale(chunk)
        if len(chunk.blocks) > 2 * _SIZE:
            tail = chunk.blocks[_SIZE:]
            del chunk.blocks[_SIZE:]
            self._add_chunk(self.chunks.index(chunk) + 1, tail)

    def remove(self, block: str) -> None:
        """A block is gone."""
        self._last = None
        chunk = self._home.pop(block)
        chunk.blocks.remove(block)
        self._forget(block)
        self._stale(chunk)
        if not chunk.blocks and len(self.chunks) > 1:
            self.chunks.remove(chunk)
            self._whole.clear()

    def _add_chunk(self, at: int, blocks: list[str]) -> None:
        self._stamp += 1
        chunk = Chunk(blocks, self._stamp)
        self.chunks.insert(at, chunk)
        self._home.update(dict.fromkeys(blocks, chunk))

    def _forget(self, block: str) -> None:
        for summary, known in self._of_block.items():
            known.pop(block, None)
            self._dirty[summary].discard(block)

    def _stale(self, chunk: Chunk) -> None:
        self._stamp += 1
        chunk.stamp = self._stamp
        chunk.known.clear()
        self._whole.clear()

    def stamped(self) -> list[Chunk]:
        """The chunks in order, for those who remember their stamps."""
        self._last = None
        return self.chunks

    # -- asked ---------------------------------------------------------------------------------------------------------

    def of_block(self, summary: Summary[T, C], block: str) -> T:
        """What a summary says of one block."""
        known = self._upheld(summary)
        if block in self._dirty[summary]:
            self._renew(summary, known, block)
        return self._block(summary, known, block)

    def of_chunk(self, summary: Summary[T, C], chunk: Chunk) -> C:
        """What a summary says of a chunk. Not to be changed by the caller."""
        known = self._current(summary)
        return chunk.known[summary] if summary in chunk.known else self._combined(summary, known, chunk)

    def of_chunks(self, summary: Summary[T, C]) -> Iterator[C]:
        """What a summary says of each chunk, in order."""
        known = self._current(summary)
        for chunk in self.chunks:
            yield chunk.known[summary] if summary in chunk.known else self._combined(summary, known, chunk)

    def all(self, summary: Summary[Sequence[T], list[T]]) -> list[T]:
        """What a listing summary finds in all blocks, in order. Not to be changed by the caller."""
        self._current(summary)
        if summary not in self._whole:
            self._whole[summary] = list(chain.from_iterable(self.of_chunks(summary)))
        return self._whole[summary]

    def nth(self, summary: Summary[Sequence[T], list[T]], number: int) -> T | None:
        """What people call number 1, 2, ..., or -1 for the last, of what a listing summary finds; None if there are fewer."""
        left = abs(number)
        for chunk in self.chunks if number > 0 else reversed(self.chunks):
            found = self.of_chunk(summary, chunk)
            if left <= len(found):
                return found[left - 1 if number > 0 else -left]
            left -= len(found)
        return None

    def count(self, summary: Summary[Sequence[T], list[T]]) -> int:
        """How many a listing summary finds."""
        return sum(map(len, self.of_chunks(summary)))

    def position(self, block: str) -> int:
        """How many blocks stand before it."""
        home, at = self._home[block], 0
        for chunk in self.chunks:
            if chunk is home:
                break
            at += len(chunk.blocks)
        return at + home.blocks.index(block)

    def behind(self, block: str) -> Iterator[str]:
        """The blocks behind a block, the next one first."""
        chunk = self._home[block]
        yield from chunk.blocks[chunk.blocks.index(block) + 1 :]
        for later in self.chunks[self.chunks.index(chunk) + 1 :]:
            yield from later.blocks

    def before(self, block: str) -> Iterator[str]:
        """The blocks before a block, the nearest one first."""
        chunk = self._home[block]
        yield from reversed(chunk.blocks[: chunk.blocks.index(block)])
        for earlier in reversed(self.chunks[: self.chunks.index(chunk)]):
            yield from reversed(earlier.blocks)

    def backwards(self) -> Iterator[str]:
        """All blocks, the last one first."""
        return chain.from_iterable(reversed(chunk.blocks) for chunk in reversed(self.chunks))

    def audit(self) -> None:
        """Ask for everything once more. Raises AssertionError if something is not what is remembered."""
        for summary in list(self._of_block):
            known = self._current(summary)
            for block, value in known.items():
                assert block in self._home, f"what was known of {block} outlived it"
                again = summary.of_block(self._mirror, block, self._mirror.element(block))
                assert again == value, f"what is known of {block} is stale"
            for chunk in self.chunks:
                if summary in chunk.known:
                    again = summary.combine(known[b] for b in chunk.blocks)
                    assert chunk.known[summary] == again, f"what is known of {chunk.blocks[:1]} is stale"

    def _upheld(self, summary: Summary[Any, Any]) -> dict[str, Any]:
        """What is known of blocks, emptied if what it depends on is another now."""
        self._last = None
        known = self._of_block.get(summary)
        if known is None:
            known = self._of_block[summary] = {}
            self._dirty[summary] = set()
        elsewhere = self._mirror.elsewhere
        if summary.depends is not None and self._checked.get(summary) != elsewhere:
            self._checked[summary] = elsewhere
            now = summary.depends(self._mirror)
            then = self._depends.get(summary, _always)
            if then is not now and then != now:
                self._depends[summary] = now
                known.clear()
                self._whole.pop(summary, None)
                for chunk in self.chunks:
                    chunk.known.pop(summary, None)
        return known

    def _current(self, summary: Summary[Any, Any]) -> dict[str, Any]:
        """The same, with all that changed since read again."""
        known = self._upheld(summary)
        while dirty := self._dirty[summary]:
            self._renew(summary, known, next(iter(dirty)))
        return known

    def _renew(self, summary: Summary[Any, Any], known: dict[str, Any], block: str) -> None:
        """Read a block that changed. If that leaves what is known of it as it was, it holds for its chunk too."""
        self._dirty[summary].discard(block)
        before = known.pop(block, _always)
        if before is _always or self._block(summary, known, block) != before:
            self._home[block].known.pop(summary, None)
            self._whole.pop(summary, None)

    def _combined(self, summary: Summary[Any, C], known: dict[str, Any], chunk: Chunk) -> C:
        take_break()
        found = summary.combine([self._block(summary, known, b) for b in chunk.blocks])
        chunk.known[summary] = found
        return found

    def _block(self, summary: Summary[T, Any], known: dict[str, Any], block: str) -> T:
        if block not in known:
            known[block] = summary.of_block(self._mirror, block, self._mirror.element(block))
        return known[block]
