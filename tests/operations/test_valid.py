"""What is written opens in Word without a repair, as far as that can be shown without Word: no new finding of two
validators and of our own checks, on every example of every operation and on files by others.
"""

from __future__ import annotations

import copy
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import ooxml_integrity
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE as RT

from agent.document.delta import AddPart, InsertBlock
from agent.document.mirror import Mirror
from agent.document.names import R, W
from agent.errors import AgentError, OperationError
from agent.history import run_and_judge
from agent.operations.catalogue import Example, Operation, catalogue
from agent.operations.execution import Execution, execute
from agent.operations.specimens import doc, p
from tests.corpus import corpus_file, manifest
from tests.operations.asked import asked
from tests.operations.package_checks import audited, integrity, problems
from tests.operations.test_content_on_real_files import in_a_table, in_the_body, in_the_text
from tests.operations.test_laws import DONE
from tests.support.sequences import retargeted
from tests.verification.everything import everything

FILES = (
    "ooxml-integrity__base.docx",
    "docx-parse-eval__word_tables.docx",
    "benker__demo_images.docx",
    "python-docx__sct-first-page-hdrftr.docx",
    "python-docx__comments-rich-para.docx",
)
LAYOUT: list[tuple[str, dict[str, Any]]] = [
    ("set_header", {"text": "Confidential"}),
    ("set_footer", {"text": "Version 2"}),
    ("insert_page_number", {}),
    ("set_margins", {"top": "2cm"}),
    ("set_orientation", {"orientation": "landscape"}),
    ("set_properties", {"title": "Annual report"}),
    ("add_comment", {"target": {"paragraph": 1}, "text": "Why?", "author": "Eve"}),
    ("set_alignment", {"target": {"paragraph": 1}, "alignment": "center"}),
    ("set_font", {"target": {"paragraph": 1}, "font": "Arial"}),
    ("move_blocks", {"target": {"paragraph": 1}, "place": {"at": "end"}}),
    ("delete_blocks", {"target": {"paragraph": 1}}),
]
EVERY_EXAMPLE = bool(os.environ.get("STET_AUDIT_EVERY_EXAMPLE"))
"""openxml-audit takes half a second for a file: else it is asked of the first example of operations that make something new."""


def written(
    data: bytes, name: str, params: dict[str, Any], selection: Any = None
) -> tuple[bytes, bytes, Execution]:
    """The file as saved before and after an operation, and what came of it."""
    mirror = Mirror.open(data)
    before = mirror.save()
    execution = execute(mirror, catalogue(), name, params, "1", selection)
    after = mirror.save()
    assert mirror.save() == after, "saved twice, the bytes differ"
    return before, after, execution


def fresh(before: bytes, after: bytes, execution: Execution, folder: Path) -> list[str]:
    """What is wrong with the file afterwards and was not before, and what is lost that nobody asked to lose."""
    found, lost = integrity(before, after, folder)
    if execution.params.get("duplicate"):  # what was wrong with it is wrong with the copy too
        known = {f"{f.code}: {f.message}" for f in ooxml_integrity.check(folder / "before.docx")}
        found = [f for f in found if f not in known]
    found += [f"{f.code}: {f.message}" for f in lost if not asked(f, execution, after)]
    return [*(problems(after) - problems(before)), *found]


def newly_audited(before: bytes, after: bytes, folder: Path) -> list[str]:
    found = audited(after, folder)
    found -= audited(doc(p("x"))(), folder)  # most examples are made from the same template
    found = Counter(
        {f: n for f, n in found.items() if "not in stylesWithEffects" not in f}
    )  # a leftover of Word 2010
    return list(found - audited(before, folder)) if found else []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("valid")


@pytest.mark.parametrize(("op", "example"), DONE)
def test_an_example_makes_no_finding_that_was_not_there_before(
    op: Any, example: Example, folder: Path
) -> None:  # pyright: ignore[reportMissingTypeArgument]
    before, after, execution = written(example.before(), op.name, dict(example.params), example.selection)
    assert not fresh(before, after, execution, folder)
    new = any(isinstance(e, (InsertBlock, AddPart)) for e in execution.delta.edits)
    if EVERY_EXAMPLE or (new and example is next(e for e in op.examples if e.raises is None)):
        assert not newly_audited(before, after, folder)


@pytest.mark.parametrize("name", FILES)
def test_calls_on_a_file_by_others_make_no_finding_that_was_not_there_before(name: str, folder: Path) -> None:
    data = corpus_file(name).read_bytes()
    mirror = Mirror.open(data)
    done: set[str] = set()
    last = before = mirror.save()
    for operation, params in [*in_the_body(mirror), *in_a_table(mirror), *in_the_text(mirror), *LAYOUT]:
        if operation in done:
            continue
        try:
            execution = execute(mirror, catalogue(), operation, params, f"{len(done) + 1}")
        except OperationError:
            continue
        done.add(operation)
        after = mirror.save()
        assert mirror.save() == after, "saved twice, the bytes differ"
        found = fresh(last, after, execution, folder)
        assert not found, f"{operation}: {found}"
        last = after
    assert len(done) >= 12, sorted(done)
    assert not newly_audited(before, last, folder)


def broken(data: bytes, change: Any) -> bytes:
    mirror = Mirror.open(data)
    with mirror.edit("0") as editor:
        change(editor)
    return mirror.save()


@pytest.mark.parametrize(
    "change",
    [
        lambda e: (n := next(e.mirror.body.iter(W + "bookmarkEnd"))).getparent().remove(n),
        lambda e: next(e.mirror.body.iter(W + "hyperlink")).set(R + "id", "rId999"),
        lambda e: e.element("t1").getprevious().append(copy.deepcopy(next(e.mirror.body.iter(W + "drawing")).getparent())),
        lambda e: [tc.remove(q) for tc in [next(e.mirror.body.iter(W + "tc"))] for q in tc.findall(W + "p")],
        lambda e: list(e.mirror.body.iter(W + "fldChar"))[-1].getparent().clear(),
        lambda e: next(e.mirror.body.iter(W + "bookmarkStart")).set(W + "id", "40"),
        lambda e: e.mirror.body.iter(W + "vMerge").__next__().set(W + "val", "continue"),
    ],
)  # fmt: skip
def test_the_checks_see_what_is_broken(change: Any) -> None:
    before = Mirror.open(everything()).save()
    assert problems(broken(everything(), change)) - problems(before)


EVERY_FILE = bool(os.environ.get("STET_EVERY_FILE"))
"""Each operation on each file takes minutes: else an operation is carried out on one, and each on another."""
CORPUS = [row.path for row in manifest() if row.path.suffix == ".docx" and "strict" not in row.path.stem]
"""ooxml-integrity does not read strict files."""


def on_a_file(path: Path, operation: Operation[Any], folder: Path) -> bool:
    """Carry out the operation on a file, by a call of one of its examples that leads to something there, if there is one."""
    mirror = Mirror.open(path.read_bytes())
    before = mirror.save()
    for seed in range(6):
        params = retargeted(mirror, operation, random.Random(seed))
        try:
            execution, verdict = run_and_judge(mirror, catalogue(), operation.name, params, "1")
        except AgentError:
            continue
        if verdict.aligned:
            found = fresh(before, mirror.save(), execution, folder)
            assert not found, f"{path.name} {params}: {found}"
            return True
        mirror.apply(execution.delta.inverse())
    return False


@pytest.mark.parametrize("operation", catalogue().values(), ids=lambda operation: operation.name)
def test_each_operation_on_a_file_by_others_makes_no_finding(operation: Operation[Any], folder: Path) -> None:
    first = list(catalogue()).index(operation.name) * 5 % len(CORPUS)
    done = 0
    for path in [*CORPUS[first:], *CORPUS[:first]]:
        done += on_a_file(path, operation, folder)
        if done and not EVERY_FILE:
            return
    assert done, "no file has what it needs"


def _text_gone(mirror: Mirror, kind: str) -> None:
    rels = mirror.file.document_part.rels.values()
    root: Any = next(r.target_part for r in rels if r.reltype == kind).element  # type: ignore[attr-defined]
    for found in root.iter(W + "t"):
        found.text = ""


LOST: dict[str, tuple[str, dict[str, Any], Any]] = {
    "FID001": ("delete_blocks", {"target": {"ids": ["p4"]}}, lambda m: m.body.remove(m.element("p5"))),
    "FID003": (
        "set_cell_text",
        {"target": {"ids": ["t1"], "row": 1, "column": 1}, "text": ""},
        lambda m: [m.body.remove(m.element(p)) for p in ("p1", "p2", "p3")],
    ),
    "FID004": ("delete_blocks", {"target": {"ids": ["p4"]}}, lambda m: _text_gone(m, RT.COMMENTS)),
    "FID005": (
        "replace_text",
        {"find": "Revenue", "replace": "Income"},
        lambda m: _text_gone(m, RT.FOOTNOTES),
    ),
    "FID007": ("set_footer", {"text": "Version 2"}, lambda m: _text_gone(m, RT.HEADER)),
    "FID009": (
        "replace_text",
        {"find": "Revenue", "replace": "Income"},
        lambda m: setattr(next(next(m.body.iter(W + "ins")).iter(W + "t")), "text", "no"),
    ),
}


@pytest.mark.parametrize("code", LOST)
def test_a_loss_that_was_not_asked_for_is_found(code: str, folder: Path) -> None:
    name, params, lose = LOST[code]
    mirror = Mirror.open(everything())
    before = mirror.save()
    execution = execute(mirror, catalogue(), name, params, "1")
    assert not fresh(before, mirror.save(), execution, folder)
    with mirror.edit("2"):
        lose(mirror)
    assert any(found.startswith(code) for found in fresh(before, mirror.save(), execution, folder))
