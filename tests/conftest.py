"""Fixtures for every test: no network but loopback, the order of tests, LibreOffice."""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=6000, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


class NetworkRefused(RuntimeError):
    """A test tried to leave the machine."""


def is_loopback(address: object) -> bool:
    """Whether a socket address stays on this machine: a Unix socket, `localhost`, 127.0.0.0/8 or ::1."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True, scope="session")
def paranoid_mirror() -> Iterator[None]:
    """After every change of a mirror, all that is known of the document is read again and must agree."""
    from agent.document.mirror import Mirror

    Mirror.paranoid = True
    yield
    Mirror.paranoid = False


@pytest.fixture(autouse=True, scope="session")
def loopback_only() -> Iterator[None]:
    """Refuse every connection that leaves the machine, with the address in the message."""
    patch = pytest.MonkeyPatch()

    def guarded(original: Callable[..., Any]) -> Callable[..., Any]:
        def connect(self: socket.socket, address: object, *rest: object) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6) and not is_loopback(address):
                raise NetworkRefused(f"tests may only use loopback, this one wanted {address!r}")
            return original(self, address, *rest)

        return connect

    original_getaddrinfo = socket.getaddrinfo

    def getaddrinfo(host: str | bytes | None, *rest: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not is_loopback((name,)) and name != "0.0.0.0":
            raise NetworkRefused(f"tests may only use loopback, this one looked up {name!r}")
        return original_getaddrinfo(host, *rest, **named)

    patch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
    patch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))
    patch.setattr(socket, "getaddrinfo", getaddrinfo)
    yield
    patch.undo()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: Playwright's synchronous API holds an event loop in which no other can run."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


def require(program: str, why: str) -> str:
    """The path of a program; without it the test is skipped, or fails under CI or STET_REQUIRE_BROWSER."""
    path = shutil.which(program)
    if path is None:
        if os.environ.get("CI") or os.environ.get("STET_REQUIRE_BROWSER"):
            pytest.fail(f"{program} is not installed, and {why}", pytrace=False)
        pytest.skip(f"{program} is not installed, and {why}: `make setup-test` as root installs it")
    return path


@pytest.fixture(scope="session")
def libreoffice(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Convert a document with LibreOffice: `libreoffice(path, to="pdf")` gives the path of what it wrote.

    Mark tests that use it `libreoffice`. `to` is a suffix with an optional filter, as for `--convert-to`.
    """
    program = require("soffice", "this test opens a document with it")
    profile = tmp_path_factory.mktemp("libreoffice-profile")

    def convert(document: Path, to: str = "pdf") -> Path:
        folder = tmp_path_factory.mktemp("libreoffice")
        command = [program, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", to]
        command += ["--outdir", str(folder), str(document)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
        written = folder / f"{document.stem}.{to.partition(':')[0]}"
        assert written.is_file(), f"LibreOffice could not open {document.name}: {done.stdout}{done.stderr}"
        return written

    return convert
