"""What the operations on characters share: the runs that a target means, and effects that look at every character of it.

A target with words means these words. One without means whole paragraphs: all their runs (also those of field codes and
note references) and their marks, which is what new text at the end, an empty line and a list's number look like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.document import scopes
from agent.document import text as texts
from agent.document.changes import Change, Dimension, shorten
from agent.document.editor import Editor
from agent.document.names import W_RPR, W
from agent.document.records import Paragraph, record_of
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.targets import Target, TextSpan
from agent.operations.text_effects import in_notes

if TYPE_CHECKING:
    from agent.document.mirror import Mirror


@dataclass(frozen=True)
class Format:
    """One `w:rPr` that is to change, with what tells how its text looks."""

    rpr: Any
    paragraph: Any
    run: Any | None = None
    """None for a paragraph mark."""

    @property
    def text(self) -> str:
        """The run's text; for a paragraph mark, that of its paragraph."""
        if self.run is None:
            return texts.text_of(self.paragraph)
        return "".join(map(texts.node_text, self.run))

    @property
    def is_note(self) -> bool:
        """Whether it is the reference of a foot- or endnote, which is raised by its own style."""
        notes = (W + "footnoteReference", W + "endnoteReference")
        return self.run is not None and any(c.tag in notes for c in self.run)

    @property
    def character_style(self) -> str:
        """Id of the run's character style, or the empty string."""
        found = self.rpr.find(W + "rStyle")
        return found.get(W + "val", "") if found is not None else ""


def formats(editor: Editor, target: Target) -> Iterator[Format]:
    """The character formats of a bound target, made where they are missing; those left empty are to be tidied by `tidy`."""
    for span in Resolver(editor.mirror).spans(target):
        paragraph = editor.element(span.paragraph)
        copy_ = scopes.twin(paragraph)
        yield from _formats_in(editor, paragraph, span, whole=target.text is None)
        if copy_ is not None:
            yield from _formats_in(editor, copy_, span, whole=target.text is None)


def _formats_in(editor: Editor, paragraph: Any, span: TextSpan, *, whole: bool) -> Iterator[Format]:
    runs = texts.runs_of(paragraph) if whole else texts.isolate(paragraph, span.start, span.end)
    for run in runs:
        yield Format(editor.rpr(run), paragraph, run)
    if whole:
        mark = editor.set_property(editor.ppr(paragraph), "rPr", {})
        yield Format(mark, paragraph)


def tidy(editor: Editor, target: Target) -> None:
    """Take out character formats that say nothing, and paragraph formats that held only such a one."""
    for block in target.ids or ():
        paragraph = editor.element(block)
        copy_ = scopes.twin(paragraph)
        held = [r for p in (paragraph, copy_) if p is not None for r in p.iter(W_RPR)]
        for rpr in [r for r in held if not len(r) and r.getparent().tag != W + "rPrChange"]:
            parent = rpr.getparent()
            parent.remove(rpr)
            if parent.tag == W + "pPr" and not len(parent):
                parent.getparent().remove(parent)


Judge = Callable[[Any, str, Mapping[str, str]], "str | None"]
"""(`w:p` as it is afterwards, characters, their direct properties) -> what is wrong with them, or None."""


def characters_pass(
    mirror: Mirror, target: Target, judge: Judge, paths: Sequence[str], says: str
) -> Iterator[Effect]:
    """Every character of the target passes the judge; so do the marks of whole paragraphs. `paths`: what may change, as records
    name it (prefixes).
    """
    spans = Resolver(mirror).spans(target)
    blocks = {s.paragraph for s in spans}
    whole = target.text is None

    def check(after: After) -> str | None:
        for span in spans:
            record = after.paragraph(span.paragraph)
            if record is None:
                return f"paragraph {span.paragraph} is gone"
            element = after.mirror.element(span.paragraph)
            failure = _check_span(record, span, element, judge)
            if failure is None and whole:
                failure = judge(element, record.text, dict(record.mark))
                failure = failure and f"the mark of '{shorten(record.text)}' {failure}"
            if failure:
                return failure
        return None

    def covers(change: Change) -> bool:
        return (
            change.dimension is Dimension.FORMATTING
            and change.target in blocks
            and change.path.removeprefix("mark.").startswith(tuple(paths))
        )

    yield Effect(says, check, covers)
    yield from in_notes(mirror, blocks, covers)


def _check_span(record: Paragraph, span: TextSpan, element: Any, judge: Judge) -> str | None:
    for stretch in record.spans:
        start, end = max(stretch.start, span.start), min(stretch.end, span.end)
        failure = judge(element, record.text[start:end], dict(stretch.properties)) if start < end else None
        if failure:
            return f"'{shorten(record.text[start:end])}' {failure}"
    return None


def before(mirror: Mirror, target: Target) -> dict[str, Paragraph]:
    """What is known of the target's paragraphs now, by id."""
    found = {s.paragraph: record_of(mirror, s.paragraph) for s in Resolver(mirror).spans(target)}
    return {block: record for block, record in found.items() if isinstance(record, Paragraph)}


_COMPLEX = (
    (0x0590, 0x08FF), (0x0900, 0x0DFF), (0x0E00, 0x0FFF), (0x1780, 0x17FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC),
)  # fmt: skip
_EAST_ASIAN = (
    (0x1100, 0x11FF), (0x2E80, 0x9FFF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF), (0x20000, 0x3FFFF),
)  # fmt: skip


def is_complex_script(text: str) -> bool:
    """Whether there are characters that Word formats by the complex-script properties (Hebrew, Arabic, Thai, Hindi, ...)."""
    return _any_in(text, _COMPLEX)


def is_east_asian(text: str) -> bool:
    """Whether there are Chinese, Japanese or Korean characters; they take the `w:eastAsia` font."""
    return _any_in(text, _EAST_ASIAN)


def _any_in(text: str, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(a <= ord(c) <= b for c in text for a, b in ranges)
