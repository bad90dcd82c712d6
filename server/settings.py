"""What can be set about the server: environment variables `STET_...`, or arguments of the command line.

The endpoint of a language model is not here; `agent.llm` reads `OPENAI_API_KEY`, `OPENAI_BASE_URL` and
`STET_MODEL`.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from agent.document.pictures import MOST_BYTES

MEGABYTE = 1024 * 1024
Names = Annotated[tuple[str, ...], NoDecode]


class Settings(BaseSettings):
    """Settings of one run of the server."""

    model_config = SettingsConfigDict(
        env_prefix="STET_", frozen=True, extra="ignore", use_attribute_docstrings=True
    )

    token: str = Field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    """Secret of this run, served inside the pages; whoever cannot read the pages cannot change anything."""
    allowed_hosts: Names = ()
    """Names, besides `localhost` and IP addresses, under which the server may be called; separated by commas.
    """
    allowed_origins: Names = ()
    """Origins, besides the server's own, whose pages may call it (`http://127.0.0.1:5173`); separated by
    commas.
    """
    upload_limit: int = 50 * MEGABYTE
    """Largest document that is taken, in bytes."""
    picture_limit: int = MOST_BYTES
    """Largest picture that may be attached, in bytes; more than 20 MB is refused in any case."""
    max_sessions: int = 32
    """Documents that are open at the same time."""
    idle_minutes: float = 120
    """A session that no pane follows is closed after this time."""
    evictable_minutes: float = 10
    """When all places are taken, a session that no pane has followed for this long makes room."""
    log_limit: int = 2000
    """Messages that a session keeps for panes that come back; a pane that missed more gets the whole view."""
    backlog_limit: int = 4000
    """Messages that may wait for one pane; more, and its socket is closed so that it comes back and resumes.
    """
    queue_limit: int = 50
    """Requests that may wait in one session."""
    request_limit: int = 20_000
    """Longest request, in characters."""
    hello_seconds: float = 10
    """Time for the first message of a socket."""
    stop_seconds: float = 5
    """After this time a run that was asked to stop is cancelled where it waits."""
    planner: Literal["auto", "local", "llm"] = "auto"
    """auto: a language model if an endpoint is configured, else the planner without one."""
    static: Path = Path(__file__).parent / "static"
    """The built pane."""

    @field_validator("allowed_hosts", "allowed_origins", mode="before")
    @classmethod
    def _separated_by_commas(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value
