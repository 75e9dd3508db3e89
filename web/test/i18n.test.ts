import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languageOf } from "../src/i18n";
import { en } from "../src/i18n/en";
import { fi } from "../src/i18n/fi";
import { id } from "../src/i18n/id";
import { nb } from "../src/i18n/nb";
import { type Key, type Text, type Texts, translator } from "../src/i18n/translate";
import { zh } from "../src/i18n/zh";

const TEXTS: Record<string, Texts> = { en, fi, id, nb, zh };
const SOURCES = join(import.meta.dirname, "../src");

/** Texts whose key is put together from what the service says. */
const FROM_THE_SERVICE = ["problem.", "refusal."];

function named(text: Text): Set<string> {
  const forms = typeof text === "string" ? [text] : Object.values(text);
  return new Set(
    forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "")),
  );
}

describe.each(Object.entries(TEXTS))("the texts in %s", (language, texts) => {
  const entries = Object.entries(texts) as [Key, Text][];

  test("are those of English and no others", () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort());
  });

  test("name nothing that is not given", () => {
    const given = (key: Key) => new Set([...named(en[key]), "n"]);
    const wrong = entries.filter(([key, text]) =>
      [...named(text)].some((name) => !given(key).has(name)),
    );
    expect(wrong).toEqual([]);
  });

  test("have each plural form of the language, and no other", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    for (const [key, text] of entries) {
      if (typeof text !== "string") expect([key, Object.keys(text).sort()]).toEqual([key, forms]);
    }
  });

  test("are plural where English is", () => {
    const plural = ([, text]: [string, Text]) => typeof text !== "string";
    const those = (all: [string, Text][]) => all.filter(plural).map(([key]) => key);
    expect(those(entries).sort()).toEqual(those(Object.entries(en)).sort());
  });
});

test("every text is used", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
  const code = files
    .filter((file) => /\.tsx?$/.test(file) && !/^(gen|i18n)\//.test(file))
    .map((file) => readFileSync(join(SOURCES, file), "utf8"))
    .join("\n");
  const unused = Object.keys(en).filter(
    (key) =>
      !FROM_THE_SERVICE.some((prefix) => key.startsWith(prefix)) &&
      !code.includes(`"${key}"`) &&
      !code.includes(`\`${key.replace(/\.[\w-]+$/, ".")}$\{`),
  );
  expect(unused).toEqual([]);
});

test("a text is chosen by number and filled in", () => {
  const say = translator("fi", fi);
  expect(say("score.tiles", { n: 1 })).toBe("1 laatta");
  expect(say("score.tiles", { n: 3 })).toBe("3 laattaa");
  expect(translator("en", en)("table.round", { number: 2, total: 13 })).toBe("Round 2 of 13");
});

test.each([
  ["zh-Hant-TW", "zh"],
  ["no", "nb"],
  ["nn-NO", "nb"],
  ["in", "id"],
  ["EN-gb", "en"],
  ["de", undefined],
])("a browser in %s is shown %s", (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});
