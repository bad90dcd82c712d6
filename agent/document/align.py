"""Two lists of blocks aligned by content: which one of the new list is which one of the old, wherever it stands now."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from agent.document.words import tokens

_MOST = 40_000  # old blocks times new blocks that are compared each with each
_ALIKE = 0.4  # below that two blocks that stand in the same place are taken for two
_MOVED = 0.75  # a block that stands elsewhere and was changed besides must be more alike than that
_WORDS = 20  # letters that a text must have to be known again elsewhere


@dataclass(frozen=True)
class Item:
    """What is known of a block when it looks for its counterpart."""

    key: Hashable
    """Equal for blocks with the same content."""
    kind: str
    """Blocks of different kinds are never the same one."""
    text: str = ""
    hint: str = ""
    """A name that the file gives it (`w14:paraId`); counts only where it is unique in both lists."""


def match(old: Sequence[Item], new: Sequence[Item]) -> dict[int, int]:
    """Places in the new list to places in the old one, for every block that is in both."""
    pairs = dict(_in_order([i.key for i in old], [i.key for i in new], 0, 0))
    _moved(old, new, pairs)
    _hinted(old, new, pairs)
    for a, b in _gaps(old, new, pairs):
        pairs.update(_most_alike(old, new, a, b))
    _moved_and_changed(old, new, pairs)
    return pairs


def staying(places: Sequence[int]) -> set[int]:
    """The longest row of places that rise: those need not move, all others do."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for i, place in enumerate(places):
        at = bisect_left(tails, place)
        before.append(last[at - 1] if at else -1)
        if at == len(tails):
            tails.append(place)
            last.append(i)
        else:
            tails[at], last[at] = place, i
    found: set[int] = set()
    i = last[-1] if last else -1
    while i >= 0:
        found.add(places[i])
        i = before[i]
    return found


def _in_order(a: Sequence[Hashable], b: Sequence[Hashable], i0: int, j0: int) -> Iterator[tuple[int, int]]:
    """Equal blocks in their order: the common ends, then what is unique in both lists (patience), then between those."""
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        yield j0 + head, i0 + head
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
        yield j0 + len(b) - tail, i0 + len(a) - tail
    a, b, i0, j0 = a[head : len(a) - tail], b[head : len(b) - tail], i0 + head, j0 + head
    if not a or not b:
        return
    once_a, once_b = Counter(a), Counter(b)
    at = {key: i for i, key in enumerate(a) if once_a[key] == 1}
    common = [(at[key], j) for j, key in enumerate(b) if once_b[key] == 1 and key in at]
    stay = staying([i for i, _ in common])
    anchors = [(i, j) for i, j in common if i in stay]
    if anchors:
        i = j = 0
        for next_i, next_j in [*anchors, (len(a), len(b))]:
            yield from _in_order(a[i:next_i], b[j:next_j], i0 + i, j0 + j)
            if next_i < len(a):
                yield j0 + next_j, i0 + next_i
            i, j = next_i + 1, next_j + 1
    elif len(a) * len(b) <= _MOST:
        for m in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
            yield from ((j0 + m.b + n, i0 + m.a + n) for n in range(m.size))


def _left(old: Sequence[Item], new: Sequence[Item], pairs: dict[int, int]) -> tuple[list[int], list[int]]:
    taken = set(pairs.values())
    return [i for i in range(len(old)) if i not in taken], [j for j in range(len(new)) if j not in pairs]


def _moved(old: Sequence[Item], new: Sequence[Item], pairs: dict[int, int]) -> None:
    """Equal blocks that stand elsewhere; those without text are no more one than another."""
    left, fresh = _left(old, new, pairs)
    places: dict[Hashable, list[int]] = {}
    for i in reversed(left):
        if old[i].text.strip():
            places.setdefault(old[i].key, []).append(i)
    for j in fresh:
        if places.get(new[j].key):
            pairs[j] = places[new[j].key].pop()


def _hinted(old: Sequence[Item], new: Sequence[Item], pairs: dict[int, int]) -> None:
    left, fresh = _left(old, new, pairs)
    names, others = Counter(i.hint for i in old), Counter(i.hint for i in new)
    at = {old[i].hint: i for i in left if old[i].hint and names[old[i].hint] == 1}
    for j in fresh:
        i = at.get(new[j].hint) if others[new[j].hint] == 1 else None
        if i is not None and old[i].kind == new[j].kind and likeness(old[i].text, new[j].text) >= _ALIKE:
            pairs[j] = i


def _gaps(
    old: Sequence[Item], new: Sequence[Item], pairs: dict[int, int]
) -> Iterator[tuple[list[int], list[int]]]:
    """What is left between two neighbouring blocks that keep their order."""
    stay = staying([pairs[j] for j in sorted(pairs)])
    anchors = sorted((i, j) for j, i in pairs.items() if i in stay)
    taken = set(pairs.values())
    i = j = 0
    for next_i, next_j in [*anchors, (len(old), len(new))]:
        a = [n for n in range(i, next_i) if n not in taken]
        b = [n for n in range(j, next_j) if n not in pairs]
        if a and b:
            yield a, b
        i, j = next_i + 1, next_j + 1


def _most_alike(old: Sequence[Item], new: Sequence[Item], a: list[int], b: list[int]) -> dict[int, int]:
    """Blocks of one place, in their order, so that the sum of likenesses is greatest."""
    if len(a) * len(b) > _MOST:
        return {j: i for i, j in zip(a, b, strict=False) if old[i].kind == new[j].kind}
    if len(a) == len(b) and all(old[i].kind == new[j].kind for i, j in zip(a, b, strict=True)):
        even = True
    else:
        even = False
    best = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    alike: dict[tuple[int, int], float] = {}
    for m in range(len(a) - 1, -1, -1):
        for n in range(len(b) - 1, -1, -1):
            one, other = old[a[m]], new[b[n]]
            score = likeness(one.text, other.text) if one.kind == other.kind else 0.0
            if score >= _ALIKE:
                alike[m, n] = score
            best[m][n] = max(best[m + 1][n], best[m][n + 1], best[m + 1][n + 1] + alike.get((m, n), 0.0))
    found: dict[int, int] = {}
    m = n = 0
    while m < len(a) and n < len(b):
        if (m, n) in alike and best[m][n] == best[m + 1][n + 1] + alike[m, n]:
            found[b[n]] = a[m]
            m, n = m + 1, n + 1
        elif best[m][n] == best[m + 1][n]:
            m += 1
        else:
            n += 1
    if even and not any(abs(a.index(i) - b.index(j)) for j, i in found.items()):
        return dict(zip(b, a, strict=True))  # as many as before, none of them moved: each written anew
    return found


def _moved_and_changed(old: Sequence[Item], new: Sequence[Item], pairs: dict[int, int]) -> None:
    left, fresh = _left(old, new, pairs)
    left = [i for i in left if len(old[i].text) >= _WORDS]
    fresh = [j for j in fresh if len(new[j].text) >= _WORDS]
    if len(left) * len(fresh) > _MOST // 10:
        return
    scores = sorted(
        (
            (likeness(old[i].text, new[j].text), i, j)
            for i in left
            for j in fresh
            if old[i].kind == new[j].kind
        ),
        key=lambda s: (-s[0], s[1], s[2]),
    )
    taken: set[int] = set()
    for score, i, j in scores:
        if score >= _MOVED and i not in taken and j not in pairs:
            pairs[j] = i
            taken.add(i)


def likeness(one: str, other: str) -> float:
    """From 0 to 1: how much of two texts is the same; short ones by letters, others by words."""
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    if max(len(one), len(other)) <= 60:
        return SequenceMatcher(None, one, other, autojunk=False).ratio()
    a, b = Counter(_words(one)), Counter(_words(other))
    return 2 * sum((a & b).values()) / max(1, sum(a.values()) + sum(b.values()))


def _words(text: str) -> list[str]:
    return [w for w in tokens(text[:4000]) if not w.isspace()]
