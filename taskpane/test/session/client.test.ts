import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { SessionClient } from "../../src/session/client";
import type { ClientMessage, ServerMessage } from "../../src/session/messages";
import type { Connection } from "../../src/session/state";
import { request, stepMessage, view, welcome } from "./examples";
import { FakeSocket } from "./fake-socket";

const ADDRESS = {
  url: "ws://x/api/session",
  session: "s1",
  token: "t",
  host: "playground",
} as const;

let heard: ServerMessage[];
let connections: Connection[];
let client: SessionClient;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  heard = [];
  connections = [];
  client = new SessionClient(
    ADDRESS,
    {
      message: (message) => heard.push(message),
      connection: (connection) => connections.push(connection),
    },
    () => 1,
  );
  client.start();
});

afterEach(() => {
  client.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function run(clientId: string): ClientMessage {
  return { kind: "run", client_id: clientId, text: "Make it bold", selection: null };
}

function hello(socket: FakeSocket): Extract<ClientMessage, { kind: "hello" }> {
  const first = socket.sent[0];
  if (first?.kind !== "hello") throw new Error("the first message was not a hello");
  return first;
}

function seqs(): number[] {
  return heard.flatMap((message) =>
    "seq" in message && message.kind !== "welcome" ? [message.seq] : [],
  );
}

describe("saying hello", () => {
  it("names the session, the token and the host, and knows nothing yet", () => {
    FakeSocket.last.opens();
    expect(hello(FakeSocket.last)).toEqual({
      kind: "hello",
      protocol: 1,
      session: "s1",
      token: "t",
      epoch: "",
      last_seq: 0,
      host: "playground",
    });
  });

  it("says after a lost socket which message it saw last", () => {
    FakeSocket.last
      .opens()
      .says(welcome({ seq: 3 }))
      .says(stepMessage(4))
      .closes(1006);
    vi.advanceTimersByTime(500);
    expect(hello(FakeSocket.last.opens())).toMatchObject({ epoch: "e1", last_seq: 4 });
  });

  it("starts from the snapshot when the server's log is another one", () => {
    FakeSocket.last
      .opens()
      .says(welcome({ seq: 90 }))
      .closes(1006);
    vi.advanceTimersByTime(500);
    FakeSocket.last
      .opens()
      .says(welcome({ epoch: "e2", seq: 2 }))
      .says(stepMessage(3));
    expect(seqs()).toEqual([3]);
  });
});

describe("numbers", () => {
  it("drops what comes twice", () => {
    FakeSocket.last
      .opens()
      .says(welcome())
      .says(stepMessage(1))
      .says(stepMessage(1))
      .says(stepMessage(2));
    expect(seqs()).toEqual([1, 2]);
  });

  it("takes the missed messages after a resume, each once", () => {
    FakeSocket.last.opens().says(welcome()).says(stepMessage(1)).closes(1006);
    vi.advanceTimersByTime(500);
    FakeSocket.last.opens().says(welcome({ resumed: true, seq: 3, view: null }));
    FakeSocket.last.says(stepMessage(1)).says(stepMessage(2)).says(stepMessage(3));
    expect(seqs()).toEqual([1, 2, 3]);
  });

  it("asks for the whole when a number is missing, and shows nothing of what follows the gap", () => {
    FakeSocket.last.opens().says(welcome()).says(stepMessage(1)).says(stepMessage(3));
    expect(seqs()).toEqual([1]);
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(2);
    expect(hello(FakeSocket.last.opens()).epoch).toBe("");
  });
});

describe("a lost socket", () => {
  it("waits longer after each failure and starts over after a welcome", () => {
    for (const delay of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
      const before = FakeSocket.all.length;
      FakeSocket.last.closes(1006);
      vi.advanceTimersByTime(delay - 1);
      expect(FakeSocket.all).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.all).toHaveLength(before + 1);
    }
    FakeSocket.last.opens().says(welcome()).closes(1006);
    const before = FakeSocket.all.length;
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(before + 1);
  });

  it("counts the attempts for the pane", () => {
    FakeSocket.last.closes(1006);
    vi.advanceTimersByTime(500);
    FakeSocket.last.closes(1006);
    expect(connections).toEqual([
      { phase: "offline", attempt: 1 },
      { phase: "offline", attempt: 2 },
    ]);
  });

  it("gives up a socket that does not get its welcome in five seconds", () => {
    FakeSocket.last.opens();
    vi.advanceTimersByTime(5_000);
    expect(connections).toEqual([{ phase: "offline", attempt: 1 }]);
  });

  it("comes back at once when asked to, and when the network returns", () => {
    FakeSocket.last.closes(1006);
    client.retryNow();
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.closes(1006);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(3);
    vi.advanceTimersByTime(60_000);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all.filter((socket) => socket.readyState !== FakeSocket.CLOSED)).toHaveLength(
      1,
    );
  });

  it.each([
    [4400, "bad_message"],
    [4401, "not_allowed"],
    [4404, "gone"],
    [4409, "wrong_protocol"],
  ])("does not come back after close code %i", (code, reason) => {
    FakeSocket.last.opens().closes(code);
    expect(connections).toEqual([{ phase: "ended", reason }]);
    vi.advanceTimersByTime(120_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe("silence", () => {
  it("asks for a sign of life after fifteen seconds and leaves after forty", () => {
    const socket = FakeSocket.last.opens().says(welcome());
    vi.advanceTimersByTime(14_000);
    expect(socket.sent.some((message) => message.kind === "ping")).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(socket.sent.some((message) => message.kind === "ping")).toBe(true);
    vi.advanceTimersByTime(25_000);
    expect(connections).toEqual([{ phase: "offline", attempt: 1 }]);
  });

  it("stays while the server answers", () => {
    const socket = FakeSocket.last.opens().says(welcome());
    for (let elapsed = 0; elapsed < 300_000; elapsed += 10_000) {
      vi.advanceTimersByTime(10_000);
      socket.says({ kind: "pong" });
    }
    expect(connections).toEqual([]);
  });
});

describe("sending", () => {
  it("holds what is sent while offline until the next welcome, in order", () => {
    client.send({ kind: "keep", steps: [1] });
    client.send({ kind: "undo", steps: [2], lose_edits: false });
    const socket = FakeSocket.last.opens();
    expect(socket.sent).toHaveLength(1);
    socket.says(welcome());
    expect(socket.sent.slice(1).map((message) => message.kind)).toEqual(["keep", "undo"]);
  });

  it("sends a request again until the server has confirmed it, and then no more", () => {
    FakeSocket.last.opens().says(welcome());
    client.send(run("c1"));
    FakeSocket.last.closes(1006);
    vi.advanceTimersByTime(500);
    const second = FakeSocket.last.opens().says(welcome({ resumed: true, view: null }));
    expect(second.sent.slice(1)).toEqual([run("c1")]);
    second.says({ kind: "request", seq: 1, request: request(1, { client_id: "c1" }) });
    second.closes(1006);
    vi.advanceTimersByTime(500);
    const third = FakeSocket.last.opens().says(welcome({ resumed: true, view: null }));
    expect(third.sent).toHaveLength(1);
  });

  it("does not send a request again that the snapshot already holds", () => {
    client.send(run("c1"));
    const confirmed = view({ requests: [request(1, { client_id: "c1" })] });
    FakeSocket.last.opens().says(welcome({ view: confirmed }));
    expect(FakeSocket.last.sent).toHaveLength(1);
  });

  it("does not send a request that was withdrawn while offline", () => {
    client.send(run("c1"));
    expect(client.withdraw("c1")).toBe(true);
    FakeSocket.last.opens().says(welcome());
    expect(FakeSocket.last.sent).toHaveLength(1);
    expect(client.withdraw("c1")).toBe(false);
  });

  it("opens no socket after it was disposed of", () => {
    FakeSocket.last.closes(1006);
    client.dispose();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});
