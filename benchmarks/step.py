"""What one verified step costs, by the size of the document: `make bench-step` (`--json FILE`, `--sizes 10 1000`).

A step is all of it: bind the target, run the operation, read the state, analyse the changes, effects, frame, validity and
the delta. Beside it stands the naive way in the same run: save, open again, read everything with docx2python. Times are
in milliseconds of the clock; each document is measured in a process of its own.

Below the table: a document that is one table of 125,000 elements, steps that touch many blocks, undo of an early step,
what is written after one edit, and memory.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import multiprocessing
import random
import resource
import statistics
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from docx2python import docx2python

from agent.document.delta import Delta
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL
from agent.document.outline import HEADINGS
from agent.document.state import state
from agent.document.text import text_of
from agent.errors import NoOp
from agent.history import History, run_and_judge
from agent.operations.catalogue import catalogue
from agent.steps import Call
from benchmarks.documents import one_table, synthetic
from tests.corpus import corpus_files

SIZES = (10, 100, 1_000, 5_000, 50_000)
STEPS = 400
NAIVE_UP_TO = 5_000
"""Blocks above which the naive way takes minutes; it is left out."""
TABLE_ROWS, TABLE_COLUMNS = 2_500, 10


@dataclass
class Figures:
    """One document; milliseconds, but for `memory` (MB above what an empty document takes) and the ratio."""

    document: str
    blocks: int
    open_and_state: float
    step_p50: float
    step_p99: float
    by_words_p50: float | None
    """A step on a paragraph that is named by words in it: the text has to be searched."""
    rollback_p50: float
    rollback_p99: float
    first_save: float
    save_after_edit: float
    headings: int
    all_headings: float | None
    """One step on every heading."""
    undo_first_of_20: float | None
    """Undo of the first of 20 steps, which runs the 19 others again."""
    memory: float
    naive: float | None
    naive_by_step: float | None
    cells_p50: float | None = None
    """For a document with tables: a step on one cell alone."""
    cells_p99: float | None = None


def main(argv: list[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument(
        "--files", type=Path, nargs="*", default=None, help="default: the two largest corpus files"
    )
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    files = arguments.files
    if files is None:
        files = sorted(corpus_files(), key=_texts)[-2:]
    jobs: list[tuple[str, Any]] = [(f"{n} blocks", n) for n in arguments.sizes]
    jobs += [(path.name, path) for path in files]
    jobs.append((f"a table of {TABLE_ROWS} x {TABLE_COLUMNS}", "table"))
    print(f"{'document':>26} {'blocks':>7} {'open+state':>11} {'step p50':>9} {'p99':>6} {'by words':>9} {'rollback':>9} "
          f"{'p99':>6} {'naive':>7} {'naive/step':>11}")  # fmt: skip
    rows: list[Figures] = []
    for name, source in jobs:
        row = _apart(measure, name, source, arguments.steps)
        rows.append(row)
        print(f"{row.document[:26]:>26} {row.blocks:7} {row.open_and_state:11.1f} {row.step_p50:9.3f} {row.step_p99:6.2f} "
              f"{_said(row.by_words_p50, 9, 3)} {row.rollback_p50:9.3f} {row.rollback_p99:6.2f} {_said(row.naive, 7, 0)} "
              f"{_said(row.naive_by_step, 10, 0)}x", flush=True)  # fmt: skip
    print(f"\n{'document':>26} {'first save':>11} {'after an edit':>14} {'headings':>9} {'all at once':>12} "
          f"{'undo 1st of 20':>15} {'one cell p50':>13} {'p99':>6} {'memory':>10}")  # fmt: skip
    for row in rows:
        print(f"{row.document[:26]:>26} {row.first_save:11.1f} {row.save_after_edit:14.2f} {row.headings:9} "
              f"{_said(row.all_headings, 12, 2)} {_said(row.undo_first_of_20, 15, 2)} {_said(row.cells_p50, 13, 3)} "
              f"{_said(row.cells_p99, 6, 2)} {row.memory:7.0f} MB")  # fmt: skip
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(r) for r in rows], indent=1), encoding="utf-8")


def _texts(path: Path) -> int:
    """How many stretches of text the main part holds; the size of a file is mostly that of its pictures."""
    with zipfile.ZipFile(path) as archive:
        return sum(
            archive.read(n).count(b"</w:t>") for n in archive.namelist() if n.endswith("/document.xml")
        )


def _said(value: float | None, width: int, digits: int) -> str:
    return f"{value:{width}.{digits}f}" if value is not None else f"{'-':>{width}}"


def _apart(function: Callable[..., Figures], *arguments: Any) -> Figures:
    """In a process of its own, so that no document pays for another's memory."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def measure(name: str, source: int | Path | str, steps: int) -> Figures:
    """One document: `steps` calls of several operations on blocks drawn at random, each rolled back afterwards."""
    _open(synthetic(1))  # what is loaded once
    data = one_table(TABLE_ROWS, TABLE_COLUMNS) if isinstance(source, str) else (
        synthetic(source) if isinstance(source, int) else source.read_bytes()
    )  # fmt: skip
    before = _memory()
    opened, mirror = _timed(lambda: _open(data))
    memory = _memory() - before
    gc.collect()
    gc.freeze()  # what the document is made of lives as long as it; see server/workbench.py
    blocks = mirror.body_blocks()
    forward, back = _steps(mirror, _calls(mirror), steps)
    cells, _ = _steps(mirror, calls, steps // 4) if (calls := _cell_calls(mirror)) is not None else ([], [])
    words, _ = _steps(mirror, _by_words(mirror), steps // 4)
    with mirror.edit("first") as editor:
        editor.append_to_body(editor.new_paragraph("Another."))
    first_save = _timed(mirror.save)[0]
    saves: list[float] = []
    for number in range(9):
        with mirror.edit(f"edit{number}") as editor:
            anchor = mirror.element(blocks[number * 7919 % len(blocks)])
            editor.insert_before(anchor, editor.new_paragraph("One edit."))
        saves.append(_timed(mirror.save)[0])
    headings = mirror.index.count(HEADINGS)
    naive = _timed(lambda: _naive(mirror))[0] if len(blocks) <= NAIVE_UP_TO + 1 else None
    median = statistics.median(forward)
    return Figures(
        document=name,
        blocks=len(blocks),
        open_and_state=opened,
        step_p50=median,
        step_p99=_quantile(forward),
        by_words_p50=statistics.median(words) if words else None,
        rollback_p50=statistics.median(back),
        rollback_p99=_quantile(back),
        first_save=first_save,
        save_after_edit=statistics.median(saves),
        headings=headings,
        all_headings=_all_headings(mirror) if headings else None,
        undo_first_of_20=_undo_first(mirror),
        memory=memory,
        naive=naive,
        naive_by_step=naive / median if naive is not None else None,
        cells_p50=statistics.median(cells) if cells else None,
        cells_p99=_quantile(cells) if cells else None,
    )


def _open(data: bytes) -> Mirror:
    mirror = Mirror.open(data)
    state(mirror)
    return mirror


Call_ = tuple[str, dict[str, Any]]


def _steps(mirror: Mirror, call: Callable[[int], Call_], count: int) -> tuple[list[float], list[float]]:
    """Cost of each step, and of taking every second one back; the first tenth only warms up."""
    forward: list[float] = []
    back: list[float] = []
    for number in range(count + count // 10):
        operation, params = call(number)
        try:
            cost, delta = _timed(lambda o=operation, p=params, n=number: _step(mirror, o, p, n))
        except NoOp:
            continue  # it is so already
        undone = _timed(lambda d=delta: mirror.apply(d.inverse()))[0] if number % 2 == 0 else None
        if number >= count // 10:
            forward.append(cost)
            back += [undone] if undone is not None else []
    return forward, back


def _step(mirror: Mirror, operation: str, params: Mapping[str, Any], number: int) -> Delta:
    execution, verdict = run_and_judge(mirror, catalogue(), operation, dict(params), str(number))
    assert verdict.aligned, verdict.explanation
    return execution.delta


def _calls(mirror: Mirror) -> Callable[[int], Call_]:
    """Steps on one block, of different kinds in turn; targets by id, by number and by heading."""
    chance = random.Random(7)
    outside = [b for b in mirror.body_blocks() if mirror.element(b).tag == W_P]
    found = (outside, _paragraphs_in_tables(mirror))
    written = next((w for some in found if (w := [b for b in some if _can_change(mirror, b)])), [])
    headings = _unique_headings(mirror)
    cells = _cell_calls(mirror)

    def call(number: int) -> Call_:
        block = chance.choice(written)
        target = {"ids": [block]}
        way = ("right", "center", "left", "justify")[chance.randrange(4)]
        line = ("single", "double", "dotted", "dashed", "wavy")[chance.randrange(5)]
        match number % 10:
            case 0:
                return "set_alignment", {"target": target, "alignment": way}
            case 1:
                return "set_line_spacing", {"target": target, "spacing": chance.randrange(10, 40) / 10}
            case 2:
                word = text_of(mirror.element(block)).split()[0]
                return "replace_text", {"find": word, "replace": f"New{number}", "nth": 1, "within": target}
            case 3:
                return "add_paragraph", {"place": {"after": target}, "text": f"New text {number}."}
            case 4 if cells is not None:
                return cells(number)
            case 5:
                return "set_font_color", {"target": target, "color": f"#{chance.randrange(1 << 24):06x}"}
            case 6:
                return "set_text_style", {"target": target, "underline": True, "underline_kind": line}
            case 7 if headings:
                return "set_alignment", {"target": {"heading": chance.choice(headings)}, "alignment": way}
            case 8 if len(written) > 5:
                return "delete_blocks", {"target": target}  # is taken back, as all with an even number are
            case _:
                return "set_alignment", {"target": target, "alignment": way}

    return call


_SPECIAL = {
    "fldChar",
    "fldSimple",
    "sdt",
    "ins",
    "del",
    "hyperlink",
    "drawing",
    "pict",
    "sectPr",
    "txbxContent",
}


def _can_change(mirror: Mirror, block: str) -> bool:
    """Whether any of the calls does something there: text of the body, of one kind."""
    element = mirror.element(block)
    inside = {c.tag.rpartition("}")[2] for c in element.iter() if isinstance(c.tag, str)}
    return bool(text_of(element).strip()) and inside.isdisjoint(_SPECIAL)


def _paragraphs_in_tables(mirror: Mirror) -> list[str]:
    return [i for e in mirror.body.iter(W_P) if (i := mirror.id_of(e)) is not None]


def _unique_headings(mirror: Mirror) -> list[str]:
    texts = [b.text.strip() for b in mirror.index.all(HEADINGS)]
    return (
        [t for t in texts if texts.count(t) == 1 and "'" not in t][:300]
        if len(texts) < 10_000
        else texts[:300]
    )


def _cell_calls(mirror: Mirror) -> Callable[[int], Call_] | None:
    """Steps on one cell, by its paragraph or by its table, row and column."""
    chance = random.Random(11)
    tables = [b for b in mirror.body_blocks() if mirror.element(b).tag == W_TBL][:50]
    paragraphs = [(t, e) for t in map(mirror.element, tables) for e in t.iter(W_P) if e.text.strip()]
    cells = [mirror.id_of(e) for t, e in paragraphs if e.getparent().getparent().getparent() is t]
    if not cells:
        return None

    def call(number: int) -> Call_:
        return "set_cell_text", {"target": {"ids": [chance.choice(cells)]}, "text": f"New {number}"}

    return call


def _by_words(mirror: Mirror) -> Callable[[int], Call_]:
    chance = random.Random(13)
    marked = [
        b for b in (mirror.body_blocks() or []) if mirror.element(b).tag == W_P and _can_change(mirror, b)
    ]
    with mirror.edit("words") as editor:
        names: list[str] = []
        for number, block in enumerate(chance.sample(marked, min(20, len(marked)))):
            names.append(f"Marker{number}xyz")
            editor.replace_text(mirror.element(block), 0, 0, names[-1] + " ")
    names = names or ["Last paragraph"]

    def call(number: int) -> Call_:
        return "set_text_style", {
            "target": {"text": chance.choice(names)},
            "underline": True,
            "underline_kind": "wavy",
        }

    return call


def _all_headings(mirror: Mirror) -> float:
    costs: list[float] = []
    for number in range(5):
        params = {"target": {"every": "heading"}, "underline": True, "underline_kind": "dotted"}
        cost, delta = _timed(lambda p=params, n=number: _step(mirror, "set_text_style", p, n))
        costs.append(cost)
        mirror.apply(delta.inverse())
    return statistics.median(costs)


def _undo_first(mirror: Mirror) -> float:
    history = History(mirror)
    call = _calls(mirror)
    for number in range(1_000, 1_400):
        operation, params = call(number)
        if operation not in ("set_alignment", "set_font_color", "set_text_style", "set_line_spacing"):
            continue
        try:
            execution, verdict = run_and_judge(mirror, catalogue(), operation, dict(params), str(number))
        except NoOp:
            continue  # this paragraph has it already
        assert verdict.aligned, verdict.explanation
        bound = Call(operation, execution.params)
        history.append(number, operation, bound, execution.delta, execution.changes)
        if len(history.entries) == 20:
            break
    return _timed(lambda: history.undo([history.entries[0].key]))[0]


def _naive(mirror: Mirror) -> None:
    """What a step costs without a mirror: write the file, open it, read all of it."""
    buffer = io.BytesIO()
    mirror.document.save(buffer)
    buffer.seek(0)
    with docx2python(buffer) as content:
        assert content.text


def _timed(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = function()
    return (time.perf_counter() - start) * 1000, result


def _quantile(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


def _memory() -> float:
    """MB of this process in memory."""
    with Path("/proc/self/statm").open(encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


if __name__ == "__main__":
    main()
