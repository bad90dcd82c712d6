"""The files that `stet run` is given, checked before any work is done: what it would write must be its own to write."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from agent.document.mirror import Mirror
from agent.errors import DocumentError

_SUFFIXES = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml": ".docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml": ".dotx",
    "application/vnd.ms-word.document.macroEnabled.main+xml": ".docm",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml": ".dotm",
}
"""Content type of the main part to the extension under which Word opens such a file (ECMA-376 part 1, 11.3.10;
MS-OE376 for those with macros)."""
_KINDS = {
    ".docx": "a Word document",
    ".dotx": "a Word template",
    ".docm": "a macro-enabled Word document",
    ".dotm": "a macro-enabled Word template",
}


def check_names(document: Path, output: Path, events: Path | None, pictures: Sequence[Path]) -> None:
    """Raises `DocumentError` if what would be written is something else that was named, or cannot be written there.

    The output may be the document itself: that is how a file is edited in place.
    """
    if events is not None:
        _not_among(events, "the events", [document, output, *pictures])
    _not_among(output, "the result", pictures)
    _check_output(output)


def check_extension(mirror: Mirror, output: Path) -> None:
    """Raises `DocumentError` if Word would not open the document under the output's extension."""
    suffix = _SUFFIXES.get(str(mirror.file.document_part.content_type))
    given = output.suffix.lower()
    if suffix is None and given in _KINDS:
        return
    if suffix is None or given != suffix:
        fits = suffix or ".docx"
        raise DocumentError(
            f"{output} cannot be written: {mirror.name} is {_KINDS[fits]}, which Word opens only under a name "
            f"that ends in {fits}; use {output.with_suffix(fits)}."
        )


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, also by links, and also if it is not there yet."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _not_among(written: Path, what: str, others: Iterable[Path]) -> None:
    for other in others:
        if is_same_file(written, other):
            raise DocumentError(f"{what.capitalize()} cannot be written to {written}: it is {other} itself.")


def _check_output(output: Path) -> None:
    target = Path(os.path.realpath(output))
    reason = ""
    if target.is_dir():
        reason = "it is a folder"
    elif os.path.lexists(target) and not target.is_file():
        reason = "it is not a regular file"
    elif not target.parent.is_dir():
        reason = f"there is no folder {output.parent}"
    elif target.exists() and not os.access(target, os.W_OK):
        reason = "it is write-protected"
    else:
        try:
            tempfile.NamedTemporaryFile(dir=target.parent, prefix=".stet-").close()
        except OSError as error:
            reason = error.strerror or str(error)
    if reason:
        raise DocumentError(f"{output} cannot be written: {reason}.")
