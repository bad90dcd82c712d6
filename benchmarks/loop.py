"""Whether one session holds up another: `make bench-loop` (`--json FILE`, `--blocks N`, `--steps N`, `--at-once N`).

The server runs as people run it. One session carries out requests, first with nobody else there, then while other
clients open a large document again and again. Printed is the time from sending to the answer, in milliseconds, for a
request of one step with the download of its document, and for a ping, which only the event loop answers; and how many
times longer it takes while documents are opened.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.documents import synthetic
from server.protocol import (
    PROTOCOL_VERSION,
    SERVER_MESSAGE,
    Hello,
    Message,
    Ping,
    Pong,
    RequestChanged,
    Run,
    ServerMessage,
    Welcome,
)

BLOCKS, STEPS, AT_ONCE = 50_000, 60, 1
TOKEN = "benchmark"
REQUESTS = tuple(f'Make the heading "Chapter 0" {colour}' for colour in ("dark blue", "red", "green"))


@dataclass
class Figures:
    """One row of the table; milliseconds from sending to the answer."""

    what: str
    alone_p50: float
    alone_p99: float
    beside_p50: float
    beside_p99: float
    ratio_p50: float
    ratio_p99: float


def main(argv: list[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=BLOCKS)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help="documents that are opened at a time")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    rows = asyncio.run(measure(arguments.blocks, arguments.steps, arguments.at_once))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(r) for r in rows], indent=1), encoding="utf-8")


async def measure(blocks: int, steps: int, at_once: int) -> list[Figures]:
    """A session alone, then beside so many others that open documents."""
    large = synthetic(blocks)
    async with serving() as client, client.pane(synthetic(10)) as (session, socket):
        numbers = itertools.count()
        opened: list[float] = []

        async def step() -> None:
            number = next(numbers)
            await _say(socket, Run(client_id=f"step {number}", text=REQUESTS[number % len(REQUESTS)]))
            done = await _until(
                socket, lambda m: isinstance(m, RequestChanged) and m.request.state == "finished"
            )
            assert done.request.complete, done
            await client.http.get(f"/api/documents/{session}")

        async def ping() -> None:
            await _say(socket, Ping())
            await _until(socket, lambda m: isinstance(m, Pong))

        async def both(enough: Callable[[], bool]) -> tuple[list[float], list[float]]:
            pings: list[float] = []
            requests: list[float] = []
            while len(requests) < steps or not enough():
                requests.append(await _timed(step()))
                pings.extend([await _timed(ping()) for _ in range(5)])
            return requests, pings

        for _ in REQUESTS:
            await step()  # what is loaded at the first request
        alone = await both(lambda: True)
        opening = [asyncio.create_task(client.open_and_close(large, opened)) for _ in range(at_once)]
        beside = await both(lambda: len(opened) >= 2 * at_once)
        for task in opening:
            task.cancel()
        await asyncio.gather(*opening, return_exceptions=True)
    print(f"{'':>22} {'alone p50':>10} {'p99':>8} {'beside p50':>11} {'p99':>8} {'ratio p50':>10} {'p99':>7}")
    rows = [_row(*row) for row in zip(("a step and a download", "a ping"), alone, beside, strict=True)]
    each = statistics.median(opened)
    print(
        f"{len(opened)} documents of {blocks} blocks were opened meanwhile, {at_once} at a time, in {each:.1f} s each"
    )
    return rows


class Client:
    """What the benchmark asks of the server."""

    def __init__(self, address: str, http: httpx.AsyncClient) -> None:
        self.http = http
        self._socket = address.replace("http", "ws") + "/api/session"

    async def open(self, data: bytes) -> str:
        """Open a document; its session."""
        answer = await self.http.post("/api/documents", content=data)
        answer.raise_for_status()
        return answer.json()["session"]

    @asynccontextmanager
    async def pane(self, data: bytes) -> AsyncIterator[tuple[str, ClientConnection]]:
        """A pane that has been welcomed, on a document of its own."""
        session = await self.open(data)
        async with connect(self._socket, proxy=None) as socket:
            await _say(socket, Hello(protocol=PROTOCOL_VERSION, session=session, token=TOKEN))
            await _until(socket, lambda m: isinstance(m, Welcome))
            yield session, socket

    async def open_and_close(self, data: bytes, seconds: list[float]) -> None:
        """Again and again, until cancelled; notes the seconds that each took to open."""
        while True:
            start = time.perf_counter()
            session = await self.open(data)
            seconds.append(time.perf_counter() - start)
            await self.http.delete(f"/api/documents/{session}")


@asynccontextmanager
async def serving() -> AsyncIterator[Client]:
    """`stet serve` on a free port, without a pane to build and without a model."""
    with tempfile.TemporaryDirectory() as empty:
        settings = {"STET_TOKEN": TOKEN, "STET_STATIC": empty, "STET_PLANNER": "local"}
        server = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server", "serve", "--port", "0", env={**os.environ, **settings},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            line = (await server.stdout.readline()).decode()
            address = line.split()[-1]
            headers = {"X-Stet-Token": TOKEN}
            async with httpx.AsyncClient(
                base_url=address, headers=headers, trust_env=False, timeout=120
            ) as http:
                yield Client(address, http)
        finally:
            server.terminate()
            await server.wait()


async def _say(socket: ClientConnection, message: Message) -> None:
    await socket.send(message.model_dump_json())


async def _until(socket: ClientConnection, wanted: Callable[[ServerMessage], bool]) -> Any:
    while not wanted(message := SERVER_MESSAGE.validate_json(await asyncio.wait_for(socket.recv(), 120))):
        pass
    return message


async def _timed(work: Coroutine[Any, Any, None]) -> float:
    start = time.perf_counter()
    await work
    return (time.perf_counter() - start) * 1000


def _row(what: str, alone: list[float], beside: list[float]) -> Figures:
    a50, b50 = statistics.median(alone), statistics.median(beside)
    a99, b99 = _quantile(alone), _quantile(beside)
    row = Figures(what, a50, a99, b50, b99, b50 / a50, b99 / a99)
    print(
        f"{what:>22} {a50:10.1f} {a99:8.1f} {b50:11.1f} {b99:8.1f} {row.ratio_p50:9.1f}x {row.ratio_p99:6.1f}x"
    )
    return row


def _quantile(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


if __name__ == "__main__":
    main()
