"""Who plans: a language model if an endpoint is configured, else the planner without one."""

from __future__ import annotations

from collections.abc import Callable
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


@dataclass(frozen=True)
class PlannerChoice:
    """A choice that holds for one run of the program."""

    name: PlannerName
    model: str
    """Name of the language model; empty without one."""
    sentence: str
    """The choice in words, for the terminal."""
    settings: EndpointSettings = field(default_factory=EndpointSettings)

    def agents(self) -> MakeAgent:
        """What makes the agents of one session. Call it on the event loop that the agents will run on:
        connections to a model's endpoint belong to a loop.
        """
        if self.name == "local":
            from agent.planning.local import LocalPlanner

            return lambda host: Agent(LocalPlanner(), host=host)
        llm = Llm(self.settings)

        def make(host: Pusher | None) -> Agent:
            with_ledger = llm.with_budget()
            planner = LlmPlanner(with_ledger, catalogue())
            return Agent(planner, LlmVerifier(with_ledger), host=host)

        return make


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
