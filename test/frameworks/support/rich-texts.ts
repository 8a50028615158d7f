/** The rich texts that the tests of renderers share, as an answer of the service has them. */
import { shownValue } from "../../../src/content/field-types/nested/show.ts";
import type { Field } from "../../../src/content/field-types/registry.ts";
import { checkValue } from "../../../src/content/field-types/values.ts";
import { RICH_TEXTS } from "../../support/rich-texts.ts";

const field: Field = { name: "body", type: "richtext", image: true };

function kept(value: unknown): unknown {
  const checked = checkValue(field, value);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return shownValue(field, checked.value);
}

export const keptRichTexts = (): { name: string; value: unknown }[] =>
  Object.entries(RICH_TEXTS).map(([name, { value }]) => ({ name, value: kept(value) }));
