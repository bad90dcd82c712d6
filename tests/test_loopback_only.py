"""No test reaches the network: the guard in conftest.py."""

from __future__ import annotations

import socket

import pytest

from tests.conftest import NetworkRefused


def test_a_connection_that_leaves_the_machine_is_refused() -> None:
    with socket.socket() as client, pytest.raises(NetworkRefused, match=r"192\.0\.2\.1"):
        client.connect(("192.0.2.1", 80))


def test_a_name_on_the_internet_is_not_looked_up() -> None:
    with pytest.raises(NetworkRefused, match=r"example\.org"):
        socket.create_connection(("example.org", 80))


def test_loopback_is_open() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        assert client.getpeername() == server.getsockname()
