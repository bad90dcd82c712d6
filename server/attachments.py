"""Pictures that the user gives along with requests: checked by their content, kept in the mirror by their names.

A name is a label that requests and the log say; it stands for the same bytes as long as a step names it. So a second
picture of the same name gets a number, and one that is taken away is kept, out of sight, if a step has used it.
"""

from __future__ import annotations

from agent.document.mirror import Mirror
from agent.document.pictures import read_picture
from agent.errors import AgentError
from server.uploads import picture_label

MOST = 20
"""Pictures that a document may have attached at a time, those that only its log still names included."""


class TooManyAttachments(AgentError):
    """One more picture than is kept for a document."""

    code = "TOO_MANY_ATTACHMENTS"


class NoSuchAttachment(AgentError):
    """No picture of that name is attached."""

    code = "ATTACHMENT_UNKNOWN"


def checked_label(name: str, data: bytes) -> str:
    """The name that a picture goes by. Raises InvalidValue if Word could not show it.

    Decodes the whole picture, so it takes a moment.
    """
    label = picture_label(name)
    read_picture(label, data)
    return label


def attach(mirror: Mirror, label: str, data: bytes) -> str:
    """Keep a checked picture; the same one twice is one. Returns its name, with a number if another has it already."""
    for name, known in mirror.attachments.items():
        if known == data and name.casefold() == label.casefold():
            return name
    for name, known in mirror.withdrawn.items():
        if known == data and name.casefold() == label.casefold():
            mirror.attachments[name] = mirror.withdrawn.pop(name)
            return name
    if len(mirror.attachments) + len(mirror.withdrawn) >= MOST:
        raise TooManyAttachments(
            f"{MOST} pictures are attached already, as many as are kept for a document; remove one first."
        )
    name = _free(label, {known.casefold() for known in (*mirror.attachments, *mirror.withdrawn)})
    mirror.attachments[name] = data
    return name


def detach(mirror: Mirror, name: str, *, keep: bool) -> None:
    """Take a picture away. `keep`: a step names it, and must find it when it is run again."""
    data = mirror.attachments.pop(name, None)
    if data is None:
        raise NoSuchAttachment(f"No picture '{name[:80]}' is attached.")
    if keep:
        mirror.withdrawn[name] = data


def _free(label: str, taken: set[str]) -> str:
    stem, dot, extension = label.rpartition(".")
    if not dot:
        stem, extension = label, ""
    name, number = label, 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem} ({number}){dot}{extension}"
    return name
