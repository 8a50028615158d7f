/** The records that a reader of published content sees in a locale (RULES 3.33). */
import type { StoredField } from "../../content/field-types/fields.ts";
import { codesSeen, hasLocalized, isAll } from "../../content/model/localized-model.ts";
import { numberOfCode } from "../../content/locales/locales.ts";
import { DEFAULT_NUMBER, numberOfLocale } from "../../content/locales/numbers.ts";
import type { Model } from "../../content/model/model.ts";
import type { Content } from "../../content/model/publication.ts";
import type { AnyOf, Filter } from "../../content/query/list-query.ts";

/** The condition that a published content is published in the default locale, too. */
const IN_DEFAULT: Filter = {
  kind: "filter",
  parameter: "locale",
  target: { kind: "system", name: "publishedAt", column: "published_at", locale: DEFAULT_NUMBER },
  operator: "null",
  values: [0],
};

/** Returns the condition that it is published in another locale, for which there is an index row. */
function inLocale(locale: number): Filter {
  const field: StoredField = { type: "number", name: "locale", no: numberOfLocale(locale), absent: null };
  return {
    kind: "filter",
    parameter: "locale",
    target: { kind: "field", name: field.name, field },
    operator: "eq",
    values: [1],
  };
}

/** Returns the condition under which a reader of the model's locale sees a record; null where all records are seen. */
export function seenCondition(model: Model, content: Content): Filter | AnyOf | null {
  const { scope } = model;
  if (!scope || !model.drafts || content !== "published" || !hasLocalized(model)) return null;
  if (isAll(scope) && scope.inside === null) return null;
  const conditions = codesSeen(scope).map((code) => {
    const no = numberOfCode(scope.locales, code) ?? DEFAULT_NUMBER;
    return no === DEFAULT_NUMBER ? IN_DEFAULT : inLocale(no);
  });
  const [first] = conditions;
  if (conditions.length === 1 && first) return first;
  return { kind: "anyOf", groups: conditions.map((one) => [one]) };
}
