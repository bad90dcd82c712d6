"""What the operations on page layout share: the sections that a call means, and an effect on each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.document.changes import Change, Dimension, Kind
from agent.document.sections import PageSection, sections_holding, sections_of
from agent.operations.expectations import After, Effect

if TYPE_CHECKING:
    from agent.document.mirror import Mirror
    from agent.operations.targets import Target


def sections_meant(mirror: Mirror, target: Target | None) -> list[PageSection]:
    """All sections, or those that hold the target."""
    return sections_of(mirror) if target is None else sections_holding(mirror, target.ids or [])


def note_on_target(mirror: Mirror, target: Target | None) -> tuple[str, ...]:
    """A layout is one of whole sections, and a heading is no section break: say so where more pages change than were named."""
    if target is None or len(sections_of(mirror)) > 1:
        return ()
    return ("The document has only one section, so the layout of all its pages changed.",)


def layouts_pass(
    mirror: Mirror,
    target: Target | None,
    check: Callable[[PageSection], str | None],
    paths: tuple[str, ...],
    says: str,
) -> Effect:
    """Every section that is meant passes the check; `paths`: the layout's properties that may change (prefixes)."""
    meant = sections_meant(mirror, target)
    ids = {s.id for s in meant}

    def checked(after: After) -> str | None:
        now = sections_of(after.mirror)
        for section in meant:
            failure = check(now[section.number - 1])
            if failure:
                return failure if len(now) == 1 else f"in section {section.number} {failure}"
        return None

    def covers(change: Change) -> bool:
        if change.dimension is not Dimension.STRUCTURE:
            return False
        if change.path == "section" and change.kind is Kind.ADDED and "" in ids:
            return True
        return change.target in ids and change.path.startswith(paths)

    return Effect(says, checked, covers)
