/**
 * What the pane knows of the document that it stands beside.
 *
 * Two hosts: the playground page shows the server's copy with docx-preview; Word holds the live document. The pane
 * never asks which one it has: it calls these members, and a host that holds no live document leaves `live` null.
 * Blocks are counted over the body's children (paragraphs, tables, content controls) from 0, in the order in which
 * the server counts them.
 */

import type { BlockView, DocumentChanged, Push, PushResult } from "../protocol";

/** What the user has selected: places of body blocks, and the text if it is less than whole blocks. */
export interface HostSelection {
  indexes: number[];
  text: string;
  /** Ids of the blocks, where the host knows them: what it shows may be older than the server's document. */
  ids?: readonly string[];
}

/** Members that only a host with a document of its own can have: Word. */
export interface LiveDocument {
  /** File name for people; the server names the session's document after it. */
  readonly name: string;

  /** The whole .docx as it is now (`Office.context.document.getFileAsync`). */
  read(): Promise<Uint8Array>;

  /**
   * Carry a verified step into the document: check what is there, write once, read back. Never rejects for what Word
   * says: each outcome, "rejected" too, is a result.
   */
  apply(push: Push): Promise<PushResult>;

  /** Call `listener` when the user may have edited the document. A hint: the server asks for a reading anyway. */
  onEdited(listener: () => void): () => void;
}

export interface DocumentHost {
  readonly kind: "playground" | "word";
  readonly live: LiveDocument | null;

  /** Bring a block into view and mark it for a moment. Resolves to false when it cannot be found. */
  showBlock(block: BlockView): Promise<boolean>;

  /** The server's document is at a new revision: show it, mark what changed. Word has it already and does nothing. */
  documentChanged(message: DocumentChanged): Promise<void>;

  /** What is selected now, or null for nothing (a bare cursor is nothing). */
  selection(): Promise<HostSelection | null>;

  /** Open an address outside the pane (`Office.context.ui.openBrowserWindow`; in a plain page, a new tab). */
  openExternal(url: string): void;

  /** Let go of listeners and of the view. */
  dispose(): void;
}
