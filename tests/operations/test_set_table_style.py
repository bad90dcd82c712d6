from __future__ import annotations

from pathlib import Path

import pytest
from openxml_audit import OpenXmlValidator

from agent.document.mirror import Mirror
from agent.document.names import W_TBL, W_VAL, W
from agent.document.styles import find_style
from agent.document.table_styles import modern_table_styles
from agent.errors import NoOp
from agent.operations.specimens import doc, p, table
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt


def test_a_style_that_the_file_lacks_comes_with_the_style_it_is_based_on() -> None:
    mirror = Mirror.open(corpus_file("benker__demo.docx").read_bytes())
    assert find_style(mirror, "Medium Grid 3 Accent 2", "table") is None
    attempt(mirror, "set_table_style", {"target": {"table": 1}, "style": "Medium Grid 3 - Accent 2"})
    assert find_style(mirror, "Medium Grid 3 Accent 2", "table") is not None


def test_the_flags_of_an_old_file_that_has_only_the_number_are_kept() -> None:
    mirror = Mirror.open(doc(table([["a"]]))())
    look = next(mirror.body.iter(W + "tblLook"))
    for name in list(look.attrib):
        del look.attrib[name]
    look.set(W_VAL, "0160")
    mirror._dirty.add("/word/document.xml")  # pyright: ignore[reportPrivateUsage]
    mirror = Mirror.open(mirror.save())
    execution = attempt(mirror, "set_table_style", {"target": {"table": 1}, "first_column": True})
    assert [c.path for c in execution.changes] == ["tblLook.firstColumn"]
    assert next(mirror.body.iter(W + "tblLook")).get(W_VAL) == "01E0"


def test_cells_with_colours_of_their_own_are_told_of() -> None:
    mirror = Mirror.open(doc(table([["a"]]))())
    attempt(mirror, "set_cell_shading", {"target": {"table": 1}, "color": "red"}, "8")
    execution = attempt(mirror, "set_table_style", {"target": {"table": 1}, "style": "Light List"})
    assert "of its own" in execution.warnings[0]


def test_what_is_so_already_is_no_change() -> None:
    mirror = Mirror.open(doc(p("x"), table([["a"]]))())
    with pytest.raises(NoOp):
        attempt(
            mirror, "set_table_style", {"target": {"table": 1}, "style": "table grid", "header_row": True}
        )


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_all_tables_of_documents_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    if next(mirror.body.iter(W_TBL), None) is None:
        pytest.skip("no tables")
    call = {
        "target": {"every": "table"},
        "style": "Colorful List Accent 5",
        "total_row": True,
        "banded_columns": True,
    }
    attempt(mirror, "set_table_style", call)


def test_the_styles_of_newer_word_versions_are_made_and_valid(tmp_path: Path) -> None:
    mirror = Mirror.open(doc(table([["Item", "Cost"], ["Rent", "9"], ["Food", "2"], ["Total", "11"]]))())
    names = [n for _, n in modern_table_styles()]
    assert len(names) == 104
    with mirror.edit("1") as editor:
        for name in names:
            editor.ensure_style(name, "table")
    for number, name in enumerate(names[::20]):
        attempt(mirror, "set_table_style", {"target": {"table": 1}, "style": name}, f"{number}")
    path = tmp_path / "styles.docx"
    path.write_bytes(mirror.save())
    errors = [str(e) for e in OpenXmlValidator(max_errors=50).validate(path).errors]
    assert not [e for e in errors if "stylesWithEffects" not in e]


def test_a_style_is_found_by_the_name_in_the_gallery() -> None:
    mirror = Mirror.open(doc(table([["Item", "Cost"]]))())
    for number, name in enumerate(["Grid Table 4 - Accent 1", "Table Grid Light", "List Table 3 – Accent 6"]):
        attempt(mirror, "set_table_style", {"target": {"table": 1}, "style": name}, f"{number}")
    assert next(mirror.body.iter(W + "tblStyle")).get(W_VAL) == "ListTable3-Accent6"
