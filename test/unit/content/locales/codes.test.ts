import { expect, it } from "vitest";
import { localeCode } from "../../../../src/content/locales/codes.ts";
import { LOCALES } from "../../../../src/limits.ts";

it.each([
  ["EN", "en"],
  ["de-at", "de-AT"],
  ["ZH-hant-tw", "zh-Hant-TW"],
  ["sl-ROZAJ-biske", "sl-biske-rozaj"],
  ["de-U-CO-phonebk", "de-u-co-phonebk"],
  ["en-X-Easy", "en-x-easy"],
  ["en-x-a1", "en-x-a1"],
])("keeps %s in its usual form (RULES 3.30)", (text, code) => {
  expect(localeCode(text)).toBe(code);
});

it.each([
  "",
  "e",
  "all",
  "ALL",
  "de_AT",
  "de-",
  "-de",
  "de--AT",
  "en-a",
  "en-x",
  "x-easy",
  "de AT",
  "de.AT",
  "en-AT-AT",
])("refuses %j", (text) => {
  expect(localeCode(text)).toBeNull();
});

it("takes codes up to the largest length", () => {
  const longest = `en-x-${"abcdefg-".repeat(4)}`.slice(0, LOCALES.codeMaxCharacters);
  expect(longest).toHaveLength(LOCALES.codeMaxCharacters);
  expect(localeCode(longest)).toBe(longest);
  expect(localeCode(`${longest}z`)).toBeNull();
});

it("refuses a code whose usual form is longer than the largest length", () => {
  const given = "sh-bbbbbbb-ccccccc-ddddddd";
  const usual = given.replace("sh", "sr-Latn");
  expect(localeCode(given)).toBe(usual);
  expect(localeCode(usual)).toBe(usual);
  // Shorter itself than the largest length.
  expect(localeCode(`${given}-eeeee`)).toBeNull();
  const most = LOCALES.codeMaxCharacters - "sr-Latn-x-".length;
  const ends = `${"a".repeat(8)}-`.repeat(4);
  expect(localeCode(`sh-x-${ends.slice(0, most)}`)).toBe(`sr-Latn-x-${ends.slice(0, most)}`);
  expect(localeCode(`sh-x-${ends.slice(0, most + 1)}`)).toBeNull();
});
