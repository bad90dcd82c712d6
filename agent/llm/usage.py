"""What the model cost: tokens and time of each request, in total, and the limit that the user set."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.errors import BudgetExhausted


@dataclass(frozen=True)
class CallUsage:
    """One request and its answer."""

    prompt: str
    """Name of the question."""
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    """Of the prompt's tokens, those that the provider had in its prefix cache."""
    estimated: bool = False
    """The endpoint reported no usage: tokens are guessed from the length of the texts."""
    seconds: float = 0.0
    first_token_seconds: float | None = None
    """Until the first piece of the answer came; None if it came in one."""


@dataclass
class Usage:
    """A ledger of requests."""

    calls: list[CallUsage] = field(default_factory=list[CallUsage])

    @property
    def prompt_tokens(self) -> int:
        return sum(call.prompt_tokens for call in self.calls)

    @property
    def completion_tokens(self) -> int:
        return sum(call.completion_tokens for call in self.calls)

    @property
    def cached_tokens(self) -> int:
        return sum(call.cached_tokens for call in self.calls)

    @property
    def tokens(self) -> int:
        """Asked and answered together."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def estimated(self) -> bool:
        """Whether any figure in the totals is a guess."""
        return any(call.estimated for call in self.calls)


@dataclass(frozen=True)
class Budget:
    """The most that may be spent; None is no limit."""

    tokens: int | None = None
    calls: int | None = None

    def check(self, usage: Usage) -> None:
        """Refuse the next request if the ledger has reached a limit."""
        if self.calls is not None and len(usage.calls) >= self.calls:
            raise BudgetExhausted(
                f"the limit of {self.calls} requests to the model is reached; raise STET_MODEL_CALLS to go on"
            )
        if self.tokens is not None and usage.tokens >= self.tokens:
            about = "about " if usage.estimated else ""
            raise BudgetExhausted(
                f"the limit of {self.tokens} tokens is reached ({about}{usage.tokens} used); "
                "raise STET_MODEL_TOKENS to go on"
            )


def estimate_tokens(text: str) -> int:
    """Tokens of a text, roughly: four bytes a token, which is right within a quarter for English."""
    return -(-len(text.encode("utf-8")) // 4)
