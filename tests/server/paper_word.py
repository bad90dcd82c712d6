"""Word on paper: the body as a row of looks, to which pushes are done as the protocol says, and no more.

What a browser's Word would do with a package is in `taskpane/test/fake-word`; here only the contract counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent.document.adopt import list_digests
from agent.document.mirror import Mirror
from agent.document.records import read
from server.hosts.reading import look
from server.hosts.word_blocks import leaves
from server.protocol import PushOperation
from tests.support.flat_package import docx_of_package


@dataclass(frozen=True)
class Seen:
    """A paragraph or table as a person sees it."""

    text: str
    look: object


def body_of(mirror: Mirror) -> list[Seen]:
    """The paragraphs and tables of a document, in order."""
    lists = list_digests(mirror)
    return [
        Seen(leaf.text, look(mirror, lists, read(mirror, leaf.element)))
        for block in mirror.body_blocks()
        for leaf in leaves(block, mirror.element(block))
    ]


class PaperWord:
    """A document that pushes are done to."""

    def __init__(self, data: bytes) -> None:
        self.body = body_of(Mirror.open(data))

    def do(self, operations: list[PushOperation]) -> None:
        """Every operation, in the order that it came in; anything that does not fit fails."""
        limit = len(self.body)
        for operation in operations:
            start, end = operation.index, operation.index + len(operation.expect)
            assert end <= limit, "operations come bottom-up and apart"
            assert [seen.text for seen in self.body[start:end]] == operation.expect
            assert operation.before == (self.body[start - 1].text if start else None)
            assert operation.after == (self.body[end].text if end < len(self.body) else None)
            new = self._unpacked(operation)
            assert [seen.text for seen in new] == operation.result
            self.body[start:end] = new
            limit = start

    @staticmethod
    def _unpacked(operation: PushOperation) -> list[Seen]:
        if not operation.ooxml:
            return []
        *blocks, last = body_of(Mirror.open(docx_of_package(operation.ooxml)))
        assert last.text == "", "a package ends with a paragraph that nobody misses"
        return blocks
