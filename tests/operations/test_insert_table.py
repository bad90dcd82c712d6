from __future__ import annotations

from pathlib import Path

import pytest

from agent.document.grid import Grid, cell_text
from agent.document.layout import text_width
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL, W
from agent.errors import InvalidValue, OperationError
from agent.operations.specimens import Piece, doc, p, section, table
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt


def opened(*pieces: Piece) -> Mirror:
    return Mirror.open(doc(*pieces)())


def test_a_table_in_a_cell_is_closed_by_a_paragraph_and_fits_the_cell() -> None:
    mirror = opened(table([["a", "b"], ["c", "d"]]))
    attempt(mirror, "insert_table", {"rows": 2, "columns": 2, "cell": {"table": 1, "row": 2, "column": 2}})
    outer = mirror.body.find(W_TBL)
    tc = Grid(outer).cells[1][1].tc
    assert [e.tag for e in tc if e.tag in (W_P, W_TBL)] == [W_P, W_TBL, W_P]
    inner = tc.find(W_TBL)
    assert sum(int(c.get(W + "w")) for c in inner.iter(W + "gridCol")) <= text_width(mirror, inner)


def test_a_second_table_in_the_same_cell_does_not_touch_the_first() -> None:
    mirror = opened(table([[""]]))
    for key in ("8", "9"):
        attempt(mirror, "insert_table", {"data": [[key]], "cell": {"table": 1, "row": 1, "column": 1}}, key)
    tc = Grid(mirror.body.find(W_TBL)).cells[0][0].tc
    assert [e.tag for e in tc if e.tag in (W_P, W_TBL)] == [W_TBL, W_P, W_TBL, W_P]


def test_a_table_beside_a_paragraph_of_a_cell_goes_into_the_cell() -> None:
    mirror = opened(table([["a", "b"]]))
    paragraph = mirror.id_of(next(mirror.body.iter(W_P)))
    attempt(mirror, "insert_table", {"data": [["x"]], "place": {"after": {"ids": [paragraph]}}})
    assert cell_text(Grid(mirror.body.find(W_TBL)).cells[0][0].tc) == "a\nx\n"


def test_a_table_between_two_tables_touches_neither() -> None:
    mirror = opened(table([["a"]]), p("between"), table([["b"]]))
    attempt(mirror, "insert_table", {"data": [["x"]], "place": {"before": {"table": 2}}})
    tags = [e.tag for e in mirror.body.iterchildren(W_P, W_TBL)]
    assert tags == [W_TBL, W_P, W_TBL, W_P, W_TBL]


def test_a_table_at_the_start_and_in_an_empty_document_has_a_paragraph_behind_it() -> None:
    mirror = opened()
    attempt(mirror, "insert_table", {"data": [["x"]], "place": {"at": "start"}})
    assert [e.tag for e in mirror.body.iterchildren(W_P, W_TBL)] == [W_TBL, W_P]
    mirror = opened(table([["a"]]))
    attempt(mirror, "insert_table", {"data": [["x"]], "place": {"at": "start"}})
    assert [e.tag for e in mirror.body.iterchildren(W_P, W_TBL)] == [W_TBL, W_P, W_TBL]


def test_the_widths_are_those_of_the_section_that_the_table_lies_in() -> None:
    mirror = opened(p("portrait"), section(landscape=True), p("landscape"))
    for words in ("portrait", "landscape"):
        attempt(mirror, "insert_table", {"rows": 1, "columns": 3, "place": {"after": {"text": words}}}, words)
    first, second = (sum(int(c.get(W + "w")) for c in t.iter(W + "gridCol")) for t in mirror.body.iter(W_TBL))
    assert first == 8640
    assert second == 12240 - 0 - 2 * 1800 + 3600  # Letter turned: 15840 wide less the same margins


def test_widths_in_per_cent_and_lengths_are_taken_as_they_are_given() -> None:
    mirror = opened(p("x"))
    attempt(mirror, "insert_table", {"rows": 1, "columns": 2, "column_widths": ["25%", "5cm"]})
    assert [int(c.get(W + "w")) for c in mirror.body.iter(W + "gridCol")] == [2160, 2835]


@pytest.mark.parametrize("widths", [["3cm"], ["wide", "3cm"], ["x%", "1cm"], ["0pt", "1cm"]])
def test_widths_that_make_no_sense_are_refused(widths: list[str]) -> None:
    mirror = opened(p("x"))
    with pytest.raises(InvalidValue):
        attempt(mirror, "insert_table", {"rows": 1, "columns": 2, "column_widths": widths})


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_a_table_at_both_ends_of_a_document_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    call = {"header": ["Name", "Sum"], "data": [["a", "1"], ["b"]]}
    attempt(mirror, "insert_table", {**call, "place": {"at": "start"}}, "8")
    attempt(mirror, "insert_table", {**call, "place": {"at": "end"}}, "9")


def test_a_table_next_to_every_block_of_a_contract() -> None:
    mirror = Mirror.open(corpus_file("ooxml-integrity__base.docx").read_bytes())
    for number, block in enumerate(mirror.body_blocks()):
        for side in ("before", "after"):
            try:
                attempt(
                    mirror,
                    "insert_table",
                    {"data": [["x"]], "place": {side: {"ids": [block]}}},
                    f"{number}{side[0]}",
                )
            except OperationError as error:
                pytest.fail(f"{side} {block}: {error}")
