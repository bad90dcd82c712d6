"""The messages between the server and the pane; the only definition of them.

`python -m server.protocol` writes `taskpane/src/protocol.schema.json`, from which `npm run protocol` makes
`taskpane/src/protocol.ts`; `--check` fails when the schema on disk differs.

One WebSocket a session (`/api/session`). The pane's first message is `hello`; the server answers `welcome`,
which holds a whole `SessionView` unless the pane can resume. Every later server message that changes what is
shown has a rising `seq`; after a dropped socket the pane says the last `seq` it saw and gets what it missed.
`epoch` names the run of the server's log: another epoch means that the pane's numbers mean nothing and it
starts from the snapshot. Files go over HTTP: `POST /api/documents` (body: the .docx) answers
`DocumentOpened`; `GET /api/documents/{session}` answers the .docx as it is now; `GET
/api/documents/{session}/blocks` answers `BlocksView`; both say in the header `X-Stet-Revision` which revision
they are. While a run is at work they hold the last verified step, never an attempt. In Word the pane posts
the document as Word has it to `POST /api/documents/{session}/reading` (204, no body) before it says
`reading`. `DELETE /api/documents/{session}` closes a session. `POST
/api/documents/{session}/attachments?name=...` (body: a PNG, JPEG, GIF, BMP or TIFF picture) attaches a picture
and answers `AttachmentView`; `DELETE` of the same address takes it away (204). Every POST and DELETE carries the page's token
in the header `X-Stet-Token`; every HTTP error has an `HttpProblem` as its body.

The server closes the socket with:
4400 a message that is not in this protocol (the reason says which), or no `hello` in time. A fault of the
     pane: do not send it again.
4401 wrong token. Load the page again.
4404 the server has no such session: it was started again, or the session was idle for too long. Nothing can
     be resumed: the steps and their undoing are gone, the document as last fetched is all there is. Do not
     retry; say so. To open that document as a new session, load the page again first (a server that was
     started again has another token).
4409 another version of the protocol. Load the page again.
1001 the session was closed, or the server is stopping; 1013 the pane did not read fast enough. Connect again
     and resume.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

PROTOCOL_VERSION = 1
SCHEMA_PATH = Path(__file__).parent.parent / "taskpane" / "src" / "protocol.schema.json"


class Message(BaseModel):
    """Base of all messages and their parts: frozen, no unknown fields."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


Dimension = Literal["structure", "content", "formatting", "style", "tables", "hyperlinks", "other"]
"""The paper's six dimensions of change; `other` is for parts of the package outside them (metadata)."""

StepState = Literal[
    "planned", "running", "checking", "retrying", "review", "kept", "undone", "not_done", "undoing"
]
"""`review`: verified and in the document, the user has not said anything yet."""


# -- parts of messages ---------------------------------------------------------------------------------------


class ChangeView(Message):
    """One line of change analysis, for the details of a step."""

    dimension: Dimension
    target: str
    """The block's id, or the name of the part."""
    text: str
    """The change in words."""
    before: str = ""
    after: str = ""


class CallView(Message):
    """The call that a step made."""

    operation: str
    params: dict[str, Any] = Field(default_factory=dict)


class RetryView(Message):
    """An attempt that was rolled back."""

    level: Literal["parameter", "api"]
    reason: str


class StepView(Message):
    """One step as the pane shows it."""

    id: int
    request: int
    """The request that it belongs to."""
    title: str
    """The sub-instruction in words, verb first."""
    state: StepState
    intents: list[str] = Field(default_factory=list)
    explanation: str = ""
    """What changed, or why it was not done."""
    call: CallView | None = None
    changes: list[ChangeView] = Field(default_factory=list)
    retries: list[RetryView] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    choices: list[str] = Field(default_factory=list)
    """Requests that would work instead; shown as buttons on a step that was not done."""
    blocks: list[str] = Field(default_factory=list)
    """Ids of the blocks it touched that are still in the document; of more than 5,000 the first."""


class RequestView(Message):
    """One request of the user and how it stands."""

    id: int
    text: str
    state: Literal["queued", "working", "finished", "stopped"]
    summary: str = ""
    complete: bool = False
    client_id: str = ""
    """The id that the pane gave to the `run` it came from, so that the pane knows which of its own has
    arrived.
    """


class BlockView(Message):
    """A block of the body for the document view: its id and its place among the body's blocks, from 0."""

    id: str
    index: int


class DocumentView(Message):
    """The open document."""

    name: str
    """File name for people and for the download."""
    revision: int
    """Rises with every change."""
    blocks: int
    """Number of blocks in the body."""


class AttachmentView(Message):
    """A picture that the user has attached: requests may say its name. Also the answer to its upload."""

    name: str
    """What it is called; not always as uploaded, since two pictures may not have one name."""
    size: int
    """Bytes."""


class ExampleView(Message):
    """An example request for the empty pane."""

    text: str


class SessionView(Message):
    """Everything that the pane shows, whole."""

    document: DocumentView
    requests: list[RequestView] = Field(default_factory=list)
    steps: list[StepView] = Field(default_factory=list)
    planner: Literal["local", "llm"]
    model: str = ""
    """Name of the model if one is configured."""
    examples: list[ExampleView] = Field(default_factory=list)
    attachments: list[AttachmentView] = Field(default_factory=list)
    """In the order in which they were attached."""


class ConflictView(Message):
    """Undoing `step` would take away what later steps stand on."""

    step: int
    dependents: list[int]
    """Later steps that could not be done again without it, in order."""
    reasons: list[str]
    """One sentence for each of them."""
    lost_edits: list[str] = Field(default_factory=list)
    """The user's own edits that could not be carried over, in words."""


# -- pane to server ------------------------------------------------------------------------------------------


class Selected(Message):
    """What is selected in the document: block ids, and the selected text if it is less than whole blocks."""

    blocks: list[str] = Field(default_factory=list)
    text: str = ""


class Hello(Message):
    """First message: who is calling, and up to where it knows."""

    kind: Literal["hello"] = "hello"
    protocol: int
    session: str
    token: str
    """The per-run token that the page was served with."""
    epoch: str = ""
    last_seq: int = 0
    host: Literal["playground", "word"] = "playground"


class Run(Message):
    """A request. Requests that arrive while one is at work are queued; one that is not taken comes back as a
    request that is stopped, with the reason as its summary.
    """

    kind: Literal["run"] = "run"
    client_id: str
    """Made by the pane; the same id sent twice (after a reconnect) is taken once."""
    text: str
    selection: Selected | None = None


class Stop(Message):
    """Stop the run at work, within one step; queued requests are dropped; finished steps stay in review."""

    kind: Literal["stop"] = "stop"


class Keep(Message):
    """Let steps stand; an empty list means all."""

    kind: Literal["keep"] = "keep"
    steps: list[int] = Field(default_factory=list)


class Undo(Message):
    """Take steps back; an empty list means all. If later steps stand on one, the server answers `conflict`
    unless they are in the list too.
    """

    kind: Literal["undo"] = "undo"
    steps: list[int] = Field(default_factory=list)
    lose_edits: bool = False
    """The user has seen which edits of their own would be lost (`ConflictView.lost_edits`) and agrees."""


class Redo(Message):
    """Do undone steps again."""

    kind: Literal["redo"] = "redo"
    steps: list[int]


class Ping(Message):
    """Sent by the pane when it has heard nothing for a while; browsers cannot send ping frames."""

    kind: Literal["ping"] = "ping"


class Reading(Message):
    """Word only: the document as Word has it now was posted to `/api/documents/{session}/reading`; `sha256`
    names it. Empty: Word did not give the document that was asked for.
    """

    kind: Literal["reading"] = "reading"
    sha256: str


class PushResult(Message):
    """Word only: what became of a `push`."""

    kind: Literal["push_result"] = "push_result"
    push: int
    outcome: Literal["applied", "mismatch", "rejected", "differs"]
    """applied: written, read back, as expected. mismatch: Word did not hold what was expected, nothing was
    written. rejected: Word refused, nothing was written or it was put back. differs: written, but read back
    otherwise.
    """
    message: str = ""
    found: list[str] = Field(default_factory=list)
    """Texts of the blocks that were found where the push acts, for mismatch and differs."""


ClientMessage = Annotated[
    Hello | Run | Stop | Keep | Undo | Redo | Ping | Reading | PushResult, Field(discriminator="kind")
]


# -- server to pane ------------------------------------------------------------------------------------------


class Welcome(Message):
    """Answer to `hello`."""

    kind: Literal["welcome"] = "welcome"
    session: str
    epoch: str
    seq: int
    resumed: bool
    """True: the missed messages follow. False: `view` is everything."""
    view: SessionView | None = None


class Pong(Message):
    """Answer to `ping`."""

    kind: Literal["pong"] = "pong"


class StepChanged(Message):
    """A step is new or has changed; the whole of it."""

    kind: Literal["step"] = "step"
    seq: int
    step: StepView


class RequestChanged(Message):
    """A request is new or has changed; the whole of it."""

    kind: Literal["request"] = "request"
    seq: int
    request: RequestView


class DocumentChanged(Message):
    """The document is at a new revision. The page fetches the bytes and re-renders; `changed` and `added` say
    which blocks to mark (of more than 5,000 the first), `index` counts the body's blocks in the document as it is
    now.
    """

    kind: Literal["document"] = "document"
    seq: int
    document: DocumentView
    changed: list[BlockView] = Field(default_factory=list)
    added: list[BlockView] = Field(default_factory=list)
    removed: int = 0


class AttachmentsChanged(Message):
    """A picture was attached or taken away; all that are attached now."""

    kind: Literal["attachments"] = "attachments"
    seq: int
    attachments: list[AttachmentView]


class Conflict(Message):
    """Answer to an `undo` that cannot be done alone; nothing was changed. The choices: undo the dependents
    too, or keep.
    """

    kind: Literal["conflict"] = "conflict"
    seq: int
    conflict: ConflictView


class Problem(Message):
    """Something that was asked could not be done, in a sentence; the session goes on."""

    kind: Literal["problem"] = "problem"
    seq: int
    code: str
    message: str


class PushOperation(Message):
    """One write into the live document, on whole body blocks.

    The pane finds the place by the texts of the neighbours and of the blocks that it replaces (`expect`),
    starting at `index` (paragraphs and tables of the body count one each, from 0, those in content controls
    too). `ooxml` is a Flat OPC package of whole blocks; empty for a deletion. `expect` empty is an insertion
    before block `index`.
    """

    index: int
    expect: list[str] = Field(default_factory=list)
    """Texts of the blocks that are replaced, as Word reports them (a table: the texts of its paragraphs that
    are not empty, joined by newlines)."""
    before: str | None = None
    """Text of the block before the place; None at the start of the body."""
    after: str | None = None
    """Text of the block after the place; None at the end."""
    ooxml: str = ""
    result: list[str] = Field(default_factory=list)
    """Texts of the blocks that must be found there afterwards."""


class Push(Message):
    """Word only: carry a verified step (or its undoing) into the live document. Operations are in bottom-up
    order.
    """

    kind: Literal["push"] = "push"
    seq: int
    push: int
    step: int
    operations: list[PushOperation]


class ReadRequest(Message):
    """Word only: the server needs a fresh reading of the document (`getFileAsync`) before it goes on."""

    kind: Literal["read"] = "read"
    seq: int
    reason: str


ServerMessage = Annotated[
    Welcome
    | Pong
    | StepChanged
    | RequestChanged
    | DocumentChanged
    | AttachmentsChanged
    | Conflict
    | Problem
    | Push
    | ReadRequest,
    Field(discriminator="kind"),
]


# -- HTTP bodies ---------------------------------------------------------------------------------------------


class DocumentOpened(Message):
    """Answer to `POST /api/documents?name=...` and to `POST /api/samples/{sample}`."""

    session: str
    document: DocumentView


class BlocksView(Message):
    """Answer to `GET /api/documents/{session}/blocks`: how ids and places in the body belong together."""

    revision: int
    blocks: list[str]
    """Ids of the body's blocks, in order. `BlockView.index` and `PushOperation.index` count this list."""


class SampleView(Message):
    """One of the documents that ship with Stet."""

    id: str
    name: str
    description: str


class HttpProblem(Message):
    """Body of every HTTP error."""

    code: str
    message: str


CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)
SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)


class Wire(Message):
    """Root of the generated schema: names every type that crosses the wire."""

    client: ClientMessage
    server: ServerMessage
    opened: DocumentOpened
    blocks: BlocksView
    sample: SampleView
    http_problem: HttpProblem


class _UntitledFields(GenerateJsonSchema):
    """Without this, every field becomes a numbered alias in the generated TypeScript."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema_text() -> str:
    """The JSON schema of all messages, as it stands on disk."""
    schema = Wire.model_json_schema(mode="serialization", schema_generator=_UntitledFields)
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Write the schema, or with `--check` say whether the one on disk is current."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args(argv).check
    text = schema_text()
    if not check:
        SCHEMA_PATH.write_text(text, encoding="utf-8")
        return 0
    if SCHEMA_PATH.exists() and SCHEMA_PATH.read_text(encoding="utf-8") == text:
        return 0
    print("protocol.schema.json differs from server/protocol.py: run `make protocol`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
