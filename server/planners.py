"""Who plans: a language model if an endpoint is configured, else the planner without one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from agent.agent import Agent, Pusher
from agent.errors import ModelUnavailable
from agent.llm import DEFAULT_MODEL, EndpointSettings, Llm
from agent.operations.catalogue import catalogue
from agent.planning.llm_planner import LlmPlanner
from agent.verification.llm_verifier import LlmVerifier

PlannerName = Literal["local", "llm"]
MakeAgent = Callable[[Pusher | None], Agent]
"""Makes the agent of one run; verified changes are pushed to the given host."""


async def _nothing_to_close() -> None:
    """Without a model there are no connections."""


@dataclass(frozen=True)
class Agents:
    """The agents of one session, one a run. They belong to the event loop on which this was made, since the
    connections to a model's endpoint do.
    """

    make: MakeAgent
    close: Callable[[], Awaitable[None]] = _nothing_to_close
    """To be called on the same loop, when no more runs will come."""


@dataclass(frozen=True)
class PlannerChoice:
    """A choice that holds for one run of the program."""

    name: PlannerName
    model: str
    """Name of the language model; empty without one."""
    sentence: str
    """The choice in words, for the terminal."""
    settings: EndpointSettings = field(default_factory=EndpointSettings)

    def agents(self) -> Agents:
        """What makes the agents of one session."""
        if self.name == "local":
            from agent.planning.local import LocalPlanner

            return Agents(lambda host: Agent(LocalPlanner(), host=host))
        llm = Llm(self.settings)

        def make(host: Pusher | None) -> Agent:
            with_ledger = llm.with_budget()
            planner = LlmPlanner(with_ledger, catalogue().values())
            return Agent(planner, LlmVerifier(with_ledger), host=host)

        return Agents(make, llm.close)


def choose_planner(wanted: Literal["auto", "local", "llm"]) -> PlannerChoice:
    """The planner that is wanted, if it can be had. Raises `ModelUnavailable` if it cannot."""
    settings = EndpointSettings.from_environment()
    if wanted == "llm" and not settings.configured:
        raise ModelUnavailable(
            "No language model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL for another endpoint."
        )
    if wanted != "local" and settings.configured:
        model = settings.model or (DEFAULT_MODEL if settings.at_openai else "")
        sentence = f"Requests are planned by {model or 'the model'} at {settings.place}."
        return PlannerChoice("llm", model, sentence, settings)
    return PlannerChoice(
        "local",
        "",
        "Requests are planned on this machine, without a language model; set OPENAI_API_KEY or "
        "OPENAI_BASE_URL to use one.",
    )
