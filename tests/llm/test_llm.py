"""Asking a model over real HTTP: what goes out, what comes back, and all the ways in which it does not."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from agent.errors import BudgetExhausted, ModelRefused, ModelUnavailable, ModelUnparseable
from agent.llm import Abilities, Budget, EndpointSettings, Llm, Rung, Streaming
from tests.support.scripted_endpoint import (
    FEATURES,
    Cut,
    Refusal,
    ScriptedEndpoint,
    Silence,
    Status,
    StreamError,
    Text,
)


class Reading(BaseModel):
    """An answer."""

    word: str
    count: int = 1


@dataclass(frozen=True)
class Prompt:
    """A question without a template."""

    text: str = "How many?"
    name: str = "reading"

    def messages(self) -> list[dict[str, str]]:
        return [{"role": "system", "content": "Count."}, {"role": "user", "content": self.text}]


GOOD = {"word": "stet", "count": 2}


async def ask(endpoint: ScriptedEndpoint, **changed: object) -> Reading:
    llm = Llm(endpoint.settings(**changed))
    try:
        return await llm.ask(Prompt(), Reading)
    finally:
        await llm.close()


async def test_a_streamed_answer_to_a_strict_schema_is_read():
    with ScriptedEndpoint(GOOD) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)
    body = endpoint.asked[0].body
    assert body["model"] == "scripted"
    assert body["messages"] == Prompt().messages()
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    assert body["response_format"]["json_schema"]["strict"] is True
    assert endpoint.asked[0].schema["required"] == ["word", "count"]


async def test_the_pieces_are_heard_as_they_arrive_and_the_cost_is_counted():
    heard: list[str] = []
    with ScriptedEndpoint(GOOD) as endpoint:
        llm = Llm(endpoint.settings())
        await llm.ask(Prompt(), Reading, heard=heard.append)
        await llm.close()
    assert len(heard) > 1
    assert "".join(heard) == '{"word": "stet", "count": 2}'
    [spent] = llm.usage.calls
    assert (spent.prompt, spent.estimated) == ("reading", False)
    assert (spent.prompt_tokens, spent.cached_tokens, spent.completion_tokens) == (3, 1, 8)
    assert spent.first_token_seconds is not None
    assert llm.usage.tokens == 11


@pytest.mark.parametrize(
    ("lacks", "rung"),
    [
        ({"json_schema"}, Rung.TOOL),
        ({"json_schema", "tools"}, Rung.JSON_OBJECT),
        ({"json_schema", "tools", "json_object"}, Rung.TEXT),
    ],
)
async def test_the_best_form_that_the_endpoint_knows_is_found_once(lacks: set[str], rung: Rung):
    with ScriptedEndpoint(GOOD, GOOD, lacks=lacks) as endpoint:
        llm = Llm(endpoint.settings())
        assert await llm.ask(Prompt(), Reading) == Reading(word="stet", count=2)
        probes = len(endpoint.asked)
        assert await llm.with_budget().ask(Prompt(), Reading) == Reading(word="stet", count=2)
        await llm.close()
    assert llm.endpoint.abilities == Abilities(rung, Streaming.WITH_USAGE, confirmed=True)
    assert probes == len(lacks) + 1
    assert len(endpoint.asked) == probes + 1


async def test_the_schema_stands_in_the_prompt_where_nothing_else_carries_it():
    with ScriptedEndpoint(GOOD, lacks={"json_schema", "tools", "json_object"}) as endpoint:
        await ask(endpoint)
    assert "JSON Schema" not in endpoint.asked[0].system
    assert '"count"' in endpoint.asked[-1].system
    assert endpoint.asked[-1].rung == "text"


async def test_a_schema_that_strict_mode_refuses_is_sent_as_a_loose_one():
    refusal = Status(400, "Invalid schema for response_format 'reading': too many properties.")
    with ScriptedEndpoint(refusal, GOOD) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)
    first, second = endpoint.asked
    assert first.body["response_format"]["json_schema"]["strict"] is True
    assert second.body["response_format"]["json_schema"]["strict"] is False
    assert second.schema == Reading.model_json_schema()


async def test_an_endpoint_without_stream_options_still_streams_and_tokens_are_estimated():
    with ScriptedEndpoint(GOOD, lacks={"stream_options"}) as endpoint:
        llm = Llm(endpoint.settings())
        await llm.ask(Prompt(), Reading)
        await llm.close()
    assert llm.endpoint.abilities.streaming is Streaming.PLAIN
    assert llm.endpoint.abilities.rung is Rung.JSON_SCHEMA
    assert llm.usage.estimated
    assert llm.usage.tokens > 0


async def test_an_endpoint_that_cannot_stream_is_asked_for_the_whole_answer():
    with ScriptedEndpoint(GOOD, lacks={"stream_options", "stream"}) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)
    assert "stream" not in endpoint.asked[-1].body
    assert endpoint.asked[-1].rung == "json_schema"


async def test_an_endpoint_with_nothing_but_text_is_enough():
    with ScriptedEndpoint(GOOD, lacks=set(FEATURES)) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)


async def test_an_answer_in_one_piece_to_a_request_for_a_stream_is_read():
    with ScriptedEndpoint(GOOD, ignores_stream=True) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)
    assert len(endpoint.asked) == 1


async def test_a_server_that_fails_with_500_at_a_forced_tool_call_is_asked_otherwise():
    with ScriptedEndpoint(Status(500, "tool_choice"), GOOD, lacks={"json_schema"}) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)
    assert [asked.rung for asked in endpoint.asked] == ["json_schema", "tool", "json_object"]


async def test_a_forced_tool_call_that_is_answered_in_the_content_is_read():
    reply = Text('```json\n{"word": "stet"}\n```', as_content=True)
    with ScriptedEndpoint(reply, lacks={"json_schema"}) as endpoint:
        assert await ask(endpoint) == Reading(word="stet")


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"word": "stet", "count": 2}\n```',
        "{'word': 'stet', 'count': 2,}",
        'Here: {"word": "stet", "count": 2',
    ],
)
async def test_malformed_json_is_repaired_without_asking_again(text: str):
    with ScriptedEndpoint(text) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)
    assert len(endpoint.asked) == 1


async def test_an_answer_that_does_not_fit_is_sent_back_once_with_what_is_wrong():
    with ScriptedEndpoint('{"word": "stet", "count": "many"}', GOOD) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)
    again = endpoint.asked[1].body["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert again[2]["content"] == '{"word": "stet", "count": "many"}'
    assert "count: Input should be a valid integer" in again[3]["content"]
    assert "JSON Schema" in again[3]["content"]


async def test_a_second_answer_that_does_not_fit_is_the_end():
    with (
        ScriptedEndpoint("No.", "Still no.") as endpoint,
        pytest.raises(ModelUnparseable, match="not a JSON object"),
    ):
        await ask(endpoint)
    assert len(endpoint.asked) == 2


async def test_an_endpoint_that_ignores_the_schema_is_told_it_in_the_prompt_from_then_on():
    with ScriptedEndpoint("Two, I think.", GOOD, GOOD) as endpoint:
        llm = Llm(endpoint.settings())
        await llm.ask(Prompt(), Reading)
        await llm.ask(Prompt(), Reading)
        await llm.close()
    assert "JSON Schema" in endpoint.asked[2].system


async def test_an_answer_cut_at_the_length_limit_is_not_repaired_into_a_shorter_one():
    with ScriptedEndpoint(Text('{"word": "The contract ends on', finish="length"), GOOD) as endpoint:
        assert await ask(endpoint) == Reading(word="stet", count=2)
    assert "broke off" in endpoint.asked[1].user


@pytest.mark.parametrize("reply", [Refusal("I can't help with that."), Text("", finish="content_filter")])
async def test_a_refusal_is_said_to_be_one(reply: Refusal | Text):
    with ScriptedEndpoint(reply) as endpoint, pytest.raises(ModelRefused, match="declined to answer"):
        await ask(endpoint)
    assert len(endpoint.asked) == 1


async def test_a_refusal_in_one_piece_is_said_to_be_one():
    with (
        ScriptedEndpoint(Refusal("I can't help with that."), lacks={"stream", "stream_options"}) as endpoint,
        pytest.raises(ModelRefused, match="I can't help with that"),
    ):
        await ask(endpoint)


async def test_a_request_that_the_content_filter_stops_is_a_refusal():
    with (
        ScriptedEndpoint(Status(400, "The prompt triggered the filter", code="content_filter")) as endpoint,
        pytest.raises(ModelRefused, match="triggered the filter"),
    ):
        await ask(endpoint)


async def test_a_rate_limit_is_waited_out_as_long_as_the_endpoint_asks():
    limit = Status(429, "slow down", headers={"retry-after": "0.05"})
    with ScriptedEndpoint(limit, GOOD) as endpoint:
        assert await ask(endpoint, retries=1) == Reading(word="stet", count=2)
    assert len(endpoint.asked) == 2


async def test_a_rate_limit_that_outlasts_the_retries_says_when_to_come_back():
    with (
        ScriptedEndpoint(Status(429, "slow down", headers={"retry-after": "30"})) as endpoint,
        pytest.raises(ModelUnavailable, match=r"limits how often.*slow down\. Try again in 30 s"),
    ):
        await ask(endpoint)


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (
            Status(401, "Incorrect API key: sk-secret"),
            r"did not accept the key: .*\[key\]\. Check OPENAI_API_KEY",
        ),
        (Status(402, "Top up"), "no credit left"),
        (Status(403, "not yours"), "may not use model 'scripted'"),
        (Status(404, "no such model", code="model_not_found"), "knows no model 'scripted'.*Check STET_MODEL"),
        (Status(429, "You exceeded your quota", code="insufficient_quota"), "no quota left"),
        (Status(413, "too large"), "too long for model"),
        (Status(400, "maximum context length is 4096 tokens"), "too long for model"),
        (Status(500, "oops"), r"problem of its own \(HTTP 500\)"),
        (Status(503, "overloaded"), r"problem of its own \(HTTP 503\)"),
    ],
)
async def test_an_error_says_what_is_wrong_and_what_to_check(status: Status, says: str):
    with ScriptedEndpoint(status) as endpoint, pytest.raises(ModelUnavailable, match=says) as caught:
        await ask(endpoint, api_key="sk-secret")
    assert "sk-secret" not in str(caught.value)
    assert len(endpoint.asked) == 1


async def test_a_request_that_no_form_makes_acceptable_ends_with_the_endpoints_words():
    with (
        ScriptedEndpoint(*[Status(400, "nonsense in field x")] * 9) as endpoint,
        pytest.raises(ModelUnavailable, match=r"HTTP 400\): nonsense in field x"),
    ):
        await ask(endpoint)
    assert len(endpoint.asked) == 5


async def test_a_server_error_is_tried_again():
    with ScriptedEndpoint(Status(500, headers={"retry-after-ms": "10"}), GOOD) as endpoint:
        assert await ask(endpoint, retries=1) == Reading(word="stet", count=2)


async def test_silence_ends_in_a_time_out_that_names_the_setting():
    with (
        ScriptedEndpoint(Silence()) as endpoint,
        pytest.raises(ModelUnavailable, match=r"did not answer within 0\.2 s.*STET_MODEL_TIMEOUT"),
    ):
        await ask(endpoint, timeout=0.2)


async def test_a_stream_that_falls_silent_ends_in_a_time_out():
    with (
        ScriptedEndpoint(Silence('{"word": ')) as endpoint,
        pytest.raises(ModelUnavailable, match="did not answer within"),
    ):
        await ask(endpoint, timeout=0.2)


async def test_no_server_at_all_is_said_to_be_no_connection():
    with ScriptedEndpoint() as endpoint:
        url = endpoint.url
    llm = Llm(EndpointSettings(base_url=url, model="m", retries=0))
    with pytest.raises(
        ModelUnavailable, match=r"no connection to http://127\.0\.0\.1.*Check OPENAI_BASE_URL"
    ):
        await llm.ask(Prompt(), Reading)
    await llm.close()


@pytest.mark.parametrize("dropped", [True, False])
async def test_a_stream_that_is_cut_is_asked_for_again(dropped: bool):
    with ScriptedEndpoint(Cut('{"word": "st', dropped), GOOD) as endpoint:
        assert await ask(endpoint, retries=1) == Reading(word="stet", count=2)
    assert endpoint.asked[0].body == endpoint.asked[1].body


async def test_a_stream_that_is_cut_each_time_is_reported():
    with (
        ScriptedEndpoint(Cut('{"word"'), Cut('{"word"')) as endpoint,
        pytest.raises(ModelUnavailable, match=r"broke off its answer \(tried 2 times;"),
    ):
        await ask(endpoint, retries=1)


async def test_a_complete_answer_without_an_end_mark_is_taken():
    with ScriptedEndpoint(Cut('{"word": "stet"}', dropped=False)) as endpoint:
        assert await ask(endpoint) == Reading(word="stet")


async def test_an_error_in_the_middle_of_a_stream_is_reported_after_the_retries():
    with ScriptedEndpoint(StreamError("upstream died"), GOOD) as endpoint:
        assert await ask(endpoint, retries=1) == Reading(word="stet", count=2)


@pytest.mark.parametrize("begun_with", ["", '{"word": "a very long answ'])
async def test_cancelling_closes_the_request_at_the_endpoint(begun_with: str):
    with ScriptedEndpoint(Silence(begun_with)) as endpoint:
        llm = Llm(endpoint.settings())
        task = asyncio.create_task(llm.ask(Prompt(), Reading))
        assert await asyncio.to_thread(endpoint.silent.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(endpoint.hung_up.wait, 5)
        await llm.close()


async def test_the_budget_of_requests_is_kept():
    with ScriptedEndpoint(GOOD, GOOD) as endpoint:
        llm = Llm(endpoint.settings(), budget=Budget(calls=1))
        await llm.ask(Prompt(), Reading)
        with pytest.raises(BudgetExhausted, match="limit of 1 requests"):
            await llm.ask(Prompt(), Reading)
        again = llm.with_budget(Budget(calls=1))
        await again.ask(Prompt(), Reading)
        await llm.close()
    assert len(endpoint.asked) == 2


async def test_the_budget_of_tokens_is_kept_and_counts_the_second_asking():
    with ScriptedEndpoint("No.", GOOD, GOOD) as endpoint:
        llm = Llm(endpoint.settings(token_limit=5))
        with pytest.raises(BudgetExhausted, match="limit of 5 tokens is reached"):
            await llm.ask(Prompt("x" * 100), Reading)
        await llm.close()
    assert len(endpoint.asked) == 1


async def test_the_only_model_that_is_served_is_asked_when_none_is_named():
    with ScriptedEndpoint(GOOD, models=["local-7b"]) as endpoint:
        await ask(endpoint, model="")
    assert endpoint.asked[0].body["model"] == "local-7b"


async def test_of_several_models_the_user_must_name_one():
    with (
        ScriptedEndpoint(models=["b", "a"]) as endpoint,
        pytest.raises(ModelUnavailable, match=r"serves 2 models \(a, b\); say in STET_MODEL"),
    ):
        await ask(endpoint, model="")


async def test_the_key_is_sent_in_the_header_and_nothing_of_the_document_is_logged_above_debug(
    caplog: pytest.LogCaptureFixture,
):
    caplog.set_level(logging.INFO)
    with ScriptedEndpoint('{"word": 1}', GOOD) as endpoint:
        llm = Llm(endpoint.settings(api_key="sk-secret"))
        await llm.ask(Prompt("The merger closes in May."), Reading)
        await llm.close()
    headers = {name.lower(): value for name, value in endpoint.asked[0].headers.items()}
    assert headers["authorization"] == "Bearer sk-secret"
    assert "asking once more" in caplog.text
    assert "merger" not in caplog.text
    assert "sk-secret" not in caplog.text
