/**
 * The WebSocket to the server: one ordered stream of messages over as many sockets as it takes.
 *
 * Says hello with the last number seen, drops what comes twice, asks again when a number is missing, notices silence
 * (browsers cannot send ping frames), waits longer after each failure, and holds what could not be sent. Knows nothing
 * of the document or of what is shown.
 */

import { backoffDelay } from "./backoff";
import { PROTOCOL_VERSION } from "./messages";
import type { ClientMessage, NumberedMessage, ServerMessage } from "./messages";
import type { Connection, EndReason } from "./state";

const CONNECT_LIMIT_MS = 5_000;
const PING_AFTER_MS = 15_000;
const SILENCE_LIMIT_MS = 40_000;

/** Close codes of the server after which trying again would only fail again. */
const END_CODES: Readonly<Record<number, EndReason>> = {
  4400: "bad_message",
  4401: "not_allowed",
  4404: "gone",
  4409: "wrong_protocol",
};

export interface SessionAddress {
  /** `ws:` or `wss:` address of the session endpoint. */
  url: string;
  session: string;
  token: string;
  host: "playground" | "word";
}

export interface ClientListener {
  /** Each `welcome`, and each numbered message once, in order. */
  message(message: Exclude<ServerMessage, { kind: "pong" }>): void;
  connection(connection: Connection): void;
}

export class SessionClient {
  #socket: WebSocket | null = null;
  #welcomed = false;
  #epoch = "";
  #seq = 0;
  #attempt = 0;
  #outbox: ClientMessage[] = [];
  #unconfirmed = new Map<string, ClientMessage>();
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #connectTimer: ReturnType<typeof setTimeout> | undefined;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #heardAt = 0;
  #stopped = false;

  constructor(
    private readonly address: SessionAddress,
    private readonly listener: ClientListener,
    private readonly random: () => number = Math.random,
  ) {}

  start(): void {
    addEventListener("online", this.retryNow);
    document.addEventListener("visibilitychange", this.#onVisible);
    this.#connect();
  }

  dispose(): void {
    this.#stopped = true;
    removeEventListener("online", this.retryNow);
    document.removeEventListener("visibilitychange", this.#onVisible);
    clearTimeout(this.#retryTimer);
    this.#drop(1000);
  }

  /** Send now, or after the next `welcome`. A `run` is sent again until the server has confirmed it. */
  send(message: ClientMessage): void {
    if (message.kind === "run") this.#unconfirmed.set(message.client_id, message);
    if (this.#welcomed && this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(message));
    } else if (message.kind !== "run") {
      this.#outbox.push(message);
    }
  }

  /** Take back a request that the server has not confirmed. False if it has. */
  withdraw(clientId: string): boolean {
    return this.#unconfirmed.delete(clientId);
  }

  /** Try at once instead of waiting; does nothing while connected. */
  readonly retryNow = (): void => {
    if (this.#stopped || this.#socket) return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  };

  readonly #onVisible = (): void => {
    if (document.visibilityState === "visible") this.retryNow();
  };

  #connect(): void {
    const socket = new WebSocket(this.address.url);
    this.#socket = socket;
    this.#welcomed = false;
    this.#connectTimer = setTimeout(() => this.#lost(socket), CONNECT_LIMIT_MS);
    socket.onopen = () => {
      socket.send(
        JSON.stringify({
          kind: "hello",
          protocol: PROTOCOL_VERSION,
          session: this.address.session,
          token: this.address.token,
          epoch: this.#epoch,
          last_seq: this.#seq,
          host: this.address.host,
        } satisfies ClientMessage),
      );
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.#socket) this.#receive(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = (event) => {
      const reason = END_CODES[event.code];
      if (reason && socket === this.#socket) this.#end(reason);
      else this.#lost(socket);
    };
  }

  #receive(message: ServerMessage): void {
    this.#heardAt = Date.now();
    if (message.kind === "welcome") this.#welcome(message);
    else if (message.kind !== "pong") this.#numbered(message);
  }

  #welcome(message: Extract<ServerMessage, { kind: "welcome" }>): void {
    clearTimeout(this.#connectTimer);
    this.#welcomed = true;
    this.#attempt = 0;
    this.#epoch = message.epoch;
    if (!message.resumed) this.#seq = message.seq;
    for (const request of message.view?.requests ?? []) this.#unconfirmed.delete(request.client_id);
    this.listener.message(message);
    const waiting = [...this.#outbox, ...this.#unconfirmed.values()];
    this.#outbox = [];
    for (const one of waiting) this.send(one);
    this.#watchSilence();
  }

  #numbered(message: NumberedMessage): void {
    if (message.seq <= this.#seq) return;
    if (message.seq > this.#seq + 1) {
      // Something was lost between the server's log and here. Another epoch asks for the whole.
      this.#epoch = "";
      this.#lost(this.#socket);
      return;
    }
    this.#seq = message.seq;
    if (message.kind === "request") this.#unconfirmed.delete(message.request.client_id);
    this.listener.message(message);
  }

  #watchSilence(): void {
    clearTimeout(this.#silenceTimer);
    const quiet = Date.now() - this.#heardAt;
    if (quiet >= SILENCE_LIMIT_MS) {
      this.#lost(this.#socket);
      return;
    }
    if (quiet >= PING_AFTER_MS) this.send({ kind: "ping" });
    this.#silenceTimer = setTimeout(() => this.#watchSilence(), PING_AFTER_MS / 3);
  }

  /** The socket is of no use any more: let it go and come back later. */
  #lost(socket: WebSocket | null): void {
    if (socket !== this.#socket || this.#stopped) return;
    this.#drop(4000);
    this.#attempt += 1;
    this.listener.connection({ phase: "offline", attempt: this.#attempt });
    const delay = backoffDelay(this.#attempt - 1, this.random);
    this.#retryTimer = setTimeout(() => this.#connect(), delay);
  }

  #end(reason: EndReason): void {
    this.#stopped = true;
    this.#drop(1000);
    this.listener.connection({ phase: "ended", reason });
  }

  #drop(code: number): void {
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#silenceTimer);
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(code);
  }
}
