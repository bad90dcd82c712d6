import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { DocumentHost, HostSelection, LiveDocument } from "../../src/host/host";
import type { Api } from "../../src/session/api";
import { ApiError } from "../../src/session/api";
import type { ClientMessage, DocumentChanged, PushResult } from "../../src/session/messages";
import { Session } from "../../src/session/session";
import { request, view, welcome } from "./examples";
import { FakeSocket } from "./fake-socket";

/** A host that remembers what it was told, and holds a document if `live` says so. */
class FakeHost implements DocumentHost {
  readonly kind = "playground";
  live: LiveDocument | null = null;
  selected: HostSelection | null = null;
  readonly changes: DocumentChanged[] = [];
  readonly shown: string[] = [];

  showBlock(block: { id: string; index: number }): Promise<boolean> {
    this.shown.push(`${block.id}@${block.index}`);
    return Promise.resolve(true);
  }

  documentChanged(message: DocumentChanged): Promise<void> {
    this.changes.push(message);
    return Promise.resolve();
  }

  selection(): Promise<HostSelection | null> {
    return Promise.resolve(this.selected);
  }

  openExternal(): void {
    // Nothing to open.
  }

  dispose(): void {
    // Nothing to let go of.
  }
}

/** Word, as far as a session sees it: a push takes as long as the test wants. */
class FakeWord implements LiveDocument {
  readonly name = "Live.docx";
  readonly done: string[] = [];
  finish: () => void = () => undefined;

  read(): Promise<Uint8Array> {
    this.done.push("read");
    return Promise.resolve(new TextEncoder().encode("bytes"));
  }

  apply(push: { push: number }): Promise<PushResult> {
    this.done.push(`push ${push.push}`);
    return new Promise((resolve) => {
      this.finish = () =>
        resolve({
          kind: "push_result",
          push: push.push,
          outcome: "applied",
          message: "",
          found: [],
        });
    });
  }

  onEdited(): () => void {
    return () => undefined;
  }
}

class FakeApi {
  order = ["p1", "p2", "p3"];
  asked = 0;
  readings = 0;
  attached: string[] = [];
  broken = false;

  blocks(): Promise<{ revision: number; blocks: string[] }> {
    this.asked += 1;
    if (this.broken) return Promise.reject(new ApiError("SESSION_UNKNOWN", "It is gone."));
    return Promise.resolve({ revision: 1, blocks: this.order });
  }

  attach(_session: string, name: string): Promise<unknown> {
    this.attached.push(name);
    if (name.endsWith(".svg")) return Promise.reject(new ApiError("INVALID_VALUE", "It is SVG."));
    return this.broken ? Promise.reject(new ApiError("UNREACHABLE", "")) : Promise.resolve({});
  }

  detach(_session: string, name: string): Promise<void> {
    this.attached = this.attached.filter((one) => one !== name);
    return Promise.resolve();
  }

  sendReading(): Promise<void> {
    this.readings += 1;
    return Promise.resolve();
  }
}

let host: FakeHost;
let api: FakeApi;
let session: Session;

beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  host = new FakeHost();
  api = new FakeApi();
  session = new Session("s1", host, api as unknown as Api, { url: "ws://x", token: "t" });
  session.start();
  FakeSocket.last.opens();
});

afterEach(() => {
  session.dispose();
  vi.unstubAllGlobals();
});

/** Let promises that are settled run on. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

function sent<Kind extends ClientMessage["kind"]>(
  kind: Kind,
): Extract<ClientMessage, { kind: Kind }>[] {
  return FakeSocket.last.sent.filter((message) => message.kind === kind) as never;
}

describe("attaching", () => {
  const file = (name: string) => new File(["x"], name, { type: "image/png" });

  it("sends the pictures one after the other and shows each until it is there", async () => {
    const done = session.attach([file("a.png"), file("b.png")]);
    expect(session.state.uploading).toEqual(["a.png", "b.png"]);
    await done;
    expect(api.attached).toEqual(["a.png", "b.png"]);
    expect(session.state.uploading).toEqual([]);
  });

  it("says why a picture was refused and goes on with the next", async () => {
    await session.attach([file("a.svg"), file("b.png")]);
    expect(session.state.problems.map((one) => one.message)).toEqual(["It is SVG."]);
    expect(api.attached).toEqual(["a.svg", "b.png"]);
    expect(session.state.uploading).toEqual([]);
  });

  it("says that the server is out of reach, since the picture is waited for", async () => {
    api.broken = true;
    await session.attach([file("a.png")]);
    expect(session.state.problems).toHaveLength(1);
  });

  it("takes a picture away", async () => {
    await session.attach([file("a.png"), file("b.png")]);
    await session.detach("a.png");
    expect(api.attached).toEqual(["b.png"]);
  });
});

describe("asking", () => {
  it("shows the request at once and sends it with the ids of what is selected", async () => {
    FakeSocket.last.says(welcome());
    host.selected = { indexes: [1, 2], text: "some words" };
    const asking = session.ask("Make it bold");
    expect(session.state.pending.map((one) => one.text)).toEqual(["Make it bold"]);
    await asking;
    const [run] = sent("run");
    expect(run?.selection).toEqual({ blocks: ["p2", "p3"], text: "some words" });
    expect(run?.client_id).toBe(session.state.pending[0]?.clientId);
  });

  it("asks without the selection when its blocks cannot be named", async () => {
    FakeSocket.last.says(welcome());
    host.selected = { indexes: [0], text: "" };
    api.broken = true;
    await session.ask("Make it bold");
    expect(sent("run")[0]?.selection).toBeNull();
    expect(session.state.problems.map((one) => one.message)).toEqual(["It is gone."]);
  });

  it("asks for the order of blocks once a revision", async () => {
    FakeSocket.last.says(welcome());
    await session.showBlocks(["p2"]);
    await session.showBlocks(["gone", "p3"]);
    expect(host.shown).toEqual(["p2@1", "p3@2"]);
    expect(api.asked).toBe(1);
    expect(await session.showBlocks(["gone"])).toBe(false);
  });

  it("sends what was asked first first, however long its selection takes", async () => {
    FakeSocket.last.says(welcome());
    let answer: (selection: HostSelection | null) => void = () => undefined;
    vi.spyOn(host, "selection").mockReturnValueOnce(new Promise((found) => (answer = found)));
    void session.ask("First");
    const second = session.ask("Second");
    await settle();
    expect(sent("run")).toEqual([]);
    answer(null);
    await second;
    expect(sent("run").map((one) => one.text)).toEqual(["First", "Second"]);
  });

  it("does not send what was taken back while its selection was looked for", async () => {
    FakeSocket.last.says(welcome());
    const asking = session.ask("Make it bold");
    session.withdraw(session.state.pending[0]?.clientId ?? "");
    await asking;
    expect(sent("run")).toEqual([]);
    expect(session.state.pending).toEqual([]);
  });

  it("names the blocks that the host shows, not those that have their places now", async () => {
    FakeSocket.last.says(welcome());
    host.selected = { indexes: [0, 1], text: "", ids: ["p2", "gone"] };
    await session.ask("Make it bold");
    expect(sent("run")[0]?.selection).toEqual({ blocks: ["p2"], text: "" });
  });

  it("takes a request back that the server has not confirmed, and no other", async () => {
    await session.ask("Make it bold");
    const id = session.state.pending[0]?.clientId ?? "";
    FakeSocket.last.says(welcome());
    FakeSocket.last.says({ kind: "request", seq: 1, request: request(1, { client_id: id }) });
    session.withdraw(id);
    expect(session.state.requests).toHaveLength(1);
    await session.ask("Another");
    session.withdraw(session.state.pending[0]?.clientId ?? "");
    expect(session.state.pending).toHaveLength(0);
  });
});

describe("a conflict", () => {
  const conflict = { step: 2, dependents: [3, 5], reasons: ["a", "b"], lost_edits: [] };

  it("is settled by undoing the step and all that build on it", () => {
    FakeSocket.last.says(welcome()).says({ kind: "conflict", seq: 1, conflict });
    session.settleConflict(true);
    expect(sent("undo")).toEqual([{ kind: "undo", steps: [2, 3, 5], lose_edits: false }]);
    expect(session.state.conflict).toBeNull();
  });

  it("is settled by leaving everything as it is", () => {
    FakeSocket.last.says(welcome()).says({ kind: "conflict", seq: 1, conflict });
    session.settleConflict(false);
    expect(sent("undo")).toEqual([]);
  });
});

describe("the document", () => {
  it("is handed on while an earlier one is still being drawn", () => {
    FakeSocket.last.says(welcome());
    vi.spyOn(host, "documentChanged").mockReturnValueOnce(new Promise(() => undefined));
    for (const revision of [2, 3]) {
      const document = { name: "report.docx", revision, blocks: 3 };
      const message = { document, changed: [], added: [], removed: 0 };
      FakeSocket.last.says({ kind: "document", seq: revision - 1, ...message });
    }
    expect(host.changes.map((one) => one.document.revision)).toEqual([1, 3]);
  });

  it("is shown from the snapshot, and again only when a later snapshot is another revision", async () => {
    FakeSocket.last.says(welcome());
    await settle();
    FakeSocket.last.says(welcome({ epoch: "e2" }));
    await settle();
    expect(host.changes).toHaveLength(1);
    const document = { name: "report.docx", revision: 2, blocks: 3 };
    FakeSocket.last.says(welcome({ epoch: "e3", view: view({ document }) }));
    await settle();
    expect(host.changes.map((one) => one.document.revision)).toEqual([1, 2]);
  });

  it("is handed on with what changed", async () => {
    FakeSocket.last.says(welcome());
    const changed = [{ id: "p1", index: 0 }];
    const document = { name: "report.docx", revision: 2, blocks: 3 };
    FakeSocket.last.says({ kind: "document", seq: 1, document, changed, added: [], removed: 0 });
    await settle();
    expect(host.changes.at(-1)?.changed).toEqual(changed);
  });
});

describe("a live document", () => {
  it("is written and read one thing after the other, and each result goes back", async () => {
    const word = new FakeWord();
    host.live = word;
    FakeSocket.last.says(welcome());
    FakeSocket.last.says({ kind: "push", seq: 1, push: 7, step: 1, operations: [] });
    FakeSocket.last.says({ kind: "read", seq: 2, reason: "check" });
    await settle();
    expect(word.done).toEqual(["push 7"]);
    word.finish();
    await settle();
    expect(word.done).toEqual(["push 7", "read"]);
    expect(sent("push_result").map((one) => one.push)).toEqual([7]);
    await vi.waitFor(() => expect(sent("reading")).toHaveLength(1));
    expect(api.readings).toBe(1);
    // SHA-256 of "bytes".
    expect(sent("reading")[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is not asked for where the host has none", async () => {
    FakeSocket.last.says(welcome()).says({ kind: "read", seq: 1, reason: "check" });
    await settle();
    expect(sent("reading")).toEqual([]);
    expect(session.state.problems).toEqual([]);
  });
});
