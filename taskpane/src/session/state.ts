/** What the pane shows, and the one function that changes it. Pure: no socket, no document, no clock. */

import type {
  AttachmentView,
  ConflictView,
  DocumentView,
  ExampleView,
  RequestView,
  ServerMessage,
  SessionView,
  StepView,
} from "./messages";

/** Why a connection will not be tried again. */
export type EndReason = "bad_message" | "not_allowed" | "wrong_protocol" | "gone";

export type Connection =
  | { phase: "connecting" }
  | { phase: "online" }
  /** Lost; `attempt` counts from 1. */
  | { phase: "offline"; attempt: number }
  | { phase: "ended"; reason: EndReason };

/** A request that the server has not confirmed yet. */
export interface PendingRequest {
  clientId: string;
  text: string;
}

export interface ProblemView {
  id: number;
  code: string;
  message: string;
}

export interface SessionState {
  connection: Connection;
  epoch: string;
  /** Number of the last server message that was taken in. */
  seq: number;
  /** False until the first `welcome`: there is nothing to show yet. */
  ready: boolean;
  document: DocumentView | null;
  requests: readonly RequestView[];
  steps: readonly StepView[];
  planner: SessionView["planner"];
  model: string;
  examples: readonly ExampleView[];
  /** Pictures that requests may name. */
  attachments: readonly AttachmentView[];
  /** Names of the pictures that are on their way to the server, as their files are called. */
  uploading: readonly string[];
  pending: readonly PendingRequest[];
  conflict: ConflictView | null;
  problems: readonly ProblemView[];
}

/** Things that happen on this side of the wire. */
export type LocalEvent =
  | { kind: "connection"; connection: Connection }
  | { kind: "asked"; clientId: string; text: string }
  | { kind: "withdrawn"; clientId: string }
  | { kind: "upload_began"; name: string }
  | { kind: "upload_ended"; name: string }
  | { kind: "failed"; code: string; message: string }
  | { kind: "problem_dismissed"; id: number }
  | { kind: "conflict_closed" };

export type SessionEvent = ServerMessage | LocalEvent;

export const EMPTY_SESSION: SessionState = {
  connection: { phase: "connecting" },
  epoch: "",
  seq: 0,
  ready: false,
  document: null,
  requests: [],
  steps: [],
  planner: "local",
  model: "",
  examples: [],
  attachments: [],
  uploading: [],
  pending: [],
  conflict: null,
  problems: [],
};

/** The state after `event`. Server messages must come in order and once: `SessionClient` sees to that. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  switch (event.kind) {
    case "welcome":
      return welcomed(state, event);
    case "pong":
      return state;
    case "step":
      return { ...state, seq: event.seq, steps: withItem(state.steps, event.step) };
    case "request":
      return {
        ...state,
        seq: event.seq,
        requests: withItem(state.requests, event.request),
        pending: state.pending.filter((one) => one.clientId !== event.request.client_id),
      };
    case "document":
      return { ...state, seq: event.seq, document: event.document };
    case "attachments":
      return { ...state, seq: event.seq, attachments: event.attachments };
    case "conflict":
      return { ...state, seq: event.seq, conflict: event.conflict };
    case "problem":
      return withProblem({ ...state, seq: event.seq }, event.code, event.message);
    case "push":
    case "read":
      // The host's work, not the pane's: nothing to show, but the number counts.
      return { ...state, seq: event.seq };
    case "connection":
      return { ...state, connection: event.connection };
    case "asked":
      return {
        ...state,
        pending: [...state.pending, { clientId: event.clientId, text: event.text }],
      };
    case "withdrawn":
      return {
        ...state,
        pending: state.pending.filter((one) => one.clientId !== event.clientId),
      };
    case "upload_began":
      return { ...state, uploading: [...state.uploading, event.name] };
    case "upload_ended":
      return { ...state, uploading: without(state.uploading, event.name) };
    case "failed":
      return withProblem(state, event.code, event.message);
    case "problem_dismissed":
      return { ...state, problems: state.problems.filter((one) => one.id !== event.id) };
    case "conflict_closed":
      return { ...state, conflict: null };
    default:
      return unknown(state, event);
  }
}

function welcomed(
  state: SessionState,
  message: Extract<ServerMessage, { kind: "welcome" }>,
): SessionState {
  const online: SessionState = { ...state, connection: { phase: "online" }, epoch: message.epoch };
  // Resumed: the missed messages follow, each with its own number.
  if (message.resumed || !message.view) return { ...online, ready: true };
  const view = message.view;
  const arrived = new Set(view.requests.map((request) => request.client_id));
  return {
    ...online,
    ready: true,
    seq: message.seq,
    document: view.document,
    requests: view.requests,
    steps: view.steps,
    planner: view.planner,
    model: view.model,
    examples: view.examples,
    attachments: view.attachments,
    pending: state.pending.filter((one) => !arrived.has(one.clientId)),
    conflict: null,
  };
}

/** `items` with `item` in the place of the one with its id, or at the end; kept in the order of ids. */
function withItem<T extends { id: number }>(items: readonly T[], item: T): readonly T[] {
  if (items.some((one) => one.id === item.id)) {
    return items.map((one) => (one.id === item.id ? item : one));
  }
  const before = items.filter((one) => one.id < item.id);
  return [...before, item, ...items.slice(before.length)];
}

/** `items` without the first that is `item`. */
function without<T>(items: readonly T[], item: T): readonly T[] {
  const index = items.indexOf(item);
  return items.filter((_, at) => at !== index);
}

function withProblem(state: SessionState, code: string, message: string): SessionState {
  const id = 1 + Math.max(0, ...state.problems.map((one) => one.id));
  // The same sentence twice says nothing new.
  const others = state.problems.filter((one) => one.message !== message);
  return { ...state, problems: [...others, { id, code, message }].slice(-3) };
}

function unknown(state: SessionState, event: never): SessionState {
  console.warn("a message of a kind that this page does not know", event);
  return state;
}

// -- what the pane asks of a state ----------------------------------------------------------------------------------

export function isWorking(state: SessionState): boolean {
  return state.requests.some((request) => request.state === "working");
}

/** Steps that "Keep all" would keep. */
export function stepsInReview(state: SessionState): readonly StepView[] {
  return state.steps.filter((step) => step.state === "review");
}

/** Steps whose effect is in the document: what "Undo all" would take back. */
export function stepsInDocument(state: SessionState): readonly StepView[] {
  return state.steps.filter((step) => step.state === "review" || step.state === "kept");
}

/** Whether closing the document would lose something; `downloaded` is the revision that the user has on disk. */
export function holdsUnsaved(state: SessionState, downloaded: number | null): boolean {
  if (state.steps.length === 0) return false;
  return isWorking(state) || state.document?.revision !== downloaded;
}

export function stepById(state: SessionState, id: number): StepView | undefined {
  return state.steps.find((step) => step.id === id);
}
