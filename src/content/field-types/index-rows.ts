/** The index rows of a field, which follow from the kind of its index and from whether it is a list. */
import { isList } from "./fields.ts";
import { meaningOf, type Field } from "./registry.ts";

/**
 * The form of a field's index rows:
 * - `whole`: one row with the value;
 * - `cut`: one row with the first characters of a text;
 * - `presence`: one row that says whether there is a value;
 * - `nested`: the same row, and one for each target that the value names inside;
 * - `items`: a row for each item of a list.
 */
export type RowForm = "whole" | "cut" | "presence" | "nested" | "items";

export function rowFormOf(field: Field): RowForm {
  const { index } = meaningOf(field);
  switch (index) {
    case "presence":
    case "nested":
      return index;
    case "record":
    case "media":
      return isList(field) ? "items" : "whole";
    case "text":
      return "cut";
    case "choice":
    case "number":
    case "boolean":
    case "datetime":
      return "whole";
    default:
      return index satisfies never;
  }
}
