"""Which endpoint the environment names, and what is kept quiet about it."""

from __future__ import annotations

import pytest

from agent.errors import ModelUnavailable
from agent.llm import EndpointSettings


def test_without_a_key_or_an_address_no_endpoint_is_configured():
    assert not EndpointSettings.from_environment({}).configured
    assert not EndpointSettings.from_environment({"STET_MODEL": "some-model"}).configured
    assert EndpointSettings.from_environment({"OPENAI_API_KEY": "sk-1"}).configured
    assert EndpointSettings.from_environment({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}).configured


def test_each_variable_has_its_field():
    settings = EndpointSettings.from_environment(
        {
            "OPENAI_API_KEY": "sk-1",
            "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
            "STET_MODEL": "m",
            "STET_MODEL_TIMEOUT": "2.5",
            "STET_MODEL_RETRIES": "0",
            "STET_MODEL_TOKENS": "1000",
            "STET_MODEL_CALLS": "7",
        }
    )
    assert settings == EndpointSettings("sk-1", "http://127.0.0.1:1/v1", "m", 2.5, 0, 1000, 7)


@pytest.mark.parametrize("value", ["soon", "-1"])
def test_a_value_that_is_no_number_is_refused_by_name(value: str):
    with pytest.raises(ModelUnavailable, match="STET_MODEL_TIMEOUT"):
        EndpointSettings.from_environment({"STET_MODEL_TIMEOUT": value})


def test_the_key_is_in_no_representation_and_is_blotted_out_of_messages():
    settings = EndpointSettings(api_key="sk-secret")
    assert "sk-secret" not in repr(settings)
    assert settings.without_key("Incorrect key sk-secret.") == "Incorrect key [key]."


def test_the_address_in_messages_has_no_user_and_no_password():
    settings = EndpointSettings(base_url="https://user:word@models.example:8443/v1?token=x")
    assert settings.place == "https://models.example:8443"


def test_only_openai_itself_has_a_default_model():
    assert EndpointSettings(api_key="k").at_openai
    assert EndpointSettings(base_url="https://eu.api.openai.com/v1").at_openai
    assert not EndpointSettings(base_url="https://api.openai.com.example.org/v1").at_openai
