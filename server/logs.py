"""What the server says about itself on the terminal: the story of each session, never the text of a document."""

from __future__ import annotations

import logging
from contextvars import ContextVar

session_id: ContextVar[str] = ContextVar("session_id", default="")
"""Session whose command is being carried out. A task that is started on the worker inherits it."""

_QUIET = ("uvicorn", "httpx", "httpcore", "openai", "asyncio")


class _WithSession(logging.Filter):
    """Puts the start of the session's id into each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        session = session_id.get()
        record.session = f" [{session[:6]}]" if session else ""
        return True


def set_up_logging(level: int = logging.INFO) -> None:
    """Log to stderr: time, level, module, session, message."""
    handler = logging.StreamHandler()
    handler.addFilter(_WithSession())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s%(session)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
