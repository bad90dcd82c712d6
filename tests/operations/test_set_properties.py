from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx
import pytest
from lxml import etree

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.errors import InvalidValue
from agent.operations.specimens import doc, p
from tests.corpus import manifest
from tests.operations.trial import attempt


def without_properties() -> Mirror:
    source = zipfile.ZipFile(io.BytesIO(doc(p("One."))()))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "docProps/core.xml":
                continue
            if name == "_rels/.rels":
                links = etree.fromstring(data)
                for link in [x for x in links if x.get("Type", "").endswith("core-properties")]:
                    links.remove(link)
                data = etree.tostring(links)
            target.writestr(name, data)
    return Mirror.open(buffer.getvalue())


def test_a_file_without_properties_gets_the_part() -> None:
    mirror = without_properties()
    done = attempt(mirror, "set_properties", {"title": "Annual report", "author": "Ann Lee"})
    assert explain(done.changes) == (
        "The document's title is now 'Annual report'; the document's author is now 'Ann Lee'; nothing else changed."
    )
    core = docx.Document(io.BytesIO(mirror.save())).core_properties
    assert (core.title, core.author, core.last_modified_by) == ("Annual report", "Ann Lee", "")


def test_python_docx_reads_what_was_set_and_the_rest_is_as_it_was() -> None:
    mirror = Mirror.open(doc(p("One."))())
    before = docx.Document(io.BytesIO(mirror.save())).core_properties
    wanted = {"title": "A & B", "subject": "S", "keywords": "k, l", "category": "C", "comments": "N"}
    attempt(mirror, "set_properties", wanted)
    core = docx.Document(io.BytesIO(mirror.save())).core_properties
    assert {name: getattr(core, name) for name in wanted} == wanted
    assert (core.author, core.created) == (before.author, before.created)


def test_own_properties_are_added_changed_and_taken_out() -> None:
    mirror = Mirror.open(doc(p("One."))())
    attempt(mirror, "set_properties", {"custom": {"Client": "Acme", "Project": "P1"}}, key="1")
    done = attempt(mirror, "set_properties", {"custom": {"client": "Globex", "Project": ""}}, key="2")
    assert "property Client is now 'Globex'" in explain(done.changes)
    xml = zipfile.ZipFile(io.BytesIO(mirror.save())).read("docProps/custom.xml").decode()
    assert "Globex" in xml
    assert "Project" not in xml
    assert xml.count('pid="2"') == 1


def test_long_values_and_nameless_properties_are_refused() -> None:
    mirror = Mirror.open(doc(p("One."))())
    for params in ({"title": "x" * 256}, {"custom": {" ": "x"}}, {}):
        with pytest.raises(InvalidValue):
            attempt(mirror, "set_properties", params)


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_properties_of_documents_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    attempt(
        mirror,
        "set_properties",
        {"title": "New title 17", "keywords": "a, b", "custom": {"Client": "Acme 17"}},
    )
