"""`Llm.ask`: a question in, a typed answer out, with one chance to mend it and a ledger of what it cost."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from agent.errors import ModelRefused, ModelUnparseable
from agent.llm.abilities import Messages, schema_in_words
from agent.llm.answers import Answer, AnswerFormat, Unreadable
from agent.llm.endpoint import Endpoint, Reply
from agent.llm.settings import EndpointSettings
from agent.llm.usage import Budget, CallUsage, Usage, estimate_tokens

log = logging.getLogger(__name__)


class Question(Protocol):
    """What can be asked: a rendered prompt."""

    @property
    def name(self) -> str:
        """Name of the question; also the name of the answer's format."""
        ...

    def messages(self) -> Sequence[dict[str, str]]:
        """`role` and `content` of each message: the unchanging part as system, the changing part as user."""
        ...


class Llm:
    """A language model to ask. Cheap to make from another one: `with_budget` shares its endpoint."""

    def __init__(
        self, settings: EndpointSettings, *, budget: Budget | None = None, endpoint: Endpoint | None = None
    ) -> None:
        self.settings = settings
        self.endpoint = endpoint or Endpoint(settings)
        self.budget = budget or Budget(settings.token_limit, settings.call_limit)
        self.usage = Usage()

    def with_budget(self, budget: Budget | None = None) -> Llm:
        """The same model with a new ledger, for one instruction; the default budget is the settings'."""
        return Llm(self.settings, budget=budget, endpoint=self.endpoint)

    async def close(self) -> None:
        """Close the connections to the endpoint."""
        await self.endpoint.close()

    async def ask(
        self, prompt: Question, answer: type[Answer], *, heard: Callable[[str], None] | None = None
    ) -> Answer:
        """The model's answer to a prompt. `heard` is given each piece of it as it arrives.

        An answer that does not fit is sent back once with what is wrong with it. Cancelling the task that
        waits here closes the request at once. Raises `ModelError`.
        """
        wanted = AnswerFormat.of(answer, prompt.name)
        messages = prompt.messages()
        reply = await self._exchange(prompt.name, messages, wanted, heard)
        try:
            return wanted.read(reply.text, complete=reply.complete)
        except Unreadable as problem:
            log.info("%s: the answer did not fit %s; asking once more", prompt.name, answer.__name__)
            log.debug("%s: %s", prompt.name, problem)
            if "{" not in reply.text:
                self.endpoint.schema_was_ignored()
            mended = [*messages, *_ask_again(reply, problem, wanted)]
        reply = await self._exchange(prompt.name, mended, wanted, heard)
        try:
            return wanted.read(reply.text, complete=reply.complete)
        except Unreadable as problem:
            raise ModelUnparseable(
                f"the model's answer to {prompt.name!r} is not usable, also after it was told why: {problem}"
            ) from problem

    async def _exchange(
        self,
        name: str,
        messages: Messages,
        wanted: AnswerFormat[Answer],
        heard: Callable[[str], None] | None,
    ) -> Reply:
        self.budget.check(self.usage)
        reply = await self.endpoint.exchange(messages, wanted, heard)
        self.usage.calls.append(_usage(name, messages, reply))
        spent = self.usage.calls[-1]
        log.debug(
            "%s: %d tokens asked (%d cached), %d answered, %.1f s",
            *(name, spent.prompt_tokens, spent.cached_tokens, spent.completion_tokens, spent.seconds),
        )
        if reply.refusal or reply.finish == "content_filter":
            raise ModelRefused(
                f"the model declined to answer: {reply.refusal or 'its content filter stopped the answer'}"
            )
        return reply


def _ask_again(reply: Reply, problem: Unreadable, wanted: AnswerFormat[Answer]) -> list[dict[str, str]]:
    return [
        {"role": "assistant", "content": reply.text or "(nothing)"},
        {"role": "user", "content": f"That answer cannot be used: {problem}.\n{schema_in_words(wanted)}"},
    ]


def _usage(name: str, messages: Messages, reply: Reply) -> CallUsage:
    told = reply.usage
    if told is None:
        asked = sum(estimate_tokens(message["content"]) for message in messages)
        return CallUsage(
            name, asked, estimate_tokens(reply.text), 0, True, reply.seconds, reply.first_token_seconds
        )
    details = told.prompt_tokens_details
    return CallUsage(
        prompt=name,
        prompt_tokens=told.prompt_tokens,
        completion_tokens=told.completion_tokens,
        cached_tokens=(details.cached_tokens or 0) if details else 0,
        seconds=reply.seconds,
        first_token_seconds=reply.first_token_seconds,
    )
