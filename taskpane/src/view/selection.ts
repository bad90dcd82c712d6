/**
 * What the user has selected in the document. Browsers forget it when the focus goes to the request box; it is kept
 * here, stays coloured, and is found again after its block was drawn anew.
 */

import type { HostSelection } from "../host/host";
import type { RenderedBlock } from "./rendering";

const HIGHLIGHT = "stet-selection";

/**
 * With these the user may take the focus, and the selection with it, out of the document. Browsers tell of a changed
 * selection with the next frame only; when the page is busy the selection has moved on by then.
 */
const BEFORE_A_MOVE = ["pointerdown", "keydown"] as const;

/** A place in the text of one drawn node of a block. */
interface Point {
  index: number;
  /** Which of the block's nodes, since a block can be drawn as several. */
  part: number;
  offset: number;
}

interface Kept {
  range: Range;
  text: string;
  start: Point | null;
  end: Point | null;
}

export class KeptSelection {
  #kept: Kept | null = null;

  constructor(
    private readonly sheet: HTMLElement,
    private readonly blocks: () => RenderedBlock[],
  ) {
    document.addEventListener("selectionchange", this.note);
    for (const type of BEFORE_A_MOVE) document.addEventListener(type, this.note, true);
  }

  dispose(): void {
    document.removeEventListener("selectionchange", this.note);
    for (const type of BEFORE_A_MOVE) document.removeEventListener(type, this.note, true);
    this.#forget();
  }

  current(): HostSelection | null {
    const kept = this.#kept;
    if (!kept?.range.startContainer.isConnected) return null;
    const touched = this.blocks().filter(({ node }) => kept.range.intersectsNode(node));
    const indexes = [...new Set(touched.map((block) => block.index))];
    if (indexes.length === 0) return null;
    const whole = touched.map(({ node }) => textOf(node)).join("");
    const text = kept.text.trim();
    return { indexes, text: squeezed(text) === squeezed(whole) ? "" : text };
  }

  /** The view has drawn blocks anew: the same words at the same place are still selected, others are not. */
  redrawn(): void {
    const kept = this.#kept;
    if (!kept) return;
    const { start, end } = kept;
    // A range whose node was taken off the page has collapsed to where the node was.
    if (kept.range.toString() !== kept.text) {
      const range = start && end && this.#rangeOf(start, end);
      if (!range || range.toString() !== kept.text) {
        this.#forget();
        return;
      }
      kept.range = range;
      // The browser's own went with the old nodes. Where the user has left the document, theirs is elsewhere.
      if (this.#live()) document.getSelection()?.setBaseAndExtent(...endsOf(range));
    }
    this.#colour(kept.range);
  }

  /** Take in what is selected in the document now; elsewhere the selection says nothing of it. */
  readonly note = (): void => {
    const range = this.#live();
    if (!range || (this.#kept && isSame(range, this.#kept.range))) return;
    if (range.collapsed) {
      this.#forget();
      return;
    }
    this.#kept = {
      range: range.cloneRange(),
      text: range.toString(),
      start: this.#pointOf(range.startContainer, range.startOffset),
      end: this.#pointOf(range.endContainer, range.endOffset),
    };
    this.#colour(this.#kept.range);
  };

  /** The browser's selection, where it is in the document. */
  #live(): Range | null {
    const selection = document.getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    return range && this.sheet.contains(range.commonAncestorContainer) ? range : null;
  }

  #pointOf(container: Node, offset: number): Point | null {
    const blocks = this.blocks();
    const at = blocks.findIndex(({ node }) => node.contains(container));
    const block = blocks[at];
    if (!block) return null;
    const before = new Range();
    before.setStart(block.node, 0);
    before.setEnd(container, offset);
    const part = blocks.slice(0, at).filter(({ index }) => index === block.index).length;
    const mark = markWord(block.node)?.textContent.length ?? 0;
    return { index: block.index, part, offset: Math.max(0, before.toString().length - mark) };
  }

  #rangeOf(start: Point, end: Point): Range | null {
    const from = this.#placeOf(start);
    const to = this.#placeOf(end);
    if (!from || !to) return null;
    const range = new Range();
    range.setStart(...from);
    range.setEnd(...to);
    return range;
  }

  #placeOf({ index, part, offset }: Point): [Text, number] | null {
    const block = this.blocks().filter((one) => one.index === index)[part];
    if (!block) return null;
    let left = offset;
    for (const text of textNodes(block.node)) {
      if (left <= text.length) return [text, left];
      left -= text.length;
    }
    return null;
  }

  #colour(range: Range): void {
    CSS.highlights?.set(HIGHLIGHT, new Highlight(range));
  }

  #forget(): void {
    this.#kept = null;
    CSS.highlights?.delete(HIGHLIGHT);
  }
}

function endsOf(range: Range): [Node, number, Node, number] {
  return [range.startContainer, range.startOffset, range.endContainer, range.endOffset];
}

function isSame(one: Range, other: Range): boolean {
  const ends = endsOf(other);
  return endsOf(one).every((end, index) => end === ends[index]);
}

function markWord(node: HTMLElement): Element | null {
  return node.querySelector(":scope > .mark-word");
}

function textNodes(node: HTMLElement): Text[] {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (!text.parentElement?.matches(".mark-word")) found.push(text);
  }
  return found;
}

function textOf(node: HTMLElement): string {
  return textNodes(node)
    .map((text) => text.data)
    .join("");
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}
