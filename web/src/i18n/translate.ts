// Turns a key and its parameters into text of one language. Knows no text.

import type { en } from "./en";

/** A text, or one for each plural form that the language has, told apart by the parameter `n`. */
export type Text = string | { readonly [form in Intl.LDMLPluralRule]?: string };

export type Key = keyof typeof en;

/** The texts of a language: one for each key of English; a missing one is an error of types. */
export type Texts = { readonly [K in Key]: Text };

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type NamesOf<T> = T extends string ? Names<T> : Names<T[keyof T]>;
type Values<K extends Key> = { readonly [N in NamesOf<(typeof en)[K]>]: string | number };

/** The parameters that English names in braces; none for a text without. */
export type Params<K extends Key> = [NamesOf<(typeof en)[K]>] extends [never]
  ? []
  : [values: Values<K>];

export type Translate = <K extends Key>(key: K, ...params: Params<K>) => string;

/** Returns the translator of a language, a BCP 47 tag. */
export function translator(language: string, texts: Texts): Translate {
  const plurals = new Intl.PluralRules(language);
  return (key, ...params) => {
    const values: Readonly<Record<string, string | number>> = params[0] ?? {};
    const text = texts[key];
    const chosen = typeof text === "string" ? text : formOf(text, Number(values.n), plurals);
    return chosen.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
  };
}

function formOf(text: Exclude<Text, string>, n: number, plurals: Intl.PluralRules): string {
  return text[plurals.select(n)] ?? text.other ?? "";
}
