"""What one verified step costs, by the size of the document: `make bench-step` (`--json FILE`, `--sizes 10 1000`).

A step is all of it: bind the target, run the operation, read the state, analyse the changes, effects, frame and
validity. Beside it stands the naive way in the same run: save, open again, read everything with docx2python. Times are
processor time, in milliseconds.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from docx2python import docx2python

from agent.document.delta import Delta
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL
from agent.document.state import state
from agent.operations.catalogue import catalogue
from agent.operations.execution import execute
from agent.verification.code_verdict import judge
from benchmarks.documents import synthetic

SIZES = (10, 100, 1_000, 5_000, 50_000)
STEPS = 200
NAIVE_UP_TO = 5_000
"""Above this the naive way takes minutes; it is left out."""


@dataclass
class Figures:
    """One row of the table; milliseconds of processor time."""

    document: str
    blocks: int
    open_and_state: float
    step_p50: float
    step_p99: float
    rollback_p50: float
    rollback_p99: float
    save: float
    naive: float | None
    naive_by_step: float | None


def main(argv: list[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--files", type=Path, nargs="*", default=[])
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    rows: list[Figures] = []
    print(f"{'document':>24} {'blocks':>7} {'open+state':>11} {'step p50':>9} {'p99':>7} {'rollback':>9} {'p99':>7} "
          f"{'save':>8} {'naive':>9} {'naive/step':>11}")  # fmt: skip
    named = [(f"{n} blocks", lambda n=n: synthetic(n)) for n in arguments.sizes]
    named += [(path.name, path.read_bytes) for path in arguments.files]
    for name, make in named:
        row = measure(name, make(), arguments.steps)
        rows.append(row)
        naive = f"{row.naive:9.0f}" if row.naive is not None else f"{'-':>9}"
        ratio = f"{row.naive_by_step:10.0f}x" if row.naive_by_step is not None else f"{'-':>11}"
        print(f"{row.document[:24]:>24} {row.blocks:7} {row.open_and_state:11.1f} {row.step_p50:9.3f} {row.step_p99:7.2f} "
              f"{row.rollback_p50:9.3f} {row.rollback_p99:7.2f} {row.save:8.1f} {naive} {ratio}", flush=True)  # fmt: skip
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(r) for r in rows], indent=1), encoding="utf-8")


def measure(name: str, data: bytes, steps: int) -> Figures:
    """One document: `steps` calls of several operations on blocks drawn at random, each rolled back afterwards."""
    opened, mirror = _timed(lambda: _open(data))
    calls = _calls(mirror)
    forward: list[float] = []
    back: list[float] = []
    for number in range(steps):
        operation, params = calls(number)
        cost, delta = _timed(lambda o=operation, p=params, n=number: _step(mirror, o, p, n))
        if delta is not None:
            forward.append(cost)
            back.append(_timed(lambda d=delta: mirror.apply(d.inverse()))[0])
    with mirror.edit("last") as editor:
        editor.insert_before(mirror.body[0], editor.new_paragraph("One edit."))
    saved, _ = _timed(mirror.save)
    blocks = len(mirror.body_blocks())
    naive = _timed(lambda: _naive(mirror))[0] if blocks <= NAIVE_UP_TO + 1 else None
    median = statistics.median(forward)
    return Figures(
        name,
        blocks,
        opened,
        median,
        _quantile(forward),
        statistics.median(back),
        _quantile(back),
        saved,
        naive,
        naive / median if naive is not None else None,
    )


def _open(data: bytes) -> Mirror:
    mirror = Mirror.open(data)
    state(mirror)
    return mirror


def _step(mirror: Mirror, operation: str, params: dict[str, Any], number: int) -> Delta | None:
    execution = execute(mirror, catalogue(), operation, params, str(number))
    verdict = judge(mirror, execution)
    assert verdict.aligned, verdict.explanation
    return execution.delta


def _calls(mirror: Mirror) -> Callable[[int], tuple[str, dict[str, Any]]]:
    chance = random.Random(7)
    paragraphs = [b for b in mirror.body_blocks() if mirror.element(b).tag == W_P]
    cells = [b for t in mirror.body_blocks() if mirror.element(t).tag == W_TBL for b in _cells(mirror, t)][
        :500
    ]

    def call(number: int) -> tuple[str, dict[str, Any]]:
        target = {"ids": [chance.choice(paragraphs)]}
        match number % 5:
            case 0:
                return "set_alignment", {"target": target, "alignment": "right"}
            case 1:
                return "set_text_style", {"target": target, "underline": True}
            case 2:
                return "add_paragraph", {"place": {"after": target}, "text": f"New text {number}."}
            case 3 if cells:
                return "set_cell_text", {"target": {"ids": [chance.choice(cells)]}, "text": f"New {number}"}
            case _:
                return "set_font_color", {"target": target, "color": "purple"}

    return call


def _cells(mirror: Mirror, table: str) -> list[str]:
    return [i for e in mirror.element(table).iter(W_P) if (i := mirror.id_of(e)) is not None]


def _naive(mirror: Mirror) -> None:
    """What a step costs without a mirror: write the file, open it, read all of it."""
    buffer = io.BytesIO()
    mirror.document.save(buffer)
    buffer.seek(0)
    with docx2python(buffer) as content:
        assert content.text


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return (time.process_time() - start) * 1000, result


def _quantile(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


if __name__ == "__main__":
    main()
