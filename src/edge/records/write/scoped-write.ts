/** Holds changes of records against the scopes of the caller (RULES 1.12, 1.13). Pure. */
import type { StoredField } from "../../../content/field-types/fields.ts";
import { codesOf, codesOfNumbers } from "../../../content/locales/locales.ts";
import { localeOfNumber } from "../../../content/locales/numbers.ts";
import { isPublishedAnywhere } from "../../../content/model/editions.ts";
import type { Model } from "../../../content/model/model.ts";
import { checkLocales, checkPublish } from "../../spaces/gate.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import type { Scopes } from "../../storage/spaces/scopes.ts";

/**
 * Checks the fields, by the numbers of their locales, that a write changes. Shared fields are the default locale's.
 * @throws ApiError FORBIDDEN
 */
export function checkChanged(scopes: Scopes, model: Model, changed: readonly StoredField[]): void {
  if (!model.drafts) {
    checkPublish(scopes, `what is written in "${model.name}" is published at once, because it has no drafts`);
  }
  const { scope } = model;
  if (!scope) return;
  const numbers = new Set(changed.map(({ no }) => localeOfNumber(no)));
  checkLocales(scopes, codesOfNumbers(scope.locales, numbers));
}

/**
 * Checks a change of a whole record, such as its removal, which is one in all locales.
 * @param codes all locales of the space
 * @throws ApiError FORBIDDEN
 */
export function checkWhole(
  scopes: Scopes,
  model: Pick<Model, "name" | "drafts">,
  record: Pick<RecordRow, "publishedVersion" | "locales">,
  codes: readonly string[],
): void {
  const isSeen = !model.drafts || isPublishedAnywhere(record);
  if (isSeen) checkPublish(scopes, "this changes what readers see");
  checkLocales(scopes, codes);
}

/** Checks a step of publishing in some locales, by default in all. @throws ApiError FORBIDDEN */
export function checkStep(scopes: Scopes, { scope }: Model, numbers: readonly number[] | null): void {
  checkPublish(scopes, "this publishes or unpublishes");
  if (!scope) return;
  const { locales } = scope;
  checkLocales(scopes, numbers ? codesOfNumbers(locales, numbers) : codesOf(locales));
}
