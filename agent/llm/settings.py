"""Where the model is and how patient to be with it, read from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from agent.errors import ModelUnavailable

OPENAI = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-6-luna"
"""Asked for at OpenAI when STET_MODEL is not set: the cheap tier, which answers to a schema."""


@dataclass(frozen=True)
class EndpointSettings:
    """One OpenAI-compatible endpoint. The key never shows in a repr, a log or an error."""

    api_key: str = field(default="", repr=False)
    """OPENAI_API_KEY; local servers need none."""
    base_url: str = ""
    """OPENAI_BASE_URL, up to and with `/v1`; empty means OpenAI's own."""
    model: str = ""
    """STET_MODEL; empty means `DEFAULT_MODEL` at OpenAI and the one model that is served elsewhere."""
    timeout: float = 120.0
    """STET_MODEL_TIMEOUT: seconds without a word from the endpoint after which it is given up."""
    retries: int = 2
    """STET_MODEL_RETRIES: how often to send again after a time-out, a lost connection, 429 or 5xx."""
    token_limit: int | None = None
    """STET_MODEL_TOKENS: tokens, asked and answered, that one instruction may cost; None is no limit."""
    call_limit: int | None = None
    """STET_MODEL_CALLS: requests that one instruction may take; None is no limit."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> EndpointSettings:
        """The settings that the environment variables give; one that is no number is refused by name."""
        given = os.environ if environment is None else environment

        def number(name: str) -> float | None:
            text = given.get(name, "").strip()
            if not text:
                return None
            try:
                value = float(text)
            except ValueError:
                value = -1.0
            if value < 0:
                raise ModelUnavailable(f"{name} is {text!r}; it must be a number that is not negative")
            return value

        timeout, retries = number("STET_MODEL_TIMEOUT"), number("STET_MODEL_RETRIES")
        tokens, calls = number("STET_MODEL_TOKENS"), number("STET_MODEL_CALLS")
        return cls(
            api_key=given.get("OPENAI_API_KEY", "").strip(),
            base_url=given.get("OPENAI_BASE_URL", "").strip(),
            model=given.get("STET_MODEL", "").strip(),
            timeout=timeout or cls.timeout,
            retries=cls.retries if retries is None else int(retries),
            token_limit=None if tokens is None else int(tokens),
            call_limit=None if calls is None else int(calls),
        )

    @property
    def configured(self) -> bool:
        """Whether there is an endpoint to ask: a key for OpenAI's, or the address of another."""
        return bool(self.api_key or self.base_url)

    @property
    def url(self) -> str:
        """The base URL that is used."""
        return self.base_url or OPENAI

    @property
    def place(self) -> str:
        """The endpoint as messages name it: scheme and host, without a user name, password or query."""
        parts = urlsplit(self.url)
        host = parts.hostname or self.url
        return f"{parts.scheme}://{host}:{parts.port}" if parts.port else f"{parts.scheme}://{host}"

    @property
    def at_openai(self) -> bool:
        """Whether this is OpenAI's own endpoint, where many models are served and a default makes sense."""
        host = urlsplit(self.url).hostname or ""
        return host == "api.openai.com" or host.endswith(".api.openai.com")

    def without_key(self, text: str) -> str:
        """A text that came from outside, with the key blotted out should it be in there."""
        return text.replace(self.api_key, "[key]") if self.api_key else text
