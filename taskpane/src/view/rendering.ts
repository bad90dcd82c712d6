/** A document drawn into nodes that are not on the page yet. */

import { parseAsync, renderDocument } from "docx-preview";
import type { Options } from "docx-preview";

import { prepare } from "./prepare";
import { MARK_ATTRIBUTE, nodeBuilder } from "./safe-nodes";

export interface RenderedBlock {
  node: HTMLElement;
  /** Place among the body's blocks; a block can be drawn as several nodes. */
  index: number;
  /** Equal for equal drawings. */
  key: string;
}

export interface RenderedPage {
  section: HTMLElement;
  /** What surrounds the blocks: size, margins, header, footer, notes. */
  frameKey: string;
  /** Blocks by article (an article is a stretch of one section's columns). */
  articles: { node: HTMLElement; blocks: RenderedBlock[] }[];
}

export interface Rendering {
  styles: HTMLStyleElement[];
  pages: RenderedPage[];
}

export async function renderDocx(bytes: ArrayBuffer | Uint8Array): Promise<Rendering> {
  const { data, tokens } = await prepare(bytes);
  const options: Partial<Options> = {
    className: "docx",
    inWrapper: true,
    ignoreLastRenderedPageBreak: false,
    // As data, pictures can be compared, and nothing has to be given back to the browser.
    useBase64URL: true,
    renderAltChunks: false,
    renderChanges: true,
    renderComments: false,
    // Tab stops.
    experimental: true,
    h: nodeBuilder(tokens),
  };
  const nodes = await renderDocument(await parseAsync(data, options), options);
  const styles = nodes.filter((node) => node instanceof HTMLStyleElement);
  const wrapper = nodes.find(
    (node) => node instanceof HTMLElement && node.matches(".docx-wrapper"),
  );
  const sections = wrapper instanceof HTMLElement ? [...wrapper.children] : [];
  const count = { index: 0 };
  return { styles, pages: sections.map((section) => readPage(section as HTMLElement, count)) };
}

/** Take the marks out, and note what is where. `last` is the block that unmarked nodes belong to. */
function readPage(section: HTMLElement, last: { index: number }): RenderedPage {
  const articles = [...section.querySelectorAll<HTMLElement>(":scope > article")].map(
    (article) => ({
      node: article,
      blocks: [...article.children].map((child) => {
        const marks = child.querySelectorAll(`[${MARK_ATTRIBUTE}]`);
        const first = marks[0]?.getAttribute(MARK_ATTRIBUTE);
        if (first) last.index = Number(first);
        marks.forEach((mark) => mark.remove());
        return { node: child as HTMLElement, index: last.index, key: child.outerHTML };
      }),
    }),
  );
  return { section, articles, frameKey: frameKey(section) };
}

function frameKey(section: HTMLElement): string {
  const parts = [...section.children].map((child) =>
    child.localName === "article" ? child.cloneNode(false) : child,
  );
  const open = (section.cloneNode(false) as HTMLElement).outerHTML;
  return open + parts.map((part) => (part as HTMLElement).outerHTML).join("");
}
