/** The words of a search as they are asked for (RULES 3.15). */
import { CONTENT } from "../../limits.ts";
import type { Model } from "../../content/model/model.ts";
import { invalidParameter } from "../../content/query/list-targets.ts";
import { hasAtMost } from "../../content/text/text.ts";
import { isSearchable, runsOf } from "../../content/search/words.ts";

/** @throws ApiError INVALID_PARAMETER when it is empty or too long, or a sort is asked for as well */
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

/** @throws ApiError INVALID_PARAMETER when no field of the model is searched */
export function checkSearchable(model: Model, text: string | undefined): void {
  if (text === undefined || model.fields.some(isSearchable)) return;
  throw invalidParameter("search", "needs a field of this model that is searchable, and it has none");
}
