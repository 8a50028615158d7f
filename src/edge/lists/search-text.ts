/** Checks the text of a search (RULES 3.15). */
import { CONTENT } from "../../limits.ts";
import type { Model } from "../../content/model/model.ts";
import { invalidParameter } from "../../content/query/list-targets.ts";
import { hasAtMost } from "../../content/text/text.ts";
import { isSearchable } from "../../content/field-types/fields.ts";
import { runsOf } from "../../content/search/words.ts";

/** Refuses a text that is empty or too long, or a sort beside it. @throws ApiError INVALID_PARAMETER */
export function checkSearch(text: string | undefined, sort: string | undefined): void {
  if (text === undefined) return;
  if (sort !== undefined)
    throw invalidParameter("sort", "cannot go with search, whose results come best first");
  if (text.trim() === "") throw invalidParameter("search", "must have a word");
  if (!hasAtMost(text, CONTENT.searchMaxCharacters)) {
    throw invalidParameter("search", `must have at most ${CONTENT.searchMaxCharacters} characters`);
  }
  if (runsOf(text).length > CONTENT.searchWordsMax) {
    throw invalidParameter("search", `must have at most ${CONTENT.searchWordsMax} words`);
  }
}

/** Refuses a search in a model without searchable fields. @throws ApiError INVALID_PARAMETER */
export function checkSearchable(model: Model, text: string | undefined): void {
  if (text === undefined || model.fields.some(isSearchable)) return;
  throw invalidParameter("search", "needs a field of this model that is searchable, and it has none");
}
