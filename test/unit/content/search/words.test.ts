/** Words of texts, and the queries for FTS5: never anything but quoted letters and numbers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONTENT } from "../../../../src/limits.ts";
import type { StoredField } from "../../../../src/content/field-types/fields.ts";
import { phrasesOf, scopeOfModel, searchedWords, wordsOf } from "../../../../src/content/search/words.ts";

describe("the words of a text", () => {
  it.each([
    ["Crème brûlée, STRASSE-Straße!", "creme brulee strasse strasse"],
    ["don't e-mail 3.14", "don t e mail 3 14"],
    ["東京タワーtower", "東 京 タ ワ ー tower"],
    ["हिन्दी में", "हिन्दी में"],
    ["한국어 Ελλάς", "한국어 ελλασ"],
    ['\u0000"*^(){}:+-', ""],
  ])("%j: %j", (text, words) => {
    expect(wordsOf(text)).toBe(words);
  });

  it("are letters, numbers and marks, one space apart", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(wordsOf(text)).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?: [\p{L}\p{N}\p{M}]+)*)?$/u);
      }),
    );
  });
});

describe("what FTS5 looks for", () => {
  it.each([
    ["two words", '"7mtwo"* AND "7mwords"*'],
    ["same SAME", '"7msame"*'],
    ["東京", '"7m東 7m京"*'],
    [
      'a" OR b* NEAR(c) ^d -e +f col:g',
      '"7ma"* AND "7mor"* AND "7mb"* AND "7mnear"* AND "7mc"* AND "7md"* AND "7me"* AND "7mf"* AND "7mcol"* AND "7mg"*',
    ],
  ])("%j: %s", (text, match) => {
    expect(
      phrasesOf(text, scopeOfModel(7))
        .map((phrase) => phrase.match)
        .join(" AND "),
    ).toBe(match);
  });

  it("is nothing for a text without words", () => {
    expect(phrasesOf('"*-', "7m")).toEqual([]);
  });

  it("tells a model from the contents published of it, and from every other", () => {
    expect(scopeOfModel(-12)).toBe("n12m");
    expect(phrasesOf("2m", scopeOfModel(1))).not.toEqual(phrasesOf("m", scopeOfModel(12)));
  });
});

describe("the words of a record", () => {
  const field = (no: number, more: object): StoredField => ({
    name: `f${no}`,
    type: "text",
    no,
    absent: null,
    ...more,
  });

  it("are those of its searchable fields", () => {
    const fields = [field(1, { searchable: true }), field(2, {}), field(3, { searchable: true })];
    expect(searchedWords(fields, new Map([[1, "One"], [2, "Two"], [3, "Three"]]))).toBe("one three"); // prettier-ignore
    expect(searchedWords(fields, new Map([[1, null]]))).toBe("");
    expect(searchedWords([field(2, {})], new Map([[2, "Two"]]))).toBeUndefined();
  });

  it("end with a whole word at the limit", () => {
    const words = (text: string) =>
      searchedWords([field(1, { searchable: true })], new Map([[1, text]])) ?? "";
    const max = CONTENT.searchedMaxCharacters;
    expect(words("a".repeat(max))).toHaveLength(max);
    expect(words("ab ".repeat(max))).toBe("ab ".repeat(max).slice(0, max).replace(/ a?$/, ""));
    expect(words("a".repeat(max + 1))).toBe("");
  });
});
