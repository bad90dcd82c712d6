/** Every sentence of the pages, by key. `{name}` stands for a value; `one`/`other` forms follow `{count}`. */

import en from "../locales/en.json";

export type TextKey = keyof typeof en;
export type Values = Readonly<Record<string, string | number>>;
type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;

/** The texts of one language; a key that it lacks falls back to English. */
export type Locale = Partial<Record<TextKey, Text>>;

let language = "en";
let texts: Locale = en;
let plural = new Intl.PluralRules("en");
let number = new Intl.NumberFormat("en");

/** Use another language from now on; sets the page's `lang` and `dir`. */
export function setLocale(tag: string, locale: Locale): void {
  language = tag;
  texts = locale;
  plural = new Intl.PluralRules(tag);
  number = new Intl.NumberFormat(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = /^(ar|fa|he|ur)\b/.test(tag) ? "rtl" : "ltr";
}

export function currentLanguage(): string {
  return language;
}

/** The sentence for `key`, with its values filled in. */
export function t(key: TextKey, values: Values = {}): string {
  const text: Text = texts[key] ?? en[key];
  const form = typeof text === "string" ? text : pluralForm(text, values.count);
  return form.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return typeof value === "number" ? number.format(value) : value;
  });
}

function pluralForm(forms: Exclude<Text, string>, count: string | number | undefined): string {
  return forms[plural.select(Number(count ?? 0))] ?? forms.other ?? "";
}
