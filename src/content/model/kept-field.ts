/** A field that a change of its model keeps, under its own name or a new one. */
import type { StoredField } from "../field-types/fields.ts";

export interface KeptField {
  before: StoredField;
  after: StoredField;
  /** Some value may not fit any more: all must be looked at. */
  mustCheck: boolean;
  /** Its index rows would look different. */
  mustReindex: boolean;
  uniqueness: "stays" | "added" | "dropped";
}
