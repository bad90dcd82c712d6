/**
 * The document on the page: drawn once, then changed block by block. Scroll position, selection and unchanged nodes
 * stay; blocks that the server names are marked with a bar and, for screen readers, a word.
 */

import type { HostSelection } from "../host/host";
import { t } from "../i18n/t";
import { matches } from "./diff";
import type { RenderedBlock, RenderedPage, Rendering } from "./rendering";
import { renderDocx } from "./rendering";
import { KeptSelection } from "./selection";

export type Mark = "changed" | "added";
/** A gap marks the block after what was removed. */
type AnyMark = Mark | "gap";

const MIN_ZOOM = 0.5;

export class DocumentView {
  readonly #sheet = document.createElement("div");
  readonly #styles = document.createElement("div");
  #rendering: Rendering | null = null;
  #marks = new Map<number, AnyMark>();
  readonly #selection = new KeptSelection(this.#sheet, () => this.#blocks());
  readonly #resize = new ResizeObserver(() => this.#fit());

  constructor(private readonly root: HTMLElement) {
    this.#sheet.className = "docx-wrapper sheet";
    root.append(this.#styles, this.#sheet);
    this.#resize.observe(root);
  }

  dispose(): void {
    this.#resize.disconnect();
    this.#selection.dispose();
    this.root.replaceChildren();
  }

  /** Show these bytes; only what differs from what is shown is put on the page anew. */
  async show(
    bytes: ArrayBuffer | Uint8Array,
    marks: ReadonlyMap<number, Mark>,
    gaps: ReadonlySet<number> = new Set(),
  ): Promise<void> {
    const next = await renderDocx(bytes);
    const top = this.root.scrollTop;
    // What was selected a moment ago, before its nodes may go.
    this.#selection.note();
    this.#clearMarks();
    this.#showStyles(next);
    this.#rendering = this.#patched(this.#rendering, next);
    this.#marks = new Map(marks);
    for (const gap of gaps) if (!this.#marks.has(gap)) this.#marks.set(gap, "gap");
    let last = -1;
    for (const { node, index } of this.#blocks()) {
      node.dataset.blockIndex = String(index);
      const mark = marks.get(index);
      if (mark) setMark(node, mark);
      if (gaps.has(index) && index !== last) setMark(node, "gap");
      last = index;
    }
    this.#selection.redrawn();
    this.#fit();
    // Only if it has moved: setting it would end a scrolling that is under way.
    if (this.root.scrollTop !== top) this.root.scrollTop = top;
  }

  /** Take the marks off without drawing anything again. */
  clearMarks(): void {
    this.#clearMarks();
    this.#marks.clear();
  }

  /** Bring the first marked block into view if none of them is. */
  revealMarks(): void {
    const marked = this.#blocks().filter((block) => this.#marks.has(block.index));
    const view = this.root.getBoundingClientRect();
    const isSeen = marked.some(({ node }) => {
      const { top, bottom } = node.getBoundingClientRect();
      return bottom > view.top && top < view.bottom;
    });
    if (!isSeen && marked[0]) this.#scrollTo(marked[0].node);
  }

  /** Bring a block into view and point at it for a moment. */
  reveal(index: number): boolean {
    const nodes = this.#blocks()
      .filter((block) => block.index === index)
      .map((block) => block.node);
    const [first] = nodes;
    if (!first) return false;
    this.#scrollTo(first);
    for (const node of nodes) {
      node.classList.remove("pointed-at");
      void node.offsetWidth; // Starts the animation again.
      node.classList.add("pointed-at");
    }
    return true;
  }

  /** What was selected in the document last, also after the focus went to the request box. */
  selection(): HostSelection | null {
    return this.#selection.current();
  }

  // -- drawing ------------------------------------------------------------------------------------------------

  #showStyles({ styles }: Rendering): void {
    const shown = [...this.#styles.children].map((style) => style.textContent);
    if (shown.join("\n") !== styles.map((style) => style.textContent).join("\n")) {
      this.#styles.replaceChildren(...styles);
    }
  }

  /** `next` with as many of the nodes on the page in it as possible; afterwards the page shows it. */
  #patched(shown: Rendering | null, next: Rendering): Rendering {
    const pages = next.pages.map((page, index) => {
      const before = shown?.pages[index];
      return before && isSameFrame(before, page) ? patchPage(before, page) : page;
    });
    const sections = pages.map((page) => page.section);
    const isSame =
      sections.length === this.#sheet.children.length &&
      sections.every((section, index) => section === this.#sheet.children[index]);
    if (!isSame) this.#sheet.replaceChildren(...sections);
    return { ...next, pages };
  }

  #blocks(): RenderedBlock[] {
    return (this.#rendering?.pages ?? []).flatMap((page) =>
      page.articles.flatMap((article) => article.blocks),
    );
  }

  #clearMarks(): void {
    for (const { node } of this.#blocks()) removeMark(node);
  }

  /** Scale the sheet down to the width that there is. */
  #fit(): void {
    const sections = [...this.#sheet.children].filter((one) => one instanceof HTMLElement);
    const widest = Math.max(0, ...sections.map((section) => section.offsetWidth));
    if (widest === 0) return;
    const { paddingLeft, paddingRight } = getComputedStyle(this.root);
    const room = this.root.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const zoom = Math.max(MIN_ZOOM, Math.min(1, room / widest));
    this.#sheet.style.setProperty("zoom", zoom.toFixed(3));
  }

  /** Only the view scrolls; `scrollIntoView` would take the page along. */
  #scrollTo(node: HTMLElement): void {
    const view = this.root.getBoundingClientRect();
    const { top, height } = node.getBoundingClientRect();
    const room = Math.max(0, this.root.clientHeight - height) / 2;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    this.root.scrollBy({ top: top - view.top - room, behavior });
  }
}

function isSameFrame(before: RenderedPage, after: RenderedPage): boolean {
  return before.frameKey === after.frameKey && before.articles.length === after.articles.length;
}

function patchPage(before: RenderedPage, after: RenderedPage): RenderedPage {
  const articles = after.articles.map((article, index) => {
    const shown = before.articles[index];
    if (!shown) return article;
    const blocks = patchBlocks(shown.node, shown.blocks, article.blocks);
    return { node: shown.node, blocks };
  });
  return { ...after, section: before.section, articles };
}

function patchBlocks(
  parent: HTMLElement,
  before: readonly RenderedBlock[],
  after: readonly RenderedBlock[],
): RenderedBlock[] {
  const kept = matches(
    before.map((block) => block.key),
    after.map((block) => block.key),
  );
  const blocks = after.map((block, index) => {
    const shown = before[kept[index] ?? -1];
    return shown ? { ...block, node: shown.node } : block;
  });
  const staying = new Set(blocks.map((block) => block.node));
  for (const { node } of before) if (!staying.has(node)) node.remove();
  let place = parent.firstChild;
  for (const { node } of blocks) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  return blocks;
}

// -- marks ------------------------------------------------------------------------------------------------------------

function setMark(node: HTMLElement, mark: AnyMark): void {
  if (mark === "gap") node.dataset.gap = "";
  else node.dataset.mark = mark;
  // A table takes no text of its own but its caption.
  const word = document.createElement(node.localName === "table" ? "caption" : "span");
  word.className = "visually-hidden mark-word";
  word.textContent = `${t(`view.marked.${mark}`)} `;
  node.prepend(word);
}

function removeMark(node: HTMLElement): void {
  delete node.dataset.mark;
  delete node.dataset.gap;
  node.classList.remove("pointed-at");
  node.querySelectorAll(":scope > .mark-word").forEach((word) => word.remove());
}
