// The language of the page: which there are, which is chosen, and its texts, loaded when they are
// needed. Knows no page.

import { signal } from "@preact/signals";
import { en } from "./en";
import { type Texts, type Translate, translator } from "./translate";

const STORED = "mextrain.language";

/** Every language, by its own name. */
export const LANGUAGES = {
  en: "English",
  zh: "中文",
  id: "Bahasa Indonesia",
  fi: "Suomi",
  nb: "Norsk bokmål",
} as const;

export type Language = keyof typeof LANGUAGES;

const LOADERS: Record<Language, () => Promise<Texts>> = {
  en: async () => en,
  zh: async () => (await import("./zh")).zh,
  id: async () => (await import("./id")).id,
  fi: async () => (await import("./fi")).fi,
  nb: async () => (await import("./nb")).nb,
};

/** What browsers call languages that this page has under another tag. */
const ALIASES: Readonly<Record<string, Language>> = { no: "nb", nn: "nb", in: "id" };

export const language = signal<Language>("en");
const current = signal<Translate>(translator("en", en));

/** Says a text in the language of the page; a component that uses it follows the language. */
export const say: Translate = (key, ...values) => current.value(key, ...values);

/** Takes the language that was chosen here before, or the first that the browser prefers. */
export function startLanguage(): Promise<void> {
  const wished = [localStorage.getItem(STORED) ?? "", ...navigator.languages];
  return setLanguage(wished.map(languageOf).find((each) => each !== undefined) ?? "en");
}

export function chooseLanguage(chosen: Language): Promise<void> {
  localStorage.setItem(STORED, chosen);
  return setLanguage(chosen);
}

async function setLanguage(chosen: Language): Promise<void> {
  const texts = await LOADERS[chosen]();
  current.value = translator(chosen, texts);
  language.value = chosen;
  document.documentElement.lang = chosen;
}

export function languageOf(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split("-")[0] ?? "";
  const known = ALIASES[primary] ?? primary;
  return known in LANGUAGES ? (known as Language) : undefined;
}
