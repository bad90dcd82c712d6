"""Nothing else changed: every edit of the delta is accounted for, or the step is rolled back and says what it found.

Accounted for are: changes that an effect of the operation covers; parts of the kinds that the operation declared; and
what follows by itself (ids, relationships and content types of declared parts).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.document.changes import Change
from agent.document.delta import (
    AddPart,
    ChangeRelationship,
    Delta,
    InsertBlock,
    RemoveBlock,
    RemovePart,
    ReplaceAttributes,
    ReplaceBlob,
    ReplaceBlock,
    ReplaceInside,
)
from agent.document.mirror import Mirror
from agent.document.names import MC, W
from agent.document.unseen import unseen_changes
from agent.operations.expectations import Effect

_KINDS = (
    ("styles", "styles."), ("numbering", "numbering."), ("settings", "settings."), ("comments", "comments"),
    ("headers", "header"), ("footers", "footer"), ("notes", "footnotes."), ("notes", "endnotes."),
    ("properties", "core."), ("properties", "app."), ("properties", "custom."), ("theme", "theme"),
    ("fonts", "fontTable."), ("people", "people."), ("charts", "chart"), ("charts", "Microsoft_Excel"), ("macros", "vba"),
)  # fmt: skip

_NOT_REFERRED_TO = frozenset(
    ("styles", "numbering", "settings", "comments", "notes", "properties", "theme", "fonts", "people")
)
"""Parts that a relationship makes part of the document by its type alone; of all others some element says where they belong."""


def part_kind(name: str) -> str:
    """The kind of a part by its name: "body", "styles", "media", ..."""
    folder, _, file = name.rpartition("/")
    if folder.endswith("/media"):
        return "media"
    if folder.endswith(("/charts", "/embeddings")):
        return "charts"
    if folder.endswith("/fonts"):
        return "fonts"
    if folder.startswith("/customXml"):
        return "custom XML"
    for kind, start in _KINDS:
        if file.startswith(start):
            return kind
    return "body"


def outside(
    mirror: Mirror,
    delta: Delta,
    changes: Sequence[Change],
    effects: Sequence[Effect],
    touches: frozenset[str],
) -> list[str]:
    """What happened that nobody declared, in sentences; empty if nothing."""
    main = str(mirror.file.document_part.partname)
    found = unseen_changes(mirror, delta)
    found += [change.explain() for change in changes if not any(effect.covers(change) for effect in effects)]
    found += [
        f"the part {name} changed"
        for name in sorted(delta.parts())
        if name != main and part_kind(name) not in touches
    ]
    for edit in delta.edits:
        if isinstance(edit, (AddPart, RemovePart)) and part_kind(edit.name) not in touches:
            verb = "was added" if isinstance(edit, AddPart) else "was dropped"
            found.append(f"the part {edit.name} {verb}")
        elif isinstance(edit, RemovePart) and _still_needed(mirror, edit.name):
            found.append(f"the part {edit.name} was dropped, and the document still refers to what was in it")
        elif isinstance(edit, ReplaceBlob) and part_kind(edit.name) == "media":
            # whatever shows this picture now shows another one: a new picture is a new part
            found.append(f"the picture {edit.name} was exchanged")
        elif isinstance(edit, ReplaceAttributes) and _attributes_lost(edit):
            found.append(f"the attributes of {edit.story.partition('#')[0]} changed")
        elif isinstance(edit, ChangeRelationship):
            found += _relationship(edit, delta, touches)
    return list(dict.fromkeys(found))


def _still_needed(mirror: Mirror, name: str) -> bool:
    """Whether the body refers to comments or notes, whose part is found by its type and not by an id."""
    file = name.rpartition("/")[2]
    kind = next((k for k in ("comment", "footnote", "endnote") if file.startswith(f"{k}s.")), None)
    return kind is not None and bool(mirror.nodes(f"{W}{kind}Reference"))


def _attributes_lost(edit: ReplaceAttributes) -> bool:
    """More than extensions declared ignorable, which new content needs."""
    before, after = dict(edit.before), dict(edit.after)
    was, now = (set(found.pop(MC + "Ignorable", "").split()) for found in (before, after))
    return before != after or not was <= now


def _relationship(edit: ChangeRelationship, delta: Delta, touches: frozenset[str]) -> Iterator[str]:
    """A relationship comes with what refers to it, or with a part that was declared; it never gets another target."""
    if edit.before is not None and edit.after is not None:
        yield f"the relationship {edit.id} of {edit.source} leads elsewhere"
        return
    rel = edit.after or edit.before
    if rel is None or _referred(edit, delta):
        return
    if not rel.external and part_kind(rel.target) in touches and part_kind(rel.target) in _NOT_REFERRED_TO:
        return
    yield f"{edit.source} {'refers' if edit.after else 'no longer refers'} to {rel.target}"


def _referred(edit: ChangeRelationship, delta: Delta) -> bool:
    """Whether something that came (or went) with this change refers to the relationship."""
    wanted = f'"{edit.id}"'.encode()
    for other in delta.edits:
        match other:
            case (
                ReplaceBlock(story=story, before=before, after=after)
                | ReplaceInside(story=story, before=before, after=after)
            ):
                if story.partition("#")[0] == edit.source and wanted in (after if edit.after else before).xml:
                    return True
            case InsertBlock(story=story, image=image) | RemoveBlock(story=story, image=image):
                if story.partition("#")[0] == edit.source and wanted in image.xml:
                    return True
            case AddPart(name=name) | RemovePart(name=name):
                if name == edit.source:
                    return True
            case _:
                pass
    return False
