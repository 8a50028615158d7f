/** A field that a change of its model keeps, under its own name or a new one. */
import type { StoredField } from "../field-types/fields.ts";

export interface KeptField {
  before: StoredField;
  after: StoredField;
  /** Whether all values must be checked, because some may not fit any more. */
  mustCheck: boolean;
  /** Whether the index rows have another form after the change. */
  mustReindex: boolean;
  uniqueness: "stays" | "added" | "dropped";
}
