/** Written by scripts/protocol.mjs from server/protocol.py. Not to be edited. */

/**
 * Root of the generated schema: names every type that crosses the wire.
 */
export interface Wire {
  blocks: BlocksView;
  client: Hello | Run | Stop | Keep | Undo | Redo | Ping | Reading | PushResult;
  http_problem: HttpProblem;
  opened: DocumentOpened;
  sample: SampleView;
  server:
    | Welcome
    | Pong
    | StepChanged
    | RequestChanged
    | DocumentChanged
    | AttachmentsChanged
    | Conflict
    | Problem
    | Push
    | ReadRequest;
}
/**
 * Answer to `GET /api/documents/{session}/blocks`: how ids and places in the body belong together.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "BlocksView".
 */
export interface BlocksView {
  /**
   * Ids of the body's blocks, in order. `BlockView.index` and `PushOperation.index` count this list.
   */
  blocks: string[];
  revision: number;
}
/**
 * First message: who is calling, and up to where it knows.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Hello".
 */
export interface Hello {
  epoch: string;
  host: "playground" | "word";
  kind: "hello";
  last_seq: number;
  protocol: number;
  session: string;
  /**
   * The per-run token that the page was served with.
   */
  token: string;
}
/**
 * A request. Requests that arrive while one is at work are queued; one that is not taken comes back as a
 * request that is stopped, with the reason as its summary.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Run".
 */
export interface Run {
  /**
   * Made by the pane; the same id sent twice (after a reconnect) is taken once.
   */
  client_id: string;
  kind: "run";
  selection: Selected | null;
  text: string;
}
/**
 * What is selected in the document: block ids, and the selected text if it is less than whole blocks.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Selected".
 */
export interface Selected {
  blocks: string[];
  text: string;
}
/**
 * Stop the run at work, within one step; queued requests are dropped; finished steps stay in review.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Stop".
 */
export interface Stop {
  kind: "stop";
}
/**
 * Let steps stand; an empty list means all.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Keep".
 */
export interface Keep {
  kind: "keep";
  steps: number[];
}
/**
 * Take steps back; an empty list means all. If later steps stand on one, the server answers `conflict`
 * unless they are in the list too.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Undo".
 */
export interface Undo {
  kind: "undo";
  /**
   * The user has seen which edits of their own would be lost (`ConflictView.lost_edits`) and agrees.
   */
  lose_edits: boolean;
  steps: number[];
}
/**
 * Do undone steps again.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Redo".
 */
export interface Redo {
  kind: "redo";
  steps: number[];
}
/**
 * Sent by the pane when it has heard nothing for a while; browsers cannot send ping frames.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Ping".
 */
export interface Ping {
  kind: "ping";
}
/**
 * Word only: the document as Word has it now was posted to `/api/documents/{session}/reading`; `sha256`
 * names it. Empty: Word did not give the document that was asked for.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Reading".
 */
export interface Reading {
  kind: "reading";
  sha256: string;
}
/**
 * Word only: what became of a `push`.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "PushResult".
 */
export interface PushResult {
  /**
   * Texts of the blocks that were found where the push acts, for mismatch and differs.
   */
  found: string[];
  kind: "push_result";
  message: string;
  /**
   * applied: written, read back, as expected. mismatch: Word did not hold what was expected, nothing was
   * written. rejected: Word refused, nothing was written or it was put back. differs: written, but read back
   * otherwise.
   */
  outcome: "applied" | "mismatch" | "rejected" | "differs";
  push: number;
}
/**
 * Body of every HTTP error.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "HttpProblem".
 */
export interface HttpProblem {
  code: string;
  message: string;
}
/**
 * Answer to `POST /api/documents?name=...` and to `POST /api/samples/{sample}`.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "DocumentOpened".
 */
export interface DocumentOpened {
  document: DocumentView;
  session: string;
}
/**
 * The open document.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "DocumentView".
 */
export interface DocumentView {
  /**
   * Number of blocks in the body.
   */
  blocks: number;
  /**
   * File name for people and for the download.
   */
  name: string;
  /**
   * Rises with every change.
   */
  revision: number;
}
/**
 * One of the documents that ship with Stet.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "SampleView".
 */
export interface SampleView {
  description: string;
  id: string;
  name: string;
}
/**
 * Answer to `hello`.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Welcome".
 */
export interface Welcome {
  epoch: string;
  kind: "welcome";
  /**
   * True: the missed messages follow. False: `view` is everything.
   */
  resumed: boolean;
  seq: number;
  session: string;
  view: SessionView | null;
}
/**
 * Everything that the pane shows, whole.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "SessionView".
 */
export interface SessionView {
  /**
   * In the order in which they were attached.
   */
  attachments: AttachmentView[];
  document: DocumentView;
  examples: ExampleView[];
  /**
   * Name of the model if one is configured.
   */
  model: string;
  planner: "local" | "llm";
  requests: RequestView[];
  steps: StepView[];
}
/**
 * A picture that the user has attached: requests may say its name. Also the answer to its upload.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "AttachmentView".
 */
export interface AttachmentView {
  /**
   * What it is called; not always as uploaded, since two pictures may not have one name.
   */
  name: string;
  /**
   * Bytes.
   */
  size: number;
}
/**
 * An example request for the empty pane.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "ExampleView".
 */
export interface ExampleView {
  text: string;
}
/**
 * One request of the user and how it stands.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "RequestView".
 */
export interface RequestView {
  /**
   * The id that the pane gave to the `run` it came from, so that the pane knows which of its own has
   * arrived.
   */
  client_id: string;
  complete: boolean;
  id: number;
  state: "queued" | "working" | "finished" | "stopped";
  summary: string;
  text: string;
}
/**
 * One step as the pane shows it.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "StepView".
 */
export interface StepView {
  /**
   * Ids of the blocks it touched that are still in the document; of more than 5,000 the first.
   */
  blocks: string[];
  call: CallView | null;
  changes: ChangeView[];
  /**
   * Requests that would work instead; shown as buttons on a step that was not done.
   */
  choices: string[];
  /**
   * What changed, or why it was not done.
   */
  explanation: string;
  id: number;
  intents: string[];
  /**
   * The request that it belongs to.
   */
  request: number;
  retries: RetryView[];
  state:
    | "planned"
    | "running"
    | "checking"
    | "retrying"
    | "review"
    | "kept"
    | "undone"
    | "not_done"
    | "undoing";
  /**
   * The sub-instruction in words, verb first.
   */
  title: string;
  warnings: string[];
}
/**
 * The call that a step made.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "CallView".
 */
export interface CallView {
  operation: string;
  params: {
    [k: string]: unknown;
  };
}
/**
 * One line of change analysis, for the details of a step.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "ChangeView".
 */
export interface ChangeView {
  after: string;
  before: string;
  dimension: "structure" | "content" | "formatting" | "style" | "tables" | "hyperlinks" | "other";
  /**
   * The block's id, or the name of the part.
   */
  target: string;
  /**
   * The change in words.
   */
  text: string;
}
/**
 * An attempt that was rolled back.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "RetryView".
 */
export interface RetryView {
  level: "parameter" | "api";
  reason: string;
}
/**
 * Answer to `ping`.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Pong".
 */
export interface Pong {
  kind: "pong";
}
/**
 * A step is new or has changed; the whole of it.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "StepChanged".
 */
export interface StepChanged {
  kind: "step";
  seq: number;
  step: StepView;
}
/**
 * A request is new or has changed; the whole of it.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "RequestChanged".
 */
export interface RequestChanged {
  kind: "request";
  request: RequestView;
  seq: number;
}
/**
 * The document is at a new revision. The page fetches the bytes and re-renders; `changed` and `added` say
 * which blocks to mark (of more than 5,000 the first), `index` counts the body's blocks in the document as it is
 * now.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "DocumentChanged".
 */
export interface DocumentChanged {
  added: BlockView[];
  changed: BlockView[];
  document: DocumentView;
  kind: "document";
  removed: number;
  seq: number;
}
/**
 * A block of the body for the document view: its id and its place among the body's blocks, from 0.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "BlockView".
 */
export interface BlockView {
  id: string;
  index: number;
}
/**
 * A picture was attached or taken away; all that are attached now.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "AttachmentsChanged".
 */
export interface AttachmentsChanged {
  attachments: AttachmentView[];
  kind: "attachments";
  seq: number;
}
/**
 * Answer to an `undo` that cannot be done alone; nothing was changed. The choices: undo the dependents
 * too, or keep.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Conflict".
 */
export interface Conflict {
  conflict: ConflictView;
  kind: "conflict";
  seq: number;
}
/**
 * Undoing `step` would take away what later steps stand on.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "ConflictView".
 */
export interface ConflictView {
  /**
   * Later steps that could not be done again without it, in order.
   */
  dependents: number[];
  /**
   * The user's own edits that could not be carried over, in words.
   */
  lost_edits: string[];
  /**
   * One sentence for each of them.
   */
  reasons: string[];
  step: number;
}
/**
 * Something that was asked could not be done, in a sentence; the session goes on.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Problem".
 */
export interface Problem {
  code: string;
  kind: "problem";
  message: string;
  seq: number;
}
/**
 * Word only: carry a verified step (or its undoing) into the live document. Operations are in bottom-up
 * order.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Push".
 */
export interface Push {
  kind: "push";
  operations: PushOperation[];
  push: number;
  seq: number;
  step: number;
}
/**
 * One write into the live document, on whole body blocks.
 *
 * The pane finds the place by the texts of the neighbours and of the blocks that it replaces (`expect`),
 * starting at `index` (paragraphs and tables of the body count one each, from 0, those in content controls
 * too). `ooxml` is a Flat OPC package of whole blocks; empty for a deletion. `expect` empty is an insertion
 * before block `index`.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "PushOperation".
 */
export interface PushOperation {
  /**
   * Text of the block after the place; None at the end.
   */
  after: string | null;
  /**
   * Text of the block before the place; None at the start of the body.
   */
  before: string | null;
  /**
   * Texts of the blocks that are replaced, as Word reports them (a table: the texts of its paragraphs that
   * are not empty, joined by newlines).
   */
  expect: string[];
  index: number;
  ooxml: string;
  /**
   * Texts of the blocks that must be found there afterwards.
   */
  result: string[];
}
/**
 * Word only: the server needs a fresh reading of the document (`getFileAsync`) before it goes on.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "ReadRequest".
 */
export interface ReadRequest {
  kind: "read";
  reason: string;
  seq: number;
}
