/** Office.js as the page finds it: perhaps late, perhaps outside Word, perhaps never. */

/** Where the page runs: in Word, or somewhere that has no document for it. */
export type Surroundings = "word" | "none";

/**
 * What Office answers. The script is loaded `async`, so that a network that swallows it does not leave the page blank;
 * this waits for it as long as it takes, and rejects when it cannot be loaded at all.
 */
export async function surroundings(): Promise<Surroundings> {
  await officeScript();
  // Office.js nulls both while it loads; without them any router, ours or the browser's tools', throws.
  restoreHistory();
  const { host } = await Office.onReady();
  restoreHistory();
  return host === Office.HostType.Word ? "word" : "none";
}

function officeScript(): Promise<void> {
  if (typeof Office !== "undefined") return Promise.resolve();
  const script = document.querySelector<HTMLScriptElement>("script[data-office]");
  if (!script) return Promise.reject(new Error("the page has no Office script"));
  return new Promise((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("Office's script cannot be loaded")));
    // It may have come between the question and the listener.
    if (typeof Office !== "undefined") resolve();
  });
}

/** The functions are own properties set to null over those of the prototype. */
function restoreHistory(): void {
  for (const name of ["pushState", "replaceState"] as const) {
    if (Object.hasOwn(history, name)) Reflect.deleteProperty(history, name);
  }
}

/** Word's theme, which need not be the system's: dark when it says so, else what the browser prefers. */
export function followOfficeTheme(): void {
  const theme = Office.context.officeTheme as Office.OfficeTheme | undefined;
  const isDark = theme?.isDarkTheme;
  if (isDark !== undefined) document.documentElement.dataset.theme = isDark ? "dark" : "light";
}
