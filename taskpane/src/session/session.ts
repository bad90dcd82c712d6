/**
 * One open document as the pane sees it: the state, the socket that feeds it, and the host that holds the document.
 * The pane renders `state` and calls the methods; nothing else talks to the server.
 */

import type { DocumentHost, LiveDocument } from "../host/host";
import { t } from "../i18n/t";
import { ApiError, sha256 } from "./api";
import type { Api } from "./api";
import { SessionClient } from "./client";
import type { SessionAddress } from "./client";
import type { DocumentChanged, Selected, ServerMessage } from "./messages";
import { EMPTY_SESSION, reduce } from "./state";
import type { SessionEvent, SessionState } from "./state";

export class Session {
  #state: SessionState = EMPTY_SESSION;
  readonly #listeners = new Set<() => void>();
  readonly #client: SessionClient;
  /** What the host does, one after the other: pushes and readings must not overlap. */
  #hostWork: Promise<void> = Promise.resolve();
  #uploads: Promise<void> = Promise.resolve();
  /** Requests go out in the order in which they were asked, however long it takes to find what was selected. */
  #asking: Promise<void> = Promise.resolve();
  #blocks: { revision: number; ids: readonly string[] } | null = null;

  constructor(
    readonly id: string,
    readonly host: DocumentHost,
    readonly api: Api,
    address: Pick<SessionAddress, "url" | "token">,
  ) {
    this.#client = new SessionClient(
      { ...address, session: id, host: host.kind },
      {
        message: (message) => this.#receive(message),
        connection: (connection) => this.#change({ kind: "connection", connection }),
      },
    );
  }

  get state(): SessionState {
    return this.#state;
  }

  start(): void {
    this.#client.start();
  }

  dispose(): void {
    this.#client.dispose();
    this.#listeners.clear();
  }

  /** Call `listener` after each change of `state`; returns how to stop that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // -- what the user does --------------------------------------------------------------------------------------

  /** Ask for something. Shown at once; carried out after what was asked before. */
  ask(text: string): Promise<void> {
    const clientId = newId();
    this.#change({ kind: "asked", clientId, text });
    const before = this.#asking;
    const selected = this.#selection();
    const work = (async () => {
      await before;
      const selection = await selected;
      // It may have been taken back meanwhile.
      if (this.#state.pending.some((one) => one.clientId === clientId))
        this.#client.send({ kind: "run", client_id: clientId, text, selection });
    })();
    this.#asking = work;
    return work;
  }

  /** Take back a request that has not reached the server. */
  withdraw(clientId: string): void {
    this.#client.withdraw(clientId);
    this.#change({ kind: "withdrawn", clientId });
  }

  /** Give along a picture for requests to name. One after the other: the order of the files is that of the names. */
  attach(files: readonly File[]): Promise<void> {
    for (const { name } of files) this.#change({ kind: "upload_began", name });
    const work = this.#uploads.then(async () => {
      for (const file of files) await this.#upload(file);
    });
    this.#uploads = work;
    return work;
  }

  /** Take a picture away again; steps that used it stay as they are. Resolves to whether that was done. */
  async detach(name: string): Promise<boolean> {
    try {
      await this.api.detach(this.id, name);
      return true;
    } catch (error) {
      this.#fail(error, { always: true });
      return false;
    }
  }

  stop(): void {
    this.#client.send({ kind: "stop" });
  }

  keep(steps: number[]): void {
    this.#client.send({ kind: "keep", steps });
  }

  keepAll(): void {
    this.keep([]);
  }

  undo(steps: number[], loseEdits = false): void {
    this.#client.send({ kind: "undo", steps, lose_edits: loseEdits });
  }

  undoAll(): void {
    this.undo([]);
  }

  redo(step: number): void {
    this.#client.send({ kind: "redo", steps: [step] });
  }

  /** Undo the step of the conflict and all that stand on it, or leave everything as it is. */
  settleConflict(undoThemToo: boolean): void {
    const conflict = this.#state.conflict;
    this.#change({ kind: "conflict_closed" });
    if (conflict && undoThemToo) {
      this.undo([conflict.step, ...conflict.dependents], conflict.lost_edits.length > 0);
    }
  }

  /** Say something that only this side knows. */
  report(code: string, message: string): void {
    this.#change({ kind: "failed", code, message });
  }

  dismissProblem(id: number): void {
    this.#change({ kind: "problem_dismissed", id });
  }

  retryConnection(): void {
    this.#client.retryNow();
  }

  /** Bring the first of these blocks that is still in the document into view. */
  async showBlocks(ids: readonly string[]): Promise<boolean> {
    const order = await this.blockIds();
    for (const id of ids) {
      const index = order.indexOf(id);
      if (index >= 0) return this.host.showBlock({ id, index });
    }
    return false;
  }

  /** Ids of the body's blocks in order, as of the document's present revision. */
  async blockIds(): Promise<readonly string[]> {
    const revision = this.#state.document?.revision ?? -1;
    if (this.#blocks?.revision !== revision) {
      try {
        const { revision, blocks } = await this.api.blocks(this.id);
        this.#blocks = { revision, ids: blocks };
      } catch (error) {
        this.#fail(error);
      }
    }
    return this.#blocks?.ids ?? [];
  }

  // -- what the server says ------------------------------------------------------------------------------------

  #receive(message: Exclude<ServerMessage, { kind: "pong" }>): void {
    const before = this.#state.document;
    this.#change(message);
    switch (message.kind) {
      case "document":
        this.#tell(message);
        break;
      case "welcome":
        // A snapshot says nothing of what changed: the view is drawn again without marks.
        if (message.view && message.view.document.revision !== before?.revision) {
          const document = message.view.document;
          this.#tell({
            kind: "document",
            seq: message.seq,
            document,
            changed: [],
            added: [],
            removed: 0,
          });
        }
        break;
      case "push":
        this.#withLive(async (live) => this.#client.send(await live.apply(message)));
        break;
      case "read":
        this.#withLive((live) => this.#read(live));
        break;
      case "step":
      case "request":
      case "attachments":
      case "conflict":
      case "problem":
        break;
    }
  }

  async #upload(file: File): Promise<void> {
    try {
      await this.api.attach(this.id, file.name, file);
    } catch (error) {
      this.#fail(error, { always: true });
    } finally {
      this.#change({ kind: "upload_ended", name: file.name });
    }
  }

  async #read(live: LiveDocument): Promise<void> {
    let name = "";
    try {
      const bytes = await live.read();
      await this.api.sendReading(this.id, bytes);
      name = await sha256(bytes);
    } finally {
      // Also without a document: the server waits for the answer.
      this.#client.send({ kind: "reading", sha256: name });
    }
  }

  async #selection(): Promise<Selected | null> {
    try {
      const selection = await this.host.selection();
      if (!selection) return null;
      const ids = await this.blockIds();
      const blocks = selection.ids
        ? selection.ids.filter((id) => ids.includes(id))
        : selection.indexes.flatMap((index) => ids[index] ?? []);
      return blocks.length > 0 ? { blocks, text: selection.text } : null;
    } catch (error) {
      // A request without its selection is better than none: the planner asks what was meant.
      this.#fail(error);
      return null;
    }
  }

  /** At once, so that a host which is still drawing can draw what has come since together. */
  #tell(message: DocumentChanged): void {
    this.host.documentChanged(message).catch((error: unknown) => this.#fail(error));
  }

  #withLive(work: (live: LiveDocument) => Promise<void>): void {
    const live = this.host.live;
    if (live) this.#do(() => work(live));
  }

  #do(work: () => Promise<void>): void {
    this.#hostWork = this.#hostWork.then(work).catch((error: unknown) => this.#fail(error));
  }

  /** `always`: the user has asked for this very thing and is waiting for it. */
  #fail(error: unknown, { always = false } = {}): void {
    if (error instanceof ApiError) {
      const unreachable = error.code === "UNREACHABLE";
      // An unreachable server already shows in the connection bar.
      if (unreachable && !always) return;
      const message = unreachable ? t("problem.unreachable") : error.message;
      this.#change({ kind: "failed", code: error.code, message });
      return;
    }
    console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    this.#change({ kind: "failed", code: "HOST", message });
  }

  #change(event: SessionEvent): void {
    const before = this.#state;
    this.#state = reduce(before, event);
    if (this.#state !== before) for (const listener of this.#listeners) listener();
  }
}

/** 128 random bits; `crypto.randomUUID` exists only where the page came over https or from this machine. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
