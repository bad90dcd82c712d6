/** The playground as a host: the server has the document, the page draws it. */

import type { DocumentHost, HostSelection } from "../host/host";
import type { Api } from "../session/api";
import type { BlockView, DocumentChanged } from "../session/messages";
import type { DocumentView, Mark } from "../view/document-view";

export interface PlaygroundHostEvents {
  /** The view is about to show something that the user asked to see. */
  onShow: () => void;
  /** `null`: all is well again. */
  onDrawn: (error: unknown) => void;
}

export class PlaygroundHost implements DocumentHost {
  readonly kind = "playground";
  readonly live = null;
  /** The document as last fetched: all that is left of it when the server loses the session. */
  lastBytes: ArrayBuffer | null = null;
  /** By id, since places shift while changes wait to be drawn. */
  readonly #marks = new Map<string, Mark>();
  /** Blocks before which something was removed. */
  readonly #gaps = new Set<string>();
  /** Ids of the blocks as drawn. */
  #order: readonly string[] = [];
  #wanted = 0;
  #drawn = 0;
  #drawing: Promise<void> = Promise.resolve();

  constructor(
    private readonly session: string,
    private readonly view: DocumentView,
    private readonly api: Api,
    private readonly events: PlaygroundHostEvents,
  ) {}

  async documentChanged({ changed, added }: DocumentChanged): Promise<void> {
    for (const { id } of changed) if (!this.#marks.has(id)) this.#marks.set(id, "changed");
    for (const { id } of added) this.#marks.set(id, "added");
    this.#wanted += 1;
    const wanted = this.#wanted;
    // Changes that come while one is being drawn are drawn together.
    this.#drawing = this.#drawing.then(() => (this.#drawn < wanted ? this.#draw() : undefined));
    await this.#drawing;
  }

  /** A new request begins: what earlier ones changed is no longer news. */
  clearMarks(): void {
    this.#marks.clear();
    this.#gaps.clear();
    this.view.clearMarks();
  }

  async showBlock(block: BlockView): Promise<boolean> {
    this.events.onShow();
    await this.#drawing;
    return this.view.reveal(block.index);
  }

  selection(): Promise<HostSelection | null> {
    const selection = this.view.selection();
    const ids = selection?.indexes.flatMap((index) => this.#order[index] ?? []) ?? [];
    return Promise.resolve(selection && { ...selection, ids });
  }

  openExternal(url: string): void {
    window.open(url, "_blank", "noopener");
  }

  dispose(): void {
    this.view.dispose();
  }

  /** The block that now stands where one was taken out; what follows the last block is not marked. */
  #noteGaps(blocks: readonly string[]): void {
    const present = new Set(blocks);
    const before = new Set(this.#order);
    this.#order.forEach((id, index) => {
      if (present.has(id)) return;
      const next = this.#order.slice(index + 1).find((one) => present.has(one));
      if (next) this.#gaps.add(next);
    });
    // What was removed is back: its successor no longer follows a gap.
    blocks.forEach((id, index) => {
      const next = blocks[index + 1];
      if (!before.has(id) && next) this.#gaps.delete(next);
    });
  }

  /** Both of one revision: a step may come between the two answers, and then ids would name other blocks. */
  async #fetched(): Promise<{ bytes: ArrayBuffer; blocks: readonly string[] }> {
    for (;;) {
      const [document, { revision, blocks }] = await Promise.all([
        this.api.document(this.session),
        this.api.blocks(this.session),
      ]);
      if (document.revision === revision) return { bytes: document.bytes, blocks };
    }
  }

  async #draw(): Promise<void> {
    const drawing = this.#wanted;
    try {
      const { bytes, blocks } = await this.#fetched();
      this.lastBytes = bytes;
      this.#noteGaps(blocks);
      const marks = new Map<number, Mark>();
      const gaps = new Set<number>();
      blocks.forEach((id, index) => {
        const mark = this.#marks.get(id);
        if (mark) marks.set(index, mark);
        if (this.#gaps.has(id)) gaps.add(index);
      });
      await this.view.show(bytes, marks, gaps);
      this.#order = blocks;
      this.view.revealMarks();
      this.#drawn = drawing;
      this.events.onDrawn(null);
    } catch (error) {
      this.events.onDrawn(error);
    }
  }
}
