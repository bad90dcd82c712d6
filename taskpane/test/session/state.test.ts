import { describe, expect, it } from "vitest";

import type { SessionEvent, SessionState } from "../../src/session/state";
import {
  holdsUnsaved,
  EMPTY_SESSION,
  isWorking,
  reduce,
  stepsInDocument,
  stepsInReview,
} from "../../src/session/state";
import { request, step, view, welcome } from "./examples";

function after(...events: SessionEvent[]): SessionState {
  return events.reduce(reduce, EMPTY_SESSION);
}

describe("reduce", () => {
  it("shows the whole view that a welcome brings", () => {
    const state = after(
      welcome({ seq: 7, view: view({ steps: [step(1)], planner: "llm", model: "m" }) }),
    );
    expect(state).toMatchObject({ ready: true, seq: 7, epoch: "e1", planner: "llm", model: "m" });
    expect(state.connection).toEqual({ phase: "online" });
    expect(state.steps.map((one) => one.id)).toEqual([1]);
  });

  it("keeps what is shown when the server resumes", () => {
    const state = after(
      welcome({ seq: 0, view: view({ steps: [step(1)] }) }),
      { kind: "connection", connection: { phase: "offline", attempt: 1 } },
      welcome({ seq: 9, resumed: true, view: null }),
    );
    expect(state.steps).toHaveLength(1);
    expect(state.seq).toBe(0);
    expect(state.connection.phase).toBe("online");
  });

  it("replaces a step in its place and adds a new one in the order of ids", () => {
    const state = after(
      welcome({ view: view({ steps: [step(1), step(3)] }) }),
      { kind: "step", seq: 1, step: step(1, { state: "kept" }) },
      { kind: "step", seq: 2, step: step(2) },
    );
    expect(state.steps.map((one) => [one.id, one.state])).toEqual([
      [1, "kept"],
      [2, "review"],
      [3, "review"],
    ]);
  });

  it("lists a request as pending until the server confirms that very one", () => {
    const asked = after(welcome(), { kind: "asked", clientId: "c1", text: "Bold" });
    expect(asked.pending).toEqual([{ clientId: "c1", text: "Bold" }]);
    const other = reduce(asked, {
      kind: "request",
      seq: 1,
      request: request(1, { client_id: "c2" }),
    });
    expect(other.pending).toHaveLength(1);
    const confirmed = reduce(other, {
      kind: "request",
      seq: 2,
      request: request(2, { client_id: "c1" }),
    });
    expect(confirmed.pending).toHaveLength(0);
  });

  it("drops a pending request that a snapshot already holds", () => {
    const state = after(
      { kind: "asked", clientId: "c1", text: "Bold" },
      welcome({ view: view({ requests: [request(1, { client_id: "c1" })] }) }),
    );
    expect(state.pending).toHaveLength(0);
  });

  it("takes back a pending request", () => {
    const state = after(
      { kind: "asked", clientId: "c1", text: "Bold" },
      { kind: "withdrawn", clientId: "c1" },
    );
    expect(state.pending).toHaveLength(0);
  });

  it("shows a conflict until it is closed", () => {
    const conflict = {
      step: 1,
      dependents: [2],
      reasons: ["It edits the new table."],
      lost_edits: [],
    };
    const shown = after(welcome(), { kind: "conflict", seq: 1, conflict });
    expect(shown.conflict).toEqual(conflict);
    expect(reduce(shown, { kind: "conflict_closed" }).conflict).toBeNull();
  });

  it("says the same problem once and keeps the last three", () => {
    const say = (message: string): SessionEvent => ({ kind: "failed", code: "X", message });
    const state = after(say("a"), say("b"), say("a"), say("c"), say("d"));
    expect(state.problems.map((one) => one.message)).toEqual(["a", "c", "d"]);
    const [first] = state.problems;
    expect(reduce(state, { kind: "problem_dismissed", id: first?.id ?? 0 }).problems).toHaveLength(
      2,
    );
  });

  it("counts the messages for the host", () => {
    const state = after(welcome(), { kind: "read", seq: 1, reason: "start" });
    expect(state.seq).toBe(1);
  });

  it("shows the pictures that are attached, and those on their way by their own names", () => {
    const logo = { name: "logo.png", size: 2048 };
    const chart = { name: "logo (2).png", size: 512 };
    const state = after(
      welcome({ view: view({ attachments: [logo] }) }),
      { kind: "upload_began", name: "logo.png" },
      { kind: "upload_began", name: "logo.png" },
      { kind: "attachments", seq: 1, attachments: [logo, chart] },
      { kind: "upload_ended", name: "logo.png" },
    );
    expect(state.attachments).toEqual([logo, chart]);
    expect(state.uploading).toEqual(["logo.png"]);
    expect(reduce(state, { kind: "attachments", seq: 2, attachments: [chart] })).toMatchObject({
      seq: 2,
      attachments: [chart],
    });
  });

  it("leaves the state alone for a message of a newer server", () => {
    const before = after(welcome());
    expect(reduce(before, { kind: "weather", seq: 1 } as unknown as SessionEvent)).toBe(before);
  });
});

describe("what the pane asks of a state", () => {
  it("knows the steps in review and those whose effect is in the document", () => {
    const steps = [
      step(1),
      step(2, { state: "kept" }),
      step(3, { state: "undone" }),
      step(4, { state: "not_done" }),
    ];
    const state = after(welcome({ view: view({ steps }) }));
    expect(stepsInReview(state).map((one) => one.id)).toEqual([1]);
    expect(stepsInDocument(state).map((one) => one.id)).toEqual([1, 2]);
  });

  it("holds what is not on disk when steps came after the last download, or are coming", () => {
    const steps = [step(1)];
    const finished = [request(1, { state: "finished" })];
    const state = after(welcome({ view: view({ steps, requests: finished }) }));
    expect(holdsUnsaved(state, null)).toBe(true);
    expect(holdsUnsaved(state, 1)).toBe(false);
    const document = { name: "report.docx", revision: 2, blocks: 3 };
    expect(holdsUnsaved(after(welcome({ view: view({ steps, document }) })), 1)).toBe(true);
    const working = view({ steps, requests: [request(1), request(2, { state: "queued" })] });
    expect(holdsUnsaved(after(welcome({ view: working })), 1)).toBe(true);
    expect(holdsUnsaved(after(welcome()), null)).toBe(false);
  });

  it("is at work while a request is", () => {
    expect(isWorking(after(welcome({ view: view({ requests: [request(1)] }) })))).toBe(true);
    expect(
      isWorking(after(welcome({ view: view({ requests: [request(1, { state: "finished" })] }) }))),
    ).toBe(false);
  });
});
