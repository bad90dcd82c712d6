"""The language model: which endpoint, how it is asked for a typed answer, what that cost.

`Llm.ask(prompt, AnswerModel)` is the whole of it for the rest of the agent. Any endpoint that speaks OpenAI's
`/v1/chat/completions` will do; what it lacks (schemas, tools, streaming) is found out once and worked around.
"""

from agent.llm.abilities import Abilities, Rung, Streaming
from agent.llm.endpoint import Endpoint
from agent.llm.llm import Llm, Question
from agent.llm.settings import DEFAULT_MODEL, EndpointSettings
from agent.llm.usage import Budget, CallUsage, Usage

__all__ = [
    "DEFAULT_MODEL",
    "Abilities",
    "Budget",
    "CallUsage",
    "Endpoint",
    "EndpointSettings",
    "Llm",
    "Question",
    "Rung",
    "Streaming",
    "Usage",
]
