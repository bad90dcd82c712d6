"""Nothing else changed: every edit of the delta is accounted for, or the step is rolled back and says what it found.

Accounted for are: changes that an effect of the operation covers; parts of the kinds that the operation declared; and
what follows by itself (ids, relationships and content types of declared parts).
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.document.changes import Change
from agent.document.delta import AddPart, Delta, RemovePart
from agent.document.mirror import Mirror
from agent.operations.expectations import Effect

_KINDS = (
    ("styles", "styles."), ("numbering", "numbering."), ("settings", "settings."), ("comments", "comments"),
    ("headers", "header"), ("footers", "footer"), ("notes", "footnotes."), ("notes", "endnotes."),
    ("properties", "core."), ("properties", "app."), ("properties", "custom."), ("theme", "theme"),
    ("fonts", "fontTable."), ("people", "people."), ("charts", "chart"), ("charts", "Microsoft_Excel"),
)  # fmt: skip


def part_kind(name: str) -> str:
    """The kind of a part by its name: "body", "styles", "media", ..."""
    folder, _, file = name.rpartition("/")
    if folder.endswith("/media"):
        return "media"
    if folder.endswith(("/charts", "/embeddings")):
        return "charts"
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
    found = [change.explain() for change in changes if not any(effect.covers(change) for effect in effects)]
    found += [
        f"the part {name} changed"
        for name in sorted(delta.parts())
        if name != main and part_kind(name) not in touches
    ]
    for edit in delta.edits:
        if isinstance(edit, (AddPart, RemovePart)) and part_kind(edit.name) not in touches:
            verb = "was added" if isinstance(edit, AddPart) else "was dropped"
            found.append(f"the part {edit.name} {verb}")
    return list(dict.fromkeys(found))
