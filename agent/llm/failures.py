"""What an endpoint's errors mean: go on in a weaker form, call it a refusal, or say what is wrong."""

from __future__ import annotations

from typing import cast

import openai

from agent.errors import ModelError, ModelUnavailable
from agent.llm.settings import EndpointSettings

TOO_LONG = ("context_length", "context length", "maximum context", "too many tokens", "prompt is too long")
FEATURES = ("response_format", "json_schema", "schema", "tool", "function", "stream", "parameter")


def refusal_of(error: openai.APIStatusError) -> str:
    """What the provider's content filter said to the request (Azure: 400, code `content_filter`)."""
    filtered = error.code in ("content_filter", "content_policy_violation")
    return f"the provider's content filter refused the request: {_said(error)}" if filtered else ""


def weaker_would_help(error: openai.APIStatusError, *, tool_trouble: bool) -> bool:
    """Whether the same question may succeed with fewer demands on the endpoint.

    `tool_trouble`: a tool call was forced for the first time. Some servers (llama-cpp-python's) fail at that
    with 500.
    """
    said = error.message.lower()
    if error.code in ("model_not_found", "context_length_exceeded") or _too_long(said):
        return False
    if error.status_code in (400, 415, 422, 501):
        return True
    if error.status_code == 404:
        return any(feature in said for feature in FEATURES)
    return error.status_code == 500 and tool_trouble


def explain(error: openai.APIError, settings: EndpointSettings, model: str) -> ModelError:
    """The failure as a sentence that says what is wrong and what to check."""
    return ModelUnavailable(settings.without_key(_sentence(error, settings, model)))


def _sentence(error: openai.APIError, settings: EndpointSettings, model: str) -> str:
    place = settings.place
    if isinstance(error, openai.APITimeoutError):
        return (
            f"{place} did not answer within {settings.timeout:g} s. "
            "Check that it is running and not overloaded, or set STET_MODEL_TIMEOUT higher."
        )
    if isinstance(error, openai.APIConnectionError):
        cause = f" ({error.__cause__})" if error.__cause__ and str(error.__cause__) else ""
        return f"there is no connection to {place}{cause}. Check OPENAI_BASE_URL and the network."
    if not isinstance(error, openai.APIStatusError):
        return f"{place} failed while it answered: {_said(error)}"
    said = _said(error)
    match error.status_code:
        case 401:
            return f"{place} did not accept the key: {said} Check OPENAI_API_KEY."
        case 402:
            return f"the account at {place} has no credit left: {said}"
        case 403:
            return (
                f"the key may not use model {model!r} at {place}: {said} Check OPENAI_API_KEY and STET_MODEL."
            )
        case 404:
            what = f"{place} knows no model {model!r}, or no such path"
            return f"{what}: {said} Check STET_MODEL and OPENAI_BASE_URL."
        case 429 if error.code == "insufficient_quota":
            return f"the account at {place} has no quota left: {said}"
        case 429:
            wait = error.response.headers.get("retry-after", "")
            when = f" in {wait} s" if wait.replace(".", "", 1).isdigit() else " later"
            return f"{place} limits how often it may be asked, also after waiting: {said} Try again{when}."
        case status if status == 413 or _too_long(error.message.lower()):
            return f"the document's outline and the request are too long for model {model!r}: {said}"
        case status if status >= 500:
            return f"{place} has a problem of its own (HTTP {status}): {said} Try again later."
        case status:
            return f"{place} did not accept the request (HTTP {status}): {said}"


def _too_long(said: str) -> bool:
    return any(mark in said for mark in TOO_LONG)


def _said(error: openai.APIError) -> str:
    """The endpoint's own words, short and ended with a full stop."""
    body = error.body
    words = cast("dict[str, object]", body).get("message") if isinstance(body, dict) else None
    text = " ".join((words if isinstance(words, str) else error.message).split())
    text = text if len(text) <= 240 else text[:239] + "…"
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
