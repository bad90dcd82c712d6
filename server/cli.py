"""The command `stet`: serve the pane, work on a file, list the operations."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from agent.errors import AgentError

if TYPE_CHECKING:
    from server.settings import Settings

USAGE, NOT_ALL_DONE, DONE = 2, 1, 0
"""Exit codes: the command or a file is wrong; something was not done; everything was done."""

CERTIFICATES = Path(__file__).parent.parent / "certs"


class WrongSetting(AgentError):
    """An environment variable has a value that it cannot have."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code. Wrong arguments end the process with 2 (`argparse`)."""
    arguments = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A character that the terminal does not know must not end the work.
            stream.reconfigure(errors="backslashreplace")
    try:
        return arguments.command(arguments)
    except AgentError as error:
        print(f"stet: {error.message}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:
        # The reader (`| head`) has gone; Python would complain once more when it flushes.
        sys.stderr.close()
        return NOT_ALL_DONE
    except KeyboardInterrupt:
        print("stet: stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stet", description="An agent for Word documents: plain requests, one verified step at a time."
    )
    parser.add_argument("--version", action="version", version=f"stet {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_serve(commands)
    _add_word(commands)
    _add_run(commands)
    _add_ops(commands)
    return parser


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    serve = commands.add_parser("serve", help="serve the pane beside the document, in a browser")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    serve.add_argument("--port", type=_port, default=8000, help="port to listen on (default: %(default)s)")
    serve.add_argument("--open", action="store_true", help="open the page in the browser")
    serve.add_argument("--planner", choices=("auto", "local", "llm"), help="who plans (default: auto)")
    serve.set_defaults(command=_serve)


def _add_word(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    word = commands.add_parser("word", help="serve the pane to Word, over https")
    word.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    word.add_argument("--port", type=_port, default=8443, help="port to listen on (default: %(default)s)")
    word.add_argument("--certs", type=Path, default=CERTIFICATES, help="folder of the certificates")
    word.add_argument("--planner", choices=("auto", "local", "llm"), help="who plans (default: auto)")
    word.set_defaults(command=_word)


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    run = commands.add_parser(
        "run",
        help="carry out requests on a file",
        description="Carries out each request in turn and writes the result. Exit code 0: every part was "
        "done; 1: something was not, and is printed with the reason; 2: wrong usage, or a file cannot be "
        "read or written; nothing is done then.",
    )
    run.add_argument(
        "document", type=_file, help="the document to start from; it stays as it is unless -o names it too"
    )
    run.add_argument("requests", nargs="+", metavar="request", help="what to do, in plain words")
    run.add_argument(
        "-o",
        "--output",
        type=_file,
        required=True,
        help="where to write the result, with the document's own extension; a file that is there is "
        "overwritten, also the document itself",
    )
    run.add_argument(
        "--attach",
        type=_file,
        action="append",
        default=[],
        metavar="FILE",
        help="a picture that requests may name (PNG, JPEG, GIF, BMP or TIFF); may be repeated",
    )
    run.add_argument(
        "--events",
        type=_file,
        help="write every event to this file, one JSON object a line; none of the other files",
    )
    run.add_argument("--planner", choices=("auto", "local", "llm"), help="who plans (default: auto)")
    run.set_defaults(command=_run)


def _add_ops(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    ops = commands.add_parser("ops", help="list the operations")
    ops.add_argument("name", nargs="?", help="one operation, with its parameters")
    ops.add_argument("--json", action="store_true", help="as JSON, with the schemas of the parameters")
    ops.set_defaults(command=_ops)


# The commands import what they need when they run: `stet ops` should not wait for the server's libraries.


def _serve(arguments: argparse.Namespace) -> int:
    from server.serve import CannotServe, Place, serve

    try:
        place = Place(arguments.host, arguments.port)
        return serve(place, _settings(arguments.planner), open_page=arguments.open)
    except CannotServe as error:
        print(f"stet: {error}", file=sys.stderr)
        return USAGE


def _word(arguments: argparse.Namespace) -> int:
    from server.serve import CannotServe, Place, serve_word

    try:
        place = Place(arguments.host, arguments.port)
        return serve_word(place, _settings(arguments.planner), arguments.certs)
    except CannotServe as error:
        print(f"stet: {error}", file=sys.stderr)
        return USAGE


def _run(arguments: argparse.Namespace) -> int:
    import asyncio

    from server.planners import choose_planner
    from server.run_file import run_file

    choice = choose_planner(_settings(arguments.planner).planner)
    complete = asyncio.run(
        run_file(
            arguments.document,
            arguments.requests,
            arguments.output,
            arguments.events,
            choice.agents,
            pictures=arguments.attach,
        )
    )
    return DONE if complete else NOT_ALL_DONE


def _ops(arguments: argparse.Namespace) -> int:
    from server.list_operations import list_operations

    print(list_operations(arguments.name, as_json=arguments.json))
    return DONE


def _settings(planner: str | None) -> Settings:
    from pydantic import ValidationError

    from server.settings import Settings

    try:
        return Settings() if planner is None else Settings.model_validate({"planner": planner})
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise WrongSetting(f"STET_{name} is {first['input']!r}: {first['msg']}.") from error


def _version() -> str:
    try:
        return metadata.version("stet-word")
    except metadata.PackageNotFoundError:
        return "0 (not installed)"


def _file(text: str) -> Path:
    if not text:
        # `Path("")` would be the current folder.
        raise argparse.ArgumentTypeError("the name is empty; name a file")
    return Path(text)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; ports are 0 to 65535")
    return int(text)
