import { describe, expect, it } from "vitest";

import type { SessionEvent } from "../../src/session/state";
import { EMPTY_SESSION, reduce } from "../../src/session/state";
import { announcements } from "../../src/ui/announcer";
import { request, step, view, welcome } from "../session/examples";

const READY = reduce(
  EMPTY_SESSION,
  welcome({ view: view({ requests: [request(1)], steps: [step(1, { state: "running" })] }) }),
);

function said(...events: SessionEvent[]): string[] {
  return announcements(READY, events.reduce(reduce, READY));
}

describe("announcements", () => {
  it("says nothing of the view that a welcome brings", () => {
    expect(announcements(EMPTY_SESSION, READY)).toEqual([]);
  });

  it("says a step's new state in words", () => {
    expect(
      said({ kind: "step", seq: 1, step: step(1, { title: "Bold", state: "review" }) }),
    ).toEqual(["Bold: Review"]);
  });

  it("says which picture came and which went", () => {
    const one = { name: "a.png", size: 1 };
    const come: SessionEvent = { kind: "attachments", seq: 1, attachments: [one] };
    const gone: SessionEvent = { kind: "attachments", seq: 2, attachments: [] };
    expect(said(come)).toEqual(["Attached: a.png"]);
    expect(announcements(reduce(READY, come), reduce(reduce(READY, come), gone))).toEqual([
      "Removed: a.png",
    ]);
  });

  it("passes over states that come and go", () => {
    expect(said({ kind: "step", seq: 1, step: step(1, { state: "checking" }) })).toEqual([]);
  });

  it("says that a request has ended, with its summary", () => {
    const finished = request(1, { state: "finished", summary: "2 of 2 steps done." });
    expect(said({ kind: "request", seq: 1, request: finished })).toEqual([
      "Finished. 2 of 2 steps done.",
    ]);
  });

  it("says once that the connection is lost, when coming back at once did not work", () => {
    const lost = (attempt: number): SessionEvent => ({
      kind: "connection",
      connection: { phase: "offline", attempt },
    });
    expect(said(lost(1))).toEqual([]);
    const second = reduce(READY, lost(2));
    expect(announcements(READY, second)).toEqual(["The connection was lost. Trying again…"]);
    expect(announcements(second, reduce(second, lost(3)))).toEqual([]);
  });

  it("says what was sent and that the connection is back", () => {
    expect(said({ kind: "asked", clientId: "c", text: "Bold" })).toEqual(["Request sent: Bold"]);
    const offline = reduce(READY, {
      kind: "connection",
      connection: { phase: "offline", attempt: 1 },
    });
    const back = reduce(offline, welcome({ resumed: true, view: null }));
    expect(announcements(offline, back)).toEqual(["Connected again."]);
  });
});
