/** What a record is called in lists of records of several models: the trash, references. */
import { isMultiple, type Field } from "../field-types/fields.ts";

const READABLE: readonly Field["type"][] = ["string", "text", "enum", "number", "datetime"];

/** Whether a field's values can be read as a title. */
export const canTitle = (field: Field): boolean => READABLE.includes(field.type) && !isMultiple(field);
