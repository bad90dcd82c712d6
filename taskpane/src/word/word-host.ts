/**
 * Word as the pane's host. `Word.run` is called in this folder only; everything here is in WordApi 1.3, so it works
 * from Office 2019 on and on every platform.
 */

import type { DocumentHost, HostSelection, LiveDocument } from "../host/host";
import type { BlockView, DocumentChanged, Push, PushResult } from "../protocol";
import { paragraphOf, rangeOf, readTopBlocks, type LiveBody } from "./body";
import { Lock, within } from "./lock";
import { applyPush } from "./push";
import { readDocument } from "./reading";

/** Milliseconds that Word gets for an answer; on the web each write is a round trip behind a dialog (issue 5944). */
const PATIENCE = 30_000;
const PATIENCE_WEB = 120_000;

/** How many answers are remembered, so that a push that arrives again after a lost socket is not done twice. */
const REMEMBERED = 20;

interface Answer {
  operations: string;
  result: PushResult;
}

export class WordHost implements DocumentHost, LiveDocument {
  readonly kind = "word";
  readonly live = this;
  private readonly lock = new Lock();
  private readonly answers: Answer[] = [];
  private readonly listeners = new Set<() => void>();
  private listening = false;

  /** `patienceMs`: how long Word gets for each answer; by default what its platform needs. */
  constructor(private readonly patienceMs?: number) {}

  get name(): string {
    const path = Office.context.document.url || "";
    const last = path.split(/[\\/]/).at(-1) ?? "";
    return last.toLowerCase().endsWith(".docx") ? decoded(last) : "Document.docx";
  }

  read(): Promise<Uint8Array> {
    return this.lock.run(() => within(this.patience(), readDocument()));
  }

  apply(push: Push): Promise<PushResult> {
    return this.lock.run(async () => {
      const operations = JSON.stringify(push.operations);
      const answered = this.answers.find(
        (old) => old.result.push === push.push && old.operations === operations,
      );
      if (answered) return answered.result;
      const result = await applyPush(push, this.patience());
      this.answers.push({ operations, result });
      if (this.answers.length > REMEMBERED) this.answers.shift();
      return result;
    });
  }

  /** WordApi 1.3 has no events of the text; a moved cursor is the only sign that the user may have typed. */
  onEdited(listener: () => void): () => void {
    this.listeners.add(listener);
    if (!this.listening) {
      this.listening = true;
      Office.context.document.addHandlerAsync(
        Office.EventType.DocumentSelectionChanged,
        this.selectionChanged,
      );
    }
    return () => this.listeners.delete(listener);
  }

  showBlock(block: BlockView): Promise<boolean> {
    return this.lock.run(() =>
      Word.run(async (context) => {
        const body = await readTopBlocks(context);
        const found = body.blocks[block.index];
        if (!found) return false;
        rangeOf(body, found).select();
        await context.sync();
        return true;
      }).catch(() => false),
    );
  }

  documentChanged(_message: DocumentChanged): Promise<void> {
    return Promise.resolve(); // Word shows its own document
  }

  selection(): Promise<HostSelection | null> {
    return this.lock.run(() => Word.run(selected)).catch(() => null); // a selection in a header has no place in the body
  }

  openExternal(url: string): void {
    if (Office.context.requirements.isSetSupported("OpenBrowserWindowApi", "1.1")) {
      Office.context.ui.openBrowserWindow(url);
    } else window.open(url, "_blank", "noopener");
  }

  dispose(): void {
    this.listeners.clear();
    if (this.listening) {
      Office.context.document.removeHandlerAsync(Office.EventType.DocumentSelectionChanged, {
        handler: this.selectionChanged,
      });
      this.listening = false;
    }
  }

  private readonly selectionChanged = (): void => {
    for (const listener of this.listeners) listener();
  };

  private patience(): number {
    const online = Office.context.platform === Office.PlatformType.OfficeOnline;
    return this.patienceMs ?? (online ? PATIENCE_WEB : PATIENCE);
  }
}

/** Which blocks the selection touches, and its text. */
async function selected(context: Word.RequestContext): Promise<HostSelection | null> {
  const selection = context.document.getSelection();
  selection.load("text");
  await context.sync();
  if (selection.text === "") return null; // a bare cursor
  const body = await readTopBlocks(context);
  // A selection is a few blocks in a row: compare each block's start and end with it, all in one sync.
  const relations = body.blocks.map((block) => ({
    first: paragraphOf(body, block).getRange("Whole").compareLocationWith(selection),
    last: lastRange(body, block.last).compareLocationWith(selection),
  }));
  await context.sync();
  const indexes = relations.flatMap(({ first, last }, index) =>
    isBefore(last.value) || isAfter(first.value) ? [] : [index],
  );
  return indexes.length ? { indexes, text: selection.text } : null;
}

function lastRange(body: LiveBody, at: number): Word.Range {
  const paragraph = body.paragraphs[at];
  if (!paragraph) throw new RangeError(`no paragraph ${at}`);
  return paragraph.getRange("Whole");
}

function isBefore(relation: Word.LocationRelation | string): boolean {
  return relation === "Before" || relation === "AdjacentBefore";
}

function isAfter(relation: Word.LocationRelation | string): boolean {
  return relation === "After" || relation === "AdjacentAfter" || relation === "Unrelated";
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
