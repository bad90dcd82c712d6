/**
 * The script that tests serve in place of Microsoft's office.js.
 *
 * `window.fakeWordSetup` (set before this script runs) holds the .docx as base64, and quirks. `window.fakeWord` is the
 * test's hand: the user typing, Word failing, what the document is now.
 */

import { OpenDocument, QUIRKS, type Quirks } from "./document";
import { officeNamespace, type OfficeRecord } from "./office";
import { Parts } from "./parts";
import type { Fault, Faults } from "./queue";
import { wordNamespace, type FakeSelection, type FakeState } from "./word";
import { all, child, create, is } from "./xml";

export interface FakeWordSetup {
  docx: string;
  quirks?: Partial<Quirks>;
}

class FakeWord {
  readonly faults: Faults = { next: null, beforeWrite: null, syncs: 0, writes: 0 };
  readonly record: OfficeRecord = {
    openFiles: 0,
    opened: [],
    nextFile: "whole",
    handlers: new Set(),
  };
  readonly selection: FakeSelection = { first: -1, last: -1 };

  constructor(readonly document: OpenDocument) {}

  /** Texts of the body's blocks; a table's is its paragraphs' texts, joined by bars. */
  texts(): string[] {
    return this.document.blocks().map((block) =>
      this.document
        .paragraphs(block)
        .map((paragraph) => this.document.text(paragraph))
        .join("|"),
    );
  }

  /** XML of a block, for looking at its format. */
  xml(at: number): string {
    const block = this.document.blocks()[at];
    return block ? new XMLSerializer().serializeToString(block) : "";
  }

  /** The document as a .docx, base64. */
  async docx(): Promise<string> {
    const bytes = await this.document.parts.toDocx();
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  }

  /** The user gives a paragraph another text. */
  type(at: number, text: string): void {
    const block = this.document.blocks()[at];
    if (!block || !is(block, "p")) throw new Error(`block ${at} is not a paragraph`);
    for (const inner of [...block.children]) if (!is(inner, "pPr")) inner.remove();
    const run = create(block, "r");
    const t = create(block, "t");
    t.textContent = text;
    run.append(t);
    block.append(run);
    this.moved();
  }

  /** The user adds a paragraph after a block (-1: at the start). */
  add(at: number, text: string): void {
    const blocks = this.document.blocks();
    const anchor = blocks[Math.max(0, at)];
    if (anchor) this.document.insertParagraph(anchor, text, at < 0 ? "Before" : "After");
    this.moved();
  }

  /** The user deletes a block. */
  remove(at: number): void {
    this.document.blocks()[at]?.remove();
    this.moved();
  }

  select(first: number, last: number): void {
    this.selection.first = first;
    this.selection.last = last;
    this.moved();
  }

  failNext(fault: Fault): void {
    this.faults.next = fault;
  }

  /** The user types at the worst moment: after the check, before the write. */
  typeDuringNextWrite(at: number, text: string): void {
    this.faults.beforeWrite = () => {
      this.type(at, text);
    };
  }

  styleIds(): string[] {
    const styles = this.document.parts.parts.get("/word/styles.xml")?.xml;
    if (!styles) return [];
    return all(styles.documentElement, "style").map(
      (s) => s.getAttributeNS(s.namespaceURI, "styleId") ?? "",
    );
  }

  /** Style id of a paragraph block, or "" if it names none. */
  styleOf(at: number): string {
    const block = this.document.blocks()[at];
    const format = block ? child(block, "pPr") : null;
    const style = format ? child(format, "pStyle") : null;
    return style?.getAttributeNS(style.namespaceURI, "val") ?? "";
  }

  private moved(): void {
    for (const handler of this.record.handlers) setTimeout(handler);
  }
}

declare global {
  interface Window {
    fakeWordSetup: FakeWordSetup;
    fakeWord: FakeWord;
  }
}

// Office's own script sets these to null; the page must live with it (found with office.js 1.1.110).
Object.assign(window.history, { pushState: null, replaceState: null });

const setup = window.fakeWordSetup;
const bytes = Uint8Array.from(atob(setup.docx), (c) => c.charCodeAt(0));
let document: OpenDocument | null = null;
const ready = Parts.fromDocx(bytes).then((parts) => {
  document = new OpenDocument(parts, { ...QUIRKS, ...setup.quirks });
  const fake = new FakeWord(document);
  const state: FakeState = { document, faults: fake.faults, selection: fake.selection };
  Object.assign(window, {
    fakeWord: fake,
    Word: wordNamespace(state),
    Office: { ...(officeNamespace(document, fake.record, Promise.resolve()) as object) },
  });
});

// Until the document is open only `onReady` answers, as in Word.
Object.assign(window, {
  Office: {
    onReady: async (callback?: (info: object) => void) => {
      await ready;
      return await (
        Office as unknown as { onReady: (c?: (i: object) => void) => Promise<object> }
      ).onReady(callback);
    },
    HostType: { Word: "Word" },
  },
});
