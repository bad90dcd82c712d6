/** docx-preview's style sheets, mended: only rules that stay inside the document, and bullets that can be seen. */

/** Bullets of Word's Symbol and Wingdings fonts (private use area) and characters that other fonts have for them. */
const SYMBOLS: Readonly<Record<string, string>> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf06e": "■",
  "\uf06c": "●",
  "\uf0a8": "◻",
  "\uf071": "❑",
  "\uf076": "❖",
  "\uf0d8": "➢",
  "\uf0e0": "→",
  "\uf0e8": "➔",
  "\uf0fc": "✓",
  "\uf0fb": "✗",
  "\uf0fe": "☑",
  "\uf0a3": "☐",
  "\uf0b0": "°",
  "\uf02d": "–",
  "\uf0be": "—",
  "\uf0ae": "→",
};
const PRIVATE_USE = /[\uf020-\uf0ff]/g;

/** Text in which characters of symbol fonts are replaced by ones that every machine can draw. */
export function withReadableSymbols(text: string): string {
  return text.replace(PRIVATE_USE, (character) => SYMBOLS[character] ?? character);
}

/** A style sheet of which each rule names the document's own class; a hostile file could write rules for the page. */
export function fixedStyleText(text: string): string {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(withReadableSymbols(text));
  return [...sheet.cssRules]
    .filter(
      (rule) => rule instanceof CSSFontFaceRule || (rule instanceof CSSStyleRule && isInside(rule)),
    )
    .map((rule) => rule.cssText)
    .join("\n");
}

function isInside(rule: CSSStyleRule): boolean {
  return rule.selectorText.split(",").every((selector) => /^\s*[a-z0-9]*\.docx/i.test(selector));
}
