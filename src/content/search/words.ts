/** Splits texts into words for searches (RULES 3.15): folded, and cut at everything that is no letter or number. */
import { CONTENT } from "../../limits.ts";
import { fold } from "./fold.ts";
import { isSearchable, type StoredField } from "../field-types/fields.ts";
import { meaningOf } from "../field-types/registry.ts";
import type { Values } from "../model/model.ts";

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Matches a word. In scripts without spaces each character is a word. */
const UNIT = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]\p{M}*|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gu;

const matches = (text: string, pattern: RegExp): string[] => text.match(pattern) ?? [];

/** Splits a text at spaces and punctuation. Each part is one word, or a word a character in scripts without spaces. */
export const runsOf = (text: string): string[][] => matches(fold(text), RUN).map((run) => matches(run, UNIT));

/** Returns all words of a text in order, with one space between two. */
export const wordsOf = (text: string): string => runsOf(text).flat().join(" ");

/** Keeps whole words of the beginning, because a row of D1 holds 2 MB and has the texts themselves, too. */
function cut(words: string): string {
  const max = CONTENT.searchedMaxCharacters;
  return words.length <= max ? words : words.slice(0, Math.max(0, words.lastIndexOf(" ", max)));
}

/** Returns the words of a record's searchable fields; undefined for a model without any. */
export function searchedWords(fields: readonly StoredField[], values: Values): string | undefined {
  const searched = fields.filter(isSearchable);
  if (searched.length === 0) return undefined;
  const texts = searched.flatMap((field) => meaningOf(field).textsOf(values.get(field.no) ?? null, field));
  return cut(wordsOf(texts.join("\n")));
}

/** Words that stand together in a text. The last one may be the beginning of a longer word. */
export interface Phrase {
  /** The query of FTS5. It is quoted and has only letters and numbers, so that no text is read as an operator. */
  match: string;
  /** The words, with one space between two. */
  words: string;
}

/**
 * Returns a phrase for every word of `text`, as the beginning of a word. Empty if the text has no words.
 *
 * @param scopes the beginnings that an indexed word may have: `scopeOfModel`, or the id of a space
 */
export function phrasesOf(text: string, ...scopes: readonly string[]): Phrase[] {
  const phrases = runsOf(text).map((run) => {
    const matches = scopes.map((scope) => `"${run.map((word) => scope + word).join(" ")}"*`);
    return {
      match: matches.length === 1 ? matches.join("") : `(${matches.join(" OR ")})`,
      words: run.join(" "),
    };
  });
  return [...new Map(phrases.map((phrase) => [phrase.words, phrase])).values()];
}

/**
 * Returns the beginning of each indexed word of a model, so that a search walks no other model's. The triggers write
 * it.
 */
export const scopeOfModel = (modelId: number): string => `${String(modelId).replace("-", "n")}m`;

/** Returns the same for the words of a model's records in a locale. */
export const scopeOfLocale = (modelId: number, locale: number): string =>
  `${String(modelId).replace("-", "n")}l${locale}m`;
