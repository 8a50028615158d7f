/** The titles of records in lists of several models: the trash, references. */
import { isList } from "../field-types/fields.ts";
import { meaningOf, typesWhere, type Field } from "../field-types/registry.ts";

/** Returns whether a field's values can be read as a title. */
export const canTitle = (field: Field): boolean => meaningOf(field).title !== "never" && !isList(field);

/** The types of which the first field titles the records of a model that names no title field. */
export const FIRST_TITLES = typesWhere(({ title }) => title === "first");
