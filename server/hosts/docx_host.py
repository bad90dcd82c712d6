"""A document that is a .docx file or the server's own copy of one: what the mirror holds is the document."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from agent.errors import CapabilityUnavailable, DocumentError
from server.hosts.host import HostKind

if TYPE_CHECKING:
    from agent.document.delta import Delta
    from server.protocol import PushResult


class DocxHost:
    """The server's own copy. There is nowhere to push to: what was verified on the mirror is done."""

    kind: HostKind = "playground"

    async def push(self, step: int, delta: Delta) -> None:
        """Nothing to do: the mirror is the document."""

    async def catch_up(self) -> Delta | None:
        """Nobody else can write to this document."""
        return None

    async def take_reading(self, data: bytes) -> Delta | None:
        """Refused: nobody else can write to this document."""
        raise CapabilityUnavailable(
            "This document is held by the server itself; there is nothing to read from Word."
        )

    def pushed(self, result: PushResult) -> None:
        """Ignored: nothing was pushed."""

    def reading_arrived(self, data: bytes) -> bool:
        """Never asked for."""
        return False

    def pane_left(self) -> None:
        """Nothing waits for the pane."""


def read_docx(path: Path) -> bytes:
    """The bytes of a file that a person named. Raises `DocumentError` if it cannot be read."""
    if path.is_char_device() or path.is_block_device():
        raise DocumentError(f"{path} is a device, not a document.")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise DocumentError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise DocumentError(f"{path} is a folder, not a document.") from None
    except OSError as error:
        raise DocumentError(f"{path} cannot be read: {error.strerror or error}.") from error


def write_docx(path: Path, data: bytes) -> None:
    """Write a document whole or not at all: to a new file beside it, then renamed over it.

    Raises `DocumentError` with a sentence if it cannot be written; what was there before is then untouched.
    """
    target = path.resolve() if path.is_symlink() else path
    if os.path.lexists(target) and not target.is_file():
        raise DocumentError(f"{path} cannot be written: it is not a regular file.")
    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=".stet-", suffix=".docx", delete=False
        ) as file:
            temporary = Path(file.name)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode_of(target))
        temporary.replace(target)
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        raise DocumentError(f"{path} cannot be written: {error.strerror or error}.") from error


def _mode_of(path: Path) -> int:
    """Permissions of a file that is replaced; for a new one, what the umask leaves (temporary files are
    0600).
    """
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask
