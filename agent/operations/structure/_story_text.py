"""Text of headers and footers: parameters, run and effects of `set_header` and `set_footer`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import field_validator

from agent.document import text as texts
from agent.document.changes import shorten
from agent.document.names import W_P, W_VAL, W
from agent.document.sections import Kind, Story
from agent.operations.catalogue import Result
from agent.operations.expectations import After, Effect, may_add_styles
from agent.operations.structure import _stories as stories
from agent.operations.targets import Params, Target, Wants

if TYPE_CHECKING:
    from agent.document.editor import Editor
    from agent.document.mirror import Mirror


class StoryText(Params):
    text: str
    """What it says; lines become paragraphs, a tab goes to the next tab stop (middle, right edge). Empty takes the text away."""
    kind: Kind = "default"
    """"default": all pages that have no other; "first": only the first page; "even": even pages."""
    mode: Literal["replace", "append"] = "replace"
    """"replace": instead of the text that is there (pictures and page numbers stay); "append": as a further paragraph."""
    alignment: Literal["left", "center", "right"] | None = None
    """Where its lines stand; leave out to keep that of the text before."""
    target: Annotated[Target | None, Wants.BLOCKS] = None
    """Something in the section whose pages are meant; leave out for the whole document."""

    @field_validator("text")
    @classmethod
    def _legal(cls, text: str) -> str:
        return texts.legal(text).replace("\f", "\n").strip("\n")


def lines_of(params: StoryText) -> list[str]:
    """The paragraphs that the text becomes."""
    return params.text.split("\n") if params.text.strip() else []


def set_text(editor: Editor, params: StoryText, story: Story) -> Result:
    """Write the text into every header or footer that is meant."""
    found = stories.places(editor.mirror, params.target, story, params.kind)
    said = list(stories.warnings(editor.mirror, found, story, params.kind))
    lines = lines_of(params)
    for place in found:
        if not lines and stories.root_of(editor.mirror, place, story, params.kind) is None:
            continue
        root = stories.ensure_root(editor, place, story, params.kind)
        if not lines and params.mode == "append":
            continue
        written, stayed = stories.write(editor, root, lines, story, replace=params.mode == "replace")
        stories.align(editor, written, params.alignment)
        said += [
            f"'{shorten(s)}' stayed in the {story}: it has a field, such as the page number." for s in stayed
        ]
    return Result(tuple(dict.fromkeys(said)))


def text_effects(mirror: Mirror, params: StoryText, story: Story) -> Iterable[Effect]:
    """The header or footer reads so, its pictures and fields are all there, and it is shown."""
    found = stories.places(mirror, params.target, story, params.kind)
    lines = lines_of(params)
    before = [_Contents(stories.root_of(mirror, place, story, params.kind)) for place in found]

    def check(after: After) -> str | None:
        for place, was in zip(found, before, strict=True):
            root = stories.root_of(after.mirror, place, story, params.kind)
            if root is None:
                if lines:
                    return f"there is no {story}"
                continue
            now = _Contents(root)
            wanted = lines if params.mode == "replace" else [*was.lines, *lines]
            if now.lines != wanted:
                return f"the {story} reads '{shorten(' / '.join(now.lines), 80)}' and not '{shorten(' / '.join(wanted), 80)}'"
            if now.objects != was.objects:
                return f"the {story} has {now.objects} pictures and not {was.objects}"
            if now.fields != was.fields:
                return f"the fields of the {story} changed"
            failure = now.misaligned(lines, params.alignment) or stories.shown(
                after.mirror, place, params.kind
            )
            if failure and lines:
                return failure
        return None

    yield Effect(
        f"the {story} says '{shorten(params.text)}'", check, stories.covers(mirror, found, story, params.kind)
    )
    yield may_add_styles()


class _Contents:
    """What is in a header or footer (or in none)."""

    def __init__(self, root: Any | None) -> None:
        self.paragraphs = [p for p in root.iter(W_P) if not _is_special(p)] if root is not None else []
        self.lines = [t for p in self.paragraphs if (t := texts.text_of(p)).strip()]
        """Texts outside of text boxes and of paragraphs with fields."""
        self.objects = (
            sum(1 for _ in root.iter(W + "drawing", W + "pict", W + "object")) if root is not None else 0
        )
        self.fields = stories.field_codes(root) if root is not None else []

    def misaligned(self, lines: list[str], alignment: str | None) -> str | None:
        for p in self.paragraphs:
            jc = p.find(f"{W}pPr/{W}jc")
            found = jc.get(W_VAL) if jc is not None else None
            if alignment is not None and texts.text_of(p) in lines and found != alignment:
                return f"'{shorten(texts.text_of(p))}' is not aligned {alignment}"
        return None


def _is_special(paragraph: Any) -> bool:
    """In a text box, or one with a field (also a field in a content control around it)."""
    boxed = any(a.tag == W + "txbxContent" for a in paragraph.iterancestors())
    control = next((a for a in paragraph.iterancestors() if a.tag in (W + "sdt", W + "tbl")), None)
    return boxed or stories.has_field(control if control is not None else paragraph)
