/** The words of a text, as a search compares them (RULES 3.15): folded, cut at everything that is no letter or number. */
import { CONTENT } from "../../limits.ts";
import { fold } from "./fold.ts";
import type { StoredField } from "../field-types/fields.ts";
import type { Values } from "../model/model.ts";

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that write no spaces: each character is a word of its own. */
const UNIT = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]\p{M}*|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gu;

const matches = (text: string, pattern: RegExp): string[] => text.match(pattern) ?? [];

/** What stands between spaces and punctuation, each as the words it is made of: one, or a character each. */
export const runsOf = (text: string): string[][] => matches(fold(text), RUN).map((run) => matches(run, UNIT));

/** All words of a text in order, with one space between two. */
export const wordsOf = (text: string): string => runsOf(text).flat().join(" ");

export const isSearchable = (field: StoredField): boolean =>
  "searchable" in field && field.searchable === true;

/** Whole words of the beginning; a row of D1 holds 2 MB, and the texts themselves are among them. */
function cut(words: string): string {
  const max = CONTENT.searchedMaxCharacters;
  return words.length <= max ? words : words.slice(0, Math.max(0, words.lastIndexOf(" ", max)));
}

/** The words of a record's searchable fields; undefined for a model without any. */
export function searchedWords(fields: readonly StoredField[], values: Values): string | undefined {
  const searched = fields.filter(isSearchable);
  if (searched.length === 0) return undefined;
  const texts = searched.map(({ no }) => values.get(no)).filter((text) => typeof text === "string");
  return cut(wordsOf(texts.join("\n")));
}

/** Words that stand together in a text, the last of which may go on. */
export interface Phrase {
  /** What FTS5 looks for. It is quoted, and holds letters and numbers alone, so that nothing of a text is an operator. */
  match: string;
  /** The words, with one space between two. */
  words: string;
}

/**
 * Every word of `text` as the beginning of one. Empty when the text has no words.
 *
 * @param scope what indexed words begin with: `scopeOfModel`, or a space's id
 */
export function phrasesOf(text: string, scope: string): Phrase[] {
  const phrases = runsOf(text).map((run) => ({
    match: `"${run.map((word) => scope + word).join(" ")}"*`,
    words: run.join(" "),
  }));
  return [...new Map(phrases.map((phrase) => [phrase.words, phrase])).values()];
}

/** What each word of a model's records begins with, so that no other model's is walked. As in the triggers. */
export const scopeOfModel = (modelId: number): string => `${String(modelId).replace("-", "n")}m`;
