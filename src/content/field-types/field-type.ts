/** The meaning of a field type. Each type states all of it in a file of its own; registry.ts lists the types. */
import type * as z from "zod";
import type { StepBudget } from "../patterns/step-budget.ts";

/** Any JSON value that is stored for a field. Null means that there is no value; a list is never null. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The result of a check: the value in the form in which it is stored, or its fault. */
export type Checked = { ok: true; value: Json } | { ok: false; message: string };

export const good = (value: Json): Checked => ({ ok: true, value });
export const bad = (message: string): Checked => ({ ok: false, message });

/** A fault of a field's options beyond their schema. */
export interface DefinitionFault {
  /** The option at fault. */
  option: string;
  message: string;
  /** Whether no value can be checked against the field, so that its default is not checked either. */
  isFatal: boolean;
}

/** The JSON Schema of one value. A type without `type` takes any JSON value. */
export type ValueSchema =
  | { type: "string"; enum?: readonly string[]; format?: "date-time"; maxLength?: number; pattern?: string }
  | { type: "number" | "integer"; minimum?: number; maximum?: number }
  | { type: "boolean" }
  | { type?: never };

/**
 * The way in which values are indexed, and so how filters compare them. Storage chooses its SQL by this kind.
 *
 * `text` is for texts that may be long: an index row has the first characters, and filters that need more read the
 * record. The values of the other kinds stand in their index rows whole, so only short values may have them: `choice`
 * one of the field's `values`, `record` and `media` an id, or a list of ids with one row each. A value of kind
 * `presence` is only known to be there or not.
 */
export type IndexKind =
  "text" | "choice" | "number" | "boolean" | "datetime" | "record" | "media" | "presence";

/**
 * The kinds that a field's options allow: a choice needs the option `values`, a reference to records the option `to`.
 */
type IndexKindOf<F> =
  | Exclude<IndexKind, "choice" | "record">
  | (F extends { values: readonly string[] } ? "choice" : never)
  | (F extends { to: string } ? "record" : never);

/** A field's options as a body has them, after the schema has removed what it refused. */
export type LooseOptions = Readonly<Record<string, unknown>>;

/** The meaning of the fields `F` of one type. */
export interface FieldMeaning<F, Kind extends IndexKindOf<F> = IndexKindOf<F>> {
  /** The result of `typeof` for one value, or for one item of a list. A value of form `any` is any JSON value. */
  form: "string" | "number" | "boolean" | "any";
  index: Kind;
  /** Whether values are lists. The empty value of a list is `[]`, any other type's is null. */
  isList: (field: F) => boolean;
  /** Returns the faults of the options that the schema cannot find. @param budget of all patterns of the model */
  faultsOf: (field: F, budget: StepBudget) => DefinitionFault[];
  /** Checks a value that is not null. @param budget of the request: the steps that its patterns take together */
  check: (value: unknown, field: F, budget: StepBudget) => Checked;
  /**
   * Returns the JSON Schema of one value; of a list, the schema of its items. The type of the client follows from it.
   */
  schemaOf: (field: F) => ValueSchema;
  /**
   * Returns whether every value that fits `before` is sure to fit `after`. If not, the values are checked one by one.
   */
  isLooser: (before: F, after: F) => boolean;
  /** Returns the texts of a value that a search looks at, if the field is searchable. */
  textsOf: (value: Json) => string[];
  /**
   * Whether a value can title its record: `first` if the first such field titles the records of a model that names
   * none, `named` if the model has to name the field.
   */
  title: "first" | "named" | "never";
  /**
   * Returns a field of this or another type for the further checks of a definition that the schema has refused. It has
   * no option on which these checks would report the same fault again.
   */
  mended: (rest: LooseOptions) => LooseOptions;
}

/** An entry of the registry: the meaning of a type, and the schema of its definition. */
export interface FieldTypeEntry<
  Schema extends z.ZodObject,
  Kind extends IndexKindOf<z.output<Schema>>,
> extends FieldMeaning<z.output<Schema>, Kind> {
  schema: Schema;
}

/** Joins the schema of a definition with the meaning of its fields. */
export const fieldType = <Schema extends z.ZodObject, const Kind extends IndexKindOf<z.output<Schema>>>(
  schema: Schema,
  meaning: FieldMeaning<z.output<Schema>, Kind>,
): FieldTypeEntry<Schema, Kind> => ({ schema, ...meaning });

/** The answer of types whose values are never lists. */
export const single = (): boolean => false;

/** The answer of types whose options have no faults beyond their schema. */
export const noFaults = (): DefinitionFault[] => [];

/** The answer of types whose values a search does not look at. */
export const noTexts = (): string[] => [];

/** The answer of types of which no further check needs an option that may be missing. */
export const unmended = (rest: LooseOptions): LooseOptions => rest;
