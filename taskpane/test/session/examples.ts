/** Messages as the server sends them, with only what a test cares about spelled out. */

import type { RequestView, ServerMessage, SessionView, StepView } from "../../src/session/messages";

export function step(id: number, over: Partial<StepView> = {}): StepView {
  return {
    id,
    request: 1,
    title: `Step ${id}`,
    state: "review",
    intents: [],
    explanation: "",
    call: null,
    changes: [],
    retries: [],
    warnings: [],
    choices: [],
    blocks: [],
    ...over,
  };
}

export function request(id: number, over: Partial<RequestView> = {}): RequestView {
  return {
    id,
    text: `Request ${id}`,
    state: "working",
    summary: "",
    complete: false,
    client_id: "",
    ...over,
  };
}

export function view(over: Partial<SessionView> = {}): SessionView {
  return {
    document: { name: "report.docx", revision: 1, blocks: 3 },
    requests: [],
    steps: [],
    planner: "local",
    model: "",
    examples: [],
    attachments: [],
    ...over,
  };
}

type Welcome = Extract<ServerMessage, { kind: "welcome" }>;

export function welcome(over: Partial<Welcome> = {}): Welcome {
  return {
    kind: "welcome",
    session: "s1",
    epoch: "e1",
    seq: 0,
    resumed: false,
    view: view(),
    ...over,
  };
}

export function stepMessage(seq: number, over: Partial<StepView> = {}): ServerMessage {
  return { kind: "step", seq, step: step(seq, over) };
}
