"""Files that others made, open in the fake Word: the server and the pane count the same blocks and read the same
texts, and a change of a paragraph and of a table is written, and taken back, with nothing else changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from agent.document.mirror import Mirror
from agent.document.names import W_T
from server.hosts.push_plan import plan_push
from server.hosts.word_blocks import Leaf, leaves
from tests.corpus import manifest
from tests.e2e.fake_word import HostAlone, host_alone
from tests.server.paper_word import Seen, body_of

pytestmark = pytest.mark.browser

FILES = [row.path for row in manifest() if "strict" not in row.path.name]
"""Word hands a strict file out as a transitional one; the fake cannot."""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """One page for all: each test loads it anew."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_others_is_read_alike_changed_and_changed_back(page: Page, path: Path) -> None:
    host = host_alone(page, path.read_bytes())
    # From here on Word's own file counts: it always ends with a paragraph.
    mirror = Mirror.open(host.word.bytes())
    body = all_leaves(mirror)
    assert page.evaluate("(texts) => differences(texts)", [leaf.text for leaf in body]) == []
    before = body_of(mirror)

    with mirror.edit("1") as editor:
        for leaf in chosen(body):
            text = next(leaf.element.iter(W_T))
            text.text = f"{text.text} changed"
    if not editor.delta:
        return  # pictures alone; that they are counted alike is all there is to say
    push(host, mirror, editor.delta, 1)
    assert body_in(host) == without_last_empty(body_of(mirror))

    back = editor.delta.inverse()
    mirror.apply(back)
    push(host, mirror, back, 2)
    assert body_in(host) == without_last_empty(before)


def push(host: HostAlone, mirror: Mirror, delta: object, number: int) -> None:
    operations = [operation.model_dump() for operation in plan_push(mirror, delta)]  # pyright: ignore[reportArgumentType]
    answer = host.push(*operations, number=number)
    assert answer["outcome"] == "applied", answer


def all_leaves(mirror: Mirror) -> list[Leaf]:
    return [leaf for block in mirror.body_blocks() for leaf in leaves(block, mirror.element(block))]


def chosen(body: list[Leaf]) -> list[Leaf]:
    """The first paragraph and the first table that have text."""
    with_text = [
        leaf for leaf in body if leaf.text.strip() and next(leaf.element.iter(W_T), None) is not None
    ]
    kinds = {leaf.is_table: leaf for leaf in reversed(with_text)}
    return list(kinds.values())


def body_in(host: HostAlone) -> list[Seen]:
    return without_last_empty(body_of(Mirror.open(host.word.bytes())))


def without_last_empty(body: list[Seen]) -> list[Seen]:
    """Word keeps an empty paragraph when the last one is replaced."""
    return body[:-1] if not body[-1].text else body
